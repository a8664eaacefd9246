// Progress output of a run: a bar on a terminal, one line per frame elsewhere, JSON for programs, or nothing.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>

#include "run/run.h"

namespace flotsam {

// Wall seconds per simulated second, averaged over the recent past, so that a splash that slows the run shows soon.
class Pace {
public:
    void add(double t_s, double wall_s);
    bool known() const { return simulated_ > 0; }
    double wallPerSimulated() const { return known() ? wall_ / simulated_ : 0; }
    // The last frame may end after p.seconds.
    double secondsLeft(const RunProgress& p) const { return wallPerSimulated() * std::max(p.seconds - p.t_s, 0.0); }

private:
    bool started_ = false;
    double last_t_s_ = 0, last_wall_s_ = 0;
    double simulated_ = 0, wall_ = 0;  // exponentially weighted sums
};

std::string durationText(double seconds);  // "0:07", "12:34", "3:05:00"

// The bar fills the width left by the text; if even the text does not fit, its last words are dropped.
std::string barLine(const RunProgress& p, const Pace& pace, int width);
std::string plainLine(const RunProgress& p, const Pace& pace);
std::string jsonLine(const RunProgress& p, const Pace& pace);

enum class ProgressStyle { bar, lines, json, none };

// "auto", "json" or "none"; auto is a bar on a terminal and lines elsewhere.
ProgressStyle progressStyle(const std::string& word);

class ProgressPrinter {
public:
    explicit ProgressPrinter(ProgressStyle style) : style_(style) {}
    void report(const RunProgress& p);
    void finish();  // ends the bar line and counts the warnings that were not printed
    const RunProgress& last() const { return last_; }

private:
    void drawBar(const RunProgress& p, bool now);
    void warn(const RunProgress& p);

    ProgressStyle style_;
    Pace pace_;
    RunProgress last_;
    int warnings_ = 0;
    bool bar_shown_ = false;
    std::chrono::steady_clock::time_point drawn_;
};

}  // namespace flotsam
