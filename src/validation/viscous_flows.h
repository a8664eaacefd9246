// Viscous flows with known solutions, at any resolution: used by `validate` and the tests.
#pragma once

#include "coupling/simulation.h"

namespace flotsam {

// A channel of height 1 m between a no-slip floor and a lid, N cells high and eight heights long, open at its ends. The
// flow along x is driven by a force (m/s2) and by the lid. Only viscosity acts: a flow along x has no divergence. The
// open ends are stress-free, which has no effect halfway along the channel.
class Channel {
public:
    struct Setting {
        int cells = 16;  // across the height
        double force_m_s2 = 0;
        double lid_m_s = 0;   // a solid above 1 m that moves along x; without speed the lid is the wall of the tank
        double lid_at_m = 1;  // height of its lower face
        double viscosity_m2_s = 1;
        ViscousStress stress = ViscousStress::full;
        ViscosityMean mean = ViscosityMean::geometric;
    };
    explicit Channel(const Setting& setting);

    void setLayers(double below_m2_s, double above_m2_s);  // meeting at half the height
    void advance(double t_s, double dt_s);
    double speedAt(int j) const;   // at the centre of row j, halfway along
    double heightOf(int j) const;  // [m] of the centre of row j

    Simulation sim;
};

// The largest error of the row speeds against u = G y (1 - y) / (2 nu), relative to the largest speed.
double poiseuilleError(int cells, ViscousStress stress);
// The same against the series for a lid that starts to move, at t = 0.1 / nu; dt_s: its time step.
double couetteStartError(int cells, ViscousStress stress, double dt_s);
// The same for the steady state u = y / height, with the lid at any height relative to the cells.
double couetteError(int cells, ViscousStress stress, double lid_at_m);

// Two layers of viscosity 1 and 10 under a unit force: speed at their interface, and the flow rate in each.
struct TwoLayerFlow {
    double interface_m_s, flux_below_m2_s, flux_above_m2_s;
};
TwoLayerFlow twoLayerFlow(int cells, ViscosityMean mean, ViscousStress stress);

// Taylor-Green vortex in a closed free-slip box of 1 m, nu = 0.1, after 0.25 s: its amplitude over that of the exact
// operator with the same steps, (1 + 2 nu k^2 dt)^-n: the spatial error alone.
double taylorGreenAmplitude(int cells, ViscousStress stress, double dt_s);
// The amplitude over exp(-2 nu k^2 t), with complete steps including advection.
double taylorGreenOfSteps(int cells, Advection advection);

// A block of viscosity 100 m2/s in free flight: the largest deviation of a velocity inside from -g t, over g t.
double viscousFallError(ViscousStress stress, Loop loop);

// A ball in rigid rotation, its viscosity 1 : 1000 from the centre outwards: the fraction of its angular momentum left
// after one revolution.
double angularMomentumLeft(int cells, ViscousStress stress);

}  // namespace flotsam
