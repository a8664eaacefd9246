// The parts of the control volumes of faces that a body covers: docs/methods/coupling.md, section 2.
//
// The control volume of a face is the cell between the centres of its two cells. Along each axis these volumes tile
// space, so that the parts of all faces along an axis add up to the volume of the body, wherever it is and however
// small.
#pragma once

#include <vector>

#include "coupling/body_raster.h"

namespace flotsam {

// A part of a box: its fraction of the box, 0..1, and its centroid.
struct Part {
    double fraction = 0;
    Vec3 centroid_m;
};

// The halves of a control volume on both sides of its face.
struct FaceCover {
    int axis;
    Int3 at;
    Part below, above;  // of each half
};

// By body: every face whose control volume it overlaps; also those on the boundary of the domain, of whose control
// volume one half is inside. volume_m3: what the parts must add up to where the body is entirely inside the domain.
std::vector<FaceCover> coverFaces(const Grid& grid, const BodyObstacle& body, double volume_m3);

// The part of the box from `from` to `to` [cells] along the axis of the face: -0.5 is the centre of the cell below, 0.5
// that of the cell above. Within a half the body is taken as uniform.
Part partBetween(const Grid& grid, const FaceCover& cover, double from, double to);

}  // namespace flotsam
