// The sweeps of the pressure solver, one strip of bricks at a time. Each comes in two forms: for interior cells (all
// couplings c0, nothing read but the vectors) and for the rest. Eights may reach past the domain: there everything is
// zero.
#pragma once

#include "core/lanes.h"
#include "grid/poisson.h"

namespace flotsam::poisson {

// What the eight cells at p and their six neighbours hold.
struct Star {
    const float* p;
    std::ptrdiff_t sy, sz;

    Float8 self() const { return load(p); }
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

// The couplings of the six faces of eight cells, and 1 / diagonal around them.
struct Row {
    Float8 west, east, down, up, back, front;
    Star inverse;

    static Row of(PoissonLevel& level, Kind kind, int i, int j, int k)
    {
        if (kind == Kind::general) {
            const View3<float> cx = level.c(0), cy = level.c(1), cz = level.c(2);
            return {load(&cx(i, j, k)),
                    load(&cx(i + 1, j, k)),
                    load(&cy(i, j, k)),
                    load(&cy(i, j + 1, k)),
                    load(&cz(i, j, k)),
                    load(&cz(i, j, k + 1)),
                    starAt(level.inverse_diagonal, i, j, k)};
        }
        const Pattern& pattern = level.patterns[int(kind)];
        const Float8 other = load(pattern.cyz);
        return {load(pattern.cx), load(pattern.cx + 1), other, other, other, other, Star{pattern.inverse + 1, 0, 0}};
    }
    Float8 sum() const { return ((west + east) + (down + up)) + (back + front); }
    Float8 weighted(const Star& v) const
    {
        return ((west * load(v.p - 1) + east * load(v.p + 1)) + (down * load(v.p - v.sy) + up * load(v.p + v.sy))) +
               (back * load(v.p - v.sz) + front * load(v.p + v.sz));
    }
    Float8 differences(const Star& v) const
    {
        const Float8 s = v.self();
        return ((west * (s - load(v.p - 1)) + east * (s - load(v.p + 1))) +
                (down * (s - load(v.p - v.sy)) + up * (s - load(v.p + v.sy)))) +
               (back * (s - load(v.p - v.sz)) + front * (s - load(v.p + v.sz)));
    }
};

// All bits set in the lanes of black cells, (i + j + k) odd, of eight cells that start at an even i.
inline Int8 blackLanes(int j, int k)
{
    const Int8 odd{0, -1, 0, -1, 0, -1, 0, -1};
    return (j + k) & 1 ? ~odd : odd;
}

// body(kind, i, j, k) for every eight cells of a strip that hold an unknown, row by row.
template <class Body>
inline void forEights(const PoissonLevel& level, IndexBox strip, const Body& body)
{
    for (int k = strip.lo.z; k < strip.hi.z; ++k)
        for (int j = strip.lo.y; j < strip.hi.y; ++j) {
            const int first = level.bricks.index(level.bricks.ofCell({strip.lo.x, j, k}));
            for (int i = strip.lo.x; i < strip.hi.x; i += cells_at_once) {
                const Kind kind = level.kind(first + (i - strip.lo.x) / Bricks::side.x, i, j, k);
                if (kind != Kind::empty) body(kind, i, j, k);
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
void makePatterns(PoissonLevel& level);
void invertDiagonal(PoissonLevel& level, IndexBox strip);
void findKinds(PoissonLevel& level, IndexBox strip);
// Red-black sweeps there and back on the coarsest level.
void solveBottom(PoissonLevel& level);

}  // namespace flotsam::poisson
