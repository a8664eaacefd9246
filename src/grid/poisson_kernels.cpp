#include "grid/poisson_kernels.h"

#include <algorithm>

namespace flotsam::poisson {

void smoothBlackFromZero(PoissonLevel& level, IndexBox strip)
{
    const float sixth = 1.0f / 6, inv0 = 1 / (6 * level.c0);
    const View3<float> z = level.z_black;
    forEights(level, strip, [&](Kind kind, int i, int j, int k) {
        const Star r = starAt(level.r, i, j, k);
        Float8 relaxed;
        if (kind == Kind::interior) {
            relaxed = (r.self() + sixth * r.sum()) * inv0;
        } else {
            const Row c = Row::of(level, kind, i, j, k);
            const Star& inv = c.inverse;
            const Float8 x = c.west * (load(r.p - 1) * load(inv.p - 1)) + c.east * (load(r.p + 1) * load(inv.p + 1));
            const Float8 y =
                c.down * (load(r.p - r.sy) * load(inv.p - inv.sy)) + c.up * (load(r.p + r.sy) * load(inv.p + inv.sy));
            const Float8 w = c.back * (load(r.p - r.sz) * load(inv.p - inv.sz)) +
                             c.front * (load(r.p + r.sz) * load(inv.p + inv.sz));
            relaxed = (r.self() + ((x + y) + w)) * inv.self();
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
                    forEights(fine, row, [&](Kind kind, int i, int, int) {
                        const Star z = starAt(fine.z_black, i, fj, fk);
                        float* out = sum + (i - row.lo.x);
                        const Float8 residual =
                            kind == Kind::interior ? fine.c0 * z.sum() : Row::of(fine, kind, i, fj, fk).weighted(z);
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
    forEights(fine, strip, [&](Kind kind, int i, int j, int k) {
        const auto at = [&](int fi, int fj, int fk) {
            return load(&e[(fk >> 1) - origin.z][(fj >> 1) - origin.y][2 + (fi - strip.lo.x)]);
        };
        const Float8 west = at(i - 1, j, k), east = at(i + 1, j, k), down = at(i, j - 1, k), up = at(i, j + 1, k),
                     back = at(i, j, k - 1), front = at(i, j, k + 1);
        float* out = &z(i, j, k);
        if (kind == Kind::interior) {
            store(out, load(out) + (1.0f / 6) * (((west + east) + (down + up)) + (back + front)));
            return;
        }
        const Row c = Row::of(fine, kind, i, j, k);
        store(out, load(out) + c.inverse.self() * (((c.west * west + c.east * east) + (c.down * down + c.up * up)) +
                                                   (c.back * back + c.front * front)));
    });
}

double smoothRed(PoissonLevel& level, IndexBox strip)
{
    const float sixth = 1.0f / 6, inv0 = 1 / (6 * level.c0);
    const View3<float> r = level.r, z = level.z;
    LaneSum rz;
    forEights(level, strip, [&](Kind kind, int i, int j, int k) {
        const Star black = starAt(level.z_black, i, j, k);
        const Float8 rhs = load(&r(i, j, k));
        Float8 relaxed;
        if (kind == Kind::interior) {
            relaxed = rhs * inv0 + sixth * black.sum();
        } else {
            const Row c = Row::of(level, kind, i, j, k);
            relaxed = (rhs + c.weighted(black)) * c.inverse.self();
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

void makePatterns(PoissonLevel& level)
{
    constexpr int n = cells_at_once;
    const float c0 = level.c0;
    const int last = (level.bricks.cells.x - 1) % n;  // lane of the last cell before the high wall
    for (Kind kind : {Kind::interior, Kind::low_wall, Kind::high_wall}) {
        const bool low = kind == Kind::low_wall, high = kind == Kind::high_wall;
        const auto exists = [&](int lane) { return !(low && lane < 0) && !(high && lane > last); };
        Pattern& row = level.patterns[int(kind)];
        for (int lane = 0; lane <= n; ++lane) row.cx[lane] = exists(lane - 1) && exists(lane) ? c0 : 0.0f;
        for (int lane = 0; lane < n; ++lane) row.cyz[lane] = exists(lane) ? c0 : 0.0f;
        for (int lane = -1; lane <= n; ++lane) {
            const int faces = 4 + exists(lane - 1) + exists(lane + 1);
            row.inverse[lane + 1] = exists(lane) ? 1 / (float(faces) * c0) : 0.0f;
        }
    }
}

void invertDiagonal(PoissonLevel& level, IndexBox strip)
{
    const View3<float> d = level.d, inv = level.inverse_diagonal;
    for (int k = strip.lo.z; k < strip.hi.z; ++k)
        for (int j = strip.lo.y; j < strip.hi.y; ++j)
            for (int i = strip.lo.x; i < strip.hi.x; i += cells_at_once) {
                const Float8 diagonal = Row::of(level, Kind::general, i, j, k).sum() + load(&d(i, j, k));
                store(&inv(i, j, k), diagonal > 0.0f ? 1.0f / diagonal : Float8{});
            }
}

namespace {

bool isEmpty(View3<const float> inverse, int i, int j, int k)
{
    const float* p = &inverse(i, j, k);
    float sum = 0;
    for (int lane = 0; lane < cells_at_once; ++lane) sum += p[lane];
    return sum == 0;
}

// Whether what the fields hold at eight cells is the pattern, to the bit, with no ties to known values.
bool matches(PoissonLevel& level, const Pattern& pattern, int i, int j, int k)
{
    const View3<float> cx = level.c(0), cy = level.c(1), cz = level.c(2), d = level.d, inv = level.inverse_diagonal;
    int off = cx(i + cells_at_once, j, k) != pattern.cx[cells_at_once];
    off |= inv(i - 1, j, k) != pattern.inverse[0];
    off |= inv(i + cells_at_once, j, k) != pattern.inverse[cells_at_once + 1];
    for (int lane = 0; lane < cells_at_once; ++lane) {
        const int q = i + lane;
        const float c = pattern.cyz[lane], inverse = pattern.inverse[lane + 1];
        off |= (cx(q, j, k) != pattern.cx[lane]) | (cy(q, j, k) != c) | (cy(q, j + 1, k) != c) | (cz(q, j, k) != c) |
               (cz(q, j, k + 1) != c) | (d(q, j, k) != 0) | (inv(q, j, k) != inverse) | (inv(q, j - 1, k) != inverse) |
               (inv(q, j + 1, k) != inverse) | (inv(q, j, k - 1) != inverse) | (inv(q, j, k + 1) != inverse);
    }
    return off == 0;
}

Kind kindOf(PoissonLevel& level, int i, int j, int k)
{
    if (isEmpty(level.inverse_diagonal, i, j, k)) return Kind::empty;
    const bool low = i == 0, high = i + cells_at_once >= level.bricks.cells.x;
    if (low && high) return Kind::general;
    const Kind expected = low ? Kind::low_wall : high ? Kind::high_wall : Kind::interior;
    return matches(level, level.patterns[int(expected)], i, j, k) ? expected : Kind::general;
}

}  // namespace

void findKinds(PoissonLevel& level, IndexBox strip)
{
    const View3<float> z = level.z, z_black = level.z_black;
    for (int k = strip.lo.z; k < strip.hi.z; ++k)
        for (int j = strip.lo.y; j < strip.hi.y; ++j)
            for (int i = strip.lo.x; i < strip.hi.x; i += cells_at_once) {
                const Kind kind = kindOf(level, i, j, k);
                level.kinds[size_t(level.bricks.index(level.bricks.ofCell({i, j, k})))][PoissonLevel::slot(i, j, k)] =
                    kind;
                if (kind != Kind::empty) continue;  // no sweep will come by: what an earlier one left must go
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
