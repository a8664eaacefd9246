#include "liquid/measure.h"

#include <algorithm>
#include <bit>

#include "liquid/cube_volume.h"
#include "liquid/node_block.h"

namespace flotsam {

namespace {

// The values at the corners of the cubes in a row along x.
struct RowCorners {
    const float* rows[4];

    RowCorners(View3<const float> values, int lo, int j, int k)
        : rows{values.row(j, k) + lo, values.row(j + 1, k) + lo, values.row(j, k + 1) + lo,
               values.row(j + 1, k + 1) + lo}
    {
    }
    void copyTo(int n, float (&v)[8]) const
    {
        for (int c = 0; c < 8; ++c) v[c] = rows[c >> 1][n + (c & 1)];
    }
};

// The volume fraction of a cube where phi is negative, outside a convex polytope: exact for linear phi.
double partOutside(const Bounds& cube, const float (&phi)[8], std::span<const OutwardPlane> planes)
{
    double part = 0;
    for (const auto& t : tetrahedra_of_cube) {
        TetrahedronPoints p;
        std::array<double, 4> d;
        for (size_t n = 0; n < 4; ++n) {
            const Vec3 size = cube.size();
            p[n] = cube.lo + Vec3{(t[n] & 1) * size.x, (t[n] >> 1 & 1) * size.y, (t[n] >> 2) * size.z};
            d[n] = double(phi[t[n]]);
        }
        forNegative(p, d, [&](const TetrahedronPoints& liquid) {
            part += volumeOf(liquid);
            for (const TetrahedronPoints& inside : partsInside(liquid, planes)) part -= volumeOf(inside);
        });
    }
    const Vec3 size = cube.size();
    return part / (size.x * size.y * size.z);
}

Bounds boundsOfCube(const Grid& grid, Int3 cube)
{
    Bounds box;
    for (int a = 0; a < 3; ++a) {
        box.lo[a] = nodePosition(grid, a, cube[a]);
        box.hi[a] = nodePosition(grid, a, cube[a] + 1);
    }
    return box;
}

// The volume of the liquid outside solids in a row of cubes along x, in cubes; those at walls are narrower. Next to
// bodies that are walls it is that of the intersection of two regions. The maximum of phi and the distance to the
// solid, of which the extracted surface is the zero, is not linear where they meet: at a contact line at cell centres
// its volume jumps by half a cell by a rounding error. Next to a thin solid it is used nevertheless, since phi ends
// there at the solid. Bodies that are polytopes are cut by their planes: with the distances at cell centres, the error
// at their edges changes as they move, and the volume correction would follow it (0.49 % redistributed in 6 s by a
// rocking board, s = 0.9, 15 x 5 cells; now 0.25 %).
double volumeOfRow(const Grid& grid, const Solids& solids, const NodeBlock& nodes, const RowSigns& liquid,
                   IndexBox cubes, int j, int k)
{
    const Int3 last = grid.cells - Int3{1, 1, 1};
    const int lo = cubes.lo.x, count = cubes.hi.x - lo;
    const uint32_t half = uint32_t(lo < 0) | uint32_t(cubes.hi.x == grid.cells.x) << (count - 1);
    const bool at_bodies = nodes.has_solid && solids.areBodiesWalls();
    const uint32_t full = at_bodies ? 0 : liquid.all;  // a corner of a body may lie in a cube without any of its nodes
    double sum = std::popcount(full) - 0.5 * std::popcount(full & half);
    const RowCorners phi(nodes.phi, lo, j, k), solid(nodes.has_solid ? nodes.solid : nodes.phi, lo, j, k);
    for (uint32_t mixed = liquid.any & ~full; mixed != 0; mixed &= mixed - 1) {
        const int n = std::countr_zero(mixed);
        float v[8], d[8];
        phi.copyTo(n, v);
        const double width = half >> n & 1 ? 0.5 : 1;
        if (!nodes.has_solid) {
            sum += width * negativePartOfCube(v);
            continue;
        }
        solid.copyTo(n, d);
        const Int3 cube{lo + n, j, k}, cell = min(max(cube, {0, 0, 0}), last);
        if (at_bodies && *std::max_element(d, d + 8) < -float(grid.h)) {
            sum += width * negativePartOfCube(v);
        } else if (at_bodies && !solids.isNearThin(cell)) {
            const Bounds box = boundsOfCube(grid, cube);
            const auto planes = solids.planesAcross(box, grid.bricks.index(grid.bricks.ofCell(cell)));
            sum += width * (planes.empty() ? bothNegativePartOfCube(v, d) : partOutside(box, v, planes));
        } else {
            for (int c = 0; c < 8; ++c) v[c] = std::max(v[c], d[c]);
            sum += width * negativePartOfCube(v);
        }
    }
    return sum;
}

// The largest component, as in the CFL condition (thesis eq. 19). NaN if one is not finite. The bits of a float without
// its sign are ordered by magnitude, with infinity and NaN last: an integer maximum is several times faster than
// testing floats for finiteness.
double fastestOf(View3<const float> u, IndexBox faces)
{
    uint32_t fastest = 0;
    for (int k = faces.lo.z; k < faces.hi.z; ++k)
        for (int j = faces.lo.y; j < faces.hi.y; ++j) {
            const float* row = u.row(j, k);
            for (int i = faces.lo.x; i < faces.hi.x; ++i)
                fastest = std::max(fastest, std::bit_cast<uint32_t>(row[i]) & 0x7fffffffu);
        }
    const float speed = std::bit_cast<float>(fastest);
    return speed < 1e30f ? double(speed) : double(NAN);
}

// The first face with this value of fastestOf().
Int3 firstWith(double speed_m_s, View3<const float> u, IndexBox faces)
{
    for (int k = faces.lo.z; k < faces.hi.z; ++k)
        for (int j = faces.lo.y; j < faces.hi.y; ++j)
            for (int i = faces.lo.x; i < faces.hi.x; ++i) {
                const float speed = std::abs(u(i, j, k));
                if (std::isnan(speed_m_s) ? !(speed < 1e30f) : double(speed) == speed_m_s) return {i, j, k};
            }
    return faces.lo;
}

}  // namespace

double liquidVolume(const Grid& grid, const Solids& solids, LiquidState& s)
{
    const View3<const float> phi = s.phi;
    const auto volumeOfBrick = [&](IndexBox box, bool solid) {
        const IndexBox cubes = NodeBlock::cubesOf(box);
        NodeBlock nodes;
        nodes.load(grid, solids, phi, cubes, solid, 0);
        const auto width = [&](int axis, int c) { return c < 0 || c == grid.cells[axis] - 1 ? 0.5 : 1.0; };
        const NodeSigns liquid(nodes.phi, cubes), outside(nodes.has_solid ? nodes.solid : nodes.phi, cubes);
        double sum = 0;
        for (int k = cubes.lo.z; k < cubes.hi.z; ++k)
            for (int j = cubes.lo.y; j < cubes.hi.y; ++j) {
                const RowSigns a = liquid.ofCubes(j, k), b = outside.ofCubes(j, k);
                sum += width(1, j) * width(2, k) *
                       volumeOfRow(grid, solids, nodes, {a.any & b.any, a.all & b.all}, cubes, j, k);
            }
        return sum;
    };
    const double cubes = parallelSum<double>("measure.volume", s.active, [&](IndexBox strip) {
        double sum = 0;
        solids.forBricks(strip, [&](IndexBox box, bool solid) { sum += volumeOfBrick(box, solid); });
        return sum;
    });
    return cubes * grid.h * grid.h * grid.h;
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
                    const double wet = belowSurface(double(phi(c)), grid.h);
                    if (speed <= 0) return;
                    sum +=
                        double(solids.openFraction(a, face.x, face.y, face.z)) * wet * speed * dt_s * grid.h * grid.h;
                });
            }
        return sum;
    });
}

double maxSpeed(const Grid& grid, const LiquidState& s, IndexBox strip)
{
    double most = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double speed = fastestOf(s.u.u[axis].view(), grid.bricks.facesOf(axis, strip));
        most = speed > most || std::isnan(speed) ? speed : most;
    }
    return most;
}

double maxSpeed(const Grid& grid, const LiquidState& s)
{
    return parallelMax("measure.speed", s.active, 0, [&](IndexBox strip) { return maxSpeed(grid, s, strip); });
}

FastestFace fastestFace(const Grid& grid, const LiquidState& s)
{
    FastestFace found;
    int axis = -1;
    IndexBox strip;
    std::vector<double> of_strip(s.active.strips.size());
    for (int a = 0; a < 3 && !std::isnan(found.speed_m_s); ++a) {
        parallelTasks("measure.speed", int(of_strip.size()), [&, u = s.u.u[a].view()](int n) {
            of_strip[size_t(n)] = fastestOf(u, grid.bricks.facesOf(a, s.active.strips[size_t(n)]));
        });
        for (size_t n = 0; n < of_strip.size() && !std::isnan(found.speed_m_s); ++n) {
            if (of_strip[n] <= found.speed_m_s) continue;
            found.speed_m_s = of_strip[n];
            axis = a;
            strip = s.active.strips[n];
        }
    }
    if (axis >= 0)
        found.at_m = facePosition(grid.h, axis,
                                  firstWith(found.speed_m_s, s.u.u[axis].view(), grid.bricks.facesOf(axis, strip)));
    return found;
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
            double part = belowSurface(double(phi(i, j, k)), grid.h);
            if (part == 0) return;
            sum.cells += phi(i, j, k) < 0 && !(solid && solids.distance(i, j, k) < 0);
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
    const FastestFace fastest = fastestFace(grid, s);
    return {volume_m3, sums.momentum, sums.kinetic, sums.potential, fastest.speed_m_s, fastest.at_m, sums.cells};
}

}  // namespace flotsam
