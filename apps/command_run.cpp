// flotsam run SCENE: simulates.
#include <fmt/format.h>

#include "apps/commands.h"
#include "apps/hints.h"
#include "apps/ledger_brief.h"
#include "apps/progress.h"
#include "apps/stop_signal.h"
#include "core/error.h"
#include "core/print.h"
#include "coupling/inspect_coupled.h"
#include "run/run.h"
#include "scene/preflight.h"
#include "scene/scene.h"

namespace flotsam {

namespace {

struct RunArguments {
    std::string scene, out, progress = "auto";
    std::vector<std::string> overrides;
    double seconds = 0;
    bool has_seconds = false, resume = false, render = false;
};

Scene loadWithArguments(const RunArguments& a)
{
    std::vector<std::string> overrides = a.overrides;
    if (!a.has_seconds) return loadScene(a.scene, overrides);
    const std::string seconds = fmt::format("time.seconds={}", a.seconds);
    overrides.push_back(seconds);
    try {
        return loadScene(a.scene, overrides);
    } catch (const InputError& e) {
        const std::string message = e.what(), prefix = "--set " + seconds;
        if (!message.starts_with(prefix)) throw;
        throw InputError(fmt::format("--seconds {}{}", a.seconds, message.substr(prefix.size())));
    }
}

// The same command with --resume.
std::string resumeCommand(const RunArguments& a, const std::string& out)
{
    std::string command = fmt::format("{} run {} --out {}", programName(), shellQuoted(a.scene), shellQuoted(out));
    for (const std::string& o : a.overrides) command += " --set " + shellQuoted(o);
    if (a.has_seconds) command += fmt::format(" --seconds {}", a.seconds);
    return command + " --resume" + (a.render ? " --render" : "");
}

void announce(const Scene& scene, const Preflight& p, const std::string& out)
{
    const Int3 n = scene.domain.cells;
    const std::string what = scene.hasLiquid() ? fmt::format("{} x {} x {} cells of {:.3g} m, {} of them liquid", n.x,
                                                             n.y, n.z, scene.domain.h(), p.liquid_cells)
                                               : fmt::format("{} bodies", scene.bodies.size());
    print(stdout, "{}: {}; {} frames, {:.4g} s -> {}\n", scene.title, what, p.frames + 1, scene.time.seconds, out);
    std::fflush(stdout);
}

// Volume lost by the surface and redistributed by the correction, over the entire run including before a resume.
void printVolumeAccount(const Scene& scene, const std::string& out, bool talks)
{
    const LedgerBrief brief = readLedger(std::filesystem::path(out) / "ledger.jsonl");
    const std::string account = volumeAccountText(brief), warning = volumeWarning(brief, &scene);
    if (talks && !account.empty()) print(stdout, "Volume redistributed: {}\n", account);
    if (!warning.empty()) print(stderr, "warning: {}\n", warning);
}

int runScene(const RunArguments& a)
{
    const Scene scene = loadWithArguments(a);
    const std::string out = a.out.empty() ? "out/" + scene.name : a.out;
    if (std::filesystem::exists(out) && !std::filesystem::is_directory(out))
        throw InputError(fmt::format("--out {}: this is a file; give a folder", out));
    const ProgressStyle style = progressStyle(a.progress);
    const bool talks = style == ProgressStyle::bar || style == ProgressStyle::lines;
    RigidWorld world = makeWorld(scene);
    const Preflight preflight = inspect(scene, out, summaryOf(scene, world));
    std::vector<std::string> warnings = inspectCoupled(scene, world).warnings;
    warnings.insert(warnings.end(), preflight.warnings.begin(), preflight.warnings.end());
    if (style != ProgressStyle::none)
        for (const std::string& w : warnings) print(stderr, "warning: {}\n", w);
    if (talks) announce(scene, preflight, out);

    ProgressPrinter printer(style);
    RunEnd end = RunEnd::done;
    try {
        end = run(
            scene, std::move(world), {out, a.resume}, [&](const RunProgress& p) { printer.report(p); },
            stopRequested());
    } catch (const SimulationError& e) {
        printer.finish();
        throw SimulationError(fmt::format("{}\nComplete output is in {}", e.what(), out));
    } catch (const IoError& e) {
        printer.finish();
        if (!std::filesystem::exists(std::filesystem::path(out) / "ledger.jsonl")) throw;
        throw IoError(withRemedy(e.what(), resumeCommand(a, out)));
    } catch (...) {
        printer.finish();
        throw;
    }
    printer.finish();
    if (end == RunEnd::interrupted) {
        print(stderr, "Interrupted at t = {:.4f} s. Continue with: {}\n", printer.last().t_s, resumeCommand(a, out));
        return exit_interrupted;
    }
    if (scene.hasLiquid() && style != ProgressStyle::none) printVolumeAccount(scene, out, talks);
    if (talks) print(stdout, "Done in {}: the output is in {}\n", durationText(printer.last().wall_s), out);
    if (a.render) return renderWholeRun(out);
    if (talks) print(stdout, "Next: {} render {}\n", programName(), shellQuoted(out));
    return exit_done;
}

}  // namespace

void addRunCommand(CLI::App& program, Action& action)
{
    auto a = std::make_shared<RunArguments>();
    CLI::App& c = *program.add_subcommand("run", "Simulate a scene into an output folder");
    c.add_option("scene", a->scene, "The scene file (.toml)")->required()->type_name("SCENE");
    c.add_option("--out", a->out, "The output folder [default: out/<scene name>]")->type_name("DIR");
    c.add_option("--set", a->overrides, "Override a key of the scene; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    CLI::Option* seconds =
        c.add_option("--seconds", a->seconds, "Simulated time; the same as --set time.seconds=S")->type_name("S");
    addThreadsOption(c);
    c.add_flag("--resume", a->resume, "Resume from the newest checkpoint in the output folder");
    c.add_option("--progress", a->progress,
                 "auto: a bar on a terminal, lines elsewhere; json: one object per line; none: no output")
        ->check(CLI::IsMember({"auto", "json", "none"}))
        ->type_name("STYLE");
    c.add_flag("--render", a->render, "Render images and a video after the run");
    c.footer(
        "Examples:\n"
        "  flotsam run scenes/dam_break.toml\n"
        "  flotsam run scenes/dam_break.toml --set domain.cells=[128,96,64] --seconds 2 --out out/fine\n"
        "  flotsam run scenes/stirred.toml --set solid.0.spin_rad_s=[0,8,0]\n"
        "  flotsam run scenes/dam_break.toml --resume      after Ctrl-C, a crash or a power failure");
    c.callback([a, seconds, &action] {
        a->has_seconds = seconds->count() > 0;
        action = [a] { return runScene(*a); };
    });
}

}  // namespace flotsam
