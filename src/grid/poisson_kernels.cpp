#include "grid/poisson_kernels.h"

#include <algorithm>

namespace flotsam::poisson {

void smoothBlackFromZero(PoissonLevel& level, IndexBox strip)
{
    const float sixth = 1.0f / 6, inv0 = 1 / (6 * level.c0);
    const View3<float> z = level.z_black;
    forEights(level, strip, [&](const Eight& eight, int i, int j, int k) {
        const Star r = starAt(level.r, i, j, k);
        Float8 relaxed;
        if (eight.kind == Kind::interior) {
            relaxed = (r.self() + sixth * r.sum()) * inv0;
        } else {
            const Star inverse = starAt(level.inverse_diagonal, i, j, k);
            const auto red = [&](int d) { return r.neighbour(d) * inverse.neighbour(d); };
            const Float8 sum = eight.kind == Kind::uniform
                                   ? level.c0 * (((red(0) + red(1)) + (red(2) + red(3))) + (red(4) + red(5)))
                                   : Row::of(level, i, j, k).weighted(red);
            relaxed = (r.self() + sum) * inverse.self();
        }
        store(&z(i, j, k), blackLanes(j, k) ? relaxed : Float8{});
    });
}

void restrictResidual(PoissonLevel& fine, PoissonLevel& coarse, IndexBox strip)
{
    constexpr int longest = 2 * Bricks::side.x * BrickSet::longest_strip;
    const Int3 n = fine.bricks.cells;
    const IndexBox fine_row{{2 * strip.lo.x, 0, 0}, {std::min(2 * strip.hi.x, n.x), 1, 1}};
    const View3<float> r = coarse.r;
    for (int k = strip.lo.z; k < strip.hi.z; ++k)
        for (int j = strip.lo.y; j < strip.hi.y; ++j) {
            float sum[longest] = {};
            for (int fk = 2 * k; fk < std::min(2 * k + 2, n.z); ++fk)
                for (int fj = 2 * j; fj < std::min(2 * j + 2, n.y); ++fj) {
                    const IndexBox row{{fine_row.lo.x, fj, fk}, {fine_row.hi.x, fj + 1, fk + 1}};
                    forEights(fine, row, [&](const Eight& eight, int i, int, int) {
                        const Star z = starAt(fine.z_black, i, fj, fk);
                        float* out = sum + (i - row.lo.x);
                        const Float8 residual = eight.kind == Kind::general
                                                    ? Row::of(fine, i, fj, fk).weighted(z)
                                                    : only(lanes(eight.unknown), fine.c0 * z.sum());
                        store(out, load(out) + residual);
                    });
                }
            for (int i = strip.lo.x; i < strip.hi.x; ++i)
                r(i, j, k) = sum[2 * (i - strip.lo.x)] + sum[2 * (i - strip.lo.x) + 1];
        }
}

void correctBlack(PoissonLevel& fine, PoissonLevel& coarse, IndexBox strip)
{
    // The correction at the cells of the strip and one around it, each coarse value repeated along x.
    constexpr int length = Bricks::side.x * BrickSet::longest_strip + 6, rows = Bricks::side.y / 2 + 2;
    float e[rows][rows][length];  // [coarse k][coarse j][fine i - lo.x + 2]
    const Int3 origin{strip.lo.x / 2 - 1, strip.lo.y / 2 - 1, strip.lo.z / 2 - 1};
    const Int3 count = Int3{(strip.hi.x - 1) / 2, (strip.hi.y - 1) / 2, (strip.hi.z - 1) / 2} - origin + Int3{2, 2, 2};
    const View3<const float> coarse_z = coarse.z;
    for (int k = 0; k < count.z; ++k)
        for (int j = 0; j < count.y; ++j) {
            const float* row = coarse_z.row(origin.y + j, origin.z + k) + origin.x;
            for (int i = 0; i < count.x; ++i) e[k][j][2 * i] = e[k][j][2 * i + 1] = row[i];
            std::fill(e[k][j] + 2 * count.x, e[k][j] + length, 0.0f);  // rows run to the end of their brick
        }
    const View3<float> z = fine.z_black;
    forEights(fine, strip, [&](const Eight& eight, int i, int j, int k) {
        const auto at = [&](int fi, int fj, int fk) {
            return load(&e[(fk >> 1) - origin.z][(fj >> 1) - origin.y][2 + (fi - strip.lo.x)]);
        };
        const Float8 around[6] = {at(i - 1, j, k), at(i + 1, j, k), at(i, j - 1, k),
                                  at(i, j + 1, k), at(i, j, k - 1), at(i, j, k + 1)};
        const auto correction = [&](int d) { return around[d]; };
        float* out = &z(i, j, k);
        if (eight.kind == Kind::interior) {
            store(out, load(out) + (1.0f / 6) * (((around[0] + around[1]) + (around[2] + around[3])) +
                                                 (around[4] + around[5])));
            return;
        }
        const Float8 sum = eight.kind == Kind::uniform ? fine.c0 * Links{eight}.sum(correction)
                                                       : Row::of(fine, i, j, k).weighted(correction);
        store(out, load(out) + load(&fine.inverse_diagonal.view()(i, j, k)) * sum);
    });
}

double smoothRed(PoissonLevel& level, IndexBox strip)
{
    const float sixth = 1.0f / 6, inv0 = 1 / (6 * level.c0);
    const View3<float> r = level.r, z = level.z;
    LaneSum rz;
    forEights(level, strip, [&](const Eight& eight, int i, int j, int k) {
        const Star black = starAt(level.z_black, i, j, k);
        const Float8 rhs = load(&r(i, j, k));
        Float8 relaxed;
        if (eight.kind == Kind::interior) {
            relaxed = rhs * inv0 + sixth * black.sum();
        } else {
            const Float8 sum = eight.kind == Kind::uniform ? level.c0 * black.sum()
                                                           : Row::of(level, i, j, k).weighted(black);
            relaxed = (rhs + sum) * load(&level.inverse_diagonal.view()(i, j, k));
        }
        const Float8 value = blackLanes(j, k) ? black.self() : relaxed;
        store(&z(i, j, k), value);
        rz.add(rhs * value);
    });
    return rz.total();
}

void coarsen(PoissonLevel& fine, PoissonLevel& coarse, IndexBox strip)
{
    const IndexBox fine_box{{0, 0, 0}, fine.bricks.cells};
    const View3<float> f[3] = {fine.c(0), fine.c(1), fine.c(2)}, c[3] = {coarse.c(0), coarse.c(1), coarse.c(2)};
    const View3<float> fd = fine.d, d = coarse.d;
    forEachCell(strip, [&](int i, int j, int k) {
        float face[3] = {}, sum_d = 0;
        for (int child = 0; child < 8; ++child) {
            const Int3 o{child & 1, child >> 1 & 1, child >> 2}, q = Int3{2 * i, 2 * j, 2 * k} + o;
            if (!fine_box.contains(q)) continue;
            sum_d += fd(q);
            for (int a = 0; a < 3; ++a)
                if (o[a] == 0) face[a] += f[a](q);
        }
        d(i, j, k) = 0.5f * sum_d;
        for (int a = 0; a < 3; ++a) c[a](i, j, k) = 0.5f * face[a];
    });
}

void invertDiagonal(PoissonLevel& level, IndexBox strip)
{
    const View3<float> d = level.d, inv = level.inverse_diagonal;
    for (int k = strip.lo.z; k < strip.hi.z; ++k)
        for (int j = strip.lo.y; j < strip.hi.y; ++j)
            for (int i = strip.lo.x; i < strip.hi.x; i += cells_at_once) {
                const Float8 diagonal = Row::of(level, i, j, k).sum() + load(&d(i, j, k));
                store(&inv(i, j, k), diagonal > 0.0f ? 1.0f / diagonal : Float8{});
            }
}

namespace {

// A bit for each lane where the predicate holds.
template <class F>
uint8_t bitsWhere(const F& holds)
{
    unsigned bits = 0;
    for (int lane = 0; lane < cells_at_once; ++lane) bits |= unsigned(holds(lane)) << lane;
    return uint8_t(bits);
}

Eight eightAt(PoissonLevel& level, int i, int j, int k)
{
    const Star inverse = starAt(level.inverse_diagonal, i, j, k);
    Eight eight;
    eight.unknown = bitsWhere([&](int lane) { return inverse.p[lane] > 0; });
    if (eight.unknown == 0) return eight;
    const Row row = Row::of(level, i, j, k);
    const Float8 coupling[6] = {row.west, row.east, row.down, row.up, row.back, row.front};
    const float interior = 1 / (6 * level.c0);
    bool uniform = true, interior_around = true;
    for (int d = 0; d < 6; ++d) {
        const Float8 neighbour = inverse.neighbour(d);
        const uint8_t unknown = bitsWhere([&](int lane) { return neighbour[lane] > 0; });
        eight.linked[d] = bitsWhere([&](int lane) { return coupling[d][lane] == level.c0; });
        const uint8_t closed = bitsWhere([&](int lane) { return coupling[d][lane] == 0; });
        uniform = uniform && eight.linked[d] == (unknown & eight.unknown) && uint8_t(eight.linked[d] | closed) == 0xff;
        interior_around = interior_around && bitsWhere([&](int lane) { return neighbour[lane] == interior; }) == 0xff;
    }
    const bool here = bitsWhere([&](int lane) { return inverse.p[lane] == interior; }) == 0xff;
    eight.kind = !uniform ? Kind::general : here && interior_around ? Kind::interior : Kind::uniform;
    return eight;
}

}  // namespace

void classify(PoissonLevel& level, IndexBox strip)
{
    const View3<float> z = level.z, z_black = level.z_black;
    for (int k = strip.lo.z; k < strip.hi.z; ++k)
        for (int j = strip.lo.y; j < strip.hi.y; ++j)
            for (int i = strip.lo.x; i < strip.hi.x; i += cells_at_once) {
                const Eight eight = eightAt(level, i, j, k);
                level.eights[size_t(level.bricks.index(level.bricks.ofCell({i, j, k})))][PoissonLevel::slot(i, j, k)] =
                    eight;
                if (eight.kind != Kind::empty) continue;  // no sweep will come by: what an earlier one left must go
                store(&z(i, j, k), Float8{});
                store(&z_black(i, j, k), Float8{});
            }
}

void solveBottom(PoissonLevel& level)
{
    const View3<float> z = level.z, r = level.r, inv = level.inverse_diagonal;
    const View3<float> cx = level.c(0), cy = level.c(1), cz = level.c(2);
    const IndexBox all{{0, 0, 0}, level.bricks.cells};
    forEachCell(all, [&](int i, int j, int k) { z(i, j, k) = 0; });
    const auto sweep = [&](int colour) {
        forEachCell(all, [&](int i, int j, int k) {
            if (((i + j + k) & 1) != colour) return;
            z(i, j, k) = inv(i, j, k) * (r(i, j, k) + cx(i, j, k) * z(i - 1, j, k) + cx(i + 1, j, k) * z(i + 1, j, k) +
                                         cy(i, j, k) * z(i, j - 1, k) + cy(i, j + 1, k) * z(i, j + 1, k) +
                                         cz(i, j, k) * z(i, j, k - 1) + cz(i, j, k + 1) * z(i, j, k + 1));
        });
    };
    constexpr int sweeps =
        12;  // at most 4 cells a side: 12 there and 12 back reduce the error below what the V-cycle sees
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
