// flotsam render DIR: images and a video of a run.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <chrono>
#include <filesystem>

#include "apps/commands.h"
#include "apps/hints.h"
#include "apps/progress.h"
#include "apps/stop_signal.h"
#include "cache/render.h"
#include "core/error.h"
#include "core/print.h"

namespace flotsam {

namespace {

constexpr int smallest_side = 16, largest_side = 8192;

// The entire text as a non-negative number, or -1.
int wholeNumber(std::string_view text)
{
    int value = -1;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc{} && end == text.data() + text.size() && value >= 0 ? value : -1;
}

void readFrames(const std::string& text, RenderOptions& o)
{
    const size_t dash = text.find('-');
    o.first_frame = wholeNumber(std::string_view(text).substr(0, dash));
    o.last_frame = dash == text.npos ? o.first_frame : wholeNumber(std::string_view(text).substr(dash + 1));
    if (o.first_frame < 0 || o.last_frame < 0)
        throw InputError(
            fmt::format("--frames {}: not a range of frames; write for example --frames 0-120 or --frames 30", text));
    if (o.first_frame > o.last_frame)
        throw InputError(
            fmt::format("--frames {}: the range ends before it starts; write the smaller number first", text));
}

void readSize(const std::string& text, RenderOptions& o)
{
    const size_t x = text.find('x');
    o.width = wholeNumber(std::string_view(text).substr(0, x));
    o.height = x == text.npos ? -1 : wholeNumber(std::string_view(text).substr(x + 1));
    if (o.width < 0 || o.height < 0)
        throw InputError(fmt::format("--size {}: not a size; write for example --size 960x540", text));
    if (std::min(o.width, o.height) < smallest_side || std::max(o.width, o.height) > largest_side)
        throw InputError(fmt::format("--size {}: each side must be {} to {} pixels; choose another", text,
                                     smallest_side, largest_side));
    if (o.width % 2 != 0 || o.height % 2 != 0)
        throw InputError(fmt::format("--size {}: a video needs an even width and height; add or remove a pixel", text));
}

// Includes the remaining time, estimated from the images rendered so far in this call.
struct FramePrinter {
    std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
    int done_before = -1;

    void operator()(int done, int total);
};

void FramePrinter::operator()(int done, int total)
{
    if (done_before < 0) done_before = done;
    const double wall_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    const int made = done - done_before;
    const std::string left = made == 0 || done == total ? "" : "  left " + durationText(wall_s / made * (total - done));
    if (isatty(STDOUT_FILENO))
        printRaw(stdout, fmt::format("\rrendered {}/{}{}\x1b[K{}", done, total, left, done == total ? "\n" : ""));
    else
        print(stdout, "rendered {}/{}{}\n", done, total, left);
    std::fflush(stdout);
}

// The same command again; complete images are kept.
std::string renderCommand(const RenderOptions& o)
{
    std::string command = fmt::format("{} render {}", programName(), shellQuoted(o.dir.string()));
    if (o.last_frame >= 0) command += fmt::format(" --frames {}-{}", o.first_frame, o.last_frame);
    return command + fmt::format(" --size {}x{} --quality {}", o.width, o.height, o.quality);
}

RenderedFiles renderOrAdvise(const RenderOptions& o)
{
    try {
        return renderRun(o);
    } catch (const IoError& e) {
        throw IoError(withRemedy(e.what(), renderCommand(o)));
    }
}

int renderWith(RenderOptions o)
{
    if (!std::filesystem::is_directory(o.dir) || !std::filesystem::exists(o.dir / "scene.toml"))
        throw InputError(fmt::format("{}: not the output folder of a run; give the folder that '{} run' wrote",
                                     o.dir.string(), programName()));
    o.report = FramePrinter{};
    o.stop = &stopRequested();
    const RenderedFiles made = renderOrAdvise(o);
    if (stopRequested()) {
        print(stderr, "Interrupted; complete images are in {}. Continue with: {}\n", made.images.string(),
              renderCommand(o));
        return exit_interrupted;
    }
    print(stdout, "Images: {}\n", made.images.string());
    if (!made.film.empty()) print(stdout, "Video: {}\n", made.film.string());
    return exit_done;
}

}  // namespace

int renderWholeRun(const std::string& dir)
{
    RenderOptions options;
    options.dir = dir;
    return renderWith(options);
}

void addRenderCommand(CLI::App& program, Action& action)
{
    struct Arguments {
        RenderOptions options;
        std::string dir, frames, size;
    };
    auto a = std::make_shared<Arguments>();
    CLI::App& c = *program.add_subcommand("render", "Render one image per frame and a video of a run");
    c.add_option("dir", a->dir, "The output folder of a run")->required()->type_name("DIR");
    c.add_option("--frames", a->frames,
                 "Only these frames [default: all]. The video is then video_A-B.mp4; video.mp4 and images of "
                 "another size or quality are kept")
        ->type_name("A-B");
    c.add_option("--size", a->size, "Image size in pixels [default: 960x540]")->type_name("WxH");
    c.add_option("--quality", a->options.quality, "draft: seconds per frame; final: minutes per frame")
        ->check(CLI::IsMember({"draft", "final"}))
        ->type_name("WORD");
    addThreadsOption(c);
    c.footer("Example:\n  flotsam render out/dam_break --frames 0-60 --size 1920x1080 --quality final");
    c.callback([a, &action] {
        action = [a] {
            RenderOptions o = a->options;
            o.dir = a->dir;
            if (!a->frames.empty()) readFrames(a->frames, o);
            if (!a->size.empty()) readSize(a->size, o);
            return renderWith(o);
        };
    });
}

}  // namespace flotsam
