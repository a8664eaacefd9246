// Runs of one small scene by the program, and the files that must be equal in their folders.
#pragma once

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <map>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include "tests/unit/temporary_folder.h"

namespace flotsam {

// A dam break over a rotating block, with a source, tracers, volumes, melting and the volume correction: all features
// of a step.
inline const std::string dam_break_with_everything = R"(title = "Everything"
[domain]
cells = [40, 24, 20]
[time]
seconds = 0.5
fps = 40
[[liquid.region]]
box = { min_m = [0, 0, 0], max_m = [0.3, 0.4, 0.5] }
temperature_K = 300
[[liquid.source]]
sphere = { center_m = [0.8, 0.45, 0.25], radius_m = 0.06 }
velocity_m_s = [-0.5, -1, 0]
to_s = 0.3
temperature_K = 350
[heat]
diffusivity_m2_s = 1e-3
latent_J_kg = 5e4
melting_K = 310
walls_K = 290
air_K = 280
air_transfer_W_m2_K = 2000
[[heat.source]]
sphere = { center_m = [0.2, 0.1, 0.2], radius_m = 0.08 }
power_W = 5e5
[[heat.source]]
box = { min_m = [0.9, -0.1, 0.0], max_m = [1.1, 0.1, 0.2] }
temperature_K = 340
from_s = 0.1
[[solid]]
name = "block"
box = { min_m = [0.5, -0.1, 0.15], max_m = [0.65, 0.15, 0.35] }
spin_rad_s = [0, 3, 0]
[tracers]
count = 500
[output]
volume = true
checkpoint_every_frames = 3
)";

// A ball that falls into water, a floating box, and a wave.
inline const std::string bodies_in_water = R"(title = "Bodies in water"
[domain]
cells = [32, 24, 20]
[time]
seconds = 0.6
fps = 30
[[liquid.region]]
pool = { depth_m = 0.3, amplitude_m = 0.05 }
[[body]]
name = "ball"
sphere = { radius_m = 0.09 }
density_kg_m3 = 3000
position_m = [0.3, 0.5, 0.3]
velocity_m_s = [0.5, -1, 0]
[[body]]
name = "box"
box = { size_m = [0.2, 0.12, 0.2] }
density_kg_m3 = 500
position_m = [0.7, 0.32, 0.3]
[output]
checkpoint_every_frames = 2
)";

// Wax that melts and flows: viscosity from the temperature of each cell, 1 : 1e5, and an inflow of fixed viscosity.
inline const std::string melting_wax = R"(title = "Melting"
[domain]
cells = [24, 24, 20]
walls = "no-slip"
[time]
seconds = 0.4
fps = 40
[liquid]
material = "wax"
[[liquid.region]]
box = { min_m = [0.2, 0, 0.2], max_m = [0.7, 0.6, 0.6] }
temperature_K = 295
[[liquid.source]]
sphere = { center_m = [0.45, 0.8, 0.4], radius_m = 0.12 }
velocity_m_s = [0, -1, 0]
to_s = 0.2
temperature_K = 330
[heat]
diffusivity_m2_s = 5e-2
[heat.viscosity]
law = "quadratic"
from_K = 300
to_K = 320
solid_m2_s = 1e3
liquid_m2_s = 1e-2
[[heat.source]]
sphere = { center_m = [0.7, 0.6, 0.4], radius_m = 0.2 }
temperature_K = 420
[output]
checkpoint_every_frames = 3
)";

inline std::string bytesOf(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

// The bytes of every documented file of a run, by name; timings are removed from the ledger.
inline std::map<std::string, std::string> promisedFiles(const std::filesystem::path& run)
{
    static const std::regex timings(R"re(,"stage_s":\{[^}]*\},"wall_s":[0-9.]+)re");
    std::map<std::string, std::string> files;
    files["ledger.jsonl"] = std::regex_replace(bytesOf(run / "ledger.jsonl"), timings, "");
    files["bodies.csv"] = bytesOf(run / "bodies.csv");
    if (std::filesystem::exists(run / "joints.csv")) files["joints.csv"] = bytesOf(run / "joints.csv");
    files["scene.toml"] = bytesOf(run / "scene.toml");
    for (const char* folder : {"frames", "meshes"})
        for (const auto& entry : std::filesystem::directory_iterator(run / folder))
            files[std::string(folder) + "/" + entry.path().filename().string()] = bytesOf(entry.path());
    return files;
}

// The program, started with arguments; its output is discarded.
class Child {
public:
    explicit Child(const std::vector<std::string>& arguments) : pid(fork())
    {
        if (pid != 0) return;
        std::vector<char*> argv{const_cast<char*>(FLOTSAM_PROGRAM)};
        for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
        argv.push_back(nullptr);
        const int nowhere = open("/dev/null", O_RDWR);
        for (int end : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) dup2(nowhere, end);
        execv(FLOTSAM_PROGRAM, argv.data());
        _exit(127);
    }

    void send(int signal_number) const { kill(pid, signal_number); }
    // The exit code, or minus the signal that ended it.
    int wait() const
    {
        int status = 0;
        waitpid(pid, &status, 0);
        return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    }

private:
    pid_t pid;
};

// Waits until a file of the run exists, for at most half a minute.
inline bool waitFor(const std::filesystem::path& file)
{
    for (int n = 0; n < 15000 && !std::filesystem::exists(file); ++n)
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return std::filesystem::exists(file);
}

// Files of a scene with one, two and five threads: expected to be equal.
inline std::map<std::string, std::string> filesForAnyThreads(const std::string& text)
{
    const TemporaryFolder folder;
    const std::string scene = folder.add("scene.toml", text);
    std::map<std::string, std::string> with_one;
    for (const char* threads : {"1", "2", "5"}) {
        const auto run = folder.path / (std::string("with") + threads);
        EXPECT_EQ(Child({"run", scene, "--out", run.string(), "--threads", threads}).wait(), 0);
        const auto files = promisedFiles(run);
        if (with_one.empty()) with_one = files;
        EXPECT_EQ(files.size(), with_one.size());
        for (const auto& [name, bytes] : files)
            EXPECT_TRUE(bytes == with_one[name]) << name << " with " << threads << " threads";
    }
    return with_one;
}

}  // namespace flotsam
