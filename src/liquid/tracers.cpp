#include "liquid/tracers.h"

#include "core/random.h"

namespace flotsam {

std::vector<Float3> seedTracers(const Grid& grid, const Solids& solids, const TracerParams& prm, LiquidState& s)
{
    // Liquid cells in order; each tracer draws a random cell and a position in it, again while that is outside the
    // liquid.
    std::vector<Int3> cells;
    const View3<const float> phi = s.phi;
    for (int brick : s.active.list)
        forEachCell(grid.bricks.box(brick), [&](int i, int j, int k) {
            if (phi(i, j, k) < 0 && !(solids.touches({i, j, k}) && solids.distance(i, j, k) < 0))
                cells.push_back({i, j, k});
        });
    std::vector<Float3> tracers;
    if (cells.empty()) return tracers;
    for (int n = 0; n < prm.count; ++n) {
        Float3 p{};
        for (uint64_t attempt = 0; attempt < 16; ++attempt) {
            const auto draw = [&](uint64_t what) {
                return randomUnit(uint64_t(prm.seed), uint64_t(n), 4 * attempt + what);
            };
            const Int3 c = cells[size_t(draw(0) * double(cells.size()))];
            p = {float(c.x + draw(1)), float(c.y + draw(2)), float(c.z + draw(3))};
            if (trilinear(phi, centerIndex(p)) < 0) break;
        }
        tracers.push_back(p);
    }
    return tracers;
}

namespace {

// f(tracer) for all tracers, in parallel.
template <class F>
void forTracers(const char* label, std::vector<Float3>& tracers, const F& f)
{
    constexpr int chunk = 1024;
    const int count = int(tracers.size());
    parallelTasks(label, (count + chunk - 1) / chunk, [&](int n) {
        for (int t = n * chunk; t < std::min(count, (n + 1) * chunk); ++t) f(tracers[size_t(t)]);
    });
}

// Moves to a position that no thin solid hides.
void moveUnless(const Solids& solids, Float3 to, Float3& p)
{
    const Int3 last = solids.cells() - Int3{1, 1, 1};
    const Int3 cell = min(Int3{int(p.x), int(p.y), int(p.z)}, last),
               next = min(Int3{int(to.x), int(to.y), int(to.z)}, last);
    const bool hidden =
        solids.hasThin() && (solids.isNearThin(cell) || solids.isNearThin(next)) && solids.separates(p, to);
    if (!hidden) p = to;
}

}  // namespace

void moveTracers(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s)
{
    const float dt = float(dt_s / grid.h);
    const Int3 cells = grid.cells;
    forTracers("tracers.move", s.tracers, [&, u = ConstMacView(s.u)](Float3& p) {
        const auto along = [&](float part, Float3 v) { return velocityAt(u, clampTo(p + part * dt * v, cells)); };
        const Float3 k1 = velocityAt(u, p), k2 = along(0.5f, k1), k3 = along(0.5f, k2), k4 = along(1, k3);
        moveUnless(solids, clampTo(p + (dt / 6) * ((k1 + k4) + 2.0f * (k2 + k3)), cells), p);
    });
}

void keepTracersInside(const Grid& grid, const Solids& solids, LiquidState& s)
{
    const float h = float(grid.h), skin = 0.1f * h;
    const View3<const float> phi = s.phi;
    forTracers("tracers.keep", s.tracers, [&](Float3& p) {
        const Float3 c = centerIndex(p);
        const float d = trilinear(phi, c);
        if (d <= -skin || d >= grid.band) return;
        const auto slope = [&](Float3 half) { return trilinear(phi, c + half) - trilinear(phi, c - half); };
        const Float3 g{slope({0.5f, 0, 0}), slope({0, 0.5f, 0}), slope({0, 0, 0.5f})};
        const float norm = std::sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
        if (norm > 0) moveUnless(solids, clampTo(p - ((d + skin) / (h * norm)) * g, grid.cells), p);
    });
}

}  // namespace flotsam
