// The content of a scene that affects its results: the same text for the same run, wherever the scene and meshes are.
#pragma once

#include <string>

#include "scene/scene.h"

namespace flotsam {

// One "key = value" per line, with the keys used by --set and all defaults. Without time.seconds, [output] and
// [render], which a resumed run may change. A mesh file is identified by the hash of its triangles, not by its path.
std::string sceneIdentity(const Scene& scene);

// The first key that differs, with both values, and the number of other differences: "time.cfl is 2 and was 1". Empty
// if there are none.
std::string identityDifference(const std::string& now, const std::string& before);

}  // namespace flotsam
