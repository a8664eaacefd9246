// bench memory: peak resident memory per cell of the domain, each case in a separate process.
#include <fmt/format.h>

#include "bench/benchmark.h"
#include "bench/helper_program.h"
#include "core/error.h"
#include "core/parallel.h"

namespace flotsam {

namespace {

constexpr int cells_along_side = 256;

BenchReport benchMemory(const Machine& machine)
{
    const std::filesystem::path program = findHelper("bench_memory");
    if (program.empty())
        throw IoError("bench_memory is not in the folder of the program; build it with 'cmake --build' and try again");
    BenchReport report;
    report.goals = {{"bytes_per_cell", "at most 120"}};
    for (const char* filling : {"dam", "full-tank"}) {
        announce(fmt::format("memory: two steps at {}^3, {}", cells_along_side, filling));
        Json result = {{"name", fmt::format("memory/{} {}", cells_along_side, filling)}};
        result.update(
            runHelper({program.string(), std::to_string(cells_along_side), filling, std::to_string(machine.threads)}));
        report.results.push_back(std::move(result));
    }
    return report;
}

}  // namespace

const Benchmark memory_benchmark{"memory", benchMemory};

}  // namespace flotsam
