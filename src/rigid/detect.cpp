#include "rigid/detect.h"

#include "core/parallel.h"

namespace flotsam {
namespace {

constexpr int pairs_per_block = 64;
constexpr double near_of_inner = 0.02;  // points nearer than this fraction of the smaller inner radius always count
// So do those within this many displacements of the step: the other corners of a box that lands on a corner come down
// faster than it fell.
constexpr double reach_in_displacements = 2;

Bounds boxOf(const Collider& c, Vec3 x_m, const Mat3& r, double margin_m)
{
    if (c.kind == ColliderKind::half_space) {
        // A half-space is unbounded, but its surface bounds it if it is axis-aligned.
        const Vec3 n = r * Vec3{0, 1, 0};
        Bounds b{{-1e300, -1e300, -1e300}, {1e300, 1e300, 1e300}};
        for (int a = 0; a < 3; ++a) {
            if (n[a] > 0.999999) b.hi[a] = x_m[a] + margin_m;
            if (n[a] < -0.999999) b.lo[a] = x_m[a] - margin_m;
        }
        return b;
    }
    const Vec3 m{margin_m, margin_m, margin_m};
    const Bounds b = boundsOf(c, x_m, r);
    return {b.lo - m, b.hi + m};
}

ContactPair pairOf(const std::vector<Body>& bodies, int a, int b)
{
    const Body &p = bodies[size_t(a)], &q = bodies[size_t(b)];
    ContactPair pair;
    pair.a = a;
    pair.b = b;
    // The smaller restitution (Moore and Wilhelms 1988, as Guendelman et al.), the geometric mean of the friction
    // coefficients, and the larger rolling and spinning friction.
    pair.friction = q.takes_partners_surface ? p.friction : std::sqrt(p.friction * q.friction);
    pair.restitution = q.takes_partners_surface ? p.restitution : std::min(p.restitution, q.restitution);
    pair.rolling_m = std::max(p.rolling_friction_m, q.rolling_friction_m);
    pair.spinning_m = std::max(p.spinning_friction_m, q.spinning_friction_m);
    return pair;
}

}  // namespace

double speedBound(const Body& body, Vec3 v_m_s, Vec3 w_rad_s)
{
    // The spin of a ball does not move its surface; a plane has no spin.
    const double spin = length(w_rad_s);
    const bool turns = spin > 0 && body.collider->kind != ColliderKind::sphere;
    return length(v_m_s) + (turns ? spin * body.collider->reach_m : 0);
}

double innerOf(const Body& a, const Body& b)
{
    return b.collider->inner_m > 0 ? std::min(a.collider->inner_m, b.collider->inner_m) : a.collider->inner_m;
}

void refreshPoses(const std::vector<Body>& bodies, const RigidState& state, RigidScratch& w)
{
    w.world_from_body.resize(bodies.size());
    w.solver.resize(bodies.size());
    for (size_t i = 0; i < bodies.size(); ++i) {
        const BodyState& s = state.bodies[i];
        w.world_from_body[i] = matrixOf(s.q);
        w.solver[i] = {s.v_m_s, s.w_rad_s, inverseMassOf(bodies[i], s.q)};
    }
}

void findNear(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration, double dt_s,
              const RigidState& state, RigidScratch& w)
{
    const size_t n = bodies.size();
    w.boxes.resize(n);
    w.speed_bound.resize(n);
    const auto near = [&](size_t i) { return near_of_inner * bodies[i].collider->inner_m; };
    const auto pulled = [&](size_t i) { return i < size_t(moving) ? dt_s * length(acceleration[i].v_m_s) : 0.0; };
    for (size_t i = 0; i < n; ++i) {
        w.speed_bound[i] = speedBound(bodies[i], w.solver[i].v, w.solver[i].w) + pulled(i);
        const double margin = near(i) + reach_in_displacements * dt_s * w.speed_bound[i];
        w.boxes[i] = boxOf(*bodies[i].collider, state.bodies[i].x_m, w.world_from_body[i], margin);
    }
    w.broad.find(w.boxes, moving);
}

void detectContacts(const std::vector<Body>& bodies, int moving, const Joints& joints,
                    std::span<const VelocityChange> acceleration, double dt_s, const RigidState& state, RigidScratch& w)
{
    const KernelTimer timer("rigid.detect");
    findNear(bodies, moving, acceleration, dt_s, state, w);
    const auto& candidates = w.broad.pairs;
    const int blocks = (int(candidates.size()) + pairs_per_block - 1) / pairs_per_block;
    w.found.resize(std::max(w.found.size(), size_t(blocks)));
    w.found_pairs.resize(w.found.size());
    parallelTasks("rigid.detect", blocks, [&](int block) {
        auto& points = w.found[size_t(block)];
        auto& pairs = w.found_pairs[size_t(block)];
        points.clear();
        pairs.clear();
        std::vector<ContactPoint> here;
        const int end = std::min((block + 1) * pairs_per_block, int(candidates.size()));
        for (int c = block * pairs_per_block; c < end; ++c) {
            const size_t a = size_t(candidates[size_t(c)].first), b = size_t(candidates[size_t(c)].second);
            if (joints.excludes(int(a), int(b))) continue;
            const double near_m = near_of_inner * innerOf(bodies[a], bodies[b]);
            const ContactReach reach{near_m,
                                     near_m + reach_in_displacements * dt_s * (w.speed_bound[a] + w.speed_bound[b])};
            here.clear();
            findContacts({*bodies[a].collider, state.bodies[a].x_m, w.world_from_body[a]},
                         {*bodies[b].collider, state.bodies[b].x_m, w.world_from_body[b]}, reach, here);
            if (here.empty()) continue;
            ContactPair pair = pairOf(bodies, int(a), int(b));
            pair.first = int(points.size());
            pair.count = int(here.size());
            points.insert(points.end(), here.begin(), here.end());
            pairs.push_back(pair);
        }
    });
    w.points.clear();
    w.pairs.clear();
    for (int block = 0; block < blocks; ++block) {
        const int offset = int(w.points.size());
        for (ContactPair pair : w.found_pairs[size_t(block)]) {
            pair.first += offset;
            w.pairs.push_back(pair);
        }
        const auto& points = w.found[size_t(block)];
        w.points.insert(w.points.end(), points.begin(), points.end());
    }
}

bool contactsAreStale(const std::vector<Body>& bodies, int moving, double dt_s, const RigidScratch& w)
{
    for (size_t i = 0; i < size_t(moving); ++i) {
        const double grown = speedBound(bodies[i], w.solver[i].v, w.solver[i].w) - w.speed_bound[i];
        if (dt_s * grown > 0.1 * bodies[i].collider->inner_m) return true;
    }
    return false;
}

}  // namespace flotsam
