#pragma once

#include "scene/scene.h"
#include "scene/toml_table.h"

namespace flotsam {

// [[joint]], after all bodies and solids.
void readJoints(const TomlTable& root, Scene& scene);

}  // namespace flotsam
