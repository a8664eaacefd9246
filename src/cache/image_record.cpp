#include "cache/image_record.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <fstream>

#include "core/error.h"

namespace flotsam {

namespace fs = std::filesystem;

namespace {

fs::path listIn(const fs::path& dir) { return dir / "settings.txt"; }

}  // namespace

ImageRecord::ImageRecord(fs::path images_dir) : dir(std::move(images_dir))
{
    std::ifstream list(listIn(dir));
    int frame = 0;
    std::string fingerprint;
    while (list >> frame >> fingerprint) fingerprints[frame] = fingerprint;
}

fs::path ImageRecord::imageOf(int frame) const { return dir / fmt::format("{:04}.png", frame); }

bool ImageRecord::isCurrent(int frame, const fs::path& frame_file, const std::string& fingerprint) const
{
    const auto noted = fingerprints.find(frame);
    if (noted == fingerprints.end() || noted->second != fingerprint) return false;
    const fs::path image = imageOf(frame);
    return isWholePng(image) && fs::last_write_time(image) > fs::last_write_time(frame_file);
}

bool ImageRecord::holdsOtherThan(const std::string& fingerprint) const
{
    return std::any_of(fingerprints.begin(), fingerprints.end(), [&](const auto& noted) {
        return noted.second != fingerprint && isWholePng(imageOf(noted.first));
    });
}

void ImageRecord::accept(int frame, const fs::path& finished, const std::string& fingerprint)
{
    std::error_code error;
    fs::rename(finished, imageOf(frame), error);
    if (error) throw IoError(fmt::format("{}: cannot be written: {}", imageOf(frame).string(), error.message()));
    std::ofstream list(listIn(dir), std::ios::app);
    list << fmt::format("{:04} {}\n", frame, fingerprint) << std::flush;
    if (!list) throw IoError(fmt::format("{}: cannot be written; is the disk full?", listIn(dir).string()));
    fingerprints[frame] = fingerprint;
}

bool isWholePng(const fs::path& path)
{
    const std::string last_chunk = std::string("IEND") + "\xAE\x42\x60\x82";
    std::ifstream file(path, std::ios::binary);
    std::string end(last_chunk.size(), '\0');
    file.seekg(-std::streamoff(end.size()), std::ios::end);
    file.read(end.data(), std::streamsize(end.size()));
    return file && end == last_chunk;
}

std::string fingerprintOf(const std::string& text)
{
    std::uint64_t hash = 14695981039346656037ull;
    for (unsigned char c : text) hash = (hash ^ c) * 1099511628211ull;
    return fmt::format("{:016x}", hash);
}

}  // namespace flotsam
