// The sharp convex edges of a mesh or a cylinder: where they meet those of another body, no vertex of either is near.
#pragma once

#include <vector>

#include "geometry/triangle_mesh.h"

namespace flotsam {

// A straight edge, or a short arc of the rim of a cylinder.
struct SharpEdge {
    Vec3 middle_m;
    Vec3 along;           // unit vector; the left face has the edge in this direction
    double half_m = 0;    // half its length
    Vec3 left, right;     // unit normals of its faces, outwards, at the middle
    double radius_m = 0;  // of an arc, whose right face is the curved one; 0: straight
};

// Where the edge is at arc length s_m from its middle, and its directions there.
struct EdgePoint {
    Vec3 point_m, along, left, right;

    // The directions from the edge into its faces.
    Vec3 intoLeft() const { return cross(left, along); }
    Vec3 intoRight() const { return cross(along, right); }
};
EdgePoint pointOn(const SharpEdge& edge, double s_m);

// The signed distance of a point to the infinite wedge behind the two faces at a point of an edge.
double distanceToWedge(const EdgePoint& edge, Vec3 p_m);

// mesh: closed, oriented outwards. The edges at which its faces meet convexly at more than 20 degrees. Edges that
// continue each other between the same two planes form one.
std::vector<SharpEdge> sharpEdgesOf(const TriangleMesh& mesh);

// Both rims of a cylinder along y, in arcs.
std::vector<SharpEdge> rimsOfCylinder(double radius_m, double height_m);

}  // namespace flotsam
