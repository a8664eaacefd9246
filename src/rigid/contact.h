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
    double rolling_m = 0, spinning_m = 0;

    bool resistsTurning() const { return rolling_m > 0 || spinning_m > 0; }
};

// What a pair looks like to the narrow phase.
struct PosedCollider {
    const Collider& collider;
    Vec3 x_m;
    Mat3 world_from_body;
};

struct ContactReach {
    double near_m = 0;   // up to here two bodies touch
    double reach_m = 0;  // and this far apart they could close within the step
};

// Adds the points whose gap is at most reach_m.
void findContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                  std::vector<ContactPoint>& points);

// Two boxes: separating axes and clipped faces, because the distance's normal is ambiguous where edges lie on edges.
void findBoxContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                     std::vector<ContactPoint>& points);

// A body above a plane, exactly.
void findPlaneContacts(const PosedCollider& a, const PosedCollider& plane, const ContactReach& reach,
                       std::vector<ContactPoint>& points);

// Removes points that others stand for: of each direction of the normal stay the deepest of those that touch, the
// outermost of them, and the outermost of those that may touch within the step.
void thinOut(double near_m, std::vector<ContactPoint>& points);

}  // namespace flotsam
