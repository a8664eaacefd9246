// Solids too thin for the grid to resolve, which must not leak (docs/methods/pressure.md, section 3).
//
// The open fraction of faces cannot close a wall that lies between two faces: a wall one cell thick along the grid need
// not cover any face that the flow through it crosses. A rule about cell centres cannot leak. A cell is closed if its
// centre is inside a solid, and a face is closed if the solid lies between the centres of its two cells. Open fractions
// refine that where the solid is resolved: where a displacement of 1.25 cells into it from a cell centre leads at least
// 0.6 cells deeper. A plate must be 1.85 cells thick for that, more than the diagonal of a cell, so no face is open on
// both of its sides. An edge or a corner of a thick box passes the test.
#include "liquid/solids.h"

namespace flotsam {

namespace {

// Depth [cells] up to which a point still counts as outside, so that rounding does not decide.
constexpr double on_surface = 1e-6;
constexpr double probe_cells = 1.25, deeper_cells = 0.6;
// A plate is tested to a depth of 1.5 cells, where it has to be 2 x 1.5 + 1.25 + 0.6 cells thick to pass.
constexpr double always_resolved_cells = 5;
constexpr float between_cells = 1.1f;  // distances of a mesh are slightly off

// The distances of an obstacle at the centres of cells, each evaluated when it is first asked for: a centre takes part
// in up to 13 tests.
class CentreDistances {
public:
    CentreDistances(const Obstacle& o_, IndexBox box_, double h_m)
        : o(o_), box(box_), h(h_m), known(size_t(product(box_.size())), unknown)
    {
    }
    double at(Int3 c)
    {
        const Int3 n = box.size(), i = c - box.lo;
        double& d = known[size_t(i.x) + size_t(n.x) * (size_t(i.y) + size_t(n.y) * size_t(i.z))];
        if (d == unknown) d = o.signedDistance(centre(c));
        return d;
    }
    Vec3 centre(Int3 c) const { return cellPosition(h, c); }
    // Of the distance, over one cell to either side: at the edge of a box it points between its faces.
    Vec3 gradient(Int3 c, bool flat)
    {
        Vec3 slope;
        for (int a = 0; a < (flat ? 2 : 3); ++a) slope[a] = at(c + unit(a)) - at(c - unit(a));
        return normalized(slope);
    }

private:
    static constexpr double unknown = 1e300;

    const Obstacle& o;
    IndexBox box;
    double h;
    std::vector<double> known;
};

// distance_m: at the centre of the cell, or 0 for a point near it on the surface.
bool isResolved(const Obstacle& o, CentreDistances& centres, Int3 c, double distance_m, double h, bool flat)
{
    const Vec3 out = centres.gradient(c, flat);
    return out != Vec3{} && o.signedDistance(centres.centre(c) - probe_cells * h * out) < distance_m - deeper_cells * h;
}

// The cells of a box with centres up to more_cells outside the bounds of an obstacle.
IndexBox cellsWithin(IndexBox box, const Obstacle& o, double more_cells, double h, bool flat)
{
    const Bounds b = o.bounds();
    for (int a = 0; a < (flat ? 2 : 3); ++a) {
        const double first = b.lo[a] / h - 0.5 - more_cells, last = b.hi[a] / h - 0.5 + more_cells;
        box.lo[a] = int(std::clamp(std::ceil(first), double(box.lo[a]), double(box.hi[a])));
        box.hi[a] = int(std::clamp(std::floor(last) + 1, double(box.lo[a]), double(box.hi[a])));
    }
    return box;
}

}  // namespace

// The distance to an obstacle at a point of a segment is that along which it cannot be cut. The ends may lie on the
// surface: the points in contact are left first, by steps that double. Then the middle of what remains is tested: next
// to a flat or round surface, one such test is enough.
bool Obstacle::separates(Vec3 p_m, Vec3 q_m) const
{
    const double length_m = length(q_m - p_m), touching_m = 1e-3 * length_m, inside_m = -on_surface * length_m;
    const auto distanceAt = [&](double t_m) { return signedDistance(p_m + (t_m / length_m) * (q_m - p_m)); };
    double from = 0, to = length_m, after = 0, before = 0;
    for (double step = 1e-5 * length_m; from < length_m; step *= 2) {
        after = distanceAt(from);
        if (after < inside_m) return true;
        if (after > touching_m) break;
        from += step;
    }
    for (double step = 1e-5 * length_m; to > from; step *= 2) {
        before = distanceAt(to);
        if (before < inside_m) return true;
        if (before > touching_m) break;
        to -= step;
    }
    const auto isCut = [&](double low, double high, const auto& self) -> bool {
        if (low >= high) return false;
        const double middle = 0.5 * (low + high), d = distanceAt(middle);
        return d < touching_m || self(low, middle - d, self) || self(middle + d, high, self);
    };
    return isCut(from + after, to - before, isCut);
}

void Solids::markCellsOf(int brick)
{
    const View3<uint8_t> mark = marks;
    const double h = grid.h;
    const IndexBox box = grid.bricks.box(brick);
    forEachCell(box, [&](int i, int j, int k) {
        const Int3 c{i, j, k};
        const float center_m = distance(i, j, k);
        uint8_t m = 0;
        if (center_m < -Mark::deep_cells * float(h)) m |= Mark::deep;
        if (corner_distance.view()(c) < Mark::near_cells * float(h)) m |= Mark::near;
        if (base) m |= base->marks.view()(c);
        const bool is_inside = ownsThin() ? center_m < -2.5f * float(h) : center_m < 0;  // deeper than any thin part
        mark(c) = is_inside ? m | Mark::inside : m;
    });
    if (!ownsThin()) return;
    const bool flat = grid.cells.z == 1;
    for (const Obstacle* o : within_reach[size_t(brick)]) {
        const IndexBox cells = cellsWithin(box, *o, 0.25, h, flat);
        if (cells.empty()) continue;
        CentreDistances centres(*o, grown(cells, 1), h);
        const bool is_thick = o->isThick(always_resolved_cells * h);
        forEachCell(cells, [&](int i, int j, int k) {
            const Int3 c{i, j, k};
            const float center_m = distance(i, j, k);
            if (center_m > 1.5f * float(h) || center_m < -2.5f * float(h)) return;
            const double d = centres.at(c);
            if (d >= -on_surface * h) return;
            mark(c) |= Mark::inside;
            if (!is_thick && d > -1.5 * h && !isResolved(*o, centres, c, d, h, flat)) mark(c) |= Mark::closed;
        });
    }
}

// Which low faces of the cells of a brick have an obstacle between the centres of their two cells, as bits of marks.
void Solids::findThinBetween(int brick, std::vector<uint8_t>& faces) const
{
    const double h = grid.h;
    const bool flat = grid.cells.z == 1;
    const IndexBox box = grid.bricks.box(brick);
    const Int3 n = box.size();
    for (const Obstacle* o : within_reach[size_t(brick)]) {
        if (areBodiesWalls() && o->isThick(always_resolved_cells * h)) continue;
        const IndexBox cells = cellsWithin(box, *o, between_cells + 0.25, h, flat);
        if (cells.empty()) continue;
        CentreDistances centres(*o, grown(cells, 2), h);
        const auto isBetween = [&](Int3 below, Int3 above) {
            // Both centres are nearer to what is between them, together, than to each other.
            const double d = centres.at(below), e = centres.at(above);
            if (d < -on_surface * h || e < -on_surface * h || d + e >= between_cells * h) return false;
            const Vec3 p = centres.centre(below), q = centres.centre(above);
            if (!o->separates(p, q)) return false;
            // A centre just inside a mesh may have the distance of one just outside. Where the solid is resolved, its
            // cell is cut like any other; with its faces blocked it kept a drop for ever.
            // Bodies take their parts of faces exactly: where one is resolved, its edge between two centres blocks
            // nothing.
            return (!areBodiesWalls() && o->passesBetween(p, q)) ||
                   !isResolved(*o, centres, d < e ? below : above, 0, h, flat);
        };
        forEachCell(cells, [&](int i, int j, int k) {
            const Int3 c{i, j, k}, at = c - box.lo;
            if (isClosed(c) || std::abs(distance(i, j, k)) > 2 * float(h)) return;
            uint8_t& f = faces[size_t(at.x) + size_t(n.x) * (size_t(at.y) + size_t(n.y) * size_t(at.z))];
            for (int axis = 0; axis < 3; ++axis) {
                const Int3 below = c - unit(axis);
                if (c[axis] == 0 || (f & 1 << axis) || isClosed(below)) continue;
                // The means of the distances at the corners are larger than those at the centres by up to half a cell
                // each.
                if (distance(i, j, k) + distance(below.x, below.y, below.z) >= (1 + between_cells) * float(h)) continue;
                if (isBetween(below, c)) f |= uint8_t(1 << axis);
            }
        });
    }
}

// Lists the cells whose low faces are blocked, and returns which faces of each, as bits of their marks. It writes no
// marks: those of the cells below may belong to a brick of another thread.
std::vector<uint8_t> Solids::blockThinFaces(int brick)
{
    std::vector<Int3>& thin = thin_cells[size_t(brick)];
    thin.clear();
    std::vector<uint8_t> blocked;
    if (within_reach[size_t(brick)].empty() && (!base || base->thin_cells[size_t(brick)].empty())) return blocked;
    const IndexBox box = grid.bricks.box(brick);
    std::vector<uint8_t> faces(size_t(product(box.size())), 0);
    findThinBetween(brick, faces);
    size_t n = 0;
    forEachCell(box, [&](int i, int j, int k) {
        const Int3 c{i, j, k};
        uint8_t f = faces[n++];
        // A segment between two centres is h long: it does not reach the surface of a solid from further away.
        if (distance(i, j, k) > 2 * float(grid.h) || distance(i, j, k) < -1.5f * float(grid.h)) return;
        for (int axis = 0; axis < 3; ++axis) {
            const Int3 below = c - unit(axis);
            if (c[axis] == 0) continue;
            if (isClosed(c) || isClosed(below) || (base && base->isBlocked(axis, c))) f |= uint8_t(1 << axis);
            if (f & 1 << axis) fraction_field[axis].view()(c) = 0;
        }
        if (!f) return;
        thin.push_back(c);
        blocked.push_back(f);
    });
    return blocked;
}

void Solids::markNearThin(int brick)
{
    const IndexBox box = grid.bricks.box(brick);
    const View3<uint8_t> mark = marks;
    forEachCell(box, [&](int i, int j, int k) { mark(i, j, k) &= uint8_t(~Mark::near_thin); });
    forEachCell(grid.bricks.around(brick), [&](int i, int j, int k) {
        for (const Int3& c : thin_cells[size_t(grid.bricks.index({i, j, k}))])  // and the cell below its blocked face
            forEachCell(intersection(box, {c - Int3{3, 3, 3}, c + Int3{3, 3, 3}}),
                        [&](int x, int y, int z) { mark(x, y, z) |= Mark::near_thin; });
    });
}

// Whether no cell within `radius` cells is outside; most covered cells have one along an axis.
bool Solids::isEnclosedWithin(int radius, Int3 c) const
{
    const IndexBox domain{{0, 0, 0}, grid.cells};
    const auto isOutside = [&](Int3 q) { return domain.contains(q) && !covers(q); };
    for (int n = 1; n <= radius; ++n)
        for (int a = 0; a < 3; ++a) {
            Int3 step;
            step[a] = n;
            if (isOutside(c + step) || isOutside(c - step)) return false;
        }
    const Int3 reach{radius, radius, radius};
    bool any = false;
    forEachCell(intersection(domain, {c - reach, c + reach + Int3{1, 1, 1}}), [&](int i, int j, int k) {
        any = any || !covers({i, j, k});
    });
    return !any;
}

std::vector<Int3> Solids::enclosedCells(int brick) const
{
    std::vector<Int3> enclosed;
    forEachCell(grid.bricks.box(brick), [&](int i, int j, int k) {
        const Int3 c{i, j, k};
        if (covers(c) && !isInert(c) && isEnclosedWithin(Mark::enclosed_cells, c)) enclosed.push_back(c);
    });
    return enclosed;
}

void Solids::markCells(const BrickList& list)
{
    const View3<uint8_t> mark = marks;
    parallelTasks("solids.marks", int(list.size()), [&](int task) { markCellsOf(list[size_t(task)]); });
    if (!ownsThin()) return;
    if (areBodiesWalls()) {
        std::vector<std::vector<Int3>> enclosed(list.size());
        parallelTasks("solids.marks", int(list.size()),
                      [&](int task) { enclosed[size_t(task)] = enclosedCells(list[size_t(task)]); });
        for (const std::vector<Int3>& cells : enclosed)
            for (const Int3& c : cells) mark(c) |= Mark::deep;
    }
    std::vector<std::vector<uint8_t>> blocked(list.size());
    parallelTasks("solids.marks", int(list.size()),
                  [&](int task) { blocked[size_t(task)] = blockThinFaces(list[size_t(task)]); });
    parallelTasks("solids.marks", int(list.size()), [&](int task) {
        const std::vector<Int3>& thin = thin_cells[size_t(list[size_t(task)])];
        for (size_t n = 0; n < thin.size(); ++n) mark(thin[n]) |= blocked[size_t(task)][n];
    });
    thin_bricks.clear();
    for (int b = 0; b < grid.bricks.total(); ++b)
        if (!thin_cells[size_t(b)].empty()) thin_bricks.push_back(b);
    const BrickList around = dilated(grid.bricks, list);
    parallelTasks("solids.marks", int(around.size()), [&](int task) {
        if (near[size_t(around[size_t(task)])]) markNearThin(around[size_t(task)]);
    });
}

float Solids::depthOfClosed(Int3 c) const
{
    const double depth_m = -distanceAt(cellPosition(grid.h, c), c);
    return std::max(float(depth_m), 1e-3f * float(grid.h));
}

bool Solids::isOpenNear(int axis, Int3 face) const
{
    if ((marks.view()(face) & 1 << axis) != 0) return false;
    const View3<const float> d = corner_distance;
    const Int3 s = unit((axis + 1) % 3), t = unit((axis + 2) % 3);
    return std::max(std::max(d(face), d(face + s)), std::max(d(face + t), d(face + s + t))) > 0;
}

bool Solids::sees(Int3 from, Int3 to) const
{
    if (from == to) return true;
    for (int a = 0; a < 3; ++a) {
        if (from[a] == to[a]) continue;
        const Int3 next = from[a] < to[a] ? from + unit(a) : from - unit(a);
        const Int3 face = from[a] < to[a] ? next : from;
        if (IndexBox{{0, 0, 0}, grid.cells}.contains(next) && !isBlocked(a, face) && sees(next, to)) return true;
    }
    return false;
}

bool Solids::separates(Float3 p, Float3 q) const
{
    if (base && base->separates(p, q)) return true;
    const Vec3 from{grid.h * p.x, grid.h * p.y, grid.h * p.z}, to{grid.h * q.x, grid.h * q.y, grid.h * q.z};
    const Int3 cell = min(max(Int3{int(p.x), int(p.y), int(p.z)}, {0, 0, 0}), grid.cells - Int3{1, 1, 1});
    const auto& list = within_reach[size_t(grid.bricks.index(grid.bricks.ofCell(cell)))];
    return std::any_of(list.begin(), list.end(), [&](const Obstacle* o) { return o->separates(from, to); });
}

}  // namespace flotsam
