// The sweeps of the pressure solver, one strip of bricks at a time. Each comes in three forms, by the kind of the eight
// cells at hand: interior (nothing is read but the vectors), uniform (and the diagonal), general (and the couplings).
// Eights may reach past the domain: there everything is zero.
#pragma once

#include "core/lanes.h"
#include "grid/poisson.h"

namespace flotsam::poisson {

// What the eight cells at p and their six neighbours hold.
struct Star {
    const float* p;
    std::ptrdiff_t sy, sz;

    Float8 self() const { return load(p); }
    Float8 neighbour(int d) const
    {
        const std::ptrdiff_t step = d < 2 ? 1 : d < 4 ? sy : sz;
        return load(d & 1 ? p + step : p - step);
    }
    Float8 sum() const
    {
        return ((load(p - 1) + load(p + 1)) + (load(p - sy) + load(p + sy))) + (load(p - sz) + load(p + sz));
    }
    // (A v)_i from differences: those of neighbours are exact in float, so the sum's error goes with the differences
    // and not with v. With sum c v_i - sum c v_nb a float CG stalls at 7e-5 (128^3).
    Float8 differences() const
    {
        const Float8 s = self();
        return (((s - load(p - 1)) + (s - load(p + 1))) + ((s - load(p - sy)) + (s - load(p + sy)))) +
               ((s - load(p - sz)) + (s - load(p + sz)));
    }
};

inline Star starAt(View3<const float> v, int i, int j, int k) { return {&v(i, j, k), v.sy, v.sz}; }

// All bits set in the lanes whose bit is.
inline Int8 lanes(uint8_t bits)
{
    const Int8 bit{1, 2, 4, 8, 16, 32, 64, 128};
    return ((Int8{} + int(bits)) & bit) == bit;
}
inline Float8 only(const Int8& lanes, const Float8& v) { return reinterpret_cast<Float8>(reinterpret_cast<Int8>(v) & lanes); }

// The links of eight uniform cells: couplings that are one or zero, in units of c0.
struct Links {
    const Eight& eight;

    // f(d): what stands in direction d, 0..5 as in Eight::linked.
    template <class F>
    Float8 sum(const F& f) const
    {
        const auto part = [&](int d) { return only(lanes(eight.linked[d]), f(d)); };
        return ((part(0) + part(1)) + (part(2) + part(3))) + (part(4) + part(5));
    }
    Float8 differences(const Star& v) const
    {
        const Float8 s = v.self();
        return sum([&](int d) { return s - v.neighbour(d); });
    }
};

// The couplings of the six faces of eight cells.
struct Row {
    Float8 west, east, down, up, back, front;

    static Row of(PoissonLevel& level, int i, int j, int k)
    {
        const View3<float> cx = level.c(0), cy = level.c(1), cz = level.c(2);
        return {load(&cx(i, j, k)),     load(&cx(i + 1, j, k)), load(&cy(i, j, k)),
                load(&cy(i, j + 1, k)), load(&cz(i, j, k)),     load(&cz(i, j, k + 1))};
    }
    Float8 sum() const { return ((west + east) + (down + up)) + (back + front); }
    // f(d): what stands in direction d, 0..5: west, east, down, up, back, front.
    template <class F>
    Float8 weighted(const F& f) const
    {
        return ((west * f(0) + east * f(1)) + (down * f(2) + up * f(3))) + (back * f(4) + front * f(5));
    }
    Float8 weighted(const Star& v) const
    {
        return weighted([&](int d) { return v.neighbour(d); });
    }
    Float8 differences(const Star& v) const
    {
        const Float8 s = v.self();
        return weighted([&](int d) { return s - v.neighbour(d); });
    }
};

// All bits set in the lanes of black cells, (i + j + k) odd, of eight cells that start at an even i.
inline Int8 blackLanes(int j, int k)
{
    const Int8 odd{0, -1, 0, -1, 0, -1, 0, -1};
    return (j + k) & 1 ? ~odd : odd;
}

// body(eight, i, j, k) for every eight cells of a strip that hold an unknown, row by row.
template <class Body>
inline void forEights(const PoissonLevel& level, IndexBox strip, const Body& body)
{
    for (int k = strip.lo.z; k < strip.hi.z; ++k)
        for (int j = strip.lo.y; j < strip.hi.y; ++j) {
            const int first = level.bricks.index(level.bricks.ofCell({strip.lo.x, j, k}));
            for (int i = strip.lo.x; i < strip.hi.x; i += cells_at_once) {
                const Eight& eight = level.eight(first + (i - strip.lo.x) / Bricks::side.x, i, j, k);
                if (eight.kind != Kind::empty) body(eight, i, j, k);
            }
        }
}

// From z = 0: red cells become r / diagonal, then black cells relax against them. Only the black ones are written: what
// a red cell holds follows from r, and its residual is then sum c z_black.
void smoothBlackFromZero(PoissonLevel& level, IndexBox strip);
// The residual of `fine` after smoothBlackFromZero, summed over each aggregate of a strip of `coarse`.
void restrictResidual(PoissonLevel& fine, PoissonLevel& coarse, IndexBox strip);
// Adds the coarse correction to the red cells and relaxes the black ones against it.
void correctBlack(PoissonLevel& fine, PoissonLevel& coarse, IndexBox strip);
// Relaxes the red cells against the black: the mirror image of the way down. Returns sum r z.
double smoothRed(PoissonLevel& level, IndexBox strip);
// The coarse operator of a strip: half of the sums over the children (the half is the over-correction by 2).
void coarsen(PoissonLevel& fine, PoissonLevel& coarse, IndexBox strip);
void invertDiagonal(PoissonLevel& level, IndexBox strip);
void classify(PoissonLevel& level, IndexBox strip);
// Red-black sweeps there and back on the coarsest level.
void solveBottom(PoissonLevel& level);

}  // namespace flotsam::poisson
