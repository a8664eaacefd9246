#include <atomic>

#include "liquid/boundary.h"
#include "liquid/bricks_where.h"
#include "liquid/velocity.h"

namespace flotsam {

namespace {

using Face = LiquidScratch::Face;

// A mark that another thread may be setting in the same pass: which of the two values is read makes no difference.
uint8_t markAt(View3<uint8_t> known, int i, int j, int k)
{
    return std::atomic_ref<uint8_t>(known(i, j, k)).load(std::memory_order_relaxed);
}

// The range of faces that a strip owns: its cells' low faces, and the high ones at the end of the domain.
IndexBox facesOf(const Grid& grid, int axis, IndexBox strip)
{
    strip.hi[axis] += strip.hi[axis] == grid.cells[axis];
    return strip;
}

bool isOuter(const Grid& grid, int axis, Int3 c) { return c[axis] == 0 || c[axis] == grid.cells[axis]; }

// Marks the faces of the liquid and lists the unknown ones within reach.
void markFaces(const Grid& grid, const Solids& solids, int axis, IndexBox brick, bool solid, View3<const float> phi,
               View3<uint8_t> known, std::vector<Face>& unknown)
{
    const float reach = float(grid.h) * (float(grid.extension_layers) + 0.5f);
    const Int3 e = unit(axis);
    if (!solid && isDeep(grid, brick, phi)) {
        forEachCell(brick, [known](int i, int j, int k) { known(i, j, k) = 1; });
        return;
    }
    forEachCell(facesOf(grid, axis, brick), [&](int i, int j, int k) {
        const float here = phi(i, j, k), below = phi(i - e.x, j - e.y, k - e.z);
        const bool outer = isOuter(grid, axis, {i, j, k});
        const float open = outer || solid ? solids.openFraction(axis, i, j, k) : 1.0f;
        const bool wet = std::min(here, below) < 0 && open > 0;
        known(i, j, k) = wet;
        const float away = std::min(here, below);
        if (!wet && !(outer && open == 0) && away < reach)
            unknown.push_back({i, j, k, int(away / float(grid.h) - 0.5f)});
    });
}

// The mean of the known neighbours, those towards the liquid weighted by the surface's normal. Zero weight: none known.
struct Reached {
    float weight = 0, value = 0;
};
Reached valueFromNeighbours(View3<const float> phi, View3<const float> u, View3<uint8_t> known, int axis, Face f,
                            int pass)
{
    const Int3 e = unit(axis), c{f.i, f.j, f.k};
    bool reached[6], any_reached = false;
    for (int n = 0; n < 6; ++n) {
        const Int3 d = unit(n / 2), q = n % 2 ? c + d : c - d;
        const uint8_t mark = markAt(known, q.x, q.y, q.z);
        reached[n] = mark != 0 && mark <= pass;
        any_reached = any_reached || reached[n];
    }
    if (!any_reached) return {};  // most faces of the list, in most passes
    Reached upwind, any;
    for (int n = 0; n < 6; ++n) {
        if (!reached[n]) continue;
        const int a = n / 2;
        const Int3 d = unit(a), q = n % 2 ? c + d : c - d;
        const float slope =
            a == axis ? phi(c) - phi(c - e) : 0.25f * ((phi(c + d) - phi(c - d)) + (phi(c + d - e) - phi(c - d - e)));
        const float weight = n % 2 ? -slope : slope;  // > 0 when the neighbour is nearer to the liquid
        any.weight += 1;
        any.value += u(q);
        if (weight > 0) {
            upwind.weight += weight;
            upwind.value += weight * u(q);
        }
    }
    const Reached& best = upwind.weight > 0 ? upwind : any;
    return {best.weight, best.value / best.weight};
}

// One layer further out. Faces that were reached leave the list.
void reachLayer(View3<const float> phi, View3<float> u, View3<uint8_t> known, int axis, int pass,
                std::vector<Face>& unknown)
{
    size_t left = 0;
    for (const Face& f : unknown) {
        const Reached r = pass < f.first_pass ? Reached{} : valueFromNeighbours(phi, u, known, axis, f, pass);
        if (r.weight > 0) {
            u(f.i, f.j, f.k) = r.value;
            std::atomic_ref<uint8_t>(known(f.i, f.j, f.k)).store(uint8_t(pass + 1), std::memory_order_relaxed);
        } else {
            unknown[left++] = f;
        }
    }
    unknown.resize(left);
}

// The velocity of the other components at a face: the mean of the four around it.
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

Vec3 facePosition(const Grid& grid, int axis, Face f)
{
    return grid.h * Vec3{f.i + (axis == 0 ? 0 : 0.5), f.j + (axis == 1 ? 0 : 0.5), f.k + (axis == 2 ? 0 : 0.5)};
}

// What a face inside a solid holds: free slip changes only the part along the solid's normal, no slip all of it.
float valueInSolid(const Grid& grid, const Solids& solids, const ConstMacView& u, int axis, Face f)
{
    const Vec3 wall = solids.velocityAt(facePosition(grid, axis, f));
    if (grid.no_slip) return float(wall[axis]);
    const Float3 g = solids.gradient(f.i, f.j, f.k);
    const Vec3 n = normalized({g.x, g.y, g.z}), v = vectorAtFace(u, axis, f);
    return float(v[axis] - dot(v - wall, n) * n[axis]);
}

void constrainInSolids(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w)
{
    const BrickSet set(grid.bricks, common(s.active.list, solids.bricks().list));
    struct Change {
        int axis;
        Face face;
        float value;
    };
    std::vector<std::vector<Change>> changes(set.strips.size());
    const MacView u = s.u;
    parallelTasks("extend.solids", int(changes.size()), [&](int n) {
        for (int axis = 0; axis < 3; ++axis)
            forEachCell(set.strips[size_t(n)], [&](int i, int j, int k) {
                if (isOuter(grid, axis, {i, j, k}) || solids.openFraction(axis, i, j, k) > 0 ||
                    !w.known[axis].view()(i, j, k))
                    return;
                const Face face{i, j, k, 0};
                changes[size_t(n)].push_back({axis, face, valueInSolid(grid, solids, u, axis, face)});
            });
    });
    parallelTasks("extend.solids", int(changes.size()), [&](int n) {
        for (const Change& c : changes[size_t(n)]) u.u[c.axis](c.face.i, c.face.j, c.face.k) = c.value;
    });
}

}  // namespace

void extendVelocity(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w)
{
    const int strips = int(s.active.strips.size());
    w.unknown.resize(size_t(3 * strips));
    const View3<const float> phi = s.phi;
    parallelTasks("extend.mark", 3 * strips, [&](int n) {
        auto& list = w.unknown[size_t(n)];
        list.clear();
        solids.forBricks(s.active.strips[size_t(n / 3)], [&](IndexBox box, bool solid) {
            markFaces(grid, solids, n % 3, box, solid, phi, w.known[n % 3], list);
        });
    });
    for (int pass = 1; pass <= grid.extension_layers; ++pass)
        parallelTasks("extend.layers", 3 * strips,
                      [&](int n) { reachLayer(phi, s.u.u[n % 3], w.known[n % 3], n % 3, pass, w.unknown[size_t(n)]); });
    parallelTasks("extend.rest", 3 * strips, [&](int n) {
        const int axis = n % 3;
        const View3<float> u = s.u.u[axis];
        const View3<uint8_t> known = w.known[axis];
        forEachCell(facesOf(grid, axis, s.active.strips[size_t(n / 3)]), [=](int i, int j, int k) {
            if (!known(i, j, k)) u(i, j, k) = 0;
        });
    });
    if (!solids.empty()) constrainInSolids(grid, solids, s, w);
    fillLayers(grid, s.active, s.u);
}

}  // namespace flotsam
