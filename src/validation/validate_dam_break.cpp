// A column of water of width a and height 2a is released: position of its front, compared with the experiment.
#include <array>
#include <cmath>

#include "validation/validate_case.h"

namespace flotsam {

namespace {

struct FrontPoint {
    double T, Z;  // time t sqrt(2g/a) and front x/a
};

// J. C. Martin and W. J. Moyce, "An experimental study of the collapse of liquid columns on a rigid horizontal plane",
// Phil. Trans. R. Soc. A 244 (1952), table 2: a = 2.25 in, n^2 = 2.
constexpr std::array<FrontPoint, 15> martin_moyce{{{0.41, 1.11},
                                                   {0.84, 1.22},
                                                   {1.19, 1.44},
                                                   {1.43, 1.67},
                                                   {1.63, 1.89},
                                                   {1.83, 2.11},
                                                   {1.98, 2.33},
                                                   {2.20, 2.56},
                                                   {2.32, 2.78},
                                                   {2.51, 3.00},
                                                   {2.65, 3.22},
                                                   {2.83, 3.44},
                                                   {2.98, 3.67},
                                                   {3.11, 3.89},
                                                   {3.33, 4.11}}};
constexpr double a_m = 0.05715, cells_per_a = 20;
constexpr double largest_shift = 0.25;  // of T: in the experiment, time zero is when the paper diaphragm has vanished

Scene column(int depth_cells)
{
    Scene scene;
    scene.domain.cells = {int(7 * cells_per_a), int(2.5 * cells_per_a), depth_cells};
    scene.domain.width_m = 7 * a_m;
    scene.liquid.regions = {{BoxShape{{-1, -1, -1}, {a_m, 2 * a_m, 1}, {}}, {}}};
    return scene;
}

// The end of the liquid on the floor connected to the column, in the middle plane of the tank [m].
double frontOf(Simulation& sim)
{
    const View3<const float> phi = sim.liquid.state.phi;
    const int k = sim.liquid.grid.cells.z / 2;
    int i = 0;
    while (i < sim.liquid.grid.cells.x && phi(i, 0, k) < 0) ++i;
    if (i == 0 || i == sim.liquid.grid.cells.x) return sim.liquid.grid.h * i;
    const double inside = phi(i - 1, 0, k), outside = phi(i, 0, k);
    return sim.liquid.grid.h * (i - 0.5 + inside / (inside - outside));
}

double frontAt(const std::vector<FrontPoint>& front, double T)
{
    size_t n = 1;
    while (n + 1 < front.size() && front[n].T < T) ++n;
    const FrontPoint &p = front[n - 1], &q = front[n];
    return p.Z + (q.Z - p.Z) * std::max(0.0, (T - p.T) / (q.T - p.T));
}

double rmsError(const std::vector<FrontPoint>& front, double shift)
{
    double sum = 0;
    for (const FrontPoint& p : martin_moyce) sum += std::pow(frontAt(front, p.T + shift) / p.Z - 1, 2);
    return std::sqrt(sum / martin_moyce.size());
}

std::vector<FrontPoint> simulateColumn(int depth_cells)
{
    Simulation sim(column(depth_cells));
    const double T_of_t = std::sqrt(2 * 9.81 / a_m);
    std::vector<FrontPoint> front{{0, frontOf(sim) / a_m}};
    simulateTo((martin_moyce.back().T + largest_shift) / T_of_t, depth_cells == 1 ? "dam-break 2-D" : "dam-break 3-D",
               sim, [&](const StepReport&) {
                   front.push_back({sim.liquid.state.t_s * T_of_t, frontOf(sim) / a_m});
               });
    return front;
}

void compare(const std::string& grid, const std::vector<FrontPoint>& front, std::vector<Finding>& findings)
{
    double best = 0;
    for (double shift = -largest_shift; shift <= largest_shift + 1e-9; shift += 0.005)
        if (rmsError(front, shift) < rmsError(front, best)) best = shift;
    const FrontPoint& last = martin_moyce.back();
    findings.push_back(absoluteFinding(grid + ": rms of Z, best shift", rmsError(front, best), 0, 0.08));
    findings.push_back(absoluteFinding(grid + ": best shift in T", best, 0, largest_shift));
    findings.push_back(absoluteFinding(grid + ": rms of Z, no shift", rmsError(front, 0), 0, {}));
    findings.push_back(
        relativeFinding(grid + ": Z at T = 3.33, best shift", frontAt(front, last.T + best), last.Z, {}));
}

std::vector<Finding> measureDamBreak(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    compare("2-D a/20", simulateColumn(1), findings);
    compare("3-D a/20", simulateColumn(int(cells_per_a)), findings);
    return findings;
}

}  // namespace

const ValidationCase dam_break{"dam-break", measureDamBreak};

}  // namespace flotsam
