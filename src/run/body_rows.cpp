#include "run/body_rows.h"

#include <fmt/format.h>

namespace flotsam {

std::string bodyRows(const Simulation& sim, std::span<const StepImpulses> impulses)
{
    const RigidWorld& world = sim.world;
    fmt::memory_buffer text;
    const auto add = [&](auto... values) { (fmt::format_to(fmt::appender(text), "{},", values), ...); };
    const auto addVector = [&](Vec3 v) { add(v.x, v.y, v.z); };
    for (int i = 0; i < world.moving(); ++i) {
        const BodyState& s = world.state.bodies[size_t(i)];
        add(sim.liquid.state.step, world.state.t_s, world.bodies[size_t(i)].name);
        addVector(s.x_m);
        add(s.q.w, s.q.x, s.q.y, s.q.z);
        const VelocityChange moved = sim.movedWith(i);
        addVector(moved.v_m_s);
        addVector(moved.w_rad_s);
        add(sim.isWet(i) ? 1 : 0);
        const StepImpulses j = impulses.empty() ? StepImpulses{} : impulses[size_t(i)];
        for (const Impulse& part : {j.pressure, j.viscosity, j.contact, j.gravity}) addVector(part.linear_N_s);
        for (const Impulse& part : {j.pressure, j.viscosity, j.contact}) addVector(part.angular_N_m_s);
        addVector(j.joint.linear_N_s);
        addVector(j.joint.angular_N_m_s);
        text.data()[text.size() - 1] = '\n';
    }
    return fmt::to_string(text);
}

}  // namespace flotsam
