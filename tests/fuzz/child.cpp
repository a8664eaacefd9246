#include "tests/fuzz/child.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <fstream>
#include <stdexcept>
#include <thread>

namespace flotsam::fuzz {

namespace {

// Sanitizers reserve address space that they never use.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool limits_address_space = false;
#else
constexpr bool limits_address_space = true;
#endif

void redirect(const char* file, int stream)
{
    const int opened = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (opened < 0 || dup2(opened, stream) < 0) _exit(127);
}

[[noreturn]] void becomeProgram(const std::string& program, const std::vector<std::string>& arguments,
                                const std::filesystem::path& folder, const std::filesystem::path& cache,
                                const Limits& limits)
{
    const rlimit no_core{0, 0}, memory{limits.address_space_B, limits.address_space_B};
    setrlimit(RLIMIT_CORE, &no_core);
    if (limits_address_space) setrlimit(RLIMIT_AS, &memory);
    redirect((folder.string() + ".out").c_str(), STDOUT_FILENO);
    redirect((folder.string() + ".err").c_str(), STDERR_FILENO);
    if (const int nothing = open("/dev/null", O_RDONLY); nothing < 0 || dup2(nothing, STDIN_FILENO) < 0) _exit(127);
    setenv("PATH", "/nonexistent", 1);
    setenv("FLOTSAM_CACHE", cache.c_str(), 1);
    for (const int s : {SIGINT, SIGTERM, SIGHUP}) signal(s, SIG_DFL);
    std::vector<char*> argv{const_cast<char*>(program.c_str())};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    if (chdir(folder.c_str()) == 0) execv(program.c_str(), argv.data());
    _exit(127);
}

std::string startOf(const std::string& file)
{
    std::string text(4096, '\0');
    std::ifstream in(file, std::ios::binary);
    in.read(text.data(), std::streamsize(text.size()));
    text.resize(size_t(in.gcount()));
    return text;
}

}  // namespace

Outcome runProgram(const std::string& program, const std::vector<std::string>& arguments,
                   const std::filesystem::path& folder, const std::filesystem::path& cache, const Limits& limits)
{
    const auto start = std::chrono::steady_clock::now();
    const pid_t child = fork();
    if (child < 0) throw std::runtime_error("cannot start a process");
    if (child == 0) becomeProgram(program, arguments, folder, cache, limits);
    Outcome outcome;
    int status = 0;
    rusage usage{};
    while (wait4(child, &status, WNOHANG, &usage) == 0) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        outcome.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        if (limits.interrupt_after_s > 0 && !outcome.interrupted && outcome.wall_s > limits.interrupt_after_s) {
            outcome.interrupted = true;
            kill(child, SIGINT);
        }
        if (outcome.wall_s > limits.wall_s) {
            outcome.late = true;
            kill(child, SIGKILL);
            wait4(child, &status, 0, &usage);
            break;
        }
    }
    if (WIFEXITED(status)) outcome.code = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) outcome.signal = WTERMSIG(status), outcome.code = 128 + outcome.signal;
    outcome.memory_kB = usage.ru_maxrss;
    outcome.err = startOf(folder.string() + ".err");
    return outcome;
}

}  // namespace flotsam::fuzz
