#pragma once

#include "scene/read_shape.h"
#include "scene/scene.h"

namespace flotsam {

// [[body]] and [rigid].
void readBodies(const TomlTable& root, const ShapeContext& context, Scene& scene);

// A name that can be a file's, and that no earlier solid or body has.
std::string readName(const TomlTable& t, const std::string& fallback, const Scene& earlier);

}  // namespace flotsam
