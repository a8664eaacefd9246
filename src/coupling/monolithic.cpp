#include "coupling/monolithic.h"

#include "core/profile.h"
#include "liquid/velocity.h"

namespace flotsam {

Monolithic::Monolithic(const Scene& scene, const Grid& grid_, const Solids& solids_, RigidWorld& world_)
    : ImmersedBodies(scene, grid_, solids_, world_, Solids::Others::walls),
      pressure(grid_, world_, scene.liquid.density_kg_m3),
      viscosity(world_, shapes, pressure, grid_.h)
{
    moves_like_liquid = true;
    for (size_t i = 0; i < size_t(world.moving()); ++i)
        volume_m3.push_back(world.bodies[i].mass_kg / scene.bodies[i].density_kg_m3);
}

void Monolithic::start(const LiquidState& s)
{
    for (size_t i = 0; i < shapes.size(); ++i)
        world.state.gained[i].wet = isWet(cellsNear(grid, *shapes[i], 2), s.phi.view());
}

// Bodies in the liquid, and those that contacts and joints connect with them.
std::vector<char> Monolithic::bodiesInSystem(std::span<const HeldRow> rows) const
{
    std::vector<char> in(shapes.size());
    for (size_t i = 0; i < in.size(); ++i) in[i] = pressure.isWet(i);
    const auto moves = [&](int body) { return body >= 0 && size_t(body) < in.size(); };
    for (bool changed = true; changed;) {
        changed = false;
        for (const HeldRow& row : rows)
            if (moves(row.a) && moves(row.b) && in[size_t(row.a)] != in[size_t(row.b)])
                in[size_t(row.a)] = in[size_t(row.b)] = 1, changed = true;
    }
    return in;
}

void Monolithic::enter(LiquidState& s, LiquidScratch& w)
{
    const KernelTimer timer("coupling.enter");
    pressure.cover(shapes, volume_m3, s.phi.view(), solids_and_bodies);
    const std::vector<HeldRow> rows = world.heldRows();
    in_system = bodiesInSystem(rows);
    const Vec3 gravity_m_s = dt_s * world.params.gravity_m_s2;
    std::vector<char> entering(shapes.size(), 0);
    for (size_t i = 0; i < shapes.size(); ++i) {
        const bool was = world.isWet(int(i));
        world.state.gained[i] = {};
        entering[i] = in_system[i] && !was;
        if (!in_system[i] && was) {
            world.state.gained[i].gravity_m_s = gravity_m_s;
            world.state.bodies[i].v_m_s += gravity_m_s;
        }
    }
    pressure.start(rows, in_system, entering, gravity_m_s);
    before.resize(shapes.size());
    for (size_t i = 0; i < shapes.size(); ++i) before[i] = motionOf(i);
    w.pressure_bodies = &pressure;
    viscosity.startStep();
    w.viscous_bodies = &viscosity;
}

void Monolithic::leave(LiquidState&)
{
    for (size_t i = 0; i < shapes.size(); ++i) {
        if (!in_system[i]) continue;
        FluidVelocityChange& gained = world.state.gained[i];
        gained.gravity_m_s = dt_s * world.params.gravity_m_s2;
        gained.support = pressure.heldChange(i);
        gained.viscosity = viscosity.changeOf(i);
        gained.pressure = motionOf(i) - before[i] - gained.all();  // the remainder
        gained.wet = 1;
    }
}

}  // namespace flotsam
