#include "apps/progress.h"
#include "core/print.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cmath>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <vector>

namespace flotsam {

namespace {

constexpr double pace_memory_s = 20;  // wall time after which the weight of the past is 1/e
constexpr int redraw_every_ms = 100;
constexpr int warnings_printed = 10;  // further ones are only in the ledger

int terminalWidth()
{
    winsize size{};
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? size.ws_col : 80;
}

std::string leftText(const RunProgress& p, const Pace& pace)
{
    return pace.known() ? durationText(pace.secondsLeft(p)) : "?";
}

}  // namespace

void Pace::add(double t_s, double wall_s)
{
    if (started_ && wall_s > last_wall_s_) {
        const double keep = std::exp(-(wall_s - last_wall_s_) / pace_memory_s);
        simulated_ = keep * simulated_ + (t_s - last_t_s_);
        wall_ = keep * wall_ + (wall_s - last_wall_s_);
    }
    started_ = true;
    last_t_s_ = t_s;
    last_wall_s_ = wall_s;
}

std::string durationText(double seconds)
{
    const long long s = std::llround(std::min(std::max(seconds, 0.), 1e9));
    return s < 3600 ? fmt::format("{}:{:02}", s / 60, s % 60)
                    : fmt::format("{}:{:02}:{:02}", s / 3600, s / 60 % 60, s % 60);
}

std::string barLine(const RunProgress& p, const Pace& pace, int width)
{
    constexpr int longest_bar = 40, shortest_bar = 8;
    const std::vector<std::string> words{
        fmt::format("frame {}/{}", p.frame, p.frames), fmt::format("t {:.3f}/{:.4g} s", p.t_s, p.seconds),
        "left " + leftText(p, pace), fmt::format("{:.3g} s/s", pace.wallPerSimulated()),
        fmt::format("volume {:+.3f} %", 100 * p.volume_error)};
    std::string text;
    for (const std::string& word : words) {
        if (int(text.size() + word.size()) + 2 >= width) break;
        text += fmt::format("{}{}", text.empty() ? "" : "  ", word);
    }
    const int bar = std::min(longest_bar, width - int(text.size()) - 4);
    if (bar < shortest_bar) return text;
    const double share = p.seconds > 0 ? std::clamp(p.t_s / p.seconds, 0., 1.) : 0;
    const size_t full = size_t(std::lround(share * bar));
    return fmt::format("[{}{}] {}", std::string(full, '='), std::string(size_t(bar) - full, ' '), text);
}

std::string plainLine(const RunProgress& p, const Pace& pace)
{
    return fmt::format("frame {}/{}  t {:.4f} s  step {}  {:.3g} s/s  left {}  volume {:+.4f} %", p.frame, p.frames,
                       p.t_s, p.step, pace.wallPerSimulated(), leftText(p, pace), 100 * p.volume_error);
}

std::string jsonLine(const RunProgress& p, const Pace& pace)
{
    nlohmann::ordered_json line{
        {"step", p.step},
        {"frame", p.frame},
        {"frames", p.frames},
        {"t_s", p.t_s},
        {"seconds", p.seconds},
        {"dt_s", p.dt_s},
        {"wall_s", p.wall_s},
        {"left_s", pace.known() ? nlohmann::ordered_json(pace.secondsLeft(p)) : nlohmann::ordered_json()},
        {"volume_error", p.volume_error},
        {"volume_given_back_m3", p.volume_given_back_m3},
        {"volume_lost_m3", p.volume_lost_m3},
        {"frame_written", p.frame_written}};
    if (!p.warning.empty()) line["warning"] = p.warning;
    return line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

ProgressStyle progressStyle(const std::string& word)
{
    if (word == "json") return ProgressStyle::json;
    if (word == "none") return ProgressStyle::none;
    const char* terminal = std::getenv("TERM");
    const bool can_redraw = isatty(STDOUT_FILENO) && terminal && std::string(terminal) != "dumb";
    return can_redraw ? ProgressStyle::bar : ProgressStyle::lines;
}

void ProgressPrinter::drawBar(const RunProgress& p, bool now)
{
    const auto time = std::chrono::steady_clock::now();
    if (!now && bar_shown_ && time - drawn_ < std::chrono::milliseconds(redraw_every_ms)) return;
    printRaw(stdout, fmt::format("\r{}\x1b[K", barLine(p, pace_, terminalWidth())));
    std::fflush(stdout);
    drawn_ = time;
    bar_shown_ = true;
}

void ProgressPrinter::warn(const RunProgress& p)
{
    if (++warnings_ > warnings_printed) return;
    if (bar_shown_) printRaw(stdout, "\r\x1b[K");
    std::fflush(stdout);
    print(stderr, "warning: step {}: {}\n", p.step, p.warning);
    bar_shown_ = false;
}

void ProgressPrinter::report(const RunProgress& p)
{
    last_ = p;
    pace_.add(p.t_s, p.wall_s);
    if (style_ == ProgressStyle::none) return;
    if (style_ == ProgressStyle::json) {
        printRaw(stdout, jsonLine(p, pace_) + "\n");
        std::fflush(stdout);
        return;
    }
    if (!p.warning.empty()) warn(p);
    if (style_ == ProgressStyle::bar) drawBar(p, false);
    if (style_ == ProgressStyle::lines && p.frame_written) {
        print(stdout, "{}\n", plainLine(p, pace_));
        std::fflush(stdout);
    }
}

void ProgressPrinter::finish()
{
    if (bar_shown_) {
        drawBar(last_, true);
        print(stdout, "\n");
    }
    std::fflush(stdout);
    if (warnings_ > warnings_printed)
        print(stderr, "warning: {} more warnings; the ledger has every step\n", warnings_ - warnings_printed);
    bar_shown_ = false;
}

}  // namespace flotsam
