// A floating cylinder released above its draft, the first steps of a body in water, and bodies sinking in honey.
#pragma once

#include "validation/coupled_cases.h"

namespace flotsam {

// A cylinder of half the liquid's density in a tank, 2-D: half immersed in equilibrium.
struct HeaveSetup {
    double radius_m = 0.12, width_m = 1.2, depth_m = 0.5;
    double raised_m = 0.02;  // at the start
    double seconds = 0.5;
};
struct HeaveResult {
    double lowest = 0, lowest_s = 0;  // the first minimum of its displacement over raised_m, and its time
    double acceleration_m_s2 = 0;     // at the start, of the first step
};
// Linear potential flow in the same tank, by a boundary element method.
HeaveResult heaveInTheory(const HeaveSetup& setup);
HeaveResult heave(CouplingMethod method, const HeaveSetup& setup, int cells_across, double max_dt_s);

// A light disk is released deep in water: by how many steps its displacement after four steps lags that of the
// acceleration between the first and the fourth step. Half a step is the error of a first-order scheme.
double startLag(CouplingMethod method, double dt_s);

// A disk between walls (2-D), or a ball in a box, of twice the liquid's density, sinks at Re = 0.005: its speed over
// that of theory with wall correction.
double sinkInHoney(CouplingMethod method, bool flat, int cells_per_diameter, double dt_s);

}  // namespace flotsam
