// Heat in the liquid: docs/methods/heat.md. The temperature is at cell centres, in the liquid and some cells around
// it; where it is not known it is zero, which no temperature is.
//
// The quantity that moves is e = heat of a kilogram over the specific heat [K]: the temperature, plus the latent heat
// of what is molten. A cell counts with its part of liquid; the mass of all of it is density times what was put in
// (volume_target_m3), so volume that the level set loses and gets back takes no heat along.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"
#include "liquid/surface.h"

namespace flotsam {

// Cells of the grid whose centre is in a shape that gives heat.
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
// Of the present surface and the state's temperature.
HeatTotals measureHeat(const Grid& grid, const Solids& solids, const HeatParams& heat, LiquidState& s);
// Heat of the liquid above absolute zero, the latent one included.
inline double heatOf(const HeatTotals& totals, const LiquidParams& liquid, const HeatParams& heat, const LiquidState& s)
{
    return liquid.density_kg_m3 * heat.specific_heat_J_kg_K * s.volume_target_m3 * totals.mean_K();
}
// The mean of e where liquid leaves through open sides.
double leavingHeat(const Grid& grid, const Solids& solids, const HeatParams& heat, LiquidState& s);

// The liquid's part of each cell, solids left out, into w.heat.fraction.
void fillLiquidFractions(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w);

// The temperature of the regions.
void startHeat(const Grid& grid, const Solids& solids, const Scene& scene, LiquidState& s, LiquidScratch& w);

// Carries heat with u for dt_s from where the surface was to where it is now. mean_K: what the mean of e is to be
// afterwards. Returns by how much the scheme alone missed it.
double convectHeat(const Grid& grid, const Solids& solids, const HeatParams& heat, double dt_s, double mean_K,
                   LiquidState& s, LiquidScratch& w);

// Inflows give their temperature to what is inside of them.
void heatInflows(const Grid& grid, const std::vector<Source>& sources, const HeatParams& heat, LiquidState& s);

// Sources and conduction for dt_s, then the temperature around the liquid. To be called once the surface is where it
// will be.
void updateHeat(const Grid& grid, const Solids& solids, const LiquidParams& liquid, const HeatParams& heat,
                const std::vector<HeatSource>& sources, double dt_s, LiquidState& s, LiquidScratch& w);

// Its parts.
void applyHeatSources(const LiquidParams& liquid, const HeatParams& heat, const std::vector<HeatSource>& sources,
                      double dt_s, LiquidState& s, LiquidScratch& w);
void conductHeat(const Grid& grid, const Solids& solids, const LiquidParams& liquid, const HeatParams& heat,
                 double dt_s, LiquidState& s, LiquidScratch& w);
void extendHeat(const Grid& grid, const HeatParams& heat, LiquidState& s, LiquidScratch& w);

// w.heat.e from the state's temperature; zero in the bricks around the active ones.
void loadEnthalpy(const Grid& grid, const HeatParams& heat, LiquidState& s, View3<float> e);
// And back.
void storeEnthalpy(const HeatParams& heat, const BrickSet& set, View3<const float> e, LiquidState& s);

}  // namespace flotsam
