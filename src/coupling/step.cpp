#include "coupling/step.h"

#include <algorithm>

namespace flotsam {

namespace {

// The two loops of thesis 5.7.2. With two projections, the loop of all its animations but one, trajectories follow a
// divergence-free velocity. The optimised loop omits the first projection.
template <class AddForces>
void solveVelocity(LiquidStep& step, Liquid& liquid, const AddForces& addForces)
{
    if (liquid.scene.liquid.loop == Loop::two_projections) {
        addForces();
        liquid.projectForTrajectories(step);
        liquid.advect(step);
    } else {
        liquid.extendForTrajectories();
        liquid.advect(step);
        addForces();
    }
    liquid.diffuse(step);
    liquid.project(step);
}

LiquidStep begin(double dt_s, double bodies_m_s, Liquid& liquid)
{
    return liquid.begin(dt_s, std::max(dt_s, liquid.maxTimeStep(bodies_m_s)));
}

void solveMonolithic(LiquidStep& step, Liquid& liquid, Monolithic& bodies)
{
    liquid.openGaps(step);
    bodies.enter(step.dt_s, liquid.state, liquid.scratch);  // J, C, and gravity for the bodies
    liquid.setUpSolves();
    solveVelocity(step, liquid, [&] { liquid.addGravity(step); });
    liquid.endSolves(step);
    liquid.closeGaps(step);
    bodies.leave();
}

// Surface and bodies move with the velocity of the last solve, which thus belongs to the middle of their step. The
// velocity of the scene belongs to its start, so the first solve advances it by half a step. With a full step, an
// oscillation released from rest had (w dt)^2 / 4 more energy, and what rises or falls from rest was half a step ahead.
void advanceHalfStep(double dt_s, Liquid& liquid, Monolithic& bodies, LiquidReport& report)
{
    LiquidStep half;
    half.dt_s = 0.5 * dt_s;
    half.longest_s = std::max(half.dt_s, liquid.maxTimeStep(bodies.fastest()));
    bodies.findContacts(dt_s, liquid.state);
    solveMonolithic(half, liquid, bodies);
    report.pressure = half.report.pressure;
    report.viscosity = half.report.viscosity;
}

}  // namespace

// docs/methods/liquid.md
LiquidReport stepLiquid(double dt_s, Liquid& liquid)
{
    LiquidStep step = begin(dt_s, 0, liquid);
    liquid.moveSurface(step);
    liquid.openGaps(step);
    liquid.setUpSolves();
    solveVelocity(step, liquid, [&] { liquid.addGravity(step); });
    liquid.endSolves(step);
    liquid.closeGaps(step);
    return liquid.end(step);
}

// docs/methods/coupling.md, section 2. The bodies are walls whose velocity is unknown: their velocities are unknowns of
// each projection and of the viscous solve.
LiquidReport stepMonolithic(double dt_s, Liquid& liquid, Monolithic& bodies)
{
    LiquidReport half;
    if (liquid.state.step == 0) advanceHalfStep(dt_s, liquid, bodies, half);
    LiquidStep step = begin(dt_s, bodies.fastest(), liquid);
    step.report.pressure = half.pressure;
    step.report.viscosity = half.viscosity;
    bodies.move(dt_s, true);  // with the forces of the last fluid solve; contacts and joints
    liquid.moveSurface(step);
    solveMonolithic(step, liquid, bodies);
    return liquid.end(step);
}

// docs/methods/coupling.md, section 3. The wet bodies count as liquid until becomeRigid().
LiquidReport stepRigidFluid(double dt_s, Liquid& liquid, RigidFluid& bodies)
{
    LiquidStep step = begin(dt_s, bodies.fastest(), liquid);
    bodies.move(dt_s, false);  // A_c, alpha_c of eqs. 68, 69
    liquid.moveSurface(step);
    liquid.openGaps(step);
    bodies.becomeLiquid(liquid.state, liquid.scratch);
    liquid.setUpSolves();
    solveVelocity(step, liquid, [&] {
        liquid.addGravity(step);
        bodies.addBuoyancy(liquid.state);
    });
    bodies.becomeRigid(liquid.state);  // eqs. 70-80
    liquid.endSolves(step);
    bodies.becomeBodies(liquid.state);
    liquid.closeGaps(step);
    return liquid.end(step);
}

}  // namespace flotsam
