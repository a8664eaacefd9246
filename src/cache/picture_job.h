// Renders the image of one frame: frame files -> POV-Ray -> PNG.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cache/povray.h"

namespace flotsam {

struct PlacedSolid {
    SolidSpec spec;
    Vec3 center_m;      // centre of its bounds at time 0
    TriangleMesh mesh;  // at time 0
};

// Shared by all frames of a render.
struct PictureJob {
    std::filesystem::path run_dir;
    std::filesystem::path work_dir;  // POV-Ray's input and unfinished images
    Scene scene;
    std::vector<PlacedSolid> solids;
    std::vector<TriangleMesh> body_meshes;           // in the scene's order
    std::vector<std::vector<BodyPose>> body_frames;  // by frame, then body
    PictureParams params;
    int threads = 1;  // per POV-Ray process
};

std::vector<PlacedSolid> makeSolids(const Scene& scene);

// Reads the body output of the run: meshes/<name>.ply and bodies.csv.
void readBodies(PictureJob& job);

std::filesystem::path frameFile(const std::filesystem::path& run_dir, int frame);

// All settings that affect an image: size, quality, and the static content of the scene.
std::string settingsOf(const PictureJob& job);

// Renders the frame into an image in the work folder and returns its path, or an empty path when stopped. Throws
// IoError with the error output of POV-Ray.
std::filesystem::path tracePicture(const PictureJob& job, int frame, const std::function<bool()>& stopped);

}  // namespace flotsam
