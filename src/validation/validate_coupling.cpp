// Bodies in liquid: the methods compared, only the gated one has gates.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "coupling/inspect_coupled.h"
#include "rigid/from_scene.h"
#include "validation/coupled_cases.h"
#include "validation/coupling_methods.h"
#include "validation/validate_case.h"

namespace flotsam {

namespace {

// The ball is 12.2 cells across, the box 5.1 high: the gate is half a cell for each.
std::vector<Finding> measureDrafts(const std::filesystem::path&)
{
    constexpr int cells = 32;
    constexpr double half_cell_of_ball = 0.5 / (0.38 * cells), half_cell_of_box = 0.5 / (0.16 * cells);
    std::vector<Finding> findings;
    for (const CouplingMethod method : coupling_methods) {
        for (const double s : {0.25, 0.45, 0.5, 0.55, 0.74, 0.9})
            findings.push_back(absoluteFinding(methodLabel(method, fmt::format("ball, s = {}: draft / diameter", s)),
                                               draftOfBall(method, s, cells, 3), draftOfBallInTheory(s),
                                               gateOf(method, half_cell_of_ball)));
        findings.push_back(absoluteFinding(methodLabel(method, "flat box, s = 0.6: draft / height"),
                                           draftOfBox(method, 0.6, cells, 3), 0.6, gateOf(method, half_cell_of_box)));
    }
    return findings;
}

std::vector<Finding> measureNeutral(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    for (const CouplingMethod method : coupling_methods) {
        const NeutralBodyResult n = floatNeutral(method, 1);
        findings.push_back(absoluteFinding(methodLabel(method, "still water: drift in 1 s [cells]"), n.drift_cells, 0,
                                           gateOf(method, 1e-3)));
        findings.push_back(
            absoluteFinding(methodLabel(method, "still water: speed / sqrt(gH)"), n.speed, 0, gateOf(method, 1e-4)));
        findings.push_back(absoluteFinding(methodLabel(method, "stream: largest change of velocity"), n.stream_change,
                                           0, gateOf(method, 1e-4)));
    }
    return findings;
}

// The reference is the nearer end of the bracket; within the bracket the error is zero.
std::vector<Finding> measureAddedMass(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    for (const CouplingMethod method : coupling_methods)
        for (const double s : {0.1, 0.55, 2.0, 9.0}) {
            const Bracket b = releaseTheory(s, 1.0 / 3);
            const double a = releaseBall(method, s), low = std::min(b.near, b.far), high = std::max(b.near, b.far);
            findings.push_back(relativeFinding(methodLabel(method, fmt::format("s = {}: a0 / g", s)), a,
                                               std::clamp(a, low, high), gateOf(method, 0.05)));
        }
    return findings;
}

std::vector<Finding> measureTenCate(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    const auto add = [&](CouplingMethod method, int n, int cells, double gate) {
        const Sinking& e = ten_cate[n - 1];
        findings.push_back(
            relativeFinding(methodLabel(method, fmt::format("E{} plateau at {} cells per diameter [m/s]", n, cells)),
                            sinkBall(method, e, cells, 5), e.plateau_m_s, gateOf(method, gate)));
    };
    for (int n = 1; n <= 4; ++n) add(gated_method, n, 8, 0.08);
    for (int n = 1; n <= 4; ++n) add(gated_method, n, 12, 0.05);
    for (int n : {1, 4}) add(CouplingMethod::rigid_fluid, n, 8, 0.08);
    return findings;
}

// The walls of a box absorb momentum: only in the drop is the total of body and liquid conserved, except for losses of
// semi-Lagrangian advection. Neither may gain energy.
std::vector<Finding> measureMomentum(const std::filesystem::path&)
{
    constexpr int steps = 40;
    std::vector<Finding> findings;
    for (const CouplingMethod method : coupling_methods)
        for (const double s : {0.5, 1.0, 5.0}) {
            const ThrownBallResult drop = throwInDrop(method, s, steps), box = throwInBox(method, s, steps);
            const auto add = [&](const char* what, double value, std::optional<double> gate) {
                findings.push_back(
                    absoluteFinding(methodLabel(method, fmt::format("s = {}, {}", s, what)), value, 0, gate));
            };
            add("drop: change of momentum", drop.momentum, {});
            add("drop: change of angular momentum", drop.angular, {});
            add("drop: largest gain of energy", drop.energy_gain, gateOf(method, 1e-5));
            add("full box: change of momentum", box.momentum, {});
            add("full box: largest gain of energy", box.energy_gain, gateOf(method, 1e-5));
        }
    return findings;
}

// Speeds at 0.12 s and times: Uhlmann (2005), figures 6 and 7.
std::vector<Finding> measureDkt(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    for (const CouplingMethod method : coupling_methods) {
        const Tumbling t = tumbleDisks(method, 16, 0.35);
        findings.push_back(absoluteFinding(methodLabel(method, "kissing [s]"), t.kiss_s, 0.175, gateOf(method, 0.02)));
        findings.push_back(absoluteFinding(methodLabel(method, "trailing disk overtakes [s]"), t.overtake_s, 0.27,
                                           gateOf(method, 0.03)));
        findings.push_back(relativeFinding(methodLabel(method, "leading speed at 0.12 s [m/s]"), t.leading_m_s, 0.123,
                                           gateOf(method, 0.12)));
        findings.push_back(relativeFinding(methodLabel(method, "trailing speed at 0.12 s [m/s]"), t.trailing_m_s, 0.145,
                                           gateOf(method, 0.12)));
    }
    return findings;
}

std::vector<Finding> measureLight(const std::filesystem::path&)
{
    constexpr int steps = 1000;
    std::vector<Finding> findings;
    for (const CouplingMethod method : coupling_methods)
        for (const double s : {0.45, 0.1, 0.01}) {
            const bool too_light = method == CouplingMethod::rigid_fluid && s < lightestForRigidFluid(0.5);
            const LightBallResult light = riseBall(method, s, steps);
            const auto name = [&](const char* what) { return methodLabel(method, fmt::format("s = {}: {}", s, what)); };
            findings.push_back(absoluteFinding(name(too_light ? "stable steps (a run is rejected)" : "stable steps"),
                                               light.steps, steps, gateOf(method, 0)));
            if (too_light) continue;
            findings.push_back(
                absoluteFinding(name("largest speed / free-fall speed"), light.fastest, 0, gateOf(method, 1)));
            findings.push_back(absoluteFinding(name("leap height [diameters]"), light.highest, 0, {}));
        }
    return findings;
}

}  // namespace

const ValidationCase drafts{"drafts", measureDrafts};
const ValidationCase neutral{"neutral", measureNeutral};
const ValidationCase added_mass{"added-mass", measureAddedMass};
const ValidationCase ten_cate_case{"ten-cate", measureTenCate};
const ValidationCase dkt_2d{"dkt-2d", measureDkt};
const ValidationCase momentum_case{"momentum", measureMomentum};
const ValidationCase light_case{"light", measureLight};

}  // namespace flotsam
