// Contact points between two bodies that touch or may touch within the step.
#pragma once

#include <vector>

#include "rigid/body.h"

namespace flotsam {

struct ContactPoint {
    Vec3 position_m;   // in the world, halfway between the two surfaces
    Vec3 normal;       // from b towards a
    double gap_m = 0;  // negative: they overlap
    // The body whose surface gives the normal; the other touches it with a point.
    enum class Face : char { neither, of_a, of_b } face = Face::neither;
};

struct ContactPair {
    int a = 0, b = 0;  // a moves; b may be immobile
    int first = 0, count = 0;
    double friction = 0, restitution = 0;
    double rolling_m = 0, spinning_m = 0;
    // After a move: friction, or the contact as a whole, cannot hold what the liquid does (releaseContacts).
    bool slides = false, is_released = false;

    bool resistsTurning() const { return rolling_m > 0 || spinning_m > 0; }
};

// A collider in its pose, as input of the narrow phase.
struct PosedCollider {
    const Collider& collider;
    Vec3 x_m;
    Mat3 world_from_body;
};

struct ContactReach {
    double near_m = 0;   // largest gap at which two bodies count as touching
    double reach_m = 0;  // largest gap that could close within the step
};

// Appends the points whose gap is at most reach_m.
void findContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                  std::vector<ContactPoint>& points);

// Two boxes: separating axes and clipped faces, because the distance's normal is ambiguous where edges lie on edges.
void findBoxContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                     std::vector<ContactPoint>& points);
// The same for two convex polytopes.
void findPolytopeContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                          std::vector<ContactPoint>& points);
// Two capsules, in closed form.
void findCapsuleContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                         std::vector<ContactPoint>& points);

// Sharp edges of one body across those of the other, exact. points has those that points along the edges found; where
// an edge contact explains one of them, it is removed: its normal is that of a face beside the edge.
void addEdgeContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                     std::vector<ContactPoint>& points);

// A body above a plane, exact.
void findPlaneContacts(const PosedCollider& a, const PosedCollider& plane, const ContactReach& reach,
                       std::vector<ContactPoint>& points);

// Removes redundant points. For each normal direction we keep the deepest touching point, the outermost touching
// points, and the outermost points that may touch within the step.
void thinOut(double near_m, std::vector<ContactPoint>& points);

}  // namespace flotsam
