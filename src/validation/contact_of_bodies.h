// Bodies that float or rest in still water, hold it back, or are smaller than a cell: the scenes of the cases calm,
// rest, plug, tub, small and welded, and their measurements. Tests run smaller versions of the same scenes.
#pragma once

#include <string>

#include "validation/coupled_cases.h"

namespace flotsam {

// A tank of this width for water without viscosity.
Scene coupledTank(Int3 cells, double width_m, CouplingMethod method);
BodySpec bodyAt(const std::string& name, const BodyShape& shape, double density_kg_m3, Vec3 position_m);

// ---- Bodies at rest: calm and rest (bodies_at_rest.cpp)

struct CalmResult {
    double speed_m_s = 0;       // fastest liquid in the last second; in runs below 3 s, in the last third
    double fastest_m_s = 0;     // fastest liquid of any step
    double body_m_s = 0;        // fastest body in the last second
    double drift_cells = 0;     // largest displacement of a body
    double sideways_cells = 0;  // its horizontal component
    double redistributed = 0;   // by the volume correction, relative to the volume
    double volume_change = 0;   // at the end, relative to the volume
    // Kinetic (mean of two steps) and potential energy, relative to the start [J]: the largest, the means of
    // the first and the last second.
    double largest_J = 0, first_J = 0, last_J = 0;
    int steps = 0;  // the run stops at twenty times the number that max_dt_s requires
};
// level_m: of the water at the start. energy: measured every `energy_every` steps; 0: not at all.
CalmResult keepCalm(const Scene& scene, double level_m, double seconds, int energy_every, const std::string& label);

// A board of 0.3 x 0.1 m, or a disk of radius 0.08 m, in water 0.4 m deep in a tank 0.96 m wide.
struct FloatingSpec {
    bool disk = false;
    double density = 0.5;   // relative to the liquid; of a disk 0.5
    Vec3 shift_cells;       // of the body and the water, relative to the grid
    double turned_deg = 0;  // from its equilibrium
    double raised_cells = 0;
    bool correction = true;  // of the volume
    bool disturbed() const { return turned_deg != 0 || raised_cells != 0; }
    std::string name() const;
};
struct FloatingScene {
    Scene scene;
    double level_m = 0;
};
FloatingScene floatingBody(CouplingMethod method, Int3 cells, const FloatingSpec& what);
// The energy above that of the same water and body in equilibrium [J].
double availableEnergy(CouplingMethod method, Int3 cells, const FloatingSpec& what);
// The five boxes of scenes/floating_boxes.toml without its wave.
FloatingScene fiveBoxes(CouplingMethod method, Int3 cells);

enum class RestingKind { block, ball, stack, ball_on_plank };
inline constexpr const char* resting_words[] = {"block", "ball", "stack of three boxes", "ball on a plank"};
// Of density 3, on the floor of a tank 1 m wide under 0.6 m of water.
FloatingScene restingBodies(CouplingMethod method, Int3 cells, RestingKind kind);

// ---- Bodies that hold water back: plug and tub (tight_bodies.cpp)

// The volume of the liquid that has passed is measured where dry(x) is true.
struct BarrierScene {
    Scene scene;
    std::function<bool(Vec3)> dry;
};
struct BarrierResult {
    double passed = 0;         // largest volume on the dry side, relative to the total
    double redistributed = 0;  // relative to the total
    double volume_change = 0;  // at the end, relative to the total
    double speed_m_s = 0;      // fastest liquid in the last second
    double moved_cells = 0;    // largest displacement of the body
    int steps = 0;
};
// An upright board on the floor between stops, 1 m of water on one side. The tank is as high as the water and 10 cells.
BarrierScene gateBetweenStops(CouplingMethod method, Int3 cells, double thickness_cells);
// A lid on a hole of 6 cells in a shelf of 3 cells, 1 m of water above it.
BarrierScene plugOnHole(CouplingMethod method, Int3 cells, double thickness_cells);
BarrierResult holdBack(const BarrierScene& barrier, double seconds, const std::string& label);

// An open box of 20 x 14 x 20 cells outside, of density 1.2, that floats dry at its draft in a tank of 40 x 36 x 40.
struct TubResult {
    double draft_cells = 0, theory_cells = 0;
    double inside = 0;  // largest volume of liquid inside, relative to that of the inside
    double redistributed = 0;
    double speed_m_s = 0;  // fastest liquid in the last second
    int steps = 0;
};
TubResult floatTub(CouplingMethod method, double wall_cells, double seconds, const std::string& label);

// ---- small and welded (small_bodies.cpp)

struct SmallResult {
    int places = 0, rising = 0;                           // of the places on the grid: where it floats at the end
    double worst_cells = 0;                               // largest distance from its draft at the end
    double mean_g = 0, least_g = 1e300, most_g = -1e300;  // acceleration of the first step over g
};
// A ball (or a level rod 8 cells long) of s = 0.4 is released in water 20 cells deep, in a tank of 16 x 32 x 16 cells.
SmallResult riseSmall(CouplingMethod method, bool rod, double radius_cells, int places, double seconds);

// A box of four pieces on fixed joints against one box: the largest difference of the positions of the centre of mass
// relative to the length of the box, and of the rotations [rad].
struct WeldedResult {
    double position = 0, rotation_rad = 0;
};
enum class WeldedKind { floating, thrown, dry };  // dry: thrown without liquid and gravity, to check the joints
WeldedResult compareWelded(CouplingMethod method, Int3 cells, WeldedKind kind, double seconds);

}  // namespace flotsam
