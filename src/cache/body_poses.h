// Where the bodies of a run were at its frames, from bodies.csv.
#pragma once

#include <filesystem>
#include <vector>

#include "core/quat.h"

namespace flotsam {

struct BodyPose {
    Vec3 x_m;
    Quat q;
};

// For each frame the poses in the order of `names`; a frame that the file does not have is empty. Throws IoError for a
// file that cannot be read.
std::vector<std::vector<BodyPose>> readBodyPoses(const std::filesystem::path& csv,
                                                 const std::vector<std::string>& names, double fps);

}  // namespace flotsam
