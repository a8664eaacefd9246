// Continuity at the surface (thesis 3.2.3.4).
#include "liquid/surface_cells.h"

#include <gtest/gtest.h>

#include <bit>

#include "core/random.h"

namespace flotsam {
namespace {

int axesWithAirOnBothSides(unsigned faces)
{
    int count = 0;
    for (int a = 0; a < 3; ++a) count += (faces >> (2 * a) & 3) == 3;
    return count;
}

TEST(SurfaceCells, EachOfTheSixtyThreeCasesHasItsRule)
{
    int untouched = 0, copied = 0, divergence_free = 0;
    for (unsigned faces = 1; faces < 64; ++faces) {
        float v[6], before[6];
        for (int n = 0; n < 6; ++n) v[n] = before[n] = float(randomUnit(7, faces, uint64_t(n))) - 0.5f;
        makeContinuous(faces, v);
        float outflow = 0;
        bool changed = false;
        for (int n = 0; n < 6; ++n) {
            outflow += v[n];
            changed = changed || v[n] != before[n];
            if (!(faces >> n & 1)) {
                EXPECT_EQ(v[n], before[n]) << "faces " << faces;  // set by liquid and walls
            }
        }
        const int pairs = axesWithAirOnBothSides(faces), count = std::popcount(faces);
        if (count == 6 || (count == 2 && pairs == 1)) {
            EXPECT_FALSE(changed) << "faces " << faces;
            ++untouched;
        } else {
            EXPECT_NEAR(outflow, 0, 1e-6) << "faces " << faces;
            ++(count == 3 && pairs == 0 ? copied : divergence_free);
        }
    }
    // 3 films and a drop; 8 corners; the rest.
    EXPECT_EQ(untouched, 4);
    EXPECT_EQ(copied, 8);
    EXPECT_EQ(divergence_free, 51);
}

TEST(SurfaceCells, TheRightFaceAloneTakesWhatTheOthersBring)
{
    // Eq. 23 with u_i = 1, v_j+1 = 0.5, v_j = 0.25, w_k+1 = -2, w_k = 1.
    float outward[6] = {-1, 77, -0.25f, 0.5f, -1, -2};
    makeContinuous(1u << 1, outward);
    EXPECT_FLOAT_EQ(outward[1], 1 - 0.5f + 0.25f + 2 + 1);
}

TEST(SurfaceCells, TwoFacesAroundAnEdgeCopyTheOppositeOnesAndShareTheRest)
{
    // Air at +x and +y; 1 enters through -x, 2 through -y, 0.5 more leaves through z than enters.
    float outward[6] = {-1, 0, -2, 0, -0.5f, 1};
    makeContinuous(1u << 1 | 1u << 3, outward);
    EXPECT_FLOAT_EQ(outward[1], 1 - 0.25f);
    EXPECT_FLOAT_EQ(outward[3], 2 - 0.25f);
}

}  // namespace
}  // namespace flotsam
