// Bodies of two-dimensional runs: sections in the plane z = 0 of their own frame, extruded over the depth of the one
// layer of cells. Their contacts have no part along z and lie in the plane of the centres of mass, so that the solver
// never moves them out of it: no term of its sums but zero points there.
#pragma once

#include "rigid/body.h"

namespace flotsam {

struct Section {
    enum class Kind { disk, rectangle, ellipse } kind = Kind::disk;
    Vec3 half_m;  // half extents along x and y; z is not asked for
};

ColliderPtr sectionCollider(const Section& section, double depth_m);

// The mass and the moments of the extruded section.
Body sectionBody(const Section& section, double depth_m, double density_kg_m3);

}  // namespace flotsam
