// Rigid bodies without liquid: slopes, rolling, bounces, piles, spinning bodies, gears and rings.
#include <cmath>

#include "validation/rigid_cases.h"
#include "validation/validate_case.h"

namespace flotsam {

namespace {

constexpr double g_m_s2 = 9.81;

std::vector<Finding> measureIncline(const std::filesystem::path&)
{
    const Slide quick = slideDown(30, 0.2, 2), slow = slideDown(30, 0.5, 2), stays = slideDown(30, 0.7, 10),
                flat = slideDown(20, 0.3, 2);
    return {relativeFinding("30 deg, friction 0.2: acceleration [m/s2]", quick.acceleration_m_s2, 3.2059, 0.01),
            relativeFinding("30 deg, friction 0.5: acceleration [m/s2]", slow.acceleration_m_s2, 0.6572, 0.01),
            relativeFinding("20 deg, friction 0.3: acceleration [m/s2]", flat.acceleration_m_s2, 0.5897, 0.01),
            absoluteFinding("30 deg, friction 0.7: acceleration [m/s2]", stays.acceleration_m_s2, 0, 0.01),
            absoluteFinding("30 deg, friction 0.7: creep [sides/s]", stays.creep_1_s, 0, 1e-3)};
}

std::vector<Finding> measureRolling(const std::filesystem::path&)
{
    return {relativeFinding("ball on 20 deg: acceleration [m/s2]", rollDown(20, 3), 2.3966, 0.01)};
}

std::vector<Finding> measureSlideToRoll(const std::filesystem::path&)
{
    constexpr double r = 0.1;
    const auto theory = [](double v0, double w0) { return (5 * v0 + 2 * r * w0) / 7; };
    return {relativeFinding("v0 = 2, w0 = 0: final speed [m/s]", slideToRoll(2, r, 0), theory(2, 0), 0.02),
            relativeFinding("v0 = 1, w0 = -30: final speed [m/s]", slideToRoll(1, r, -30), theory(1, -30), 0.02),
            relativeFinding("v0 = 0, w0 = 40: final speed [m/s]", slideToRoll(0, r, 40), theory(0, 40), 0.02)};
}

std::vector<Finding> measureBounce(const std::filesystem::path&)
{
    const Bounces elastic = bounceBall(1, 1, 10, 30), half = bounceBall(0.5, 1, 4, 30), none = bounceBall(0, 1, 1, 3);
    std::vector<Finding> findings{
        absoluteFinding("e = 1: bounces", double(elastic.heights_m.size()), 10, 0),
        absoluteFinding("e = 1: energy lost in 10 bounces", -elastic.energy_change, 0, 0.01),
        absoluteFinding("e = 1: largest energy gain of a step", elastic.largest_energy_gain, 0, 1e-6),
        absoluteFinding("e = 0: bounces", double(none.heights_m.size()), 0, 0)};
    for (size_t n = 0; n < half.heights_m.size() && n < 3; ++n)
        findings.push_back(relativeFinding("e = 0.5: height " + std::to_string(n + 1) + " [m]", half.heights_m[n],
                                           std::pow(0.25, double(n + 1)), 0.01));
    const Conservation c = collideElastically(2);
    findings.push_back(absoluteFinding("balls, boxes and gems, e = 1: momentum", c.momentum_change, 0, 1e-6));
    findings.push_back(absoluteFinding("the same: angular momentum", c.angular_change, 0, 1e-6));
    findings.push_back(absoluteFinding("the same: energy", c.energy_change, 0, 1e-6));
    return findings;
}

std::vector<Finding> measureStack(const std::filesystem::path&)
{
    const Pile stack = stackBoxes(10, 10), pyramid = stackPyramid(10);
    return {absoluteFinding("10 boxes, 10 s: drift [sides]", stack.drift, 0, 1e-3),
            absoluteFinding("10 boxes, 10 s: overlap [sides]", stack.overlap, 0, 0.01),
            absoluteFinding("pyramid of 25, 10 s: drift [sides]", pyramid.drift, 0, 1e-3),
            absoluteFinding("pyramid of 25, 10 s: overlap [sides]", pyramid.overlap, 0, 0.01)};
}

std::vector<Finding> measureRacket(const std::filesystem::path&)
{
    const Racket racket = spinRacket(1.0 / 120);
    return {relativeFinding("period [s]", racket.period_s, 39.1057, 0.01),
            absoluteFinding("angular momentum, relative", racket.momentum_error, 0, 1e-6),
            absoluteFinding("energy, relative", racket.energy_error, 0, 1e-6)};
}

std::vector<Finding> measureGyroscope(const std::filesystem::path&)
{
    const double theory = 1 * g_m_s2 * 0.1 / (0.5 * 1 * 0.1 * 0.1 * 200);
    return {relativeFinding("precession [rad/s]", precessGyroscope(200, 6), theory, 0.02)};
}

std::vector<Finding> measureHook(const std::filesystem::path&)
{
    const CaughtGear caught = dropGearOnEars(4);
    return {relativeFinding("meshed gears: rotation of the driven one", turnMeshedGears(10), -1, 0.02),
            absoluteFinding("ring on a peg: displacement [hole radii]", shakeRingOnPeg(10), 0.5, 0.05),
            absoluteFinding("gear on a toy's ears: left them", double(caught.left_the_ears), 0, 0),
            absoluteFinding("gear on a toy's ears: speed at the end [m/s]", caught.speed_m_s, 0, 0.01)};
}

std::vector<Finding> measureBin(const std::filesystem::path&)
{
    const Pile bin = fillBin(1000, 10, 8);
    return {absoluteFinding("1000 boxes, 8 s: overlap [sides]", bin.overlap, 0, 0.02),
            absoluteFinding("1000 boxes: lost through a wall", bin.lost, 0, 0),
            absoluteFinding("1000 boxes: fastest point [m/s]", bin.speed_m_s, 0, 0.01)};
}

}  // namespace

const ValidationCase incline{"incline", measureIncline}, rolling{"rolling", measureRolling},
    slide_to_roll{"slide-to-roll", measureSlideToRoll}, bounce_case{"bounce", measureBounce},
    stack{"stack", measureStack}, racket{"racket", measureRacket}, gyroscope{"gyroscope", measureGyroscope},
    hook{"hook", measureHook}, bin{"bin", measureBin};

}  // namespace flotsam
