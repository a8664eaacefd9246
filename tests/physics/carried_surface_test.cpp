// How well advection preserves a shape: small versions of `flotsam validate zalesak vortex enright`.
#include "validation/carried_surface.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/physics/scenes.h"
#include "validation/slotted_disk.h"

namespace flotsam {
namespace {

constexpr double pi = std::numbers::pi;

SurfaceParams with(SurfaceScheme scheme, int particles)
{
    SurfaceParams prm;
    prm.scheme = scheme;
    prm.particles_per_cell = particles;
    return prm;
}

struct Turned {
    double area_error, misplaced;
};
Turned turnedDisk(const SurfaceParams& prm)
{
    constexpr double spin = 2 * pi / 628;
    const SlottedDisk disk;
    CarriedSurface surface({64, 64, 1}, 100, prm, disk, {[](Vec3 p) {
                               return Vec3{spin * (50 - p.y), spin * (p.x - 50), 0};
                           }});
    for (int n = 0; n < 314; ++n) surface.step(2);
    return {surface.volume_m3() / surface.grid.h / SlottedDisk::area - 1, surface.misplacedFraction(disk, disk.area)};
}

TEST(CarriedSurface, ZalesaksDiskKeepsItsAreaAndItsSlotWithParticles)
{
    const Turned with_particles = turnedDisk(with(SurfaceScheme::semi_lagrangian, 32)),
                 weno = turnedDisk(with(SurfaceScheme::weno5, 0));
    EXPECT_LT(std::abs(with_particles.area_error), 0.03);
    EXPECT_LT(with_particles.misplaced, 0.5 * weno.misplaced);
}

TEST(CarriedSurface, ParticlesMakeAnySchemeGood)
{
    for (SurfaceScheme scheme : {SurfaceScheme::upwind, SurfaceScheme::eno3}) {
        const Turned without = turnedDisk(with(scheme, 0)), corrected = turnedDisk(with(scheme, 32));
        EXPECT_LT(corrected.misplaced, 0.3 * without.misplaced) << surface_scheme_words[int(scheme)];
        EXPECT_LT(corrected.misplaced, 0.12) << surface_scheme_words[int(scheme)];
    }
}

TEST(CarriedSurface, TheThesissReinitialisationKeepsTheDiskToo)
{
    SurfaceParams prm = with(SurfaceScheme::weno5, 32);
    prm.reinitialisation = Reinitialisation::pde;
    EXPECT_LT(std::abs(turnedDisk(prm).area_error), 0.03);
}

TEST(CarriedSurface, ABallDrawnOutIntoASheetComesBackWithItsVolume)
{
    const auto square = [](double x) { return x * x; };
    const PrescribedVelocity flow{[=](Vec3 p) {
                                      const Vec3 once{std::sin(pi * p.x), std::sin(pi * p.y), std::sin(pi * p.z)},
                                          twice{std::sin(2 * pi * p.x), std::sin(2 * pi * p.y), std::sin(2 * pi * p.z)};
                                      return Vec3{2 * square(once.x) * twice.y * twice.z,
                                                  -twice.x * square(once.y) * twice.z,
                                                  -twice.x * twice.y * square(once.z)};
                                  },
                                  [](double t_s) { return std::cos(pi * t_s / 1.5); }};
    constexpr int cells = 32, steps = 96;
    const auto shape = makeShape(SphereShape{{0.35, 0.35, 0.35}, 0.15}, 0);
    const auto lost = [&](int particles) {
        CarriedSurface surface({cells, cells, cells}, 1, with(SurfaceScheme::semi_lagrangian, particles), *shape, flow);
        const double before = surface.volume_m3();
        for (int n = 0; n < steps; ++n) surface.step(1.5 / steps);
        return 1 - surface.volume_m3() / before;
    };
    EXPECT_LT(std::abs(lost(32)), 0.05);
}

// Two drops that collide head-on: the air between them must close, and its particles must not remove liquid from the
// merged drop, wherever the cells lie.
TEST(CarriedSurface, DropsThatCollideDoNotAnnihilate)
{
    for (int particles : {0, 32})
        for (double shift_m : {0.0, 0.003}) {
            Scene scene = tank({48, 48, 24});
            scene.domain.gravity_m_s2 = {};
            scene.surface.volume_correction = false;
            scene.surface.particles_per_cell = particles;
            scene.liquid.regions = {drop({0.3 + shift_m, 0.5, 0.25}, 0.12, {1, 0, 0}),
                                    drop({0.7, 0.5, 0.25}, 0.12, {-1, 0, 0})};
            Simulation sim(scene);
            const double before = sim.liquid.measureNow().volume_m3;
            advanceTo(0.2, sim);
            EXPECT_NEAR(sim.liquid.measureNow().volume_m3 / before, 1, 0.15) << particles << ' ' << shift_m;
        }
}

}  // namespace
}  // namespace flotsam
