#include "liquid/boundary.h"
#include "liquid/thin_surface.h"
#include "liquid/velocity.h"

namespace flotsam {

namespace {

Float3 facePoint(int axis, int i, int j, int k)
{
    return {float(i) + (axis == 0 ? 0.0f : 0.5f), float(j) + (axis == 1 ? 0.0f : 0.5f),
            float(k) + (axis == 2 ? 0.0f : 0.5f)};
}

// The velocity at a face: its own component, and the means of the four surrounding faces for the other two.
inline Float3 velocityAtFace(const ConstMacView& u, int axis, int i, int j, int k)
{
    const Int3 e = unit(axis);
    const auto mean = [&](int a) {
        const View3<const float>& v = u.u[a];
        const Int3 d = unit(a);
        return 0.25f * ((v(i, j, k) + v(i + d.x, j + d.y, k + d.z)) +
                        (v(i - e.x, j - e.y, k - e.z) + v(i - e.x + d.x, j - e.y + d.y, k - e.z + d.z)));
    };
    return {axis == 0 ? u.u[0](i, j, k) : mean(0), axis == 1 ? u.u[1](i, j, k) : mean(1),
            axis == 2 ? u.u[2](i, j, k) : mean(2)};
}

// The departure point of a face, dt ago (dt in cells per m/s; negative: the arrival point), by the midpoint rule:
// second order.
inline Float3 departurePoint(const ConstMacView& u, Int3 cells, int axis, float dt, int i, int j, int k)
{
    const Float3 x = facePoint(axis, i, j, k);
    const Float3 half = clampTo(x - 0.5f * dt * velocityAtFace(u, axis, i, j, k), cells);
    return clampTo(x - dt * velocityAt(u, half), cells);
}

// The largest and least of the eight samples that an interpolation at `index` uses.
struct Range {
    float least, most;
};
Range rangeAround(View3<const float> f, Float3 index)
{
    const GridPoint g(index);
    Range r{f(g.i, g.j, g.k), f(g.i, g.j, g.k)};
    for (int corner = 1; corner < 8; ++corner) {
        const float v = f(g.i + (corner & 1), g.j + (corner >> 1 & 1), g.k + (corner >> 2));
        r = {std::min(r.least, v), std::max(r.most, v)};
    }
    return r;
}

// f(axis, i, j, k) for the faces of the active bricks whose mark is 1..most.
template <class F>
void forFaces(const char* label, const Grid& grid, LiquidState& s, LiquidScratch& w, int most, const F& f)
{
    const int strips = int(s.active.strips.size());
    parallelTasks(label, 3 * strips, [&](int n) {
        const int axis = n % 3;
        IndexBox box = s.active.strips[size_t(n / 3)];
        box = grid.bricks.facesOf(axis, box);
        const View3<const uint8_t> known = w.known[axis].view();
        forEachCell(box, [&](int i, int j, int k) {
            const int mark = known(i, j, k);
            if (mark >= 1 && mark <= most) f(axis, i, j, k);
        });
    });
}

constexpr int liquid_faces = 1, all_known = 255;

void semiLagrangian(const Grid& grid, float dt, int which, const ConstMacView& path, const ConstMacView& from,
                    MacView to, LiquidState& s, LiquidScratch& w)
{
    const Int3 cells = grid.cells;
    forFaces("advect.paths", grid, s, w, which, [=](int axis, int i, int j, int k) {
        to.u[axis](i, j, k) = trilinear(from.u[axis], faceIndex(axis, departurePoint(path, cells, axis, dt, i, j, k)));
    });
}

void copyVelocity(const Grid& grid, LiquidState& s, MacView from, MacView to)
{
    const int strips = int(s.active.strips.size());
    parallelTasks("advect.copy", 3 * strips, [&](int n) {
        const int axis = n % 3;
        IndexBox box = s.active.strips[size_t(n / 3)];
        for (int a = 0; a < 3; ++a) {  // including the ghost cells
            if (box.lo[a] == 0) box.lo[a] = -2;
            if (box.hi[a] == grid.cells[a]) box.hi[a] += 2;
        }
        for (int k = box.lo.z; k < box.hi.z; ++k)
            for (int j = box.lo.y; j < box.hi.y; ++j)
                std::copy(from.u[axis].row(j, k) + box.lo.x, from.u[axis].row(j, k) + box.hi.x,
                          to.u[axis].row(j, k) + box.lo.x);
    });
}

// Near solids too thin for the grid to resolve: of the eight values around the departure point, those hidden from the
// face by such a solid are replaced by the face's own value. The trajectory is one straight segment.
void advectNearThin(const Grid& grid, const Solids& solids, float dt, const ConstMacView& from, MacView to,
                    LiquidState& s, LiquidScratch& w)
{
    forFaces("advect.thin", grid, s, w, liquid_faces, [&](int axis, int i, int j, int k) {
        const Int3 face{i, j, k}, e = unit(axis), last = grid.cells - Int3{1, 1, 1}, own = min(face, last);
        if (!solids.isNearThin(own)) return;
        const Float3 departure =
            clampTo(facePoint(axis, i, j, k) - dt * velocityAtFace(from, axis, i, j, k), grid.cells);
        const auto isSeen = [&](Int3 q) {
            const Int3 above = min(max(q, {0, 0, 0}), last), below = min(max(q - e, {0, 0, 0}), last);
            return solids.sees(own, above) || solids.sees(own, below);
        };
        to.u[axis](face) = trilinearSeen(from.u[axis], faceIndex(axis, departure), from.u[axis](face), isSeen);
    });
}

// Zeroes the bricks around the active ones, which may be read: scratch fields contain values of earlier steps.
void clearAround(const Grid& grid, LiquidState& s, MacView u)
{
    const BrickSet rim(grid.bricks, without(grid.bricks, dilated(grid.bricks, s.active.list), s.active.list));
    for (int axis = 0; axis < 3; ++axis)
        parallelFor("advect.copy", rim, [v = u.u[axis]](int i, int j, int k) { v(i, j, k) = 0; });
}

}  // namespace

void addGravity(const Grid& grid, Vec3 gravity_m_s2, double dt_s, const BrickSet& active, MacView u)
{
    for (int axis = 0; axis < 3; ++axis) {
        const float dv = float(dt_s * gravity_m_s2[axis]);
        if (dv == 0) continue;
        parallelBoxes("forces.gravity", active, [&, v = u.u[axis]](IndexBox box) {
            box = grid.bricks.facesOf(axis, box);
            forEachCell(box, [=](int i, int j, int k) { v(i, j, k) += dv; });
        });
    }
}

void advectVelocity(const Grid& grid, const Solids& solids, Advection scheme, double dt_s, LiquidState& s,
                    LiquidScratch& w)
{
    const float dt = float(dt_s / grid.h);
    const Int3 cells = grid.cells;
    const MacView u = s.u, old = w.u_old, correction = w.u_correction;
    clearAround(grid, s, old);
    copyVelocity(grid, s, u, old);
    if (scheme == Advection::semi_lagrangian) {
        semiLagrangian(grid, dt, liquid_faces, old, old, u, s, w);
        if (solids.hasThin()) advectNearThin(grid, solids, dt, old, u, s, w);
        return;
    }
    for (int axis = 0; axis < 3; ++axis)  // no face keeps a value of an earlier step
        parallelFor("advect.copy", s.active, [v = correction.u[axis]](int i, int j, int k) { v(i, j, k) = 0; });
    // A forward and a backward step: the round-trip error is twice the error of one step.
    semiLagrangian(grid, dt, all_known, old, old, u, s, w);
    fillGhostCells(grid, s.active, u);
    forFaces("advect.back", grid, s, w, all_known, [=](int axis, int i, int j, int k) {
        const float home = trilinear(u.u[axis], faceIndex(axis, departurePoint(old, cells, axis, -dt, i, j, k)));
        correction.u[axis](i, j, k) = 0.5f * (old.u[axis](i, j, k) - home);
    });
    if (scheme == Advection::bfecc) {  // compensate the error before the step
        clearAround(grid, s, correction);
        forFaces("advect.correct", grid, s, w, all_known,
                 [=](int axis, int i, int j, int k) { correction.u[axis](i, j, k) += old.u[axis](i, j, k); });
        fillGhostCells(grid, s.active, correction);
    }
    forFaces("advect.clamp", grid, s, w, liquid_faces,
             [=, bfecc = scheme == Advection::bfecc](int axis, int i, int j, int k) {
                 const Float3 departure = faceIndex(axis, departurePoint(old, cells, axis, dt, i, j, k));
                 const float value = bfecc ? trilinear(correction.u[axis], departure)
                                           : u.u[axis](i, j, k) + correction.u[axis](i, j, k);
                 const Range range = rangeAround(old.u[axis], departure);
                 u.u[axis](i, j, k) = std::clamp(value, range.least, range.most);
             });
    if (solids.hasThin()) advectNearThin(grid, solids, dt, old, u, s, w);
}

}  // namespace flotsam
