// Records which images are complete and their settings, so that a second render creates only missing images.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace flotsam {

// images/settings.txt: one line "frame fingerprint" per completed image; the last line of a frame counts.
class ImageRecord {
public:
    explicit ImageRecord(std::filesystem::path images_dir);

    // The image is complete, newer than the frame file and was rendered with these settings.
    bool isCurrent(int frame, const std::filesystem::path& frame_file, const std::string& fingerprint) const;

    // There is a complete image that was rendered with other settings.
    bool holdsOtherThan(const std::string& fingerprint) const;

    // Moves a finished image to its final path and records it. Throws IoError.
    void accept(int frame, const std::filesystem::path& finished, const std::string& fingerprint);

    std::filesystem::path imageOf(int frame) const;

private:
    std::filesystem::path dir;
    std::map<int, std::string> fingerprints;
};

// A PNG file that ends with the PNG end marker.
bool isWholePng(const std::filesystem::path& path);

// 16 hexadecimal digits (FNV-1a).
std::string fingerprintOf(const std::string& text);

}  // namespace flotsam
