#include "run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <memory>

#include "cache/folder_lock.h"
#include "cache/ply.h"
#include "cache/safe_file.h"
#include "cache/vdb.h"
#include "core/error.h"
#include "core/print.h"
#include "liquid/extract.h"
#include "liquid/heat_surface.h"
#include "liquid/particles.h"
#include "rigid/from_scene.h"
#include "run/body_rows.h"
#include "run/checkpoint.h"
#include "run/failure.h"
#include "run/growing_file.h"
#include "run/ledger.h"
#include "run/model.h"
#include "scene/identity.h"
#include "scene/preflight.h"

namespace flotsam {

namespace {

namespace fs = std::filesystem;

void createFolder(const fs::path& path)
{
    std::error_code error;
    fs::create_directories(path, error);
    if (error) throw IoError(fmt::format("{}: cannot create the folder: {}", path.string(), error.message()));
}

// The scene is the first file of a run; one that was killed before it may have left its beginnings or the empty
// folders.
bool holdsRun(const fs::path& folder)
{
    if (fs::exists(folder / "scene.toml") || fs::exists(folder / "scene.toml.part")) return true;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if ((name != "frames" && name != "meshes" && name != "checkpoint") || !fs::is_empty(entry.path())) return false;
    }
    return true;
}

// An earlier run in the folder is kept under the first free name beside it.
void moveEarlierRunAside(const fs::path& folder)
{
    if (!fs::exists(folder)) return;
    if (!fs::is_directory(folder))
        throw InputError(fmt::format("{}: is not a folder; choose another --out", folder.string()));
    if (fs::is_empty(folder)) return;
    if (!holdsRun(folder))
        throw InputError(fmt::format("{}: is not empty and holds no run; choose another --out", folder.string()));
    for (int n = 1;; ++n) {
        const fs::path kept = folder.parent_path() / fmt::format("{}.{}", folder.filename().string(), n);
        if (fs::exists(kept)) continue;
        std::error_code error;
        fs::rename(folder, kept, error);
        if (error)
            throw IoError(fmt::format("{}: cannot move the earlier run aside: {}", folder.string(), error.message()));
        print(stderr, "{} held an earlier run; it is kept as {}\n", folder.string(), kept.string());
        return;
    }
}

uint64_t bytesOf(const fs::path& file)
{
    std::error_code none;
    const auto bytes = fs::file_size(file, none);
    return none ? 0 : bytes;
}

// Lines of the ledger; a last one that is not complete counts as well.
long long stepsIn(const fs::path& ledger)
{
    if (bytesOf(ledger) == 0) return 0;
    const std::string text = readWholeFile(ledger);
    return std::count(text.begin(), text.end(), '\n') + (text.back() != '\n');
}

// Why a checkpoint cannot be used with the files that grow, which it cuts back to the lengths they had then.
std::string tooShort(const fs::path& folder, const RunState& run)
{
    std::string reason;
    const auto compare = [&](const char* name, uint64_t needed) {
        if (const uint64_t bytes = bytesOf(folder / name); bytes < needed)
            reason += fmt::format("{}{} has {} of the {} bytes that it had then", reason.empty() ? "" : "; ", name,
                                  bytes, needed);
    };
    compare("ledger.jsonl", run.ledger_bytes);
    compare("bodies.csv", run.bodies_bytes);
    return reason;
}

// Prints what of a run is damaged, what is used instead and what is computed again; takes unusable checkpoints away
// from one that is used.
void reportDamage(const fs::path& folder, const CheckpointSearch& search, const LiquidState& state)
{
    const long long steps = stepsIn(folder / "ledger.jsonl");
    for (const UnusableCheckpoint& c : search.unusable) {
        const std::string kept =
            search.run ? fmt::format("; it is kept as {}", setAside(c.file).filename().string()) : "";
        print(stderr, "warning: {} cannot be used: {}{}\n", c.file.string(), c.reason, kept);
    }
    if (search.run && !search.unusable.empty())
        print(stderr, "warning: resuming from {} instead, at step {} (t = {:.4f} s); {} computed again\n",
              search.file.string(), state.step, state.t_s,
              steps > state.step ? fmt::format("steps {} to {} are", state.step + 1, steps) : "later steps are");
    if (!search.run && (steps > 0 || !search.unusable.empty()))
        print(stderr,
              "warning: {} has no usable checkpoint; the run starts from the beginning, and {} computed again\n",
              folder.string(), steps > 0 ? fmt::format("all of its {} steps are", steps) : "all of its steps are");
}

fs::path withoutSlash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

// The folder of a run and everything that is written there.
class Output {
public:
    Output(const Scene& scene_, const fs::path& folder_) : scene(scene_), folder(folder_)
    {
        createFolder(folder / "frames");
        createFolder(folder / "meshes");
        createFolder(folder / "checkpoint");
    }

    void writeScene() { writeFileAtomically(folder / "scene.toml", sceneToToml(scene)); }

    void writeSolids(double h_m)
    {
        for (const SolidSpec& solid : scene.solids)
            writeMeshPly(folder / "meshes" / (solid.name + ".ply"), makeShape(solid.shape, 0.5 * h_m)->triangulated());
    }

    void writeBodies(const RigidWorld& world)
    {
        for (int i = 0; i < world.moving(); ++i) {
            const Body& body = world.bodies[size_t(i)];
            writeMeshPly(folder / "meshes" / (body.name + ".ply"), body.collider->mesh);
        }
    }

    void writeFrame(Simulation& sim, int frame)
    {
        const KernelTimer timer("output.frame");
        const std::string name = fmt::format("{:04}", frame);
        if (scene.output.surface) {
            const SurfaceCorrection correction(sim.grid, escapedParticles(sim.grid, sim.state));
            const Extraction how{scene.surface.tetrahedra, 0.5 * sim.grid.h, &correction};
            SurfaceMesh surface = extractSurface(sim.grid, sim.barriers(), how, sim.state);
            if (scene.heat.on)
                surface.temperatures = temperaturesAt(sim.grid, sim.state, scene.heat.temperature_K, surface.positions);
            writeSurfacePly(folder / "frames" / (name + ".ply"), surface);
        }
        if (scene.output.volume) {
            LiquidState& s = sim.state;
            std::vector<ScalarField> others;
            if (s.viscosity_varies) others.push_back({"viscosity", s.viscosity});
            if (scene.heat.on) others.push_back({"temperature", s.temperature});
            if (scene.heat.on && scene.heat.latent_J_kg > 0) others.push_back({"melted", s.melted});
            writeVdb(folder / "frames" / (name + ".vdb"), sim.grid.cells, sim.grid.h, s.phi, s.u.u[0], s.u.u[1],
                     s.u.u[2], sim.grid.bricks, s.active.list, sim.grid.band, others);
        }
        if (scene.tracers.count > 0) writeTracers(sim, name);
    }

    const Scene& scene;
    fs::path folder;

private:
    void writeTracers(Simulation& sim, const std::string& name)
    {
        std::vector<std::array<float, 3>> positions, velocities;
        const float h = float(sim.grid.h);
        for (const Float3& p : sim.state.tracers) {
            const Float3 v = velocityAt(sim.state.u, p);
            positions.push_back({h * p.x, h * p.y, h * p.z});
            velocities.push_back({v.x, v.y, v.z});
        }
        writePointsPly(folder / "frames" / (name + ".tracers.ply"), positions, velocities);
    }
};

// The last step of a run that was good, with the lengths of its files.
struct LastGood {
    RunState run;
    int step;
    double t_s;
};

// Computes the last good step again from the newest checkpoint, with the same bits, and keeps it as a checkpoint: no
// run pays for a failure before it fails. Returns whether it got there before `stop`.
bool keepLastGood(const Scene& scene, const fs::path& folder, const std::string& identity, const LastGood& good,
                  const std::atomic<bool>& stop)
{
    Model model(scene, makeWorld(scene));
    const CheckpointSearch search = readCheckpoint(
        folder, identity, [](const RunState&) { return std::string(); }, model.sim, model.world);
    if (!search.run) throw IoError(fmt::format("{}: no checkpoint can be read", folder.string()));
    int frame = search.run->frame;
    while (model.sim.state.step < good.step && !stop) {
        const double frame_end_s = (frame + 1) / scene.time.fps;
        model.stepTowards(frame_end_s);
        if (model.sim.state.t_s == frame_end_s) ++frame;
    }
    if (model.sim.state.step < good.step) return false;
    writeCheckpoint(folder, identity, good.run, model.sim, model.world);
    return true;
}

// The same where it is needed, and what to tell the user of the newest checkpoint then. newest: its step.
std::string keptText(const Scene& scene, const fs::path& folder, const std::string& identity, const LastGood& good,
                     int newest, const std::atomic<bool>& stop)
{
    try {
        if (newest == good.step || keepLastGood(scene, folder, identity, good, stop))
            return fmt::format("The newest checkpoint is the last good state: step {}, t = {:.4f} s.", good.step,
                               good.t_s);
        return fmt::format("Interrupted before the last good state was kept; the newest checkpoint is of step {}.",
                           newest);
    } catch (const std::exception& e) {
        return fmt::format("The last good state could not be kept ({}); the newest checkpoint is of step {}.", e.what(),
                           newest);
    }
}

std::string warningOf(const StepReport& report)
{
    if (!report.viscosity.converged)
        return fmt::format("the viscous solve stopped at a residual of {:.2e} after {} iterations",
                           report.viscosity.residual, report.viscosity.iterations);
    if (report.pressure.converged) return {};
    return fmt::format("the pressure solve stopped at a residual of {:.2e} after {} iterations",
                       report.pressure.residual, report.pressure.iterations);
}

}  // namespace

RunEnd run(const Scene& scene, RigidWorld world_at_start, const RunOptions& options,
           const std::function<void(const RunProgress&)>& report, const std::atomic<bool>& stop)
{
    const auto start = std::chrono::steady_clock::now();
    const auto wall = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    // Throws for what cannot be simulated, before anything is written.
    const EnergyBound energy = energyBound(scene, inspect(scene), world_at_start);
    const fs::path out = withoutSlash(options.out);
    if (options.resume && fs::exists(out) && !holdsRun(out))
        throw InputError(fmt::format("{}: holds no run to resume; leave out --resume to start one", out.string()));
    const bool resumes = options.resume && fs::exists(out);
    const std::string_view taken = "another run is writing there; wait for it, or choose another --out";
    FolderLock earlier(out, taken);
    auto model = std::make_unique<Model>(scene, std::move(world_at_start));
    Simulation& sim = model->sim;
    RigidWorld& world = model->world;
    const std::string identity = sceneIdentity(scene);
    CheckpointSearch search;
    if (resumes)
        search = readCheckpoint(
            out / "checkpoint", identity, [&](const RunState& r) { return tooShort(out, r); }, sim, world);
    RunState done = search.run.value_or(RunState{});
    const bool restored = search.run.has_value();
    if (const int last = frameCount(scene.time); done.frame > last)
        throw InputError(
            fmt::format("{}: the run is at frame {} already, past the last frame {} of {} s; give a longer "
                        "time (--seconds), or leave out --resume to start again",
                        out.string(), done.frame, last, scene.time.seconds));
    if (resumes) reportDamage(out, search, sim.state);
    const bool had_begun = !search.unusable.empty() || bytesOf(out / "ledger.jsonl") > 0;
    if (!restored && (!resumes || had_begun)) moveEarlierRunAside(out);

    Output output(scene, out);
    const FolderLock lock = earlier.holds(out) ? std::move(earlier) : FolderLock(out, taken);
    output.writeScene();
    output.writeSolids(sim.grid.h);
    output.writeBodies(world);
    GrowingFile ledger(out / "ledger.jsonl", done.ledger_bytes), bodies(out / "bodies.csv", done.bodies_bytes);
    int newest_checkpoint = sim.state.step;
    const auto checkpoint = [&] {
        ledger.sync();
        bodies.sync();
        done.ledger_bytes = ledger.bytes();
        done.bodies_bytes = bodies.bytes();
        writeCheckpoint(out / "checkpoint", identity, done, sim, world);
        newest_checkpoint = sim.state.step;
    };
    RunProgress progress;
    progress.frames = frameCount(scene.time);
    progress.seconds = scene.time.seconds;
    const auto tell = [&](bool frame_written, std::string warning) {
        progress.step = sim.state.step;
        progress.frame = done.frame;
        progress.t_s = sim.state.t_s;
        progress.wall_s = wall();
        progress.frame_written = frame_written;
        progress.warning = std::move(warning);
        report(progress);
    };
    if (!restored) {
        bodies.append(bodies_header);
        bodies.append(bodyRows(sim.state.step, world));
        output.writeFrame(sim, 0);
        checkpoint();
    }
    tell(true, "");
    std::string warning;
    while (done.frame < progress.frames) {
        const double frame_end_s = (done.frame + 1) / scene.time.fps;
        while (sim.state.t_s < frame_end_s) {
            Profile profile;
            const ProfileScope scope(profile);
            const double step_start = wall();
            const LastGood good{{done.frame, 0, ledger.bytes(), bodies.bytes()}, sim.state.step, sim.state.t_s};
            const ModelStep step = model->stepTowards(frame_end_s);
            const Failure failure = failureOf(scene, step.liquid, world);
            ledger.append(ledgerLine(step, *model, energy, done.frame + 1, failure.what, profile, wall() - step_start));
            bodies.append(bodyRows(sim.state.step, world, step.impulses));
            if (failure) {
                ledger.sync();
                bodies.sync();
                if (newest_checkpoint < good.step)
                    tell(false, fmt::format("it failed; the state before it is computed again from step {} to be kept",
                                            newest_checkpoint));
                const std::string what = fmt::format("step {} (t = {:.4f} s): {}. {}", sim.state.step, sim.state.t_s,
                                                     failure.what, failure.remedy);
                model.reset();  // its memory is needed
                throw SimulationError(fmt::format(
                    "{}.\n{}", what, keptText(scene, out / "checkpoint", identity, good, newest_checkpoint, stop)));
            }
            progress.dt_s = step.liquid.dt_s;
            progress.volume_error =
                sim.state.volume_target_m3 > 0 ? step.liquid.liquid.volume_m3 / sim.state.volume_target_m3 - 1 : 0;
            progress.volume_given_back_m3 = sim.state.volume_given_back_m3;
            progress.volume_lost_m3 = sim.state.volume_lost_m3;
            warning = warningOf(step.liquid);
            if (sim.state.t_s == frame_end_s) break;
            tell(false, warning);
            if (stop) {
                checkpoint();
                return RunEnd::interrupted;
            }
        }
        output.writeFrame(sim, ++done.frame);
        const bool last = done.frame == progress.frames;
        if (stop || last || done.frame % scene.output.checkpoint_every_frames == 0) checkpoint();
        tell(true, warning);
        if (stop && !last) return RunEnd::interrupted;
    }
    return RunEnd::done;
}

}  // namespace flotsam
