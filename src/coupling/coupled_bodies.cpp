#include "coupling/coupled_bodies.h"

namespace flotsam {

namespace {

// The moving bodies as obstacles; `shapes` receives pointers to them.
std::vector<std::unique_ptr<Obstacle>> obstaclesOf(const RigidWorld& world, std::vector<const BodyObstacle*>& shapes)
{
    std::vector<std::unique_ptr<Obstacle>> list;
    for (int i = 0; i < world.moving(); ++i) {
        auto body = std::make_unique<BodyObstacle>(world, i);
        shapes.push_back(body.get());
        list.push_back(std::move(body));
    }
    return list;
}

// Of contacts and joints in the last step.
void setInternalImpulses(const RigidWorld& world, size_t body, StepImpulses& impulses)
{
    impulses.contact = world.impulses()[body].touching();
    impulses.joint = world.impulses()[body].joined();
}

}  // namespace

Impulse impulseOf(const RigidWorld& world, size_t body, const VelocityChange& change)
{
    const Body& b = world.bodies[body];
    const SymMat3 inertia = rotated(matrixOf(world.state.bodies[body].q) * b.body_from_principal, b.moments_kg_m2);
    return {b.mass_kg * change.v_m_s, inertia * change.w_rad_s};
}

std::vector<StepImpulses> dryImpulses(const RigidWorld& world, double dt_s)
{
    std::vector<StepImpulses> impulses(size_t(world.moving()));
    for (size_t i = 0; i < impulses.size(); ++i) {
        setInternalImpulses(world, i, impulses[i]);
        impulses[i].gravity.linear_N_s = world.bodies[i].mass_kg * dt_s * world.params.gravity_m_s2;
    }
    return impulses;
}

CoupledBodies::CoupledBodies(const Grid& grid_, const Solids& solids, RigidWorld& world_, Solids::Others bodies_are)
    : grid(grid_), world(world_), solids_and_bodies(grid_, solids, obstaclesOf(world_, shapes), bodies_are)
{
    gained.resize(size_t(world.moving()));
    last_impulses.resize(size_t(world.moving()));
}

double CoupledBodies::fastest() const
{
    return world.fastestIn({{}, grid.h * Vec3{double(grid.cells.x), double(grid.cells.y), double(grid.cells.z)}});
}

// The fluid solve has already changed the velocity of a wet body by gravity and pressure: that change, not gravity, is
// its force. It is undone first, so that the rigid solver gets the earlier velocity and the acceleration, and a body at
// rest on the floor does not bounce off it (Guendelman, Bridson, Fedkiw 2003).
void CoupledBodies::move(double step_s, bool like_liquid)
{
    dt_s = step_s;
    const Vec3 gravity_m_s = dt_s * world.params.gravity_m_s2;
    std::vector<Force> outside(shapes.size());
    std::vector<char> floating(shapes.size(), 0);
    for (size_t i = 0; i < shapes.size(); ++i) {
        const Vec3 own_m_s = isWet(i) ? Vec3{} : gravity_m_s;  // for a dry body the rigid solver adds gravity
        const VelocityChange change = gained[i].all();
        addMotion(i, VelocityChange{} - change);
        last_impulses[i].pressure = impulseOf(world, i, gained[i].pressure);
        last_impulses[i].viscosity = impulseOf(world, i, gained[i].viscosity);
        last_impulses[i].gravity.linear_N_s = world.bodies[i].mass_kg * (gained[i].gravity_m_s + own_m_s);
        const Impulse impulse =
            impulseOf(world, i, change - gained[i].support + VelocityChange{own_m_s - gravity_m_s, {}});
        outside[i] = {impulse.linear_N_s / dt_s, impulse.angular_N_m_s / dt_s};
        floating[i] = like_liquid && isWet(i);
    }
    last_report = world.step(dt_s, outside, floating);
    for (size_t i = 0; i < shapes.size(); ++i) setInternalImpulses(world, i, last_impulses[i]);
    const KernelTimer timer("coupling.move");
    solids_and_bodies.moveTo(world.state.t_s);
}

VelocityChange CoupledBodies::motionOf(size_t body) const
{
    const BodyState& b = world.state.bodies[body];
    return {b.v_m_s, b.w_rad_s};
}

void CoupledBodies::addMotion(size_t body, const VelocityChange& change)
{
    BodyState& b = world.state.bodies[body];
    b.v_m_s += change.v_m_s;
    b.w_rad_s += change.w_rad_s;
}

void CoupledBodies::becomeDry(size_t body)
{
    const Vec3 gravity_m_s = dt_s * world.params.gravity_m_s2;
    gained[body].gravity_m_s = gravity_m_s;
    addMotion(body, {gravity_m_s, {}});
}

}  // namespace flotsam
