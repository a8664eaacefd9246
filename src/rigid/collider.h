// The collision geometry of a body: a signed distance, and surface points to be tested against the distance of other
// bodies (Guendelman, Bridson, Fedkiw 2003, section 3). In the body frame, whose origin is the centre of mass.
#pragma once

#include <memory>
#include <vector>

#include "geometry/clip.h"
#include "geometry/mesh_distance.h"
#include "geometry/polytope.h"
#include "geometry/sharp_edges.h"
#include "geometry/triangle_mesh.h"

namespace flotsam {

enum class ColliderKind { sphere, box, cylinder, capsule, ellipsoid, grid, rays, half_space };

struct DistanceAndNormal {
    double distance_m = 0;  // negative inside
    Vec3 normal;            // out of the body
};

// A node of a tree of bounding spheres.
struct SphereNode {
    Vec3 center_m;
    double radius_m = 0;
    int first = 0, count = 0;  // of the points or edges in its subtree
    int right = -1;            // the left child is the next node; -1: a leaf
};
inline constexpr int deepest_tree = 64;  // 2^64 points

// Surface points in a tree: the cost of a pair depends only on the points near each other.
struct PointTree {
    using Node = SphereNode;
    std::vector<Vec3> points_m;
    std::vector<Node> nodes;
};

struct EdgeNode : SphereNode {
    Vec3 half_m;  // half the size of the box around the edges, with the same centre
};

struct EdgeTree {
    std::vector<SharpEdge> edges;
    std::vector<EdgeNode> nodes;
};

struct Collider {
    ColliderKind kind = ColliderKind::sphere;
    // sphere: x the radius; box: half sides; cylinder and capsule: x the radius, y half the height; ellipsoid: half
    // axes. A half-space is the region y < 0.
    Vec3 size_m;
    Bounds bounds_m;        // of the surface
    double reach_m = 0;     // distance of the farthest point from the centre of mass
    double inner_m = 0;     // radius of an inscribed ball: limits the displacement per step
    bool convex = true;     // a sphere touches it in one point
    TriangleMesh mesh;      // for rendering, and for rays
    DistanceGrid grid;      // of kind grid
    Polytope polytope;      // of a box, and of a convex mesh with few faces; else empty
    EdgeTree edges;         // sharp ones of a box, a mesh or a cylinder; else empty
    PointTree points;       // of a sphere: only its centre; of a capsule: on its axis
    double rounding_m = 0;  // offset of the surface from the points: the radius of a sphere or capsule
    bool section = false;   // two-dimensional run: independent of z, normals in the plane (section.h)

    double distance(Vec3 p_m) const;
    DistanceAndNormal distanceAndNormal(Vec3 p_m) const;
};

// Whether a point in the body frame is surely farther away than this; inside is negative.
bool isFartherThan(double distance_m, const Collider& c, Vec3 p_m);

// Of a body at x_m with rotation r.
Bounds boundsOf(const Collider& c, Vec3 x_m, const Mat3& r);
// The planes of its faces if it is a convex polytope with few faces; else none.
std::vector<OutwardPlane> planesOf(const Collider& c, Vec3 x_m, const Mat3& r);

using ColliderPtr = std::shared_ptr<const Collider>;

ColliderPtr sphereCollider(double radius_m);
ColliderPtr boxCollider(Vec3 half_m);
ColliderPtr cylinderCollider(double radius_m, double height_m);  // along y
ColliderPtr capsuleCollider(double radius_m, double height_m);   // along y; height between the centres of its ends
ColliderPtr ellipsoidCollider(Vec3 half_axes_m);
ColliderPtr halfSpaceCollider();
// mesh: closed, oriented outwards, around its centre of mass. Distances come from a grid, or, slowly, from every
// triangle with the sign of a parity ray.
ColliderPtr meshCollider(TriangleMesh mesh, bool by_rays = false);

}  // namespace flotsam
