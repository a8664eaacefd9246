#include "cache/subprocess.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "core/error.h"

namespace flotsam {

namespace {

constexpr size_t tail_size = 4000;
constexpr int poll_ms = 50;
constexpr int cannot_start = 127;

// In the child, between fork and exec: only async-signal-safe calls.
[[noreturn]] void becomeProgram(char* const* argv, const char* dir, int error_pipe)
{
    setpgid(0, 0);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const int null = open("/dev/null", O_RDWR);
    if (chdir(dir) == 0 && null >= 0) {
        dup2(null, STDIN_FILENO);
        dup2(null, STDOUT_FILENO);
        dup2(error_pipe, STDERR_FILENO);
        execvp(argv[0], argv);
    }
    _exit(cannot_start);
}

struct Pipe {
    int read_end = -1, write_end = -1;

    Pipe()
    {
        int ends[2];
        if (pipe2(ends, O_CLOEXEC) != 0) throw IoError(fmt::format("cannot make a pipe: {}", std::strerror(errno)));
        read_end = ends[0];
        write_end = ends[1];
    }
    Pipe(const Pipe&) = delete;
    Pipe& operator=(const Pipe&) = delete;
    ~Pipe()
    {
        close(read_end);
        closeWriteEnd();
    }
    void closeWriteEnd()
    {
        if (write_end >= 0) close(write_end);
        write_end = -1;
    }
};

// Appends data that arrives within poll_ms; false at the end of the stream.
bool readSome(int fd, std::string& tail)
{
    pollfd waiting{fd, POLLIN, 0};
    if (poll(&waiting, 1, poll_ms) <= 0) return true;
    char buffer[4096];
    const ssize_t got = read(fd, buffer, sizeof buffer);
    if (got < 0 && errno == EINTR) return true;
    if (got <= 0) return false;
    tail.append(buffer, size_t(got));
    if (tail.size() > tail_size) tail.erase(0, tail.size() - tail_size);
    return true;
}

int waitForEnd(pid_t child)
{
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

std::filesystem::path findProgram(const std::string& name)
{
    const char* path = std::getenv("PATH");
    std::string folders = path ? path : "";
    for (size_t begin = 0; begin <= folders.size();) {
        const size_t end = std::min(folders.find(':', begin), folders.size());
        const std::filesystem::path candidate = std::filesystem::path(folders.substr(begin, end - begin)) / name;
        if (end > begin && access(candidate.c_str(), X_OK) == 0) return candidate;
        begin = end + 1;
    }
    return {};
}

ProcessResult runProcess(const std::vector<std::string>& argv, const std::filesystem::path& dir,
                         const std::function<bool()>& stopped)
{
    std::vector<char*> arguments;
    for (const std::string& a : argv) arguments.push_back(const_cast<char*>(a.c_str()));
    arguments.push_back(nullptr);
    Pipe errors;
    const pid_t child = fork();
    if (child < 0) throw IoError(fmt::format("cannot start {}: {}", argv[0], std::strerror(errno)));
    if (child == 0) becomeProgram(arguments.data(), dir.c_str(), errors.write_end);
    errors.closeWriteEnd();
    ProcessResult result;
    while (readSome(errors.read_end, result.error_tail))
        if (!result.stopped && stopped && stopped()) {
            result.stopped = true;
            kill(child, SIGKILL);
        }
    result.exit_code = waitForEnd(child);
    if (result.exit_code == cannot_start)
        throw IoError(fmt::format("cannot start {} in {}; is it installed?", argv[0], dir.string()));
    return result;
}

}  // namespace flotsam
