// flotsam info DIR: the scene and progress of a run, and a summary of its ledger.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "apps/commands.h"
#include "apps/hints.h"
#include "apps/ledger_brief.h"
#include "apps/progress.h"
#include "cache/folder_lock.h"
#include "core/error.h"
#include "core/print.h"
#include "scene/scene.h"

namespace flotsam {

namespace {

namespace fs = std::filesystem;

void row(const std::string& name, const std::string& value) { print(stdout, "  {:<16}{}\n", name, value); }

int countFiles(const fs::path& folder, const std::string& ending)
{
    int count = 0;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) count += entry.path().string().ends_with(ending);
    return count;
}

// In alphabetical order.
std::vector<std::string> namesIn(const fs::path& folder, const std::string& start, const std::string& ending)
{
    std::vector<std::string> names;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename().string();
        if (name.starts_with(start) && name.ends_with(ending)) names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

void printScene(const Scene& s)
{
    print(stdout, "{}\n", s.title);
    const Int3 n = s.domain.cells;
    row("grid", fmt::format("{} x {} x {} cells of {:.4g} m", n.x, n.y, n.z, s.domain.h()));
    row("time", fmt::format("{:.4g} s at {:.4g} frames per second", s.time.seconds, s.time.fps));
}

// A run locks its folder while it writes there.
bool isRunning(const fs::path& dir)
{
    try {
        const FolderLock lock(dir, "");
        return false;
    } catch (const InputError&) {
        return true;
    }
}

std::string runningText(const Scene* scene, const LedgerBrief& b)
{
    if (!scene || b.steps == 0) return "running";
    const double left_s = b.t_s > 0 ? b.wall_s / b.t_s * (scene->time.seconds - b.t_s) : 0;
    return fmt::format("running: {:.0f} % of {:.4g} s, about {} left", 100 * b.t_s / scene->time.seconds,
                       scene->time.seconds, durationText(left_s));
}

void printState(const fs::path& dir, const Scene* scene, const LedgerBrief& b)
{
    row("reached", fmt::format("t = {:.4f} s, frame {}, {} steps", b.t_s, b.frame, b.steps));
    const bool finished = scene && b.steps > 0 && b.t_s >= scene->time.seconds * (1 - 1e-9);
    std::error_code error;
    const bool resumable = fs::exists(dir / "checkpoint", error) && !fs::is_empty(dir / "checkpoint", error);
    row("state", isRunning(dir)       ? runningText(scene, b)
                 : !b.failure.empty() ? "failed: " + b.failure
                 : finished           ? "finished"
                 : resumable          ? fmt::format("not finished; '{} run ... --resume' continues", programName())
                                      : "not finished; no checkpoint");
}

void printLedger(const Scene* scene, const LedgerBrief& b)
{
    if (b.steps == 0) return;
    const bool dry = scene && !scene->hasLiquid();
    const double change = b.first_volume_m3 > 0 ? b.last_volume_m3 / b.first_volume_m3 - 1 : 0;
    const bool fed = b.last_target_m3 > 0 && scene && !scene->liquid.sources.empty();
    if (dry)
        row("bodies", fmt::format("{}; {} contacts at the end, overlaps of at most {:.3g} m", scene->bodies.size(),
                                  b.contacts, b.overlap_m));
    else if (fed)
        row("volume", fmt::format("{:.6g} m3 at the end; {:+.4f} % relative to its target", b.last_volume_m3,
                                  100 * (b.last_volume_m3 / b.last_target_m3 - 1)));
    else
        row("volume",
            fmt::format("{:.6g} m3 at the end; {:+.4f} % since the first step", b.last_volume_m3, 100 * change));
    if (const std::string account = volumeAccountText(b); !dry && !account.empty()) row("redistributed", account);
    row("fastest", fastestText(b.fastest, scene));
    if (!dry)
        row("pressure", fmt::format("{:.1f} iterations per step, at most {}; {} solves", double(b.iterations) / b.steps,
                                    b.most_iterations, b.solves));
    row("wall time", fmt::format("{} ({:.3g} s per step)", durationText(b.wall_s), b.wall_s / b.steps));
    double all = 0;
    for (const auto& [stage, seconds] : b.stage_s) all += seconds;
    for (const auto& [stage, seconds] : b.stage_s)
        row("", fmt::format("{:<16}{:5.1f} %", stage, all > 0 ? 100 * seconds / all : 0));
    if (b.unreadable_lines > 0)
        row("ledger",
            fmt::format("{} line{} could not be read", b.unreadable_lines, b.unreadable_lines == 1 ? "" : "s"));
}

void printFiles(const fs::path& dir)
{
    row("surfaces", fmt::format("{} frames/*.ply",
                                countFiles(dir / "frames", ".ply") - countFiles(dir / "frames", ".tracers.ply")));
    if (const int n = countFiles(dir / "frames", ".vdb")) row("volumes", fmt::format("{} frames/*.vdb", n));
    if (const int n = countFiles(dir / "frames", ".tracers.ply"))
        row("tracers", fmt::format("{} frames/*.tracers.ply", n));
    for (const std::string& images : namesIn(dir, "images", ""))
        if (const int n = countFiles(dir / images, ".png")) row("images", fmt::format("{} {}/*.png", n, images));
    for (const std::string& film : namesIn(dir, "video", ".mp4")) row("video", film);
}

int printInfo(const fs::path& dir)
{
    if (!fs::is_directory(dir)) throw InputError(fmt::format("{}: no such folder; check the path", dir.string()));
    if (!fs::exists(dir / "scene.toml") || !fs::exists(dir / "ledger.jsonl"))
        throw InputError(fmt::format("{}: not the output folder of a run; give the folder that '{} run' wrote",
                                     dir.string(), programName()));
    Scene scene;
    bool readable = true;
    try {
        scene = loadScene((dir / "scene.toml").string());
        printScene(scene);
    } catch (const InputError& e) {
        readable = false;
        print(stderr, "warning: {}\n", e.what());
    }
    const LedgerBrief brief = readLedger(dir / "ledger.jsonl");
    printState(dir, readable ? &scene : nullptr, brief);
    printLedger(readable ? &scene : nullptr, brief);
    printFiles(dir);
    if (const std::string warning = volumeWarning(brief, readable ? &scene : nullptr); !warning.empty())
        print(stderr, "warning: {}\n", warning);
    return exit_done;
}

}  // namespace

void addInfoCommand(CLI::App& program, Action& action)
{
    auto dir = std::make_shared<std::string>();
    CLI::App& c =
        *program.add_subcommand("info", "Print a summary of a run: progress, volume, speeds and time per stage");
    c.add_option("dir", *dir, "The output folder of a run")->required()->type_name("DIR");
    c.footer("Example:\n  flotsam info out/dam_break");
    c.callback([dir, &action] { action = [dir] { return printInfo(*dir); }; });
}

}  // namespace flotsam
