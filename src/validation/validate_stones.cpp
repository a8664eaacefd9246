// Meshes with flat faces: crossed edges that collide, and an arch.
#include "validation/stone_cases.h"
#include "validation/validate_case.h"

namespace flotsam {
namespace {

double differenceOf(const VelocityChange& l, const VelocityChange& r)
{
    return std::max(length(l.v_m_s - r.v_m_s), length(l.w_rad_s - r.w_rad_s));
}

// The largest error of any velocity [m/s] and spin [rad/s] over several time steps and turns.
double errorOf(CrossedBars bars)
{
    double error = 0;
    for (const double step_s : {1.0 / 60, 1.0 / 120, 1.0 / 1000})
        for (const double gap_m : {0.03, 0.0317, 0.034, 0.0361})  // different fractions of a step before the impact
            for (const Vec3 turn_deg : {Vec3{}, Vec3{90, 0, 0}, Vec3{0, 180, 90}, Vec3{20, 130, -70}}) {
                bars.step_s = step_s;
                bars.gap_m = gap_m;
                bars.turn = rotationFromDegrees(turn_deg);
                const StruckBars found = strikeEdges(bars), expected = expectedStrike(bars);
                error = std::max(
                    {error, differenceOf(found.upper, expected.upper), differenceOf(found.lower, expected.lower)});
            }
    return error;
}

std::vector<Finding> measureMeshEdges(const std::filesystem::path&)
{
    const CrossedBars centred, off_centre{.lower_arm_m = 0.12, .upper_arm_m = 0.07},
        oblique{.angle_deg = 50, .lower_arm_m = 0.12, .upper_arm_m = -0.1},
        mirrored{.angle_deg = -50, .lower_arm_m = 0.12, .upper_arm_m = -0.1};
    // Bodies that are not convex: the same strikes, in a place of the bars that has no vertex or symmetry.
    const auto concave = [](BarShape upper, BarShape lower, double angle_deg) {
        return errorOf({upper, lower, angle_deg, 0.061, -0.043});
    };
    using enum BarShape;
    const StruckBars struck = strikeEdges(centred);
    return {absoluteFinding("centred: speed of the striking bar [m/s]", -struck.upper.v_m_s.y, 0, 1e-3),
            absoluteFinding("centred: speed of the struck bar [m/s]", -struck.lower.v_m_s.y, 1, 1e-3),
            absoluteFinding("centred: largest error [m/s, rad/s]", errorOf(centred), 0, 1e-3),
            absoluteFinding("off-centre: largest error [m/s, rad/s]", errorOf(off_centre), 0, 1e-3),
            absoluteFinding("at 50 degrees, off-centre: largest error [m/s, rad/s]", errorOf(oblique), 0, 1e-3),
            absoluteFinding("its mirror image: largest error [m/s, rad/s]", errorOf(mirrored), 0, 1e-3),
            absoluteFinding("two L: largest error [m/s, rad/s]", concave(angle, angle, 90), 0, 1e-3),
            absoluteFinding("two L, at 50 degrees: largest error [m/s, rad/s]", concave(angle, angle, 50), 0, 1e-3),
            absoluteFinding("a frame on an L: largest error [m/s, rad/s]", concave(frame, angle, 65), 0, 1e-3),
            absoluteFinding("an L on a box shape: largest error [m/s, rad/s]", concave(angle, box, 65), 0, 1e-3)};
}

std::vector<Finding> measureArch(const std::filesystem::path&)
{
    ArchShape thin;
    thin.thickness_m = 0.1;  // below the critical 0.1094 of eleven stones
    const StandingArch arch = standArch({}, 10);
    return {
        absoluteFinding("t/R 0.22, 10 s: the keystone sinks [mm]", 1e3 * arch.keystone_sinks_m, 0, 1),
        absoluteFinding("t/R 0.22, 10 s: largest drift of a stone [mm]", 1e3 * arch.drift_m, 0, 1),
        absoluteFinding("t/R 0.10, 10 s: falls (1) or stands (0)", standArch(thin, 10).keystone_sinks_m > 0.1, 1, 0)};
}

}  // namespace

const ValidationCase mesh_edges{"mesh-edges", measureMeshEdges}, arch_case{"arch", measureArch};

}  // namespace flotsam
