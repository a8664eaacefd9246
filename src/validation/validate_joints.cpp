// Joints without liquid: pendulums, linkages, chains, a figure on steps, motors.
#include <cmath>
#include <numbers>

#include "validation/joint_cases.h"
#include "validation/validate_case.h"

namespace flotsam {

namespace {

constexpr double g_m_s2 = 9.81, step_s = 1.0 / 120;
constexpr int ten_seconds = 1200;

std::vector<Finding> measureRodPendulum(const std::filesystem::path&)
{
    constexpr double period_s = 1.637947;
    const Oscillation small = oscillate(rodPendulum(0.01), step_s),
                      large = oscillate(rodPendulum(std::numbers::pi / 2), step_s);
    return {relativeFinding("small: period [s]", small.period_s, period_s, 1e-3),
            relativeFinding("90 deg: period over that of small ones", large.period_s / period_s, 1.180341, 1e-3),
            absoluteFinding("joint gap [m]", std::max(small.gap_m, large.gap_m), 0, 1e-9)};
}

void addDoublePendulum(const char* name, const RigidWorld& world, double first_rad, double second_rad, double depth_J,
                       std::vector<Finding>& findings)
{
    const auto quantity = [name](const char* what) { return std::string(name) + ": " + what; };
    const double coarse = doublePendulumError(world, first_rad, second_rad, 120),
                 fine = doublePendulumError(world, first_rad, second_rad, 240);
    RigidWorld swings = world;
    const JointDrift drift = watch(swings, step_s, ten_seconds);
    findings.push_back(absoluteFinding(quantity("angles after 1 s, 1/120 s [rad]"), coarse, 0, 2e-3));
    findings.push_back(absoluteFinding(quantity("angles after 1 s, 1/240 s [rad]"), fine, 0, 5e-4));
    findings.push_back(absoluteFinding(quantity("order"), std::log2(coarse / fine), 2, 0.1));
    findings.push_back(absoluteFinding(quantity("energy over 10 s"), drift.energy_J / depth_J, 0, 0.005));
    findings.push_back(absoluteFinding(quantity("joint gap [m]"), drift.gap_m, 0, 1e-9));
}

// depth_J: between the highest and the lowest pose.
std::vector<Finding> measureDoublePendulum(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    addDoublePendulum("rods", doubleRodPendulum(), -1.20771624, -0.81439102, 2 * g_m_s2, findings);
    addDoublePendulum("points", doublePointPendulum(), -0.62508770, -1.03458509, 3 * g_m_s2, findings);
    return findings;
}

std::vector<Finding> measureSpatialPendulum(const std::filesystem::path&)
{
    RigidWorld world = spatialPendulum();
    const double spin = world.angularMomentum().y, depth_J = 36 * g_m_s2 * 0.9;  // between the start and hanging
    const JointDrift drift = watch(world, step_s, ten_seconds);
    return {absoluteFinding("angular momentum about the vertical, relative", drift.vertical / std::abs(spin), 0, 1e-8),
            absoluteFinding("energy over 10 s, of the depth of the fall", drift.energy_J / depth_J, 0, 0.005),
            absoluteFinding("joint gap [m]", drift.gap_m, 0, 1e-9)};
}

std::vector<Finding> measureFourBar(const std::filesystem::path&)
{
    const Oscillation small = oscillate(fourBarLinkage(0.01), step_s);
    RigidWorld world = fourBarLinkage(0.5);
    const JointDrift drift = watch(world, step_s, ten_seconds);
    return {relativeFinding("period [s]", small.period_s, 1.831280, 1e-3),
            absoluteFinding("out of plane in 10 s [m]", drift.out_of_plane_m, 0, 1e-9),
            absoluteFinding("joint gap [m]", std::max(small.gap_m, drift.gap_m), 0, 1e-9),
            absoluteFinding("forces that are not finite", drift.finite ? 0 : 1, 0, 0)};
}

std::vector<Finding> measureChain(const std::filesystem::path&)
{
    HangingChain rests = hangingChain(100, 1.5, 1, true), falls = hangingChain(100, 1.5, 1, false, 0.02);
    const JointDrift drift = watch(rests.world, step_s, ten_seconds);
    for (int n = 0; n < 2 * ten_seconds; ++n) falls.world.step(step_s);
    return {
        absoluteFinding("sag of rigid links [m]", rests.sag_m, 0.502666, 1e-6),
        absoluteFinding("first link [deg]", rests.first_angle_deg, 67.4554, 1e-4),
        absoluteFinding("horizontal pull over weight", rests.pull_of_weight, 0.205487, 1e-6),
        absoluteFinding("in equilibrium: drift in 10 s [m]", drift.displacement_m, 0, 1e-6),
        absoluteFinding("from two straight halves, damped: sag after 20 s [m]", sagOf(falls.world), 0.502666, 1e-4)};
}

std::vector<Finding> measureHeavyEnd(const std::filesystem::path&)
{
    RigidWorld world = heavyEndChain(50);
    const JointDrift drift = watch(world, step_s, ten_seconds);
    return {absoluteFinding("largest joint gap in 10 s [m]", drift.gap_m, 0, 1e-9),
            absoluteFinding("energy gained in 10 s, of 98 J", drift.gain_J / (10 * g_m_s2), 0, 1e-6),
            absoluteFinding("joints left open in any step (1: yes)", drift.converged ? 0 : 1, 0, 0)};
}

std::vector<Finding> measureFigure(const std::filesystem::path&)
{
    const FallenFigure figure = dropFigureOnSteps(15);
    return {absoluteFinding("largest joint gap [m]", figure.gap_m, 0, 1e-6),
            absoluteFinding("largest gain of energy in a step, of the fall", figure.gain_of_fall, 0, 1e-6),
            absoluteFinding("fastest point after 15 s [m/s]", figure.speed_m_s, 0, 0.01),
            absoluteFinding("below the floor", figure.inside ? 0 : 1, 0, 0)};
}

std::vector<Finding> measureMomentum(const std::filesystem::path&)
{
    const FigureMomentum m = moveFreeFigure(step_s, ten_seconds);
    return {absoluteFinding("momentum, relative", m.linear, 0, 1e-10),
            absoluteFinding("angular momentum, relative", m.angular, 0, 1e-10),
            absoluteFinding("centre of mass [m]", m.center_m, 0, 1e-9)};
}

std::vector<Finding> measureMotorEnergy(const std::filesystem::path&)
{
    const MotorEnergy m = driveDoublePendulum(step_s, ten_seconds);
    return {
        absoluteFinding("energy gained but not by work, relative", m.unexplained_J / m.work_J, 0, 1e-9),
        absoluteFinding("angle, off its target [rad]", m.tracking_rad, 0, 1e-9)};
}

std::vector<Finding> measureTorqueLimit(const std::filesystem::path&)
{
    return {absoluteFinding("half of the needed torque: angle [deg]", holdWithHalfTheTorque(step_s, 2400), 30, 0.1)};
}

}  // namespace

const ValidationCase rod_pendulum{"rod-pendulum", measureRodPendulum},
    double_pendulum{"double-pendulum", measureDoublePendulum},
    spatial_pendulum{"spatial-pendulum", measureSpatialPendulum}, four_bar{"four-bar", measureFourBar},
    chain_case{"chain", measureChain}, heavy_end{"heavy-end", measureHeavyEnd}, ragdoll{"ragdoll", measureFigure},
    momentum_joints{"momentum-joints", measureMomentum}, motor_energy{"motor-energy", measureMotorEnergy},
    torque_limit{"torque-limit", measureTorqueLimit};

}  // namespace flotsam
