// Bodies in liquid with a known answer: what `validate` gates at full length and the tests at a shorter one.
#pragma once

#include <functional>
#include <vector>

#include "coupling/couple.h"
#include "liquid/step.h"

namespace flotsam {

// A scene's bodies and liquid, ready to be stepped.
struct Coupled {
    explicit Coupled(const Scene& scene);

    const BodyState& body(int n = 0) const { return world.state.bodies[size_t(n)]; }

    RigidWorld world;
    ImmersedBodies* immersed = nullptr;
    Simulation sim;
};

// The acceleration over g of a ball of 12 cells across that is let go in a closed cube full of liquid, three times as
// wide: of its first step.
double releaseBall(CouplingMethod method, double density);
// What it should be between: in a sphere as wide as the cube, and without walls.
struct Bracket {
    double near, far;
};
Bracket releaseTheory(double density, double radius_of_half_width);

// The mean draft of a ball that floats, over its diameter, and of a flat box, over its height; cells across the tank.
double draftOfBall(CouplingMethod method, double density, int cells, double seconds);
double draftOfBox(CouplingMethod method, double density, int cells, double seconds);
double draftOfBallInTheory(double density);

struct Neutral {
    double way = 0;            // that a body as heavy as still water moves, in cells
    double speed = 0;          // its largest, over sqrt(g H)
    double stream_change = 0;  // the largest change of the velocity of a drop with such a body in free flight, over it
};
Neutral floatNeutral(CouplingMethod method, double seconds);

// A ball of 15 mm sinks in silicone oil (ten Cate et al. 2002): its largest speed [m/s]. observe: called every step.
struct Sinking {
    double liquid_kg_m3, viscosity_Pa_s, plateau_m_s;
};
inline constexpr Sinking ten_cate[4] = {
    {970, 0.373, 0.0365}, {965, 0.212, 0.0582}, {962, 0.113, 0.0859}, {960, 0.058, 0.1204}};
double sinkBall(CouplingMethod method, const Sinking& what, int cells_a_diameter, double seconds,
                const std::function<void(const Coupled&)>& observe = {});

// A spinning ball is thrown through liquid, without gravity: through a closed box that is full, and within a drop in
// free flight, which nothing outside holds.
struct ThrownBallResult {
    double momentum = 0;     // change of the total of body and liquid, over the body's at the start
    double angular = 0;      // of the total angular momentum about the origin, over it; of the drop alone
    double energy_gain = 0;  // the largest of a step, over the energy at the start
    double balance = 0;      // of the body's momentum against the sum of its impulses
};
ThrownBallResult throwInBox(CouplingMethod method, double density, int steps);
ThrownBallResult throwInDrop(CouplingMethod method, double density, int steps);

// Two disks sink in a narrow channel, one behind the other: the trailing one is drawn along, they kiss and tumble
// (Fortes, Joseph, Lundgren 1987; as Uhlmann 2005 has it). 2-D.
struct Tumbling {
    double kiss_s = 0, overtake_s = 0;         // first contact; the trailing one is lower; 0: never
    double leading_m_s = 0, trailing_m_s = 0;  // speeds at 0.12 s
};
Tumbling tumbleDisks(CouplingMethod method, int cells_a_diameter, double seconds);

// A light ball is let go at the bottom of a pool: the largest speed in so many steps, over that of a free fall from
// the tank's height; endless where it blows up.
struct LightBallResult {
    double fastest = 0;
    int steps = 0;       // that it held
    double highest = 0;  // of its lower edge above the water, in diameters
};
LightBallResult riseBall(CouplingMethod method, double density, int steps);

}  // namespace flotsam
