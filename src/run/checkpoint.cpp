#include "run/checkpoint.h"

#include <fmt/format.h>
#include <zstd.h>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

#include "cache/safe_file.h"
#include "core/error.h"
#include "core/hash.h"
#include "liquid/particles.h"
#include "scene/identity.h"

namespace flotsam {

namespace {

namespace fs = std::filesystem;

struct Header {
    char magic[8];
    uint64_t identity_bytes;
    uint64_t hash;  // of this header with a zero here, and of the uncompressed payload
    uint64_t payload_bytes;
    RunState run;
    double t_s;
    double volume_target_m3, volume_m3, volume_correction_1_s, volume_given_back_m3, volume_lost_m3;
    double viscosity_not_applied_m2;
    int step;
    int active_bricks;
    uint64_t tracers;
    uint64_t particles;
    uint64_t viscosity_varies;
    uint64_t bodies;
    uint64_t remembered_contacts;
};

constexpr char magic[8] = {'F', 'L', 'O', 'T', 'S', 'A', 'M', 'E'};

// The cells of a brick, with the high faces at the domain boundary.
IndexBox storedBox(const Grid& grid, int brick) { return grid.bricks.facesOf(grid.bricks.box(brick)); }

// phi and u, the viscosity if it varies, and the heat fields if heat is on.
std::vector<Field3<float>*> storedFields(Simulation& sim)
{
    LiquidState& s = sim.liquid.state;
    std::vector<Field3<float>*> fields{&s.phi, &s.u.u[0], &s.u.u[1], &s.u.u[2]};
    if (s.viscosity_varies) fields.push_back(&s.viscosity);
    if (sim.scene.heat.on) fields.push_back(&s.temperature);
    if (sim.scene.heat.on && sim.scene.heat.latent_J_kg > 0) fields.push_back(&s.melted);
    return fields;
}

// row(pointer, count) for every stored row of those fields, always in the same order.
template <class F>
void forStoredRows(Simulation& sim, const F& row)
{
    const std::vector<Field3<float>*> fields = storedFields(sim);
    for (int brick : sim.liquid.state.active.list) {
        const IndexBox box = storedBox(sim.liquid.grid, brick);
        for (Field3<float>* field : fields)
            for (int k = box.lo.z; k < box.hi.z; ++k)
                for (int j = box.lo.y; j < box.hi.y; ++j)
                    row(field->view().row(j, k) + box.lo.x, size_t(box.hi.x - box.lo.x));
    }
}

uint64_t hashOf(Header header, const std::string& payload)
{
    header.hash = 0;
    return hashBytes(payload.data(), payload.size(), hashBytes(&header, sizeof header));
}

void append(std::string& out, const void* data, size_t bytes) { out.append(static_cast<const char*>(data), bytes); }

std::span<FluidVelocityChange> fluidChanges(Simulation& sim)
{
    return sim.coupled() ? std::span(sim.coupled()->gained) : std::span<FluidVelocityChange>{};
}

std::string payloadOf(const std::string& identity, Simulation& sim)
{
    std::string payload = identity;
    const auto add = [&](const auto& list, size_t count) { append(payload, list.data(), count * sizeof(list[0])); };
    const auto addAll = [&](const auto& list) { add(list, list.size()); };
    addAll(sim.liquid.state.active.list);
    addAll(sim.liquid.state.tracers);
    addAll(sim.liquid.state.particles.list);
    add(sim.world.state.bodies, size_t(sim.world.moving()));
    addAll(sim.world.state.remembered);
    addAll(fluidChanges(sim));
    addAll(sim.world.state.joints);
    forStoredRows(sim, [&](const float* p, size_t n) { append(payload, p, n * sizeof(float)); });
    return payload;
}

std::string compressed(const std::string& payload)
{
    std::string out(ZSTD_compressBound(payload.size()), '\0');
    const size_t size = ZSTD_compress(out.data(), out.size(), payload.data(), payload.size(), 1);
    if (ZSTD_isError(size)) throw IoError(fmt::format("checkpoint: {}", ZSTD_getErrorName(size)));
    out.resize(size);
    return out;
}

// Checkpoints of a folder, newest first.
std::vector<fs::path> checkpointsIn(const fs::path& folder)
{
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error))
        if (entry.path().extension() == ".ckpt") files.push_back(entry.path());
    std::sort(files.begin(), files.end(), std::greater<>());
    return files;
}

struct Loaded {
    Header header;
    std::string payload;
};

// Returns why the file cannot be used; empty if it was loaded.
std::string load(const fs::path& path, Loaded& loaded)
{
    const std::string damaged = "it is truncated or corrupted";
    std::string file;
    try {
        file = readWholeFile(path);
    } catch (const IoError& e) {
        return e.what();
    }
    if (file.empty()) return "it is empty";
    if (file.size() < sizeof(Header)) return damaged;
    std::memcpy(&loaded.header, file.data(), sizeof(Header));
    const size_t letters = sizeof magic - 1;  // the last one is the version
    if (std::memcmp(loaded.header.magic, magic, letters) != 0) return damaged;
    if (loaded.header.magic[letters] != magic[letters]) return "another version of Flotsam wrote it";
    const char* packed = file.data() + sizeof(Header);
    const size_t packed_bytes = file.size() - sizeof(Header);
    if (ZSTD_getFrameContentSize(packed, packed_bytes) != loaded.header.payload_bytes) return damaged;
    loaded.payload.resize(loaded.header.payload_bytes);
    const size_t size = ZSTD_decompress(loaded.payload.data(), loaded.payload.size(), packed, packed_bytes);
    if (ZSTD_isError(size) || size != loaded.payload.size()) return damaged;
    return hashOf(loaded.header, loaded.payload) == loaded.header.hash ? "" : damaged;
}

void unpack(const Loaded& loaded, Simulation& sim)
{
    const Grid& grid = sim.liquid.grid;
    const char* p = loaded.payload.data() + loaded.header.identity_bytes;
    const auto take = [&](void* to, size_t bytes) {
        std::copy_n(p, bytes, static_cast<char*>(to));  // not memcpy: an empty list has no address
        p += bytes;
    };
    LiquidState& s = sim.liquid.state;
    s = LiquidState(grid);
    s.viscosity_varies = loaded.header.viscosity_varies != 0;
    BrickList active(size_t(loaded.header.active_bricks));
    take(active.data(), active.size() * sizeof(int));
    s.active = BrickSet(grid.bricks, active);
    s.initialised = dilated(grid.bricks, active);
    for (int brick : s.initialised)
        forEachCell(grid.bricks.box(brick),
                    [phi = s.phi.view(), far = grid.band](int i, int j, int k) { phi(i, j, k) = far; });
    s.tracers.resize(loaded.header.tracers);
    take(s.tracers.data(), s.tracers.size() * sizeof(Float3));
    s.particles.list.resize(loaded.header.particles);
    take(s.particles.list.data(), s.particles.list.size() * sizeof(Particle));
    indexByBrick(grid, s.particles);
    RigidState& bodies = sim.world.state;
    take(bodies.bodies.data(), loaded.header.bodies * sizeof(BodyState));
    bodies.remembered.resize(loaded.header.remembered_contacts);
    take(bodies.remembered.data(), bodies.remembered.size() * sizeof(RememberedContact));
    const std::span<FluidVelocityChange> changes = fluidChanges(sim);
    take(changes.data(), changes.size_bytes());
    take(bodies.joints.data(), bodies.joints.size() * sizeof(JointState));
    forStoredRows(sim, [&](float* row, size_t n) { take(row, n * sizeof(float)); });
    s.t_s = loaded.header.t_s;
    s.step = loaded.header.step;
    s.volume_target_m3 = loaded.header.volume_target_m3;
    s.volume_m3 = loaded.header.volume_m3;
    s.volume_correction_1_s = loaded.header.volume_correction_1_s;
    s.volume_given_back_m3 = loaded.header.volume_given_back_m3;
    s.volume_lost_m3 = loaded.header.volume_lost_m3;
    s.viscosity_not_applied_m2 = loaded.header.viscosity_not_applied_m2;
    sim.restore();
}

}  // namespace

void writeCheckpoint(const fs::path& folder, const std::string& identity, const RunState& run, Simulation& sim)
{
    const std::string payload = payloadOf(identity, sim);
    Header header{};
    std::memcpy(header.magic, magic, sizeof magic);
    header.identity_bytes = identity.size();
    header.payload_bytes = payload.size();
    header.run = run;
    header.t_s = sim.liquid.state.t_s;
    header.volume_target_m3 = sim.liquid.state.volume_target_m3;
    header.volume_m3 = sim.liquid.state.volume_m3;
    header.volume_correction_1_s = sim.liquid.state.volume_correction_1_s;
    header.volume_given_back_m3 = sim.liquid.state.volume_given_back_m3;
    header.volume_lost_m3 = sim.liquid.state.volume_lost_m3;
    header.viscosity_not_applied_m2 = sim.liquid.state.viscosity_not_applied_m2;
    header.step = sim.liquid.state.step;
    header.active_bricks = int(sim.liquid.state.active.list.size());
    header.tracers = sim.liquid.state.tracers.size();
    header.particles = sim.liquid.state.particles.list.size();
    header.viscosity_varies = sim.liquid.state.viscosity_varies;
    header.bodies = uint64_t(sim.world.moving());
    header.remembered_contacts = sim.world.state.remembered.size();
    header.hash = hashOf(header, payload);
    std::string file(reinterpret_cast<const char*>(&header), sizeof header);
    file += compressed(payload);
    writeFileAtomically(folder / fmt::format("step{:08}.ckpt", sim.liquid.state.step), file);
    const std::vector<fs::path> files = checkpointsIn(folder);
    std::error_code ignored;
    for (size_t n = 2; n < files.size(); ++n) fs::remove(files[n], ignored);
}

CheckpointSearch readCheckpoint(const fs::path& folder, const std::string& identity,
                                const std::function<std::string(const RunState&)>& objection, Simulation& sim)
{
    CheckpointSearch search;
    for (const fs::path& path : checkpointsIn(folder)) {
        Loaded loaded;
        std::string reason = load(path, loaded);
        if (reason.empty()) {
            const std::string its = loaded.payload.substr(0, loaded.header.identity_bytes);
            if (its != identity)
                throw InputError(fmt::format(
                    "{}: the run in this folder was made from another scene: {}; resume with the scene it was started "
                    "with (only time.seconds, output and render may change), or choose another --out",
                    path.string(), identityDifference(identity, its)));
            reason = objection(loaded.header.run);
        }
        if (!reason.empty()) {
            search.unusable.push_back({path, reason});
            continue;
        }
        unpack(loaded, sim);
        search.file = path;
        search.run = loaded.header.run;
        return search;
    }
    return search;
}

fs::path setAside(const fs::path& checkpoint)
{
    const fs::path kept = checkpoint.string() + ".unusable";
    std::error_code error;
    fs::rename(checkpoint, kept, error);
    if (error) throw IoError(fmt::format("{}: cannot be renamed: {}", checkpoint.string(), error.message()));
    return kept;
}

}  // namespace flotsam
