#include "rigid/contact_rows.h"

#include <Eigen/Dense>
#include <algorithm>

namespace flotsam {

namespace {

using Rates = Eigen::Matrix<double, 6, Eigen::Dynamic>;

constexpr double inside = 1 - 1e-9;   // of the cone of friction: a point there sticks
constexpr double independent = 1e-9;  // relative size of a pivot: smaller ones follow from the other rows

Vec3 upper(const Eigen::Matrix<double, 6, 1>& v) { return {v[0], v[1], v[2]}; }
Vec3 lower(const Eigen::Matrix<double, 6, 1>& v) { return {v[3], v[4], v[5]}; }

// The rates that a pair prevents, as columns: of the relative velocity at `center` and of length_m times the relative
// angular velocity.
struct PreventedRates {
    Vec3 center_m;
    double length_m = 1;
    std::vector<Eigen::Matrix<double, 6, 1>> list;

    void add(Vec3 linear, Vec3 angular)
    {
        list.push_back({linear.x, linear.y, linear.z, angular.x, angular.y, angular.z});
    }
    // Along d at a point.
    void addAt(Vec3 point_m, Vec3 d) { add(d, cross(point_m - center_m, d) / length_m); }
};

PreventedRates preventedBy(const ContactPair& pair, Vec3 xa, Vec3 turning, std::span<const SolverPoint> points)
{
    PreventedRates rates;
    if (pair.is_released) return rates;
    double weight = 0;
    Vec3 pressed;
    for (const SolverPoint& p : points)
        if (p.acts()) {
            rates.center_m += xa + p.ra;
            weight += 1;
            pressed += p.impulse.x * p.n;
        }
    if (weight == 0) return rates;
    rates.center_m = rates.center_m / weight;
    double extent_m = 0;
    for (const SolverPoint& p : points)
        if (p.acts()) extent_m = std::max(extent_m, length(xa + p.ra - rates.center_m));
    if (extent_m > 0) rates.length_m = extent_m;
    for (const SolverPoint& p : points) {
        if (!p.acts()) continue;
        rates.addAt(xa + p.ra, p.n);
        const bool sticks = p.is_held && pair.friction > 0;
        if (pair.slides) continue;
        if (!sticks && std::hypot(p.impulse.y, p.impulse.z) >= inside * pair.friction * p.impulse.x) continue;
        rates.addAt(xa + p.ra, p.t);
        rates.addAt(xa + p.ra, cross(p.n, p.t));
    }
    const double pressure = length(pressed);
    if (!pair.resistsTurning() || pressure == 0 || pair.slides) return rates;
    const Vec3 n = pressed / pressure, about_n = dot(turning, n) * n;
    const Vec3 t = std::abs(n.x) < 0.6 ? normalized(cross(n, {1, 0, 0})) : normalized(cross(n, {0, 1, 0}));
    if (length(turning - about_n) < inside * pair.rolling_m * pressure) {
        rates.add({}, t);
        rates.add({}, cross(n, t));
    }
    if (length(about_n) < inside * pair.spinning_m * pressure) rates.add({}, n);
    return rates;
}

}  // namespace

void addContactRows(int moving, const RigidState& state, const RigidScratch& w, std::vector<HeldRow>& rows)
{
    for (size_t k = 0; k < w.pairs.size(); ++k) {
        const ContactPair& pair = w.pairs[k];
        const Vec3 xa = state.bodies[size_t(pair.a)].x_m, xb = state.bodies[size_t(pair.b)].x_m;
        const PreventedRates prevented =
            preventedBy(pair, xa, w.turning[k], {&w.solver_points[size_t(pair.first)], size_t(pair.count)});
        if (prevented.list.empty()) continue;
        Rates all(6, Eigen::Index(prevented.list.size()));
        for (size_t n = 0; n < prevented.list.size(); ++n) all.col(Eigen::Index(n)) = prevented.list[n];
        Eigen::ColPivHouseholderQR<Rates> qr;
        qr.setThreshold(independent);
        qr.compute(all);
        const Eigen::Matrix<double, 6, 6> basis = qr.householderQ();
        for (Eigen::Index n = 0; n < qr.rank(); ++n) {
            const Vec3 linear = upper(basis.col(n)), angular = prevented.length_m * lower(basis.col(n));
            HeldRow held{pair.a, pair.b < moving ? pair.b : world_body, {}, 0, int(k)};
            held.row.linear = -linear;
            held.row.angular_a = cross(prevented.center_m - xa, linear) + angular;
            held.row.angular_b = -(cross(prevented.center_m - xb, linear) + angular);
            rows.push_back(held);
        }
    }
}

bool releaseContacts(std::span<const HeldRow> rows, std::span<const double> impulses, double least_N_s, RigidScratch& w)
{
    bool any = false;
    for (size_t n = 0; n < rows.size();) {
        const int index = rows[n].pair;
        Vec3 on_a_N_s;
        for (; n < rows.size() && rows[n].pair == index; ++n)
            if (index >= 0) on_a_N_s -= impulses[n] * rows[n].row.linear;
        if (index < 0) continue;
        ContactPair& pair = w.pairs[size_t(index)];
        const SolverPoint* points = &w.solver_points[size_t(pair.first)];
        const SolverPoint& one = *std::find_if(points, points + pair.count, [](const auto& p) { return p.acts(); });
        // Points with several normals can hold a tangential impulse without friction.
        if (std::any_of(points, points + pair.count,
                        [&](const SolverPoint& p) { return p.acts() && dot(p.n, one.n) < 1 - 1e-6; }))
            continue;
        const double pressed_N_s = dot(on_a_N_s, one.n), tangential_N_s = length(on_a_N_s - pressed_N_s * one.n);
        if (pressed_N_s < -least_N_s)
            pair.is_released = any = true;
        else if (!pair.slides && tangential_N_s > pair.friction * std::max(pressed_N_s, 0.0) + least_N_s)
            pair.slides = any = true;
    }
    return any;
}

}  // namespace flotsam
