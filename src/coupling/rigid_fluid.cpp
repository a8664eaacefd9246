#include "coupling/rigid_fluid.h"

#include "core/profile.h"

namespace flotsam {

RigidFluid::RigidFluid(const Scene& scene, const Grid& grid_, const Solids& solids, RigidWorld& world_)
    : ImmersedBodies(scene, grid_, solids, world_), params(scene.coupling)
{
}

std::vector<BodyFace> RigidFluid::facesOf(const BodyObstacle& body, const std::vector<BodyCell>& near) const
{
    return facesByFraction(grid, body, near, params.sub_cell_volume);
}

// A body whose velocity is not yet in the field imposes it.
void RigidFluid::begin(LiquidState& s, LiquidScratch& w)
{
    w.bodies.near.clear();
    before.clear();
    for (WetBody& body : wet) {
        if (isInField(body, s)) {
            before.push_back({motionBefore(body), collisionOf(body)});
        } else {
            impose(body, s);
            before.push_back({motionOf(body), body.support});
        }
        body.support = {};  // included in the source term
    }
}

// The extra buoyant weight of Patankar (2001), which reduces the slip at the body surface: dt f (s - 1). The source
// term then has no f.
void RigidFluid::afterForces(LiquidState& s)
{
    if (params.buoyancy == Buoyancy::late) return;
    for (const WetBody& body : wet)
        for (const BodyFace& f : body.faces)
            s.u.u[f.axis].view()(f.at) +=
                f.fraction * float(dt_s * (body.density - 1) * world.params.gravity_m_s2[f.axis]);
}

// Eqs. 70, 71: u^ = u* + w dt S / rho_r with
//   dt S / rho_r = dt (A_c + alpha_c x r) - (1 - 1/s) (dt Du/Dt - dt f),   s = rho_r / rho_f.
// Eq. 70 prints r x alpha_c, which has the wrong sign. The acceleration (u* - u^n) / dt + (u* . grad) u* is that of the
// body's material points, taken along the body's trajectory: u* minus the earlier velocity of the same point of the
// body.
void RigidFluid::addSource(const WetBody& body, const PreviousMotion& b, LiquidState& s) const
{
    const double lighter = 1 - 1 / body.density;
    const Vec3 f_dt = params.buoyancy == Buoyancy::late ? dt_s * world.params.gravity_m_s2 : Vec3{};
    for (const BodyFace& f : body.faces) {
        float& u = s.u.u[f.axis].view()(f.at);
        const double gained = double(u) - speedAt(b.motion, f) - f_dt[f.axis];
        u += f.fraction * float(speedAt(b.collision, f) - lighter * gained);
    }
}

// Eqs. 76-80: fits the rigid motion with the momentum of the field in the body, and imposes it there.
void RigidFluid::afterLastProjection(LiquidState& s)
{
    const KernelTimer timer("coupling.solidify");
    for (size_t n = 0; n < wet.size(); ++n) {
        addSource(wet[n], before[n], s);
        takeMotion(wet[n], s);
        impose(wet[n], s);
    }
}

}  // namespace flotsam
