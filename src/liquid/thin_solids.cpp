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

constexpr double probe_cells = 1.25, deeper_cells = 0.6;
constexpr float between_cells = 1.1f;  // distances of a mesh are slightly off

// The gradient of the distance to an obstacle, over one cell to either side: at the edge of a box it points between its
// faces.
Vec3 outOf(const Obstacle& o, Vec3 p_m, double h, bool flat)
{
    Vec3 slope;
    for (int a = 0; a < (flat ? 2 : 3); ++a) {
        Vec3 step;
        step[a] = h;
        slope[a] = o.signedDistance(p_m + step) - o.signedDistance(p_m - step);
    }
    return normalized(slope);
}

bool isResolved(const Obstacle& o, Vec3 p_m, double distance_m, double h, bool flat)
{
    const Vec3 out = outOf(o, p_m, h, flat);
    return out != Vec3{} && o.signedDistance(p_m - probe_cells * h * out) < distance_m - deeper_cells * h;
}

}  // namespace

// Sphere tracing: a step as long as the distance to the obstacle cannot pass it. The ends may lie on its surface: the
// points in contact are left first, by steps that double.
bool Obstacle::separates(Vec3 p_m, Vec3 q_m) const
{
    const double length_m = length(q_m - p_m), touching_m = 1e-3 * length_m;
    const auto distanceAt = [&](double t_m) { return signedDistance(p_m + (t_m / length_m) * (q_m - p_m)); };
    double from = 0, to = length_m;
    for (double step = 1e-5 * length_m; from < length_m; step *= 2) {
        const double d = distanceAt(from);
        if (d < 0) return true;
        if (d > touching_m) break;
        from += step;
    }
    for (double step = 1e-5 * length_m; to > from; step *= 2) {
        const double d = distanceAt(to);
        if (d < 0) return true;
        if (d > touching_m) break;
        to -= step;
    }
    while (from < to) {
        const double d = distanceAt(from);
        if (d < touching_m) return true;
        from += d;
    }
    return false;
}

Vec3 Solids::centerPosition(Int3 c) const { return {grid.h * (c.x + 0.5), grid.h * (c.y + 0.5), grid.h * (c.z + 0.5)}; }

uint8_t Solids::markOf(Int3 c, const std::vector<const Obstacle*>& obstacles_near)
{
    const float center_m = distance(c.x, c.y, c.z);
    uint8_t mark = 0;
    if (center_m < -Mark::deep_cells * float(grid.h)) mark |= Mark::deep;
    if (corner_distance.view()(c) < Mark::near_cells * float(grid.h)) mark |= Mark::near;
    if (base) mark |= base->marks.view()(c);
    if (!ownsThin()) return mark | (center_m < 0 ? Mark::inside : uint8_t(0));
    if (center_m > 1.5f * float(grid.h)) return mark;
    if (center_m < -2.5f * float(grid.h)) return mark | Mark::inside;  // deeper than any unresolved part
    const Vec3 p = centerPosition(c);
    for (const Obstacle* o : obstacles_near) {
        const double d = o->signedDistance(p);
        if (d >= 0) continue;
        mark |= Mark::inside;
        if (d > -1.5 * grid.h && !isResolved(*o, p, d, grid.h, grid.cells.z == 1)) mark |= Mark::closed;
    }
    return mark;
}

bool Solids::isBetween(Int3 below, Int3 above, const std::vector<const Obstacle*>& obstacles_near) const
{
    const Vec3 p = centerPosition(below), q = centerPosition(above);
    return std::any_of(obstacles_near.begin(), obstacles_near.end(), [&](const Obstacle* o) {
        const double d = o->signedDistance(p);
        if (d < 0 || d > between_cells * grid.h) return false;
        const double e = o->signedDistance(q);
        if (e < 0 || d + e >= between_cells * grid.h || !o->separates(p, q)) return false;
        // A centre just inside a mesh may have the distance of one just outside. Where the solid is resolved, its cell
        // is cut like any other; with its faces blocked it kept a drop for ever.
        // Bodies take their parts of faces exactly: where one is resolved, its edge between two centres blocks nothing.
        return (!areBodiesWalls() && o->passesBetween(p, q)) ||
               !isResolved(*o, d < e ? p : q, 0, grid.h, grid.cells.z == 1);
    });
}

// Lists the cells whose low faces are blocked, and returns which faces of each, as bits of their marks. It writes no
// marks: those of the cells below may belong to a brick of another thread.
std::vector<uint8_t> Solids::blockThinFaces(int brick)
{
    std::vector<Int3>& thin = thin_cells[size_t(brick)];
    thin.clear();
    std::vector<uint8_t> blocked;
    const auto& obstacles_near = within_reach[size_t(brick)];
    if (obstacles_near.empty() && (!base || base->thin_cells[size_t(brick)].empty())) return blocked;
    forEachCell(grid.bricks.box(brick), [&](int i, int j, int k) {
        const Int3 c{i, j, k};
        // A segment between two centres is h long: it does not reach the surface of a solid from further away.
        if (distance(i, j, k) > 2 * float(grid.h) || distance(i, j, k) < -1.5f * float(grid.h)) return;
        uint8_t faces = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const Int3 below = c - unit(axis);
            if (c[axis] == 0) continue;
            // Both centres are nearer to what is between them, together, than to each other. The means of the
            // distances at the corners are larger than those at the centres by up to half a cell each.
            const bool may_be_between =
                distance(i, j, k) + distance(below.x, below.y, below.z) < (1 + between_cells) * float(grid.h);
            if (!isClosed(c) && !isClosed(below) && !(base && base->isBlocked(axis, c)) &&
                !(may_be_between && isBetween(below, c, obstacles_near)))
                continue;
            faces |= uint8_t(1 << axis);
            fraction_field[axis].view()(c) = 0;
        }
        if (!faces) return;
        thin.push_back(c);
        blocked.push_back(faces);
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
    parallelTasks("solids.marks", int(list.size()), [&](int task) {
        const int brick = list[size_t(task)];
        forEachCell(grid.bricks.box(brick), [&](int i, int j, int k) {
            mark(i, j, k) = markOf({i, j, k}, within_reach[size_t(brick)]);
        });
    });
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
    const double depth_m = -distanceAt(centerPosition(c), c);
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
