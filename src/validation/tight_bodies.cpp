// Bodies that hold water back: a gate between stops, a lid on a hole, an open tub.
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "core/time_loop.h"
#include "validation/contact_line_cases.h"
#include "validation/contact_of_bodies.h"
#include "validation/liquid_integral.h"

namespace flotsam {

namespace {

constexpr double water_m = 1, gate_density_kg_m3 = 2500;
constexpr int most_steps = 20;  // times the number that max_dt_s requires
constexpr double far_m = 9;

SolidSpec fixedBox(Vec3 min_m, Vec3 max_m) { return fixedSolid(BoxShape{min_m, max_m, {}}); }
RegionSpec waterBox(Vec3 min_m, Vec3 max_m) { return {BoxShape{min_m, max_m, {}}, {}}; }

// The volume of liquid where `where` is true.
double volumeIn(const Simulation& run, const std::function<bool(Vec3)>& where)
{
    return integrateLiquid(run, [&](Vec3 p) { return where(p) ? 1.0 : 0.0; });
}

// Four boxes, in 2-D two, that fill the plane y except a square hole around (x_m, z_m).
template <class Add>
void surround(const DomainParams& domain, double x_m, double z_m, double half_m, double low_m, double high_m,
              const Add& add)
{
    add(Vec3{-far_m, low_m, -far_m}, Vec3{x_m - half_m, high_m, far_m});
    add(Vec3{x_m + half_m, low_m, -far_m}, Vec3{far_m, high_m, far_m});
    if (domain.twoDimensional()) return;
    add(Vec3{-far_m, low_m, -far_m}, Vec3{far_m, high_m, z_m - half_m});
    add(Vec3{-far_m, low_m, z_m + half_m}, Vec3{far_m, high_m, far_m});
}

}  // namespace

// The stops on the wet side leave a twentieth of a cell: the water presses the gate against the others.
BarrierScene gateBetweenStops(CouplingMethod method, Int3 cells, double thickness_cells)
{
    const double h = water_m / (cells.y - 10), half_m = 0.5 * thickness_cells * h, height_m = water_m + 5 * h;
    Scene scene = coupledTank(cells, h * cells.x, method);
    const double x_m = h * (cells.x / 2 + 0.3), depth_m = scene.domain.size_m().z;
    scene.liquid.regions = {waterBox({-far_m, -far_m, -far_m}, {x_m, water_m, far_m})};
    scene.bodies = {bodyAt("gate", BlockShape{{2 * half_m, height_m, depth_m}}, gate_density_kg_m3,
                           {x_m, 0.5 * height_m, 0.5 * depth_m})};
    const double dry_m = x_m + half_m, wet_m = x_m - half_m - 0.05 * h;
    for (const double low_m : {0.0, water_m + h}) {
        const double high_m = low_m + 4 * h;
        scene.solids.push_back(fixedBox({dry_m, low_m - (low_m == 0), -1}, {dry_m + 3 * h, high_m, far_m}));
        scene.solids.push_back(fixedBox({wet_m - 3 * h, low_m - (low_m == 0), -1}, {wet_m, high_m, far_m}));
    }
    for (size_t n = 0; n < scene.solids.size(); ++n) scene.solids[n].name = fmt::format("stop {}", n + 1);
    return {scene, [dry_m](Vec3 p) { return p.x > dry_m; }};
}

BarrierScene plugOnHole(CouplingMethod method, Int3 cells, double thickness_cells)
{
    const double h = water_m / 40, top_m = 10.3 * h, low_m = top_m - 3 * h, middle_m = top_m - 1.5 * h;
    Scene scene = coupledTank(cells, h * cells.x, method);
    const double thickness_m = thickness_cells * h, surface_m = top_m + water_m;
    const Vec3 center = 0.5 * scene.domain.size_m() + Vec3{0.2 * h, 0, 0};
    surround(scene.domain, center.x, center.z, 3 * h, low_m, top_m,
             [&](Vec3 min_m, Vec3 max_m) { scene.solids.push_back(fixedBox(min_m, max_m)); });
    // The water ends inside the plug and inside the shelf.
    surround(scene.domain, center.x, center.z, 4.5 * h, middle_m, surface_m,
             [&](Vec3 min_m, Vec3 max_m) { scene.liquid.regions.push_back(waterBox(min_m, max_m)); });
    scene.liquid.regions.push_back(waterBox({-far_m, top_m + 0.5 * thickness_m, -far_m}, {far_m, surface_m, far_m}));
    scene.bodies = {bodyAt("plug", BlockShape{{12 * h, thickness_m, 12 * h}}, gate_density_kg_m3,
                           {center.x, top_m + 0.5 * thickness_m, center.z})};
    return {scene, [middle_m](Vec3 p) { return p.y < middle_m; }};
}

BarrierResult holdBack(const BarrierScene& barrier, double seconds, const std::string& label)
{
    Simulation run(barrier.scene);
    const double volume_m3 = run.liquid.measureNow().volume_m3, before_m3 = volumeIn(run, barrier.dry);
    const int wanted_steps = int(std::ceil(seconds / barrier.scene.time.max_dt_s - 1e-9));
    const Vec3 start_m = run.body().x_m;
    BarrierResult r;
    fmt::print(stderr, "{}\n", label);
    advanceTo(seconds, run, [&](const StepReport& step) {
        ++r.steps;
        if (r.steps % 10 == 0 || run.t_s() >= seconds)
            r.passed = std::max(r.passed, (volumeIn(run, barrier.dry) - before_m3) / volume_m3);
        if (run.t_s() > seconds - 1) r.speed_m_s = std::max(r.speed_m_s, step.liquid.max_speed_m_s);
        r.redistributed = run.liquid.state.volume_given_back_m3 / volume_m3;
        r.volume_change = step.liquid.volume_m3 / volume_m3 - 1;
        r.moved_cells = std::max(r.moved_cells, length(run.body().x_m - start_m) / run.liquid.grid.h);
        return std::isfinite(step.liquid.max_speed_m_s) && r.steps < most_steps * wanted_steps;
    });
    return r;
}

// ---- tub

namespace {

struct Tub {
    double h, wall_m;
    double side_m = 20 * h, height_m = 14 * h;

    double inner_m() const { return side_m - 2 * wall_m; }
    double insideVolume() const { return inner_m() * inner_m() * (height_m - wall_m); }
    double volume() const { return side_m * side_m * height_m - insideVolume(); }
    // Of the centre of mass above the lowest point.
    double center() const
    {
        return (side_m * side_m * height_m * 0.5 * height_m - insideVolume() * 0.5 * (height_m + wall_m)) / volume();
    }
    double draft(double density) const { return density * volume() / (side_m * side_m); }
};

// Two open boxes joined by the rim: outer vertices 0 to 7, inner ones 8 to 15, those with odd y at the rim.
TriangleMesh meshOf(const Tub& tub)
{
    TriangleMesh mesh;
    const auto addCorners = [&](double half_m, double low_m) {
        for (int n = 0; n < 8; ++n)
            mesh.vertices.push_back({n & 1 ? half_m : -half_m, n & 2 ? tub.height_m : low_m, n & 4 ? half_m : -half_m});
    };
    addCorners(0.5 * tub.side_m, 0);
    addCorners(0.5 * tub.inner_m(), tub.wall_m);
    const auto addQuad = [&](int a, int b, int c, int d) {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
    };
    addQuad(0, 1, 5, 4);    // bottom, seen from below
    addQuad(8, 12, 13, 9);  // inner bottom, seen from above
    constexpr int around[] = {0, 1, 5, 4};
    for (int n = 0; n < 4; ++n) {
        const int a = around[n], b = around[(n + 1) % 4];
        addQuad(a, a + 2, b + 2, b);            // outside
        addQuad(b + 8, b + 10, a + 10, a + 8);  // inside
        addQuad(a + 2, a + 10, b + 10, b + 2);  // rim
    }
    return mesh;
}

// A mesh file that exists until the body has been made.
class TemporaryMesh {
public:
    explicit TemporaryMesh(const TriangleMesh& mesh)
    {
        std::string name = (std::filesystem::temp_directory_path() / "flotsam-tub-XXXXXX").string();
        if (!mkdtemp(name.data())) throw IoError(name + ": cannot create the folder");
        folder = name;
        std::ofstream file(path());
        for (const Vec3& v : mesh.vertices) file << fmt::format("v {} {} {}\n", v.x, v.y, v.z);
        for (const auto& t : mesh.triangles) file << fmt::format("f {} {} {}\n", t[0] + 1, t[1] + 1, t[2] + 1);
    }
    ~TemporaryMesh()
    {
        std::error_code ignored;
        std::filesystem::remove_all(folder, ignored);
    }
    TemporaryMesh(const TemporaryMesh&) = delete;
    TemporaryMesh& operator=(const TemporaryMesh&) = delete;
    std::string path() const { return (folder / "tub.obj").string(); }

private:
    std::filesystem::path folder;
};

constexpr double tub_density = 1.2, tub_water_cells = 22;

// The water ends in the middle of the walls, so that the inside is dry.
Scene tubScene(CouplingMethod method, const Tub& tub, const std::string& mesh)
{
    Scene scene = coupledTank({40, 36, 40}, 40 * tub.h, method);
    const double level_m = tub_water_cells * tub.h, bottom_m = level_m - tub.draft(tub_density);
    const Vec3 center = 0.5 * scene.domain.size_m();
    const auto add = [&](Vec3 min_m, Vec3 max_m) { scene.liquid.regions.push_back(waterBox(min_m, max_m)); };
    surround(scene.domain, center.x, center.z, 0.5 * (tub.side_m - tub.wall_m), -far_m, level_m, add);
    add({-far_m, -far_m, -far_m}, {far_m, bottom_m + 0.5 * tub.wall_m, far_m});
    scene.bodies = {bodyAt("tub", BodyMeshShape{mesh, 1}, tub_density * scene.liquid.density_kg_m3,
                           {center.x, bottom_m + tub.center(), center.z})};
    return scene;
}

}  // namespace

TubResult floatTub(CouplingMethod method, double wall_cells, double seconds, const std::string& label)
{
    const Tub tub{0.02, wall_cells * 0.02};
    Scene scene;
    const TemporaryMesh mesh(meshOf(tub));
    scene = tubScene(method, tub, mesh.path());
    Simulation run(scene);
    const double volume_m3 = run.liquid.measureNow().volume_m3, h = run.liquid.grid.h;
    const double level_m = tub_water_cells * tub.h;  // in equilibrium that of the start
    const int wanted_steps = int(std::ceil(seconds / scene.time.max_dt_s - 1e-9));
    const auto inside = [&](Vec3 p_m) {
        const Vec3 p = transposed(matrixOf(run.body().q)) * (p_m - run.body().x_m) + Vec3{0, tub.center(), 0};
        return std::max(std::abs(p.x), std::abs(p.z)) < 0.5 * tub.inner_m() && p.y > tub.wall_m && p.y < tub.height_m;
    };
    TubResult r;
    r.theory_cells = tub.draft(tub_density) / h;
    fmt::print(stderr, "{}\n", label);
    advanceTo(seconds, run, [&](const StepReport& step) {
        ++r.steps;
        if (r.steps % 10 == 0 || run.t_s() >= seconds)
            r.inside = std::max(r.inside, volumeIn(run, inside) / tub.insideVolume());
        if (run.t_s() > seconds - 1) r.speed_m_s = std::max(r.speed_m_s, step.liquid.max_speed_m_s);
        r.redistributed = run.liquid.state.volume_given_back_m3 / volume_m3;
        r.draft_cells = (level_m - (run.body().x_m.y - tub.center())) / h;
        return std::isfinite(step.liquid.max_speed_m_s) && r.steps < most_steps * wanted_steps;
    });
    return r;
}

}  // namespace flotsam
