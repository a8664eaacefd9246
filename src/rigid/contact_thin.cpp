#include <algorithm>
#include <array>
#include <numbers>
#include <span>

#include "rigid/contact.h"

namespace flotsam {
namespace {

constexpr double same_direction = 0.94;  // cosine of 20 degrees
constexpr size_t most_directions = 12;
constexpr int outermost = 6;
// A point that is farther out by this many times its additional gap ranks the same: on a rounded foot the load-bearing
// contacts are inside of those that hang above the floor.
constexpr double outwards_per_gap = 20;

struct Direction {
    double cosine, sine;
};

std::array<Direction, outermost> makeDirections()
{
    std::array<Direction, outermost> directions;
    for (int k = 0; k < outermost; ++k) {
        const double angle = 2 * std::numbers::pi * k / outermost;
        directions[size_t(k)] = {std::cos(angle), std::sin(angle)};
    }
    return directions;
}

const std::array<Direction, outermost> directions_out = makeDirections();

// Points of one direction, deepest first: indices, linked by `next`.
struct Members {
    int first = none, last = none;
    static constexpr int none = -1;
};

// Links the points into lists by direction. Those in none of `most_directions` are left out.
struct Directions {
    Members list[most_directions];
    int count = 0;

    void add(const std::vector<ContactPoint>& points, int i, std::vector<int>& next)
    {
        const auto sameAs = [&](const Members& d) {
            return dot(points[size_t(d.first)].normal, points[size_t(i)].normal) > same_direction;
        };
        Members* const d = std::find_if(list, list + count, sameAs);
        if (d == list + most_directions) return;
        if (d == list + count) {
            ++count;
            d->first = i;
        } else
            next[size_t(d->last)] = i;
        d->last = i;
    }
};

// The members farthest out in several directions across the normal.
void keepOutermost(const std::vector<ContactPoint>& points, Members members, const std::vector<int>& next,
                   double per_gap, std::vector<char>& kept)
{
    const Vec3 n = points[size_t(members.first)].normal;
    const Vec3 u = normalized(std::abs(n.x) < 0.6 ? cross(n, {1, 0, 0}) : cross(n, {0, 1, 0})), v = cross(n, u);
    int best[outermost];
    double most[outermost];
    std::fill_n(most, outermost, -1e300);
    for (int i = members.first; i != Members::none; i = next[size_t(i)]) {
        const ContactPoint& p = points[size_t(i)];
        const double along_u = dot(p.position_m, u), along_v = dot(p.position_m, v), less = per_gap * p.gap_m;
        for (int k = 0; k < outermost; ++k) {
            const Direction& d = directions_out[size_t(k)];
            const double value = d.cosine * along_u + d.sine * along_v - less;
            if (value > most[k]) most[k] = value, best[k] = i;
        }
    }
    for (const int i : best) kept[size_t(i)] = 1;
}

}  // namespace

void thinOut(double near_m, std::vector<ContactPoint>& points)
{
    if (points.size() <= 4) return;
    std::stable_sort(points.begin(), points.end(),
                     [](const ContactPoint& l, const ContactPoint& r) { return l.gap_m < r.gap_m; });
    thread_local std::vector<int> next;
    thread_local std::vector<char> kept;
    next.assign(points.size(), Members::none);
    kept.assign(points.size(), 0);
    Directions touching, coming;
    for (size_t i = 0; i < points.size(); ++i)
        (points[i].gap_m <= near_m ? touching : coming).add(points, int(i), next);
    for (const Members& members : std::span(touching.list, size_t(touching.count))) {
        kept[size_t(members.first)] = 1;
        if (members.first != members.last) keepOutermost(points, members, next, outwards_per_gap, kept);
    }
    for (const Members& members : std::span(coming.list, size_t(coming.count)))
        keepOutermost(points, members, next, 0, kept);
    size_t count = 0;
    for (size_t i = 0; i < points.size(); ++i)
        if (kept[i]) points[count++] = points[i];
    points.resize(count);
}

}  // namespace flotsam
