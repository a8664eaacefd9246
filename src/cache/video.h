// A video from numbered images, through ffmpeg.
#pragma once

#include <filesystem>
#include <functional>

namespace flotsam {

// Encodes `count` images images_dir/NNNN.png from frame `first` into an MP4 (H.264), written as "<video>.part" and
// renamed when complete. False when stopped. Throws IoError with the error output of ffmpeg.
bool writeVideo(const std::filesystem::path& images_dir, int first, int count, double fps,
                const std::filesystem::path& video, const std::function<bool()>& stopped);

}  // namespace flotsam
