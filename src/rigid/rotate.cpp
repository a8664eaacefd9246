#include "rigid/rotate.h"

namespace flotsam {

namespace {

// One substep, rotating by well below one radian.
void rotateSubstep(const Body& body, double dt_s, BodyState& s)
{
    const double spin = length(s.w_rad_s);
    const double h = 2 * std::tan(0.5 * spin * dt_s) / spin;
    const auto turned = [&](Vec3 w) {  // by the Cayley rotation of h w
        const Vec3 v = 0.5 * h * w;
        return Quat{1, v.x, v.y, v.z};
    };
    const Vec3 i = body.moments_kg_m2;
    if (i.x == i.y && i.y == i.z) {
        s.q = normalized(turned(s.w_rad_s) * s.q);
        return;
    }
    const Mat3 world_from_principal = matrixOf(s.q) * body.body_from_principal;
    const Vec3 w = transposed(world_from_principal) * s.w_rad_s;
    const Vec3 l{i.x * w.x, i.y * w.y, i.z * w.z};
    const auto rateOf = [&](Vec3 m) { return Vec3{m.x / i.x, m.y / i.y, m.z / i.z}; };
    // L' = cay(-h w_mid) L for the current guess of w_mid; converges like (h |L| / 2 I_min)^n.
    Vec3 next = l, mid = w;
    for (int n = 0; n < 50; ++n) {
        const Vec3 a = 0.5 * h * mid;
        const Vec3 c = cross(l, a);
        const Vec3 rotated_l = l + (2 / (1 + dot(a, a))) * (c + cross(c, a));
        const double change = length(rotated_l - next);
        next = rotated_l;
        mid = rateOf(0.5 * (l + next));
        if (change <= 1e-15 * length(l)) break;
    }
    s.q = normalized(turned(world_from_principal * mid) * s.q);
    s.w_rad_s = matrixOf(s.q) * body.body_from_principal * rateOf(next);
}

}  // namespace

void integrateFreeRotation(const Body& body, double dt_s, BodyState& s)
{
    constexpr double most_rad = 0.2, most_substeps = 1000;
    const double spin = length(s.w_rad_s);
    if (spin == 0) return;
    // The spin may grow until all of L is about the axis of the smallest moment.
    const Vec3 i = body.moments_kg_m2;
    const double fastest = spin * std::max({i.x, i.y, i.z}) / std::min({i.x, i.y, i.z});
    const bool ball = i.x == i.y && i.y == i.z;
    const double substeps =
        std::clamp(std::ceil((ball ? spin : fastest) * dt_s / (ball ? 1 : most_rad)), 1.0, most_substeps);
    for (int n = 0; n < int(substeps); ++n) rotateSubstep(body, dt_s / substeps, s);
}

void integrateForcedRotation(const Body& body, double dt_s, Vec3 mean_rad_s, Vec3 w_rad_s, BodyState& s)
{
    if (mean_rad_s == w_rad_s) {
        s.w_rad_s = w_rad_s;
        return integrateFreeRotation(body, dt_s, s);
    }
    const Vec3 i = body.moments_kg_m2;
    const auto timesMoments = [&](const Mat3& r, Vec3 v, Vec3 d) {
        const Vec3 p = transposed(r) * v;
        return r * Vec3{d.x * p.x, d.y * p.y, d.z * p.z};
    };
    const Vec3 momentum = timesMoments(matrixOf(s.q) * body.body_from_principal, w_rad_s, i);
    s.w_rad_s = mean_rad_s;
    integrateFreeRotation(body, dt_s, s);
    s.w_rad_s = w_rad_s;
    if (i.x == i.y && i.y == i.z) return;
    const Vec3 w = timesMoments(matrixOf(s.q) * body.body_from_principal, momentum, {1 / i.x, 1 / i.y, 1 / i.z});
    const double energy = dot(w_rad_s, momentum), turned = dot(w, momentum);
    if (turned > 0) s.w_rad_s = std::sqrt(energy / turned) * w;
}

void displace(const VelocityChange& by, BodyState& s)
{
    s.x_m += by.v_m_s;
    const Vec3 p = 0.5 * by.w_rad_s;
    if (p == Vec3{}) return;
    const Quat turn = normalized(Quat{1, p.x, p.y, p.z});
    s.q = normalized(turn * s.q);
    s.w_rad_s = matrixOf(turn) * s.w_rad_s;
}

}  // namespace flotsam
