// The linear problem of a half-immersed cylinder in a tank (Maskell, Ursell 1970, for the sea), by boundary elements of
// constant potential. The flow is symmetric: half of the tank, from the plane of symmetry to a wall.
#include <cmath>
#include <numbers>
#include <vector>

#include "validation/heave_cases.h"

namespace flotsam {

namespace {

constexpr double g_m_s2 = 9.81, pi = std::numbers::pi;

struct Point {
    double x, y;
};
struct Element {
    Point from, to;  // the fluid is on the right
    Point middle() const { return {0.5 * (from.x + to.x), 0.5 * (from.y + to.y)}; }
    double length() const { return std::hypot(to.x - from.x, to.y - from.y); }
};

// The elements of the arc come first, then those of the free surface, then walls, floor and plane of symmetry.
struct Boundary {
    explicit Boundary(const HeaveSetup& s)
    {
        const double r = s.radius_m, half = 0.5 * s.width_m;
        const auto arcPoint = [&](double t) { return Point{r * std::sin(0.5 * pi * t), -r * std::cos(0.5 * pi * t)}; };
        for (int n = 0; n < arc; ++n) list.push_back({arcPoint(double(n) / arc), arcPoint(double(n + 1) / arc)});
        addLine({r, 0}, {half, 0}, surface);
        addLine({half, 0}, {half, -s.depth_m}, 40);
        addLine({half, -s.depth_m}, {0, -s.depth_m}, 40);
        addLine({0, -s.depth_m}, {0, -r}, 40);
    }
    void addLine(Point a, Point b, int count)
    {
        const auto at = [&](int n) {
            const double t = double(n) / count;
            return Point{a.x + t * (b.x - a.x), a.y + t * (b.y - a.y)};
        };
        for (int n = 0; n < count; ++n) list.push_back({at(n), at(n + 1)});
    }
    // The order runs clockwise around the fluid: its outward normal is on the left of an element.
    double normalY(int n) const { return (list[size_t(n)].to.x - list[size_t(n)].from.x) / list[size_t(n)].length(); }

    static constexpr int arc = 48, surface = 120;
    std::vector<Element> list;
};

// Integrals over an element of G = ln r / 2 pi and of its derivative along the outward normal, from a point.
struct Influence {
    double g, dg_dn;
};
Influence influenceOf(const Element& e, Point p, bool self)
{
    const double l = e.length(), tx = (e.to.x - e.from.x) / l, ty = (e.to.y - e.from.y) / l;
    const double x = e.from.x - p.x, y = e.from.y - p.y;
    const double along = x * tx + y * ty, off = -x * ty + y * tx;  // off: along the outward normal (-ty, tx)
    const auto primitive = [&](double s) {                         // of ln sqrt(s^2 + off^2)
        const double r = std::hypot(s, off);
        return (r > 0 ? s * std::log(r) : 0) - s + (off != 0 ? off * std::atan(s / off) : 0);
    };
    const double g = (primitive(along + l) - primitive(along)) / (2 * pi);
    if (self) return {g, 0};
    return {g, off != 0 ? (std::atan((along + l) / off) - std::atan(along / off)) / (2 * pi) : 0};
}

// Solves a x = b for all columns of b, by elimination with pivots; x replaces b.
void solveDense(std::vector<std::vector<double>>& a, std::vector<std::vector<double>>& b)
{
    const size_t n = a.size();
    for (size_t c = 0; c < n; ++c) {
        size_t pivot = c;
        for (size_t r = c + 1; r < n; ++r)
            if (std::abs(a[r][c]) > std::abs(a[pivot][c])) pivot = r;
        std::swap(a[c], a[pivot]);
        std::swap(b[c], b[pivot]);
        for (size_t r = 0; r < n; ++r) {
            if (r == c) continue;
            const double f = a[r][c] / a[c][c];
            if (f == 0) continue;
            for (size_t k = c; k < n; ++k) a[r][k] -= f * a[c][k];
            for (size_t k = 0; k < b[c].size(); ++k) b[r][k] -= f * b[c][k];
        }
    }
    for (size_t r = 0; r < n; ++r)
        for (double& v : b[r]) v /= a[r][r];
}

// Rows: the potential on the arc, then its vertical derivative on the surface. Columns: the potential on the surface,
// then the vertical speed of the body.
std::vector<std::vector<double>> respond(const Boundary& boundary)
{
    const int n = int(boundary.list.size()), arc = Boundary::arc, surface = Boundary::surface;
    const auto isSurface = [&](int j) { return j >= arc && j < arc + surface; };
    const std::vector<double> row(boundary.list.size()), columns(size_t(surface) + 1);
    std::vector<std::vector<double>> a(row.size(), row), b(row.size(), columns);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            // phi_i / 2 = sum_j phi_j int dG/dn - dphi/dn_j int G
            const Influence f = influenceOf(boundary.list[size_t(j)], boundary.list[size_t(i)].middle(), i == j);
            const double of_phi = f.dg_dn - (i == j ? 0.5 : 0);
            a[size_t(i)][size_t(j)] = isSurface(j) ? -f.g : of_phi;
            if (isSurface(j)) b[size_t(i)][size_t(j - arc)] = -of_phi;
            if (j < arc) b[size_t(i)][size_t(surface)] += f.g * boundary.normalY(j);
        }
    solveDense(a, b);
    b.resize(size_t(arc + surface));
    return b;
}

}  // namespace

HeaveResult heaveInTheory(const HeaveSetup& setup)
{
    const Boundary boundary(setup);
    const auto response = respond(boundary);
    const int arc = Boundary::arc, surface = Boundary::surface;
    const auto apply = [&](int row, const std::vector<double>& phi, double speed) {
        const std::vector<double>& r = response[size_t(row)];
        double sum = r[size_t(surface)] * speed;
        for (int j = 0; j < surface; ++j) sum += r[size_t(j)] * phi[size_t(j)];
        return sum;
    };
    // The force of the pressure -phi_t on both halves, per density; phi_t = phi on the surface, at this acceleration.
    const auto force = [&](const std::vector<double>& phi, double acceleration) {
        double sum = 0;
        for (int i = 0; i < arc; ++i)
            sum -= 2 * apply(i, phi, acceleration) * boundary.normalY(i) * boundary.list[size_t(i)].length();
        return sum;
    };
    std::vector<double> eta(size_t(surface), 0.0), phi = eta, phi_t = eta;
    const double r = setup.radius_m, mass = 0.5 * pi * r * r - force(phi, 1), dt = 1e-3 * std::sqrt(r / g_m_s2);
    double x = setup.raised_m, v = 0;
    HeaveResult result;
    result.acceleration_m_s2 = -g_m_s2 * 2 * r * x / mass;
    for (double t = 0; t < setup.seconds && v <= 0; t += dt) {
        for (size_t j = 0; j < eta.size(); ++j) phi_t[j] = -g_m_s2 * eta[j], phi[j] += dt * phi_t[j];
        v += dt * (force(phi_t, 0) - g_m_s2 * 2 * r * x) / mass;
        for (int j = 0; j < surface; ++j) eta[size_t(j)] += dt * apply(arc + j, phi, v);
        x += dt * v;
        if (x / setup.raised_m < result.lowest) result.lowest = x / setup.raised_m, result.lowest_s = t;
    }
    return result;
}

}  // namespace flotsam
