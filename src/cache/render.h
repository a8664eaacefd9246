// Images and a video of a run, through POV-Ray and ffmpeg: docs/methods/pictures.md.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

namespace flotsam {

struct RenderOptions {
    std::filesystem::path dir;  // of a run: scene.toml, frames/
    int first_frame = 0;
    int last_frame = -1;            // -1: all there are
    int width = 960, height = 540;  // [pixels], even
    std::string quality = "draft";  // or "final"
    std::function<void(int done, int total)> report;
    const std::atomic<bool>* stop = nullptr;
};

struct RenderedFiles {
    std::filesystem::path images;  // the folder
    std::filesystem::path film;    // empty: no video was written
};

// All frames: writes images/NNNN.png and video.mp4 in dir. Some frames: writes video_A-B.mp4 (one frame: no video).
// Images in images/ that were rendered with other settings are not replaced: new ones then go to images_WxH_QUALITY/.
// Complete images that are newer than their frame and have the same settings are kept. When stop becomes true it
// returns early: complete images stay, no video is made. Throws InputError for missing frames, a wrong option or a
// missing program, IoError when a program fails or the disk is full.
RenderedFiles renderRun(const RenderOptions& options);

}  // namespace flotsam
