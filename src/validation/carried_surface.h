// A surface that a prescribed velocity carries: the cases that ask how well a shape survives its journey.
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

    CarriedSurface(const CarriedSurface&) = delete;  // the solids know where the grid is
    CarriedSurface& operator=(const CarriedSurface&) = delete;

    // One step of the surface, as a simulation's. The velocity is that of the middle of the step, so that a flow that
    // is turned round brings everything back to second order in dt.
    void step(double dt_s);
    double volume_m3();
    // The part of a two-dimensional run's area that is on another side of the surface than `shape` says, over the
    // shape's own area: 5 x 5 samples a cell.
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
