// Contacts that last over the substep turn with the bodies: their rows between the start and the end of it, and the
// relative velocity that keeps them at its end (docs/methods/rigid.md, section 7).
#include "core/parallel.h"
#include "rigid/detect.h"
#include "rigid/rotate.h"
#include "rigid/solve.h"

namespace flotsam {
namespace {

constexpr int pairs_per_task = 64;

ExpectedMotion expect(const Body& body, const VelocityChange& before, double dt_s, BodyState s)
{
    s.v_m_s = before.v_m_s;
    s.w_rad_s = before.w_rad_s;
    s.x_m += dt_s * s.v_m_s;
    integrateFreeRotation(body, dt_s, s);
    return {s.x_m, matrixOf(s.q), s.v_m_s, s.w_rad_s};
}

// One of the two bodies of a contact, at the start and the end of the substep.
struct Side {
    const Collider& collider;
    Vec3 x_m, v, w;
    const Mat3& start;
    const ExpectedMotion& end;

    Vec3 turned(Vec3 r) const { return end.world_from_body * (transposed(start) * r); }
};

// A contact at the end of the substep: its normal out of the owner of the face, and its place from both centres.
struct EndOfContact {
    Vec3 n, from_owner, from_toucher;
};

// The sections of a two-dimensional run have no polytope.
bool hasFlatFaces(const Collider& c) { return !c.polytope.empty() || c.kind == ColliderKind::box; }

// Whether the surface that carries the normal is flat around the contact.
bool isFlat(const Collider& owner, const Collider& toucher)
{
    return owner.kind == ColliderKind::half_space || (hasFlatFaces(owner) && hasFlatFaces(toucher)) ||
           owner.kind == ColliderKind::rays;
}

// The normal of the owner at q_end in its frame, for a point that came from q_start. Only a surface whose normal turns
// as its distance changes is curved: elsewhere the nearest feature has changed, or the distance is inaccurate.
Vec3 normalAt(const Collider& owner, Vec3 q_start, Vec3 q_end, Vec3 n_start, double distance_m)
{
    const DistanceAndNormal end = owner.distanceAndNormal(q_end);
    const Vec3 way = q_end - q_start;
    const double change_m = end.distance_m - distance_m;
    const double straight_m = dot(n_start, way), curved_m = 0.5 * dot(n_start + end.normal, way);
    return std::abs(change_m - curved_m) < std::abs(change_m - straight_m) ? end.normal : n_start;
}

// n: out of the owner. The toucher touches it with a point, or with a sphere around one.
EndOfContact endOf(const ContactPoint& c, Vec3 n, const Side& owner, const Side& toucher, double dt_s)
{
    const double rounding_m = toucher.collider.rounding_m;
    // The spin of a ball does not move its surface.
    const bool ball = owner.collider.kind == ColliderKind::sphere;
    const Mat3 owner_from_world = ball ? Mat3{} : transposed(owner.start);
    const Mat3 world_from_owner = ball ? Mat3{} : owner.end.world_from_body;
    const Vec3 owner_spin = ball ? Vec3{} : owner.w;
    // Corners and the centres of spheres move with the toucher. Where a cylinder or an ellipsoid rolls, the contact
    // stays in the same direction from its centre: it follows only the spin about the normal.
    const bool rolls =
        toucher.collider.kind == ColliderKind::cylinder || toucher.collider.kind == ColliderKind::ellipsoid;
    const Vec3 spin = rolls ? owner_spin + dot(toucher.w - owner_spin, n) * n : toucher.w;
    const Vec3 point = c.position_m + (0.5 * c.gap_m + rounding_m) * n, arm = point - toucher.x_m;
    const Vec3 speed = toucher.v + cross(spin, arm) - owner.v - cross(owner_spin, point - owner.x_m);
    const Vec3 q_start = owner_from_world * (point - owner.x_m), q_end = q_start + dt_s * (owner_from_world * speed);
    Vec3 n_end = owner_from_world * n;
    if (!isFlat(owner.collider, toucher.collider) && speed != Vec3{})
        n_end = normalAt(owner.collider, q_start, q_end, n_end, c.gap_m + rounding_m);
    const Vec3 normal = world_from_owner * n_end, inwards = (0.5 * c.gap_m + rounding_m) * normal;
    return {normal, world_from_owner * q_end - inwards,
            (rolls ? rotation(dt_s * spin) * arm : toucher.turned(arm)) - inwards};
}

Vec3 relativeVelocity(Vec3 va, Vec3 wa, Vec3 ra, Vec3 vb, Vec3 wb, Vec3 rb)
{
    return va + cross(wa, ra) - vb - cross(wb, rb);
}

// Points of a face have the same normal.
struct LastTangent {
    Vec3 n, t;

    Vec3 to(Vec3 normal)
    {
        if (normal != n) t = tangentTo(n = normal);
        return t;
    }
};

// Turns the row of a point. rest_m_s: slower approaches are no collisions.
void turnRow(const ContactPoint& c, const Side& a, const Side& b, double dt_s, double rest_m_s, LastTangent& tangent,
             SolverPoint& p)
{
    const bool of_b = c.face != ContactPoint::Face::of_a;
    EndOfContact end = of_b ? endOf(c, c.normal, b, a, dt_s) : endOf(c, -c.normal, a, b, dt_s);
    if (!of_b) end.n = -end.n;
    if (a.collider.section) end.n.z = end.from_owner.z = end.from_toucher.z = 0;
    const Vec3 ra = of_b ? end.from_toucher : end.from_owner, rb = of_b ? end.from_owner : end.from_toucher;
    const Vec3 n = normalized(c.normal + end.n), mid_a = 0.5 * (p.ra + ra), mid_b = 0.5 * (p.rb + rb);
    const Vec3 row = relativeVelocity(a.v, a.w, mid_a, b.v, b.w, mid_b);
    // Points that rotate together with the face move along chords.
    const Side& face = of_b ? b : a;
    const double longer = face.collider.kind == ColliderKind::sphere ? 0 : chordFactor(dt_s * length(face.w)) - 1;
    const Vec3 last = relativeVelocity(a.end.v_m_s, a.end.w_rad_s, ra, b.end.v_m_s, b.end.w_rad_s, rb) +
                      longer * cross(face.w, ra - rb);
    const double more = dot(last, end.n) - dot(row, n);
    if (p.approach < -rest_m_s - std::abs(more)) return;
    // The speed at the end of the substep, as for the row that does not turn. A gap that closes sooner, because the
    // approach slows down towards the end, limits it as well.
    const double along = dot(row, n), closing = p.least_speed;
    p.least_speed = std::max(closing - more, std::min(2 * closing - along, closing));
    p.ra = mid_a;
    p.rb = mid_b;
    p.n = n;
    p.t = tangent.to(n);
    p.slip_t = dot(last - row, p.t);
    p.slip_s = dot(last - row, cross(n, p.t));
}

bool isMoving(const SolverBody& s) { return s.v != Vec3{} || s.w != Vec3{}; }

}  // namespace

void expectMotions(const std::vector<Body>& bodies, int moving, std::span<const BodyState> prescribed_end, double dt_s,
                   const RigidState& state, RigidScratch& w)
{
    w.expected.resize(bodies.size());
    for (size_t i = size_t(moving); i < bodies.size(); ++i) {
        const BodyState& s = prescribed_end[i - size_t(moving)];
        w.expected[i] = {s.x_m, isMoving(w.solver[i]) ? matrixOf(s.q) : w.world_from_body[i], s.v_m_s, s.w_rad_s};
    }
    std::vector<char> done(size_t(moving), 0);
    for (const ContactPair& pair : w.pairs)
        for (const int i : {pair.a, pair.b}) {
            if (i >= moving || done[size_t(i)]) continue;
            done[size_t(i)] = 1;
            w.expected[size_t(i)] = expect(bodies[size_t(i)], w.before[size_t(i)], dt_s, state.bodies[size_t(i)]);
        }
}

void preparePoints(const std::vector<Body>& bodies, int moving, double dt_s, std::span<const ContactAge> ages,
                   const RigidState& state, RigidScratch& w)
{
    w.solver_points.resize(w.points.size());
    const auto sideOf = [&](size_t i) {
        const VelocityChange v = i < size_t(moving) ? w.before[i] : VelocityChange{w.solver[i].v, w.solver[i].w};
        return Side{*bodies[i].collider, state.bodies[i].x_m, v.v_m_s, v.w_rad_s, w.world_from_body[i], w.expected[i]};
    };
    const auto gained = [&](size_t i) { return i < size_t(moving) ? length(w.solver[i].v - w.before[i].v_m_s) : 0.0; };
    const int tasks = (int(w.pairs.size()) + pairs_per_task - 1) / pairs_per_task;
    parallelTasks("rigid.contact", tasks, [&](int task) {
        const size_t last = std::min(w.pairs.size(), size_t(task + 1) * pairs_per_task);
        for (size_t k = size_t(task) * pairs_per_task; k < last; ++k) {
            const ContactPair& pair = w.pairs[k];
            const size_t ia = size_t(pair.a), ib = size_t(pair.b);
            const Side a = sideOf(ia), b = sideOf(ib);
            const double closed_m = closed_of_inner * innerOf(bodies[ia], bodies[ib]);
            // As for rebounds: half the speed that the acceleration adds per substep.
            const double rest_m_s = 0.5 * std::max(gained(ia), gained(ib));
            LastTangent at_start, turned;
            for (int i = pair.first; i < pair.first + pair.count; ++i) {
                const ContactPoint& c = w.points[size_t(i)];
                SolverPoint& p = w.solver_points[size_t(i)];
                p.ra = c.position_m - a.x_m;
                p.rb = c.position_m - b.x_m;
                p.n = c.normal;
                p.t = at_start.to(c.normal);
                p.impulse = {};
                p.is_held = false;
                p.gap_m = c.gap_m;
                p.least_speed = c.gap_m > 0 ? -c.gap_m / dt_s : 0;
                p.slip_t = p.slip_s = 0;
                p.approach = dot(relativeVelocity(a.v, a.w, p.ra, b.v, b.w, p.rb), p.n) - p.least_speed;
                const bool lasts =
                    ages[k] == ContactAge::lasts || (ages[k] == ContactAge::begins && c.gap_m <= closed_m);
                if (lasts && c.face != ContactPoint::Face::neither) turnRow(c, a, b, dt_s, rest_m_s, turned, p);
            }
        }
    });
}

}  // namespace flotsam
