// flotsam check SCENE: parses, estimates, warns.
#include <fmt/format.h>

#include "apps/commands.h"
#include "apps/progress.h"
#include "core/print.h"
#include "coupling/inspect_coupled.h"
#include "rigid/from_scene.h"
#include "scene/preflight.h"
#include "scene/scene.h"

namespace flotsam {

namespace {

void row(const std::string& name, const std::string& value) { print(stdout, "  {:<16}{}\n", name, value); }

std::string bytesText(double bytes)
{
    if (bytes < 1e6) return fmt::format("{:.0f} kB", bytes / 1e3);
    return bytes < 1e9 ? fmt::format("{:.0f} MB", bytes / 1e6) : fmt::format("{:.1f} GB", bytes / 1e9);
}

std::string cellsText(long long part, long long whole)
{
    return fmt::format("{} cells ({:.1f} %)", part, 100. * double(part) / double(whole));
}

constexpr size_t bodies_listed = 12;

void printTable(const Scene& s, const Preflight& p, const BodyPreflight& bodies)
{
    const DomainParams& d = s.domain;
    const Vec3 size = d.size_m();
    print(stdout, "{}\n", s.title);
    row("grid", fmt::format("{} x {} x {} = {} cells of {:.4g} m{}", d.cells.x, d.cells.y, d.cells.z, p.cells, d.h(),
                            d.twoDimensional() ? " (two-dimensional)" : ""));
    row("tank", fmt::format("{:.4g} x {:.4g} x {:.4g} m", size.x, size.y, size.z));
    if (s.hasLiquid())
        row("liquid", fmt::format("{}, {:.4g} m3, {:.4g} kg", cellsText(p.liquid_cells, p.cells), p.liquid_volume_m3,
                                  p.liquid_volume_m3 * s.liquid.density_kg_m3));
    if (!s.liquid.sources.empty())
        row("sources", fmt::format("{}, about {:.3g} m3 over the run", s.liquid.sources.size(), p.inflow_volume_m3));
    if (!s.solids.empty()) row("solids", fmt::format("{}, {}", s.solids.size(), cellsText(p.solid_cells, p.cells)));
    row("time", fmt::format("{:.4g} s, {} frames at {:.4g} per second", s.time.seconds, p.frames + 1, s.time.fps));
    row("steps", s.hasLiquid() ? fmt::format("about {} at speeds up to {:.3g} m/s; more where jets are faster", p.steps,
                                             p.speed_m_s)
                               : fmt::format("{}", p.steps));
    for (size_t i = 0; i < bodies.bodies.size() && i < bodies_listed; ++i) {
        const BodyPreflight::Row& b = bodies.bodies[i];
        row(i == 0 ? "bodies" : "",
            fmt::format("{}: {:.4g} kg, {:.4g} m3, {} triangles", b.name, b.mass_kg, b.volume_m3, b.triangles));
    }
    if (bodies.bodies.size() > bodies_listed) row("", fmt::format("and {} more", bodies.bodies.size() - bodies_listed));
    row("memory", "about " + bytesText(p.memory_bytes));
    row("disk", s.hasLiquid() ? fmt::format("about {}, up to about {} if the liquid splashes", bytesText(p.disk_bytes),
                                            bytesText(p.splash_disk_bytes))
                              : "about " + bytesText(p.disk_bytes));
    row("warnings", std::to_string(p.warnings.size() + bodies.warnings.size()));
}

int checkScene(const std::string& file, const std::vector<std::string>& overrides)
{
    const Scene scene = loadScene(file, overrides);
    const RigidWorld world = makeWorld(scene);
    const Preflight preflight = inspect(scene, "out/" + scene.name, summaryOf(scene, world));
    const BodyPreflight bodies = inspectCoupled(scene, world);
    printTable(scene, preflight, bodies);
    std::fflush(stdout);
    for (const std::string& w : bodies.warnings) print(stderr, "warning: {}\n", w);
    for (const std::string& w : preflight.warnings) print(stderr, "warning: {}\n", w);
    return exit_done;
}

}  // namespace

void addCheckCommand(CLI::App& program, Action& action)
{
    struct Arguments {
        std::string scene;
        std::vector<std::string> overrides;
    };
    auto a = std::make_shared<Arguments>();
    CLI::App& c =
        *program.add_subcommand("check", "Read a scene, print what a run would cost, and warn about what looks wrong");
    c.add_option("scene", a->scene, "The scene file (.toml)")->required()->type_name("SCENE");
    c.add_option("--set", a->overrides, "Override a key of the scene; may be repeated")
        ->type_name("KEY=VALUE")
        ->allow_extra_args(false);
    c.footer("Example:\n  flotsam check scenes/dam_break.toml --set domain.cells=[256,192,128]");
    c.callback([a, &action] { action = [a] { return checkScene(a->scene, a->overrides); }; });
}

}  // namespace flotsam
