#include <algorithm>

#include "rigid/contact.h"

namespace flotsam {
namespace {

constexpr double same_direction = 0.94;  // cosine of 20 degrees
constexpr size_t most_directions = 12;

// The member with the largest value of a measure, or -1 where none is above zero.
template <class F>
int largest(const std::vector<ContactPoint>& points, const std::vector<int>& members, const F& measure)
{
    int best = -1;
    double most = 0;
    for (const int i : members) {
        const double value = measure(points[size_t(i)]);
        if (value > most) most = value, best = i;
    }
    return best;
}

void keepFour(const std::vector<ContactPoint>& points, const std::vector<int>& members, std::vector<ContactPoint>& kept)
{
    const ContactPoint& deepest = points[size_t(members.front())];
    const Vec3 p = deepest.position_m;
    kept.push_back(deepest);
    const int far = largest(points, members, [&](const ContactPoint& c) { return length(c.position_m - p); });
    if (far < 0) return;
    kept.push_back(points[size_t(far)]);
    const Vec3 line = points[size_t(far)].position_m - p, side = cross(deepest.normal, line);
    for (const double sign : {1., -1.}) {
        const int wide = largest(points, members, [&](const ContactPoint& c) {
            return sign * dot(c.position_m - p, side) - 1e-9 * dot(line, line);
        });
        if (wide >= 0) kept.push_back(points[size_t(wide)]);
    }
}

}  // namespace

void thinOut(std::vector<ContactPoint>& points)
{
    if (points.size() <= 4) return;
    std::stable_sort(points.begin(), points.end(),
                     [](const ContactPoint& l, const ContactPoint& r) { return l.gap_m < r.gap_m; });
    std::vector<std::vector<int>> directions;
    for (size_t i = 0; i < points.size(); ++i) {
        auto it = std::find_if(directions.begin(), directions.end(), [&](const std::vector<int>& d) {
            return dot(points[size_t(d.front())].normal, points[i].normal) > same_direction;
        });
        if (it != directions.end())
            it->push_back(int(i));
        else if (directions.size() < most_directions)
            directions.push_back({int(i)});
    }
    std::vector<ContactPoint> kept;
    for (const std::vector<int>& members : directions) keepFour(points, members, kept);
    points = std::move(kept);
}

}  // namespace flotsam
