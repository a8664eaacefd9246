// Sums over the bodies.
#include <cmath>

#include "rigid/detect.h"
#include "rigid/world.h"

namespace flotsam {
namespace {

Vec3 spinMomentum(const Body& body, const BodyState& s)
{
    const Mat3 r = matrixOf(s.q) * body.body_from_principal;
    const Vec3 w = transposed(r) * s.w_rad_s, i = body.moments_kg_m2;
    return r * Vec3{i.x * w.x, i.y * w.y, i.z * w.z};
}

// An upper bound.
double fastestPointOf(const Body& body, const BodyState& s)
{
    return length(s.v_m_s) + length(s.w_rad_s) * body.collider->reach_m;
}

}  // namespace

double RigidWorld::kineticEnergy() const
{
    double sum = 0;
    for (size_t i = 0; i < size_t(moving_count); ++i) {
        const BodyState& s = state.bodies[i];
        sum += 0.5 * (bodies[i].mass_kg * dot(s.v_m_s, s.v_m_s) + dot(s.w_rad_s, spinMomentum(bodies[i], s)));
    }
    return sum;
}

double RigidWorld::potentialEnergy() const
{
    double sum = 0;
    for (size_t i = 0; i < size_t(moving_count); ++i)
        sum -= bodies[i].mass_kg * dot(params.gravity_m_s2, state.bodies[i].x_m);
    return sum;
}

Vec3 RigidWorld::momentum() const
{
    Vec3 sum;
    for (size_t i = 0; i < size_t(moving_count); ++i) sum += bodies[i].mass_kg * state.bodies[i].v_m_s;
    return sum;
}

Vec3 RigidWorld::angularMomentum() const
{
    Vec3 sum;
    for (size_t i = 0; i < size_t(moving_count); ++i) {
        const BodyState& s = state.bodies[i];
        sum += bodies[i].mass_kg * cross(s.x_m, s.v_m_s) + spinMomentum(bodies[i], s);
    }
    return sum;
}

double RigidWorld::fastest() const { return fastestIn({{-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300}}); }

Vec3 RigidWorld::fastestAt() const
{
    double most = 0;
    Vec3 at_m{NAN, NAN, NAN};
    for (size_t i = 0; i < size_t(moving_count); ++i) {
        const double speed = fastestPointOf(bodies[i], state.bodies[i]);
        if (speed <= most || most != most) continue;
        most = speed;
        at_m = state.bodies[i].x_m;
    }
    return at_m;
}

double RigidWorld::fastestIn(const Bounds& room) const
{
    double most = 0;
    for (size_t i = 0; i < size_t(moving_count); ++i) {
        const BodyState& s = state.bodies[i];
        const double reach_m = bodies[i].collider->reach_m;
        bool outside = false;
        for (int a = 0; a < 3; ++a)
            outside = outside || s.x_m[a] + reach_m < room.lo[a] || s.x_m[a] - reach_m > room.hi[a];
        if (outside) continue;
        const double speed = fastestPointOf(bodies[i], s);
        most = speed > most || speed != speed ? speed : most;  // a NaN must be returned
    }
    return most;
}

std::vector<Overlap> RigidWorld::overlaps() const
{
    const std::vector<VelocityChange> none(static_cast<size_t>(moving_count));
    refreshPoses(bodies, state, scratch);
    detectContacts(bodies, moving_count, joints, none, 1e-9, state, scratch);
    std::vector<Overlap> result;
    for (const ContactPair& pair : scratch.pairs) {
        Overlap overlap{pair.a, pair.b, 0};
        for (int i = pair.first; i < pair.first + pair.count; ++i)
            overlap.depth_m = std::max(overlap.depth_m, -scratch.points[size_t(i)].gap_m);
        if (overlap.depth_m > 0) result.push_back(overlap);
    }
    return result;
}

double RigidWorld::deepestOverlap() const
{
    double deepest = 0;
    for (const Overlap& o : overlaps()) deepest = std::max(deepest, o.depth_m);
    return deepest;
}

}  // namespace flotsam
