#include "liquid/surface_correction.h"

namespace flotsam {

namespace {

constexpr int bins_of_brick = Bricks::side.x * Bricks::side.y * Bricks::side.z;

int binInBrick(Int3 c)
{
    constexpr Int3 s = Bricks::side;
    return c.x % s.x + s.x * (c.y % s.y + s.y * (c.z % s.z));
}

// The half cubes at walls share the bin of the cube next to them.
Int3 binOf(Float3 at_cells, Int3 cells)
{
    const Float3 c = centerIndex(clampTo(at_cells, cells));
    const Int3 cube{int(std::floor(c.x)), int(std::floor(c.y)), int(std::floor(c.z))};
    return min(max(cube, {0, 0, 0}), cells - Int3{1, 1, 1});
}

}  // namespace

SurfaceCorrection::SurfaceCorrection(const Grid& grid, const std::vector<Particle>& escaped)
    : cells_in_bricks(grid.cells), h(float(grid.h)), block_of_brick(size_t(grid.bricks.total()), -1)
{
    const Bricks& bricks = cells_in_bricks;
    std::vector<uint8_t> filled(block_of_brick.size(), 0);
    const auto brickOf = [&](const Particle& p) {
        return size_t(bricks.index(bricks.ofCell(binOf(Float3{p.x, p.y, p.z}, bricks.cells))));
    };
    for (const Particle& p : escaped) filled[brickOf(p)] = 1;
    const BrickList list = listOf(filled);
    for (size_t n = 0; n < list.size(); ++n) block_of_brick[size_t(list[n])] = int(n);
    reached = dilated(bricks, list);

    // A counting sort: particles of a bin keep their order.
    constexpr size_t block = bins_of_brick + 1;
    bin_start.assign(list.size() * block, 0);
    const auto slotOf = [&](const Particle& p) {
        return size_t(block_of_brick[brickOf(p)]) * block +
               size_t(binInBrick(binOf(Float3{p.x, p.y, p.z}, bricks.cells)));
    };
    for (const Particle& p : escaped) ++bin_start[slotOf(p) + 1];
    int sum = 0;
    for (int& start : bin_start) start = sum += start;
    particles.resize(escaped.size());
    std::vector<int> next = bin_start;
    for (const Particle& p : escaped) particles[size_t(next[slotOf(p)]++)] = p;
}

SurfaceCorrection::Range SurfaceCorrection::particlesIn(Int3 cell) const
{
    const int block = block_of_brick[size_t(cells_in_bricks.index(cells_in_bricks.ofCell(cell)))];
    if (block < 0) return {};
    const size_t bin = size_t(block) * (bins_of_brick + 1) + size_t(binInBrick(cell));
    return {bin_start[bin], bin_start[bin + 1]};
}

bool SurfaceCorrection::mayCorrect(Int3 cube) const
{
    const Int3 last = cells_in_bricks.cells - Int3{1, 1, 1};
    bool any = false;
    forEachCell({max(cube - Int3{1, 1, 1}, {0, 0, 0}), min(cube + Int3{1, 1, 1}, last) + Int3{1, 1, 1}},
                [&](int i, int j, int k) {
                    const Range r = particlesIn({i, j, k});
                    any |= r.begin < r.end;
                });
    return any;
}

float SurfaceCorrection::corrected(Float3 at_cubes, Float3 at_cells, float phi) const
{
    IndexBox bins;
    for (int a = 0; a < 3; ++a) {
        const float below = std::floor(at_cubes[a]);
        const int last = cells_in_bricks.cells[a] - 1;
        bins.lo[a] = std::clamp(int(below) - int(below == at_cubes[a]), 0, last);
        bins.hi[a] = std::clamp(int(below), 0, last) + 1;
    }
    float plus = phi, minus = phi;
    forEachCell(bins, [&](int i, int j, int k) {
        const Range range = particlesIn({i, j, k});
        for (int n = range.begin; n < range.end; ++n) {
            const Particle& p = particles[size_t(n)];
            const Float3 d = at_cells - Float3{p.x, p.y, p.z};
            const float distance = h * std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z);
            if (p.isAir())
                plus = std::max(plus, h * p.radius - distance);
            else
                minus = std::min(minus, h * p.radius + distance);
        }
    });
    return std::abs(plus) <= std::abs(minus) ? plus : minus;
}

}  // namespace flotsam
