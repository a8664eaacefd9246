#include "coupling/body_cover.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

#include "geometry/clip.h"
#include "geometry/tetrahedra.h"

namespace flotsam {

namespace {

constexpr double half_diagonal = 0.8660254037844386;
constexpr double least_off_plane = 0.15;  // of the size of an octant: the distance of its corners from a plane

// Volume and first moment of a region of the unit cube.
struct Moments {
    double volume = 0;
    Vec3 first;

    void add(const TetrahedronPoints& p)
    {
        const double v = volumeOf(p);
        volume += v;
        first += v * centroidOf(p);
    }
};

Vec3 cornerOf(int n) { return {double(n & 1), double(n >> 1 & 1), double(n >> 2)}; }

// An eighth of a cell: the fraction that the body covers, and its centroid in the octant, 0..1.
struct Octant {
    float fraction = 0;
    float x = 0.5f, y = 0.5f, z = 0.5f;
};

Octant octantWith(const Moments& m)
{
    if (m.volume < 1e-12) return {};
    const Vec3 c = m.first / m.volume;
    return {float(m.volume), float(c.x), float(c.y), float(c.z)};
}

TetrahedronPoints tetrahedronOf(const int (&t)[4])
{
    return {cornerOf(t[0]), cornerOf(t[1]), cornerOf(t[2]), cornerOf(t[3])};
}

// A cube as five tetrahedra: a regular one on every second corner, and one at each of the other corners. The mirror
// image has the corners n ^ 1.
constexpr int five_tetrahedra[5][4] = {{0, 3, 5, 6}, {1, 0, 3, 5}, {2, 0, 3, 6}, {4, 0, 5, 6}, {7, 3, 5, 6}};

// By the distances at its corners: exact for a plane. The mean over both ways to split the octant: one alone would
// treat the left and the right side of a ball differently.
Octant octantOf(const std::array<double, 8>& d)
{
    const int inside = int(std::count_if(d.begin(), d.end(), [](double v) { return v < 0; }));
    if (inside == 0) return {};
    if (inside == 8) return {1};
    Moments m;
    for (const int mirrored : {0, 1})
        for (const auto& t : five_tetrahedra) {
            const int c[4] = {t[0] ^ mirrored, t[1] ^ mirrored, t[2] ^ mirrored, t[3] ^ mirrored};
            forNegative(tetrahedronOf(c), {d[size_t(c[0])], d[size_t(c[1])], d[size_t(c[2])], d[size_t(c[3])]},
                        [&](const TetrahedronPoints& part) { m.add(part); });
        }
    Octant octant = octantWith(m);
    octant.fraction *= 0.5f;
    return octant;
}

// The planes that cross a cube with the lowest corner low_m, in its own frame, where its size is 1. None: it is inside.
// False if it is outside.
bool planesAcross(std::span<const OutwardPlane> planes, Vec3 low_m, double size_m, std::vector<OutwardPlane>& across)
{
    across.clear();
    for (const OutwardPlane& plane : planes) {
        const OutwardPlane here{size_m * plane.normal, -plane.above(low_m)};
        const double middle = here.above({0.5, 0.5, 0.5});
        const double reach = 0.5 * (std::abs(here.normal.x) + std::abs(here.normal.y) + std::abs(here.normal.z));
        if (middle - reach >= 0) return false;
        if (middle + reach > 0) across.push_back(here);
    }
    return true;
}

// By the planes of a convex polytope: exact. They are in the frame of a cell, the octant has its lowest corner at low.
Octant octantOf(std::span<const OutwardPlane> planes, Vec3 low)
{
    std::vector<OutwardPlane> across;
    if (!planesAcross(planes, low, 0.5, across)) return {};
    if (across.empty()) return {1};
    Moments m;
    for (const auto& t : tetrahedra_of_cube)
        for (const TetrahedronPoints& part : partsInside(tetrahedronOf(t), across)) m.add(part);
    return octantWith(m);
}

using Octants = std::array<Octant, 8>;  // of a cell; bits 0, 1, 2 of the index: upper half along x, y, z
using Lanes = double __attribute__((vector_size(64)));  // one for each octant of a cell

// The part of each octant below a plane, by the distance of its centre and the slope of the distance along each axis,
// over the size of the octant.
//
// The part of the unit cube where m . x < a, m > 0, is a sum over its corners o, with b = a - m . o where that is
// positive: of (-1)^|o| times the simplex at o with the legs b / m, whose volume is b^3 / (6 m_x m_y m_z) and whose
// centroid is o + b / (4 m). m is the slope, made positive by reflections.
struct BelowPlane {
    Lanes volume{}, first[3]{};

    BelowPlane(const Lanes& middle, const Lanes (&slope)[3], double octant_m)
    {
        const Lanes zero{}, least = 1e-4 * (octant_m + zero);
        Lanes m[3], a = -middle;
        for (int n = 0; n < 3; ++n) {
            m[n] = slope[n] < 0 ? -slope[n] : slope[n];
            m[n] = m[n] < least ? least : m[n];
            a += 0.5 * m[n];
        }
        const Lanes each = 1 / (6 * m[0] * m[1] * m[2]), reach[3] = {0.25 / m[0], 0.25 / m[1], 0.25 / m[2]};
        for (int o = 0; o < 8; ++o) {
            Lanes b = a;
            for (int n = 0; n < 3; ++n)
                if (o >> n & 1) b -= m[n];
            b = b > 0 ? b : zero;
            const Lanes v = (std::popcount(unsigned(o)) & 1 ? -each : each) * b * b * b;
            volume += v;
            for (int n = 0; n < 3; ++n) first[n] += v * (double(o >> n & 1) + b * reach[n]);
        }
        for (int n = 0; n < 3; ++n) first[n] = slope[n] < 0 ? volume - first[n] : first[n];
    }
    Octant octant(size_t n) const { return octantWith({volume[n], {first[0][n], first[1][n], first[2][n]}}); }
};

// The octants of a cell that one plane crosses, in the frame of the cell. Planes along the grid are common, and have to
// be exact: with the least slopes of BelowPlane, boxes would be 1e-6 too large.
void fillOctants(const OutwardPlane& plane, Octants& octants)
{
    for (int a = 0; a < 3; ++a) {
        const double along = plane.normal[a], across = std::hypot(plane.normal[(a + 1) % 3], plane.normal[(a + 2) % 3]);
        if (across > 1e-4 * std::abs(along)) continue;
        for (int o = 0; o < 8; ++o) {
            const double middle = plane.above(0.5 * cornerOf(o) + 0.25 * Vec3{1, 1, 1});
            const double covered = std::clamp(0.5 - 2 * middle / std::abs(along), 0.0, 1.0);
            Vec3 at{0.5, 0.5, 0.5};
            at[a] = along > 0 ? 0.5 * covered : 1 - 0.5 * covered;
            octants[size_t(o)] = octantWith({covered, covered * at});
        }
        return;
    }
    double middle[8];
    for (int o = 0; o < 8; ++o) middle[o] = plane.above(0.5 * cornerOf(o) + 0.25 * Vec3{1, 1, 1});
    Lanes middles, slope[3] = {};
    std::memcpy(&middles, middle, sizeof middles);
    for (int a = 0; a < 3; ++a) slope[a] += 0.5 * plane.normal[a];
    const BelowPlane below(middles, slope, 0.5 * length(plane.normal));
    for (size_t n = 0; n < 8; ++n) octants[n] = below.octant(n);
}

// The octants of a cell, by the distances at their corners: d[n] those at corner n of each octant. Where they are not
// those of a plane, at an edge for example, an octant is cut into tetrahedra.
void fillOctants(const double (&d)[8][8], double octant_m, Octants& octants)
{
    Lanes middle{}, squares{}, slope[3] = {};
    for (int n = 0; n < 8; ++n) {
        Lanes at;
        std::memcpy(&at, d[n], sizeof at);
        middle += 0.125 * at;
        squares += at * at;
        for (int a = 0; a < 3; ++a) slope[a] += (n >> a & 1 ? 0.25 : -0.25) * at;
    }
    const Lanes squared = slope[0] * slope[0] + slope[1] * slope[1] + slope[2] * slope[2];
    const Lanes off_plane = squares - 8 * middle * middle - 2 * squared;  // sum of squares
    const double most_off_plane = 8 * least_off_plane * least_off_plane * octant_m * octant_m;
    const BelowPlane below(middle, slope, octant_m);
    for (size_t n = 0; n < 8; ++n) {
        std::array<double, 8> own;
        for (size_t c = 0; c < 8; ++c) own[c] = d[c][n];
        const auto [low, high] = std::minmax_element(own.begin(), own.end());
        // The plane may miss a corner that is just inside; the part there must not vanish.
        const bool is_plane = *low < 0 && *high >= 0 && off_plane[n] <= most_off_plane && below.volume[n] > 1e-3;
        octants[n] = is_plane ? below.octant(n) : octantOf(own);
    }
}

// A body smaller than an octant may lie between all points at which its distance is known.
bool isTiny(const Grid& grid, const BodyObstacle& body) { return body.reach() < 0.5 * grid.h; }

// The octants of the cells of a box.
class OctantRaster {
public:
    OctantRaster(const Grid& grid_, const BodyObstacle& body, IndexBox box_, double volume_m3, bool whole)
        : grid(grid_), box(box_), slots(size_t(product(box_.size())), outside)
    {
        if (isTiny(grid, body)) {
            placeTiny(body.center(), volume_m3);
            return;
        }
        findCut(body);
        if (const std::span<const OutwardPlane> planes = body.planes(); !planes.empty()) {
            forCut([&](Int3 c, Octants& octants) { fillByPlanes(planes, c, octants); });
            return;
        }
        setNodes(body);
        forCut([&](Int3 c, Octants& octants) { fillByNodes(c, octants); });
        if (whole) scaleTo(volume_m3);
    }
    bool isOutside(Int3 c) const { return !box.contains(c) || slots[index(c)] == outside; }
    bool isInside(Int3 c) const { return box.contains(c) && (slots[index(c)] == inside || isBuried(c)); }
    // Whether it is inside, and its six neighbours as well.
    bool isBuried(Int3 c) const { return box.contains(c) && slots[index(c)] == buried; }
    // The half of a cell that is not outside, on the given side along an axis.
    Part halfOf(Int3 c, int axis, int side) const
    {
        if (isInside(c)) {
            Vec3 at = centerOf(c);
            at[axis] += (side - 0.5) * 0.5 * grid.h;
            return {1, at};
        }
        double sum = 0;
        Vec3 first;
        const Octants& octants = cut[size_t(slots[index(c)])];
        for (int n = 0; n < 8; ++n) {
            const Octant& o = octants[size_t(n)];
            if ((n >> axis & 1) != side || o.fraction == 0) continue;
            const Vec3 at{c.x + 0.5 * ((n & 1) + double(o.x)), c.y + 0.5 * ((n >> 1 & 1) + double(o.y)),
                          c.z + 0.5 * ((n >> 2) + double(o.z))};
            sum += double(o.fraction);
            first += double(o.fraction) * at;
        }
        return sum > 0 ? Part{sum / 4, grid.h / sum * first} : Part{};
    }

private:
    size_t index(Int3 c) const
    {
        const Int3 n = box.size(), o = c - box.lo;
        return size_t(o.x) + size_t(n.x) * (size_t(o.y) + size_t(n.y) * size_t(o.z));
    }
    // Finds the cells that are entirely inside, and those that the surface may cross. A signed distance has Lipschitz
    // constant 1, so that the cells that follow in a row are known as far as it reaches.
    void findCut(const BodyObstacle& body)
    {
        constexpr int crossed = 0;
        parallelTasks("coupling.cover", box.size().z, [&](int layer) {
            for (int j = box.lo.y; j < box.hi.y; ++j)
                for (int i = box.lo.x; i < box.hi.x;) {
                    const Int3 c{i, j, box.lo.z + layer};
                    const double d = body.signedDistance(centerOf(c)) / grid.h;
                    const int known = std::clamp(int(std::floor(std::abs(d) - half_diagonal)) + 1, 1, box.hi.x - i);
                    const size_t first = index(c);
                    if (std::abs(d) <= half_diagonal) slots[first] = crossed;
                    if (d < -half_diagonal) std::fill_n(&slots[first], known, inside);
                    i += known;
                }
        });
        forEachCell(box, [&](int i, int j, int k) {
            const Int3 c{i, j, k};
            int& slot = slots[index(c)];
            if (slot == crossed) makeCut(c);
            if (slot != inside) return;
            for (int a = 0; a < 3; ++a)
                if (!isInside(c - unit(a)) || !isInside(c + unit(a))) return;
            slot = buried;
        });
    }
    Octants& makeCut(Int3 c)
    {
        slots[index(c)] = int(cut.size());
        cells.push_back(c);
        return cut.emplace_back();
    }
    template <class F>
    void forCut(const F& f)
    {
        constexpr size_t piece = 256;
        parallelTasks("coupling.cover", int((cut.size() + piece - 1) / piece), [&](int task) {
            for (size_t n = piece * size_t(task); n < std::min(piece * size_t(task + 1), cut.size()); ++n)
                f(cells[n], cut[n]);
        });
    }
    Vec3 cornerOfCell(Int3 c) const { return grid.h * Vec3{double(c.x), double(c.y), double(c.z)}; }
    Vec3 centerOf(Int3 c) const { return cornerOfCell(c) + 0.5 * grid.h * Vec3{1, 1, 1}; }
    void fillByPlanes(std::span<const OutwardPlane> planes, Int3 c, Octants& octants) const
    {
        std::vector<OutwardPlane> across;
        if (!planesAcross(planes, cornerOfCell(c), grid.h, across)) return;
        if (across.size() == 1)
            fillOctants(across[0], octants);
        else
            for (int o = 0; o < 8; ++o) octants[size_t(o)] = octantOf(across, 0.5 * cornerOf(o));
    }
    // The distances at the corners of octants, of which up to eight cut cells share one: in planes of half cells.
    void setNodes(const BodyObstacle& body)
    {
        const Int3 n = box.size();
        nodes.assign(size_t(2 * n.z + 1), {});
        const int width = 2 * n.x + 1;
        parallelTasks("coupling.cover", 2 * n.z + 1, [&](int plane) {
            std::vector<double>& d = nodes[size_t(plane)];
            d.assign(size_t(width) * size_t(2 * n.y + 1), unknown);
            for (int layer = std::max(0, (plane - 1) / 2); layer <= std::min(plane / 2, n.z - 1); ++layer)
                for (int j = 0; j < n.y; ++j)
                    for (int i = 0; i < n.x; ++i) {
                        if (slots[size_t(i) + size_t(n.x) * (size_t(j) + size_t(n.y) * size_t(layer))] < 0) continue;
                        for (int m = 0; m < 9; ++m) {
                            const int x = 2 * i + m % 3, y = 2 * j + m / 3;
                            double& at = d[size_t(x) + size_t(width) * size_t(y)];
                            if (at == unknown)
                                at = body.signedDistance(cornerOfCell(box.lo) +
                                                         0.5 * grid.h * Vec3{double(x), double(y), double(plane)});
                        }
                    }
        });
    }
    void fillByNodes(Int3 c, Octants& octants) const
    {
        const Int3 first = {2 * (c.x - box.lo.x), 2 * (c.y - box.lo.y), 2 * (c.z - box.lo.z)};
        const size_t width = size_t(2 * box.size().x + 1);
        double d[8][8];
        for (int o = 0; o < 8; ++o)
            for (int n = 0; n < 8; ++n) {
                const Int3 at = first + Int3{(o & 1) + (n & 1), (o >> 1 & 1) + (n >> 1 & 1), (o >> 2) + (n >> 2)};
                d[n][o] = nodes[size_t(at.z)][size_t(at.x) + width * size_t(at.y)];
            }
        fillOctants(d, 0.5 * grid.h, octants);
    }
    // Distances round off edges: the partly covered octants are changed so that the sum is the volume of the body.
    void scaleTo(double volume_m3)
    {
        double whole = volume_m3 / (grid.h * grid.h * grid.h / 8), sum = 0, spread = 0;  // in octants
        for (const int slot : slots) whole -= slot == inside || slot == buried ? 8 : 0;
        forOctants([&](const Octant& o) {
            sum += double(o.fraction);
            spread += 4 * double(o.fraction) * (1 - double(o.fraction));
        });
        if (spread == 0) return;
        if (std::abs(whole - sum) > 0.25 * spread) {
            scaleAll(sum, whole);
            return;
        }
        const float by = float(4 * (whole - sum) / spread);
        forOctants([&](Octant& o) { o.fraction += by * o.fraction * (1 - o.fraction); });
    }
    // A body that the octants hardly resolve: the same factor for all, or where that is above 1, for all that are not
    // full.
    void scaleAll(double sum, double whole)
    {
        if (whole < sum) {
            forOctants([&](Octant& o) { o.fraction *= float(std::max(0.0, whole) / sum); });
            return;
        }
        for (bool any_filled = true; any_filled;) {
            double filled = 0, rest = 0;
            forOctants([&](const Octant& o) { (o.fraction < 1 ? rest : filled) += double(o.fraction); });
            if (rest == 0) return;
            const double by = std::max(0.0, whole - filled) / rest;
            any_filled = false;
            forOctants([&](Octant& o) {
                if (o.fraction >= 1) return;
                o.fraction = float(std::min(1.0, by * double(o.fraction)));
                any_filled = any_filled || o.fraction >= 1;
            });
        }
    }
    template <class F>
    void forOctants(const F& f)
    {
        for (Octants& octants : cut)
            for (Octant& o : octants) f(o);
    }
    // Divides its volume between the eight octants around its centre, so that the parts change continuously as it
    // moves.
    void placeTiny(Vec3 center_m, double volume_m3)
    {
        const double octant_m = 0.5 * grid.h, whole = volume_m3 / (octant_m * octant_m * octant_m);
        for (int n = 0; n < 8; ++n) {
            Int3 octant;
            double weight = whole;
            for (int a = 0; a < 3; ++a) {
                const double at = center_m[a] / octant_m - 0.5, low = std::floor(at);
                const int side = n >> a & 1;
                octant[a] = int(low) + side;
                weight *= side ? at - low : 1 - (at - low);
            }
            const Int3 cell{int(std::floor(octant.x / 2.0)), int(std::floor(octant.y / 2.0)),
                            int(std::floor(octant.z / 2.0))};
            if (!box.contains(cell)) continue;
            const Vec3 at = center_m / octant_m - Vec3{double(octant.x), double(octant.y), double(octant.z)};
            Octants& octants = isOutside(cell) ? makeCut(cell) : cut[size_t(slots[index(cell)])];
            octants[size_t((octant.x & 1) | (octant.y & 1) << 1 | (octant.z & 1) << 2)] = {
                float(std::min(weight, 1.0)), float(at.x), float(at.y), float(at.z)};
        }
    }

    static constexpr int outside = -3, inside = -2, buried = -1;
    static constexpr double unknown = 1e300;

    const Grid& grid;
    IndexBox box;
    std::vector<int> slots;                  // by cell: of those that are cut, or one of the three above
    std::vector<Int3> cells;                 // that are cut
    std::vector<Octants> cut;                // their octants
    std::vector<std::vector<double>> nodes;  // by plane
};

}  // namespace

void coverFaces(const Grid& grid, const BodyObstacle& body, double volume_m3, BodyCover& cover)
{
    cover.faces.clear();
    cover.buried.clear();
    const Bounds b = body.bounds();
    IndexBox box;
    bool whole = true;
    for (int a = 0; a < 3; ++a) {
        const double n = grid.cells[a], more = isTiny(grid, body) ? 0.5 : 0;
        const double lo = std::floor(b.lo[a] / grid.h - more), hi = std::ceil(b.hi[a] / grid.h + more);
        box.lo[a] = int(std::clamp(lo, 0.0, n));
        box.hi[a] = int(std::clamp(hi, 0.0, n));
        if (a == 2 && grid.cells.z == 1)
            box.lo.z = 0, box.hi.z = 1;
        else
            whole = whole && b.lo[a] >= -1e-3 * grid.h && b.hi[a] <= (n + 1e-3) * grid.h;
        if (box.lo[a] >= box.hi[a]) return;
    }
    const OctantRaster raster(grid, body, box, volume_m3, whole);
    for (int axis = 0; axis < 3; ++axis) {
        IndexBox all = box;
        ++all.hi[axis];
        forEachCell(all, [&](int i, int j, int k) {
            const Int3 c{i, j, k}, below = c - unit(axis);
            const bool has_below = !raster.isOutside(below), has_above = !raster.isOutside(c);
            if (!has_below && !has_above) return;
            FaceCover face{axis, c, {}, {}, raster.isBuried(below), raster.isBuried(c)};
            if (face.is_below_buried && face.is_above_buried) {
                cover.buried.push_back({axis, c});
                return;
            }
            if (has_below) face.below = raster.halfOf(below, axis, 1);
            if (has_above) face.above = raster.halfOf(c, axis, 0);
            if (face.below.fraction > 0 || face.above.fraction > 0) cover.faces.push_back(face);
        });
    }
}

Part partBetween(const Grid& grid, const FaceCover& cover, double from, double to)
{
    Part part;
    const auto add = [&](const Part& half, double lo, double hi) {
        const double a = std::max(from, lo), b = std::min(to, hi);
        if (b <= a || half.fraction == 0) return;
        Vec3 at = half.centroid_m;
        if (b - a < (hi - lo) * (1 - 1e-9)) at[cover.axis] = grid.h * (cover.at[cover.axis] + 0.5 * (a + b));
        const double volume = half.fraction * (b - a);
        part.fraction += volume;
        part.centroid_m += volume * at;
    };
    add(cover.below, -0.5, 0);
    add(cover.above, 0, 0.5);
    if (part.fraction == 0) return {};
    part.centroid_m = part.centroid_m / part.fraction;
    part.fraction /= to - from;
    return part;
}

}  // namespace flotsam
