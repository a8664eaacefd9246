#include "run/joint_lines.h"

#include <fmt/format.h>

#include <numbers>

#include "rigid/joint_measure.h"

namespace flotsam {

std::string jointLines(int step, const RigidWorld& world)
{
    constexpr double degrees = 180 / std::numbers::pi;
    fmt::memory_buffer text;
    const auto add = [&](auto... values) { (fmt::format_to(fmt::appender(text), "{},", values), ...); };
    const auto addVector = [&](Vec3 v) { add(v.x, v.y, v.z); };
    for (size_t n = 0; n < world.joints.list.size(); ++n) {
        const Joint& joint = world.joints.list[n];
        const JointMeasure m = measureJoint(world, n);
        const JointReport& r = world.joints.reports[n];
        const bool slides = joint.kind == JointKind::slider;
        const double none = 0 * m.target;  // nan where there is no target
        add(step, world.state.t_s, joint.name);
        if (slides)
            add(0.0, none, none, 0.0, 0.0);
        else
            add(degrees * m.coordinate, degrees * m.target, degrees * (m.coordinate - m.target), m.rate, r.motor);
        addVector(r.torque_N_m);
        addVector(r.force_N);
        add(m.gap_m, degrees * m.tilt_rad, r.motor_W, r.limited ? 1 : 0);
        if (slides)
            add(m.coordinate, m.target, m.coordinate - m.target, m.rate, r.motor);
        else
            add(0.0, none, none, 0.0, 0.0);
        add(world.state.joints[n].broken);
        text.data()[text.size() - 1] = '\n';
    }
    return fmt::to_string(text);
}

}  // namespace flotsam
