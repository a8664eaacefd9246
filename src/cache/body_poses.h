// Poses of the bodies at the frames of a run, from bodies.csv.
#pragma once

#include <filesystem>
#include <vector>

#include "core/quat.h"

namespace flotsam {

struct BodyPose {
    Vec3 x_m;
    Quat q;
};

// For each frame the poses in the order of `names`; empty for frames missing from the file. Throws IoError if the file
// cannot be read.
std::vector<std::vector<BodyPose>> readBodyPoses(const std::filesystem::path& csv,
                                                 const std::vector<std::string>& names, double fps);

}  // namespace flotsam
