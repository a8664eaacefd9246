#include "apps/ledger_brief.h"

#include <fmt/format.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "core/error.h"
#include "scene/preflight_checks.h"

namespace flotsam {

namespace {

constexpr double most_given_back = 0.05;

// A NaN or infinite number is null in a ledger.
double numberIn(const nlohmann::json& line, const char* key, double otherwise = 0)
{
    const auto found = line.find(key);
    return found != line.end() && found->is_number() ? found->get<double>() : otherwise;
}

void addFastest(const nlohmann::json& line, LedgerBrief& b)
{
    const double speed_m_s = numberIn(line, "max_speed_m_s");
    b.travelled_m += speed_m_s * numberIn(line, "dt_s");
    if (speed_m_s <= b.fastest.speed_m_s) return;
    b.fastest = {speed_m_s, numberIn(line, "t_s"), false, {}, {}};
    const auto has = [&](const char* key) { return line.contains(key) && !line[key].is_null(); };
    if (has("max_speed_of")) b.fastest.of_body = line["max_speed_of"] == "body";
    if (has("max_speed_at_m")) b.fastest.at_m = line["max_speed_at_m"].get<std::array<double, 3>>();
    if (has("energy_speed_m_s")) b.fastest.energy_speed_m_s = line["energy_speed_m_s"].get<double>();
}

void addVolume(const nlohmann::json& line, LedgerBrief& b)
{
    b.last_volume_m3 = numberIn(line, "liquid_volume_m3");
    if (b.steps == 0) b.first_volume_m3 = b.last_volume_m3;
    b.last_target_m3 = numberIn(line, "volume_target_m3");
    b.largest_target_m3 = std::max(b.largest_target_m3, b.last_target_m3);
    b.has_account = line.contains("volume_given_back_m3");
    b.given_back_m3 = numberIn(line, "volume_given_back_m3");
    b.lost_m3 = numberIn(line, "volume_lost_m3");
}

void addLine(const nlohmann::json& line, LedgerBrief& b)
{
    addVolume(line, b);
    addFastest(line, b);
    ++b.steps;
    b.frame = line.value("frame", b.frame);
    b.t_s = numberIn(line, "t_s", b.t_s);
    b.failure = line.value("failure", "");
    b.wall_s += numberIn(line, "wall_s");
    b.overlap_m = std::max(b.overlap_m, numberIn(line, "overlap_m"));
    b.contacts = line.value("contacts", 0);
    const nlohmann::json pressure = line.value("pressure", nlohmann::json::object());
    const int iterations = pressure.value("iterations", 0);
    b.iterations += iterations;
    b.most_iterations = std::max(b.most_iterations, iterations);
    b.solves += pressure.value("solves", 1);
    const nlohmann::json stages = line.value("stage_s", nlohmann::json::object());
    for (const auto& [stage, seconds] : stages.items()) b.stage_s[stage] += seconds.get<double>();
}

// The name of a solid thinner than two cells; empty if there is none, or a mesh no longer exists.
std::string thinSolid(const Scene& scene)
{
    try {
        const SceneShapes shapes = makeShapes(scene);
        for (size_t i = 0; i < scene.solids.size(); ++i)
            if (thickness(scene.solids[i], *shapes.solids[i], scene.domain) < 2 * scene.domain.h())
                return scene.solids[i].name;
    } catch (const InputError&) {
    }
    return "";
}

// Mean time step four times shorter than the limits by frames and by the speed of the liquid.
bool hasShortSteps(const LedgerBrief& b, const Scene& scene)
{
    return b.t_s / b.steps < 0.25 / scene.time.fps && b.travelled_m / b.steps < 0.25 * scene.domain.h();
}

}  // namespace

LedgerBrief readLedger(const std::filesystem::path& file)
{
    LedgerBrief brief;
    std::ifstream in(file);
    for (std::string text; std::getline(in, text);) try {
            addLine(nlohmann::json::parse(text), brief);
        } catch (const nlohmann::json::exception&) {
            ++brief.unreadable_lines;
        }
    return brief;
}

std::string volumeAccountText(const LedgerBrief& b)
{
    if (!b.has_account || b.largest_target_m3 <= 0) return "";
    return fmt::format("{:.3f} % of the liquid; lost by the surface: {:+.3f} %", 100 * b.givenBack(), 100 * b.lost());
}

std::string volumeWarning(const LedgerBrief& b, const Scene* scene)
{
    if (b.givenBack() <= most_given_back) return "";
    const std::string much =
        fmt::format("the volume correction redistributed {:.1f} % of the liquid over the run", 100 * b.givenBack());
    if (const std::string thin = scene ? thinSolid(*scene) : ""; !thin.empty())
        return fmt::format(
            "{}. Likely cause: solid \"{}\" is thinner than two cells, and the surface next to it is tracked less "
            "accurately; make it thicker or use more cells (domain.cells)",
            much, thin);
    if (scene && hasShortSteps(b, *scene))
        return fmt::format(
            "{}. Likely cause: very short time steps ({:.2g} s on average), each of which loses some "
            "volume; increase time.max_dt_s or time.cfl",
            much, b.t_s / b.steps);
    return fmt::format(
        "{}. Likely cause: sheets, drops or gaps between solids thinner than two cells; use more cells (domain.cells)",
        much);
}

std::string fastestText(const FastestStep& f, const Scene* scene)
{
    std::string text = fmt::format("{:.4g} m/s", f.speed_m_s);
    if (!f.at_m) return text;
    const auto [x, y, z] = *f.at_m;
    text +=
        fmt::format(" at t = {:.4g} s, {}({:.3g}, {:.3g}, {:.3g}) m", f.t_s, f.of_body ? "a body at " : "", x, y, z);
    if (f.of_body || !f.energy_speed_m_s || (scene && !scene->hasLiquid())) return text;
    const bool falls = !scene || length(scene->domain.gravity_m_s2) > 0;
    const bool pushed =
        scene && std::any_of(scene->solids.begin(), scene->solids.end(), [](const SolidSpec& s) { return s.moving(); });
    return fmt::format("{}; {} at most {:.4g} m/s: {}", text,
                       falls ? (scene && !scene->bodies.empty() ? "a fall from the highest liquid or body gives"
                                                                : "a fall from the highest liquid gives")
                             : "the speeds of the scene are",
                       *f.energy_speed_m_s,
                       f.speed_m_s <= *f.energy_speed_m_s * (1 + 1e-3) ? "explained"
                       : pushed
                           ? "more than energy allows on average; a moving solid, a jet, or an artefact of the grid"
                           : "more than energy allows on average; a jet, or an artefact of the grid");
}

}  // namespace flotsam
