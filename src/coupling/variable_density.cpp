#include "coupling/variable_density.h"

#include "core/parallel.h"

namespace flotsam {

// A face that the body covers in part belongs to it or to the liquid as a whole: shared by their masses, the liquid of
// half a cell around the body moves with it, which adds to its mass (a sphere of 12 cells across half as heavy as water
// rose 10 % too slowly; 1.5 % too fast so).
std::vector<BodyFace> VariableDensity::facesOf(const BodyObstacle& body, const std::vector<BodyCell>& near) const
{
    return facesInside(grid, body, near);
}

// Bodies may share faces and cells, so their order counts; the four fields are independent of each other.
void VariableDensity::mark(BodyMarks& marks) const
{
    marks.near.assign(wet.empty() ? 0 : size_t(grid.bricks.total()), 0);
    for (const Wet& body : wet)
        for (const BodyCell& c : body.cells) marks.near[size_t(BodyMarks::brickOf(grid, c.at))] = 1;
    const BrickSet near(grid.bricks, listOf(marks.near));
    const float far_m = 2 * float(grid.h);
    const auto markFaces = [&](int axis, View3<float> mobility) {
        for (const IndexBox& box : near.strips)
            forEachCell(grid.bricks.facesOf(axis, box), [=](int i, int j, int k) { mobility(i, j, k) = 1; });
        for (const Wet& body : wet)
            for (const BodyFace& f : body.faces)
                if (f.axis == axis) mobility(f.at) = float(1 / body.density);
    };
    const auto markCells = [&](View3<float> distance) {
        for (const IndexBox& box : near.strips)
            forEachCell(box, [=](int i, int j, int k) { distance(i, j, k) = far_m; });
        for (const Wet& body : wet)
            for (const BodyCell& c : body.cells)
                distance(c.at) = std::min(distance(c.at), std::max(c.distance_m, -far_m));
    };
    parallelTasks("coupling.mark", 4, [&](int n) {
        if (n < 3)
            markFaces(n, marks.mobility[n]);
        else
            markCells(marks.distance);
    });
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
