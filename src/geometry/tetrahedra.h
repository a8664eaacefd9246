// A cube cut into six tetrahedra around its main diagonal (thesis figure 33). Corner c has its x, y and z in bits 0, 1
// and 2. Neighbouring cubes cut the face they share along the same diagonal, so the pieces fit.
#pragma once

namespace flotsam {

inline constexpr int tetrahedra_of_cube[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                                 {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

}  // namespace flotsam
