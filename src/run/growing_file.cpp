#include "run/growing_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "core/error.h"

namespace flotsam {

namespace {
[[noreturn]] void fail(const std::filesystem::path& path, const char* what)
{
    throw IoError(fmt::format("{}: {}: {}", path.string(), what, std::strerror(errno)));
}
}  // namespace

GrowingFile::GrowingFile(const std::filesystem::path& path_, uint64_t bytes)
    : path(path_), file(open(path_.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)), length(bytes)
{
    if (file < 0) fail(path, "cannot open");
    const off_t end = lseek(file, 0, SEEK_END);
    if (end < 0 || uint64_t(end) < bytes) {
        close(file);
        throw IoError(
            fmt::format("{}: shorter than recorded in its checkpoint ({} of {} bytes); the folder was changed since",
                        path.string(), end, bytes));
    }
    if (ftruncate(file, off_t(bytes)) != 0 || lseek(file, off_t(bytes), SEEK_SET) < 0) {
        const int reason = errno;
        close(file);
        errno = reason;
        fail(path, "cannot cut back");
    }
}

GrowingFile::~GrowingFile() { close(file); }

void GrowingFile::append(std::string_view text)
{
    while (!text.empty()) {
        const ssize_t n = write(file, text.data(), text.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(path, "cannot write");
        text.remove_prefix(size_t(n));
        length += uint64_t(n);
    }
}

void GrowingFile::sync()
{
    if (fdatasync(file) != 0) fail(path, "cannot write");
}

}  // namespace flotsam
