// Heat in the liquid: docs/methods/heat.md. The temperature is at cell centres, in the liquid and a few cells around
// it. Zero, which no valid temperature equals, means that it is not known.
//
// The advected quantity is e, the specific enthalpy divided by the specific heat [K]: the temperature plus the latent
// heat of the molten fraction. A cell is weighted by its liquid fraction. The total mass is density times the volume
// that was put in (volume_target_m3), so volume that the level set loses and regains carries no heat.
//
// barriers: the solids and the bodies at their present positions. Both are insulated, or the solids have the
// temperature of the walls.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"
#include "liquid/surface.h"

namespace flotsam {

// Grid cells whose centre is in the shape of a heat source.
struct HeatSource {
    HeatSourceSpec spec;
    std::vector<Int3> cells;
};
std::vector<HeatSource> makeHeatSources(const Grid& grid, const std::vector<HeatSourceSpec>& specs);

struct HeatTotals {
    double cells = 0;  // of liquid
    double sum_K = 0;  // of e over them
    double mean_K() const { return cells > 0 ? sum_K / cells : 0; }
    HeatTotals& operator+=(const HeatTotals& o)
    {
        cells += o.cells, sum_K += o.sum_K;
        return *this;
    }
};
// For the current surface and temperature.
HeatTotals measureHeat(const Grid& grid, const Solids& barriers, const HeatParams& heat, LiquidState& s);
// Heat of the liquid above absolute zero, including latent heat.
inline double heatOf(const HeatTotals& totals, const LiquidParams& liquid, const HeatParams& heat, const LiquidState& s)
{
    return liquid.density_kg_m3 * heat.specific_heat_J_kg_K * s.volume_target_m3 * totals.mean_K();
}
// The mean of e where liquid leaves through open boundaries.
double leavingHeat(const Grid& grid, const Solids& barriers, const HeatParams& heat, LiquidState& s);

// The liquid of each cell, outside solids and bodies, into w.heat.fraction: liquid_fraction.h.
void fillLiquidFractions(const Grid& grid, const Solids& barriers, LiquidState& s, LiquidScratch& w);

// Sets the initial temperature of the regions.
void startHeat(const Grid& grid, const Solids& barriers, const Scene& scene, LiquidState& s, LiquidScratch& w);

// Advects heat with u for dt_s from the previous to the current surface. mean_K: the prescribed mean of e afterwards.
// Returns the error of that mean before it was corrected.
double convectHeat(const Grid& grid, const Solids& barriers, const HeatParams& heat, double dt_s, double mean_K,
                   LiquidState& s, LiquidScratch& w);

// Sets the cells inside inflows to the temperature of the inflow.
void heatInflows(const Grid& grid, const std::vector<Source>& sources, const HeatParams& heat, LiquidState& s);

// Sources and conduction for dt_s, then the extension of the temperature around the liquid. Call it once the surface
// has its final position.
void updateHeat(const Grid& grid, const Solids& barriers, const LiquidParams& liquid, const HeatParams& heat,
                const std::vector<HeatSource>& sources, double dt_s, LiquidState& s, LiquidScratch& w);

// Its stages.
void applyHeatSources(const LiquidParams& liquid, const HeatParams& heat, const std::vector<HeatSource>& sources,
                      double dt_s, LiquidState& s, LiquidScratch& w);
void conductHeat(const Grid& grid, const Solids& barriers, const LiquidParams& liquid, const HeatParams& heat,
                 double dt_s, LiquidState& s, LiquidScratch& w);
void extendHeat(const Grid& grid, const Solids& barriers, const HeatParams& heat, LiquidState& s, LiquidScratch& w);

// w.heat.e from the state's temperature; zero in the bricks around the active ones.
void loadEnthalpy(const Grid& grid, const HeatParams& heat, LiquidState& s, View3<float> e);
// The inverse.
void storeEnthalpy(const HeatParams& heat, const BrickSet& set, View3<const float> e, LiquidState& s);

}  // namespace flotsam
