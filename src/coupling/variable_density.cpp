#include "coupling/variable_density.h"

#include <Eigen/Dense>

#include "liquid/boundary.h"
#include "liquid/surface.h"

namespace flotsam {

namespace {

// The moving bodies as obstacles; `shapes` is told where they are.
std::vector<std::unique_ptr<Obstacle>> obstaclesOf(const RigidWorld& world, std::vector<const BodyObstacle*>& shapes)
{
    std::vector<std::unique_ptr<Obstacle>> list;
    for (int i = 0; i < world.moving(); ++i) {
        auto body = std::make_unique<BodyObstacle>(world, i);
        shapes.push_back(body.get());
        list.push_back(std::move(body));
    }
    return list;
}

SymMat3 inertiaOf(const Body& body, Quat q)
{
    return rotated(matrixOf(q) * body.body_from_principal, body.moments_kg_m2);
}

}  // namespace

VariableDensity::VariableDensity(const Scene& scene, const Grid& grid_, RigidWorld& world_)
    : grid(grid_), world(world_), solids_and_bodies(grid_, scene.solids, obstaclesOf(world_, shapes))
{
    for (const BodySpec& body : scene.bodies) densities.push_back(body.density_kg_m3 / scene.liquid.density_kg_m3);
    world.state.gained.resize(size_t(world.moving()));
}

void VariableDensity::start(const LiquidState& s)
{
    for (size_t i = 0; i < shapes.size(); ++i) world.state.gained[i].wet = isWet(*shapes[i], s.phi.view());
}

// The liquid's solve has already given a wet body what gravity and pressure do: that, not gravity, is its force. It is
// taken back first, so that the rigid solver sees the velocity before and the acceleration, and a body at rest on the
// floor does not bounce off it (Guendelman, Bridson, Fedkiw 2003).
void VariableDensity::move(double dt_s)
{
    std::vector<Force> outside(size_t(world.moving()));
    for (size_t i = 0; i < outside.size(); ++i) {
        GainedFromLiquid& gained = world.state.gained[i];
        if (!gained.wet) continue;
        BodyState& s = world.state.bodies[i];
        const Body& body = world.bodies[i];
        s.v_m_s -= gained.change.v_m_s;
        s.w_rad_s -= gained.change.w_rad_s;
        outside[i] = {body.mass_kg * (gained.change.v_m_s / dt_s - world.params.gravity_m_s2),
                      inertiaOf(body, s.q) * (gained.change.w_rad_s / dt_s)};
    }
    last_dt_s = dt_s;
    last_report = world.step(dt_s, outside);
    solids_and_bodies.moveTo(world.state.t_s);
}

IndexBox VariableDensity::cellsAround(const Obstacle& obstacle, int more) const
{
    const Bounds b = obstacle.bounds();
    IndexBox box;
    for (int a = 0; a < 3; ++a) {
        const double n = grid.cells[a];
        box.lo[a] = int(std::clamp(std::floor(b.lo[a] / grid.h) - more, 0.0, n));
        box.hi[a] = int(std::clamp(std::ceil(b.hi[a] / grid.h) + more, 0.0, n));
    }
    return box;
}

// Whether liquid is within a cell of its surface.
bool VariableDensity::isWet(const BodyObstacle& obstacle, View3<const float> phi) const
{
    bool found = false;
    const IndexBox box = cellsAround(obstacle, 1);
    for (int k = box.lo.z; k < box.hi.z && !found; ++k)
        for (int j = box.lo.y; j < box.hi.y && !found; ++j)
            for (int i = box.lo.x; i < box.hi.x && !found; ++i) {
                if (phi(i, j, k) >= 0) continue;
                const double d = obstacle.signedDistance(grid.h * Vec3{i + 0.5, j + 0.5, k + 0.5});
                found = d >= 0 && d < grid.h;
            }
    return found;
}

// The faces whose middle is inside a body. A face that the body covers in part belongs to it or to the liquid as a
// whole: shared by their masses, the liquid of half a cell around the body moves with it, which adds to its mass (a
// sphere of 12 cells across half as heavy as water rose 10 % too slowly; 1.5 % too fast so).
std::vector<VariableDensity::Face> VariableDensity::facesIn(size_t body) const
{
    const BodyObstacle& shape = *shapes[body];
    const Vec3 center = world.state.bodies[body].x_m;
    std::vector<Face> faces;
    for (int axis = 0; axis < 3; ++axis)
        forEachCell(cellsAround(shape, 1), [&](int i, int j, int k) {
            const Int3 f{i, j, k};
            if (f[axis] == 0) return;  // a side of the domain: nothing moves there
            const Vec3 p = facePosition(grid.h, axis, f);
            if (shape.signedDistance(p) < 0) faces.push_back({axis, f, p - center});
        });
    return faces;
}

// Sets phi to the least of its own and of the wet bodies', keeping what was there.
void VariableDensity::becomeLiquid(LiquidState& s, LiquidScratch& w)
{
    std::vector<uint8_t> marks(size_t(grid.bricks.total()), 0);
    for (const Wet& body : wet) {
        IndexBox box = cellsAround(*shapes[body.body], 1);
        box.lo = grid.bricks.ofCell(box.lo);
        box.hi = grid.bricks.ofCell(box.hi - Int3{1, 1, 1}) + Int3{1, 1, 1};
        forEachCell(box, [&](int i, int j, int k) { marks[size_t(grid.bricks.index({i, j, k}))] = 1; });
    }
    replaceActive(grid, joined(s.active.list, listOf(marks)), s, w);
    const View3<float> phi = s.phi;
    for (const Wet& body : wet)
        forEachCell(cellsAround(*shapes[body.body], 1), [&](int i, int j, int k) {
            const float d =
                std::clamp(float(shapes[body.body]->signedDistance(grid.h * Vec3{i + 0.5, j + 0.5, k + 0.5})),
                           -grid.band, grid.band);
            if (d >= phi(i, j, k)) return;
            covered.push_back({{i, j, k}, phi(i, j, k)});
            phi(i, j, k) = d;
        });
    fillLayers(grid, BrickSet(grid.bricks, listOf(marks)), phi);
}

void VariableDensity::weigh(FaceMobility& mobility) const
{
    mobility.near.assign(wet.empty() ? 0 : size_t(grid.bricks.total()), 0);
    for (const Wet& body : wet)
        for (const Face& f : body.faces) {
            const int brick = FaceMobility::brickOf(grid, f.at);
            if (!mobility.near[size_t(brick)])
                for (int axis = 0; axis < 3; ++axis)
                    forEachCell(grid.bricks.facesOf(axis, grid.bricks.box(brick)),
                                [m = mobility.field[axis].view()](int i, int j, int k) { m(i, j, k) = 1; });
            mobility.near[size_t(brick)] = 1;
        }
    for (const Wet& body : wet)
        for (const Face& f : body.faces) mobility.field[f.axis].view()(f.at) = float(1 / body.density);
}

void VariableDensity::enter(LiquidState& s, LiquidScratch& w)
{
    wet.clear();
    for (size_t i = 0; i < shapes.size(); ++i) {
        GainedFromLiquid& gained = world.state.gained[i];
        const bool was_wet = gained.wet != 0;
        gained = {};
        if (!isWet(*shapes[i], s.phi.view())) continue;
        wet.push_back({i, densities[i], facesIn(i)});
        BodyState& b = world.state.bodies[i];
        if (!was_wet) b.v_m_s -= last_dt_s * world.params.gravity_m_s2;  // the liquid's solve gives it once more
        gained = {{b.v_m_s, b.w_rad_s}, 1};                              // what it had: leave() takes the difference
    }
    becomeLiquid(s, w);
    weigh(w.mobility);
    impose(s);
}

Vec3 VariableDensity::velocityOf(const Wet& body, const Face& face) const
{
    const BodyState& b = world.state.bodies[body.body];
    return b.v_m_s + cross(b.w_rad_s, face.lever_m);
}

void VariableDensity::imposeOn(const Wet& body, LiquidState& s) const
{
    for (const Face& f : body.faces) s.u.u[f.axis].view()(f.at) = float(velocityOf(body, f)[f.axis]);
}

void VariableDensity::impose(LiquidState& s) const
{
    for (const Wet& body : wet) imposeOn(body, s);
}

// The rigid motion with the momentum and the angular momentum of the body's part of the field: the least squares
//   sum of (u - (V + w x r) . e)^2
// over its faces. Directions that no face tells anything of keep what they had.
void VariableDensity::solidify(LiquidState& s)
{
    for (const Wet& body : wet) {
        BodyState& b = world.state.bodies[body.body];
        Eigen::Matrix<double, 6, 6> a = Eigen::Matrix<double, 6, 6>::Zero();
        Eigen::Matrix<double, 6, 1> rhs = Eigen::Matrix<double, 6, 1>::Zero();
        const double size = world.bodies[body.body].collider->reach_m;  // makes the angular unknowns speeds as well
        for (const Face& f : body.faces) {
            Vec3 e{};
            e[f.axis] = 1;
            const Vec3 turn = cross(f.lever_m, e) / size;
            Eigen::Matrix<double, 6, 1> row;
            row << e.x, e.y, e.z, turn.x, turn.y, turn.z;
            const double u = double(s.u.u[f.axis].view()(f.at)) - velocityOf(body, f)[f.axis];
            a += row * row.transpose();
            rhs += u * row;
        }
        a.diagonal().array() += 1e-9 * double(body.faces.size()) + 1e-30;
        const Eigen::Matrix<double, 6, 1> change = a.ldlt().solve(rhs);
        b.v_m_s += Vec3{change[0], change[1], change[2]};
        b.w_rad_s += Vec3{change[3], change[4], change[5]} / size;
        imposeOn(body, s);
    }
}

void VariableDensity::leave(LiquidState& s)
{
    const View3<float> phi = s.phi;
    for (auto c = covered.rbegin(); c != covered.rend(); ++c) phi(c->cell) = c->phi_m;
    covered.clear();
    fillLayers(grid, s.active, phi);
    for (const Wet& body : wet) {
        GainedFromLiquid& gained = world.state.gained[body.body];
        const BodyState& b = world.state.bodies[body.body];
        gained.change = {b.v_m_s - gained.change.v_m_s, b.w_rad_s - gained.change.w_rad_s};
    }
}

}  // namespace flotsam
