// Which images are whole and what they were made with, so that a second render makes only what is missing.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace flotsam {

// images/settings.txt: one line "frame fingerprint" for each image that was completed; the last line of a frame counts.
class ImageRecord {
public:
    explicit ImageRecord(std::filesystem::path images_dir);

    // The image is whole, newer than the frame's file and made with these settings.
    bool isCurrent(int frame, const std::filesystem::path& frame_file, const std::string& fingerprint) const;

    // There is a complete image that was made with other settings.
    bool holdsOtherThan(const std::string& fingerprint) const;

    // Moves a finished image to its place and notes it. Throws IoError.
    void accept(int frame, const std::filesystem::path& finished, const std::string& fingerprint);

    std::filesystem::path imageOf(int frame) const;

private:
    std::filesystem::path dir;
    std::map<int, std::string> fingerprints;
};

// A PNG file that ends as a PNG ends.
bool isWholePng(const std::filesystem::path& path);

// 16 hexadecimal digits (FNV-1a).
std::string fingerprintOf(const std::string& text);

}  // namespace flotsam
