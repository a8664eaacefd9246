// Atomic file writes: after a crash, a full disk or kill -9, a path holds either the complete old or new file.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace flotsam {

// Writes "<path>.part" in the same folder, flushes it to disk and renames it. Throws IoError with the path and the
// system error; the new file is then removed and the old one unchanged.
void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes);

// Throws IoError if writeFileAtomically() would fail now, and changes nothing. For files written at the end of long
// work.
void checkWritable(const std::filesystem::path& path);

// Throws IoError with the path and the system error.
std::string readWholeFile(const std::filesystem::path& path);

}  // namespace flotsam
