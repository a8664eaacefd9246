// A scene and one of its frames as a POV-Ray 3.7 program.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "cache/povray_bodies.h"
#include "geometry/surface_mesh.h"
#include "geometry/triangle_mesh.h"
#include "scene/scene.h"

namespace flotsam {

enum class PictureQuality { draft, final };

struct PictureParams {
    int width = 960, height = 540;  // [pixels]
    PictureQuality quality = PictureQuality::draft;
};

// Content that changes from frame to frame, in metres.
struct PictureFrame {
    SurfaceMesh surface;
    std::vector<TriangleMesh> solids;
    std::vector<DrawnBody> bodies;
    std::vector<std::array<float, 3>> tracers;            // [m]
    std::vector<std::array<float, 3>> tracer_velocities;  // [m/s]; may be empty
};

std::string povScene(const Scene& scene, const PictureFrame& frame, const PictureParams& params);

// The mesh at time t_s of a solid with prescribed velocity and spin. center_m: of its bounds at time 0.
TriangleMesh placedAt(const SolidSpec& solid, Vec3 center_m, TriangleMesh mesh, double t_s);

}  // namespace flotsam
