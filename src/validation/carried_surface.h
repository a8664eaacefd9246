// A surface advected by a prescribed velocity, to measure how well its shape is preserved.
#pragma once

#include <functional>

#include "liquid/measure.h"
#include "liquid/surface.h"

namespace flotsam {

// velocity(p) * strength(t)
struct PrescribedVelocity {
    std::function<Vec3(Vec3 p_m)> velocity_m_s;
    std::function<double(double t_s)> strength = [](double) { return 1.0; };
};

class CarriedSurface {
public:
    CarriedSurface(Int3 cells, double width_m, const SurfaceParams& prm, const Shape& shape,
                   PrescribedVelocity velocity);

    CarriedSurface(const CarriedSurface&) = delete;  // the solids refer to the grid
    CarriedSurface& operator=(const CarriedSurface&) = delete;

    // One step of the surface, as in a simulation. The velocity is taken at the middle of the step, so that a reversed
    // flow restores the shape to second order in dt.
    void step(double dt_s);
    double volume_m3();
    // Area fraction of a two-dimensional run on the wrong side of the surface of `shape`, relative to the area of the
    // shape: 5 x 5 samples per cell.
    double misplacedFraction(const Shape& shape, double area_m2);

    Grid grid;
    Solids solids;
    LiquidState state;
    LiquidScratch scratch;

private:
    void setVelocity(double strength);

    SurfaceParams prm;
    PrescribedVelocity prescribed;
    MacField unit_strength;  // [m/s] on faces
};

}  // namespace flotsam
