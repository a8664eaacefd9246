#include "coupling/monolithic.h"

#include "core/profile.h"
#include "liquid/velocity.h"

namespace flotsam {

Monolithic::Monolithic(const Scene& scene, const Grid& grid_, const Solids& solids_, RigidWorld& world_)
    : CoupledBodies(grid_, solids_, world_, Solids::Others::walls),
      pressure(grid_, world_, scene.liquid.density_kg_m3),
      viscosity(world_, shapes, pressure, grid_.h)
{
    for (size_t i = 0; i < size_t(world.moving()); ++i)
        volume_m3.push_back(world.bodies[i].mass_kg / scene.bodies[i].density_kg_m3);
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

// Wet bodies have half their weight in this move: a dry body on a floating one falls onto it.
void Monolithic::findContacts(double step_s, const LiquidState& s)
{
    const std::vector<BodyState> bodies = world.state.bodies;
    const double t_s = world.state.t_s, move_s = 1e-6 * step_s;
    pressure.cover(shapes, volume_m3, s.phi.view(), solids_and_bodies);
    for (size_t i = 0; i < shapes.size(); ++i) {
        if (!pressure.isWet(i)) continue;
        gained[i].wet = 1;
        gained[i].gravity_m_s = 0.5 * move_s * world.params.gravity_m_s2;
    }
    move(move_s, true);
    gained.assign(shapes.size(), {});
    world.state.bodies = bodies;
    world.state.t_s = t_s;
    solids_and_bodies.moveTo(t_s);
    dt_s = 0;  // the velocities have no gravity of a move
}

void Monolithic::enter(double solve_s, LiquidState& s, LiquidScratch& w)
{
    const KernelTimer timer("coupling.enter");
    pressure.cover(shapes, volume_m3, s.phi.view(), solids_and_bodies);
    const std::vector<HeldRow> rows = world.heldRows();
    in_system = bodiesInSystem(rows);
    gravity_m_s = solve_s * world.params.gravity_m_s2;
    const Vec3 moved_with_m_s = dt_s * world.params.gravity_m_s2;
    std::vector<char> entering(shapes.size(), 0);
    for (size_t i = 0; i < shapes.size(); ++i) {
        const bool was = isWet(i);
        gained[i] = {};
        entering[i] = in_system[i] && !was;
        if (!in_system[i] && was) becomeDry(i);
    }
    before.resize(shapes.size());
    for (size_t i = 0; i < shapes.size(); ++i) before[i] = motionOf(i);
    pressure.start(rows, in_system, entering, gravity_m_s, moved_with_m_s);
    // What start() undoes of the bodies' own step belongs to that step: gravity, and what contacts and joints did then.
    for (size_t i = 0; i < shapes.size(); ++i) {
        const Vec3 weight_N_s = entering[i] ? world.bodies[i].mass_kg * moved_with_m_s : Vec3{};
        const Impulse undone = impulseOf(world, i, before[i] - motionOf(i));
        last_impulses[i].gravity.linear_N_s -= weight_N_s;
        last_impulses[i].contact.linear_N_s += weight_N_s - undone.linear_N_s;
        last_impulses[i].contact.angular_N_m_s -= undone.angular_N_m_s;
        before[i] = motionOf(i);
    }
    w.pressure_bodies = &pressure;
    viscosity.startStep();
    w.viscous_bodies = &viscosity;
}

void Monolithic::leave()
{
    for (size_t i = 0; i < shapes.size(); ++i) {
        if (!in_system[i]) continue;
        FluidVelocityChange& change = gained[i];
        change.gravity_m_s = gravity_m_s;
        change.support = pressure.heldChange(i);
        change.viscosity = viscosity.changeOf(i);
        change.pressure = motionOf(i) - before[i] - change.all();  // the remainder
        change.wet = 1;
    }
}

}  // namespace flotsam
