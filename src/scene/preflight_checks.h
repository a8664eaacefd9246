// What makes a run senseless, and what its author would want to hear of.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scene/preflight.h"
#include "scene/preflight_sample.h"

namespace flotsam {

// [m/s], of the prescribed motion.
double fastestPoint(const SolidSpec& solid, const Shape& shape);

// [m]: the smallest extent; for a mesh twice the depth of its deepest inner point. HUGE_VAL where it is not known.
double thickness(const SolidSpec& solid, const Shape& shape, const DomainParams& domain);

// Throws InputError: no liquid, a domain full of solid, a source wholly inside solids.
void rejectImpossibleScene(const Scene& scene, const SceneSample& sample);

// Of heat that goes nowhere, and of more than a liquid can take.
std::vector<std::string> findHeatWarnings(const Scene& scene, const SceneShapes& shapes, const Preflight& estimate);

std::vector<std::string> findWarnings(const Scene& scene, const SceneShapes& shapes, const SceneSample& sample,
                                      const Preflight& estimate, const std::filesystem::path& out);

}  // namespace flotsam
