#include "cache/picture_job.h"

#include <fmt/format.h>

#include <fstream>

#include "cache/image_record.h"
#include "cache/ply.h"
#include "cache/subprocess.h"
#include "core/error.h"

namespace flotsam {

namespace fs = std::filesystem;

namespace {

fs::path tracerFile(const fs::path& run_dir, int frame)
{
    return run_dir / "frames" / fmt::format("{:04}.tracers.ply", frame);
}

std::vector<DrawnBody> drawnBodies(const PictureJob& job, size_t frame)
{
    std::vector<DrawnBody> bodies;
    if (job.scene.bodies.empty()) return bodies;
    if (frame >= job.body_frames.size() || job.body_frames[frame].empty())
        throw IoError(fmt::format("{}: has no row for frame {}; run the scene again",
                                  (job.run_dir / "bodies.csv").string(), frame));
    for (size_t i = 0; i < job.scene.bodies.size(); ++i)
        bodies.push_back({&job.body_meshes[i], job.scene.bodies[i].material, job.body_frames[frame][i]});
    return bodies;
}

PictureFrame readFrame(const PictureJob& job, int frame)
{
    PictureFrame picture;
    picture.surface = readSurfacePly(frameFile(job.run_dir, frame));
    const double t_s = frame / job.scene.time.fps;
    for (const PlacedSolid& s : job.solids) picture.solids.push_back(placedAt(s.spec, s.center_m, s.mesh, t_s));
    picture.bodies = drawnBodies(job, size_t(frame));
    const fs::path tracers = tracerFile(job.run_dir, frame);
    if (fs::exists(tracers)) {
        MovingPoints points = readPointsPly(tracers);
        picture.tracers = std::move(points.positions);
        picture.tracer_velocities = std::move(points.velocities);
    }
    return picture;
}

// POV-Ray may read and write only where povray.conf allows it; on Debian that is the working folder, so the command
// runs there with plain file names.
std::vector<std::string> povrayCommand(const PictureJob& job, const std::string& name)
{
    const bool final = job.params.quality == PictureQuality::final;
    return {"povray",
            "+I" + name + ".pov",
            "+O" + name + ".png",
            "+FN8",
            fmt::format("+W{}", job.params.width),
            fmt::format("+H{}", job.params.height),
            fmt::format("+WT{}", job.threads),
            final ? "+A0.1" : "+A0.3",
            "+AM2",
            "+R2",
            "+Q9",
            "-J",
            "-D",
            "-P",
            "-C",
            "-UA",
            "-GD",
            "-GR",
            "-GS",
            "-GW"};
}

void writeInput(const fs::path& path, const std::string& text)
{
    std::ofstream file(path, std::ios::binary);
    file << text << std::flush;
    if (!file) throw IoError(fmt::format("{}: cannot be written; is the disk full?", path.string()));
}

}  // namespace

fs::path frameFile(const fs::path& run_dir, int frame) { return run_dir / "frames" / fmt::format("{:04}.ply", frame); }

std::vector<PlacedSolid> makeSolids(const Scene& scene)
{
    std::vector<PlacedSolid> solids;
    for (const SolidSpec& spec : scene.solids) {
        const auto shape = makeShape(spec.shape, 0.5 * scene.domain.h());
        solids.push_back({spec, shape->bounds().center(), shape->triangulated()});
    }
    return solids;
}

void readBodies(PictureJob& job)
{
    std::vector<std::string> names;
    for (const BodySpec& body : job.scene.bodies) {
        names.push_back(body.name);
        job.body_meshes.push_back(loadMesh((job.run_dir / "meshes" / (body.name + ".ply")).string()));
    }
    if (!names.empty()) job.body_frames = readBodyPoses(job.run_dir / "bodies.csv", names, job.scene.time.fps);
}

std::string settingsOf(const PictureJob& job)
{
    PictureFrame still;  // one triangle of liquid and one tracer, for their materials
    still.surface.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    still.surface.triangles = {{0, 1, 2}};
    still.tracers = {{0, 0, 0}};
    for (const PlacedSolid& s : job.solids) still.solids.push_back(s.mesh);
    for (size_t i = 0; i < job.body_meshes.size(); ++i)
        still.bodies.push_back({&job.body_meshes[i], job.scene.bodies[i].material, {}});
    const char* quality = job.params.quality == PictureQuality::final ? "final" : "draft";
    return fmt::format("{}x{} {}\n", job.params.width, job.params.height, quality) +
           povScene(job.scene, still, job.params);
}

fs::path tracePicture(const PictureJob& job, int frame, const std::function<bool()>& stopped)
{
    const std::string name = fmt::format("{:04}", frame);
    const fs::path text = job.work_dir / (name + ".pov"), image = job.work_dir / (name + ".png");
    writeInput(text, povScene(job.scene, readFrame(job, frame), job.params));
    const ProcessResult result = runProcess(povrayCommand(job, name), job.work_dir, stopped);
    if (result.stopped) return {};
    if (result.exit_code != 0 || !isWholePng(image))
        throw IoError(fmt::format("POV-Ray failed on frame {} (exit code {}); its last words were:\n{}", frame,
                                  result.exit_code, result.error_tail));
    fs::remove(text);
    return image;
}

}  // namespace flotsam
