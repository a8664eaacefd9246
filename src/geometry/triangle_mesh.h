// A triangle mesh and its defects. Files: OBJ, PLY (ascii and binary), STL (ascii and binary).
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/vec.h"

namespace flotsam {

struct TriangleMesh {
    std::vector<Vec3> vertices;                 // [m]
    std::vector<std::array<int, 3>> triangles;  // counter-clockwise seen from outside
};

struct MeshDefects {
    int boundary_edges = 0;        // edges with one triangle: holes
    int non_manifold_edges = 0;    // edges with more than two triangles
    int misoriented_edges = 0;     // edges used twice in the same direction
    int degenerate_triangles = 0;  // zero area or a repeated vertex

    bool closed() const { return boundary_edges == 0 && non_manifold_edges == 0 && misoriented_edges == 0; }
};

// Reads a mesh by its file extension (.obj, .ply, .stl). Throws InputError "file:line: what; remedy" for a broken or
// missing file, no triangles, indices out of range or non-finite coordinates. Polygons become triangle fans; coincident
// corners of STL triangles are merged.
TriangleMesh loadMesh(const std::string& path);

MeshDefects findDefects(const TriangleMesh& mesh);
double signedVolume(const TriangleMesh& mesh);  // > 0 when oriented outwards
Bounds boundsOf(const TriangleMesh& mesh);      // of the vertices used by triangles
TriangleMesh welded(const TriangleMesh& mesh);  // coincident vertices are merged

}  // namespace flotsam
