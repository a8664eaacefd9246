#include "scene/read_heat.h"

#include <fmt/format.h>

#include <algorithm>

namespace flotsam {

namespace {

constexpr Limits temperature = positive(1e5);  // above absolute zero
constexpr Limits viscosity = positive(1e6);

void readWindow(const TomlTable& t, double& from_s, double& to_s)
{
    from_s = t.number("from_s", from_s, {0, 1e6});
    to_s = t.number("to_s", to_s, {0, 1e6, true, true});
    if (to_s <= from_s)
        failInput(t.where("to_s", "from_s"),
                  fmt::format("{} ends at {} s, not after its start at {} s", t.path(), to_s, from_s),
                  "make to_s larger than from_s");
}

HeatSourceSpec readHeatSource(const TomlTable& t, const ShapeContext& context)
{
    t.allowOnly({"box", "sphere", "cylinder", "mesh", "pool", "temperature_K", "power_W", "from_s", "to_s"});
    HeatSourceSpec s;
    s.shape = readShape(t, context);
    if (t.has("temperature_K") == t.has("power_W"))
        failInput(t.where("temperature_K", "power_W"),
                  t.has("power_W") ? fmt::format("{} has both a temperature_K and a power_W", t.path())
                                   : fmt::format("{} has neither a temperature_K nor a power_W", t.path()),
                  "give one: a temperature to hold, or a power to give");
    if (t.has("temperature_K")) s.temperature_K = t.number("temperature_K", 0, temperature);
    if (t.has("power_W")) s.power_W = t.number("power_W", 0, positive(1e12));
    readWindow(t, s.from_s, s.to_s);
    s.where = t.where();
    return s;
}

void readRamp(const TomlTable& t, HeatViscosity& v)
{
    v.from_K = t.requiredNumber("from_K", temperature);
    v.to_K = t.requiredNumber("to_K", temperature);
    v.solid_m2_s = t.requiredNumber("solid_m2_s", viscosity);
    v.liquid_m2_s = t.requiredNumber("liquid_m2_s", viscosity);
    if (v.to_K <= v.from_K)
        failInput(
            t.where("to_K", "from_K"),
            fmt::format("{} is upside down: it ends at {} K, not above its start at {} K", t.path(), v.to_K, v.from_K),
            "from_K is where melting begins, to_K where all is liquid");
    if (v.solid_m2_s < v.liquid_m2_s)
        failInput(t.where("solid_m2_s", "liquid_m2_s"),
                  fmt::format("{} is upside down: the solid's {} m2/s is below the liquid's {} m2/s", t.path(),
                              v.solid_m2_s, v.liquid_m2_s),
                  "solid_m2_s is the viscosity at from_K and below; a law = \"table\" may rise with the temperature");
}

void readViscosityTable(const TomlTable& t, HeatViscosity& v)
{
    for (const auto& [kelvin, nu] : t.pairs("table", temperature, viscosity)) v.table.push_back({kelvin, nu});
    if (v.table.size() < 2)
        failInput(t.where("table"), fmt::format("{} has {} rows", t.name("table"), v.table.size()),
                  "give at least two, as in [[300, 1e4], [340, 0.1]]");
    for (size_t n = 1; n < v.table.size(); ++n)
        if (v.table[n].temperature_K <= v.table[n - 1].temperature_K)
            failInput(t.where("table"),
                      fmt::format("{} goes from {} K to {} K", t.name("table"), v.table[n - 1].temperature_K,
                                  v.table[n].temperature_K),
                      "sort its rows by rising temperature, each once");
}

void readViscosity(const TomlTable& t, double liquid_m2_s, HeatViscosity& v)
{
    t.allowOnly({"law", "from_K", "to_K", "solid_m2_s", "liquid_m2_s", "table"});
    const std::vector<std::string> words(std::begin(viscosity_law_words), std::end(viscosity_law_words));
    v.law = ViscosityLaw(t.word("law", int(v.law), words));
    const bool ramp = v.law == ViscosityLaw::linear || v.law == ViscosityLaw::quadratic;
    for (const char* key : {"from_K", "to_K", "solid_m2_s", "liquid_m2_s"})
        if (t.has(key) && !ramp)
            failInput(t.where(key),
                      fmt::format("{} means nothing with law = \"{}\"", t.name(key), words[size_t(v.law)]),
                      "choose law = \"linear\" or \"quadratic\", or remove it");
    if (t.has("table") && v.law != ViscosityLaw::table)
        failInput(t.where("table"),
                  fmt::format("{} means nothing with law = \"{}\"", t.name("table"), words[size_t(v.law)]),
                  "choose law = \"table\", or remove it");
    v.liquid_m2_s = liquid_m2_s;
    if (ramp) readRamp(t, v);
    if (v.law == ViscosityLaw::table) readViscosityTable(t, v);
}

void readBoundaries(const TomlTable& t, HeatParams& p)
{
    t.word("walls", 0, {"insulated"});
    if (t.has("walls") && t.has("walls_K"))
        failInput(t.where("walls_K", "walls"), "heat.walls is \"insulated\" and heat.walls_K is given", "keep one");
    if (t.has("walls_K")) p.walls_K = t.number("walls_K", 0, temperature);
    p.air_K = t.number("air_K", p.air_K, temperature);
    p.air_transfer_W_m2_K = t.number("air_transfer_W_m2_K", p.air_transfer_W_m2_K, {0, 1e9});
    if (t.has("air_K") && !t.has("air_transfer_W_m2_K"))
        failInput(t.where("air_K"), "heat.air_K is given without heat.air_transfer_W_m2_K",
                  "say how well the surface gives heat to the air: 5 to 25 in still air");
}

}  // namespace

std::optional<double> readTemperature(const TomlTable& t)
{
    if (!t.has("temperature_K")) return {};
    return t.number("temperature_K", 0, temperature);
}

void readHeat(const TomlTable& root, ShapeContext context, Scene& s)
{
    HeatParams& p = s.heat;
    const TomlTable t = root.sub("heat");
    t.allowOnly({"temperature_K", "convection", "diffusivity_m2_s", "specific_heat_J_kg_K", "walls", "walls_K", "air_K",
                 "air_transfer_W_m2_K", "latent_J_kg", "melting_K", "viscosity", "source"});
    p.on = root.has("heat");
    for (const RegionSpec& r : s.liquid.regions) p.on = p.on || r.temperature_K;
    for (const SourceSpec& r : s.liquid.sources) p.on = p.on || r.temperature_K;
    p.temperature_K = t.number("temperature_K", p.temperature_K, temperature);
    p.convection = HeatConvection(
        t.word("convection", int(p.convection), {std::begin(heat_convection_words), std::end(heat_convection_words)}));
    p.diffusivity_m2_s = t.number("diffusivity_m2_s", p.diffusivity_m2_s, positive(1e3));
    p.specific_heat_J_kg_K = t.number("specific_heat_J_kg_K", p.specific_heat_J_kg_K, positive(1e9));
    readBoundaries(t, p);
    p.latent_J_kg = t.number("latent_J_kg", p.latent_J_kg, {0, 1e12});
    p.melting_K = t.number("melting_K", p.melting_K, temperature);
    if (p.latent_J_kg > 0 && !t.has("melting_K"))
        failInput(t.where("latent_J_kg"), "heat.latent_J_kg is given without heat.melting_K",
                  "say at which temperature it melts");
    readViscosity(t.sub("viscosity"), s.liquid.viscosity_m2_s, p.viscosity);
    context.pool_allowed = true;
    for (const TomlTable& source : t.list("source")) p.sources.push_back(readHeatSource(source, context));
}

}  // namespace flotsam
