#include "coupling/immersed_bodies.h"

#include "core/parallel.h"
#include "liquid/boundary.h"
#include "liquid/surface.h"

namespace flotsam {

namespace {

// Cells around a body that the surface there is reckoned from: liquid within one of them wets it, and phi is the
// body's.
constexpr double margin_cells = 2;

// The moving bodies as obstacles; `shapes` is told where they are.
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

Impulse impulseOf(const RigidWorld& world, size_t body, const VelocityChange& change)
{
    const Body& b = world.bodies[body];
    const SymMat3 inertia = rotated(matrixOf(world.state.bodies[body].q) * b.body_from_principal, b.moments_kg_m2);
    return {b.mass_kg * change.v_m_s, inertia * change.w_rad_s};
}

void imposeOn(const BodyFace& f, const VelocityChange& motion, View3<float> u)
{
    u(f.at) += f.part * (float(speedAt(motion, f)) - u(f.at));
}

}  // namespace

std::vector<StepImpulses> dryImpulses(const RigidWorld& world, double dt_s)
{
    std::vector<StepImpulses> impulses(size_t(world.moving()));
    for (size_t i = 0; i < impulses.size(); ++i) {
        const CollisionAcceleration& c = world.collisionAccelerations()[i];
        impulses[i].contact = impulseOf(world, i, {dt_s * c.A_c_m_s2, dt_s * c.alpha_c_rad_s2});
        impulses[i].gravity.linear_N_s = world.bodies[i].mass_kg * dt_s * world.params.gravity_m_s2;
    }
    return impulses;
}

ImmersedBodies::ImmersedBodies(const Scene& scene, const Grid& grid_, const Solids& solids, RigidWorld& world_)
    : grid(grid_), world(world_), solids_and_bodies(grid_, solids, obstaclesOf(world_, shapes))
{
    for (const BodySpec& body : scene.bodies) densities.push_back(body.density_kg_m3 / scene.liquid.density_kg_m3);
    world.state.gained.resize(size_t(world.moving()));
    last_impulses.resize(size_t(world.moving()));
}

void ImmersedBodies::start(const LiquidState& s)
{
    for (size_t i = 0; i < shapes.size(); ++i)
        world.state.gained[i].wet = isWet(cellsNear(grid, *shapes[i], margin_cells), s.phi.view());
    tryContacts();
}

// No solve has told yet what pulls at the bodies, so the first move finds no contact that holds one. A step of their
// own, which is taken back, tells what will: the weight of a wet body, less that of the liquid in its place (what is
// lighter is not held down). Without it what rested on the floor fell through the first step, and the water that it
// pressed aside rolled a ball 3 mm.
void ImmersedBodies::tryContacts()
{
    const RigidState start = world.state;
    std::vector<Force> buoyancy(shapes.size());
    for (size_t i = 0; i < buoyancy.size(); ++i)
        if (world.isWet(int(i)))
            buoyancy[i].force_N =
                -std::min(1 / densities[i], 1.0) * world.bodies[i].mass_kg * world.params.gravity_m_s2;
    world.step(world.params.max_dt_s, buoyancy);
    for (size_t i = 0; i < buoyancy.size(); ++i) held_m_s2.push_back(world.collisionAccelerations()[i].A_c_m_s2);
    world.state = start;
}

double ImmersedBodies::fastest() const { return world.fastest(); }

// The liquid's solve has already given a wet body what gravity and pressure do: that, not gravity, is its force. It is
// taken back first, so that the rigid solver sees the velocity before and the acceleration, and a body at rest on the
// floor does not bounce off it (Guendelman, Bridson, Fedkiw 2003).
void ImmersedBodies::move(double step_s)
{
    dt_s = step_s;
    std::vector<Force> outside(size_t(world.moving()));
    std::vector<StepImpulses> impulses(outside.size());
    for (size_t i = 0; i < outside.size(); ++i) {
        const GainedFromLiquid& gained = world.state.gained[i];
        if (!gained.wet) continue;
        BodyState& s = world.state.bodies[i];
        const VelocityChange change = gained.all();
        s.v_m_s -= change.v_m_s;
        s.w_rad_s -= change.w_rad_s;
        impulses[i].pressure = impulseOf(world, i, gained.pressure);
        impulses[i].viscosity = impulseOf(world, i, gained.viscosity);
        impulses[i].gravity.linear_N_s = world.bodies[i].mass_kg * gained.gravity_m_s;
        const Impulse impulse = impulseOf(world, i, {change.v_m_s - gained.support_m_s, change.w_rad_s});
        outside[i] = {impulse.linear_N_s / dt_s - world.bodies[i].mass_kg * world.params.gravity_m_s2,
                      impulse.angular_N_m_s / dt_s};
    }
    last_report = world.step(dt_s, outside);
    last_impulses = dryImpulses(world, dt_s);
    for (size_t i = 0; i < outside.size(); ++i) {
        if (!world.isWet(int(i))) continue;
        impulses[i].contact = last_impulses[i].contact;
        last_impulses[i] = impulses[i];
    }
    const KernelTimer timer("coupling.move");
    solids_and_bodies.moveTo(world.state.t_s);
}

// Whether liquid is within a cell of its surface.
bool ImmersedBodies::isWet(const std::vector<BodyCell>& near, View3<const float> phi) const
{
    return std::any_of(near.begin(), near.end(), [&](const BodyCell& c) {
        return c.distance_m >= 0 && double(c.distance_m) < grid.h && phi(c.at) < 0;
    });
}

// Sets phi to the least of its own and of the wet bodies', keeping what was there.
void ImmersedBodies::becomeLiquid(LiquidState& s, LiquidScratch& w)
{
    std::vector<uint8_t> marks(size_t(grid.bricks.total()), 0);
    for (const Wet& body : wet)
        for (const BodyCell& c : body.cells) marks[size_t(grid.bricks.index(grid.bricks.ofCell(c.at)))] = 1;
    const BrickList list = listOf(marks);
    replaceActive(grid, joined(s.active.list, list), s, w);
    const View3<float> phi = s.phi;
    for (const Wet& body : wet)
        for (const BodyCell& c : body.cells) {
            const float d = std::max(c.distance_m, -grid.band);
            if (d >= phi(c.at)) continue;
            covered.push_back({c.at, phi(c.at)});
            phi(c.at) = d;
        }
    fillLayers(grid, BrickSet(grid.bricks, list), phi);
}

// The liquid's solve does not know what holds a body: one that rests on the floor would fall through its step, and
// press what liquid is below it out at some m/s. What rests feels from its contacts no more than its weight, as in the
// move before; more is a collision, and over.
Vec3 ImmersedBodies::supportOf(size_t body, const LiquidState& s) const
{
    const Vec3 contact_m_s2 = s.step == 0 ? held_m_s2[body] : world.collisionAccelerations()[body].A_c_m_s2;
    return length(contact_m_s2) <= 1.5 * length(world.params.gravity_m_s2) ? dt_s * contact_m_s2 : Vec3{};
}

void ImmersedBodies::enter(LiquidState& s, LiquidScratch& w)
{
    const KernelTimer timer("coupling.enter");
    wet.clear();
    std::vector<Wet> found(shapes.size());
    parallelTasks("coupling.raster", int(shapes.size()), [&](int n) {
        const size_t i = size_t(n);
        std::vector<BodyCell> near = cellsNear(grid, *shapes[i], margin_cells);
        if (!isWet(near, s.phi.view())) return;
        std::vector<BodyFace> faces = facesOf(*shapes[i], near);
        const NormalMatrix matrix = normalMatrixOf(faces, world.bodies[i].collider->reach_m);
        found[i] = {i,  densities[i], world.isWet(n),  supportOf(i, s),  world.state.gained[i].support_m_s,
                    {}, {},           std::move(near), std::move(faces), matrix};
    });
    for (GainedFromLiquid& gained : world.state.gained) gained = {};
    for (Wet& body : found) {
        if (body.cells.empty()) continue;
        BodyState& b = world.state.bodies[body.body];
        // The rigid solver gave a body that was dry its gravity and its support; the liquid's solve gives them once
        // more.
        if (!body.was_wet) b.v_m_s -= dt_s * world.params.gravity_m_s2 + body.support_m_s;
        body.before = {b.v_m_s, b.w_rad_s};
        wet.push_back(std::move(body));
    }
    becomeLiquid(s, w);
    begin(s, w);
}

VelocityChange ImmersedBodies::motionOf(const Wet& body) const
{
    const BodyState& b = world.state.bodies[body.body];
    return {b.v_m_s, b.w_rad_s};
}

VelocityChange ImmersedBodies::collisionOf(const Wet& body) const
{
    const CollisionAcceleration& c = world.collisionAccelerations()[body.body];
    return {dt_s * c.A_c_m_s2, dt_s * c.alpha_c_rad_s2};
}

// What rests was held in the liquid's solve already, and is held by its contacts anew. Without that its faces seemed to
// have risen beside it, by what a step's weight makes, and stirred the water: 0.07 m/s in ten seconds, and a ball that
// should have rested rolled 13 mm.
VelocityChange ImmersedBodies::motionBefore(const Wet& body) const
{
    const VelocityChange now = motionOf(body), collision = collisionOf(body);
    return {now.v_m_s - collision.v_m_s + body.support_before_m_s, now.w_rad_s - collision.w_rad_s};
}

void ImmersedBodies::addMotion(const Wet& body, const VelocityChange& change)
{
    BodyState& b = world.state.bodies[body.body];
    b.v_m_s += change.v_m_s;
    b.w_rad_s += change.w_rad_s;
}

VelocityChange ImmersedBodies::takeMotion(const Wet& body, LiquidState& s)
{
    const Body& b = world.bodies[body.body];
    const VelocityChange change =
        allowed(b, rigidMotionBeside(motionOf(body), body.faces, body.matrix, s.u, b.collider->reach_m));
    addMotion(body, change);
    return change;
}

void ImmersedBodies::impose(const Wet& body, LiquidState& s) const
{
    const VelocityChange motion = motionOf(body);
    for (const BodyFace& f : body.faces) imposeOn(f, motion, s.u.u[f.axis]);
}

// Bodies may share faces, so their order counts; the three components are independent of each other.
void ImmersedBodies::imposeAll(LiquidState& s) const
{
    parallelTasks("coupling.impose", 3, [&](int axis) {
        const View3<float> u = s.u.u[axis];
        for (const Wet& body : wet) {
            const VelocityChange motion = motionOf(body);
            for (const BodyFace& f : body.faces)
                if (f.axis == axis) imposeOn(f, motion, u);
        }
    });
}

void ImmersedBodies::leave(LiquidState& s)
{
    const KernelTimer timer("coupling.leave");
    const View3<float> phi = s.phi;
    for (auto c = covered.rbegin(); c != covered.rend(); ++c) phi(c->cell) = c->phi_m;
    covered.clear();
    fillLayers(grid, s.active, phi);
    for (const Wet& body : wet) {
        const VelocityChange now = motionOf(body);
        GainedFromLiquid& gained = world.state.gained[body.body];
        gained.viscosity = body.viscosity;
        gained.gravity_m_s = dt_s * world.params.gravity_m_s2;
        gained.support_m_s = body.support_m_s;
        const VelocityChange others = gained.all();  // the pressure is what is left
        gained.pressure = {now.v_m_s - body.before.v_m_s - others.v_m_s,
                           now.w_rad_s - body.before.w_rad_s - others.w_rad_s};
        gained.wet = 1;
    }
}

}  // namespace flotsam
