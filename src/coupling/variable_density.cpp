#include "coupling/variable_density.h"

#include "core/profile.h"

namespace flotsam {

// A face that the body covers in part belongs to it or to the liquid as a whole: shared by their masses, the liquid of
// half a cell around the body moves with it, which adds to its mass (a sphere of 12 cells across half as heavy as water
// rose 10 % too slowly; 1.5 % too fast so).
std::vector<BodyFace> VariableDensity::facesOf(const BodyObstacle& body, const std::vector<BodyCell>& near) const
{
    return facesInside(grid, body, near);
}

void VariableDensity::mark(BodyMarks& marks) const
{
    marks.near.assign(wet.empty() ? 0 : size_t(grid.bricks.total()), 0);
    const float far_m = 2 * float(grid.h);
    const auto touch = [&](Int3 at) {
        const int brick = BodyMarks::brickOf(grid, at);
        if (marks.near[size_t(brick)]) return;
        marks.near[size_t(brick)] = 1;
        const IndexBox box = grid.bricks.box(brick);
        for (int axis = 0; axis < 3; ++axis)
            forEachCell(grid.bricks.facesOf(axis, box),
                        [m = marks.mobility[axis].view()](int i, int j, int k) { m(i, j, k) = 1; });
        forEachCell(box, [far_m, d = marks.distance.view()](int i, int j, int k) { d(i, j, k) = far_m; });
    };
    for (const Wet& body : wet)
        for (const BodyCell& c : body.cells) touch(c.at);
    for (const Wet& body : wet) {
        for (const BodyFace& f : body.faces) marks.mobility[f.axis].view()(f.at) = float(1 / body.density);
        for (const BodyCell& c : body.cells) {
            float& d = marks.distance.view()(c.at);
            d = std::min(d, std::max(c.distance_m, -far_m));
        }
    }
}

void VariableDensity::begin(LiquidState& s, LiquidScratch& w)
{
    mark(w.bodies);
    for (const Wet& body : wet) impose(body, s);
}

void VariableDensity::afterForces(LiquidState& s)
{
    for (const Wet& body : wet) {
        if (body.support_m_s == Vec3{}) continue;
        addMotion(body, {body.support_m_s, {}});
        for (const BodyFace& f : body.faces) s.u.u[f.axis].view()(f.at) += float(body.support_m_s[f.axis]);
    }
}

// Bodies are not carried by the grid: they moved already.
void VariableDensity::afterAdvection(LiquidState& s)
{
    for (const Wet& body : wet) impose(body, s);
}

void VariableDensity::afterViscosity(LiquidState& s)
{
    const KernelTimer timer("coupling.solidify");
    for (Wet& body : wet) {
        body.viscosity = takeMotion(body, s);
        impose(body, s);
    }
}

// The bodies take over the momentum that the projection left where they are, and are rigid again.
void VariableDensity::solidify(LiquidState& s)
{
    const KernelTimer timer("coupling.solidify");
    for (const Wet& body : wet) {
        takeMotion(body, s);
        impose(body, s);
    }
}

}  // namespace flotsam
