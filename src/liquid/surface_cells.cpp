#include "liquid/surface_cells.h"

#include "liquid/bricks_where.h"

namespace flotsam {

void makeContinuous(unsigned surface_faces, float (&velocity)[6])
{
    // The 63 cases of the thesis differ only in how many axes have air on one side and how many on both.
    int single[3], singles = 0, pair[3], pairs = 0;
    for (int a = 0; a < 3; ++a) {
        const unsigned air = surface_faces >> (2 * a) & 3;
        if (air == 3)
            pair[pairs++] = a;
        else if (air != 0)
            single[singles++] = air == 2 ? 2 * a + 1 : 2 * a;  // the face itself
    }
    const auto opposite = [](int face) { return face ^ 1; };
    // Copying the velocity of a face across the cell negates its outward component.
    const auto copyAcross = [&](int face) { velocity[face] = -velocity[opposite(face)]; };
    const auto outflow = [&] {
        return ((velocity[0] + velocity[1]) + (velocity[2] + velocity[3])) + (velocity[4] + velocity[5]);
    };
    if (singles == 1) {
        velocity[single[0]] -= outflow();
    } else if (singles == 2) {
        for (int n = 0; n < 2; ++n) copyAcross(single[n]);
        const float rest = outflow();
        for (int n = 0; n < 2; ++n) velocity[single[n]] -= 0.5f * rest;
    } else if (singles == 3) {
        for (int n = 0; n < 3; ++n) copyAcross(single[n]);
    } else if (pairs == 2) {
        const float rest = outflow();
        for (int n = 0; n < 2; ++n)
            for (int side = 0; side < 2; ++side) velocity[2 * pair[n] + side] -= 0.25f * rest;
    }
    // One pair alone (a falling film), or air on all sides (a drop): nothing to do.
}

void enforceContinuity(const Grid& grid, const Solids& solids, LiquidState& s)
{
    const View3<const float> phi = s.phi;
    const MacView u = s.u;
    // A face to the air belongs to one liquid cell, so cells do not interfere.
    parallelFor("pressure.continuity", s.active, [&](int i, int j, int k) {
        const Int3 c{i, j, k};
        if (phi(c) >= 0) return;
        const unsigned faces = surfaceFaces(grid, solids, phi, c);
        if (faces == 0) return;
        float velocity[6];
        for (int n = 0; n < 6; ++n) velocity[n] = n & 1 ? u.u[n / 2](c + unit(n / 2)) : -u.u[n / 2](c);
        makeContinuous(faces, velocity);
        for (int n = 0; n < 6; ++n)
            if (faces >> n & 1)
                (n & 1 ? u.u[n / 2](c + unit(n / 2)) : u.u[n / 2](c)) = n & 1 ? velocity[n] : -velocity[n];
    });
}

namespace {

// The mean of the neighbours in earlier bins, upwind along the surface normal.
Float4 valueFromNearer(View3<const float> phi, View3<const Float4> v, float nearer_than, Int3 c)
{
    Float4 upwind = {}, all = {};
    float upwind_sum = 0, all_sum = 0;
    for (int n = 0; n < 6; ++n) {
        const Int3 e = unit(n / 2), q = n & 1 ? c + e : c - e;
        if (phi(q) >= nearer_than) continue;
        const float weight = std::max(phi(n & 1 ? c - e : c + e) - phi(q), 0.0f);
        upwind += weight * v(q), upwind_sum += weight;
        all += v(q), all_sum += 1;
    }
    if (upwind_sum > 0) return upwind / upwind_sum;
    return all_sum > 0 ? all / all_sum : Float4{};
}

}  // namespace

void interpolateVelocityInAir(const Grid& grid, LiquidState& s, LiquidScratch& w)
{
    const View3<const float> phi = s.phi;
    const View3<Float4> v = w.center_velocity;
    const MacView u = s.u;
    const float per_bin = 0.5f * float(grid.h);
    const int bins = 2 * grid.extension_layers;
    const BrickSet around(grid.bricks, dilated(grid.bricks, s.active.list));
    parallelFor("extend.centres", around, [=](int i, int j, int k) {
        const bool liquid = phi(i, j, k) < 0;
        v(i, j, k) = liquid
                         ? 0.5f * Float4{u.u[0](i, j, k) + u.u[0](i + 1, j, k), u.u[1](i, j, k) + u.u[1](i, j + 1, k),
                                         u.u[2](i, j, k) + u.u[2](i, j, k + 1), 0}
                         : Float4{};
    });
    for (int bin = 0; bin < bins; ++bin) {
        const float from = per_bin * float(bin), to = from + per_bin;
        parallelFor("extend.centres", s.active, [=](int i, int j, int k) {
            const float away = phi(i, j, k);
            if (away >= from && away < to) v(i, j, k) = valueFromNearer(phi, v, from, {i, j, k});
        });
    }
    for (int axis = 0; axis < 3; ++axis)
        parallelFor("extend.centres", s.active, [=](int i, int j, int k) {
            const Int3 c{i, j, k}, below = c - unit(axis);
            if (c[axis] == 0 || phi(c) < 0 || phi(below) < 0) return;
            u.u[axis](c) = 0.5f * (v(c)[axis] + v(below)[axis]);
        });
}

}  // namespace flotsam
