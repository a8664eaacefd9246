// The program: parses the command line, runs one command, and returns its exit code.
#include <fmt/format.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <new>
#include <system_error>

#include "apps/commands.h"
#include "apps/hints.h"
#include "apps/process.h"
#include "core/error.h"
#include "core/parallel.h"
#include "core/print.h"
#include "scene/suggest.h"

namespace flotsam {

namespace {

constexpr int most_threads = 1024;

void describe(CLI::App& program)
{
    program.set_version_flag("--version", "flotsam " FLOTSAM_VERSION);
    program.require_subcommand(1);
    program.footer(
        "Start here:\n"
        "  flotsam run scenes/dam_break.toml --render     simulate, then render images and a video\n"
        "  flotsam run scenes/dam_break.toml --resume     resume after an interruption\n"
        "  flotsam check my_scene.toml                    what a run would cost, and what looks wrong\n"
        "'flotsam COMMAND --help' lists its options.\n\n"
        "Exit codes: 0 done, 1 a validation gate failed, 2 bad input, 3 the simulation failed,\n"
        "4 reading or writing failed, 130 interrupted.");
}

int say(const std::string& message, int code)
{
    std::fflush(stdout);
    print(stderr, "{}\n", message);
    return code;
}

// CLI11 does not suggest the nearest command for a mistyped one.
std::string unknownCommand(const CLI::App& program, const std::string& word)
{
    std::vector<std::string> names;
    for (const CLI::App* c : program.get_subcommands(nullptr)) names.push_back(c->get_name());
    const std::string near = nearestWord(word, names);
    return fmt::format(
        "flotsam: there is no command '{}'; {}", word,
        near.empty() ? fmt::format("see '{} --help'", programName()) : fmt::format("did you mean '{}'?", near));
}

int usageError(const CLI::App& program, const CLI::ParseError& e, int argc, char** argv)
{
    if (argc < 2) return say(program.help(), exit_bad_input);
    const auto given = program.get_subcommands();
    if (given.empty() && argv[1][0] != '-') return say(unknownCommand(program, argv[1]), exit_bad_input);
    const std::string command = given.empty() ? "" : " " + given.front()->get_name();
    return say(fmt::format("flotsam{}: {}; see '{}{} --help'", command, e.what(), programName(), command),
               exit_bad_input);
}

// Without "filesystem error:" and the name of the call.
std::string plainWords(const std::filesystem::filesystem_error& e)
{
    const std::string second = e.path2().empty() ? "" : fmt::format(" -> {}", e.path2().string());
    return fmt::format("{}{}: cannot be used: {}", e.path1().string(), second, e.code().message());
}

int perform(const Action& action)
{
    try {
        return action();
    } catch (const InputError& e) {
        return say(e.what(), exit_bad_input);
    } catch (const SimulationError& e) {
        return say(e.what(), exit_simulation_failed);
    } catch (const IoError& e) {
        return say(e.what(), exit_io_failed);
    } catch (const std::filesystem::filesystem_error& e) {
        return say(plainWords(e), exit_io_failed);
    } catch (const std::bad_alloc&) {
        return say(fmt::format("{}; use fewer cells (domain.cells) or a machine with more memory", no_memory_text),
                   exit_simulation_failed);
    } catch (const std::system_error& e) {
        return say(fmt::format("the system refused a resource: {}; free memory, or use fewer --threads", e.what()),
                   exit_simulation_failed);
    } catch (const std::exception& e) {
        return say(fmt::format("{}: {}; please report it with the scene", internal_error_text, e.what()),
                   exit_simulation_failed);
    }
}

int mainOfFlotsam(int argc, char** argv)
{
    openStandardStreams();
    if (argc > 0) setProgramName(argv[0]);
    std::signal(SIGPIPE, SIG_IGN);  // a closed pipe does not end a long run
    CLI::App program(
        "Flotsam simulates liquids and rigid bodies. It reads a scene file and writes surfaces, images, videos and a "
        "ledger.",
        "flotsam");
    Action action;
    describe(program);
    addRunCommand(program, action);
    addCheckCommand(program, action);
    addRenderCommand(program, action);
    addInfoCommand(program, action);
    addValidateCommand(program, action);
    addBenchCommand(program, action);
    try {
        program.parse(argc, argv);
    } catch (const CLI::ParseError& e) {
        return e.get_exit_code() == 0 ? program.exit(e) : usageError(program, e, argc, argv);
    }
    const int code = perform(action);
    if (code == exit_done && (std::fflush(stdout) != 0 || std::ferror(stdout)) && errno != EPIPE)
        return say(fmt::format("cannot write the output: {}", std::strerror(errno)), exit_io_failed);
    return code;
}

}  // namespace

void addThreadsOption(CLI::App& command)
{
    command
        .add_option_function<int>("--threads", backend::setThreads,
                                  "Number of threads; the result does not depend on it [default: all of the machine]")
        ->check(CLI::Range(1, most_threads))
        ->type_name("N");
}

}  // namespace flotsam

int main(int argc, char** argv) { return flotsam::mainOfFlotsam(argc, argv); }
