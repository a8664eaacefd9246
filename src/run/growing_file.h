// A file that grows by complete lines and can be truncated to a length recorded in a checkpoint.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace flotsam {

class GrowingFile {
public:
    // Opens the file, truncates it to `bytes` (IoError if it is shorter) and appends from there.
    GrowingFile(const std::filesystem::path& path, uint64_t bytes);
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    void append(std::string_view text);  // throws IoError; the existing content stays
    void sync();                         // returns when the data is on disk
    uint64_t bytes() const { return length; }

private:
    std::filesystem::path path;
    int file;
    uint64_t length;
};

}  // namespace flotsam
