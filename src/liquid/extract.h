// The liquid's surface as triangles: six tetrahedra a cube of cell centres (thesis 6.4), closed by flat caps on the
// walls.
#pragma once

#include "geometry/surface_mesh.h"
#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// overlap_m: how far the surface reaches into solids, so that pictures show no gap between them.
SurfaceMesh extractSurface(const Grid& grid, const Solids& solids, double overlap_m, LiquidState& s);

}  // namespace flotsam
