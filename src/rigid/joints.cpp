#include "rigid/joints.h"

#include <algorithm>
#include <numeric>

#include "core/parallel.h"
#include "rigid/disjoint_sets.h"

namespace flotsam {

namespace {

template <class F>
void forIslands(std::vector<JointIsland>& islands, const F& f)
{
    parallelTasks("rigid.joints", int(islands.size()), [&](int n) { f(islands[size_t(n)]); });
}

}  // namespace

void Joints::set(std::vector<Joint> joints, int moving_bodies, bool is_planar, RigidState& state)
{
    list = std::move(joints);
    moving = moving_bodies;
    planar = is_planar;
    reports.assign(list.size(), {});
    state.joints.assign(list.size(), {});
    excluded.clear();
    for (const Joint& joint : list)
        if (!joint.collide && joint.b != world_body) excluded.emplace_back(std::minmax(joint.a, joint.b));
    std::sort(excluded.begin(), excluded.end());
    arrange(state);
}

bool Joints::excludes(int a, int b) const
{
    return std::binary_search(excluded.begin(), excluded.end(), std::pair<int, int>(std::minmax(a, b)));
}

// Islands of bodies connected by joints that are not broken.
void Joints::arrange(const RigidState& state)
{
    std::vector<int> parent(size_t(moving), 0);
    std::iota(parent.begin(), parent.end(), 0);
    const auto moves = [&](int body) { return body >= 0 && body < moving; };
    for (size_t n = 0; n < list.size(); ++n)
        if (!state.joints[n].broken && moves(list[n].a) && moves(list[n].b)) unite(list[n].a, list[n].b, parent);
    std::vector<std::vector<int>> joints_of(static_cast<size_t>(moving));
    for (size_t n = 0; n < list.size(); ++n)
        if (!state.joints[n].broken)
            joints_of[size_t(rootOf(parent, moves(list[n].a) ? list[n].a : list[n].b))].push_back(int(n));
    islands.clear();
    island_of.assign(size_t(moving), -1);
    for (auto& joints : joints_of) {
        if (joints.empty()) continue;
        islands.emplace_back(std::move(joints), list, moving);
        for (int body : islands.back().bodies()) island_of[size_t(body)] = int(islands.size()) - 1;
    }
}

void Joints::startStep()
{
    std::fill(reports.begin(), reports.end(), JointReport{});
    work_J = {};
    most_rounds = 0;
    is_converged = true;
}

void Joints::startSubstep()
{
    for (JointIsland& island : islands) island.reset();
}

void Joints::startAll(const std::vector<Body>& bodies, double dt_s, const RigidState& state)
{
    forIslands(islands, [&](JointIsland& island) { start(bodies, dt_s, state, island); });
}

void Joints::findNear(const RigidScratch& w)
{
    for (JointIsland& island : islands) {
        island.near = island.floats;
        island.touching.assign(island.bodies().size(), 0);
    }
    for (const ContactPair& pair : w.pairs)
        for (int body : {pair.a, pair.b})
            if (JointIsland* island = islandOf(body)) {
                island->near = true;
                island->touching[size_t(island->localOf(body))] = 1;
            }
}

void Joints::setFloating(std::span<const char> floating)
{
    for (JointIsland& island : islands)
        island.floats = std::any_of(island.bodies().begin(), island.bodies().end(),
                                    [&](int i) { return size_t(i) < floating.size() && floating[size_t(i)] != 0; });
}

void Joints::project(const std::vector<Body>& bodies, double dt_s, const RigidState& state, RigidScratch& w)
{
    forIslands(islands, [&](JointIsland& island) {
        if (!island.near) return;
        start(bodies, dt_s, state, island);
        island.project(w.solver);
    });
}

void Joints::solveVelocities(RigidScratch& w)
{
    forIslands(islands, [&](JointIsland& island) {
        if (!island.near || island.isSolved(w.solver)) return;
        island.solveVelocities(w.solver);
        island.countSolved(w.before);
    });
}

namespace {

bool isTouched(const JointIsland& island, const RigidScratch& w)
{
    return island.floats ||
           std::any_of(island.bodies().begin(), island.bodies().end(),
                       [&](int body) { return w.touched[size_t(body)] != 0; });
}

}  // namespace

void Joints::discardUntouched(std::span<const VelocityChange> acceleration, double dt_s, RigidScratch& w)
{
    for (JointIsland& island : islands) {
        if (!island.near || isTouched(island, w)) continue;
        island.discard();
        for (const int body : island.bodies()) {
            const VelocityChange v = w.before[size_t(body)] + dt_s * acceleration[size_t(body)];
            w.solver[size_t(body)].v = v.v_m_s;
            w.solver[size_t(body)].w = v.w_rad_s;
            w.impulses[size_t(body)].contacts = {};  // friction that the last sweep left where no normal impulse is
        }
    }
}

void Joints::move(const std::vector<Body>& bodies, std::span<const VelocityChange> acceleration, double dt_s,
                  RigidState& state, RigidScratch& w)
{
    forIslands(islands, [&](JointIsland& island) {
        const bool touched = isTouched(island, w);
        if (!touched)
            for (const int body : island.bodies()) {
                w.solver[size_t(body)].v = w.before[size_t(body)].v_m_s;
                w.solver[size_t(body)].w = w.before[size_t(body)].w_rad_s;
            }
        island.move({bodies, list, state.t_s, dt_s, planar}, acceleration, touched, state, w.solver);
    });
    for (JointIsland& island : islands) {
        work_J += island.work();
        most_rounds = std::max(most_rounds, island.rounds());
        is_converged = is_converged && island.converged();
        for (const JointIsland::Member& m : island.members()) {
            JointReport& report = reports[size_t(m.index)];
            state.joints[size_t(m.index)].coordinate = m.rows.axis.value;
            report.force_N += m.on_b.linear_N_s;
            report.torque_N_m += m.on_b.angular_N_m_s;
            report.motor_W += m.motor_J;
            report.motor += m.motor_N_s;
            report.limited |= m.limited;
        }
    }
}

void Joints::close(const std::vector<Body>& bodies, double dt_s, RigidState& state)
{
    forIslands(islands, [&](JointIsland& island) {
        if (island.near) island.close({bodies, list, state.t_s, dt_s, planar}, state);
    });
}

void Joints::factorActive(const std::vector<Body>& bodies, const RigidState& state, std::vector<HeldRow>& held)
{
    for (JointIsland& island : islands) island.held_by_contacts = false;
    for (const HeldRow& row : held)
        for (int body : {row.a, row.b})
            if (isJoined(body)) islands[size_t(island_of[size_t(body)])].held_by_contacts = true;
    const JointContext context{bodies, list, state.t_s, 1, planar};
    for (JointIsland& island : islands)
        if (island.held_by_contacts) island.addActiveRows(context, state, held);
    forIslands(islands, [&](JointIsland& island) {
        if (!island.held_by_contacts) island.factorActive(context, state);
    });
}

void Joints::addActiveRows(const std::vector<Body>& bodies, const RigidState& state, std::vector<HeldRow>& held)
{
    const JointContext context{bodies, list, state.t_s, 1, planar};
    for (JointIsland& island : islands) island.addActiveRows(context, state, held);
}

void Joints::respond(std::span<const Impulse> impulses, std::span<VelocityChange> changes)
{
    for (JointIsland& island : islands)
        if (!island.held_by_contacts) island.respond(impulses, changes);
}

void Joints::endStep(double step_s, RigidState& state)
{
    bool broke = false;
    for (size_t j = 0; j < list.size(); ++j) {
        JointReport& report = reports[j];
        report.force_N = report.force_N / step_s;
        report.torque_N_m = report.torque_N_m / step_s;
        report.motor /= step_s;
        report.motor_W /= step_s;
        if (state.joints[j].broken ||
            (length(report.force_N) <= list[j].break_N && length(report.torque_N_m) <= list[j].break_N_m))
            continue;
        broke = true;
        state.joints[j].broken = 1;
    }
    if (broke) arrange(state);
}

}  // namespace flotsam
