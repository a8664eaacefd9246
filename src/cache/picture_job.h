// One frame's picture: its files -> POV-Ray -> an image.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "cache/povray.h"

namespace flotsam {

struct PlacedSolid {
    SolidSpec spec;
    Vec3 center_m;      // of its bounds at time 0
    TriangleMesh mesh;  // at time 0
};

// What every frame of a render shares.
struct PictureJob {
    std::filesystem::path run_dir;
    std::filesystem::path work_dir;  // POV-Ray's input and unfinished images
    Scene scene;
    std::vector<PlacedSolid> solids;
    std::vector<TriangleMesh> body_meshes;           // in the scene's order
    std::vector<std::vector<BodyPose>> body_frames;  // by frame, then body
    PictureParams params;
    int threads = 1;  // of each POV-Ray
};

std::vector<PlacedSolid> makeSolids(const Scene& scene);

// What the run left of its bodies: meshes/<name>.ply and bodies.csv.
void readBodies(PictureJob& job);

std::filesystem::path frameFile(const std::filesystem::path& run_dir, int frame);

// Everything that decides how a given frame looks: the size, the quality, and the scene without what moves.
std::string settingsOf(const PictureJob& job);

// Traces frame into an image in the work folder and returns its path, or an empty path when stopped. Throws IoError
// with POV-Ray's own words.
std::filesystem::path tracePicture(const PictureJob& job, int frame, const std::function<bool()>& stopped);

}  // namespace flotsam
