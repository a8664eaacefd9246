#include "cache/video.h"

#include <fmt/format.h>

#include "cache/subprocess.h"
#include "core/error.h"

namespace flotsam {

namespace fs = std::filesystem;

bool writeVideo(const fs::path& images_dir, int first, int count, double fps, const fs::path& video,
                const std::function<bool()>& stopped)
{
    const fs::path part = fs::absolute(video).string() + ".part";
    const ProcessResult result = runProcess({"ffmpeg",
                                             "-nostdin",
                                             "-y",
                                             "-v",
                                             "error",
                                             "-framerate",
                                             fmt::format("{}", fps),
                                             "-start_number",
                                             std::to_string(first),
                                             "-i",
                                             "%04d.png",
                                             "-frames:v",
                                             std::to_string(count),
                                             "-c:v",
                                             "libx264",
                                             "-pix_fmt",
                                             "yuv420p",
                                             "-crf",
                                             "18",
                                             "-movflags",
                                             "+faststart",
                                             "-f",
                                             "mp4",
                                             part.string()},
                                            images_dir, stopped);
    std::error_code ignored;
    if (result.stopped || result.exit_code != 0) fs::remove(part, ignored);
    if (result.stopped) return false;
    if (result.exit_code != 0)
        throw IoError(fmt::format("{}: ffmpeg failed (exit code {}); its last words were:\n{}", video.string(),
                                  result.exit_code, result.error_tail));
    std::error_code error;
    fs::rename(part, video, error);
    if (error) throw IoError(fmt::format("{}: cannot be written: {}", video.string(), error.message()));
    return true;
}

}  // namespace flotsam
