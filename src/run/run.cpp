#include "run/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "cache/folder_lock.h"
#include "cache/ply.h"
#include "cache/safe_file.h"
#include "cache/vdb.h"
#include "core/error.h"
#include "core/print.h"
#include "coupling/couple.h"
#include "liquid/extract.h"
#include "liquid/heat_surface.h"
#include "liquid/particles.h"
#include "rigid/from_scene.h"
#include "run/body_rows.h"
#include "run/checkpoint.h"
#include "run/growing_file.h"
#include "run/ledger.h"
#include "run/run_clock.h"
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

// Far above what the scene's heights and prescribed speeds can make: the numerics have failed.
double runawaySpeed(const Scene& scene)
{
    const Vec3 size = scene.domain.size_m();
    double speed = std::sqrt(2 * length(scene.domain.gravity_m_s2) * length(size));
    for (const auto& region : scene.liquid.regions) speed = std::max(speed, length(region.velocity_m_s));
    for (const auto& source : scene.liquid.sources) speed = std::max(speed, length(source.velocity_m_s));
    for (const auto& solid : scene.solids)
        speed = std::max(speed, length(solid.velocity_m_s) + length(solid.spin_rad_s) * length(size));
    for (const auto& body : scene.bodies)
        speed = std::max(speed, length(body.velocity_m_s) + length(body.spin_rad_s) * length(size));
    return 100 * (speed + 0.1);
}

void requireSane(const Scene& scene, const StepReport& report, const LiquidState& state)
{
    if (!std::isfinite(report.heat_J))
        throw SimulationError(
            fmt::format("step {} (t = {:.4f} s): the liquid's heat became {} J; the last good state "
                        "is in the newest checkpoint. Check [heat] and its sources",
                        state.step, state.t_s, report.heat_J));
    const double speed = report.liquid.max_speed_m_s;
    const Vec3 at = report.liquid.max_speed_at_m;
    if (std::isfinite(speed) && speed < runawaySpeed(scene)) return;
    throw SimulationError(
        fmt::format("step {} (t = {:.4f} s): the liquid's speed became {} m/s at ({:.3g}, {:.3g}, {:.3g}) m; the last "
                    "good state is in the newest checkpoint. Try a smaller time.cfl "
                    "or time.max_dt_s, or more cells around thin solids",
                    state.step, state.t_s, speed, at.x, at.y, at.z));
}

void requireSane(const Scene& scene, const RigidWorld& world, const LiquidState& state)
{
    const double speed = world.fastestIn({{}, scene.domain.size_m()});
    if (std::isfinite(speed) && speed < runawaySpeed(scene)) return;
    throw SimulationError(
        fmt::format("step {} (t = {:.4f} s): the speed of a body became {} m/s; the last good state is in the newest "
                    "checkpoint. Try a smaller rigid.max_dt_s",
                    state.step, state.t_s, speed));
}

// The clocks of liquid and bodies end a frame together, without what rounding left. What is prescribed then stands
// where a run that is resumed here would put it, to the last bit.
void landOn(double frame_end_s, double dt_s, Simulation& sim, RigidWorld& world)
{
    const bool ends = frame_end_s - sim.state.t_s < 1e-6 * dt_s;
    if (ends && sim.state.t_s != frame_end_s) {
        sim.state.t_s = frame_end_s;
        sim.restore();
    }
    if (world.state.t_s == sim.state.t_s) return;
    world.state.t_s = sim.state.t_s;
    world.restore();
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

RunEnd run(const Scene& scene, RigidWorld world, const RunOptions& options,
           const std::function<void(const RunProgress&)>& report, const std::atomic<bool>& stop)
{
    const auto start = std::chrono::steady_clock::now();
    const auto wall = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count(); };
    // Throws for what cannot be simulated, before anything is written.
    const EnergyBound energy = energyBound(scene, inspect(scene), world);
    const fs::path out = withoutSlash(options.out);
    if (options.resume && fs::exists(out) && !holdsRun(out))
        throw InputError(fmt::format("{}: holds no run to resume; leave out --resume to start one", out.string()));
    const bool resumes = options.resume && fs::exists(out);
    const std::string_view taken = "another run is writing there; wait for it, or choose another --out";
    FolderLock earlier(out, taken);
    ImmersedBodies* coupled = nullptr;
    Simulation::MakeImmersed couple;
    if (scene.hasLiquid() && world.moving() > 0)
        couple = [&](const Grid& grid, const Solids& solids) {
            auto made = makeImmersed(scene, grid, solids, world);
            coupled = made.get();
            return made;
        };
    Simulation sim(scene, couple);
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
    const auto checkpoint = [&] {
        ledger.sync();
        bodies.sync();
        done.ledger_bytes = ledger.bytes();
        done.bodies_bytes = bodies.bytes();
        writeCheckpoint(out / "checkpoint", identity, done, sim, world);
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
            const double dt_s = stepTowards(frame_end_s, sim);
            const StepReport step = scene.hasLiquid() ? sim.step(dt_s) : stepClock(dt_s, sim);
            const RigidReport contacts = coupled              ? coupled->report()
                                         : world.moving() > 0 ? world.step(dt_s)
                                                              : RigidReport{};
            const std::vector<StepImpulses> impulses = coupled ? coupled->impulses() : dryImpulses(world, dt_s);
            landOn(frame_end_s, dt_s, sim, world);
            requireSane(scene, step, sim.state);
            requireSane(scene, world, sim.state);
            ledger.append(ledgerLine(step, sim.state, energy, contacts, world, scene.heat.on, done.frame + 1, profile,
                                     wall() - step_start));
            bodies.append(bodyRows(sim.state.step, world, impulses));
            progress.dt_s = dt_s;
            progress.volume_error =
                sim.state.volume_target_m3 > 0 ? step.liquid.volume_m3 / sim.state.volume_target_m3 - 1 : 0;
            progress.volume_given_back_m3 = sim.state.volume_given_back_m3;
            progress.volume_lost_m3 = sim.state.volume_lost_m3;
            warning = warningOf(step);
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
