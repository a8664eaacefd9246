// The scene as its grid will see it: which cells the regions, sources and solids hold at the start.
#pragma once

#include <memory>
#include <vector>

#include "scene/scene.h"

namespace flotsam {

struct SceneShapes {
    std::vector<std::shared_ptr<const Shape>> regions, sources, solids, heat_sources;
};

// Loads the meshes. Throws InputError that names the table whose mesh is broken.
SceneShapes makeShapes(const Scene& scene);

struct ShapeCount {
    long long cells = 0;     // of the domain, inside the shape
    long long in_solid = 0;  // of those, inside a solid
};

struct SceneSample {
    long long liquid = 0, solid = 0, surface = 0;  // surface: liquid within a cell of the regions' boundary
    long long walled = 0;                          // faces of liquid cells on the domain's sides
    long long active = 0;                          // cells of the bricks that hold liquid and those around them
    double fall_m = 0;                             // from the highest liquid or source to the domain's lowest point
    std::vector<ShapeCount> regions, sources, solids;
};

SceneSample sampleScene(const Scene& scene, const SceneShapes& shapes);

}  // namespace flotsam
