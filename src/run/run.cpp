#include "run/run.h"

#include <fmt/format.h>

#include <chrono>
#include <memory>
#include <optional>

#include "cache/folder_lock.h"
#include "cache/ply.h"
#include "cache/safe_file.h"
#include "cache/vdb.h"
#include "core/error.h"
#include "core/print.h"
#include "core/time_loop.h"
#include "coupling/simulation.h"
#include "run/body_rows.h"
#include "run/checkpoint.h"
#include "run/failure.h"
#include "run/growing_file.h"
#include "run/joint_lines.h"
#include "run/last_good.h"
#include "run/ledger.h"
#include "run/resume.h"
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

// scene.toml is the first file of a run; a run killed before may have left a partial file or empty folders.
bool holdsRun(const fs::path& folder)
{
    if (fs::exists(folder / "scene.toml") || fs::exists(folder / "scene.toml.part")) return true;
    for (const auto& entry : fs::directory_iterator(folder)) {
        const std::string name = entry.path().filename().string();
        if ((name != "frames" && name != "meshes" && name != "checkpoint") || !fs::is_empty(entry.path())) return false;
    }
    return true;
}

// An earlier run in the folder is renamed to the first free name next to it.
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
        print(stderr, "{} contained an earlier run; it is kept as {}\n", folder.string(), kept.string());
        return;
    }
}

fs::path withoutSlash(const fs::path& path) { return path.has_filename() ? path : path.parent_path(); }

// The folder of a run and everything written there.
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
        if (scene.output.surface)
            writeSurfacePly(folder / "frames" / (name + ".ply"), extractSurface(sim, 0.5 * sim.liquid.grid.h));
        if (scene.output.volume) {
            LiquidState& s = sim.liquid.state;
            std::vector<ScalarField> others;
            if (s.viscosity_varies) others.push_back({"viscosity", s.viscosity});
            if (scene.heat.on) others.push_back({"temperature", s.temperature});
            if (scene.heat.on && scene.heat.latent_J_kg > 0) others.push_back({"melted", s.melted});
            writeVdb(folder / "frames" / (name + ".vdb"), sim.liquid.grid.cells, sim.liquid.grid.h, s.phi, s.u.u[0],
                     s.u.u[1], s.u.u[2], sim.liquid.grid.bricks, s.active.list, sim.liquid.grid.band, others);
        }
        if (scene.tracers.count > 0) writeTracers(sim, name);
    }

    const Scene& scene;
    fs::path folder;

private:
    void writeTracers(Simulation& sim, const std::string& name)
    {
        std::vector<std::array<float, 3>> positions, velocities;
        const float h = float(sim.liquid.grid.h);
        for (const Float3& p : sim.liquid.state.tracers) {
            const Float3 v = velocityAt(sim.liquid.state.u, p);
            positions.push_back({h * p.x, h * p.y, h * p.z});
            velocities.push_back({v.x, v.y, v.z});
        }
        writePointsPly(folder / "frames" / (name + ".tracers.ply"), positions, velocities);
    }
};

std::string warningOf(const StepReport& report, const RigidWorld& world)
{
    if (report.contacts.cut_substeps)
        return fmt::format("the bodies require more than {} substeps; they may pass through each other",
                           report.contacts.substeps);
    if (!world.joints.converged()) return "the joints were not solved exactly in this step";
    if (!report.viscosity.converged)
        return fmt::format("the viscous solve stopped at a residual of {:.2e} after {} iterations",
                           report.viscosity.residual, report.viscosity.iterations);
    if (report.pressure.converged) return {};
    return fmt::format("the pressure solve stopped at a residual of {:.2e} after {} iterations",
                       report.pressure.residual, report.pressure.iterations);
}

struct TimedStep {
    StepReport step;
    Profile profile;
    double wall_s = 0;
};

// A simulation whose steps are timed.
struct TimedSimulation {
    double t_s() const { return sim.t_s(); }
    TimedStep stepTowards(double frame_end_s)
    {
        const auto start = std::chrono::steady_clock::now();
        TimedStep timed;
        const ProfileScope scope(timed.profile);
        timed.step = sim.stepTowards(frame_end_s);
        timed.wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        return timed;
    }

    Simulation& sim;
};

}  // namespace

RunEnd run(const Scene& scene, RigidWorld world_at_start, const RunOptions& options,
           const std::function<void(const RunProgress&)>& report, const std::atomic<bool>& stop)
{
    const auto start = std::chrono::steady_clock::now();
    const auto wall = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    // Throws for scenes that cannot be simulated, before anything is written.
    const EnergyBound energy = energyBound(scene, inspect(scene), world_at_start);
    const fs::path out = withoutSlash(options.out);
    if (options.resume && fs::exists(out) && !holdsRun(out))
        throw InputError(fmt::format("{}: holds no run to resume; leave out --resume to start one", out.string()));
    const bool resumes = options.resume && fs::exists(out);
    const std::string_view taken = "another run is writing there; wait for it, or choose another --out";
    FolderLock earlier(out, taken);
    auto owned = std::make_unique<Simulation>(scene, std::move(world_at_start));
    Simulation& sim = *owned;
    RigidWorld& world = sim.world;
    const std::string identity = sceneIdentity(scene);
    CheckpointSearch search;
    if (resumes) search = findCheckpoint(out, identity, sim);
    RunState done = search.run.value_or(RunState{});
    const bool restored = search.run.has_value();
    if (const int last = frameCount(scene.time); done.frame > last)
        throw InputError(
            fmt::format("{}: the run is at frame {} already, past the last frame {} of {} s; give a longer "
                        "time (--seconds), or leave out --resume to start again",
                        out.string(), done.frame, last, scene.time.seconds));
    if (resumes) reportDamage(out, search, sim.liquid.state);
    if (!restored && (!resumes || hasBegun(out, search))) moveEarlierRunAside(out);

    Output output(scene, out);
    const FolderLock lock = earlier.holds(out) ? std::move(earlier) : FolderLock(out, taken);
    output.writeScene();
    output.writeSolids(sim.liquid.grid.h);
    output.writeBodies(world);
    GrowingFile ledger(out / "ledger.jsonl", done.ledger_bytes), bodies(out / "bodies.csv", done.bodies_bytes);
    std::optional<GrowingFile> joints;
    if (!scene.joints.empty()) joints.emplace(out / "joints.csv", done.joints_bytes);
    const auto syncAll = [&] {
        ledger.sync();
        bodies.sync();
        if (joints) joints->sync();
    };
    const auto setLengths = [&](RunState& s) {
        s.ledger_bytes = ledger.bytes();
        s.bodies_bytes = bodies.bytes();
        s.joints_bytes = joints ? joints->bytes() : 0;
    };
    int newest_checkpoint = sim.liquid.state.step;
    const auto checkpoint = [&] {
        syncAll();
        setLengths(done);
        writeCheckpoint(out / "checkpoint", identity, done, sim);
        newest_checkpoint = sim.liquid.state.step;
    };
    RunProgress progress;
    progress.frames = frameCount(scene.time);
    progress.seconds = scene.time.seconds;
    const auto tell = [&](bool frame_written, std::string warning) {
        progress.step = sim.liquid.state.step;
        progress.frame = done.frame;
        progress.t_s = sim.liquid.state.t_s;
        progress.wall_s = wall();
        progress.frame_written = frame_written;
        progress.warning = std::move(warning);
        report(progress);
    };
    if (!restored) {
        bodies.append(bodies_header);
        bodies.append(bodyRows(sim));
        if (joints) joints->append(joints_header + jointLines(sim.liquid.state.step, world));
        output.writeFrame(sim, 0);
        checkpoint();
    }
    tell(true, "");
    std::string warning;
    bool stopped = false;
    TimedSimulation timed{sim};
    while (done.frame < progress.frames) {
        const double frame_end_s = (done.frame + 1) / scene.time.fps;
        const auto lastGood = [&] {
            RunState files{.frame = done.frame};
            setLengths(files);
            return LastGood{files, sim.liquid.state.step, sim.liquid.state.t_s};
        };
        LastGood good = lastGood();
        advanceTo(frame_end_s, timed, [&](const TimedStep& now) {
            const StepReport& step = now.step;
            const Failure failure = failureOf(scene, step, world);
            ledger.append(ledgerLine(step, sim, energy, done.frame + 1, failure.what, now.profile, now.wall_s));
            bodies.append(bodyRows(sim, step.impulses));
            if (joints) joints->append(jointLines(sim.liquid.state.step, world));
            if (failure) {
                syncAll();
                if (newest_checkpoint < good.step)
                    tell(false, fmt::format("it failed; the state before it is computed again from step {} to be kept",
                                            newest_checkpoint));
                const std::string what = fmt::format("step {} (t = {:.4f} s): {}. {}", sim.liquid.state.step,
                                                     sim.liquid.state.t_s, failure.what, failure.remedy);
                owned.reset();  // frees its memory
                throw SimulationError(fmt::format(
                    "{}.\n{}", what, keepLastGood(scene, out / "checkpoint", identity, good, newest_checkpoint, stop)));
            }
            progress.dt_s = step.dt_s;
            progress.volume_error = sim.liquid.state.volume_target_m3 > 0
                                        ? step.liquid.volume_m3 / sim.liquid.state.volume_target_m3 - 1
                                        : 0;
            progress.volume_given_back_m3 = sim.liquid.state.volume_given_back_m3;
            progress.volume_lost_m3 = sim.liquid.state.volume_lost_m3;
            warning = warningOf(step, world);
            good = lastGood();
            if (sim.liquid.state.t_s == frame_end_s) return true;
            tell(false, warning);
            stopped = stop;
            return !stopped;
        });
        if (stopped) {
            checkpoint();
            return RunEnd::interrupted;
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
