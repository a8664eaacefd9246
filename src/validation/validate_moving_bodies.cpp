// Small bodies that rise, a welded body, a cylinder that heaves, a ball in honey.
#include <fmt/format.h>

#include "validation/contact_of_bodies.h"
#include "validation/coupling_methods.h"
#include "validation/heave_cases.h"
#include "validation/validate_case.h"

namespace flotsam {

namespace {

void addSmall(CouplingMethod method, bool rod, double radius_cells, std::vector<Finding>& findings)
{
    constexpr int places = 8;
    const SmallResult r = riseSmall(method, rod, radius_cells, places, 3);
    const auto add = [&](const char* what, double value, double reference, std::optional<double> gate) {
        findings.push_back(
            absoluteFinding(methodLabel(method, fmt::format("{} {}: {}", rod ? "rod" : "ball", radius_cells, what)),
                            value, reference, gate));
    };
    add("places where it floats", r.rising, places, gateOf(method, 0));
    add("worst distance from its draft [cells]", r.worst_cells, 0, gateOf(method, 1));
    // Of a ball and a cylinder in unbounded water: C_a 1/2 and 1.
    const double theory_g = 0.6 / (0.4 + (rod ? 1 : 0.5));
    add("a0 / g, mean", r.mean_g, theory_g, {});
    add("a0 / g, least", r.least_g, theory_g, {});
    add("a0 / g, most", r.most_g, theory_g, {});
}

std::vector<Finding> measureSmall(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    for (const CouplingMethod method : coupling_methods) {
        for (const double radius_cells : {0.3, 0.5, 0.64, 0.8, 1.2}) addSmall(method, false, radius_cells, findings);
        addSmall(method, true, 0.64, findings);
    }
    return findings;
}

std::vector<Finding> measureWelded(const std::filesystem::path&)
{
    using enum WeldedKind;
    constexpr const char* words[] = {"floating", "thrown", "in air"};
    std::vector<Finding> findings;
    for (const CouplingMethod method : coupling_methods)
        for (const Int3 cells : {Int3{48, 36, 1}, Int3{48, 36, 16}})
            for (const WeldedKind kind : {dry, floating, thrown}) {  // a thrown box reaches no wall in 0.5 s
                if (method != gated_method && (kind == dry || cells.z > 1)) continue;
                const WeldedResult r = compareWelded(method, cells, kind, kind == floating ? 1 : 0.5);
                const std::string name = fmt::format("{}{}", words[int(kind)], cells.z == 1 ? "" : " 3-D");
                findings.push_back(absoluteFinding(methodLabel(method, name + ": position / length"), r.position, 0,
                                                   gateOf(method, 1e-9)));
                // Without liquid the joints alone are measured: reported.
                findings.push_back(absoluteFinding(methodLabel(method, name + ": rotation [rad]"), r.rotation_rad, 0,
                                                   kind == dry ? std::nullopt : gateOf(method, 1e-9)));
            }
    return findings;
}

std::vector<Finding> measureHeave(const std::filesystem::path&)
{
    constexpr int cells = 120;
    const HeaveSetup setup;
    const HeaveResult theory = heaveInTheory(setup);
    std::vector<Finding> findings;
    for (const CouplingMethod method : coupling_methods) {
        for (const double dt_s : {1.0 / 60, 1.0 / 240, 1.0 / 960}) {
            const HeaveResult r = heave(method, setup, cells, dt_s);
            const auto name = [&](const char* what) {
                return methodLabel(method, fmt::format("1/{:.0f} s: {}", 1 / dt_s, what));
            };
            // The default time step is a 24th of half a period, and the scheme is of first order in it.
            findings.push_back(relativeFinding(name("first minimum / start"), r.lowest, theory.lowest,
                                               gateOf(method, dt_s > 0.01 ? 0.08 : 0.05)));
            findings.push_back(relativeFinding(name("its time [s]"), r.lowest_s, theory.lowest_s, {}));
            findings.push_back(relativeFinding(name("acceleration of the first step [m/s2]"), r.acceleration_m_s2,
                                               theory.acceleration_m_s2, gateOf(method, 0.1)));
        }
        findings.push_back(absoluteFinding(methodLabel(method, "start in deep water: lag [steps]"),
                                           startLag(method, 1.0 / 60), 0, gateOf(method, 0.6)));
    }
    return findings;
}

std::vector<Finding> measureHoney(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    const auto add = [&](CouplingMethod method, bool flat, int cells, double dt_s, std::optional<double> gate) {
        const std::string name = fmt::format("{}, {} cells per diameter, 1/{:.0f} s: speed / theory",
                                             flat ? "disk" : "ball", cells, 1 / dt_s);
        findings.push_back(relativeFinding(methodLabel(method, name), sinkInHoney(method, flat, cells, dt_s), 1, gate));
    };
    for (const CouplingMethod method : coupling_methods) {
        add(method, true, 6, 1.0 / 60, {});
        add(method, true, 12, 1.0 / 60, gateOf(method, 0.05));
        add(method, true, 24, 1.0 / 60, {});
        add(method, true, 12, 1.0 / 1920, gateOf(method, 0.05));
        if (method != gated_method) continue;
        add(method, false, 6, 1.0 / 60, {});
        add(method, false, 12, 1.0 / 60, gateOf(method, 0.05));
    }
    return findings;
}

}  // namespace

const ValidationCase small_case{"small", measureSmall};
const ValidationCase welded_case{"welded", measureWelded};
const ValidationCase heave_case{"heave", measureHeave};
const ValidationCase honey_ball{"honey-ball", measureHoney};

}  // namespace flotsam
