#include "bench/bench.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "bench/bandwidth.h"
#include "bench/benchmark.h"
#include "bench/table.h"
#include "cache/safe_file.h"
#include "core/error.h"
#include "core/parallel.h"

namespace flotsam {

namespace {

// A new benchmark is added here and declared in benchmark.h.
const Benchmark* const benchmarks[] = {&bandwidth_benchmark, &pressure_benchmark, &viscosity_benchmark,
                                       &step_benchmark,      &surface_benchmark,  &extract_benchmark,
                                       &memory_benchmark,    &threads_benchmark,  &melting_benchmark,
                                       &rigid_benchmark,     &papers_benchmark};

std::vector<const Benchmark*> chosen(const std::vector<std::string>& names)
{
    std::vector<const Benchmark*> result;
    for (const Benchmark* b : benchmarks)
        if (names.empty() || std::find(names.begin(), names.end(), b->name) != names.end()) result.push_back(b);
    for (const std::string& name : names)
        if (std::none_of(result.begin(), result.end(), [&](const Benchmark* b) { return b->name == name; }))
            throw InputError(
                fmt::format("there is no benchmark '{}'; the names are {}", name, fmt::join(benchNames(), ", ")));
    return result;
}

}  // namespace

void announce(const std::string& what) { fmt::print(stderr, "bench: {}\n", what); }

std::vector<std::string> benchNames()
{
    std::vector<std::string> names;
    for (const Benchmark* b : benchmarks) names.emplace_back(b->name);
    return names;
}

int runBench(const std::vector<std::string>& names, const std::string& json_path)
{
    const std::vector<const Benchmark*> wanted = chosen(names);
    announce("the memory's bandwidth");
    const Machine machine{backend::threads(), measureBandwidth()};
    fmt::print("bandwidth {:.1f} GB/s (triad, {} threads)\n", 1e-9 * machine.bandwidth_B_s, machine.threads);
    Json all = {
        {"bandwidth_GB_s", 1e-9 * machine.bandwidth_B_s}, {"threads", machine.threads}, {"results", Json::array()}};
    for (const Benchmark* b : wanted) {
        const BenchReport report = b->run(machine);
        fmt::print("\n{}", tableOf(b->name, report));
        std::fflush(stdout);
        for (const Json& result : report.results) all["results"].push_back(result);
    }
    if (!json_path.empty()) writeFileAtomically(json_path, all.dump(2) + "\n");
    return 0;
}

}  // namespace flotsam
