#include "run/body_rows.h"

#include <fmt/format.h>

namespace flotsam {

std::string bodyRows(int step, const RigidWorld& world)
{
    fmt::memory_buffer text;
    for (int i = 0; i < world.moving(); ++i) {
        const BodyState& s = world.state.bodies[size_t(i)];
        fmt::format_to(fmt::appender(text), "{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{},{}\n", step,
                       world.state.t_s, world.bodies[size_t(i)].name, s.x_m.x, s.x_m.y, s.x_m.z, s.q.w, s.q.x, s.q.y,
                       s.q.z, s.v_m_s.x, s.v_m_s.y, s.v_m_s.z, s.w_rad_s.x, s.w_rad_s.y, s.w_rad_s.z,
                       world.isWet(i) ? 1 : 0);
    }
    return fmt::to_string(text);
}

}  // namespace flotsam
