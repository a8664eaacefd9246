#include "bench/helper_program.h"

#include <fmt/format.h>

#include <sstream>

#include "cache/subprocess.h"
#include "core/error.h"

namespace flotsam {

std::filesystem::path findHelper(const std::string& name)
{
    std::error_code error;
    const std::filesystem::path path = std::filesystem::read_symlink("/proc/self/exe", error).parent_path() / name;
    return !error && std::filesystem::exists(path, error) ? path : std::filesystem::path();
}

Json runHelper(const std::vector<std::string>& command)
{
    const ProcessResult process = runProcess(command, std::filesystem::temp_directory_path(), {});
    std::istringstream lines(process.error_tail);
    if (process.exit_code == 0)
        for (std::string line; std::getline(lines, line);)
            if (line.starts_with('{')) return Json::parse(line);
    throw IoError(fmt::format("{} ended with code {}: {}", command.front(), process.exit_code, process.error_tail));
}

}  // namespace flotsam
