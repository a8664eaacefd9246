// The scene sampled on its grid: the cells covered by regions, sources and solids at the start.
#pragma once

#include <memory>
#include <vector>

#include "scene/scene.h"

namespace flotsam {

struct SceneShapes {
    std::vector<std::shared_ptr<const Shape>> regions, sources, solids, heat_sources;
};

// Loads the meshes. Throws InputError naming the table with the broken mesh.
SceneShapes makeShapes(const Scene& scene);

struct ShapeCount {
    long long cells = 0;     // of the domain, inside the shape
    long long in_solid = 0;  // of those, inside a solid
};

struct SceneSample {
    long long liquid = 0, solid = 0, surface = 0;  // surface: liquid within a cell of the regions' boundary
    long long walled = 0;                          // faces of liquid cells on the domain boundary
    long long active = 0;                          // cells of the bricks that contain liquid and of their neighbours
    double fall_m = 0;                             // from the highest liquid or source to the bottom of the domain
    std::vector<ShapeCount> regions, sources, solids;
};

SceneSample sampleScene(const Scene& scene, const SceneShapes& shapes);

}  // namespace flotsam
