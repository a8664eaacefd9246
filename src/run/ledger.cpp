#include "run/ledger.h"

#include <fmt/format.h>

#include "liquid/particles.h"
#include "rigid/joint_measure.h"

namespace flotsam {

namespace {

// JSON has no NaN: NaN and infinity become null.
std::string number(double v) { return std::isfinite(v) ? fmt::format("{}", v) : "null"; }
std::string vector(Vec3 v) { return fmt::format("[{},{},{}]", number(v.x), number(v.y), number(v.z)); }

// Speed of the fastest face or body, which of the two, where, and the energy bound there.
std::string fastestText(const LiquidMeasures& m, const RigidWorld& world, const EnergyBound& energy)
{
    const double of_bodies = world.fastest();
    const bool body = of_bodies > m.max_speed_m_s;
    const Vec3 at_m = body ? world.fastestAt() : m.max_speed_at_m;
    const std::string fastest = fmt::format("\"max_speed_m_s\":{}", number(std::max(m.max_speed_m_s, of_bodies)));
    if (!std::isfinite(dot(at_m, at_m)))
        return fastest + ",\"max_speed_of\":null,\"max_speed_at_m\":null,\"energy_speed_m_s\":null";
    return fmt::format("{},\"max_speed_of\":\"{}\",\"max_speed_at_m\":{},\"energy_speed_m_s\":{}", fastest,
                       body ? "body" : "liquid", vector(at_m), number(energy.speedAt(at_m)));
}

// What the energy limit of contacts removed: in all, from how many islands, the most from one of them, and a body of
// it.
std::string energyLimitText(const RigidReport& contacts)
{
    EnergyCut most;
    for (const EnergyCut& cut : contacts.energy_cuts)
        if (cut.removed_J > most.removed_J) most = cut;
    return fmt::format("\"energy_limit\":{{\"removed_J\":{},\"islands\":{},\"most_J\":{},\"body\":{}}},",
                       number(contacts.removed_J()), contacts.energy_cuts.size(), number(most.removed_J), most.body);
}

std::string jointsText(const RigidWorld& world)
{
    if (world.joints.empty()) return {};
    const JointsMeasure m = measureJoints(world);
    return fmt::format(
        "\"joints\":{{\"count\":{},\"gap_m\":{},\"residual\":{},\"rounds\":{},\"limited\":{},\"converged\":{}}},"
        "\"motor_work_J\":{},\"angular_momentum_N_m_s\":{},",
        m.count, number(m.gap_m), number(m.residual), world.joints.rounds(), m.limited, world.joints.converged(),
        number(world.joints.work().motors), vector(world.angularMomentum()));
}

}  // namespace

std::string ledgerLine(const StepReport& report, const Simulation& sim, const EnergyBound& energy, int frame,
                       const std::string& failure, const Profile& profile, double wall_s)
{
    const LiquidState& state = sim.liquid.state;
    const RigidWorld& world = sim.world;
    const LiquidMeasures& m = report.liquid;
    std::string stages;
    for (const auto& [stage, seconds] : profile.byStage())
        stages += fmt::format("{}\"{}\":{:.6f}", stages.empty() ? "" : ",", stage, seconds);
    const std::string heat = sim.scene.heat.on ? fmt::format("\"heat_J\":{},\"heat_correction_J\":{},",
                                                             number(report.heat_J), number(report.heat_correction_J))
                                               : "";
    const std::string failed = failure.empty() ? "" : fmt::format("\"failure\":\"{}\",", failure);
    return fmt::format(
        "{{\"step\":{},\"frame\":{},\"t_s\":{},\"dt_s\":{},\"liquid_volume_m3\":{},\"volume_target_m3\":{},\"volume_"
        "correction_1_s\":{},\"volume_given_back_m3\":{},\"volume_lost_m3\":{},"
        "\"liquid_momentum_kg_m_s\":{},\"body_momentum_kg_m_s\":{},\"total_momentum_kg_m_s\":{},\"kinetic_energy_J\":{}"
        ",\"potential_energy_J\":"
        "{},"
        "{},\"max_divergence_1_s\":{},\"liquid_cells\":{},\"particles\":{},"
        "{}\"pressure\":{{\"solves\":{},\"iterations\":{},\"residual\":{},\"converged\":{},\"sealed_pockets\":{}}},"
        "\"viscosity\":{{\"iterations\":{},\"residual\":{},\"converged\":{}}},\"contacts\":{},\"overlap_m\":{},"
        "\"cut_off\":{{\"collisions\":{},\"shocks\":{},\"substeps\":{}}},{}{}{}"
        "\"stage_"
        "s\":{{{}}},"
        "\"wall_"
        "s\":{:.3f}}}\n",
        state.step, frame, number(state.t_s), number(report.dt_s), number(m.volume_m3), number(state.volume_target_m3),
        number(report.volume_correction_1_s), number(state.volume_given_back_m3), number(state.volume_lost_m3),
        vector(m.momentum_kg_m_s), vector(world.momentum()), vector(m.momentum_kg_m_s + world.momentum()),
        number(m.kinetic_energy_J + world.kineticEnergy()), number(m.potential_energy_J + world.potentialEnergy()),
        fastestText(m, world, energy), number(report.max_divergence_1_s), m.liquid_cells,
        countParticles(state.particles), heat, report.pressure.solves, report.pressure.iterations,
        number(report.pressure.residual), report.pressure.converged, report.pressure.sealed_pockets,
        report.viscosity.iterations, number(report.viscosity.residual), report.viscosity.converged,
        report.contacts.contacts, number(report.contacts.deepest_m), report.contacts.cut_collisions,
        report.contacts.cut_shocks, report.contacts.cut_substeps, energyLimitText(report.contacts), jointsText(world),
        failed, stages, wall_s);
}

}  // namespace flotsam
