#include "grid/poisson_kernels.h"

#include <algorithm>

namespace flotsam::poisson {

namespace {

constexpr int row = BrickSlots::row, plane = BrickSlots::plane, brick_cells = BrickSlots::cells_per_brick;
constexpr Int3 half_brick{Bricks::side.x / 2, Bricks::side.y / 2, Bricks::side.z / 2};

// The position of a brick in the next coarser level: its parent, and which eighth of it the brick covers.
struct Parent {
    Int3 brick, corner;  // corner: lowest cell of the eighth, within the parent
};
Parent parentOf(Int3 b)
{
    return {{b.x / 2, b.y / 2, b.z / 2}, {b.x % 2 * half_brick.x, b.y % 2 * half_brick.y, b.z % 2 * half_brick.z}};
}

}  // namespace

void smoothBlackFromZero(PoissonLevel& level, int slot)
{
    const float inv0 = 1 / (6 * level.c0);
    const float *r = level.r.data(), *inverse = level.inverse.data();
    float* z = level.z_black.data();
    forEights(level, slot, [&](const LaneGroup& eight, const LaneNeighbours& at) {
        const LaneStencil residual{r, at}, inv{inverse, at};
        Float8 relaxed;
        if (eight.kind == Kind::interior) {
            relaxed = (residual.self() + (1.0f / 6) * sumAround(residual)) * inv0;
        } else {
            const auto red = [&](int d) { return residual.neighbour(d) * inv.neighbour(d); };
            // Red values are zero where there is no unknown, so uniform cells need no link masks.
            const Float8 sum =
                eight.kind == Kind::uniform ? level.c0 * sumAround(red) : weightedSum(level, eight, at, red);
            relaxed = (residual.self() + sum) * inv.self();
        }
        store(z + at.self, only(blackLanes(at), relaxed));
    });
}

void restrictResidual(const PoissonLevel& fine, int slot, PoissonLevel& coarse)
{
    const Parent parent = parentOf(fine.slots.bricks.at(fine.slots.brickOf(slot)));
    float* r = coarse.r.brick(coarse.slots.slotOf(parent.brick)) +
               BrickSlots::offset(parent.corner.x, parent.corner.y, parent.corner.z);
    const float* z_black = fine.z_black.data();
    float sum[half_brick.z][half_brick.y][row] = {};
    forEights(fine, slot, [&](const LaneGroup& eight, const LaneNeighbours& at) {
        float* out = &sum[at.k / 2][at.j / 2][at.i];
        store(out, load(out) + weightedSum(fine, eight, at, LaneStencil{z_black, at}));
    });
    for (int k = 0; k < half_brick.z; ++k)
        for (int j = 0; j < half_brick.y; ++j)
            for (int i = 0; i < half_brick.x; ++i) r[i + row * j + plane * k] = sum[k][j][2 * i] + sum[k][j][2 * i + 1];
}

void correctBlack(PoissonLevel& fine, int slot, const PoissonLevel& coarse)
{
    // The coarse correction at the cells of the brick and one layer around it, each value twice along x.
    constexpr int length = 2 * (half_brick.x + 2);
    float e[half_brick.z + 2][half_brick.y + 2][length];  // [coarse k + 1][coarse j + 1][fine i + 2]
    const Int3 b = fine.slots.bricks.at(fine.slots.brickOf(slot));
    const Int3 lowest{b.x * half_brick.x - 1, b.y * half_brick.y - 1, b.z * half_brick.z - 1};
    const float* coarse_z = coarse.z.data();
    for (int k = 0; k < half_brick.z + 2; ++k)
        for (int j = 0; j < half_brick.y + 2; ++j) {
            const bool j_out = j == 0 || j == half_brick.y + 1, k_out = k == 0 || k == half_brick.z + 1;
            if (j_out && k_out) continue;  // the stencil has no corners
            const int cj = lowest.y + j, ck = lowest.z + k;
            const float* middle = coarse_z + coarse.slots.index(lowest.x + 1, cj, ck);
            float* out = e[k][j];
            for (int i = 0; i < half_brick.x; ++i) out[2 + 2 * i] = out[3 + 2 * i] = middle[i];
            if (j_out || k_out) continue;
            out[1] = coarse_z[coarse.slots.index(lowest.x, cj, ck)];
            out[2 + row] = coarse_z[coarse.slots.index(lowest.x + half_brick.x + 1, cj, ck)];
        }
    float* z = fine.z_black.data();
    const float* inverse = fine.inverse.data();
    forEights(fine, slot, [&](const LaneGroup& eight, const LaneNeighbours& at) {
        const auto at_cell = [&](int i, int j, int k) { return load(&e[(k >> 1) + 1][(j >> 1) + 1][2 + i]); };
        const auto correction = [&](int d) {
            const int step = d & 1 ? 1 : -1;
            return at_cell(at.i + (d < 2 ? step : 0), at.j + (d / 2 == 1 ? step : 0), at.k + (d > 3 ? step : 0));
        };
        const Float8 inv = eight.kind == Kind::interior ? Float8{} + 1 / (6 * fine.c0) : load(inverse + at.self);
        float* out = z + at.self;
        store(out, load(out) + inv * weightedSum(fine, eight, at, correction));
    });
}

double smoothRed(PoissonLevel& level, int slot)
{
    const float inv0 = 1 / (6 * level.c0);
    const float *r = level.r.data(), *z_black = level.z_black.data(), *inverse = level.inverse.data();
    float* z = level.z.data();
    LaneSum rz;
    forEights(level, slot, [&](const LaneGroup& eight, const LaneNeighbours& at) {
        const LaneStencil black{z_black, at};
        const Float8 rhs = load(r + at.self);
        const Float8 inv = eight.kind == Kind::interior ? Float8{} + inv0 : load(inverse + at.self);
        const Float8 relaxed = (rhs + weightedSum(level, eight, at, black)) * inv;
        const Float8 value = blackLanes(at) ? black.self() : relaxed;
        store(z + at.self, value);
        rz.add(rhs * value);
    });
    return rz.total();
}

void turn(const PoissonLevel& level, double alpha, float beta, double* x, float* p, int slot)
{
    const float* z = level.z.data();
    forEights(level, slot, [&](const LaneGroup&, const LaneNeighbours& at) {
        const Float8 direction = load(p + at.self);
        double* solution = x + at.self;
        storeDouble(solution, loadDouble(solution) + alpha * lowHalf(direction));
        storeDouble(solution + 4, loadDouble(solution + 4) + alpha * highHalf(direction));
        store(p + at.self, load(z + at.self) + beta * direction);
    });
}

double residualOf(PoissonLevel& level, const float* b, const double* x, int slot, double* exact)
{
    double sum = 0;
    float* r = level.r.data();
    forSites(level.slots, slot, [&](const LaneNeighbours& at) {
        const LaneGroup& eight = level.eightAt(at.self);
        if (eight.kind == Kind::empty) {
            store(r + at.self, Float8{});
            return;
        }
        float coupling[6][cells_at_once];
        for (int d = 0; d < 6; ++d)
            store(coupling[d], eight.kind == Kind::interior ? Float8{} + level.c0 : couplingAt(level, at, d));
        double padded[cells_at_once + 2];  // one cell more on both sides
        padded[0] = x[at.west + cells_at_once - 1];
        std::copy_n(x + at.self, cells_at_once, padded + 1);
        padded[cells_at_once + 1] = x[at.east];
        for (int lane = 0; lane < cells_at_once; ++lane) {
            const size_t l = size_t(lane);
            const double s = padded[l + 1];
            const double rest = double(b[at.self + l]) - double(level.d.data()[at.self + l]) * s -
                                coupling[0][l] * (s - padded[l]) - coupling[1][l] * (s - padded[l + 2]) -
                                coupling[2][l] * (s - x[at.down + l]) - coupling[3][l] * (s - x[at.up + l]) -
                                coupling[4][l] * (s - x[at.back + l]) - coupling[5][l] * (s - x[at.front + l]);
            r[at.self + l] = float(rest);
            if (exact) exact[(at.self + l) % brick_cells] = rest;
            sum += rest * rest;
        }
    });
    return sum;
}

void coarsen(const PoissonLevel& fine, float part_of_d, PoissonLevel& coarse, int slot)
{
    float *d = coarse.d.brick(slot), *c[3];
    for (int a = 0; a < 3; ++a) c[a] = coarse.coupling[a].brick(slot);
    for (float* f : {d, c[0], c[1], c[2], coarse.r.brick(slot)}) std::fill_n(f, brick_cells, 0.0f);
    const Int3 b = coarse.slots.bricks.at(coarse.slots.brickOf(slot));
    for (int n = 0; n < 8; ++n) {
        const Int3 child{2 * b.x + (n & 1), 2 * b.y + (n >> 1 & 1), 2 * b.z + (n >> 2)};
        const int child_slot = fine.slots.slotOf(child);
        if (child_slot == 0) continue;
        const Int3 corner = parentOf(child).corner;
        const float *fd = fine.d.brick(child_slot), *f[3];
        for (int a = 0; a < 3; ++a) f[a] = fine.coupling[a].brick(child_slot);
        forEachCell({{0, 0, 0}, half_brick}, [&](int i, int j, int k) {
            float face[3] = {}, sum_d = 0;
            for (int m = 0; m < 8; ++m) {
                const Int3 o{m & 1, m >> 1 & 1, m >> 2};
                const size_t q = BrickSlots::offset(2 * i + o.x, 2 * j + o.y, 2 * k + o.z);
                sum_d += fd[q];
                for (int a = 0; a < 3; ++a)
                    if (o[a] == 0) face[a] += f[a][q];
            }
            const size_t out = BrickSlots::offset(corner.x + i, corner.y + j, corner.z + k);
            d[out] = part_of_d * sum_d;
            for (int a = 0; a < 3; ++a) c[a][out] = 0.5f * face[a];
        });
    }
}

void invertDiagonal(PoissonLevel& level, int slot)
{
    forSites(level.slots, slot, [&](const LaneNeighbours& at) {
        const Float8 diagonal =
            sumAround([&](int d) { return couplingAt(level, at, d); }) + load(level.d.data() + at.self);
        store(level.inverse.data() + at.self, diagonal > 0.0f ? 1.0f / diagonal : Float8{});
    });
}

namespace {

// One bit for each lane that is set.
uint8_t bitsOf(const Int8& set)
{
    const Int8 bit{1, 2, 4, 8, 16, 32, 64, 128};
    const Int8 bits = set & bit;
    return uint8_t((bits[0] | bits[1] | bits[2] | bits[3]) | (bits[4] | bits[5] | bits[6] | bits[7]));
}

LaneGroup eightAt(const PoissonLevel& level, const LaneNeighbours& at)
{
    const LaneStencil inverse{level.inverse.data(), at};
    const Int8 here = inverse.self() > 0.0f;
    LaneGroup eight;
    eight.unknown = bitsOf(here);
    if (eight.unknown == 0) return eight;
    const float interior = 1 / (6 * level.c0);
    Int8 uniform = here | ~here, plain = inverse.self() == interior;
    for (int d = 0; d < 6; ++d) {
        const Float8 coupling = couplingAt(level, at, d), neighbour = inverse.neighbour(d);
        const Int8 linked = coupling == level.c0, both = here & (neighbour > 0.0f);
        eight.linked[d] = bitsOf(linked);
        uniform &= (linked & both) | (~both & (coupling == 0.0f));
        plain &= neighbour == interior;
    }
    eight.kind = bitsOf(uniform) != 0xff ? Kind::general : bitsOf(plain) == 0xff ? Kind::interior : Kind::uniform;
    return eight;
}

}  // namespace

void classify(PoissonLevel& level, int slot)
{
    forSites(level.slots, slot, [&](const LaneNeighbours& at) {
        const LaneGroup eight = eightAt(level, at);
        level.eights[at.self / cells_at_once] = eight;
        if (eight.kind != Kind::empty) return;  // no sweep writes here: clear old values
        store(level.z.data() + at.self, Float8{});
        store(level.z_black.data() + at.self, Float8{});
    });
}

namespace {

// A liquid without coupling to the air has a solution only if its residual sums to zero. By rounding it does not quite:
// the sweeps would turn that into an ever larger constant, whose own rounding exceeds the solution (two disks of
// 1.5 times the density of the liquid in a closed channel: the cycle was no longer positive, and the solve diverged).
void subtractMeanIfSealed(PoissonLevel& level, int slot)
{
    float* r = level.r.brick(slot);
    const float *inv = level.inverse.brick(slot), *d = level.d.brick(slot);
    double sum = 0;
    int count = 0;
    for (size_t n = 0; n < brick_cells; ++n) {
        if (inv[n] == 0) continue;
        if (d[n] > 0) return;
        sum += double(r[n]);
        ++count;
    }
    const float mean = count > 0 ? float(sum / count) : 0.0f;
    for (size_t n = 0; n < brick_cells; ++n)
        if (inv[n] > 0) r[n] -= mean;
}

}  // namespace

void solveBottom(PoissonLevel& level)
{
    // At most one brick.
    if (level.slots.count() == 0) return;
    const int slot = 1;
    subtractMeanIfSealed(level, slot);
    float* z = level.z.brick(slot);
    const float *r = level.r.brick(slot), *inv = level.inverse.brick(slot), *cx = level.coupling[0].brick(slot),
                *cy = level.coupling[1].brick(slot), *cz = level.coupling[2].brick(slot);
    const IndexBox all{{0, 0, 0}, level.slots.bricks.cells};
    std::fill_n(z, brick_cells, 0.0f);
    const auto sweep = [&](int colour) {
        forEachCell(all, [&](int i, int j, int k) {
            if (((i + j + k) & 1) != colour) return;
            const size_t q = BrickSlots::offset(i, j, k);
            float sum = r[q];
            if (i > 0) sum += cx[q] * z[q - 1];
            if (j > 0) sum += cy[q] * z[q - row];
            if (k > 0) sum += cz[q] * z[q - plane];
            if (i + 1 < all.hi.x) sum += cx[q + 1] * z[q + 1];
            if (j + 1 < all.hi.y) sum += cy[q + row] * z[q + row];
            if (k + 1 < all.hi.z) sum += cz[q + plane] * z[q + plane];
            z[q] = inv[q] * sum;
        });
    };
    // At most 4 cells per side: 12 forward and 12 backward Gauss-Seidel sweeps reduce the error below the accuracy of
    // the V-cycle.
    constexpr int sweeps = 12;
    for (int s = 0; s < sweeps; ++s) {
        sweep(0);
        sweep(1);
    }
    for (int s = 0; s < sweeps; ++s) {
        sweep(1);
        sweep(0);
    }
}

}  // namespace flotsam::poisson
