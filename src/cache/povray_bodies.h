// Rigid bodies as POV-Ray text: each mesh once, in its body frame, so that wood and stone textures move with it.
#pragma once

#include <string>
#include <vector>

#include "cache/body_poses.h"
#include "cache/picture_stage.h"
#include "geometry/triangle_mesh.h"

namespace flotsam {

struct DrawnBody {
    const TriangleMesh* mesh = nullptr;  // around its centre of mass
    std::string material;                // of body_materials
    BodyPose pose;
};

std::string bodyTexturesText();
std::string bodiesText(const std::vector<DrawnBody>& bodies, const Stage& stage);

}  // namespace flotsam
