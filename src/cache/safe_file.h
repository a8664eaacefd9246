// Files that are whole or not there: what a crash, a full disk or kill -9 leaves behind is the old file or the new one.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace flotsam {

// Writes "<path>.part" in the same folder, flushes it to the disk and renames it. Throws IoError with the path and the
// system's reason; then nothing is left of the new file and the old one is untouched.
void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

// Throws IoError as writeFileAtomically() would now, and changes nothing: for a file that comes at the end of long
// work.
void checkWritable(const std::filesystem::path& path);

// Throws IoError with the path and the system's reason.
std::string readWholeFile(const std::filesystem::path& path);

}  // namespace flotsam
