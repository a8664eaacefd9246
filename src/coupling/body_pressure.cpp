#include "coupling/body_pressure.h"

#include <algorithm>
#include <utility>

#include "coupling/body_coarse_space.h"
#include "coupling/coupled_bodies.h"
#include "coupling/pocket_pressure.h"
#include "liquid/pressure.h"

namespace flotsam {

namespace {

using Vector6 = BodyPressure::Vector6;
using Matrix6 = BodyPressure::Matrix6;

Vec3 upper(const Vector6& v) { return {v[0], v[1], v[2]}; }
Vec3 lower(const Vector6& v) { return {v[3], v[4], v[5]}; }
Vector6 joined(Vec3 a, Vec3 b) { return {a.x, a.y, a.z, b.x, b.y, b.z}; }

}  // namespace

BodyPressure::BodyPressure(const Grid& grid, RigidWorld& world_, double density)
    : world(world_),
      density_kg_m3(density),
      cell_kg(density * grid.h * grid.h * grid.h),
      faces(grid),
      flow(grid),
      coarse(std::make_unique<BodyCoarseSpace>())
{
}
BodyPressure::~BodyPressure() = default;

void BodyPressure::cover(const std::vector<const BodyObstacle*>& shapes, const std::vector<double>& volume_m3,
                         View3<const float> phi, Solids& walls)
{
    bodies = shapes;
    solids_and_bodies = &walls;
    is_assembled = false;
    coarse->forgetModes();
    faces.find(shapes, volume_m3, cell_kg, phi, walls);
}

void BodyPressure::start(std::vector<HeldRow> held, const std::vector<char>& in_system,
                         const std::vector<char>& entering, Vec3 gravity, Vec3 own_gravity)
{
    gravity_m_s = gravity_here_m_s = gravity;
    rows = std::move(held);
    mass = world.constrainedMass(rows, faces.carried_kg);
    const size_t count = faces.carried_kg.size();
    pending.assign(count, Vector6::Zero());
    applied.assign(count, Vector6::Zero());
    before.resize(count);
    impulses_scratch.resize(count);
    changes_scratch.resize(count);
    product.resize(count);
    least_closing_m_s = 1e-6 * length(gravity_m_s);
    least_N_s = cell_kg * least_closing_m_s;
    const auto momentum = [&](size_t i, Vec3 v_m_s) { return joined(world.bodies[i].mass_kg * v_m_s, {}); };
    // The bodies' own step has applied gravity, and the contacts and joints that carried it: the solve does it again.
    if (std::any_of(entering.begin(), entering.end(), [](char is) { return is != 0; })) {
        std::vector<Vector6> own(count, Vector6::Zero());
        for (size_t i = 0; i < count; ++i)
            if (entering[i]) own[i] = -momentum(i, own_gravity);
        accelerate(own);
        applied.assign(count, Vector6::Zero());
    }
    for (size_t i = 0; i < count; ++i) {
        before[i] = {world.state.bodies[i].v_m_s, world.state.bodies[i].w_rad_s};
        if (in_system[i]) pending[i] = momentum(i, gravity_m_s);
    }
    // Liquid at a locked face has the velocity of its body, and gravity once in a step. With the velocity of the field,
    // which there is that of the extension, the body would exchange momentum with it in each step, however short: the
    // first minimum of a heaving cylinder was -0.480 of the start at 1/240 s and -0.422 at 1/960 s, and is -0.500.
    for (const CoveredFaces::Carried& c : faces.carried)
        pending[c.at.body] += c.mass_kg * gravity_m_s[c.at.axis] * c.at.row;
    for (const CoveredFaces::End& e : faces.ends)
        pending[e.at.body] -= density_kg_m3 * e.volume_m3 * gravity_m_s[e.at.axis] * e.at.row;
    stopAlongRows();
}

// The contact solver stops at 1e-4 g dt. The rows would keep the rest, and the bodies of a stack squeeze the liquid
// between them: 9e-5 m/s where nothing should move. C M V is V without its component along the rows. Larger components
// are motion, such as that on a floor with a prescribed motion.
void BodyPressure::stopAlongRows()
{
    for (size_t i = 0; i < before.size(); ++i) {
        const Vector6 with_liquid = faces.carried_kg[i] * velocityOf(i);
        const Impulse own = impulseOf(world, i, before[i]);
        impulses_scratch[i] = {own.linear_N_s + upper(with_liquid), own.angular_N_m_s + lower(with_liquid)};
    }
    mass.apply(impulses_scratch, changes_scratch);
    const double most_m_s = 1e-3 * length(gravity_m_s);
    for (size_t i = 0; i < before.size(); ++i) {
        const VelocityChange rest = before[i] - changes_scratch[i];
        if (length(rest.v_m_s) + world.bodies[i].collider->reach_m * length(rest.w_rad_s) > most_m_s) continue;
        world.state.bodies[i].v_m_s -= rest.v_m_s;
        world.state.bodies[i].w_rad_s -= rest.w_rad_s;
    }
}

BodyPressure::Vector6 BodyPressure::velocityOf(size_t body) const
{
    const BodyState& s = world.state.bodies[body];
    return joined(s.v_m_s, s.w_rad_s);
}

BodyPressure::Motion BodyPressure::motion() const
{
    Motion m{{}, applied};
    for (size_t i = 0; i < applied.size(); ++i) m.v.push_back(velocityOf(i));
    return m;
}

void BodyPressure::setMotion(const Motion& m)
{
    applied = m.impulses;
    for (size_t i = 0; i < m.v.size(); ++i) {
        world.state.bodies[i].v_m_s = upper(m.v[i]);
        world.state.bodies[i].w_rad_s = lower(m.v[i]);
    }
}

// Gives the bodies impulses.
void BodyPressure::accelerate(const std::vector<Vector6>& impulses)
{
    for (size_t i = 0; i < impulses.size(); ++i) {
        impulses_scratch[i] = {upper(impulses[i]), lower(impulses[i])};
        applied[i] += impulses[i];
    }
    mass.apply(impulses_scratch, changes_scratch);
    for (size_t i = 0; i < impulses.size(); ++i) {
        world.state.bodies[i].v_m_s += changes_scratch[i].v_m_s;
        world.state.bodies[i].w_rad_s += changes_scratch[i].w_rad_s;
    }
}

VelocityChange BodyPressure::heldChange(size_t body) const
{
    const Matrix6 own = world.inverseMatrix(body);
    const Vector6 change = velocityOf(body) - joined(before[body].v_m_s, before[body].w_rad_s);
    // (M + C) dV = f + J^T l
    const Vector6 held = change + own * (faces.carried_kg[body] * change - applied[body]);
    return {upper(held), lower(held)};
}

void BodyPressure::assemble(View3<const float> phi, const PoissonLevel& level)
{
    flow.assemble(faces, bodies, *solids_and_bodies, phi, level);
    for (const BodyFlow::Continued& c : flow.continued)
        pending[c.body] += cell_kg * dot(gravity_m_s, {double(c.way.x), double(c.way.y), double(c.way.z)}) * c.row;
    is_assembled = true;
}

void BodyPressure::startProjection(LiquidState& s, PoissonSolver& solver)
{
    if (!is_assembled) assemble(s.phi.view(), solver.fine());
    accelerate(pending);
    for (Vector6& p : pending) p.setZero();
    float* b = solver.rightHandSide().data();
    for (size_t i = 0; i < flow.rows.size(); ++i) {
        const Vector6 v = velocityOf(i);
        for (const BodyEntry& e : flow.rows[i]) b[e.cell] -= float(e.row.dot(v));
    }
}

void BodyPressure::addOutflow(float* out) const
{
    for (size_t i = 0; i < flow.rows.size(); ++i) {
        const Vector6 v = velocityOf(i);
        for (const BodyEntry& e : flow.rows[i]) out[e.cell] += float(e.row.dot(v));
    }
}

// Contacts that would pull, or whose friction is too weak.
bool BodyPressure::releaseContacts()
{
    for (size_t i = 0; i < applied.size(); ++i) impulses_scratch[i] = {upper(applied[i]), lower(applied[i])};
    return world.releaseContacts(rows, mass.impulsesOfRows(impulses_scratch), least_N_s);
}

// Contacts that close hold from now on; where none closes, those that cannot hold are released. All impulses then act
// again. In this order: a plank that falls to the floor would pull at the ball on it.
bool BodyPressure::changeContacts()
{
    if (!world.holdClosing(before, least_closing_m_s) && !releaseContacts()) return false;
    rows = world.heldRows();
    mass = world.constrainedMass(rows, faces.carried_kg);
    coarse->forgetFactors();
    for (size_t i = 0; i < before.size(); ++i) {
        world.state.bodies[i].v_m_s = before[i].v_m_s;
        world.state.bodies[i].w_rad_s = before[i].w_rad_s;
    }
    const std::vector<Vector6> all = std::exchange(applied, std::vector<Vector6>(before.size(), Vector6::Zero()));
    accelerate(all);
    return true;
}

bool BodyPressure::endProjection(PoissonSolver& solver, LiquidState& s)
{
    settlePockets(std::exchange(gravity_here_m_s, Vec3{}), solver);
    const double* q = solver.solution().data();
    std::vector<Vector6> impulses(flow.rows.size(), Vector6::Zero());
    for (size_t i = 0; i < flow.rows.size(); ++i)
        for (const BodyEntry& e : flow.rows[i]) impulses[i] += cell_kg * q[e.cell] * e.row;
    accelerate(impulses);
    const bool closed = looks_for_contacts && changeContacts();
    for (const CoveredFaces::Carried& c : faces.carried)
        s.u.u[c.at.axis].view()(c.at.at) = float(c.at.row.dot(velocityOf(c.at.body)));
    return closed;
}

// J v
template <class T>
std::vector<Vector6> BodyPressure::impulsesOf(const T* v) const
{
    std::vector<Vector6> impulses(flow.rows.size(), Vector6::Zero());
    parallelTasks("coupling.impulses", int(flow.rows.size()), [&](int task) {
        Vector6 sum = Vector6::Zero();
        for (const BodyEntry& e : flow.rows[size_t(task)]) sum += double(v[e.cell]) * e.row;
        impulses[size_t(task)] = sum;
    });
    return impulses;
}

// Keeps rho h^3 C f as the product; returns f . product.
double BodyPressure::accelerateBy(const std::vector<Vector6>& impulses)
{
    for (size_t i = 0; i < impulses.size(); ++i) impulses_scratch[i] = {upper(impulses[i]), lower(impulses[i])};
    mass.apply(impulses_scratch, changes_scratch);
    double energy = 0;
    for (size_t i = 0; i < impulses.size(); ++i) {
        product[i] = cell_kg * joined(changes_scratch[i].v_m_s, changes_scratch[i].w_rad_s);
        energy += impulses[i].dot(product[i]);
    }
    return energy;
}

template <class T>
double BodyPressure::multiplyBy(const T* v)
{
    return accelerateBy(impulsesOf(v));
}

bool BodyPressure::prepareCoarse(const PoissonLevel& level, const std::vector<SealedPocket>& pockets, int build)
{
    return coarse->prepare(build, flow.rows, mass, cell_kg, level, pockets);
}

void BodyPressure::correctSolution(double* x, float* r)
{
    coarse->solve(r, nullptr, nullptr);
    coarse->addTo(x);
    coarse->subtractProduct(r);
    accelerateBy(coarse->impulses());
    subtract(1, r);
}

double BodyPressure::correct(const float* r, float* z)
{
    accelerateBy(impulsesOf(z));
    const double more = coarse->solve(r, z, &product);
    coarse->addTo(z);
    return more;
}

void BodyPressure::subtract(double scale, float* r) const
{
    for (size_t i = 0; i < flow.rows.size(); ++i) {
        const Vector6 by = scale * product[i];
        for (const BodyEntry& e : flow.rows[i]) r[e.cell] -= float(e.row.dot(by));
    }
}

}  // namespace flotsam
