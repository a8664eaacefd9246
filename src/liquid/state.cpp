#include "liquid/state.h"

namespace flotsam {

Grid::Grid(const DomainParams& domain, const TimeParams& time, const SurfaceParams& surface)
    : cells(domain.cells), h(domain.h()), bricks(domain.cells), no_slip(domain.no_slip), treatment(surface.treatment)
{
    for (int a = 0; a < 3; ++a)
        for (int side = 0; side < 2; ++side) open[a][side] = domain.open[a][side];
    down = normalized(domain.gravity_m_s2);
    // A trajectory may reach cfl cells out, an interpolation one more, and the corner of a cell another.
    extension_layers = int(std::ceil(time.cfl)) + 2;
    // Redistancing reaches at most the shortest side of a brick.
    band = float(h * std::min(std::max(extension_layers + 1, surface.band_cells), 8));
}

LiquidState::LiquidState(const Grid& grid)
    : u(grid.cells), phi(grid.cells), viscosity(grid.cells), temperature(grid.cells), melted(grid.cells)
{
}

HeatScratch::HeatScratch(const Grid& grid)
    : e(grid.cells),
      e_new(grid.cells),
      low(grid.cells),
      high(grid.cells),
      fraction(grid.cells),
      fixed(grid.cells),
      known(grid.cells)
{
}

LiquidScratch::LiquidScratch(const Grid& grid)
    : u_old(grid.cells),
      u_correction(grid.cells),
      phi_new(grid.cells),
      distance(grid.cells),
      center_velocity(grid.cells),
      heat(grid),
      known{Field3<uint8_t>(grid.cells), Field3<uint8_t>(grid.cells), Field3<uint8_t>(grid.cells)},
      pressure(grid.cells),
      viscosity(grid.cells),
      viscous_residual{BrickField<float>(viscosity.slots().bricks), BrickField<float>(viscosity.slots().bricks),
                       BrickField<float>(viscosity.slots().bricks)},
      viscous_product{BrickField<float>(viscosity.slots().bricks), BrickField<float>(viscosity.slots().bricks),
                      BrickField<float>(viscosity.slots().bricks)}
{
}

void expectDense(LiquidState& s, LiquidScratch& w)
{
    for (MacField* u : {&s.u, &w.u_old, &w.u_correction})
        for (Field3<float>& f : u->u) f.expectDense();
    for (Field3<float>* f : {&s.phi, &w.phi_new, &w.distance}) f->expectDense();
    for (Field3<uint8_t>& f : w.known) f.expectDense();
}

}  // namespace flotsam
