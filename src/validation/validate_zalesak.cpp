// One revolution of Zalesak's disk about the centre of the box: its area and its corners, by every scheme, with and
// without particles (thesis figures 28 and 30).
#include <fmt/format.h>

#include <numbers>

#include "validation/carried_surface.h"
#include "validation/draw_surface.h"
#include "validation/slotted_disk.h"
#include "validation/validate_case.h"

namespace flotsam {

namespace {

constexpr double side = 100, turn_s = 628;
constexpr int steps = 628;

PrescribedVelocity rotation()
{
    constexpr double spin = 2 * std::numbers::pi / turn_s;
    return {[](Vec3 p) { return Vec3{spin * (side / 2 - p.y), spin * (p.x - side / 2), 0}; }};
}

SurfaceParams with(SurfaceScheme scheme, int particles)
{
    SurfaceParams prm;
    prm.scheme = scheme;
    prm.particles_per_cell = particles;
    return prm;
}

void measureDisk(int cells, SurfaceScheme scheme, int particles, std::optional<double> gate,
                 const std::filesystem::path& pictures, std::vector<Finding>& findings)
{
    const char* word = surface_scheme_words[int(scheme)];
    const std::string label = fmt::format("{}^2 {}{}", cells, word, particles ? ", particles" : "");
    const SlottedDisk disk;
    CarriedSurface surface({cells, cells, 1}, side, with(scheme, particles), disk, rotation());
    carryTo(turn_s, steps, ("zalesak " + label).c_str(), surface);
    const double area = surface.volume_m3() / surface.grid.h;
    findings.push_back(relativeFinding(label + ": area", area, SlottedDisk::area, gate));
    findings.push_back(
        absoluteFinding(label + ": misplaced fraction", surface.misplacedFraction(disk, disk.area), 0, {}));
    if (!pictures.empty())
        drawSurface(pictures / fmt::format("zalesak_{}{}.png", word, particles ? "_particles" : ""), {32, 57}, {68, 93},
                    disk, surface);
}

void measureBall(int particles, std::vector<Finding>& findings)
{
    const std::string label = fmt::format("ball 100^3{}", particles ? ", particles" : "");
    CarriedSurface surface({100, 100, 100}, side, with(SurfaceScheme::semi_lagrangian, particles), SlottedBall(),
                           rotation());
    carryTo(turn_s, steps, ("zalesak " + label).c_str(), surface);
    findings.push_back(relativeFinding(label + ": volume", surface.volume_m3(), SlottedBall::volume(), {}));
}

std::vector<Finding> measureZalesak(const std::filesystem::path& pictures)
{
    constexpr int per_cell = SurfaceParams{}.particles_per_cell;
    std::vector<Finding> findings;
    for (int scheme = 0; scheme < int(std::size(surface_scheme_words)); ++scheme)
        measureDisk(100, SurfaceScheme(scheme), 0, {}, pictures, findings);
    for (int scheme = 0; scheme < int(std::size(surface_scheme_words)); ++scheme)
        measureDisk(100, SurfaceScheme(scheme), per_cell, scheme == 0 ? std::optional(0.01) : std::nullopt, pictures,
                    findings);
    // With particles, the cheapest scheme is more accurate than the best one without them.
    const auto misplaced = [&](SurfaceScheme scheme, bool particles) {
        return findings[2 * (size_t(scheme) + (particles ? std::size(surface_scheme_words) : 0)) + 1].measured;
    };
    findings.push_back(absoluteFinding(
        "semi-lagrangian, particles over weno5: misplaced",
        misplaced(SurfaceScheme::semi_lagrangian, true) / misplaced(SurfaceScheme::weno5, false), 0, 1));
    measureDisk(200, SurfaceScheme::semi_lagrangian, per_cell, 0.005, {}, findings);
    measureBall(0, findings);
    measureBall(per_cell, findings);
    return findings;
}

}  // namespace

const ValidationCase zalesak{"zalesak", measureZalesak};

}  // namespace flotsam
