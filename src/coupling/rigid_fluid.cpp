#include "coupling/rigid_fluid.h"

#include "core/parallel.h"
#include "liquid/boundary.h"
#include "liquid/surface.h"

namespace flotsam {

namespace {

// Width of the band of cells around a body in which its phi is used.
constexpr double margin_cells = 2;

}  // namespace

RigidFluid::RigidFluid(const Scene& scene, const Grid& grid_, const Solids& solids, RigidWorld& world_)
    : CoupledBodies(grid_, solids, world_, Solids::Others::barriers), params(scene.coupling)
{
    for (const BodySpec& body : scene.bodies) densities.push_back(body.density_kg_m3 / scene.liquid.density_kg_m3);
}

void RigidFluid::start(const LiquidState& s)
{
    for (size_t i = 0; i < shapes.size(); ++i)
        gained[i].wet = hasLiquidAround(grid, cellsNear(grid, *shapes[i], 1), s.phi.view()) ? 2 : 0;
}

void RigidFluid::becomeLiquid(LiquidState& s, LiquidScratch& w)
{
    const KernelTimer timer("coupling.enter");
    wet.clear();
    std::vector<WetBody> found(shapes.size());
    parallelTasks("coupling.raster", int(shapes.size()), [&](int n) {
        const size_t i = size_t(n);
        std::vector<BodyCell> near = cellsNear(grid, *shapes[i], margin_cells);
        if (!hasLiquidAround(grid, near, s.phi.view())) return;
        std::vector<BodyFace> faces = facesByFraction(grid, *shapes[i], near, params.sub_cell_volume);
        const NormalMatrix matrix = normalMatrixOf(faces, world.bodies[i].collider->reach_m);
        found[i] = {i, densities[i], {}, {}, {}, std::move(near), std::move(faces), matrix};
    });
    for (size_t i = 0; i < found.size(); ++i) {
        if (!found[i].cells.empty()) {
            enter(found[i], s);
            wet.push_back(std::move(found[i]));
        } else {
            const bool was_wet = isWet(i);
            gained[i] = {};
            if (was_wet) becomeDry(i);
        }
    }
    coverPhi(s, w);
}

// A body whose velocity is not in the field yet imposes it. The rigid solver has applied gravity to one that was dry,
// and the fluid solve will apply it again: it is subtracted.
void RigidFluid::enter(WetBody& body, LiquidState& s)
{
    const bool is_in_field = gained[body.body].wet == 1, was_dry = !isWet(body.body);
    gained[body.body] = {};
    if (was_dry) {
        const Vec3 gravity_m_s = dt_s * world.params.gravity_m_s2;
        addMotion(body.body, {-1.0 * gravity_m_s, {}});
        last_impulses[body.body].gravity.linear_N_s -= world.bodies[body.body].mass_kg * gravity_m_s;
    }
    body.before = body.in_field = motionOf(body.body);
    if (!is_in_field) {
        impose(body, s);
        return;
    }
    const CollisionAcceleration& c = world.collisionAccelerations()[body.body];
    body.collision = {dt_s * c.A_c_m_s2, dt_s * c.alpha_c_rad_s2};
    body.in_field = body.before - body.collision;
}

void RigidFluid::coverPhi(LiquidState& s, LiquidScratch& w)
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

void RigidFluid::addBuoyancy(LiquidState& s) const
{
    if (params.buoyancy == Buoyancy::late) return;
    for (const WetBody& body : wet)
        for (const BodyFace& f : body.faces)
            s.u.u[f.axis].view()(f.at) +=
                f.fraction * float(dt_s * (body.density - 1) * world.params.gravity_m_s2[f.axis]);
}

void RigidFluid::becomeRigid(LiquidState& s)
{
    const KernelTimer timer("coupling.solidify");
    for (const WetBody& body : wet) {
        addSource(body, s);
        fitMotion(body, s);
        impose(body, s);
    }
}

// Eqs. 70, 71: u^ = u* + w dt S / rho_r with
//   dt S / rho_r = dt (A_c + alpha_c x r) - (1 - 1/s) (dt Du/Dt - dt f),   s = rho_r / rho_f.
// Eq. 70 prints r x alpha_c, which has the wrong sign. The acceleration (u* - u^n) / dt + (u* . grad) u* is that of the
// body's material points, taken along the body's trajectory: u* minus the earlier velocity of the same point of the
// body.
void RigidFluid::addSource(const WetBody& body, LiquidState& s) const
{
    const double lighter = 1 - 1 / body.density;
    const Vec3 f_dt = params.buoyancy == Buoyancy::late ? dt_s * world.params.gravity_m_s2 : Vec3{};
    for (const BodyFace& f : body.faces) {
        float& u = s.u.u[f.axis].view()(f.at);
        const double change = double(u) - speedAt(body.in_field, f) - f_dt[f.axis];
        u += f.fraction * float(speedAt(body.collision, f) - lighter * change);
    }
}

// Eqs. 76-78: the rigid motion with the momentum of the field in the body.
void RigidFluid::fitMotion(const WetBody& body, LiquidState& s)
{
    const Body& b = world.bodies[body.body];
    addMotion(body.body, allowed(b, fitResidualRigidMotion(motionOf(body.body), body.faces, body.matrix, s.u,
                                                           b.collider->reach_m)));
}

// Eq. 80.
void RigidFluid::impose(const WetBody& body, LiquidState& s) const
{
    const VelocityChange motion = motionOf(body.body);
    for (const BodyFace& f : body.faces) {
        float& u = s.u.u[f.axis].view()(f.at);
        u += f.fraction * (float(speedAt(motion, f)) - u);
    }
}

void RigidFluid::becomeBodies(LiquidState& s)
{
    const KernelTimer timer("coupling.leave");
    const View3<float> phi = s.phi;
    for (auto c = covered.rbegin(); c != covered.rend(); ++c) phi(c->cell) = c->phi_m;
    covered.clear();
    fillGhostCells(grid, s.active, phi);
    for (const WetBody& body : wet) {
        FluidVelocityChange& change = gained[body.body];
        change.gravity_m_s = dt_s * world.params.gravity_m_s2;
        change.pressure = motionOf(body.body) - body.before - change.all();  // the remainder
        change.wet = 1;
    }
}

}  // namespace flotsam
