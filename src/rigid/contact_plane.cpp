// Bodies above a plane: the lowest points, in closed form where the surface is smooth.
#include "rigid/contact.h"

namespace flotsam {
namespace {

struct Plane {
    Vec3 point_m, normal;
};

void addIfNear(const Plane& plane, Vec3 p, const ContactReach& reach, std::vector<ContactPoint>& points)
{
    const double gap = dot(p - plane.point_m, plane.normal);
    if (gap > reach.reach_m) return;
    points.push_back({p - 0.5 * gap * plane.normal, plane.normal, gap, ContactPoint::Face::of_b});
}

// Both rims: the lowest point and three more a quarter turn apart, so that a standing cylinder has four.
void addCylinder(const PosedCollider& a, const Plane& plane, const ContactReach& reach,
                 std::vector<ContactPoint>& points)
{
    const Vec3 down = -(transposed(a.world_from_body) * plane.normal);
    const double across = std::hypot(down.x, down.z), r = a.collider.size_m.x;
    const Vec3 lowest = across > 1e-9 ? Vec3{r * down.x / across, 0, r * down.z / across} : Vec3{r, 0, 0};
    for (const double end : {-a.collider.size_m.y, a.collider.size_m.y})
        for (const Vec3 rim : {lowest, -lowest, Vec3{-lowest.z, 0, lowest.x}, Vec3{lowest.z, 0, -lowest.x}})
            addIfNear(plane, a.x_m + a.world_from_body * (rim + Vec3{0, end, 0}), reach, points);
}

void addEllipsoid(const PosedCollider& a, const Plane& plane, const ContactReach& reach,
                  std::vector<ContactPoint>& points)
{
    const Vec3 down = -(transposed(a.world_from_body) * plane.normal), s = a.collider.size_m;
    const Vec3 scaled{s.x * down.x, s.y * down.y, s.z * down.z};
    const Vec3 lowest = Vec3{s.x * scaled.x, s.y * scaled.y, s.z * scaled.z} / length(scaled);
    addIfNear(plane, a.x_m + a.world_from_body * lowest, reach, points);
}

void addTree(const PosedCollider& a, const Plane& plane, const ContactReach& reach, std::vector<ContactPoint>& points)
{
    const PointTree& tree = a.collider.points;
    int stack[64], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const int at = stack[--depth];
        const PointTree::Node& node = tree.nodes[size_t(at)];
        const Vec3 c = a.x_m + a.world_from_body * node.center_m;
        if (dot(c - plane.point_m, plane.normal) - node.radius_m > reach.reach_m) continue;
        if (node.right >= 0) {
            stack[depth++] = node.right;
            stack[depth++] = at + 1;
            continue;
        }
        for (int i = node.first; i < node.first + node.count; ++i)
            addIfNear(plane, a.x_m + a.world_from_body * tree.points_m[size_t(i)], reach, points);
    }
}

}  // namespace

void findPlaneContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                       std::vector<ContactPoint>& points)
{
    const Plane plane{b.x_m, b.world_from_body * Vec3{0, 1, 0}};
    const Collider& shape = a.collider;
    switch (shape.kind) {
        case ColliderKind::sphere:
            addIfNear(plane, a.x_m - shape.size_m.x * plane.normal, reach, points);
            return;
        case ColliderKind::box:
            for (int corner = 0; corner < (shape.section ? 4 : 8); ++corner) {
                const Vec3 h{shape.size_m.x, shape.size_m.y, shape.section ? 0 : shape.size_m.z};
                addIfNear(plane,
                          a.x_m + a.world_from_body *
                                      Vec3{corner & 1 ? h.x : -h.x, corner & 2 ? h.y : -h.y, corner & 4 ? h.z : -h.z},
                          reach, points);
            }
            break;
        case ColliderKind::cylinder:
            addCylinder(a, plane, reach, points);
            break;
        case ColliderKind::capsule:
            for (const double end : {-shape.size_m.y, shape.size_m.y})
                addIfNear(plane, a.x_m + a.world_from_body * Vec3{0, end, 0} - shape.size_m.x * plane.normal, reach,
                          points);
            return;
        case ColliderKind::ellipsoid:
            addEllipsoid(a, plane, reach, points);
            break;
        case ColliderKind::grid:
        case ColliderKind::rays:
            if (!shape.polytope.empty()) {
                for (const Vec3 v : shape.polytope.vertices)
                    addIfNear(plane, a.x_m + a.world_from_body * v, reach, points);
                break;
            }
            addTree(a, plane, reach, points);
            break;
        case ColliderKind::half_space:
            break;
    }
    thinOut(reach.near_m, points);
}

}  // namespace flotsam
