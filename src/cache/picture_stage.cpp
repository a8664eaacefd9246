#include "cache/picture_stage.h"

#include <array>
#include <numbers>

namespace flotsam {

namespace {

constexpr double longest_side = 10;
constexpr double flat_thickness = 0.6;
constexpr double margin = 1.06;  // of the image plane: leaves 3 % free on each side

struct Axes {
    Vec3 right, up, forward;
};

Axes lookingAlong(Vec3 forward)
{
    const Vec3 right = normalized(cross(forward, {0, 1, 0}));
    return {right, cross(right, forward), forward};
}

// Of the tank and its base.
std::array<Vec3, 8> cornersOnBase(Vec3 size)
{
    const Vec3 lo{-base_edge, -base_height, -base_edge}, hi{size.x + base_edge, size.y, size.z + base_edge};
    std::array<Vec3, 8> all;
    for (int c = 0; c < 8; ++c) all[c] = {(c & 1 ? hi : lo).x, (c & 2 ? hi : lo).y, (c & 4 ? hi : lo).z};
    return all;
}

// Fit along one direction of the image (right or up). An eye at offset s and depth -d sees the corner (a, b) if |a - s|
// <= slope (b + d). Finds the smallest such d and its s.
struct Fit {
    double offset = 0, distance = 0;
};

Fit fit(const std::array<Vec3, 8>& points, Vec3 side, Vec3 forward, double slope)
{
    double low = -1e300, high = -1e300;
    for (Vec3 p : points) {
        high = std::max(high, dot(p, side) - slope * dot(p, forward));
        low = std::max(low, -dot(p, side) - slope * dot(p, forward));
    }
    return {0.5 * (high - low), 0.5 * (high + low) / slope};
}

// The field of view spans the longer side of the image.
void setImagePlane(double field_of_view_deg, double aspect, Camera& camera)
{
    const double longer = 2 * std::tan(field_of_view_deg * std::numbers::pi / 360);
    camera.width = aspect >= 1 ? longer : longer * aspect;
    camera.height = camera.width / aspect;
}

Camera frontCamera(const Stage& stage, double aspect)
{
    const Vec3 c = 0.5 * stage.size;
    const double height = margin * std::max(stage.size.y + 0.2, (stage.size.x + 0.2) / aspect);
    return {{c.x, c.y, stage.size.z + 2 * longest_side}, {c.x, c.y, 0}, height * aspect, height, true};
}

Camera threeQuarterCamera(const RenderParams& render, const Stage& stage, double aspect)
{
    constexpr double azimuth = 0.48, elevation = 0.40;  // [rad]
    const Axes axes = lookingAlong(normalized(
        {-std::sin(azimuth) * std::cos(elevation), -std::sin(elevation), -std::cos(azimuth) * std::cos(elevation)}));
    Camera camera;
    setImagePlane(render.field_of_view_deg, aspect, camera);
    const auto points = cornersOnBase(stage.size);
    const Fit across = fit(points, axes.right, axes.forward, camera.width / (2 * margin));
    const Fit along = fit(points, axes.up, axes.forward, camera.height / (2 * margin));
    const double distance = std::max(across.distance, along.distance);
    camera.eye = across.offset * axes.right + along.offset * axes.up - distance * axes.forward;
    camera.look_at = camera.eye + distance * axes.forward;
    return camera;
}

}  // namespace

Vec3 Stage::mapNormal(Vec3 n) const
{
    return normalized({n.x / units_per_m.x, n.y / units_per_m.y, n.z / units_per_m.z});
}

Stage makeStage(const DomainParams& domain)
{
    Stage stage;
    const Vec3 size_m = domain.size_m();
    stage.flat = domain.twoDimensional();
    const double scale = longest_side / std::max({size_m.x, size_m.y, stage.flat ? 0 : size_m.z});
    stage.units_per_m = {scale, scale, stage.flat ? flat_thickness / size_m.z : scale};
    stage.size = stage.map(size_m);
    return stage;
}

Camera makeCamera(const RenderParams& render, const Stage& stage, double aspect)
{
    if (render.has_camera) {
        Camera camera{stage.map(render.eye_m), stage.map(render.look_at_m)};
        setImagePlane(render.field_of_view_deg, aspect, camera);
        return camera;
    }
    return stage.flat ? frontCamera(stage, aspect) : threeQuarterCamera(render, stage, aspect);
}

}  // namespace flotsam
