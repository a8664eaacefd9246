#include "coupling/covered_faces.h"

#include <algorithm>

#include "core/parallel.h"
#include "liquid/pressure.h"

namespace flotsam {

namespace {

// A face that is less open moves with the body.
constexpr double least_open = 0.05;
// The same in a gap between a thick body and a solid or a closed boundary of the domain. The grid does not resolve
// thinner gaps: cubes that landed flat pressed water out of them at up to 3400 m/s. Around bodies a few cells thick, so
// many closed faces would seal regions between them, and piles of such bodies would burst.
constexpr double least_open_in_gap = 0.25, least_thick_cells = 5;
// The liquid exerts no torque on a body with a smaller reach: the liquid that it carries has levers longer than its
// own, and a box of 0.4 cells was spun up to 8e4 rad/s.
constexpr double least_turning_cells = 1;

// The wet part of a control volume along its axis [cells from the face].
struct WetSpan {
    double from = -0.5, to = 0.5;
    double length() const { return to - from; }
    double surface() const { return from > -0.5 ? from : to; }
};
WetSpan wetSpan(float below, float above)
{
    const auto theta = [](float inside, float outside) {
        return double(std::max(inside / (inside - outside), least_theta_with_bodies));
    };
    if (below < 0 && above >= 0) return {-0.5, -0.5 + theta(below, above)};
    if (above < 0 && below >= 0) return {0.5 - theta(above, below), 0.5};
    return {};
}

// Of a face between two cells that a body too thin for the grid closes. phi has no meaning in these cells: the wet span
// is that of the nearest columns beside them that no thin body closes.
WetSpan wetSpanBeside(const Grid& grid, const Solids& walls, View3<const float> phi, int axis, Int3 at)
{
    const IndexBox domain{{0, 0, 0}, grid.cells};
    double length = 0, rise = 0;
    int columns = 0;
    const int most = std::max({grid.cells.x, grid.cells.y, grid.cells.z});
    for (int cells = 1; cells < most && columns == 0; ++cells)
        for (int n = 0; n < 6; ++n) {
            if (n / 2 == axis) continue;
            Int3 step;
            step[n / 2] = n & 1 ? cells : -cells;
            const Int3 q = at + step, below = q - unit(axis);
            if (!domain.contains(q) || walls.isClosed(q) || walls.isClosed(below)) continue;
            ++columns;
            rise += double(phi(q) - phi(below));
            if (phi(q) < 0 || phi(below) < 0) length += wetSpan(phi(below), phi(q)).length();
        }
    if (columns == 0) return {-0.5, -0.5};
    length /= columns;
    return rise > 0 ? WetSpan{-0.5, -0.5 + length} : WetSpan{0.5 - length, 0.5};
}

// Whether the control volume of a face touches a closed boundary of the domain along it.
bool isBesideWall(const Grid& grid, int axis, Int3 at)
{
    for (int a = 0; a < 3; ++a) {
        if (a == axis || grid.cells[a] == 1) continue;
        if ((at[a] == 0 && !grid.open[a][0]) || (at[a] + 1 == grid.cells[a] && !grid.open[a][1])) return true;
    }
    return false;
}

bool isLiquidNear(const Grid& grid, const BodyObstacle& body, View3<const float> phi)
{
    const Bounds b = body.bounds();
    IndexBox box{{0, 0, 0}, grid.cells};
    for (int a = 0; a < 3; ++a) {
        box.lo[a] = int(std::clamp(std::floor(b.lo[a] / grid.h) - 1, 0.0, double(box.hi[a])));
        box.hi[a] = int(std::clamp(std::ceil(b.hi[a] / grid.h) + 1, 0.0, double(box.hi[a])));
    }
    for (int k = box.lo.z; k < box.hi.z; ++k)
        for (int j = box.lo.y; j < box.hi.y; ++j)
            for (int i = box.lo.x; i < box.hi.x; ++i)
                if (phi(i, j, k) < 0) return true;
    return false;
}

}  // namespace

CoveredFaces::Vector6 CoveredFaces::rowAt(size_t body, int axis, Vec3 p_m) const
{
    Vec3 e;
    e[axis] = 1;
    const BodyObstacle& shape = *shapes[body];
    const bool turns = shape.reach() >= least_turning_cells * grid.h;
    const Vec3 turn = turns ? shape.torqueOfPressure(cross(p_m - shape.center(), e)) : Vec3{};
    Vector6 row;
    row << e.x, e.y, e.z, turn.x, turn.y, turn.z;
    return row;
}

void CoveredFaces::find(const std::vector<const BodyObstacle*>& bodies, const std::vector<double>& volume_m3,
                        double full_cell_kg, View3<const float> phi, Solids& walls)
{
    shapes = bodies;
    cell_kg = full_cell_kg;
    covered.clear();
    carried.clear();
    carried_kg.assign(shapes.size(), Matrix6::Zero());
    ends.clear();
    strips.clear();
    wet.assign(shapes.size(), 0);
    is_thick.assign(shapes.size(), 0);
    for (size_t i = 0; i < shapes.size(); ++i) is_thick[i] = shapes[i]->isThick(least_thick_cells * grid.h);
    covers.resize(shapes.size());
    parallelTasks("coupling.cover", int(shapes.size()), [&](int task) {
        const size_t i = size_t(task);
        if (isLiquidNear(grid, *shapes[i], phi))
            coverFaces(grid, *shapes[i], volume_m3[i], covers[i]);
        else
            covers[i] = {};
    });
    std::vector<Item> items;
    const Int3 n = grid.cells + Int3{1, 1, 1};
    for (size_t i = 0; i < covers.size(); ++i)
        for (const FaceCover& f : covers[i].faces) {
            const size_t cell = size_t(f.at.x) + size_t(n.x) * (size_t(f.at.y) + size_t(n.y) * size_t(f.at.z));
            items.push_back({3 * cell + size_t(f.axis), i, &f});
        }
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
    for (size_t first = 0, last = 0; first < items.size(); first = last) {
        while (last < items.size() && items[last].key == items[first].key) ++last;
        coverFace({items.data() + first, last - first}, phi, walls);
    }
    for (const BodyCover& cover : covers)
        for (const BodyCover::Buried& b : cover.buried)
            if (phi(b.at) < 0 || phi(b.at - unit(b.axis)) < 0)
                walls.cover(b.axis, b.at, 0, walls.baseOpenFraction(b.axis, b.at));
    for (const Locked& strip : strips)
        if (!widenNeighbours(strip, phi, walls)) lock(strip);
}

// Half a control volume at the end of the domain: the pressure is hydrostatic there.
void CoveredFaces::coverEnd(std::span<const Item> items, View3<const float> phi)
{
    const int axis = items[0].cover->axis;
    const Int3 at = items[0].cover->at;
    const int side = at[axis] != 0;
    if (grid.open[axis][side] || phi(side ? at - unit(axis) : at) >= 0) return;
    for (const Item& item : items) {
        const Part& part = side ? item.cover->below : item.cover->above;
        const double volume_m3 = 0.5 * part.fraction * grid.h * grid.h * grid.h;
        if (volume_m3 > 0)
            ends.push_back({{item.body, axis, at, 1, rowAt(item.body, axis, part.centroid_m)}, volume_m3});
    }
}

void CoveredFaces::coverFace(std::span<const Item> items, View3<const float> phi, Solids& walls)
{
    const int axis = items[0].cover->axis;
    const Int3 at = items[0].cover->at, below = at - unit(axis);
    if (at[axis] == 0 || at[axis] == grid.cells[axis]) {
        coverEnd(items, phi);
        return;
    }
    const bool is_closed = walls.isClosed(at) && walls.isClosed(below);
    if (!is_closed && phi(at) >= 0 && phi(below) >= 0) return;
    // phi of a cell inside a body that is too thin for the grid is not that of the liquid.
    const bool is_thin = walls.isInert(at) || walls.isInert(below);
    const WetSpan span = is_closed ? wetSpanBeside(grid, walls, phi, axis, at)
                         : is_thin ? WetSpan{}
                                   : wetSpan(phi(below), phi(at));
    if (span.length() <= 0) return;
    regions.clear();
    for (const Item& item : items) regions.add(partBetween(grid, *item.cover, span.from, span.to));
    const bool at_contact_line = !is_closed && span.length() < 1 && (walls.covers(at) || walls.covers(below));
    size_t holder = regions.largest;  // the body that a locked face moves with
    const bool is_blocked = walls.isBlocked(axis, at);
    if (regions.sum <= 1e-9 && !is_blocked) {
        if (!at_contact_line) return;
        // A body that touches the surface covers nothing below it.
        Vec3 surface_m = facePosition(grid.h, axis, at);
        surface_m[axis] += grid.h * span.surface();
        const auto touching = std::find_if(items.begin(), items.end(), [&](const Item& item) {
            return shapes[item.body]->signedDistance(surface_m) < 1e-3 * grid.h;
        });
        if (touching == items.end()) return;
        holder = size_t(touching - items.begin());
    }
    const double open_of_solids = double(walls.baseOpenFraction(axis, at));
    if (open_of_solids == 0) return;
    for (const Item& item : items) wet[item.body] = 1;
    if (regions.sum > open_of_solids - 1e-6) regions.scaleTo(open_of_solids);
    for (size_t n = 0; n < items.size(); ++n)
        if (const Part& p = regions.parts[n]; p.fraction > 0)
            covered.push_back({items[n].body, axis, at, p.fraction, rowAt(items[n].body, axis, p.centroid_m),
                               items[n].cover->is_below_buried, items[n].cover->is_above_buried});
    const double open = open_of_solids - regions.sum;
    const bool is_gap = is_thick[items[holder].body] && (open_of_solids < 1 || isBesideWall(grid, axis, at));
    const double least = is_gap ? least_open_in_gap : least_open;
    if (open <= 0 || (open >= least && !at_contact_line && !is_blocked)) {
        walls.cover(axis, at, float(open), float(regions.sum));
        return;
    }
    walls.cover(axis, at, 0, float(open_of_solids));
    Vec3 centroid_m = facePosition(grid.h, axis, at);
    if (grid.cells.z == 1) centroid_m.z = regions.parts[holder].centroid_m.z;
    centroid_m[axis] += grid.h * 0.5 * (span.from + span.to);
    Vec3 left = centroid_m;
    for (const Part& p : regions.parts) left += p.fraction / open * (centroid_m - p.centroid_m);
    const size_t body = items[holder].body;
    const Locked locked{{body, axis, at, open, rowAt(body, axis, left)}, span.length()};
    if (at_contact_line && !is_blocked && walls.covers(at) && walls.covers(below))
        strips.push_back(locked);  // until the open fractions of its neighbours are known
    else
        lock(locked);
}

// phi is extrapolated into a body, so the surface of a strip of liquid in front of covered centres moves with the next
// column. So does the liquid: the open fraction of the face there grows by that of the strip. If it moved with the
// body, the body would push water ahead of it that nothing replaces: a disk raised by 0.3 cells gained 6 % of energy, a
// 3-D board 8 %.
bool CoveredFaces::widenNeighbours(const Locked& strip, View3<const float> phi, Solids& walls) const
{
    const int axis = strip.liquid.axis;
    const Int3 at = strip.liquid.at;
    std::vector<Int3> next;
    for (int n = 0; n < 6; ++n) {
        if (n / 2 == axis) continue;
        const Int3 to = n & 1 ? at + unit(n / 2) : at - unit(n / 2), below = to - unit(axis), between = n & 1 ? to : at;
        if (!IndexBox{{0, 0, 0}, grid.cells}.contains(to) || walls.covers(to) || walls.covers(below)) continue;
        if ((phi(to) < 0) != (phi(at) < 0) || (phi(below) < 0) == (phi(to) < 0)) continue;
        if (!walls.touches(to) || walls.innerOpenFraction(axis, to) == 0) continue;
        if (walls.isBlocked(n / 2, between) || walls.isBlocked(n / 2, between - unit(axis))) continue;
        next.push_back(to);
    }
    for (const Int3 to : next) walls.widen(axis, to, float(strip.liquid.part / double(next.size())));
    return !next.empty();
}

void CoveredFaces::lock(const Locked& face)
{
    const Covered& liquid = face.liquid;
    const double kg = cell_kg * liquid.part * face.wet_length;
    covered.push_back(liquid);
    carried.push_back({liquid, kg});
    carried_kg[liquid.body] += kg * liquid.row * liquid.row.transpose();
}

}  // namespace flotsam
