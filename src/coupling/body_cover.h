// The fraction of the control volume of each face that a body covers: docs/methods/coupling.md, section 2.
//
// The control volume of a face extends between the centres of its two cells. Along each axis these volumes tile space,
// so that the fractions of all faces along an axis add up to the volume of the body, wherever it is and however small.
#pragma once

#include <vector>

#include "coupling/body_raster.h"

namespace flotsam {

// The covered region of a box: its fraction of the box, 0..1, and its centroid.
struct Part {
    double fraction = 0;
    Vec3 centroid_m;
};

// The halves of a control volume on both sides of its face.
struct FaceCover {
    int axis;
    Int3 at;
    Part below, above;  // covered regions of the lower and the upper half
    bool is_below_buried, is_above_buried;
};

struct BodyCover {
    // Every face whose control volume the body overlaps, including those on the boundary of the domain, whose control
    // volume is inside by one half.
    std::vector<FaceCover> faces;
    // Without those between two buried cells, cells of which the body covers all faces: the low face of `at`.
    struct Buried {
        int axis;
        Int3 at;
    };
    std::vector<Buried> buried;
};

// volume_m3: the sum of the covered volumes if the body is entirely inside the domain.
void coverFaces(const Grid& grid, const BodyObstacle& body, double volume_m3, BodyCover& cover);

// The covered region between `from` and `to` [cells from the face, along its axis]: -0.5 is the centre of the cell
// below, 0.5 that of the cell above. Within each half the body is treated as uniform.
Part partBetween(const Grid& grid, const FaceCover& cover, double from, double to);

}  // namespace flotsam
