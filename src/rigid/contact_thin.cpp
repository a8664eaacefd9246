#include <algorithm>
#include <array>
#include <numbers>

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

// The members farthest out in several directions across the normal, each once.
void keepOutermost(const std::vector<ContactPoint>& points, const std::vector<int>& members, double per_gap,
                   std::vector<int>& kept)
{
    const Vec3 n = points[size_t(members.front())].normal;
    const Vec3 u = normalized(std::abs(n.x) < 0.6 ? cross(n, {1, 0, 0}) : cross(n, {0, 1, 0})), v = cross(n, u);
    for (const Direction& d : directions_out) {
        const Vec3 out = d.cosine * u + d.sine * v;
        int best = members.front();
        double most = -1e300;
        for (const int i : members) {
            const ContactPoint& p = points[size_t(i)];
            const double value = dot(p.position_m, out) - per_gap * p.gap_m;
            if (value > most) most = value, best = i;
        }
        if (std::find(kept.begin(), kept.end(), best) == kept.end()) kept.push_back(best);
    }
}

}  // namespace

void thinOut(double near_m, std::vector<ContactPoint>& points)
{
    if (points.size() <= 4) return;
    std::stable_sort(points.begin(), points.end(),
                     [](const ContactPoint& l, const ContactPoint& r) { return l.gap_m < r.gap_m; });
    std::vector<std::vector<int>> touching, coming;  // by direction
    for (size_t i = 0; i < points.size(); ++i) {
        auto& directions = points[i].gap_m <= near_m ? touching : coming;
        auto it = std::find_if(directions.begin(), directions.end(), [&](const std::vector<int>& d) {
            return dot(points[size_t(d.front())].normal, points[i].normal) > same_direction;
        });
        if (it != directions.end())
            it->push_back(int(i));
        else if (directions.size() < most_directions)
            directions.push_back({int(i)});
    }
    std::vector<int> kept;
    for (const auto& members : touching) {
        kept.push_back(members.front());
        if (members.size() > 1) keepOutermost(points, members, outwards_per_gap, kept);
    }
    for (const auto& members : coming) keepOutermost(points, members, 0, kept);
    std::sort(kept.begin(), kept.end());
    std::vector<ContactPoint> rest;
    for (const int i : kept) rest.push_back(points[size_t(i)]);
    points = std::move(rest);
}

}  // namespace flotsam
