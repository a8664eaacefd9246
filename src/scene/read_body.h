#pragma once

#include "scene/read_shape.h"
#include "scene/scene.h"

namespace flotsam {

// [[body]] and [rigid].
void readBodies(const TomlTable& root, const ShapeContext& context, Scene& scene);

// A name that is valid in file names and tables.
std::string readPlainName(const TomlTable& t, const std::string& fallback);

// A name that is valid as a file name and not used by an earlier solid or body.
std::string readName(const TomlTable& t, const std::string& fallback, const Scene& earlier);

}  // namespace flotsam
