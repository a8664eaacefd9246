// A disk and a ball in a flow that stretches them into a filament and a sheet, then reverses and should restore them
// (LeVeque 1996; Enright et al. 2002).
#include <fmt/format.h>

#include <numbers>

#include "validation/carried_surface.h"
#include "validation/draw_surface.h"
#include "validation/validate_case.h"

namespace flotsam {

namespace {

constexpr double pi = std::numbers::pi;
double square(double x) { return x * x; }

PrescribedVelocity vortexFlow()
{
    return {[](Vec3 p) {
                return Vec3{-square(std::sin(pi * p.x)) * std::sin(2 * pi * p.y),
                            std::sin(2 * pi * p.x) * square(std::sin(pi * p.y)), 0};
            },
            [](double t_s) { return std::cos(pi * t_s / 8); }};
}

PrescribedVelocity enrightFlow()
{
    return {[](Vec3 p) {
                const Vec3 once{std::sin(pi * p.x), std::sin(pi * p.y), std::sin(pi * p.z)},
                    twice{std::sin(2 * pi * p.x), std::sin(2 * pi * p.y), std::sin(2 * pi * p.z)};
                return Vec3{2 * square(once.x) * twice.y * twice.z, -twice.x * square(once.y) * twice.z,
                            -twice.x * twice.y * square(once.z)};
            },
            [](double t_s) { return std::cos(pi * t_s / 3); }};
}

struct Journey {
    const char* name;
    Int3 cells;
    double seconds, fastest_m_s;
    SphereShape start;
    PrescribedVelocity flow;
};

Finding measure(const Journey& j, int particles, double reference, std::optional<double> gate,
                const std::filesystem::path& pictures)
{
    SurfaceParams prm;
    prm.particles_per_cell = particles;
    const auto shape = makeShape(j.start, 0);
    const bool flat = j.cells.z == 1;
    CarriedSurface surface(j.cells, 1, prm, *shape, j.flow);
    const std::string label =
        fmt::format("{}^{}{}: {}", j.cells.x, flat ? 2 : 3, particles ? ", particles" : "", flat ? "area" : "volume");
    const int steps = int(std::ceil(j.seconds * j.fastest_m_s / surface.grid.h));
    if (flat && !pictures.empty()) {
        carryTo(j.seconds / 2, steps / 2, label.c_str(), surface);
        drawSurface(pictures / fmt::format("vortex_half{}.png", particles ? "_particles" : ""), {0, 0}, {1, 1}, *shape,
                    surface);
    }
    carryTo(j.seconds, steps, label.c_str(), surface);
    const double volume = surface.volume_m3() / (flat ? surface.grid.h : 1);
    if (flat && !pictures.empty())
        drawSurface(pictures / fmt::format("vortex_end{}.png", particles ? "_particles" : ""), {0.25, 0.5}, {0.75, 1},
                    *shape, surface);
    return relativeFinding(label, volume, reference, gate);
}

std::vector<Finding> measureVortex(const std::filesystem::path& pictures)
{
    const Journey journey{"vortex", {128, 128, 1}, 8, 1, {{0.5, 0.75, 0.5 / 128}, 0.15}, vortexFlow()};
    const double area = pi * 0.15 * 0.15;
    return {measure(journey, 0, area, {}, pictures),
            measure(journey, SurfaceParams{}.particles_per_cell, area, 0.015, pictures)};
}

std::vector<Finding> measureEnright(const std::filesystem::path&)
{
    const auto journey = [](int n) {
        return Journey{"enright", {n, n, n}, 3, 2, {{0.35, 0.35, 0.35}, 0.15}, enrightFlow()};
    };
    const double volume = 4.0 / 3 * pi * std::pow(0.15, 3);
    constexpr int per_cell = SurfaceParams{}.particles_per_cell;
    return {measure(journey(64), 0, volume, {}, {}), measure(journey(64), per_cell, volume, 0.10, {}),
            measure(journey(100), per_cell, volume, 0.04, {})};
}

}  // namespace

const ValidationCase vortex{"vortex", measureVortex}, enright{"enright", measureEnright};

}  // namespace flotsam
