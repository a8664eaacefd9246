// What the results of a scene depend on: the same text for the same run, wherever the scene and its meshes lie.
#pragma once

#include <string>

#include "scene/scene.h"

namespace flotsam {

// One "key = value" per line, with the keys that --set uses, every default written out. Without time.seconds, [output]
// and [render], which a resumed run may change. A mesh file is named by the hash of its triangles, not by its path.
std::string sceneIdentity(const Scene& scene);

// The first key that differs, with both values, and how many others do: "time.cfl is 2 and was 1". Empty where none
// does.
std::string identityDifference(const std::string& now, const std::string& before);

}  // namespace flotsam
