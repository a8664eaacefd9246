// Heat parameters as plain structs: docs/methods/heat.md. The defaults are those of water and are defined only here.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "geometry/shape.h"

namespace flotsam {

// The words of the scene file are in the same order.
enum class HeatConvection { upwind, semi_lagrangian, cubic };
inline constexpr const char* heat_convection_words[] = {"upwind", "semi-lagrangian", "cubic"};
enum class ViscosityLaw { constant, linear, quadratic, table };
inline constexpr const char* viscosity_law_words[] = {"constant", "linear", "quadratic", "table"};

// Viscosity as a function of temperature (thesis 4.3).
struct HeatViscosity {
    struct Entry {
        double temperature_K, viscosity_m2_s;
    };
    ViscosityLaw law = ViscosityLaw::constant;
    double from_K = 0, to_K = 0;    // the transition zone: solid below, liquid above
    double solid_m2_s = 0;          // at from_K and below
    double liquid_m2_s = 1e-6;      // at to_K and above; everywhere if the law is constant
    std::vector<Entry> table = {};  // by rising temperature; constant extrapolation outside
};

// Whether a source of liquid or of heat is active at a time.
template <class Spec>
bool isOpen(const Spec& source, double t_s)
{
    // A step ends at these times up to rounding.
    constexpr double rounding_s = 1e-9;
    return t_s >= source.from_s - rounding_s && t_s < source.to_s - rounding_s;
}

// Liquid inside the shape has a prescribed temperature, or shares a power. Exactly one of the two.
struct HeatSourceSpec {
    ShapeSpec shape;
    std::optional<double> temperature_K = {};
    std::optional<double> power_W = {};
    double from_s = 0;
    double to_s = std::numeric_limits<double>::infinity();
    std::string where = {};
};

struct HeatParams {
    bool on = false;                // a temperature or [heat] was given
    double temperature_K = 293.15;  // of regions and inflows without a temperature
    HeatConvection convection = HeatConvection::cubic;
    double diffusivity_m2_s = 1.4e-7;
    double specific_heat_J_kg_K = 4186;
    std::optional<double> walls_K = {};  // of the walls of the tank and of solids; none: insulated
    double air_K = 293.15;
    double air_transfer_W_m2_K = 0;  // Newton's law at the surface; 0: insulated
    double latent_J_kg = 0;          // 0: no latent heat, as in the thesis
    double melting_K = 273.15;
    HeatViscosity viscosity;
    std::vector<HeatSourceSpec> sources;
};

// e = heat per kilogram over the specific heat [K]: the temperature, plus the latent heat where molten.
struct Melting {
    double latent_K = 0;  // latent heat over specific heat
    double melting_K = 0;

    explicit Melting(const HeatParams& heat)
        : latent_K(heat.latent_J_kg / heat.specific_heat_J_kg_K), melting_K(heat.melting_K)
    {
    }
    Melting(double latent, double melting) : latent_K(latent), melting_K(melting) {}

    double temperatureOf(double e) const
    {
        return e <= melting_K ? e : e < melting_K + latent_K ? melting_K : e - latent_K;
    }
    // 0: solid, 1: molten.
    double meltedFraction(double e) const
    {
        return e <= melting_K ? 0 : e < melting_K + latent_K ? (e - melting_K) / latent_K : 1;
    }
    // At the melting point itself the liquid fraction is 0.
    double enthalpyOf(double temperature_K) const
    {
        return temperature_K > melting_K ? temperature_K + latent_K : temperature_K;
    }
};

}  // namespace flotsam
