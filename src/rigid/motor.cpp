#include <cmath>
#include <numbers>

#include "rigid/joint.h"

namespace flotsam {

namespace {

// The cubic between two keyframes, with slopes by finite differences over their neighbours (Catmull and Rom).
struct Span {
    double h = 1, t = 0, from = 0, to = 0, slope_from = 0, slope_to = 0;

    double value() const
    {
        const double t2 = t * t, t3 = t2 * t;
        return (2 * t3 - 3 * t2 + 1) * from + (t3 - 2 * t2 + t) * h * slope_from + (3 * t2 - 2 * t3) * to +
               (t3 - t2) * h * slope_to;
    }
    double rate() const
    {
        const double t2 = t * t;
        return (6 * t2 - 6 * t) / h * (from - to) + (3 * t2 - 4 * t + 1) * slope_from + (3 * t2 - 2 * t) * slope_to;
    }
};

Span spanAt(const Motor& motor, double t_s)
{
    const std::vector<Keyframe>& k = motor.keyframes;
    const double first = k.front().t_s, length = k.back().t_s - first;
    const int count = int(k.size());
    if (motor.repeat && length > 0) t_s -= length * std::floor((t_s - first) / length);
    if (count == 1 || (t_s <= first && !motor.repeat)) return {.from = k.front().value, .to = k.front().value};
    if (t_s >= k.back().t_s) return {.from = k.back().value, .to = k.back().value};
    int n = 0;
    while (n + 2 < count && t_s >= k[size_t(n + 1)].t_s) ++n;
    // Neighbours beyond the ends: of the next round if it repeats, else level.
    const auto at = [&](int i) -> Keyframe {
        if (i < 0)
            return motor.repeat ? Keyframe{k[size_t(count - 2)].t_s - length, k[size_t(count - 2)].value} : k.front();
        if (i >= count) return motor.repeat ? Keyframe{k[1].t_s + length, k[1].value} : k.back();
        return k[size_t(i)];
    };
    const auto slope = [&](int i) {
        if (!motor.repeat && (i == 0 || i == count - 1)) return 0.0;
        return (at(i + 1).value - at(i - 1).value) / (at(i + 1).t_s - at(i - 1).t_s);
    };
    const Keyframe a = at(n), b = at(n + 1);
    const double h = b.t_s - a.t_s, straight = (b.value - a.value) / h;
    return {h,
            (t_s - a.t_s) / h,
            a.value,
            b.value,
            motor.smooth ? slope(n) : straight,
            motor.smooth ? slope(n + 1) : straight};
}

}  // namespace

double Motor::valueAt(double t_s) const
{
    if (!keyframes.empty()) return spanAt(*this, t_s).value();
    return constant + sine.offset +
           sine.amplitude * std::sin(2 * std::numbers::pi * sine.frequency_Hz * t_s + sine.phase_rad);
}

double Motor::rateAt(double t_s) const
{
    if (!keyframes.empty()) return spanAt(*this, t_s).rate();
    const double w = 2 * std::numbers::pi * sine.frequency_Hz;
    return sine.amplitude * w * std::cos(w * t_s + sine.phase_rad);
}

}  // namespace flotsam
