// Scene file -> Scene: one function per section of the file. Limits exclude meaningless values, not unwise ones;
// scene/preflight.h warns of those.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "geometry/tetrahedra.h"
#include "scene/material.h"
#include "scene/overrides.h"
#include "scene/read_body.h"
#include "scene/read_heat.h"
#include "scene/read_joint.h"
#include "scene/read_shape.h"
#include "scene/scene.h"
#include "scene/toml_table.h"

namespace flotsam {

namespace {

constexpr int most_cells_along_an_axis = 4096;
constexpr long long most_cells = 1LL << 30;  // about 100 GiB if all of them contain liquid
constexpr double most_frames = 1e6;
constexpr size_t most_bytes = 64'000'000;  // of a scene file
constexpr Limits coordinate = within(largest_coordinate_m);
constexpr Limits speed = within(largest_speed_m_s);

void readOpenFaces(const TomlTable& t, DomainParams& d)
{
    if (!t.has("open")) return;
    for (auto& axis : d.open) axis[0] = axis[1] = false;
    for (const std::string& face : t.texts("open", {})) {
        const bool known = face.size() == 2 && (face[0] == '-' || face[0] == '+') && face[1] >= 'x' && face[1] <= 'z';
        if (!known)
            failInput(t.where("open"), fmt::format("domain.open names the face \"{}\"", face),
                      R"(the faces are "-x", "+x", "-y", "+y", "-z" and "+z")");
        if (face[1] == 'z' && d.twoDimensional())
            failInput(t.where("open", "cells"), fmt::format("domain.open names \"{}\" in a two-dimensional run", face),
                      "a run of one cell along z has closed z faces; remove it");
        d.open[face[1] - 'x'][face[0] == '+'] = true;
    }
}

void readDomain(const TomlTable& t, DomainParams& d)
{
    t.allowOnly({"cells", "width_m", "gravity_m_s2", "walls", "open"});
    d.cells = t.wholes("cells", d.cells, {4, 4, 1}, most_cells_along_an_axis);
    if (product(d.cells) > most_cells)
        failInput(t.where("cells"), fmt::format("domain.cells makes {} million cells", product(d.cells) / 1000000),
                  fmt::format("at most {} million are plausible; use fewer", most_cells / 1000000));
    d.width_m = t.number("width_m", d.width_m, {1e-6, largest_coordinate_m});
    d.gravity_m_s2 = t.vector("gravity_m_s2", d.gravity_m_s2, within(1e5));
    d.no_slip = t.word("walls", d.no_slip, {"free-slip", "no-slip"}) == 1;
    readOpenFaces(t, d);
}

void readTime(const TomlTable& t, TimeParams& p)
{
    t.allowOnly({"seconds", "fps", "cfl", "max_dt_s"});
    p.seconds = t.number("seconds", p.seconds, positive(1e6));
    p.fps = t.number("fps", p.fps, Limits{1e-3, 1e5});
    p.cfl = t.number("cfl", p.cfl, Limits{0.01, 5});
    p.max_dt_s = t.number("max_dt_s", p.max_dt_s, Limits{1e-7, 1e3});
    if (p.seconds * p.fps > most_frames)
        failInput(t.where("seconds", "fps"), fmt::format("time makes {:.0f} frames", p.seconds * p.fps),
                  fmt::format("at most {:.0f} are plausible; lower seconds or fps", most_frames));
}

constexpr Limits viscosity{0, 1e6};

std::optional<double> readViscosity(const TomlTable& t)
{
    if (!t.has("viscosity_m2_s")) return {};
    return t.number("viscosity_m2_s", 0, viscosity);
}

RegionSpec readRegion(const TomlTable& t, const ShapeContext& context)
{
    t.allowOnly({"box", "sphere", "cylinder", "mesh", "pool", "velocity_m_s", "temperature_K", "viscosity_m2_s"});
    return {readShape(t, context), t.vector("velocity_m_s", {}, speed), readTemperature(t), t.where(),
            readViscosity(t)};
}

SourceSpec readSource(const TomlTable& t, const ShapeContext& context)
{
    t.allowOnly(
        {"box", "sphere", "cylinder", "mesh", "velocity_m_s", "from_s", "to_s", "temperature_K", "viscosity_m2_s"});
    SourceSpec s{readShape(t, context), t.vector("velocity_m_s", {}, speed)};
    s.from_s = t.number("from_s", s.from_s, {0, 1e6});
    s.to_s = t.number("to_s", s.to_s, {0, 1e6, true, true});
    if (s.to_s <= s.from_s)
        failInput(t.where("to_s", "from_s"),
                  fmt::format("{} ends at {} s, not after its start at {} s", t.path(), s.to_s, s.from_s),
                  "make to_s larger than from_s");
    s.temperature_K = readTemperature(t);
    s.where = t.where();
    s.viscosity_m2_s = readViscosity(t);
    return s;
}

// The values of a material, which later keys override.
void readMaterial(const TomlTable& t, Scene& s)
{
    if (!t.has("material")) return;
    const Material& material = materials[t.word("material", 0, materialWords())];
    s.liquid.density_kg_m3 = material.density_kg_m3;
    s.liquid.viscosity_m2_s = material.viscosity_m2_s;
    s.render.liquid_color = material.color;
    s.render.hot_color = material.hot_color;
    s.render.glow = material.glow;
    s.render.opaque = material.opaque;
}

void readLiquid(const TomlTable& t, ShapeContext context, LiquidParams& p)
{
    t.allowOnly({"material", "density_kg_m3", "viscosity_m2_s", "viscosity_mean", "viscous_stress", "advection", "loop",
                 "region", "source"});
    p.density_kg_m3 = t.number("density_kg_m3", p.density_kg_m3, positive(1e6));
    p.viscosity_m2_s = t.number("viscosity_m2_s", p.viscosity_m2_s, viscosity);
    p.viscosity_mean = ViscosityMean(t.word("viscosity_mean", int(p.viscosity_mean), wordsOf(viscosity_mean_words)));
    p.viscous_stress = ViscousStress(t.word("viscous_stress", int(p.viscous_stress), wordsOf(viscous_stress_words)));
    p.advection = Advection(t.word("advection", int(p.advection), {"semi-lagrangian", "bfecc", "maccormack"}));
    p.loop = Loop(t.word("loop", int(p.loop), {"two-projections", "one-projection"}));
    context.pool_allowed = true;
    for (const TomlTable& region : t.list("region")) p.regions.push_back(readRegion(region, context));
    context.pool_allowed = false;
    for (const TomlTable& source : t.list("source")) p.sources.push_back(readSource(source, context));
}

SolidSpec readSolid(const TomlTable& t, const ShapeContext& context, const Scene& earlier)
{
    t.allowOnly({"name", "box", "sphere", "cylinder", "mesh", "velocity_m_s", "spin_rad_s", "pivot_m"});
    SolidSpec s;
    s.name = readName(t, fmt::format("solid{}", earlier.solids.size() + 1), earlier);
    s.shape = readShape(t, context);
    s.velocity_m_s = t.vector("velocity_m_s", {}, speed);
    s.spin_rad_s = t.vector("spin_rad_s", {}, within(1e5));
    s.has_pivot = t.has("pivot_m");
    s.pivot_m = t.vector("pivot_m", {}, coordinate);
    s.where = t.where();
    return s;
}

void readSolvers(const TomlTable& root, Scene& s)
{
    const TomlTable pressure = root.sub("pressure");
    pressure.allowOnly({"tolerance_rel", "max_iterations"});
    s.pressure.tolerance_rel = pressure.number("tolerance_rel", s.pressure.tolerance_rel, {1e-14, 0.1});
    s.pressure.max_iterations = pressure.whole("max_iterations", s.pressure.max_iterations, 1, 100000);
}

void readSurface(const TomlTable& t, const DomainParams& domain, SurfaceParams& p)
{
    t.allowOnly({"scheme", "reinitialisation", "treatment", "band_cells", "particles_per_cell", "reseed_every_steps",
                 "particles_until_s", "seed", "volume_correction", "tetrahedra"});
    p.scheme = SurfaceScheme(t.word("scheme", int(p.scheme), wordsOf(surface_scheme_words)));
    p.reinitialisation =
        Reinitialisation(t.word("reinitialisation", int(p.reinitialisation), wordsOf(reinitialisation_words)));
    p.treatment = SurfaceTreatment(t.word("treatment", int(p.treatment), wordsOf(surface_treatment_words)));
    p.band_cells = t.whole("band_cells", p.band_cells, 0, 8);
    const int narrowest = std::min(domain.cells.x, domain.cells.y);
    if (p.band_cells > narrowest)
        failInput(t.where("band_cells"),
                  fmt::format("surface.band_cells is {}, wider than the grid of {} cells", p.band_cells, narrowest),
                  "use fewer, or 0 for what the time step needs");
    p.particles_per_cell = t.whole("particles_per_cell", p.particles_per_cell, 0, 1000);
    p.reseed_every_steps = t.whole("reseed_every_steps", p.reseed_every_steps, 1, 1000000);
    p.particles_until_s = t.number("particles_until_s", p.particles_until_s, {0, 1e6, false, true});
    p.seed = t.whole("seed", p.seed, 0, 2147483647);
    p.volume_correction = t.boolean("volume_correction", p.volume_correction);
    p.tetrahedra = t.whole("tetrahedra", p.tetrahedra, -2147483647, 2147483647);
    if (!isCubeCut(p.tetrahedra))
        failInput(t.where("tetrahedra"), fmt::format("surface.tetrahedra is {}", p.tetrahedra),
                  "a cube can be cut into 6, 24, 48 or 192");
}

void readOutput(const TomlTable& root, Scene& s)
{
    const TomlTable tracers = root.sub("tracers"), output = root.sub("output");
    tracers.allowOnly({"count", "seed"});
    s.tracers.count = tracers.whole("count", s.tracers.count, 0, 100000000);
    s.tracers.seed = tracers.whole("seed", s.tracers.seed, 0, 2147483647);
    output.allowOnly({"surface", "volume", "checkpoint_every_frames"});
    s.output.surface = output.boolean("surface", s.output.surface);
    s.output.volume = output.boolean("volume", s.output.volume);
    s.output.checkpoint_every_frames =
        output.whole("checkpoint_every_frames", s.output.checkpoint_every_frames, 1, 1000000);
}

void readRender(const TomlTable& t, RenderParams& r)
{
    t.allowOnly(
        {"eye_m", "look_at_m", "field_of_view_deg", "liquid_color", "hot_color", "glow", "opaque", "show_tank"});
    if (t.has("eye_m") != t.has("look_at_m"))
        failInput(t.where("eye_m", "look_at_m"), "only one of render.eye_m and render.look_at_m is given",
                  "give both, or none for a camera that frames the tank by itself");
    r.has_camera = t.has("eye_m");
    r.eye_m = t.vector("eye_m", {}, coordinate);
    r.look_at_m = t.vector("look_at_m", {}, coordinate);
    if (r.has_camera && r.eye_m == r.look_at_m)
        failInput(t.where("eye_m", "look_at_m"), "render.eye_m and render.look_at_m are the same point",
                  "move the eye away from what it looks at");
    r.field_of_view_deg = t.number("field_of_view_deg", r.field_of_view_deg, {1, 170});
    r.liquid_color = t.vector("liquid_color", r.liquid_color, {0, 1});
    r.hot_color = t.vector("hot_color", r.hot_color, {0, 1});
    r.glow = t.number("glow", r.glow, {0, 1});
    r.opaque = t.boolean("opaque", r.opaque);
    r.show_tank = t.boolean("show_tank", r.show_tank);
}

Scene readScene(const TomlTable& root, const std::filesystem::path& file)
{
    root.allowOnly({"title", "domain", "time", "liquid", "heat", "pressure", "surface", "solid", "body", "joint", "rigid",
                    "coupling", "tracers", "output", "render"});
    Scene s;
    s.name = file.stem().string();
    s.file = file.string();
    s.title = root.text("title", s.name);
    readDomain(root.sub("domain"), s.domain);
    readTime(root.sub("time"), s.time);
    const ShapeContext context{file.parent_path(), s.domain.width_m};
    readMaterial(root.sub("liquid"), s);
    readLiquid(root.sub("liquid"), context, s.liquid);
    if (!s.hasLiquid() && root.list("body").empty())
        failInput(root.sub("liquid").where(), "there is no liquid at all, and no body",
                  "add a [[liquid.region]], a [[liquid.source]] or a [[body]]");
    readHeat(root, context, s);
    for (const TomlTable& solid : root.list("solid")) s.solids.push_back(readSolid(solid, context, s));
    readBodies(root, context, s);
    readJoints(root, s);
    readSolvers(root, s);
    readSurface(root.sub("surface"), s.domain, s.surface);
    readOutput(root, s);
    readRender(root.sub("render"), s.render);
    return s;
}

// A device or a pipe may have neither an end nor a size.
std::string readText(const std::string& path)
{
    if (!std::filesystem::exists(path)) failInput(path, "there is no such scene file", "check the path");
    if (std::filesystem::is_directory(path)) failInput(path, "this is a folder", "name a scene file (.toml)");
    std::ifstream in(path, std::ios::binary);
    if (!in) throw IoError(fmt::format("{}: cannot read the scene file; check its permissions", path));
    std::string text;
    char piece[65536];
    while (text.size() <= most_bytes && (in.read(piece, sizeof piece) || in.gcount() > 0))  // a device may have no end
        text.append(piece, size_t(in.gcount()));
    if (in.bad()) throw IoError(fmt::format("{}: cannot read the scene file; check its permissions", path));
    if (text.empty()) failInput(path, "the file is empty", "write a scene into it");
    if (text.size() > most_bytes)
        failInput(path, fmt::format("this is longer than the {} MB that a scene may have", most_bytes / 1000000),
                  "name a scene file (.toml)");
    return text;
}

toml::table parseScene(const std::string& path)
{
    try {
        return toml::parse(readText(path), path);
    } catch (const toml::parse_error& e) {
        failInput(whereOf(e.source()), std::string(e.description()),
                  "correct the TOML: key = value, strings in quotes, tables as [name], lists of tables as [[name]]");
    }
}

}  // namespace

Scene loadScene(const std::string& path, const std::vector<std::string>& overrides)
{
    toml::table root = parseScene(path);
    for (const std::string& text : overrides) applyOverride(text, root);
    return readScene(TomlTable(root, "", path), path);
}

}  // namespace flotsam
