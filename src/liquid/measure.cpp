#include "liquid/measure.h"

#include "geometry/tetrahedra.h"
#include "grid/fractions.h"
#include "liquid/boundary.h"

namespace flotsam {

float phiAtNode(const Grid& grid, const Solids& solids, View3<const float> phi, float overlap, Int3 c)
{
    const Int3 inner = min(max(c, {0, 0, 0}), grid.cells - Int3{1, 1, 1});
    float value = phi(inner);
    for (int a = 0; a < 3; ++a) {
        if (c[a] == inner[a] || grid.cells[a] < 2) continue;
        const Int3 next = c[a] < 0 ? inner + unit(a) : inner - unit(a);
        const float h = float(grid.h);
        if (std::abs(phi(inner) - phi(next)) < 1.5f * h)
            value += continuedPastWall(phi(inner), phi(next), 0.5f, h) - phi(inner);
    }
    if (!solids.touches(inner)) return value;
    const float in_solid = -(solids.distance(inner.x, inner.y, inner.z) + overlap);
    return std::max(value, in_solid);
}

namespace {

// The cubes of a strip have their lowest corner at its cells; those at the low sides of the domain start at the wall.
IndexBox cubesOf(IndexBox strip)
{
    for (int a = 0; a < 3; ++a) strip.lo[a] -= strip.lo[a] == 0;
    return strip;
}

double volumeOfCube(const Grid& grid, const float (&v)[8], Int3 c)
{
    double size = 1;
    for (int a = 0; a < 3; ++a) size *= nodePosition(grid, a, c[a] + 1) - nodePosition(grid, a, c[a]);
    int below = 0;
    for (float p : v) below += p < 0;
    if (below == 0 || below == 8) return below ? size : 0;
    double part = 0;
    for (const auto& t : tetrahedra_of_cube) part += negativePartOfTetrahedron(v[t[0]], v[t[1]], v[t[2]], v[t[3]]);
    return size * part / 6;
}

}  // namespace

double liquidVolume(const Grid& grid, const Solids& solids, LiquidState& s)
{
    const View3<const float> phi = s.phi;
    const float far = 1.99f * float(grid.h);  // deeper than this, all eight corners are below
    const auto volumeOfBrick = [&](IndexBox box, bool solid) {
        const IndexBox inner{{0, 0, 0}, grid.cells - Int3{1, 1, 1}};
        double sum = 0;
        forEachCell(cubesOf(box), [&](int i, int j, int k) {
            const Int3 c{i, j, k};
            const bool whole = inner.contains(c);
            if (whole && !solid) {
                const float here = phi(c);
                if (here >= far) return;
                if (here <= -far) {
                    sum += grid.h * grid.h * grid.h;
                    return;
                }
            }
            float v[8];
            for (int n = 0; n < 8; ++n) {
                const Int3 q = c + Int3{n & 1, n >> 1 & 1, n >> 2};
                v[n] = whole && !solid ? phi(q) : phiAtNode(grid, solids, phi, 0, q);
            }
            sum += volumeOfCube(grid, v, c);
        });
        return sum;
    };
    return parallelSum<double>("measure.volume", s.active, [&](IndexBox strip) {
        double sum = 0;
        solids.forBricks(strip, [&](IndexBox box, bool solid) { sum += volumeOfBrick(box, solid); });
        return sum;
    });
}

double outflowVolume(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s)
{
    const View3<const float> phi = s.phi;
    const ConstMacView u = s.u;
    return parallelSum<double>("measure.outflow", s.active, [&](IndexBox strip) {
        double sum = 0;
        for (int a = 0; a < 3; ++a)
            for (int side = 0; side < 2; ++side) {
                if (!grid.open[a][side] || (side == 0 ? strip.lo[a] != 0 : strip.hi[a] != grid.cells[a])) continue;
                IndexBox wall = strip;
                (side == 0 ? wall.hi[a] : wall.lo[a]) = side == 0 ? 1 : grid.cells[a] - 1;
                forEachCell(wall, [&](int i, int j, int k) {
                    const Int3 c{i, j, k}, face = side == 0 ? c : c + unit(a);
                    const double speed = (side == 0 ? -1 : 1) * double(u.u[a](face));
                    const double wet = std::clamp(0.5 - phi(c) / grid.h, 0.0, 1.0);
                    if (speed <= 0) return;
                    sum +=
                        double(solids.openFraction(a, face.x, face.y, face.z)) * wet * speed * dt_s * grid.h * grid.h;
                });
            }
        return sum;
    });
}

double maxSpeed(const Grid& grid, LiquidState& s)
{
    // The largest component: what the CFL condition is about (thesis eq. 19).
    double most = 0;
    for (int axis = 0; axis < 3; ++axis)
        most = parallelMax("measure.speed", s.active, most, [&, u = s.u.u[axis].view()](IndexBox box) {
            box.hi[axis] += box.hi[axis] == grid.cells[axis];
            float fastest = 0;
            bool finite = true;
            for (int k = box.lo.z; k < box.hi.z; ++k)
                for (int j = box.lo.y; j < box.hi.y; ++j) {
                    const float* row = u.row(j, k);
                    for (int i = box.lo.x; i < box.hi.x; ++i) {
                        const float speed = std::abs(row[i]);
                        finite &= speed < 1e30f;
                        fastest = std::max(fastest, speed);
                    }
                }
            return finite ? double(fastest) : double(NAN);
        });
    return most;
}

LiquidMeasures measure(const Grid& grid, const Solids& solids, double density_kg_m3, Vec3 gravity_m_s2,
                       double volume_m3, LiquidState& s)
{
    struct Sums {
        double mass = 0, kinetic = 0, potential = 0;
        Vec3 momentum;
        long long cells = 0;
        Sums& operator+=(const Sums& o)
        {
            mass += o.mass, kinetic += o.kinetic, potential += o.potential, momentum += o.momentum, cells += o.cells;
            return *this;
        }
    };
    const View3<const float> phi = s.phi;
    const ConstMacView u = s.u;
    const double cell_mass = density_kg_m3 * grid.h * grid.h * grid.h;
    const Sums sums = parallelSum<Sums>("measure.momentum", s.active, [&](IndexBox strip) {
        Sums sum;
        const auto addCell = [&](int i, int j, int k, bool solid) {
            // The part of a cell below a level surface through it at distance phi.
            double part = std::clamp(0.5 - phi(i, j, k) / grid.h, 0.0, 1.0);
            if (part == 0) return;
            sum.cells += phi(i, j, k) < 0;
            if (solid) part *= std::clamp(0.5 + solids.distance(i, j, k) / grid.h, 0.0, 1.0);
            const double mass = part * cell_mass;
            const Vec3 v{0.5 * (u.u[0](i, j, k) + u.u[0](i + 1, j, k)), 0.5 * (u.u[1](i, j, k) + u.u[1](i, j + 1, k)),
                         0.5 * (u.u[2](i, j, k) + u.u[2](i, j, k + 1))};
            sum.mass += mass;
            sum.momentum += mass * v;
            sum.kinetic += 0.5 * mass * dot(v, v);
            sum.potential -= mass * dot(gravity_m_s2, grid.h * Vec3{i + 0.5, j + 0.5, k + 0.5});
        };
        solids.forBricks(strip, [&](IndexBox box, bool solid) {
            forEachCell(box, [&](int i, int j, int k) { addCell(i, j, k, solid); });
        });
        return sum;
    });
    return {volume_m3, sums.momentum, sums.kinetic, sums.potential, maxSpeed(grid, s), sums.cells};
}

}  // namespace flotsam
