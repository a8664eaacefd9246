// Layout of a picture: the tank scaled to a fixed size, and a camera that sees all of it.
#pragma once

#include "scene/scene.h"

namespace flotsam {

// The base under a tank extends this far beyond its sides and below it [picture units].
constexpr double base_edge = 0.2, base_height = 0.3;

// Picture units: the longest side of the tank is 10 whatever its size in metres, because tolerances of POV-Ray are
// absolute lengths. The slab of a two-dimensional run is thickened so that it is visible.
struct Stage {
    Vec3 units_per_m;   // along each axis
    Vec3 size;          // of the tank
    bool flat = false;  // a two-dimensional run

    Vec3 map(Vec3 p_m) const { return {units_per_m.x * p_m.x, units_per_m.y * p_m.y, units_per_m.z * p_m.z}; }
    Vec3 mapNormal(Vec3 n) const;
};

Stage makeStage(const DomainParams& domain);

struct Camera {
    Vec3 eye, look_at;
    double width = 0, height = 0;  // of the image plane at distance 1; of the visible rectangle if orthographic
    bool orthographic = false;
};

// The camera of the scene, or one that frames the tank with a small margin: from the front for flat runs, otherwise a
// three-quarter view from above. aspect: width / height of the image.
Camera makeCamera(const RenderParams& render, const Stage& stage, double aspect);

}  // namespace flotsam
