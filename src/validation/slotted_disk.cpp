#include "validation/slotted_disk.h"

#include <cmath>
#include <numbers>

namespace flotsam {

namespace {

constexpr double radius = SlottedDisk::radius, half_slot = SlottedDisk::half_slot, slot_top = SlottedDisk::slot_top;

}  // namespace

// Exact: the smallest distance to the arc, to the side of the slot and to its end. x is taken as positive: the disk is
// symmetric.
double SlottedDisk::signedDistance(Vec3 p) const
{
    const double x = std::abs(p.x - center.x), y = p.y - center.y, from_center = std::hypot(x, y);
    const double mouth = -std::sqrt(radius * radius - half_slot * half_slot);  // opening of the slot
    const bool below_mouth = y < 0 && x < half_slot / -mouth * -y;
    const double to_arc = below_mouth ? std::hypot(x - half_slot, y - mouth) : std::abs(from_center - radius);
    const double to_side = std::hypot(x - half_slot, y - std::clamp(y, mouth, slot_top));
    const double to_end = std::hypot(x - std::min(x, half_slot), y - slot_top);
    const bool inside = from_center < radius && !(x < half_slot && y < slot_top);
    const double d = std::min({to_arc, to_side, to_end});
    return inside ? -d : d;
}

double SlottedBall::signedDistance(Vec3 p) const
{
    const Vec3 q = p - SlottedDisk::center;
    const double x = half_slot - std::abs(q.x), y = slot_top - q.y;  // into the slot
    const double in_slot = x > 0 && y > 0 ? std::min(x, y) : -std::hypot(std::min(x, 0.0), std::min(y, 0.0));
    return std::max(length(q) - radius, in_slot);
}

// The ball minus the slot: at each x the area of the cross-section below the end of the slot, by Simpson's rule.
double SlottedBall::volume()
{
    const auto sectionBelowTop = [](double x) {
        const double r2 = radius * radius - x * x;
        return 0.5 * std::numbers::pi * r2 + slot_top * std::sqrt(r2 - slot_top * slot_top) +
               r2 * std::asin(slot_top / std::sqrt(r2));
    };
    constexpr int intervals = 64;
    double sum = 0;
    for (int n = 0; n <= intervals; ++n) {
        const double weight = n == 0 || n == intervals ? 1 : n % 2 ? 4 : 2;
        sum += weight * sectionBelowTop(half_slot * (2.0 * n / intervals - 1));
    }
    return 4.0 / 3 * std::numbers::pi * std::pow(radius, 3) - sum * (2 * half_slot / intervals) / 3;
}

}  // namespace flotsam
