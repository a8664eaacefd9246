#include "validation/liquid_integral.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace flotsam {

namespace {

// The bodies and solids of a world, at rest while they are queried.
class BodyDistance {
public:
    BodyDistance(const RigidWorld& world, double margin_m)
    {
        for (size_t n = 0; n < world.bodies.size(); ++n) {
            const Collider& collider = *world.bodies[n].collider;
            if (collider.kind == ColliderKind::half_space) continue;  // a wall of the tank
            const BodyState& s = world.state.bodies[n];
            const Vec3 margin{margin_m, margin_m, collider.section ? 1e9 : margin_m};
            Placed placed{&collider, s.x_m, transposed(matrixOf(s.q)), boundsOf(collider, s.x_m, matrixOf(s.q))};
            placed.bounds.lo -= margin;
            placed.bounds.hi += margin;
            list.push_back(placed);
        }
    }
    // From p_m to the nearest, negative inside; at most the margin.
    double at(Vec3 p_m, double most_m) const
    {
        double least = most_m;
        for (const Placed& b : list) {
            if (min(p_m, b.bounds.lo) != b.bounds.lo || max(p_m, b.bounds.hi) != b.bounds.hi) continue;
            least = std::min(least, b.collider->distance(b.body_from_world * (p_m - b.x_m)));
        }
        return least;
    }

private:
    struct Placed {
        const Collider* collider;
        Vec3 x_m;
        Mat3 body_from_world;
        Bounds bounds;
    };
    std::vector<Placed> list;
};

// phi at any point of the domain: linear between cell centres, constant from the outermost centres to the walls.
double phiAt(const Simulation& sim, Vec3 p_m)
{
    const View3<const float> phi = sim.state.phi.view();
    int low[3], high[3];
    double t[3];
    for (int a = 0; a < 3; ++a) {
        const double c = std::clamp(p_m[a] / sim.grid.h - 0.5, 0.0, double(sim.grid.cells[a] - 1));
        low[a] = int(c);
        high[a] = std::min(low[a] + 1, sim.grid.cells[a] - 1);
        t[a] = c - low[a];
    }
    const auto row = [&](int j, int k) {
        return (1 - t[0]) * double(phi(low[0], j, k)) + t[0] * double(phi(high[0], j, k));
    };
    const auto plane = [&](int k) { return (1 - t[1]) * row(low[1], k) + t[1] * row(high[1], k); };
    return low[2] == high[2] ? plane(low[2]) : (1 - t[2]) * plane(low[2]) + t[2] * plane(high[2]);
}

}  // namespace

double integrateLiquid(const Coupled& run, const std::function<double(Vec3)>& weight)
{
    const Simulation& sim = run.sim;
    const Grid& grid = sim.grid;
    const bool flat = sim.scene.domain.twoDimensional();
    const int sub = flat ? 4 : 2, sub_z = flat ? 1 : sub;
    const double h = grid.h, d = h / sub, area_m2 = h * h / (sub * sub_z);
    const BodyDistance bodies(run.world, h);
    double sum = 0;
    const auto addColumn = [&](double x, double z) {
        const auto outside = [&](double y) { return std::max(phiAt(sim, {x, y, z}), -bodies.at({x, y, z}, h)); };
        double y0 = 0, m0 = outside(y0);
        for (int n = 1; n <= sub * grid.cells.y; ++n) {
            const double y1 = n * d, m1 = outside(y1);
            if (m0 < 0 || m1 < 0) {
                const double root = m0 < 0 && m1 < 0 ? 0 : y0 + d * m0 / (m0 - m1);
                const double from = m0 < 0 ? y0 : root, to = m1 < 0 ? y1 : root;
                sum += area_m2 * (to - from) * weight({x, 0.5 * (from + to), z});
            }
            y0 = y1, m0 = m1;
        }
    };
    for (int k = 0; k < grid.cells.z * sub_z; ++k)
        for (int i = 0; i < grid.cells.x * sub; ++i) addColumn((i + 0.5) * d, (k + 0.5) * h / sub_z);
    return sum;
}

double totalEnergy(const Coupled& run, double liquid_kinetic_J, double level_m)
{
    const double g_m_s2 = -run.sim.scene.domain.gravity_m_s2.y;
    double potential_J =
        run.sim.scene.liquid.density_kg_m3 * g_m_s2 * integrateLiquid(run, [&](Vec3 p) { return p.y - level_m; });
    for (int n = 0; n < run.world.moving(); ++n)
        potential_J += run.world.bodies[size_t(n)].mass_kg * g_m_s2 * (run.body(n).x_m.y - level_m);
    return liquid_kinetic_J + run.world.kineticEnergy() + potential_J;
}

}  // namespace flotsam
