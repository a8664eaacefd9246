#include "liquid/solids.h"

#include <iterator>

#include "geometry/segment_hits.h"
#include "grid/fractions.h"

namespace flotsam {

namespace {

// Faces with a smaller open fraction are closed. Hardly anything flows through them, so the projection barely
// constrains their speed: at a free surface it reached 30 m/s in a stream of 3 m/s, which sets the time step.
constexpr float least_open = 0.05f;

// Distances are accurate up to here: extrapolations and gradients use that range.
constexpr double reach_cells = 3;

// The open fraction of a face by the distances at its corners.
inline float fractionOf(View3<const float> distance, int axis, Int3 face)
{
    const Int3 s = unit((axis + 1) % 3), t = unit((axis + 2) % 3);
    const float d[4] = {distance(face), distance(face + s), distance(face + t), distance(face + s + t)};
    if (std::min(std::min(d[0], d[1]), std::min(d[2], d[3])) > 0) return 1;
    const float open = openFractionOfFace(d[0], d[1], d[2], d[3]);
    return open < least_open ? 0.0f : open;
}

// A solid of the scene, following its prescribed motion.
class PrescribedSolid : public Obstacle {
public:
    PrescribedSolid(const SolidSpec& spec_, double voxel_m)
        : spec(spec_),
          shape(makeShape(spec.shape, voxel_m)),
          pivot_m(spec.has_pivot ? spec.pivot_m : shape->bounds().center())
    {
        if (std::holds_alternative<MeshShape>(spec.shape))
            triangles = std::make_unique<SegmentHits>(shape->triangulated(), 2 * voxel_m);
    }
    bool moves() const override { return spec.moving(); }
    void moveTo(double t) override { t_s = t; }
    Bounds bounds() const override
    {
        const Bounds b = shape->bounds();
        if (spec.spin_rad_s == Vec3{}) return {b.lo + t_s * spec.velocity_m_s, b.hi + t_s * spec.velocity_m_s};
        double reach = 0;  // distance of the farthest corner from the pivot: bounds the rotating solid
        for (int corner = 0; corner < 8; ++corner) {
            const Vec3 p{corner & 1 ? b.hi.x : b.lo.x, corner & 2 ? b.hi.y : b.lo.y, corner & 4 ? b.hi.z : b.lo.z};
            reach = std::max(reach, length(p - pivot_m));
        }
        const Vec3 center = pivot(), r{reach, reach, reach};
        return {center - r, center + r};
    }
    double signedDistance(Vec3 p_m) const override { return shape->signedDistance(atStart(p_m)); }
    bool separates(Vec3 p_m, Vec3 q_m) const override
    {
        if (!triangles) return Obstacle::separates(p_m, q_m);
        return triangles->hits(atStart(p_m), atStart(q_m));
    }
    bool passesBetween(Vec3 p_m, Vec3 q_m) const override
    {
        return triangles ? triangles->passThrough(atStart(p_m), atStart(q_m)) : separates(p_m, q_m);
    }
    Vec3 velocityAt(Vec3 p_m) const override { return spec.velocity_m_s + cross(spec.spin_rad_s, p_m - pivot()); }
    double fastest() const override
    {
        const double reach = 0.5 * bounds().size().x;  // of a rotating solid: its bounds are a cube around the pivot
        return length(spec.velocity_m_s) + reach * length(spec.spin_rad_s);
    }

private:
    Vec3 pivot() const { return pivot_m + t_s * spec.velocity_m_s; }
    // The position at t = 0 of the material point that is at p_m now.
    Vec3 atStart(Vec3 p_m) const
    {
        return moves() ? pivot_m + transposed(rotation(t_s * spec.spin_rad_s)) * (p_m - pivot()) : p_m;
    }

    SolidSpec spec;
    std::shared_ptr<const Shape> shape;
    std::unique_ptr<SegmentHits> triangles;  // of a mesh: its gridded distances miss features thinner than their grid
    Vec3 pivot_m;                            // at t = 0
    double t_s = 0;
};

}  // namespace

Solids::Solids(const Grid& grid_, const std::vector<SolidSpec>& specs, const std::vector<IndexBox>& kept_near)
    : grid(grid_),
      near(size_t(grid_.bricks.total()), 0),
      kept(size_t(grid_.bricks.total()), 0),
      within_reach(size_t(grid_.bricks.total())),
      corner_distance(grid_.cells),
      fraction_field{Field3<float>(grid_.cells), Field3<float>(grid_.cells), Field3<float>(grid_.cells)},
      fraction{fraction_field[0], fraction_field[1], fraction_field[2]},
      marks(grid_.cells),
      thin_cells(size_t(grid_.bricks.total()))
{
    for (const SolidSpec& spec : specs) obstacles.push_back(std::make_unique<PrescribedSolid>(spec, 0.5 * grid.h));
    for (const IndexBox& cells : kept_near) {
        const IndexBox inner = intersection(cells, {{0, 0, 0}, grid.cells});
        if (inner.empty()) continue;
        const IndexBox bricks{grid.bricks.ofCell(inner.lo),
                              grid.bricks.ofCell(inner.hi - Int3{1, 1, 1}) + Int3{1, 1, 1}};
        forEachCell(bricks, [&](int i, int j, int k) { kept[size_t(grid.bricks.index({i, j, k}))] = 1; });
    }
    near = kept;
    start();
}

Solids::Solids(const Grid& grid_, const Solids& base_, std::vector<std::unique_ptr<Obstacle>> others,
               Others others_are_)
    : Solids(grid_, std::vector<SolidSpec>{})
{
    base = &base_;
    others_are = others_are_;
    if (others_are == Others::walls)
        for (Field3<float>& part : body_part) part = Field3<float>(grid.cells);
    obstacles = std::move(others);
    near = base->near;
    any_moving = base->any_moving;
    start();
}

void Solids::start()
{
    for (const auto& o : obstacles) {
        any_moving = any_moving || o->moves();
        if (!o->moves()) markBricks(*o, near);
    }
    listObstacles();
    recompute(listOf(near));
    near_set = BrickSet(grid.bricks, listOf(near));
    moveTo(0);
}

IndexBox Solids::cornersAround(const Obstacle& obstacle) const
{
    const Bounds b = obstacle.bounds();
    IndexBox box;
    for (int a = 0; a < 3; ++a) {
        const double end = grid.cells[a] + 1;
        box.lo[a] = int(std::clamp(std::ceil(b.lo[a] / grid.h - reach_cells), 0.0, end));
        box.hi[a] = int(std::clamp(std::floor(b.hi[a] / grid.h + reach_cells) + 1, 0.0, end));
    }
    if (grid.cells.z == 1) box.lo.z = 0, box.hi.z = 2;  // of a slab: its cross-section
    return box;
}

IndexBox Solids::bricksAround(const Obstacle& obstacle, int more_cells) const
{
    const IndexBox corners = cornersAround(obstacle);
    for (int a = 0; a < 3; ++a)
        if (corners.lo[a] >= corners.hi[a]) return {};
    const Int3 last = grid.cells - Int3{1, 1, 1}, m{1 + more_cells, 1 + more_cells, 1 + more_cells};
    const Int3 lo = min(max(corners.lo - m, {0, 0, 0}), last), hi = min(corners.hi - Int3{1, 1, 1} + m, last);
    return {grid.bricks.ofCell(lo), grid.bricks.ofCell(hi) + Int3{1, 1, 1}};
}

void Solids::markBricks(const Obstacle& obstacle, std::vector<uint8_t>& touched) const
{
    forEachCell(bricksAround(obstacle, 0), [&](int i, int j, int k) {
        touched[size_t(grid.bricks.index({i, j, k}))] = 1;
    });
}

void Solids::listObstacles()
{
    for (int brick : with_obstacles) within_reach[size_t(brick)].clear();
    with_obstacles.clear();
    for (const auto& o : obstacles)
        forEachCell(bricksAround(*o, 1), [&](int i, int j, int k) {
            const int brick = grid.bricks.index({i, j, k});
            if (within_reach[size_t(brick)].empty()) with_obstacles.push_back(brick);
            within_reach[size_t(brick)].push_back(o.get());
        });
}

void Solids::moveTo(double t_s)
{
    for (const auto& o : obstacles) o->moveTo(t_s);
    lock({});
    std::vector<uint8_t> moving(near.size(), 0), still(near.size(), 0);
    if (base) {
        still = base->near;
        for (int brick : base->moving_bricks) moving[size_t(brick)] = 1;
    }
    for (const auto& o : obstacles) markBricks(*o, o->moves() ? moving : still);
    BrickList now = listOf(moving);
    std::vector<uint8_t> changed = moving;
    for (int brick : moving_bricks) changed[size_t(brick)] = 1;
    for (size_t b = 0; b < near.size(); ++b) near[b] = moving[b] | still[b] | kept[b];
    moving_bricks = std::move(now);
    const BrickList list = listOf(changed);
    if (list.empty()) return;
    listObstacles();
    recompute(list);
    near_set = BrickSet(grid.bricks, listOf(near));
}

Vec3 Solids::cornerPosition(int i, int j, int k) const
{
    // A two-dimensional run uses the cross-section at the mid-plane of its slab.
    return {i * grid.h, j * grid.h, grid.cells.z == 1 ? 0.5 * grid.h : k * grid.h};
}

// The initial distances before the obstacles are added.
void Solids::startDistance(int brick, IndexBox corners)
{
    const View3<float> distance = corner_distance;
    if (base && !base->within_reach[size_t(brick)].empty())
        forEachCell(corners, [distance, d = base->corner_distance.view()](int i, int j, int k) {
            distance(i, j, k) = d(i, j, k);
        });
    else
        forEachCell(corners, [distance, far = float((reach_cells + 1) * grid.h)](int i, int j, int k) {
            distance(i, j, k) = far;
        });
}

// The minimum of the present distance and that to an obstacle. A signed distance has Lipschitz constant 1: corners
// along x that are out of its reach are skipped.
void Solids::addDistance(const Obstacle& o, IndexBox corners)
{
    const View3<float> distance = corner_distance;
    for (int k = corners.lo.z; k < corners.hi.z; ++k)
        for (int j = corners.lo.y; j < corners.hi.y; ++j) {
            const Obstacle::Span span =
                o.spanNear(cornerPosition(corners.lo.x, j, k), grid.h, corners.size().x, reach_cells * grid.h);
            const int end = corners.lo.x + span.end;
            for (int i = corners.lo.x + span.first; i < end; ++i) {
                const double d = o.signedDistance(cornerPosition(i, j, k));
                distance(i, j, k) = std::min(distance(i, j, k), float(d));
                const double beyond = std::abs(d) / grid.h - reach_cells;
                if (beyond < 1) continue;
                const int known = std::min(int(std::min(beyond, 1e6)), end - 1 - i);
                if (d < 0)
                    for (int n = 1; n <= known; ++n)
                        distance(i + n, j, k) = std::min(distance(i + n, j, k), float(d + n * grid.h));
                i += known;
            }
        }
}

BrickList Solids::atOpenSides(const BrickList& list) const
{
    BrickList sides;
    std::copy_if(list.begin(), list.end(), std::back_inserter(sides), [&](int brick) {
        const Int3 b = grid.bricks.at(brick), last = grid.bricks.count - Int3{1, 1, 1};
        for (int a = 0; a < 3; ++a)
            if ((grid.open[a][0] && b[a] == 0) || (grid.open[a][1] && b[a] == last[a])) return true;
        return false;
    });
    return sides;
}

void Solids::recompute(const BrickList& list)
{
    // Each brick owns its low corners; those on its high faces belong to the bricks around it.
    const BrickList around = dilated(grid.bricks, list);
    parallelTasks("solids.distance", int(around.size()), [&](int task) {
        const int brick = around[size_t(task)];
        const IndexBox box = grid.bricks.facesOf(grid.bricks.box(brick));
        startDistance(brick, box);
        for (const Obstacle* o : within_reach[size_t(brick)]) addDistance(*o, intersection(box, cornersAround(*o)));
    });
    recomputeFractions(BrickSet(grid.bricks, base ? atOpenSides(list) : list));
    if (others_are == Others::walls) copyFractions(BrickSet(grid.bricks, list));
    markCells(list);
}

// Of the faces inside the domain.
void Solids::copyFractions(const BrickSet& set)
{
    for (int axis = 0; axis < 3; ++axis)
        parallelBoxes("solids.fractions", set, [&](IndexBox strip) {
            const View3<float> open = fraction_field[axis], part = body_part[axis];
            base->forBricks(strip, [&](IndexBox box, bool has_solid) {
                if (axis == 0 && box.lo.x == 0) box.lo.x = 1;
                for (int k = box.lo.z; k < box.hi.z; ++k)
                    for (int j = box.lo.y; j < box.hi.y; ++j) {
                        std::fill(part.row(j, k) + box.lo.x, part.row(j, k) + box.hi.x, 0.0f);
                        if ((axis == 1 && j == 0) || (axis == 2 && k == 0)) continue;
                        float* to = open.row(j, k);
                        if (!has_solid) std::fill(to + box.lo.x, to + box.hi.x, 1.0f);
                        else std::copy(base->fraction[axis].row(j, k) + box.lo.x,
                                       base->fraction[axis].row(j, k) + box.hi.x, to + box.lo.x);
                    }
            });
        });
}

void Solids::recomputeFractions(const BrickSet& set)
{
    const View3<const float> distance = corner_distance;
    for (int axis = 0; axis < 3; ++axis) {
        const View3<float> out = fraction_field[axis];
        parallelBoxes("solids.fractions", set, [&](IndexBox box) {
            box = grid.bricks.facesOf(axis, box);
            forEachCell(box, [=](int i, int j, int k) { out(i, j, k) = fractionOf(distance, axis, {i, j, k}); });
        });
    }
}

float Solids::uncoveredFraction(int axis, Int3 face) const
{
    if (face[axis] <= 0 || face[axis] >= grid.cells[axis]) return openFraction(axis, face.x, face.y, face.z);
    if (!touches(face)) return 1;
    return isBlocked(axis, face) ? 0 : fractionOf(corner_distance, axis, face);
}

Float3 Solids::gradient(int i, int j, int k) const
{
    const View3<const float> d = corner_distance;
    Float3 g{};
    for (int corner = 0; corner < 8; ++corner) {
        const Int3 o{corner & 1, corner >> 1 & 1, corner >> 2};
        const float v = d(Int3{i, j, k} + o);
        g.x += o.x ? v : -v;
        g.y += o.y ? v : -v;
        g.z += o.z ? v : -v;
    }
    return g;
}

Vec3 Solids::velocityAt(Vec3 p_m) const
{
    if (!any_moving) return {};
    const int brick = brickOf(p_m);
    // Most bricks have a single obstacle, which needs no distance test.
    const auto& list = within_reach[size_t(brick)];
    const Obstacle* nearest = !base && list.size() == 1 ? list.front() : nearestTo(p_m, brick).obstacle;
    return nearest && nearest->moves() ? nearest->velocityAt(p_m) : Vec3{};
}

int Solids::brickOf(Vec3 p_m) const
{
    Int3 cell;
    for (int a = 0; a < 3; ++a) cell[a] = int(std::clamp(p_m[a] / grid.h, 0.0, double(grid.cells[a] - 1)));
    return grid.bricks.index(grid.bricks.ofCell(cell));
}

Solids::Nearest Solids::nearestTo(Vec3 p_m, int brick) const
{
    Nearest nearest = base ? base->nearestTo(p_m, brick) : Nearest{};
    for (const Obstacle* o : within_reach[size_t(brick)]) {
        const double d = o->signedDistance(p_m);
        if (d < nearest.distance_m) nearest = {o, d};
    }
    return nearest;
}

std::span<const OutwardPlane> Solids::planesAcross(const Bounds& box, int brick) const
{
    const Vec3 center_m = box.center();
    const double reach_m = 0.5 * length(box.size());
    if (base && base->nearestTo(center_m, brick).distance_m < reach_m) return {};
    const Obstacle* across = nullptr;
    for (const Obstacle* o : within_reach[size_t(brick)]) {
        if (std::abs(o->signedDistance(center_m)) >= reach_m) continue;
        if (across) return {};
        across = o;
    }
    return across ? across->planes() : std::span<const OutwardPlane>{};
}

double Solids::fastest() const
{
    double speed = base ? base->fastest() : 0;
    for (const auto& o : obstacles)
        if (o->moves()) speed = std::max(speed, o->fastest());
    return speed;
}

}  // namespace flotsam
