// The liquid surface as triangles: each cube of cell centres is cut into tetrahedra (thesis 6.4). The mesh is closed by
// flat caps on the walls, oriented, and manifold at edges and vertices.
#pragma once

#include "geometry/surface_mesh.h"
#include "liquid/solids.h"
#include "liquid/state.h"
#include "liquid/surface_correction.h"

namespace flotsam {

struct Extraction {
    int tetrahedra;                                 // per cube: 6, 24, 48 or 192
    double overlap_m = 0;                           // how far the surface reaches into solids: images show no gap
    const SurfaceCorrection* correction = nullptr;  // of the added vertices, by escaped particles
};

SurfaceMesh extractSurface(const Grid& grid, const Solids& solids, const Extraction& how, LiquidState& s);

}  // namespace flotsam
