// A convex body with few flat faces, and how it is recognised in a triangle mesh.
#pragma once

#include "geometry/triangle_mesh.h"

namespace flotsam {

struct Polytope {
    struct Face {
        Vec3 normal;               // outwards
        double offset_m = 0;       // the face lies at dot(normal, p) = offset_m
        int first = 0, count = 0;  // of its corners, counter-clockwise seen from outside
    };
    struct Edge {
        int from = 0, to = 0;     // vertices; the left face has the edge in this direction
        int left = 0, right = 0;  // faces
    };
    std::vector<Vec3> vertices;  // [m]
    std::vector<Face> faces;
    std::vector<Edge> edges;
    std::vector<int> corners;  // vertices, by face

    bool empty() const { return faces.empty(); }
};

inline constexpr size_t most_polytope_faces = 32;  // then it has at most 90 edges and 60 vertices

// mesh: closed, oriented outwards. Adjacent triangles in one plane, to 1e-5 of the size of the mesh, form one face.
// Empty if the mesh is not convex, to the same tolerance, or has more faces than most_polytope_faces.
Polytope polytopeOf(const TriangleMesh& mesh);

}  // namespace flotsam
