// Bodies of two-dimensional runs: sections in the plane z = 0 of the body frame, extruded over the depth of the single
// layer of cells. Their contacts have no component along z and lie in the plane of the centres of mass, so the solver
// never moves them out of it: every term along z is zero.
#pragma once

#include "rigid/body.h"

namespace flotsam {

struct Section {
    enum class Kind { disk, rectangle, ellipse, stadium } kind = Kind::disk;
    Vec3 half_m;  // half extents along x and y; z is unused. A stadium is longer along y
};

ColliderPtr sectionCollider(const Section& section, double depth_m);

// The mass and moments of inertia of the extruded section.
Body sectionBody(const Section& section, double depth_m, double density_kg_m3);

}  // namespace flotsam
