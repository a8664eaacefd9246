#include "liquid/wall_film.h"

namespace flotsam {

namespace {

// The thickness [cells] of the liquid on a wall within a cell next to it, by linear extrapolation of phi.
float thicknessIn(View3<const float> phi, Int3 c, Int3 inwards)
{
    const float here = phi(c), slope = phi(c + inwards) - here;
    if (slope <= 0) return here < 0 ? 1.0f : 0.0f;
    return std::clamp(0.5f - here / slope, 0.0f, 1.0f);
}

}  // namespace

// With d the thickness, u the velocity at the faces and U at the centre:
//   growth = -sum over faces (u d, outwards, d from upwind) + U . grad d, upwind
// The first sum is a balance of volumes. The last term cancels the transport of phi. With -d div u instead, the film
// grew exponentially where the velocity drops to zero from one face to the next, at the end of the extension.
float filmGrowth(const WallFilm& film, View3<const float> phi, const ConstMacView& u, Float4 center_velocity, Int3 c)
{
    const float here = thicknessIn(phi, c, film.inwards);
    float growth = 0;
    for (int a = 0; a < 3; ++a) {
        if (a == film.axis) continue;
        const Int3 e = unit(a);
        const float low = u.u[a](c), high = u.u[a](c + e), mean = center_velocity[a];
        const float before = thicknessIn(phi, c - e, film.inwards), after = thicknessIn(phi, c + e, film.inwards);
        growth += low * (low > 0 ? before : here) - high * (high > 0 ? here : after);
        growth += mean * (mean > 0 ? here - before : after - here);
    }
    return growth;
}

}  // namespace flotsam
