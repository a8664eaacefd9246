// Runs the program on damaged scenes, meshes, command lines and output folders: README.md.
#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <csignal>
#include <map>

#include "apps/commands.h"
#include "tests/fuzz/child.h"
#include "tests/fuzz/input.h"
#include "tests/unit/temporary_folder.h"

namespace flotsam::fuzz {

namespace {

namespace fs = std::filesystem;

struct Options {
    uint64_t inputs = 200, seed = 1, first = 0;
    std::string keep = "fuzz_failures", program = FLOTSAM_PROGRAM;
};

// The fault of an outcome; empty if there is none.
std::string faultOf(const Input& input, const Outcome& o)
{
    if (o.late) return fmt::format("not over after {:.0f} s", o.wall_s);
    if (o.interrupted && (o.code == exit_interrupted || o.signal == SIGINT)) return "";
    if (o.signal) return fmt::format("ended by signal {}", o.signal);
    if (o.code != 0 && o.code != 2 && o.code != 3 && o.code != 4) return fmt::format("exit code {}", o.code);
    if (o.code != 0 && o.err.empty()) return fmt::format("exit code {} without a message", o.code);
    if (input.valid && o.code != 0) return fmt::format("exit code {} for a valid scene", o.code);
    for (const char* words : {internal_error_text, no_memory_text})
        if (o.err.find(words) != o.err.npos) return words;
    return "";
}

// Quoted for a shell.
std::string quoted(const std::string& word)
{
    std::string text = "$'";
    for (const char c : word) {
        const bool plain = c >= ' ' && c != '\'' && c != '\\' && c != 127;
        text += plain ? std::string(1, c) : fmt::format("\\x{:02x}", static_cast<unsigned char>(c));
    }
    return text + "'";
}

void reportFailure(const Options& options, uint64_t number, const Input& input, const Outcome& outcome,
                   const std::string& fault)
{
    const fs::path folder = fs::absolute(fs::path(options.keep) / fmt::format("{}-{}", options.seed, number));
    writeFiles(input.files, folder);
    std::string command = fmt::format("cd {} && (ulimit -v 4194304; {}", quoted(folder.string()), options.program);
    for (const std::string& a : input.arguments) command += " " + quoted(a);
    fmt::print("input {} of seed {}: {}\n  {})\n  {}\n", number, options.seed, fault, command,
               outcome.err.substr(0, outcome.err.find('\n')));
    std::fflush(stdout);
}

int fuzzProgram(const Options& options)
{
    const TemporaryFolder temporary;
    const fs::path folder = temporary.path / "input", cache = temporary.path / "cache";
    const Corpus corpus = makeCorpus(options.program, temporary.path / "corpus");
    std::map<int, int> codes;
    int failures = 0;
    double slowest_s = 0;
    long largest_kB = 0;
    uint64_t slowest = 0, largest = 0;
    for (uint64_t n = options.first; n < options.first + options.inputs; ++n) {
        const Input input = makeInput(corpus, options.seed, n);
        writeFiles(input.files, folder);
        Limits limits;
        const bool runs = std::find(input.arguments.begin(), input.arguments.end(), "run") != input.arguments.end();
        if (runs) limits.interrupt_after_s = 5;
        const Outcome outcome = runProgram(options.program, input.arguments, folder, cache, limits);
        ++codes[outcome.code];
        if (outcome.wall_s > slowest_s) slowest = n, slowest_s = outcome.wall_s;
        if (outcome.memory_kB > largest_kB) largest = n, largest_kB = outcome.memory_kB;
        if (const std::string fault = faultOf(input, outcome); !fault.empty()) {
            reportFailure(options, n, input, outcome, fault);
            ++failures;
        }
        fs::remove_all(folder);
        if ((n + 1) % 1000 == 0) fmt::print(stderr, "{} inputs\n", n + 1);
    }
    fmt::print(
        "{} inputs from {} on, seed {}: {} failures; slowest {:.1f} s (input {}); largest {} MB (input {}); exit codes",
        options.inputs, options.first, options.seed, failures, slowest_s, slowest, largest_kB / 1024, largest);
    for (const auto& [code, count] : codes) fmt::print(" {}: {}", code, count);
    fmt::print("\n");
    return failures == 0 ? 0 : 1;
}

}  // namespace

}  // namespace flotsam::fuzz

int main(int argc, char** argv)
{
    flotsam::fuzz::Options options;
    CLI::App app("Runs flotsam on damaged inputs, and reports crashes, hangs and wrong exit codes.", "fuzz");
    app.add_option("--inputs", options.inputs, "How many inputs")->capture_default_str();
    app.add_option("--seed", options.seed, "Another seed gives other inputs")->capture_default_str();
    app.add_option("--first", options.first, "Number of the first input, to repeat one or to divide the work")
        ->capture_default_str();
    app.add_option("--keep", options.keep, "Folder for inputs that fail")->capture_default_str();
    app.add_option("--program", options.program, "The program to run")->capture_default_str();
    CLI11_PARSE(app, argc, argv);
    return flotsam::fuzz::fuzzProgram(options);
}
