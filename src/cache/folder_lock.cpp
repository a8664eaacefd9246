#include "cache/folder_lock.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "core/error.h"

namespace flotsam {

FolderLock::FolderLock(const std::filesystem::path& folder, std::string_view when_held)
    : file(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC))
{
    if (file < 0 || flock(file, LOCK_EX | LOCK_NB) == 0) return;
    close(file);
    throw InputError(fmt::format("{}: {}", folder.string(), when_held));
}

FolderLock::FolderLock(FolderLock&& other) noexcept : file(std::exchange(other.file, -1)) {}

FolderLock::~FolderLock()
{
    if (file >= 0) close(file);
}

bool FolderLock::holds(const std::filesystem::path& folder) const
{
    struct stat held, there;
    return file >= 0 && fstat(file, &held) == 0 && stat(folder.c_str(), &there) == 0 && held.st_ino == there.st_ino &&
           held.st_dev == there.st_dev;
}

}  // namespace flotsam
