// Where two bodies touch, or will within the step.
#pragma once

#include <vector>

#include "rigid/body.h"

namespace flotsam {

struct ContactPoint {
    Vec3 position_m;   // in the world, halfway between the two surfaces
    Vec3 normal;       // from b towards a
    double gap_m = 0;  // negative: they overlap
};

struct ContactPair {
    int a = 0, b = 0;  // a moves; b may be immobile
    int first = 0, count = 0;
    double friction = 0, restitution = 0;
};

// What a pair looks like to the narrow phase.
struct PosedCollider {
    const Collider& collider;
    Vec3 x_m;
    Mat3 world_from_body;
};

// Adds the points whose gap is at most reach_m: what the two could close within the step.
void findContacts(const PosedCollider& a, const PosedCollider& b, double reach_m, std::vector<ContactPoint>& points);

// Two boxes: separating axes and clipped faces, because the distance's normal is ambiguous where edges lie on edges.
void findBoxContacts(const PosedCollider& a, const PosedCollider& b, double reach_m, std::vector<ContactPoint>& points);

// A body above a plane, exactly.
void findPlaneContacts(const PosedCollider& a, const PosedCollider& plane, double reach_m,
                       std::vector<ContactPoint>& points);

// At most four points a direction of the normal, the deepest and those that span the largest area; the rest is removed.
void thinOut(std::vector<ContactPoint>& points);

}  // namespace flotsam
