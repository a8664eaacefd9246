// Bodies that float or rest in still water, and bodies that hold it back.
#include <fmt/format.h>

#include <algorithm>

#include "coupling/inspect_coupled.h"
#include "rigid/from_scene.h"
#include "validation/contact_of_bodies.h"
#include "validation/coupling_methods.h"
#include "validation/validate_case.h"

namespace flotsam {

namespace {

constexpr Vec3 places[] = {{0, 0, 0}, {0.5, 0.5, 0.5}, {0.31, 0.27, 0.43}};
constexpr double calm_m_s = 1e-3, calm_cells = 0.01, calm_redistributed = 1e-3, calm_lost = 1e-3;

// At most `most`.
Finding boundedFinding(std::string quantity, double measured, double most, std::optional<double> gate)
{
    return {std::move(quantity), measured, most,
            measured > most    ? measured - most
            : measured <= most ? 0
                               : measured,
            gate};
}

// The published method diverges for bodies that are too light.
bool isTooLight(const Scene& scene)
{
    if (scene.coupling.method != CouplingMethod::rigid_fluid) return false;
    const RigidWorld world = makeWorld(scene);
    for (int n = 0; n < world.moving(); ++n)
        if (scene.bodies[size_t(n)].density_kg_m3 / scene.liquid.density_kg_m3 <
            lightestForRigidFluid(largestAddedMass(world.bodies[size_t(n)])))
            return true;
    return false;
}

void addCalm(const std::string& name, const FloatingScene& calm, double seconds, std::vector<Finding>& findings)
{
    const CouplingMethod method = calm.scene.coupling.method;
    if (isTooLight(calm.scene)) return;
    const CalmResult r = keepCalm(calm.scene, calm.level_m, seconds, 0, "calm: " + methodLabel(method, name));
    const auto add = [&](const char* what, double value, double gate) {
        findings.push_back(absoluteFinding(methodLabel(method, name + what), value, 0, gateOf(method, gate)));
    };
    add(": speed [m/s]", r.speed_m_s, calm_m_s);
    add(": drift [cells]", r.drift_cells, calm_cells);
    if (calm.scene.surface.volume_correction)
        add(": redistributed", r.redistributed, calm_redistributed);
    else
        add(": volume change", r.volume_change, calm_lost);
}

// The energy is that above equilibrium, over its value at the start.
void addDisturbed(CouplingMethod method, const std::string& tank, Int3 cells, const FloatingSpec& what,
                  std::vector<Finding>& findings)
{
    const std::string name = tank + what.name();
    const FloatingScene start = floatingBody(method, cells, what);
    if (isTooLight(start.scene)) return;
    const double available_J = availableEnergy(method, cells, what);
    const CalmResult r =
        keepCalm(start.scene, start.level_m, 6, cells.z == 1 ? 1 : 10, "calm: " + methodLabel(method, name));
    const double largest = 1 + r.largest_J / available_J, first = 1 + r.first_J / available_J,
                 last = 1 + r.last_J / available_J;
    const auto add = [&](const char* text, double value, double most, double gate) {
        findings.push_back(boundedFinding(methodLabel(method, name + text), value, most, gateOf(method, gate)));
    };
    add(": largest energy", largest, 1, 0.01);
    add(": energy, last over first second", last / first, 1, 0);
    add(": sideways [cells]", r.sideways_cells, 1, 0);
    if (what.correction)
        add(": redistributed", r.redistributed, calm_redistributed, 0);
    else
        add(": volume change", std::abs(r.volume_change), calm_lost, 0);
}

void addCalmOf(CouplingMethod method, std::vector<Finding>& findings)
{
    constexpr Int3 flat{96, 64, 1}, space{48, 32, 32};
    const auto add = [&](const std::string& tank, Int3 cells, FloatingSpec what) {
        for (const bool correction : {true, false}) {
            what.correction = correction;
            if (what.disturbed())
                addDisturbed(method, tank, cells, what, findings);
            else
                addCalm(tank + what.name(), floatingBody(method, cells, what), 6, findings);
        }
    };
    for (const double density : {0.1, 0.5, 0.9}) {
        for (const Vec3 shift : places) add("", flat, {false, density, shift});
        add("", flat, {false, density, places[2], 3, 0.3});
    }
    add("", flat, {true, 0.5, places[2]});
    add("", flat, {true, 0.5, places[2], 0, 0.3});
    if (method != gated_method) return;
    for (const double density : {0.1, 0.5}) add("3-D ", space, {false, density, places[2]});
    add("3-D ", space, {false, 0.5, places[2], 3, 0.3});
    addCalm("3-D five boxes", fiveBoxes(method, {84, 42, 35}), 6, findings);
}

std::vector<Finding> measureCalm(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    for (const CouplingMethod method : coupling_methods) addCalmOf(method, findings);
    return findings;
}

void addResting(CouplingMethod method, Int3 cells, RestingKind kind, std::vector<Finding>& findings)
{
    const std::string name = fmt::format("{}{}", resting_words[int(kind)], cells.z == 1 ? "" : " 3-D");
    const FloatingScene rest = restingBodies(method, cells, kind);
    const CalmResult r = keepCalm(rest.scene, rest.level_m, 10, 0, "rest: " + methodLabel(method, name));
    findings.push_back(
        absoluteFinding(methodLabel(method, name + ": speed [m/s]"), r.fastest_m_s, 0, gateOf(method, 1e-5)));
    findings.push_back(
        absoluteFinding(methodLabel(method, name + ": drift [cells]"), r.drift_cells, 0, gateOf(method, 1e-3)));
    findings.push_back(absoluteFinding(methodLabel(method, name + ": redistributed"), r.redistributed, 0, {}));
}

std::vector<Finding> measureRest(const std::filesystem::path&)
{
    using enum RestingKind;
    std::vector<Finding> findings;
    for (const CouplingMethod method : coupling_methods) {
        for (const RestingKind kind : {block, ball, stack, ball_on_plank})
            addResting(method, {48, 40, 1}, kind, findings);
        if (method != gated_method) continue;
        for (const RestingKind kind : {block, ball, stack, ball_on_plank})
            addResting(method, {24, 20, 24}, kind, findings);
    }
    return findings;
}

void addBarrier(const std::string& name, const BarrierScene& barrier, std::vector<Finding>& findings)
{
    const CouplingMethod method = barrier.scene.coupling.method;
    const BarrierResult r = holdBack(barrier, 5, "plug: " + methodLabel(method, name));
    const auto add = [&](const char* what, double value, std::optional<double> gate) {
        findings.push_back(absoluteFinding(methodLabel(method, name + what), value, 0, gate));
    };
    add(": passed", r.passed, gateOf(method, 1e-3));
    add(": redistributed", r.redistributed, gateOf(method, 5e-3));
    add(": speed at the end [m/s]", r.speed_m_s, {});
    add(": moved [cells]", r.moved_cells, {});
}

std::vector<Finding> measurePlug(const std::filesystem::path&)
{
    constexpr double thicknesses[] = {3, 1, 0.5};
    std::vector<Finding> findings;
    for (const CouplingMethod method : coupling_methods) {
        for (const double t : thicknesses)
            addBarrier(fmt::format("gate {} cells", t), gateBetweenStops(method, {48, 60, 1}, t), findings);
        for (const double t : {4.0, 1.0, 0.5})
            addBarrier(fmt::format("plug {} cells", t), plugOnHole(method, {24, 56, 1}, t), findings);
        if (method != gated_method) continue;
        addBarrier("gate 1 cells 3-D", gateBetweenStops(method, {24, 32, 12}, 1), findings);
        addBarrier("plug 1 cells 3-D", plugOnHole(method, {20, 56, 20}, 1), findings);
    }
    return findings;
}

std::vector<Finding> measureTub(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    for (const double wall_cells : {3.0, 2.0, 1.0, 0.5}) {
        const std::string name = fmt::format("walls of {} cells", wall_cells);
        const TubResult r = floatTub(gated_method, wall_cells, 4, "tub: " + name);
        findings.push_back(absoluteFinding(name + ": draft [cells]", r.draft_cells, r.theory_cells, 0.5));
        findings.push_back(absoluteFinding(name + ": filled", r.inside, 0, 1e-3));
        findings.push_back(absoluteFinding(name + ": redistributed", r.redistributed, 0, 0.01));
        findings.push_back(absoluteFinding(name + ": speed at the end [m/s]", r.speed_m_s, 0, {}));
    }
    return findings;
}

}  // namespace

const ValidationCase calm_case{"calm", measureCalm};
const ValidationCase rest_case{"rest", measureRest};
const ValidationCase plug_case{"plug", measurePlug};
const ValidationCase tub_case{"tub", measureTub};

}  // namespace flotsam
