#include "cache/safe_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "core/error.h"

namespace flotsam {
namespace {

[[noreturn]] void fail(const std::filesystem::path& path, const char* verb, int error)
{
    throw IoError(fmt::format("{}: cannot {}: {}", path.string(), verb, std::strerror(error)));
}

// A file descriptor that closes itself.
struct Descriptor {
    int fd = -1;

    explicit Descriptor(int fd_) : fd(fd_) {}
    ~Descriptor()
    {
        if (fd >= 0) ::close(fd);
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
};

int openRetrying(const std::filesystem::path& path, int flags)
{
    int fd = -1;
    do fd = ::open(path.c_str(), flags | O_CLOEXEC, 0666);
    while (fd < 0 && errno == EINTR);
    return fd;
}

// 0, or the error number.
int writeAll(int fd, std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t n = ::write(fd, bytes.data(), bytes.size());
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return errno;
        bytes.remove_prefix(size_t(n));
    }
    return ::fsync(fd) == 0 || errno == EINVAL ? 0 : errno;  // EINVAL: a file system that cannot be flushed
}

// 0, or the error number.
int writeNewFile(const std::filesystem::path& path, std::string_view bytes)
{
    Descriptor file(openRetrying(path, O_WRONLY | O_CREAT | O_TRUNC));
    if (file.fd < 0) return errno;
    if (const int error = writeAll(file.fd, bytes)) return error;
    const int fd = std::exchange(file.fd, -1);
    return ::close(fd) == 0 ? 0 : errno;  // a network file system may report a full disk only here
}

// Makes the rename survive a power cut. A folder that cannot be flushed is not an error.
void flushFolder(const std::filesystem::path& folder)
{
    const Descriptor opened(openRetrying(folder.empty() ? "." : folder, O_RDONLY | O_DIRECTORY));
    if (opened.fd >= 0) ::fsync(opened.fd);
}

}  // namespace

void checkWritable(const std::filesystem::path& path)
{
    const std::filesystem::path part = path.string() + ".part";
    const int error = std::filesystem::is_directory(path) ? EISDIR : writeNewFile(part, "");
    ::unlink(part.c_str());
    if (error) fail(path, "write", error);
}

void writeFileAtomically(const std::filesystem::path& path, std::string_view bytes)
{
    const std::filesystem::path part = path.string() + ".part";
    int error = writeNewFile(part, bytes);
    if (!error && ::rename(part.c_str(), path.c_str()) != 0) error = errno;
    if (error) {
        ::unlink(part.c_str());
        fail(path, "write", error);
    }
    flushFolder(path.parent_path());
}

std::string readWholeFile(const std::filesystem::path& path)
{
    const Descriptor file(openRetrying(path, O_RDONLY));
    if (file.fd < 0) fail(path, "read", errno);
    struct stat info {};
    if (::fstat(file.fd, &info) != 0) fail(path, "read", errno);
    if (S_ISDIR(info.st_mode)) fail(path, "read", EISDIR);
    std::string bytes(size_t(info.st_size), '\0');
    size_t filled = 0;
    while (filled < bytes.size()) {
        const ssize_t n = ::read(file.fd, bytes.data() + filled, bytes.size() - filled);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) fail(path, "read", errno);
        if (n == 0) break;  // the file shrank meanwhile
        filled += size_t(n);
    }
    bytes.resize(filled);
    return bytes;
}

}  // namespace flotsam
