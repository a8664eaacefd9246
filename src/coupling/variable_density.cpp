#include "coupling/variable_density.h"

#include "core/parallel.h"
#include "coupling/rigid_motion.h"

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
    for (const WetBody& body : wet)
        for (const BodyCell& c : body.cells) marks.near[size_t(BodyMarks::brickOf(grid, c.at))] = 1;
    const BrickSet near(grid.bricks, listOf(marks.near));
    const float far_m = 2 * float(grid.h);
    const auto markFaces = [&](int axis, View3<float> mobility) {
        for (const IndexBox& box : near.strips)
            forEachCell(grid.bricks.facesOf(axis, box), [=](int i, int j, int k) { mobility(i, j, k) = 1; });
        for (const WetBody& body : wet)
            for (const BodyFace& f : body.faces)
                if (f.axis == axis) mobility(f.at) = float(1 / body.density);
    };
    const auto markCells = [&](View3<float> distance) {
        for (const IndexBox& box : near.strips)
            forEachCell(box, [=](int i, int j, int k) { distance(i, j, k) = far_m; });
        for (const WetBody& body : wet)
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
    beside.resize(wet.size());
    parallelTasks("coupling.beside", int(wet.size()),
                  [&](int n) { beside[size_t(n)] = residualVelocity(wet[size_t(n)], s); });
    imposeAll(s);
}

// What the step before left on the body's faces, less the body's motion then: nothing where the body was, and the
// liquid's motion relative to it where the body has come.
std::vector<float> VariableDensity::residualVelocity(const WetBody& body, LiquidState& s) const
{
    std::vector<float> differences(body.faces.size(), 0.0f);
    if (!isInField(body, s)) return differences;
    const VelocityChange then = motionBefore(body);
    for (size_t n = 0; n < differences.size(); ++n) {
        const BodyFace& f = body.faces[n];
        differences[n] = s.u.u[f.axis].view()(f.at) - float(speedAt(then, f));
    }
    return differences;
}

// The faces have gravity already. The body has it from here, not from them: a plate so thin that no face across it lies
// inside would hang in the water for ever.
void VariableDensity::afterForces(LiquidState& s)
{
    for (const WetBody& body : wet) {
        addMotion(body, VelocityChange{dt_s * world.params.gravity_m_s2, {}} + body.support);
        if (body.support == VelocityChange{}) continue;
        for (const BodyFace& f : body.faces) s.u.u[f.axis].view()(f.at) += float(speedAt(body.support, f));
    }
}

// Liquid that is in front of a body now was in front of it before as well, but its path leads to where the body has
// come since: it finds there what the liquid had. With the body's own velocity there, a layer as thick as the body's
// way in a step was pushed along for which the body did not pay: ten Cate's fastest ball sank 3 % faster (8 cells a
// diameter).
void VariableDensity::beforeAdvection(LiquidState& s)
{
    parallelTasks("coupling.beside", 3, [&](int axis) {
        const View3<float> u = s.u.u[axis];
        for (size_t n = 0; n < wet.size(); ++n) {
            const VelocityChange motion = motionOf(wet[n]);
            for (size_t m = 0; m < beside[n].size(); ++m) {
                const BodyFace& f = wet[n].faces[m];
                if (f.axis == axis) u(f.at) = float(speedAt(motion, f)) + beside[n][m];
            }
        }
    });
}

// Bodies are not carried by the grid: they moved already.
void VariableDensity::afterAdvection(LiquidState& s) { imposeAll(s); }

void VariableDensity::afterViscosity(LiquidState& s)
{
    const KernelTimer timer("coupling.solidify");
    for (WetBody& body : wet) {
        body.viscosity = takeMotion(body, s);
        impose(body, s);
    }
}

// The bodies take over the momentum that the projection left where they are, and are rigid again.
void VariableDensity::solidify(LiquidState& s)
{
    const KernelTimer timer("coupling.solidify");
    for (const WetBody& body : wet) {
        takeMotion(body, s);
        impose(body, s);
    }
}

}  // namespace flotsam
