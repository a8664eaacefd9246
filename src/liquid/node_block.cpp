#include "liquid/node_block.h"

#include "liquid/boundary.h"

namespace flotsam {

namespace {

// phi at a node; on walls it is extrapolated linearly.
float phiAtNode(const Grid& grid, View3<const float> phi, Int3 c)
{
    const Int3 inner = min(max(c, {0, 0, 0}), grid.cells - Int3{1, 1, 1});
    const bool stranded = c != inner && isStranded(grid, phi, inner);
    float value = phi(inner);
    for (int a = 0; a < 3; ++a) {
        if (c[a] == inner[a] || grid.cells[a] < 2) continue;
        const Int3 next = c[a] < 0 ? inner + unit(a) : inner - unit(a);
        const float h = float(grid.h);
        if (std::abs(phi(inner) - phi(next)) < 1.5f * h)
            value += continuedPastWall(phi(inner), phi(next), 0.5f, h, grid.isFloor(a, c[a] < 0 ? 0 : 1), stranded) -
                     phi(inner);
    }
    return value;
}

}  // namespace

View3<float> NodeBlock::into(float* values) const
{
    return {values - (nodes.lo.x + most.x * (nodes.lo.y + most.y * nodes.lo.z)), most.x, most.x * most.y};
}

void NodeBlock::load(const Grid& grid, const Solids& solids, View3<const float> phi_field, IndexBox cubes,
                     bool near_solid, float overlap_m)
{
    nodes = {cubes.lo, cubes.hi + Int3{1, 1, 1}};
    has_solid = near_solid;
    const IndexBox cells{{0, 0, 0}, grid.cells};
    const bool inside = cells.contains(nodes.lo) && cells.contains(nodes.hi - Int3{1, 1, 1});
    phi = phi_field;
    if (inside && !near_solid) return;  // use the values of the field directly
    const View3<float> phi_out = into(phi_values), solid_out = into(solid_values);
    const Int3 last = grid.cells - Int3{1, 1, 1};
    for (int k = nodes.lo.z; k < nodes.hi.z; ++k)
        for (int j = nodes.lo.y; j < nodes.hi.y; ++j) {
            int first = nodes.lo.x, end = nodes.lo.x;  // the range inside the domain is copied
            if (cells.contains({0, j, k})) first = std::max(nodes.lo.x, 0), end = std::min(nodes.hi.x, grid.cells.x);
            std::copy(phi_field.row(j, k) + first, phi_field.row(j, k) + end, phi_out.row(j, k) + first);
            for (int i = nodes.lo.x; i < first; ++i) phi_out(i, j, k) = phiAtNode(grid, phi_field, {i, j, k});
            for (int i = end; i < nodes.hi.x; ++i) phi_out(i, j, k) = phiAtNode(grid, phi_field, {i, j, k});
        }
    phi = phi_out;
    if (!near_solid) return;
    forEachCell(nodes, [&](int i, int j, int k) {
        const Int3 cell = min(max(Int3{i, j, k}, {0, 0, 0}), last);
        solid_out(i, j, k) = -1e30f;
        if (!solids.touches(cell)) return;
        const float distance = solids.distance(cell.x, cell.y, cell.z);
        solid_out(i, j, k) = -(distance + overlap_m);
        // Liquid behind a thin solid ends at the solid, not halfway to the centre of this cell. In a closed cell phi is
        // the depth, and the mean of the distances at its corners may have either sign.
        if (solids.isNearThin(cell) && phi_out(i, j, k) > 0 && distance > 0 && !solids.isClosed(cell))
            phi_out(i, j, k) = std::min(phi_out(i, j, k), distance);
    });
    solid = solid_out;
}

void NodeBlock::combine()
{
    if (!has_solid) return;
    const View3<float> out = into(phi_values);
    forEachCell(nodes, [&](int i, int j, int k) {
        out(i, j, k) = solid(i, j, k) > phi(i, j, k) ? solid(i, j, k) : phi(i, j, k);
    });
}

}  // namespace flotsam
