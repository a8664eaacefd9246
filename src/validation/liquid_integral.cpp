#include "validation/liquid_integral.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "geometry/clip.h"
#include "geometry/tetrahedra.h"

namespace flotsam {

namespace {

// The bodies and solids of a world but the walls of the tank, at rest while they are queried.
struct PlacedBody {
    const Collider* collider;
    Vec3 x_m;
    Mat3 body_from_world;
    Bounds bounds;
    std::vector<OutwardPlane> planes;

    double distance(Vec3 p_m) const { return collider->distance(body_from_world * (p_m - x_m)); }
    // f(tetrahedron) for the parts inside the body: exact with planes, else by the distances at its corners.
    template <class F>
    void forInside(const TetrahedronPoints& t, const F& f) const
    {
        if (planes.empty()) {
            forNegative(t, {distance(t[0]), distance(t[1]), distance(t[2]), distance(t[3])}, f);
            return;
        }
        for (const TetrahedronPoints& p : partsInside(t, planes)) f(p);
    }
};

std::vector<PlacedBody> placedBodies(const RigidWorld& world)
{
    std::vector<PlacedBody> list;
    for (size_t n = 0; n < world.bodies.size(); ++n) {
        const Collider& c = *world.bodies[n].collider;
        if (c.kind == ColliderKind::half_space) continue;
        const BodyState& s = world.state.bodies[n];
        const Mat3 r = matrixOf(s.q);
        Bounds bounds = boundsOf(c, s.x_m, r);
        if (c.section) bounds.lo.z = -1e9, bounds.hi.z = 1e9;
        list.push_back({&c, s.x_m, transposed(r), bounds, planesOf(c, s.x_m, r)});
    }
    return list;
}

// phi at any point of the domain: linear between cell centres, constant from the outermost centres to the walls.
double phiAt(const Simulation& sim, Vec3 p_m)
{
    const View3<const float> phi = sim.liquid.state.phi.view();
    int low[3], high[3];
    double t[3];
    for (int a = 0; a < 3; ++a) {
        const double c = std::clamp(p_m[a] / sim.liquid.grid.h - 0.5, 0.0, double(sim.liquid.grid.cells[a] - 1));
        low[a] = int(c);
        high[a] = std::min(low[a] + 1, sim.liquid.grid.cells[a] - 1);
        t[a] = c - low[a];
    }
    const auto row = [&](int j, int k) {
        return (1 - t[0]) * double(phi(low[0], j, k)) + t[0] * double(phi(high[0], j, k));
    };
    const auto plane = [&](int k) { return (1 - t[1]) * row(low[1], k) + t[1] * row(high[1], k); };
    return low[2] == high[2] ? plane(low[2]) : (1 - t[2]) * plane(low[2]) + t[2] * plane(high[2]);
}

}  // namespace

double integrateLiquid(const Simulation& run, const std::function<double(Vec3)>& weight)
{
    const Simulation& sim = run;
    const Grid& grid = sim.liquid.grid;
    const bool flat = sim.scene.domain.twoDimensional();
    const std::vector<PlacedBody> bodies = placedBodies(run.world);
    const int sub = flat ? 16 : 2, sub_z = flat ? 1 : sub;
    const Vec3 size_m{grid.h / sub, grid.h / sub, grid.h / sub_z};
    const double reach_m = 0.5 * length(size_m), volume_m3 = size_m.x * size_m.y * size_m.z;
    const auto integral = [&](const TetrahedronPoints& t) { return volumeOf(t) * weight(centroidOf(t)); };
    std::vector<const PlacedBody*> near;
    // Returns false where the box is inside a body.
    const auto findNear = [&](Vec3 center_m) {
        near.clear();
        const Vec3 reach{reach_m, reach_m, reach_m};
        for (const PlacedBody& b : bodies) {
            if (min(center_m + reach, b.bounds.lo) == center_m + reach) continue;
            if (max(center_m - reach, b.bounds.hi) == center_m - reach) continue;
            const double d = b.distance(center_m);
            if (d < -reach_m) return false;
            if (d < reach_m) near.push_back(&b);
        }
        return true;
    };
    const auto boxIntegral = [&](Vec3 low_m) {
        const Vec3 center_m = low_m + 0.5 * size_m;
        double phi[8];
        bool any = false, all = true;
        for (int n = 0; n < 8; ++n) {
            phi[n] = phiAt(sim, low_m + Vec3{(n & 1) * size_m.x, (n >> 1 & 1) * size_m.y, (n >> 2) * size_m.z});
            any = any || phi[n] < 0;
            all = all && phi[n] < 0;
        }
        if (!any || !findNear(center_m)) return 0.0;
        if (all && near.empty()) return volume_m3 * weight(center_m);
        double sum = 0;
        for (const auto& t : tetrahedra_of_cube) {
            TetrahedronPoints p;
            std::array<double, 4> d;
            for (size_t n = 0; n < 4; ++n) {
                p[n] = low_m + Vec3{(t[n] & 1) * size_m.x, (t[n] >> 1 & 1) * size_m.y, (t[n] >> 2) * size_m.z};
                d[n] = phi[t[n]];
            }
            forNegative(p, d, [&](const TetrahedronPoints& liquid) {
                sum += integral(liquid);
                for (const PlacedBody* b : near)
                    b->forInside(liquid, [&](const TetrahedronPoints& part) { sum -= integral(part); });
            });
        }
        return sum;
    };
    double sum = 0;
    for (int k = 0; k < grid.cells.z * sub_z; ++k)
        for (int j = 0; j < grid.cells.y * sub; ++j)
            for (int i = 0; i < grid.cells.x * sub; ++i) sum += boxIntegral({i * size_m.x, j * size_m.y, k * size_m.z});
    return sum;
}

double potentialEnergy(const Simulation& run, double level_m)
{
    const double g_m_s2 = -run.scene.domain.gravity_m_s2.y;
    double potential_J =
        run.scene.liquid.density_kg_m3 * g_m_s2 * integrateLiquid(run, [&](Vec3 p) { return p.y - level_m; });
    for (int n = 0; n < run.world.moving(); ++n)
        potential_J += run.world.bodies[size_t(n)].mass_kg * g_m_s2 * (run.body(n).x_m.y - level_m);
    return potential_J;
}

}  // namespace flotsam
