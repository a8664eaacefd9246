// One process at a time writes into a folder.
#pragma once

#include <filesystem>
#include <string_view>

namespace flotsam {

// Holds the folder until it goes; a folder that does not exist is held by nobody. Throws InputError with what to tell
// the user when another process holds it.
class FolderLock {
public:
    FolderLock(const std::filesystem::path& folder, std::string_view when_held);
    ~FolderLock();
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(const FolderLock&) = delete;

    // Whether this folder is the one that is held: it may have been moved since.
    bool holds(const std::filesystem::path& folder) const;

private:
    int file;
};

}  // namespace flotsam
