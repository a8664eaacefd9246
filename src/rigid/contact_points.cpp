// Tests the surface points of one body against the signed distance of the other.
#include "rigid/contact.h"

namespace flotsam {
namespace {

// sign: +1 if the points belong to a, -1 if to b, because the normal points from b to a.
void tryPoint(const PosedCollider& owner, const PosedCollider& other, Vec3 local_m, const ContactReach& reach,
              double sign, std::vector<ContactPoint>& points)
{
    const Vec3 p = owner.x_m + owner.world_from_body * local_m;
    const Vec3 q = transposed(other.world_from_body) * (p - other.x_m);
    const double rounding = owner.collider.rounding_m;
    const DistanceAndNormal d = other.collider.distanceAndNormal(q);
    const double gap = d.distance_m - rounding;
    if (gap > reach.reach_m) return;
    const Vec3 n = other.world_from_body * d.normal;
    const Vec3 surface = p - rounding * n;  // the surface point of the owner nearest to the other body
    points.push_back(
        {surface - 0.5 * gap * n, sign * n, gap, sign > 0 ? ContactPoint::Face::of_b : ContactPoint::Face::of_a});
}

void tryPoints(const PosedCollider& owner, const PosedCollider& other, const ContactReach& reach, double sign,
               std::vector<ContactPoint>& points)
{
    const PointTree& tree = owner.collider.points;
    if (tree.nodes.empty()) return;
    const Mat3 other_from_owner = transposed(other.world_from_body) * owner.world_from_body;
    const Vec3 shift = transposed(other.world_from_body) * (owner.x_m - other.x_m);
    const double far = reach.reach_m + owner.collider.rounding_m;
    int stack[deepest_tree], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const int at = stack[--depth];
        const PointTree::Node& node = tree.nodes[size_t(at)];
        const Vec3 c = shift + other_from_owner * node.center_m;
        const double limit = far + node.radius_m;
        if (isFartherThan(limit, other.collider, c)) continue;
        if (node.right >= 0) {
            stack[depth++] = node.right;
            stack[depth++] = at + 1;
            continue;
        }
        for (int i = node.first; i < node.first + node.count; ++i)
            tryPoint(owner, other, tree.points_m[size_t(i)], reach, sign, points);
    }
}

void findAnyContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                     std::vector<ContactPoint>& points)
{
    const ColliderKind ka = a.collider.kind, kb = b.collider.kind;
    if (kb == ColliderKind::half_space) return findPlaneContacts(a, b, reach, points);
    if (ka == ColliderKind::box && kb == ColliderKind::box) return findBoxContacts(a, b, reach, points);
    if (!a.collider.polytope.empty() && !b.collider.polytope.empty()) return findPolytopeContacts(a, b, reach, points);
    if (ka == ColliderKind::capsule && kb == ColliderKind::capsule) {
        findCapsuleContacts(a, b, reach, points);
        return thinOut(reach.near_m, points);
    }
    // The centre of a sphere finds the only nearest point of a convex shape; a concave one may have several.
    const bool a_finds_all = ka == ColliderKind::sphere && b.collider.convex;
    const bool b_finds_all = kb == ColliderKind::sphere && a.collider.convex && !a_finds_all;
    if (!b_finds_all) tryPoints(a, b, reach, +1, points);
    if (!a_finds_all) tryPoints(b, a, reach, -1, points);
    addEdgeContacts(a, b, reach, points);
    thinOut(reach.near_m, points);
}

// Two sections touch in their plane. The faces of two boxes give each point twice, on both sides of the plane.
void keepInPlane(double z_m, std::vector<ContactPoint>& points)
{
    std::erase_if(points, [z_m](const ContactPoint& p) { return p.position_m.z < z_m; });
    for (ContactPoint& p : points) {
        p.position_m.z = z_m;
        p.normal.z = 0;  // that of a wall has the rounding of a quaternion
    }
}

}  // namespace

void findContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                  std::vector<ContactPoint>& points)
{
    findAnyContacts(a, b, reach, points);
    if (a.collider.section) keepInPlane(a.x_m.z, points);
}

}  // namespace flotsam
