#include "coupling/immersed_bodies.h"

#include "core/parallel.h"
#include "liquid/boundary.h"
#include "liquid/surface.h"

namespace flotsam {

namespace {

// Width of the band of cells around a body in which its phi is used; liquid within one cell of the body wets it.
constexpr double margin_cells = 2;

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

void imposeOn(const BodyFace& f, const VelocityChange& motion, View3<float> u)
{
    u(f.at) += f.fraction * (float(speedAt(motion, f)) - u(f.at));
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

ImmersedBodies::ImmersedBodies(const Scene& scene, const Grid& grid_, const Solids& solids, RigidWorld& world_,
                               Solids::Others bodies_are)
    : grid(grid_), world(world_), solids_and_bodies(grid_, solids, obstaclesOf(world_, shapes), bodies_are)
{
    for (const BodySpec& body : scene.bodies) densities.push_back(body.density_kg_m3 / scene.liquid.density_kg_m3);
    world.state.gained.resize(size_t(world.moving()));
    last_impulses.resize(size_t(world.moving()));
}

void ImmersedBodies::start(const LiquidState& s)
{
    std::vector<double> submerged;
    for (size_t i = 0; i < shapes.size(); ++i) {
        const std::vector<BodyCell> near = cellsNear(grid, *shapes[i], margin_cells);
        world.state.gained[i].wet = isWet(near, s.phi.view());
        submerged.push_back(submergedFraction(near, s.phi.view()));
    }
    tryContacts(submerged);
}

// Before the first fluid solve the forces on wet bodies are unknown, so the first move would find no supporting
// contacts. A trial step of the bodies, which is undone, finds them from the weight of each body less its buoyancy.
// Otherwise bodies at rest on the floor fall during the first step, and the displaced water makes a ball roll 3 mm.
void ImmersedBodies::tryContacts(const std::vector<double>& submerged)
{
    const RigidState start = world.state;
    const double trial_s = std::min(world.params.max_dt_s, RigidParams().max_dt_s);
    std::vector<Force> buoyancy(shapes.size());
    for (size_t i = 0; i < buoyancy.size(); ++i)
        buoyancy[i].force_N = -submerged[i] / densities[i] * world.bodies[i].mass_kg * world.params.gravity_m_s2;
    world.step(trial_s, buoyancy);
    trial_support_1_s.clear();
    for (const VelocityChange& support : world.contactSupport()) trial_support_1_s.push_back(1 / trial_s * support);
    world.state = start;
    world.restore();  // the trial may have broken joints
}

double ImmersedBodies::fastest() const
{
    return world.fastestIn({{}, grid.h * Vec3{double(grid.cells.x), double(grid.cells.y), double(grid.cells.z)}});
}

// The fluid solve has already changed the velocity of a wet body by gravity and pressure: that change, not gravity, is
// its force. It is undone first, so that the rigid solver gets the earlier velocity and the acceleration, and a body at
// rest on the floor does not bounce off it (Guendelman, Bridson, Fedkiw 2003).
void ImmersedBodies::move(double step_s)
{
    dt_s = step_s;
    const Vec3 gravity_m_s = dt_s * world.params.gravity_m_s2;
    std::vector<Force> outside(size_t(world.moving()));
    for (size_t i = 0; i < outside.size(); ++i) {
        const FluidVelocityChange& gained = world.state.gained[i];
        const Vec3 own_m_s = gained.wet ? Vec3{} : gravity_m_s;  // for a dry body the rigid solver adds gravity
        BodyState& s = world.state.bodies[i];
        const VelocityChange change = gained.all();
        s.v_m_s -= change.v_m_s;
        s.w_rad_s -= change.w_rad_s;
        last_impulses[i].pressure = impulseOf(world, i, gained.pressure);
        last_impulses[i].viscosity = impulseOf(world, i, gained.viscosity);
        last_impulses[i].gravity.linear_N_s = world.bodies[i].mass_kg * (gained.gravity_m_s + own_m_s);
        const Impulse impulse =
            impulseOf(world, i, change - gained.support + VelocityChange{own_m_s - gravity_m_s, {}});
        outside[i] = {impulse.linear_N_s / dt_s, impulse.angular_N_m_s / dt_s};
    }
    std::vector<char> floating(outside.size(), 0);
    if (moves_like_liquid)
        for (size_t i = 0; i < floating.size(); ++i) floating[i] = char(world.state.gained[i].wet);
    last_report = world.step(dt_s, outside, floating);
    for (size_t i = 0; i < outside.size(); ++i) setInternalImpulses(world, i, last_impulses[i]);
    const KernelTimer timer("coupling.move");
    solids_and_bodies.moveTo(world.state.t_s);
}

// Whether liquid is within one cell of the body surface.
bool ImmersedBodies::isWet(const std::vector<BodyCell>& near, View3<const float> phi) const
{
    return std::any_of(near.begin(), near.end(), [&](const BodyCell& c) { return isAround(c) && phi(c.at) < 0; });
}

// The liquid fraction of the cells around the body.
double ImmersedBodies::submergedFraction(const std::vector<BodyCell>& near, View3<const float> phi) const
{
    int around = 0, liquid = 0;
    for (const BodyCell& c : near) {
        if (!isAround(c)) continue;
        ++around;
        liquid += phi(c.at) < 0;
    }
    return around > 0 ? double(liquid) / around : 0;
}

// Sets phi to the minimum of itself and phi of the wet bodies, and saves the old values.
void ImmersedBodies::becomeLiquid(LiquidState& s, LiquidScratch& w)
{
    std::vector<uint8_t> marks(size_t(grid.bricks.total()), 0);
    for (const WetBody& body : wet)
        for (const BodyCell& c : body.cells) marks[size_t(grid.bricks.index(grid.bricks.ofCell(c.at)))] = 1;
    const BrickList list = listOf(marks);
    replaceActive(grid, joined(s.active.list, list), s, w);
    const View3<float> phi = s.phi;
    for (const WetBody& body : wet)
        for (const BodyCell& c : body.cells) {
            const float d = std::max(c.distance_m, -grid.band);
            if (d >= phi(c.at)) continue;
            covered.push_back({c.at, phi(c.at)});
            phi(c.at) = d;
        }
    fillGhostCells(grid, BrickSet(grid.bricks, list), phi);
}

// Bodies may share faces and cells, so their order matters; the four fields are independent of each other.
void ImmersedBodies::mark(BodyMarks& marks) const
{
    marks.near.assign(wet.empty() ? 0 : size_t(grid.bricks.total()), 0);
    for (const WetBody& body : wet)
        for (const BodyCell& c : body.cells) marks.near[size_t(BodyMarks::brickOf(grid, c.at))] = 1;
    const BrickSet near(grid.bricks, listOf(marks.near));
    const float far_m = 2 * float(grid.h);
    const auto markFaces = [&](int axis, View3<float> mobility) {
        for (const IndexBox& box : near.strips)
            forEachCell(grid.bricks.facesOf(axis, box), [=](int i, int j, int k) { mobility(i, j, k) = 1; });
        for (const WetBody& body : wet)
            for (const BodyFace& f : body.faces)
                if (f.axis == axis) mobility(f.at) = float(1 / body.density);
    };
    const auto markCells = [&](View3<float> distance) {
        for (const IndexBox& box : near.strips)
            forEachCell(box, [=](int i, int j, int k) { distance(i, j, k) = far_m; });
        for (const WetBody& body : wet)
            for (const BodyCell& c : body.cells)
                distance(c.at) = std::min(distance(c.at), std::max(c.distance_m, -far_m));
    };
    parallelTasks("coupling.mark", 4, [&](int n) {
        if (n < 3)
            markFaces(n, marks.mobility[n]);
        else
            markCells(marks.distance);
    });
}

// The fluid solve ignores contacts: a body at rest on the floor would fall during its step and press out the liquid
// below it at several m/s. Contacts support a resting body with at most its weight, in water or out of it; a larger
// value is a collision, which is over. The support in the previous move acted against the forces of the step before,
// which may have had another length, and for a dry body against those of this step.
VelocityChange ImmersedBodies::supportOf(size_t body, const LiquidState& s) const
{
    const double g = length(world.params.gravity_m_s2);
    if (g == 0) return {};
    const FluidVelocityChange& gained = world.state.gained[body];
    const double supported_s = length(gained.gravity_m_s) / g + (gained.wet ? 0 : dt_s);
    const VelocityChange support =
        s.step == 0 ? trial_support_1_s[body] : 1 / supported_s * world.contactSupport()[body];
    return length(support.v_m_s) <= 1.5 * g * std::max(1.0, 1 / densities[body]) ? dt_s * support : VelocityChange{};
}

// The rigid solver already applied gravity and support, and the fluid solve will apply them again: they are subtracted.
void ImmersedBodies::becomeWet(WetBody& body)
{
    const Vec3 gravity_m_s = dt_s * world.params.gravity_m_s2;
    addMotion(body, VelocityChange{} - VelocityChange{gravity_m_s, {}} - body.support);
    StepImpulses& impulses = last_impulses[body.body];
    const Impulse support = impulseOf(world, body.body, body.support);
    impulses.gravity.linear_N_s -= world.bodies[body.body].mass_kg * gravity_m_s;
    impulses.contact.linear_N_s -= support.linear_N_s;
    impulses.contact.angular_N_m_s -= support.angular_N_m_s;
}

// Gravity of this step is still missing: the move applied the change by the previous fluid solve.
void ImmersedBodies::becomeDry(size_t body)
{
    const Vec3 gravity_m_s = dt_s * world.params.gravity_m_s2;
    world.state.gained[body].gravity_m_s = gravity_m_s;
    world.state.bodies[body].v_m_s += gravity_m_s;
}

void ImmersedBodies::enter(LiquidState& s, LiquidScratch& w)
{
    const KernelTimer timer("coupling.enter");
    wet.clear();
    std::vector<WetBody> found(shapes.size());
    parallelTasks("coupling.raster", int(shapes.size()), [&](int n) {
        const size_t i = size_t(n);
        std::vector<BodyCell> near = cellsNear(grid, *shapes[i], margin_cells);
        if (!isWet(near, s.phi.view())) return;
        std::vector<BodyFace> faces = facesOf(*shapes[i], near);
        const NormalMatrix matrix = normalMatrixOf(faces, world.bodies[i].collider->reach_m);
        found[i] = {i,  densities[i], world.isWet(n),  supportOf(i, s),  world.state.gained[i].support,
                    {}, {},           std::move(near), std::move(faces), matrix};
    });
    for (size_t i = 0; i < found.size(); ++i) {
        WetBody& body = found[i];
        const bool was_wet = world.isWet(int(i));
        world.state.gained[i] = {};
        if (body.cells.empty()) {
            if (was_wet) becomeDry(i);
            continue;
        }
        if (!was_wet) becomeWet(body);
        body.before = motionOf(body);
        wet.push_back(std::move(body));
    }
    becomeLiquid(s, w);
    begin(s, w);
}

VelocityChange ImmersedBodies::motionOf(const WetBody& body) const { return motionOf(body.body); }

VelocityChange ImmersedBodies::motionOf(size_t body) const
{
    const BodyState& b = world.state.bodies[body];
    return {b.v_m_s, b.w_rad_s};
}

VelocityChange ImmersedBodies::collisionOf(const WetBody& body) const
{
    const CollisionAcceleration& c = world.collisionAccelerations()[body.body];
    return {dt_s * c.A_c_m_s2, dt_s * c.alpha_c_rad_s2};
}

// A resting body was supported in the fluid solve, so the field contains that support; its contacts then find it again.
// Without support_before, its faces would appear to rise relative to it by the effect of its weight over one step and
// stir the water: 0.07 m/s after ten seconds, and a ball that should rest rolled 13 mm.
VelocityChange ImmersedBodies::motionBefore(const WetBody& body) const
{
    return motionOf(body) - collisionOf(body) + body.support_before;
}

void ImmersedBodies::addMotion(const WetBody& body, const VelocityChange& change)
{
    BodyState& b = world.state.bodies[body.body];
    b.v_m_s += change.v_m_s;
    b.w_rad_s += change.w_rad_s;
}

VelocityChange ImmersedBodies::takeMotion(const WetBody& body, LiquidState& s)
{
    const Body& b = world.bodies[body.body];
    const VelocityChange change =
        allowed(b, fitResidualRigidMotion(motionOf(body), body.faces, body.matrix, s.u, b.collider->reach_m));
    addMotion(body, change);
    return change;
}

void ImmersedBodies::impose(const WetBody& body, LiquidState& s) const
{
    const VelocityChange motion = motionOf(body);
    for (const BodyFace& f : body.faces) imposeOn(f, motion, s.u.u[f.axis]);
}

// Bodies may share faces, so their order matters; the three components are independent of each other.
void ImmersedBodies::imposeAll(LiquidState& s) const
{
    parallelTasks("coupling.impose", 3, [&](int axis) {
        const View3<float> u = s.u.u[axis];
        for (const WetBody& body : wet) {
            const VelocityChange motion = motionOf(body);
            for (const BodyFace& f : body.faces)
                if (f.axis == axis) imposeOn(f, motion, u);
        }
    });
}

void ImmersedBodies::becomeBodies(LiquidState& s)
{
    const View3<float> phi = s.phi;
    for (auto c = covered.rbegin(); c != covered.rend(); ++c) phi(c->cell) = c->phi_m;
    covered.clear();
    fillGhostCells(grid, s.active, phi);
}

void ImmersedBodies::leave(LiquidState& s)
{
    const KernelTimer timer("coupling.leave");
    becomeBodies(s);
    for (const WetBody& body : wet) {
        const VelocityChange now = motionOf(body);
        FluidVelocityChange& gained = world.state.gained[body.body];
        gained.viscosity = body.viscosity;
        gained.gravity_m_s = dt_s * world.params.gravity_m_s2;
        gained.support = body.support;
        gained.pressure = now - body.before - gained.all();  // the remainder
        gained.wet = 1;
    }
}

}  // namespace flotsam
