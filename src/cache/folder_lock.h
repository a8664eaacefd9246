// Ensures that only one process at a time writes into a folder.
#pragma once

#include <filesystem>
#include <string_view>

namespace flotsam {

// Locks the folder for the lifetime of this object; a folder that does not exist is not locked. Throws InputError with
// a message for the user when another process has the lock.
class FolderLock {
public:
    FolderLock(const std::filesystem::path& folder, std::string_view when_held);
    ~FolderLock();
    FolderLock(FolderLock&& other) noexcept;
    FolderLock& operator=(const FolderLock&) = delete;

    // Whether this folder is the locked one: it may have been moved since.
    bool holds(const std::filesystem::path& folder) const;

private:
    int file;
};

}  // namespace flotsam
