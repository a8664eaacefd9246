// The sweeps of the pressure solver, one brick at a time. Each has three forms, by the kind of lane group: interior
// (reads only the vectors), uniform (also the diagonal), general (also the couplings).
#pragma once

#include <algorithm>

#include "core/lanes.h"
#include "core/parallel.h"
#include "grid/poisson.h"

namespace flotsam::poisson {

// Indices of a lane group and its neighbours, valid for every field of a level.
struct LaneNeighbours {
    size_t self;
    size_t west, east;             // the lane groups before and after
    size_t down, up, back, front;  // the adjacent lane groups
    int i, j, k;                   // within the brick
};

// Lanes 7 .. 14 and 1 .. 8 of two consecutive lane groups.
inline Float8 shiftedEast(const Float8& west, const Float8& self)
{
    return __builtin_shufflevector(west, self, 7, 8, 9, 10, 11, 12, 13, 14);
}
inline Float8 shiftedWest(const Float8& self, const Float8& east)
{
    return __builtin_shufflevector(self, east, 1, 2, 3, 4, 5, 6, 7, 8);
}

// Values of eight cells and their six neighbours.
struct LaneStencil {
    const float* v;
    const LaneNeighbours& at;

    Float8 self() const { return load(v + at.self); }
    // 0 .. 5: west, east, down, up, back, front.
    Float8 neighbour(int d) const
    {
        switch (d) {
            case 0:
                return shiftedEast(load(v + at.west), self());
            case 1:
                return shiftedWest(self(), load(v + at.east));
            case 2:
                return load(v + at.down);
            case 3:
                return load(v + at.up);
            case 4:
                return load(v + at.back);
            default:
                return load(v + at.front);
        }
    }
};

// Sums f(d) over the six directions, in a fixed order.
template <class F>
inline Float8 sumAround(const F& f)
{
    return ((f(0) + f(1)) + (f(2) + f(3))) + (f(4) + f(5));
}
inline Float8 sumAround(const LaneStencil& v)
{
    return sumAround([&](int d) { return v.neighbour(d); });
}

// All bits set in the lanes whose bit is set.
inline Int8 lanes(uint8_t bits)
{
    const Int8 bit{1, 2, 4, 8, 16, 32, 64, 128};
    return ((Int8{} + int(bits)) & bit) == bit;
}
inline Float8 only(const Int8& lanes, const Float8& v)
{
    return reinterpret_cast<Float8>(reinterpret_cast<Int8>(v) & lanes);
}

// The couplings of a general lane group in direction d.
inline Float8 couplingAt(const PoissonLevel& level, const LaneNeighbours& at, int d)
{
    const float* c = level.coupling[d / 2].data();
    return d & 1 ? LaneStencil{c, at}.neighbour(d) : load(c + at.self);
}

// Sums coupling times f(d) over the six directions.
template <class F>
inline Float8 weightedSum(const PoissonLevel& level, const LaneGroup& eight, const LaneNeighbours& at, const F& f)
{
    if (eight.kind == Kind::interior) return level.c0 * sumAround(f);
    if (eight.kind == Kind::uniform)
        return level.c0 * sumAround([&](int d) { return only(lanes(eight.linked[d]), f(d)); });
    return sumAround([&](int d) { return couplingAt(level, at, d) * f(d); });
}
// The same for a vector: it is zero where a uniform cell is not linked.
inline Float8 weightedSum(const PoissonLevel& level, const LaneGroup& eight, const LaneNeighbours& at,
                          const LaneStencil& v)
{
    if (eight.kind == Kind::interior) return level.c0 * sumAround(v);
    if (eight.kind == Kind::uniform) return only(lanes(eight.unknown), level.c0 * sumAround(v));
    return sumAround([&](int d) { return couplingAt(level, at, d) * v.neighbour(d); });
}

// (A v) of eight cells from differences. Differences between neighbours are exact in float, so the rounding error of
// the sum scales with the differences and not with v. With sum c v_i - sum c v_nb a float CG stalls at 7e-5 (128^3).
inline Float8 apply(const PoissonLevel& level, const LaneGroup& eight, const LaneNeighbours& at, const float* v)
{
    const LaneStencil star{v, at};
    const Float8 s = star.self();
    const Float8 differences = weightedSum(level, eight, at, [&](int d) { return s - star.neighbour(d); });
    return eight.kind == Kind::interior ? differences : differences + load(level.d.data() + at.self) * s;
}

// All bits set in the lanes of black cells, (i + j + k) odd, of a lane group that starts at an even i.
inline Int8 blackLanes(const LaneNeighbours& at)
{
    const Int8 odd{0, -1, 0, -1, 0, -1, 0, -1};
    return (at.j + at.k) & 1 ? ~odd : odd;
}

// body(site) for every lane group of a brick, row by row.
template <class Body>
inline void forSites(const BrickSlots& slots, int slot, const Body& body)
{
    constexpr int row = BrickSlots::row, plane = BrickSlots::plane, last = Bricks::side.y - 1;
    constexpr size_t size = BrickSlots::cells_per_brick;
    size_t around[6];
    for (size_t d = 0; d < 6; ++d) around[d] = size_t(slots.around(slot)[d]) * size;
    for (int k = 0; k < Bricks::side.z; ++k)
        for (int j = 0; j < Bricks::side.y; ++j) {
            const size_t offset = size_t(row * j + plane * k), self = size_t(slot) * size + offset;
            const size_t down = j > 0 ? self - row : around[2] + offset + row * last;
            const size_t up = j < last ? self + row : around[3] + offset - row * last;
            const size_t back = k > 0 ? self - plane : around[4] + offset + plane * last;
            const size_t front = k < last ? self + plane : around[5] + offset - plane * last;
            body(LaneNeighbours{self, around[0] + offset + 8, self + 8, down, up, back, front, 0, j, k});
            body(LaneNeighbours{self + 8, self, around[1] + offset, down + 8, up + 8, back + 8, front + 8, 8, j, k});
        }
}

// body(eight, site) for the lane groups with unknowns.
template <class Body>
inline void forEights(const PoissonLevel& level, int slot, const Body& body)
{
    forSites(level.slots, slot, [&](const LaneNeighbours& at) {
        const LaneGroup& eight = level.eightAt(at.self);
        if (eight.kind != Kind::empty) body(eight, at);
    });
}

// f(slot) for each brick of a level, a few bricks per task: partial sums are the same for any number of threads.
constexpr int bricks_per_task = 8;
template <class F>
void forBricks(const char* label, const PoissonLevel& level, const F& f)
{
    const int count = level.slots.count();
    parallelTasks(label, (count + bricks_per_task - 1) / bricks_per_task, [&](int task) {
        const int begin = 1 + task * bricks_per_task, end = std::min(begin + bricks_per_task, count + 1);
        for (int slot = begin; slot < end; ++slot) f(slot);
    });
}
template <class F>
double sumOverBricks(const char* label, const PoissonLevel& level, const F& f)
{
    std::vector<double> part(size_t(level.slots.count()));
    forBricks(label, level, [&](int slot) { part[size_t(slot - 1)] = f(slot); });
    double sum = 0;
    for (double value : part) sum += value;
    return sum;
}

// From z = 0: red cells become r / diagonal, then black cells relax against them. Only the black ones are written: the
// value of a red cell follows from r, and its residual is then sum c z_black.
void smoothBlackFromZero(PoissonLevel& level, int slot);
// The residual of a brick of `fine` after smoothBlackFromZero, summed over its aggregates.
void restrictResidual(const PoissonLevel& fine, int slot, PoissonLevel& coarse);
// Adds the coarse correction to the red cells and relaxes the black ones against it.
void correctBlack(PoissonLevel& fine, int slot, const PoissonLevel& coarse);
// Relaxes the red cells against the black ones: the post-smoothing, adjoint to the pre-smoothing. Returns sum r z.
double smoothRed(PoissonLevel& level, int slot);
// x += alpha p with the old direction, then p = z + beta p.
void turn(const PoissonLevel& level, double alpha, float beta, double* x, float* p, int slot);
// r = b - A x of a brick, computed in double. Also stored unrounded, by cell of the brick, in `exact` if that is given.
// Returns |r|^2.
double residualOf(PoissonLevel& level, const float* b, const double* x, int slot, double* exact = nullptr);
// The coarse operator of a brick: half of the sums of couplings over the children (the half is the over-correction by
// 2), and part_of_d times the sums of d.
void coarsen(const PoissonLevel& fine, float part_of_d, PoissonLevel& coarse, int slot);
void invertDiagonal(PoissonLevel& level, int slot);
void classify(PoissonLevel& level, int slot);
// Forward and backward red-black Gauss-Seidel sweeps on the coarsest level.
void solveBottom(PoissonLevel& level);

}  // namespace flotsam::poisson
