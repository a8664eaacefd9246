#include <fmt/format.h>
#include <unistd.h>

#include "bench/helper_program.h"
#include "bench/rivals.h"
#include "cache/subprocess.h"
#include "core/error.h"

namespace flotsam {

namespace {

// A file that is deleted with this object.
struct TemporaryFile {
    std::filesystem::path path =
        std::filesystem::temp_directory_path() / fmt::format("flotsam-bench-{}.system", getpid());

    TemporaryFile() = default;
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile()
    {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
    }
};

// Open MPI rejects root and more ranks than cores unless these variables are set; other MPIs ignore them.
const std::vector<std::string> launcher = {"env",
                                           "OMPI_ALLOW_RUN_AS_ROOT=1",
                                           "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1",
                                           "OMPI_MCA_rmaps_base_oversubscribe=1",
                                           "mpirun",
                                           "-n",
                                           "2"};

}  // namespace

std::optional<RivalResult> solveWithHypre(const LinearSystem& system, double tolerance_rel, std::string& why_not)
{
    const std::filesystem::path program = findHelper("bench_hypre_pfmg");
    if (program.empty() || findProgram("mpirun").empty()) {
        why_not =
            "not compared with hypre: hypre or MPI was not installed when this program was built (tools/install.sh "
            "--bench)";
        return {};
    }
    const TemporaryFile file;
    writeSystem(file.path, system);
    std::vector<std::string> command = launcher;
    command.insert(command.end(), {program.string(), file.path.string(), fmt::format("{}", tolerance_rel)});
    try {
        const Json measured = runHelper(command);
        return RivalResult{measured.at("set_up_seconds"), measured.at("seconds"), measured.at("iterations"),
                           measured.at("residual")};
    } catch (const IoError& e) {
        why_not = fmt::format("hypre was not compared: {}", e.what());
        return {};
    }
}

}  // namespace flotsam
