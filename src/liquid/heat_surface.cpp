#include "liquid/heat_surface.h"

namespace flotsam {

std::vector<float> temperaturesAt(const Grid& grid, LiquidState& s, double otherwise_K,
                                  const std::vector<std::array<float, 3>>& positions_m)
{
    const View3<const float> temperature = s.temperature;
    std::vector<float> result;
    result.reserve(positions_m.size());
    for (const auto& p : positions_m) {
        int low[3];
        double part[3], sum = 0, weight = 0;
        for (int a = 0; a < 3; ++a) {
            const double at = std::clamp(double(p[size_t(a)]) / grid.h - 0.5, 0.0, std::max(grid.cells[a] - 1.0, 0.0));
            low[a] = std::min(int(at), std::max(grid.cells[a] - 2, 0));
            part[a] = at - low[a];
        }
        for (int n = 0; n < 8; ++n) {
            const Int3 o{n & 1, n >> 1 & 1, n >> 2},
                c = min(Int3{low[0], low[1], low[2]} + o, grid.cells - Int3{1, 1, 1});
            const double value = double(temperature(c));
            if (value <= 0) continue;
            double w = 1;
            for (int a = 0; a < 3; ++a)
                w *= std::max(o[a] ? part[a] : 1 - part[a], 1e-3);  // > 0: any known sample is enough
            sum += w * value;
            weight += w;
        }
        result.push_back(float(weight > 0 ? sum / weight : otherwise_K));
    }
    return result;
}

}  // namespace flotsam
