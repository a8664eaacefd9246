// Bodies in liquid with a known solution: `validate` runs them at full length, the tests shorter.
#pragma once

#include <functional>
#include <vector>

#include "coupling/simulation.h"

namespace flotsam {

// Upward velocity change by the last fluid solve, over its time step [m/s2].
double upwardAcceleration(const Simulation& run, double dt_s);

// The acceleration over g of a ball of 12 cells across released from rest in a closed cube full of liquid, three times
// as wide: of its first step.
double releaseBall(CouplingMethod method, double density);
// Bounds of the exact value: in a sphere as wide as the cube, and without walls.
struct Bracket {
    double near, far;
};
Bracket releaseTheory(double density, double radius_of_half_width);

// Mean draft of a floating ball, over its diameter, and of a flat box, over its height; cells: across the tank.
double draftOfBall(CouplingMethod method, double density, int cells, double seconds);
double draftOfBox(CouplingMethod method, double density, int cells, double seconds);
double draftOfBallInTheory(double density);

struct NeutralBodyResult {
    double drift_cells = 0;    // of a neutrally buoyant body in still water
    double speed = 0;          // its largest speed, over sqrt(g H)
    double stream_change = 0;  // largest relative velocity change of a drop in free flight with such a body
};
NeutralBodyResult floatNeutral(CouplingMethod method, double seconds);

// A ball of 15 mm sinks in silicone oil (ten Cate et al. 2002): its largest speed [m/s]. observe: called every step.
struct Sinking {
    double liquid_kg_m3, viscosity_Pa_s, plateau_m_s;
};
inline constexpr Sinking ten_cate[4] = {
    {970, 0.373, 0.0365}, {965, 0.212, 0.0582}, {962, 0.113, 0.0859}, {960, 0.058, 0.1204}};
double sinkBall(CouplingMethod method, const Sinking& what, int cells_per_diameter, double seconds,
                const std::function<void(const Simulation&)>& observe = {});

// A spinning ball is thrown through liquid without gravity: through a full closed box, and inside a drop in free
// flight, which no external force acts on.
struct ThrownBallResult {
    double momentum = 0;     // change of the total of body and liquid, over the initial value of the body
    double angular = 0;      // the same for the angular momentum about the origin; of the drop alone
    double energy_gain = 0;  // largest of any step, over the initial energy
    double balance = 0;      // momentum of the body minus the sum of its impulses
};
ThrownBallResult throwInBox(CouplingMethod method, double density, int steps);
ThrownBallResult throwInDrop(CouplingMethod method, double density, int steps);

// Two disks sink in a narrow channel, one behind the other: drafting, kissing and tumbling (Fortes, Joseph, Lundgren
// 1987; set-up of Uhlmann 2005). 2-D.
struct Tumbling {
    double kiss_s = 0, overtake_s = 0;         // first contact; the trailing disk is lower; 0: never
    double leading_m_s = 0, trailing_m_s = 0;  // speeds at 0.12 s
};
Tumbling tumbleDisks(CouplingMethod method, int cells_per_diameter, double seconds);

// A light ball is released at the bottom of a pool: its largest speed in this many steps, over that of a free fall from
// the tank height; infinite if the run diverges.
struct LightBallResult {
    double fastest = 0;
    int steps = 0;       // completed
    double highest = 0;  // of its lowest point above the water, in diameters
};
LightBallResult riseBall(CouplingMethod method, double density, int steps);

}  // namespace flotsam
