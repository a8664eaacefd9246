#include <atomic>
#include <limits>

#include "liquid/boundary.h"
#include "liquid/bricks_where.h"
#include "liquid/first_air.h"
#include "liquid/surface_cells.h"
#include "liquid/velocity.h"

namespace flotsam {

namespace {

using Face = LiquidScratch::Face;
using Reached = LiquidScratch::Reached;

// A mark that another thread may be setting in the same pass: either value gives the same result.
uint8_t relaxedLoad(uint8_t& mark) { return std::atomic_ref<uint8_t>(mark).load(std::memory_order_relaxed); }

bool isOuter(const Grid& grid, int axis, Int3 c) { return c[axis] == 0 || c[axis] == grid.cells[axis]; }

// Bins of half a cell of distance: the neighbour most directly towards the liquid is nearer by at least h / sqrt(3), so
// it is in an earlier bin.
int binCount(const Grid& grid) { return 2 * grid.extension_layers + 1; }

// Marks the faces of the liquid and lists the unknown ones within reach by distance.
template <class Axis>
void markFaces(const Grid& grid, const Solids& solids, Axis axis, IndexBox brick, bool solid, View3<const float> phi,
               View3<uint8_t> known, std::vector<std::vector<Face>>& bins)
{
    const float per_bin = 0.5f * float(grid.h), reach = std::min(per_bin * float(binCount(grid)), grid.band);
    const Int3 e = unit(axis);
    if (!solid && isDeep(grid, brick, phi)) {
        forEachCell(brick, [known](int i, int j, int k) { known(i, j, k) = 1; });
        return;
    }
    forEachCell(grid.bricks.facesOf(axis, brick), [&](int i, int j, int k) {
        const float here = phi(i, j, k), below = phi(i - e.x, j - e.y, k - e.z), away = std::min(here, below);
        const bool outer = isOuter(grid, axis, {i, j, k});
        const float open = outer   ? solids.openFraction(axis, i, j, k)
                           : solid ? solids.innerOpenFraction(axis, {i, j, k})
                                   : 1.0f;
        const bool wet = away < 0 && (open > 0 || (solid && solids.inflowAt(axis, {i, j, k})));
        known(i, j, k) = wet;
        if (wet || (outer && open == 0) || away >= reach) return;
        const float distance = std::clamp(0.5f * (here + below), 0.0f, reach - per_bin);
        bins[size_t(distance / per_bin)].push_back({i, j, k});
    });
}

// Whether a thin solid lies between a face and the next one along `a`, judged by the cells adjacent to both.
bool isHidden(const Solids& solids, int axis, Int3 c, int a, int side)
{
    if (a == axis) return false;  // they share a cell
    const Int3 end = solids.cells(), face = side ? c + unit(a) : c, below = face - unit(axis);
    if (face[a] <= 0 || face[a] >= end[a]) return false;
    const bool here = c[axis] >= end[axis] || solids.isBlocked(a, face);
    return here && (c[axis] == 0 || solids.isBlocked(a, below));
}

// The weights of the known neighbours: upwind along the surface normal, or equal if no known neighbour is upwind.
// Returns false if no neighbour is known. `thin`: the solids, if some of them are thin.
template <class Axis>
bool weightsOf(const Solids* thin, View3<const float> phi, View3<uint8_t> known, Axis axis, Face f, int pass,
               float (&weight)[6])
{
    const Int3 c{f.i, f.j, f.k};
    const bool near_thin = thin && thin->isNearThin(min(c, thin->cells() - Int3{1, 1, 1}));
    // All fields have the same strides.
    const std::ptrdiff_t stride[3] = {1, phi.sy, phi.sz}, e = stride[axis];
    const float* p = &phi(c);
    uint8_t* marks = &known(c);
    float upwind[6], all[6], upwind_sum = 0, all_sum = 0;
    for (int a = 0; a < 3; ++a) {
        const std::ptrdiff_t d = stride[a];
        const float slope = a == axis ? p[0] - p[-e] : 0.25f * ((p[d] - p[-d]) + (p[d - e] - p[-d - e]));
        for (int side = 0; side < 2; ++side) {
            const uint8_t mark = relaxedLoad(marks[side ? d : -d]);
            const int n = 2 * a + side;
            all[n] = mark != 0 && mark <= pass && !(near_thin && isHidden(*thin, axis, c, a, side)) ? 1.0f : 0.0f;
            upwind[n] = all[n] * std::max(side ? -slope : slope, 0.0f);  // > 0 towards the liquid
            all_sum += all[n];
            upwind_sum += upwind[n];
        }
    }
    const float* chosen = upwind_sum > 0 ? upwind : all;
    const float scale = 1 / (upwind_sum > 0 ? upwind_sum : std::max(all_sum, 1.0f));
    for (int n = 0; n < 6; ++n) weight[n] = scale * chosen[n];
    return all_sum > 0;
}

// Finds the sources of the values of the faces of a bin and of those left over from earlier bins.
template <class Axis>
void planPass(const Solids* thin, View3<const float> phi, View3<uint8_t> known, Axis axis, int pass,
              LiquidScratch::Extension& plan)
{
    std::vector<Face>& faces = plan.bins[size_t(pass - 1)];
    for (const Face& f : faces) {
        Reached r;
        if (weightsOf(thin, phi, known, axis, f, pass, r.weight)) {
            r.face = int32_t(&phi(f.i, f.j, f.k) - phi.origin);
            plan.reached.push_back(r);
            std::atomic_ref<uint8_t>(known(f.i, f.j, f.k)).store(uint8_t(pass + 1), std::memory_order_relaxed);
        } else if (size_t(pass) < plan.bins.size()) {
            plan.bins[size_t(pass)].push_back(f);
        }
    }
    plan.pass_end.push_back(plan.reached.size());
}

// Neighbours of zero weight may be written by another thread at the same time.
float relaxedLoad(float& v) { return std::atomic_ref<float>(v).load(std::memory_order_relaxed); }

void applyPass(const LiquidScratch::Extension& plan, int pass, View3<float> u)
{
    const size_t begin = pass > 1 ? plan.pass_end[size_t(pass - 2)] : 0, end = plan.pass_end[size_t(pass - 1)];
    for (size_t n = begin; n < end; ++n) {
        const Reached& r = plan.reached[n];
        float* v = u.origin + r.face;
        const float x = r.weight[0] * relaxedLoad(v[-1]) + r.weight[1] * relaxedLoad(v[1]);
        const float y = r.weight[2] * relaxedLoad(v[-u.sy]) + r.weight[3] * relaxedLoad(v[u.sy]);
        const float z = r.weight[4] * relaxedLoad(v[-u.sz]) + r.weight[5] * relaxedLoad(v[u.sz]);
        std::atomic_ref<float>(*v).store((x + y) + z, std::memory_order_relaxed);
    }
}

// The velocity at a face, with the other components as means of the four surrounding faces.
Vec3 vectorAtFace(const ConstMacView& u, int axis, Face f)
{
    Vec3 v;
    for (int a = 0; a < 3; ++a) {
        const View3<const float>& w = u.u[a];
        const Int3 c{f.i, f.j, f.k}, e = unit(axis), d = unit(a);
        v[a] = a == axis ? w(c) : 0.25 * ((w(c) + w(c + d)) + (w(c - e) + w(c - e + d)));
    }
    return v;
}

// The value of a face inside a solid: free slip replaces only the component normal to the solid, no slip all of it.
float valueInSolid(const Grid& grid, const Solids& solids, const ConstMacView& u, int axis, Face f)
{
    const Vec3 wall = solids.velocityAt(facePosition(grid.h, axis, {f.i, f.j, f.k}));
    if (grid.no_slip) return float(wall[axis]);
    const Float3 g = solids.gradient(f.i, f.j, f.k);
    Vec3 n = normalized({g.x, g.y, g.z});
    if (n == Vec3{}) n[axis] = 1;  // in the centre of a thin plate
    const Vec3 v = vectorAtFace(u, axis, f);
    return float(v[axis] - dot(v - wall, n) * n[axis]);
}

void constrainInSolids(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w)
{
    const BrickSet set(grid.bricks, common(s.active.list, solids.bricks().list));
    std::vector<std::vector<FaceValue>> changes(set.strips.size());
    const MacView u = s.u;
    parallelTasks("extend.solids", int(changes.size()), [&](int n) {
        for (int axis = 0; axis < 3; ++axis)
            forEachCell(set.strips[size_t(n)], [&](int i, int j, int k) {
                if (isOuter(grid, axis, {i, j, k}) || solids.innerOpenFraction(axis, {i, j, k}) > 0 ||
                    !w.known[axis].view()(i, j, k) || solids.inflowAt(axis, {i, j, k}))
                    return;
                changes[size_t(n)].push_back({axis, {i, j, k}, valueInSolid(grid, solids, u, axis, {i, j, k})});
            });
    });
    parallelTasks("extend.solids", int(changes.size()), [&](int n) {
        for (const FaceValue& c : changes[size_t(n)]) u.u[c.axis](c.face) = c.value;
    });
}

// Sets the faces of an air cell next to the liquid that lead away from it, so that inflow equals outflow. Their speed
// is limited to that of the velocity around the cell. In a splash the error of the extension is larger than continuity
// can correct: without the limit a dam break gained 1.1 to 4.4 % of its volume in 4 s (eight columns of nearly the same
// height), with it at most 1.9 %. There is no limit where a wall turns the flow, since all that flows towards it must
// leave along it (with the limit a landing drop lost 1.2 %, without it 0.4 %).
void continueThrough(const Grid& grid, const Solids& solids, View3<const float> phi, const ConstMacView& u, Int3 c,
                     std::vector<FaceValue>& values)
{
    if (solids.touches(c) && solids.distance(c.x, c.y, c.z) < float(grid.h)) return;
    int axes[3], count = 0;
    bool outward_is_high[3], is_turned = false;
    float outflow = 0, fastest2 = 0;
    for (int a = 0; a < 3; ++a) {
        const Int3 e = unit(a);
        const float low = u.u[a](c), high = u.u[a](c + e);
        outflow += high - low;
        fastest2 += std::max(low * low, high * high);
        const bool low_wall = c[a] == 0 && !grid.open[a][0], high_wall = c[a] + 1 == grid.cells[a] && !grid.open[a][1];
        is_turned |= (low_wall && high < 0) || (high_wall && low > 0);
        const bool liquid_low = c[a] > 0 && phi(c - e) < 0, liquid_high = c[a] + 1 < grid.cells[a] && phi(c + e) < 0;
        if (liquid_low == liquid_high || (liquid_low ? high_wall : low_wall)) continue;
        if (!(phi(liquid_low ? c + e : c - e) > phi(c))) continue;
        outward_is_high[count] = liquid_low;
        axes[count++] = a;
    }
    const float limit = is_turned ? std::numeric_limits<float>::max() : std::sqrt(fastest2);
    for (int n = 0; n < count; ++n) {
        const Int3 f = outward_is_high[n] ? c + unit(axes[n]) : c;
        const float change = (outward_is_high[n] ? -outflow : outflow) / float(count);
        values.push_back({axes[n], f, std::clamp(u.u[axes[n]](f) + change, -limit, limit)});
    }
}

}  // namespace

FaceValues continueThroughSurface(const Grid& grid, const Solids& solids, LiquidState& s)
{
    FaceValues values(s.active.strips.size());
    if (grid.treatment == SurfaceTreatment::noisy) return values;
    const View3<const float> phi = s.phi;
    const MacView u = s.u;
    parallelTasks("extend.continue", int(values.size()), [&](int n) {
        forFirstAir(grid, s.active.strips[size_t(n)], phi,
                    [&](Int3 c) { continueThrough(grid, solids, phi, u, c, values[size_t(n)]); });
    });
    // A face leads away from only one cell, the one nearer to the liquid.
    parallelTasks("extend.continue", int(values.size()), [&](int n) {
        for (FaceValue& v : values[size_t(n)]) std::swap(u.u[v.axis](v.face), v.value);
    });
    fillGhostCells(grid, s.active, s.u);
    return values;
}

void restoreVelocity(const Grid& grid, const FaceValues& before, LiquidState& s)
{
    std::vector<uint8_t> is_active(size_t(grid.bricks.total()), 0);
    for (int brick : s.active.list) is_active[size_t(brick)] = 1;
    parallelTasks("extend.continue", int(before.size()), [&](int n) {
        for (const FaceValue& v : before[size_t(n)]) {
            const Int3 cell = min(v.face, grid.cells - Int3{1, 1, 1});
            const bool active = is_active[size_t(grid.bricks.index(grid.bricks.ofCell(cell)))] != 0;
            s.u.u[v.axis].view()(v.face) = active ? v.value : 0;
        }
    });
    fillGhostCells(grid, s.active, s.u);
}

void planExtension(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w)
{
    const int tasks = 3 * int(s.active.strips.size()), passes = binCount(grid);
    w.extension.resize(size_t(tasks));
    const View3<const float> phi = s.phi;
    parallelTasks("extend.mark", tasks, [&](int n) {
        LiquidScratch::Extension& plan = w.extension[size_t(n)];
        plan.bins.resize(size_t(passes));
        for (auto& bin : plan.bins) bin.clear();
        plan.reached.clear();
        plan.pass_end.clear();
        solids.forBricks(s.active.strips[size_t(n / 3)], [&](IndexBox box, bool solid) {
            withAxis(n % 3,
                     [&](auto axis) { markFaces(grid, solids, axis, box, solid, phi, w.known[axis], plan.bins); });
        });
    });
    const Solids* thin = solids.hasThin() ? &solids : nullptr;
    for (int pass = 1; pass <= passes; ++pass)
        parallelTasks("extend.plan", tasks, [&](int n) {
            withAxis(n % 3, [&](auto axis) { planPass(thin, phi, w.known[axis], axis, pass, w.extension[size_t(n)]); });
        });
}

void extendVelocity(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w)
{
    for (int pass = 1; pass <= binCount(grid); ++pass)
        parallelTasks("extend.layers", int(w.extension.size()),
                      [&](int n) { applyPass(w.extension[size_t(n)], pass, s.u.u[n % 3]); });
    parallelTasks("extend.rest", int(w.extension.size()), [&](int n) {
        const int axis = n % 3;
        const View3<float> u = s.u.u[axis];
        const View3<uint8_t> known = w.known[axis];
        forEachCell(grid.bricks.facesOf(axis, s.active.strips[size_t(n / 3)]), [=](int i, int j, int k) {
            if (!known(i, j, k)) u(i, j, k) = 0;
        });
    });
    if (grid.treatment == SurfaceTreatment::noisy) interpolateVelocityInAir(grid, s, w);
    if (!solids.empty()) constrainInSolids(grid, solids, s, w);
    fillGhostCells(grid, s.active, s.u);
}

}  // namespace flotsam
