// Interface of a benchmark: one file <name>.cpp that defines a Benchmark, and one line in the table of bench.cpp.
#pragma once

#include <chrono>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

namespace flotsam {

using Json = nlohmann::ordered_json;

// Measured at the start of every run; results are reported relative to it.
struct Machine {
    int threads = 0;
    double bandwidth_B_s = 0;  // STREAM triad, all threads
};

struct BenchReport {
    std::vector<Json> results;  // objects; "name" is "<benchmark>/<case>", the other keys are values
    std::vector<std::pair<std::string, std::string>> goals;  // by key of a result: the target, in words
    std::vector<std::string> notes;                          // remarks that a reader of the table needs
};

struct Benchmark {
    const char* name;
    BenchReport (*run)(const Machine&);
};

extern const Benchmark bandwidth_benchmark, pressure_benchmark, viscosity_benchmark, step_benchmark, surface_benchmark,
    extract_benchmark, memory_benchmark, threads_benchmark, melting_benchmark, rigid_benchmark, papers_benchmark;

// Prints to stderr what is being measured.
void announce(const std::string& what);

// Seconds that f takes.
template <class F>
double secondsOf(const F& f)
{
    const auto start = std::chrono::steady_clock::now();
    f();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// The shortest of several runs, the least disturbed by other processes.
template <class F>
double leastSecondsOf(int repetitions, const F& f)
{
    double least = secondsOf(f);
    for (int n = 1; n < repetitions; ++n) least = std::min(least, secondsOf(f));
    return least;
}

}  // namespace flotsam
