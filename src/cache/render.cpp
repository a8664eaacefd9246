#include "cache/render.h"

#include <fmt/format.h>

#include <exception>
#include <mutex>
#include <system_error>
#include <thread>

#include "cache/folder_lock.h"
#include "cache/image_record.h"
#include "cache/picture_job.h"
#include "cache/subprocess.h"
#include "cache/video.h"
#include "core/error.h"
#include "core/parallel.h"

namespace flotsam {

namespace fs = std::filesystem;

namespace {

constexpr int smallest_side = 16, largest_side = 16384;  // [pixels]

PictureQuality qualityOf(const std::string& word)
{
    if (word == "draft") return PictureQuality::draft;
    if (word == "final") return PictureQuality::final;
    throw InputError(fmt::format("quality '{}' is unknown; use draft or final", word));
}

void checkSize(int width, int height)
{
    if (std::min(width, height) < smallest_side || std::max(width, height) > largest_side || width % 2 || height % 2)
        throw InputError(fmt::format("images of {}x{} cannot be encoded as a video; use even sides of {} to {} pixels",
                                     width, height, smallest_side, largest_side));
}

// The highest NNNN of frames/NNNN.ply, or -1.
int lastFrameIn(const fs::path& dir)
{
    int last = -1;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(dir / "frames", error)) {
        const std::string name = entry.path().stem().string();
        const bool number = !name.empty() && name.size() < 9 && name.find_first_not_of("0123456789") == name.npos;
        if (entry.path().extension() == ".ply" && number) last = std::max(last, std::stoi(name));
    }
    return last;
}

struct FrameRange {
    int first = 0, last = 0;
    bool all = false;  // frames of the run

    int count() const { return last - first + 1; }
};

FrameRange findFrames(const RenderOptions& options)
{
    const fs::path& dir = options.dir;
    const int last_there = lastFrameIn(dir);
    if (last_there < 0)
        throw InputError(fmt::format("{}: no frame has been written; run the scene with output.surface = true",
                                     (dir / "frames").string()));
    const int last = options.last_frame < 0 ? last_there : options.last_frame;
    const FrameRange range{options.first_frame, last, options.first_frame == 0 && last == last_there};
    if (range.first < 0 || range.first > range.last || range.last > last_there)
        throw InputError(fmt::format("{}: frames {} to {} are not there; the run has frames 0 to {}",
                                     (dir / "frames").string(), range.first, range.last, last_there));
    for (int f = range.first; f <= range.last; ++f)
        if (!fs::exists(frameFile(dir, f)))
            throw InputError(fmt::format("{}: the frame is missing; render another range or run the scene again",
                                         frameFile(dir, f).string()));
    return range;
}

void requirePrograms()
{
    for (const char* name : {"povray", "ffmpeg"})
        if (findProgram(name).empty())
            throw InputError(fmt::format("{} is not installed; install the package '{}'", name, name));
}

void makeFolder(const fs::path& path)
{
    std::error_code error;
    fs::create_directories(path, error);
    if (error) throw IoError(fmt::format("{}: cannot be made: {}", path.string(), error.message()));
}

// A folder that is empty at the start and deleted at the end.
struct WorkFolder {
    fs::path path;

    explicit WorkFolder(fs::path p) : path(std::move(p))
    {
        std::error_code error;
        fs::remove_all(path, error);
        makeFolder(path);
    }
    WorkFolder(const WorkFolder&) = delete;
    WorkFolder& operator=(const WorkFolder&) = delete;
    ~WorkFolder()
    {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

std::vector<int> framesToTrace(const PictureJob& job, FrameRange range, const ImageRecord& record,
                               const std::string& fingerprint)
{
    std::vector<int> frames;
    for (int f = range.first; f <= range.last; ++f)
        if (!record.isCurrent(f, frameFile(job.run_dir, f), fingerprint)) frames.push_back(f);
    return frames;
}

// The images still to be rendered, shared by threads that each wait for one POV-Ray process.
struct Queue {
    const PictureJob& job;
    const RenderOptions& options;
    const std::vector<int> frames;
    const std::string fingerprint;
    const int total;
    ImageRecord& record;
    std::mutex mutex = {};
    size_t next = 0;
    int done = 0;
    std::exception_ptr failure = nullptr;
    std::atomic<bool> failed = false;

    bool stopped() const { return failed || (options.stop && *options.stop); }
};

void reportDone(Queue& queue)
{
    if (queue.options.report) queue.options.report(queue.done, queue.total);
}

// The next frame, or -1 at the end.
int takeFrame(Queue& queue)
{
    const std::lock_guard lock(queue.mutex);
    return queue.next < queue.frames.size() && !queue.stopped() ? queue.frames[queue.next++] : -1;
}

void traceUntilEmpty(Queue& queue)
{
    try {
        for (int frame = takeFrame(queue); frame >= 0; frame = takeFrame(queue)) {
            const fs::path image = tracePicture(queue.job, frame, [&] { return queue.stopped(); });
            if (image.empty()) return;
            const std::lock_guard lock(queue.mutex);
            queue.record.accept(frame, image, queue.fingerprint);
            ++queue.done;
            reportDone(queue);
        }
    } catch (...) {
        const std::lock_guard lock(queue.mutex);
        if (!queue.failure) queue.failure = std::current_exception();
        queue.failed = true;
    }
}

void traceAll(Queue& queue, int processes)
{
    queue.done = queue.total - int(queue.frames.size());
    reportDone(queue);
    std::vector<std::thread> threads;
    try {
        for (int i = 1; i < processes; ++i) threads.emplace_back([&] { traceUntilEmpty(queue); });
    } catch (const std::system_error&) {
        // No more threads can be started; the running ones render all images.
    }
    traceUntilEmpty(queue);
    for (std::thread& t : threads) t.join();
    if (queue.failure) std::rethrow_exception(queue.failure);
}

PictureJob makeJob(const RenderOptions& options)
{
    PictureJob job;
    job.run_dir = options.dir;
    job.params = {options.width, options.height, qualityOf(options.quality)};
    job.scene = loadScene((options.dir / "scene.toml").string());
    job.solids = makeSolids(job.scene);
    readBodies(job);
    return job;
}

// images/ has one size and quality: a partial render with other settings gets a separate folder.
fs::path imagesFolder(const RenderOptions& options, FrameRange range, const std::string& fingerprint)
{
    const fs::path images = options.dir / "images";
    if (range.all || !ImageRecord(images).holdsOtherThan(fingerprint)) return images;
    return options.dir / fmt::format("images_{}x{}_{}", options.width, options.height, options.quality);
}

// Empty for a single frame of a run.
fs::path filmFile(const fs::path& dir, FrameRange range)
{
    if (range.all) return dir / "video.mp4";
    return range.count() == 1 ? fs::path{} : dir / fmt::format("video_{}-{}.mp4", range.first, range.last);
}

}  // namespace

RenderedFiles renderRun(const RenderOptions& options)
{
    checkSize(options.width, options.height);
    requirePrograms();
    PictureJob job = makeJob(options);
    const FrameRange range = findFrames(options);
    const std::string fingerprint = fingerprintOf(settingsOf(job));
    RenderedFiles made{imagesFolder(options, range, fingerprint), {}};
    makeFolder(made.images);
    const FolderLock lock(made.images, "another render is writing images there; wait for it");
    job.work_dir = fs::absolute(made.images / ".work");
    const WorkFolder work(job.work_dir);
    ImageRecord record(made.images);
    Queue queue{job, options, framesToTrace(job, range, record, fingerprint), fingerprint, range.count(), record};
    // One POV-Ray per core, because it parses its scene on one thread; several threads each if there are few frames.
    const int processes = std::clamp(int(queue.frames.size()), 1, backend::threads());
    job.threads = backend::threads() / processes;
    traceAll(queue, processes);
    const auto stopped = [&] { return queue.stopped(); };
    const fs::path film = filmFile(options.dir, range);
    const double fps = job.scene.time.fps;
    if (!stopped() && !film.empty() && writeVideo(made.images, range.first, range.count(), fps, film, stopped))
        made.film = film;
    return made;
}

}  // namespace flotsam
