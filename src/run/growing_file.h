// A file that grows by whole lines and can be cut back to a length that a checkpoint remembers.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace flotsam {

class GrowingFile {
public:
    // Opens the file, cuts it to `bytes` (an IoError when it is shorter) and goes on from there.
    GrowingFile(const std::filesystem::path& path, uint64_t bytes);
    ~GrowingFile();
    GrowingFile(const GrowingFile&) = delete;
    GrowingFile& operator=(const GrowingFile&) = delete;

    void append(std::string_view text);  // throws IoError; what was there stays
    void sync();                         // on the disk before it returns
    uint64_t bytes() const { return length; }

private:
    std::filesystem::path path;
    int file;
    uint64_t length;
};

}  // namespace flotsam
