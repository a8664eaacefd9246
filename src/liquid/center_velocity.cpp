#include "liquid/center_velocity.h"

namespace flotsam {

void fillCenterVelocity(const BrickSet& set, const ConstMacView& u, View3<Float4> out)
{
    parallelBoxes("surface.velocity", set, [&](IndexBox box) {
        for (int k = box.lo.z; k < box.hi.z; ++k)
            for (int j = box.lo.y; j < box.hi.y; ++j) {
                const float *x = u.u[0].row(j, k), *y = u.u[1].row(j, k), *y_next = u.u[1].row(j + 1, k),
                            *z = u.u[2].row(j, k), *z_next = u.u[2].row(j, k + 1);
                Float4* to = out.row(j, k);
                for (int i = box.lo.x; i < box.hi.x; ++i)
                    to[i] = Float4{0.5f * (x[i] + x[i + 1]), 0.5f * (y[i] + y_next[i]), 0.5f * (z[i] + z_next[i]), 0};
            }
    });
}

}  // namespace flotsam
