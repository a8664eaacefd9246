#include "liquid/viscous_terms.h"

namespace flotsam {

namespace {
constexpr float least_theta = 0.01f;  // cells between a face and a solid outside it
}

ViscousTerms::ViscousTerms(const Grid& grid_, const Solids& solids_, LiquidState& s, LiquidScratch& w,
                           const CellViscosity& nu_)
    : grid(grid_),
      solids(solids_),
      nu(nu_),
      phi(s.phi),
      known{w.known[0].view(), w.known[1].view(), w.known[2].view()},
      unknown_bodies(w.viscous_bodies),
      inner{{2, 2, 2}, grid.cells - Int3{2, 2, 2}},
      h(float(grid.h))
{
}

float ViscousTerms::prescribed(Face kind, int axis, Int3 c) const
{
    if (kind == Face::inflow) return solids.inflowAt(axis, c)->velocity_m_s;
    return kind == Face::solid ? float(solids.velocityAt(facePosition(grid.h, axis, c))[axis]) : 0.0f;
}

ViscousTerms::Face ViscousTerms::kindOf(int axis, Int3 c) const
{
    for (int a = 0; a < 3; ++a) {
        if (a == axis) continue;
        if (c[a] < 0) return grid.open[a][0] ? Face::air : Face::wall;
        if (c[a] >= grid.cells[a]) return grid.open[a][1] ? Face::air : Face::wall;
    }
    if (c[axis] < 0 || c[axis] > grid.cells[axis]) return Face::air;
    const bool near_solid = touchesSolid(c);
    if (near_solid && solids.inflowAt(axis, c)) return Face::inflow;
    if (known[axis](c) == 1) {
        // A face whose centre is inside a no-slip solid moves with it, even if it is partly open. So does a face that
        // almost touches it: boundary coupling terms of a thousand would dominate |b|, and the relative residual would
        // mean little. Liquid always sticks to bodies.
        const bool inside = near_solid && solids.faceDistance(axis, c.x, c.y, c.z) <= least_theta * h &&
                            (grid.no_slip || bodyAt(facePosition(grid.h, axis, c)) >= 0);
        return inside ? Face::solid : Face::unknown;
    }
    const int side = c[axis] == 0 ? 0 : c[axis] == grid.cells[axis] ? 1 : -1;
    if (side >= 0 && !grid.open[axis][side]) return Face::wall;
    return near_solid && solids.openFraction(axis, c.x, c.y, c.z) == 0 ? Face::solid : Face::air;
}

// The difference between an unknown and a face fixed by a wall: the gradient is between the unknown and the wall, at
// fraction theta of the distance. The wall covers the rest of the control volume, so the boundary coupling term is nu /
// theta.
Difference ViscousTerms::differenceAtWall(Face wall, int axis, int along, Int3 free, Int3 fixed,
                                          bool free_is_high) const
{
    float theta = 1, value = 0;
    BodyPoint point;
    if (wall == Face::wall) {
        if (along != axis) {  // the wall lies between the two faces
            if (slips(along)) return {};
            theta = 0.5f;
        } else if (phi(free_is_high ? fixed : free) >= 0) {
            return {};  // air between: a surface within half a cell of the cell's centre has not reached the wall
        }
    } else if (wall == Face::inflow) {
        value = prescribed(wall, axis, fixed);
    } else {
        const int body = bodyAt(facePosition(grid.h, axis, fixed));
        // Free slip: a solid of any slope fixes no face; the projection gives the liquid its normal velocity.
        if (!grid.no_slip && body < 0) return {};
        const float here = solids.faceDistance(axis, free.x, free.y, free.z);
        const float there = solids.faceDistance(axis, fixed.x, fixed.y, fixed.z);
        theta = here > 0 && there < 0 ? std::clamp(here / (here - there), least_theta, 1.0f) : 1.0f;
        const Vec3 p = facePosition(grid.h, axis, free), q = facePosition(grid.h, axis, fixed);
        const Vec3 at_m = p + double(theta) * (q - p);
        if (body >= 0)
            point = {body, axis, at_m, free_is_high ? -1 / theta : 1 / theta};
        else
            value = float(solids.velocityAt(at_m)[axis]);
    }
    const float scale = 1 / theta;
    if (free_is_high) return {true, scale, 0, -scale * value, theta, {}, point};
    return {true, 0, scale, scale * value, theta, point, {}};
}

Difference ViscousTerms::difference(int axis, int along, Int3 high) const
{
    const Int3 low = high - unit(along);
    const Face up = kindOf(axis, high), down = kindOf(axis, low);
    if (up == Face::air || down == Face::air) return {};  // an open boundary exerts no stress, like the air
    if (up == Face::unknown && down == Face::unknown) return {true, 1, 1, 0, 1};
    if (up == Face::unknown) return differenceAtWall(down, axis, along, high, low, true);
    if (down == Face::unknown) return differenceAtWall(up, axis, along, low, high, false);
    Difference between{true, 0, 0, 0, 1, {}, {}};
    const auto add = [&](Face kind, Int3 at, float sign, BodyPoint& point) {
        const Vec3 p_m = facePosition(grid.h, axis, at);
        if (const int body = kind == Face::solid ? bodyAt(p_m) : -1; body >= 0)
            point = {body, axis, p_m, sign};
        else
            between.known += sign * prescribed(kind, axis, at);
    };
    add(up, high, 1, between.of_high);
    add(down, low, -1, between.of_low);
    return between;
}

float ViscousTerms::massOf(int axis, Int3 c) const
{
    // A face with hardly any liquid still has a velocity; if it is uncoupled, it keeps its velocity whatever its mass.
    constexpr float least = 1e-3f;
    if (c[axis] == 0) return 0.5f * std::max(liquidFraction(phi(c)), least);
    if (c[axis] == grid.cells[axis]) return 0.5f * std::max(liquidFraction(phi(c - unit(axis))), least);
    const float mass = std::max(liquidFraction(0.5f * (phi(c) + phi(c - unit(axis)))), least);
    // As in the pressure system, the liquid at a face is what bodies leave of its control volume.
    if (!unknown_bodies || !touchesSolid(c)) return mass;
    const float without_bodies = solids.baseOpenFraction(axis, c);
    return without_bodies > 0 ? mass * solids.innerOpenFraction(axis, c) / without_bodies : mass;
}

float ViscousTerms::stiffnessOfEdge(int n, Int3 c) const
{
    const int a = (n + 1) % 3, b = (n + 2) % 3;
    Int3 cells[4];
    int count = 0;
    float sum = 0, open_fraction = 1;
    for (int axis : {a, b}) {
        if (c[axis] == 0 && grid.open[axis][0]) open_fraction *= 0.5f;
        if (c[axis] == grid.cells[axis] && grid.open[axis][1]) open_fraction *= 0.5f;
    }
    for (int m = 0; m < 4; ++m) {
        const Int3 q = c - (m & 1 ? unit(a) : Int3{}) - (m & 2 ? unit(b) : Int3{});
        if (!IndexBox{{0, 0, 0}, grid.cells}.contains(q)) continue;
        cells[count++] = q;
        sum += phi(q);
    }
    if (count == 0) return 0;
    const float liquid = open_fraction * liquidFraction(sum / float(count));
    return liquid > 0 ? liquid * nu.mean(cells, count) : 0.0f;
}

}  // namespace flotsam
