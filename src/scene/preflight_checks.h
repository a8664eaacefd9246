// Checks that reject impossible scenes or return warnings for the author.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scene/preflight.h"
#include "scene/preflight_sample.h"

namespace flotsam {

// [m/s], from the prescribed motion.
double fastestPoint(const SolidSpec& solid, const Shape& shape);

// [m]: the smallest extent; for a mesh, twice the depth of its deepest inner point. HUGE_VAL if unknown.
double thickness(const SolidSpec& solid, const Shape& shape, const DomainParams& domain);

// Throws InputError: no liquid, a domain full of solid, a source entirely inside solids.
void rejectImpossibleScene(const Scene& scene, const SceneSample& sample);

// Warnings about heat sources without effect, and about heating beyond what a liquid can take.
std::vector<std::string> findHeatWarnings(const Scene& scene, const SceneShapes& shapes, const Preflight& estimate);

std::vector<std::string> findWarnings(const Scene& scene, const SceneShapes& shapes, const SceneSample& sample,
                                      const Preflight& estimate, const std::filesystem::path& out);

}  // namespace flotsam
