// A film from numbered images, through ffmpeg.
#pragma once

#include <filesystem>
#include <functional>

namespace flotsam {

// images_dir/NNNN.png from frame `first` on, `count` of them, into an MP4 (H.264) written as "<video>.part" and renamed
// when whole. False when stopped. Throws IoError with ffmpeg's own words.
bool writeVideo(const std::filesystem::path& images_dir, int first, int count, double fps,
                const std::filesystem::path& video, const std::function<bool()>& stopped);

}  // namespace flotsam
