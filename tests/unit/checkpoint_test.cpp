#include "run/checkpoint.h"

#include <gtest/gtest.h>

#include <cstring>

#include "core/error.h"
#include "core/hash.h"
#include "tests/physics/scenes.h"
#include "tests/unit/temporary_folder.h"

namespace flotsam {
namespace {

namespace fs = std::filesystem;
const std::string identity = "domain.width_m = 1\ntime.cfl = 1\n";

std::optional<RunState> read(const fs::path& folder, Simulation& sim)
{
    return readCheckpoint(
               folder, identity, [](const RunState&) { return std::string(); }, sim)
        .run;
}

Scene splash()
{
    Scene scene = tank({24, 16, 12});
    scene.liquid.regions = {liquidBox({-1, -1, -1}, {0.3, 0.4, 1})};
    SolidSpec stirrer = solidOf(BoxShape{{0.6, -0.1, 0.1}, {0.7, 0.2, 0.3}, {}});
    stirrer.spin_rad_s = {0, 2, 0};
    scene.solids = {stirrer};
    scene.tracers.count = 100;
    scene.liquid.viscosity_m2_s = 0.05;
    scene.liquid.regions[0].viscosity_m2_s = 0.001;
    scene.liquid.regions.push_back(drop({0.7, 0.4, 0.25}, 0.1));
    scene.liquid.regions[0].temperature_K = 320;
    scene.heat.on = true;
    scene.heat.walls_K = 280;
    scene.heat.latent_J_kg = 1e5;
    scene.heat.melting_K = 300;
    scene.heat.diffusivity_m2_s = 1e-3;
    return scene;
}

// Everything that a step changes, bit for bit.
uint64_t hashOf(Simulation& sim)
{
    uint64_t h = hashBytes(&sim.liquid.state.t_s, sizeof sim.liquid.state.t_s);
    for (double account : {sim.liquid.state.volume_target_m3, sim.liquid.state.volume_m3,
                           sim.liquid.state.volume_correction_1_s, sim.liquid.state.volume_given_back_m3,
                           sim.liquid.state.volume_lost_m3, sim.liquid.state.viscosity_not_applied_m2})
        h = hashBytes(&account, sizeof account, h);
    h = hashBytes(sim.liquid.state.tracers.data(), sim.liquid.state.tracers.size() * sizeof(Float3), h);
    h = hashBytes(sim.liquid.state.active.list.data(), sim.liquid.state.active.list.size() * sizeof(int), h);
    for (int brick : sim.liquid.state.active.list)
        forEachCell(sim.liquid.grid.bricks.box(brick), [&](int i, int j, int k) {
            const float values[] = {
                sim.liquid.state.phi.view()(i, j, k),         sim.liquid.state.u.u[0].view()(i, j, k),
                sim.liquid.state.u.u[1].view()(i, j, k),      sim.liquid.state.u.u[2].view()(i, j, k),
                sim.liquid.state.temperature.view()(i, j, k), sim.liquid.state.melted.view()(i, j, k),
                sim.liquid.state.viscosity.view()(i, j, k)};
            h = hashBytes(values, sizeof values, h);
        });
    return h;
}

void step(Simulation& sim, int count)
{
    for (int n = 0; n < count; ++n) sim.step(sim.maxTimeStep());
}

std::vector<fs::path> filesIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(folder)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

TEST(Checkpoint, ARestoredRunGoesOnToTheSameBits)
{
    const TemporaryFolder folder;
    Simulation unbroken(splash()), resumed(splash());
    step(unbroken, 12);
    RunState run;
    run.frame = 7, run.ledger_bytes = 123, run.bodies_bytes = 45;
    writeCheckpoint(folder.path, identity, run, unbroken);
    const auto found = read(folder.path, resumed);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->frame, 7);
    EXPECT_EQ(found->ledger_bytes, 123u);
    EXPECT_EQ(found->bodies_bytes, 45u);
    EXPECT_EQ(hashOf(resumed), hashOf(unbroken));
    step(unbroken, 12);
    step(resumed, 12);
    EXPECT_EQ(hashOf(resumed), hashOf(unbroken));
}

TEST(Checkpoint, TheNewestAndTheOneBeforeAreKept)
{
    const TemporaryFolder folder;
    Simulation sim(splash());
    for (int n = 0; n < 4; ++n) {
        step(sim, 1);
        writeCheckpoint(folder.path, identity, {}, sim);
    }
    EXPECT_EQ(filesIn(folder.path).size(), 2u);
}

TEST(Checkpoint, ADamagedNewestOneFallsBackToTheOneBefore)
{
    for (const char* damage : {"cut", "flipped", "empty"}) {
        const TemporaryFolder folder;
        Simulation sim(splash());
        step(sim, 2);
        writeCheckpoint(folder.path, identity, {}, sim);
        const uint64_t good = hashOf(sim);
        step(sim, 2);
        writeCheckpoint(folder.path, identity, {}, sim);
        const fs::path newest = filesIn(folder.path).back();
        if (std::strcmp(damage, "cut") == 0) fs::resize_file(newest, fs::file_size(newest) / 2);
        if (std::strcmp(damage, "empty") == 0) fs::resize_file(newest, 0);
        if (std::strcmp(damage, "flipped") == 0) {
            std::fstream file(newest, std::ios::in | std::ios::out | std::ios::binary);
            file.seekp(std::streamoff(fs::file_size(newest) / 2));
            file.put('\x5a').put('\x5a').put('\x5a');
        }
        Simulation resumed(splash());
        ASSERT_TRUE(read(folder.path, resumed)) << damage;
        EXPECT_EQ(hashOf(resumed), good) << damage;
    }
}

TEST(Checkpoint, NoByteOfItsHeaderCanChangeUnnoticed)
{
    const TemporaryFolder folder;
    Simulation sim(splash());
    step(sim, 2);
    writeCheckpoint(folder.path, identity, {}, sim);
    const fs::path file = filesIn(folder.path).back();
    for (int offset = 0; offset < 144; ++offset) {
        std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
        bytes.seekg(offset);
        const char was = char(bytes.get());
        bytes.seekp(offset);
        bytes.put(char(was ^ 0x7f)).flush();
        Simulation resumed(splash());
        EXPECT_FALSE(read(folder.path, resumed)) << offset;
        bytes.seekp(offset);
        bytes.put(was).flush();
    }
}

TEST(Checkpoint, NoneLeavesTheSimulationAlone)
{
    const TemporaryFolder folder;
    folder.add("step00000001.ckpt.part", "half of one");
    Simulation sim(splash());
    const uint64_t before = hashOf(sim);
    EXPECT_FALSE(read(folder.path, sim));
    EXPECT_EQ(hashOf(sim), before);
}

TEST(Checkpoint, OfAnotherSceneIsRefused)
{
    const TemporaryFolder folder;
    Simulation sim(splash());
    writeCheckpoint(folder.path, identity, {}, sim);
    const auto any = [](const RunState&) { return std::string(); };
    try {
        readCheckpoint(folder.path, "domain.width_m = 1\ntime.cfl = 2\n", any, sim);
        FAIL() << "read";
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("time.cfl is 2 and was 1;"), std::string::npos) << e.what();
    }
}

TEST(Checkpoint, WhatCannotBeUsedIsReportedWithItsReasonAndCanBeSetAside)
{
    const TemporaryFolder folder;
    Simulation sim(splash());
    RunState run;
    for (int frame : {1, 2}) {
        step(sim, 1);
        run.frame = frame;
        writeCheckpoint(folder.path, identity, run, sim);
    }
    const auto objection = [](const RunState& r) { return std::string(r.frame == 2 ? "too new" : ""); };
    Simulation resumed(splash());
    const CheckpointSearch search = readCheckpoint(folder.path, identity, objection, resumed);
    ASSERT_TRUE(search.run);
    EXPECT_EQ(search.run->frame, 1);
    EXPECT_EQ(search.file, filesIn(folder.path).front());
    ASSERT_EQ(search.unusable.size(), 1u);
    EXPECT_EQ(search.unusable[0].reason, "too new");
    EXPECT_EQ(filesIn(folder.path).size(), 2u);  // reading changes nothing
    const fs::path kept = setAside(search.unusable[0].file);
    EXPECT_TRUE(fs::exists(kept));
    EXPECT_EQ(read(folder.path, resumed)->frame, 1);
}

TEST(Checkpoint, OfAnotherVersionIsNamedSo)
{
    const TemporaryFolder folder;
    Simulation sim(splash());
    writeCheckpoint(folder.path, identity, {}, sim);
    std::fstream(filesIn(folder.path).back(), std::ios::in | std::ios::out | std::ios::binary).seekp(7).put('!');
    const auto any = [](const RunState&) { return std::string(); };
    const CheckpointSearch search = readCheckpoint(folder.path, identity, any, sim);
    ASSERT_EQ(search.unusable.size(), 1u);
    EXPECT_EQ(search.unusable[0].reason, "another version of Flotsam wrote it");
}

}  // namespace
}  // namespace flotsam
