#include "coupling/body_pressure.h"

#include <algorithm>
#include <utility>

#include "coupling/body_coarse_space.h"
#include "coupling/coupled_bodies.h"
#include "coupling/pocket_pressure.h"
#include "liquid/pressure.h"

namespace flotsam {

namespace {

using Vector6 = BodyPressure::Vector6;
using Matrix6 = BodyPressure::Matrix6;

// A face that is less open moves with the body.
constexpr double least_open = 0.05;

// The velocity of a point of a body along an axis, by the velocities of the body.
Vector6 rowOf(int axis, Vec3 p_m, const BodyObstacle& body)
{
    Vec3 e;
    e[axis] = 1;
    const Vec3 turn = body.torqueOfPressure(cross(p_m - body.center(), e));
    return {e.x, e.y, e.z, turn.x, turn.y, turn.z};
}

Vec3 upper(const Vector6& v) { return {v[0], v[1], v[2]}; }
Vec3 lower(const Vector6& v) { return {v[3], v[4], v[5]}; }
Vector6 joined(Vec3 a, Vec3 b) { return {a.x, a.y, a.z, b.x, b.y, b.z}; }

size_t keyOf(const Grid& grid, Int3 c)
{
    return size_t(c.x) + size_t(grid.cells.x) * (size_t(c.y) + size_t(grid.cells.y) * size_t(c.z));
}

// The wet part of a control volume along its axis [cells from the face].
struct WetSpan {
    double from = -0.5, to = 0.5;
    double length() const { return to - from; }
};
WetSpan wetSpan(float below, float above)
{
    const auto theta = [](float inside, float outside) {
        return double(std::max(inside / (inside - outside), least_theta_with_bodies));
    };
    if (below < 0 && above >= 0) return {-0.5, -0.5 + theta(below, above)};
    if (above < 0 && below >= 0) return {0.5 - theta(above, below), 0.5};
    return {};
}

bool isLiquidNear(const Grid& grid, const BodyObstacle& body, View3<const float> phi)
{
    const Bounds b = body.bounds();
    IndexBox box{{0, 0, 0}, grid.cells};
    for (int a = 0; a < 3; ++a) {
        box.lo[a] = int(std::clamp(std::floor(b.lo[a] / grid.h) - 1, 0.0, double(box.hi[a])));
        box.hi[a] = int(std::clamp(std::ceil(b.hi[a] / grid.h) + 1, 0.0, double(box.hi[a])));
    }
    for (int k = box.lo.z; k < box.hi.z; ++k)
        for (int j = box.lo.y; j < box.hi.y; ++j)
            for (int i = box.lo.x; i < box.hi.x; ++i)
                if (phi(i, j, k) < 0) return true;
    return false;
}

}  // namespace

BodyPressure::BodyPressure(const Grid& grid_, RigidWorld& world_, double density)
    : grid(grid_),
      world(world_),
      density_kg_m3(density),
      cell_kg(density * grid.h * grid.h * grid.h),
      coarse(std::make_unique<BodyCoarseSpace>())
{
}
BodyPressure::~BodyPressure() = default;

void BodyPressure::cover(const std::vector<const BodyObstacle*>& shapes, const std::vector<double>& volume_m3,
                         View3<const float> phi, Solids& walls)
{
    bodies = shapes;
    solids_and_bodies = &walls;
    covered.clear();
    carried.clear();
    carried_kg.assign(shapes.size(), Matrix6::Zero());
    ends.clear();
    wet.assign(shapes.size(), 0);
    is_assembled = false;
    coarse_build = -1;
    std::vector<std::vector<FaceCover>> lists(shapes.size());
    parallelTasks("coupling.cover", int(shapes.size()), [&](int task) {
        const size_t i = size_t(task);
        if (isLiquidNear(grid, *shapes[i], phi)) lists[i] = coverFaces(grid, *shapes[i], volume_m3[i]);
    });
    std::vector<Item> items;
    const Int3 n = grid.cells + Int3{1, 1, 1};
    for (size_t i = 0; i < lists.size(); ++i)
        for (const FaceCover& f : lists[i]) {
            const size_t cell = size_t(f.at.x) + size_t(n.x) * (size_t(f.at.y) + size_t(n.y) * size_t(f.at.z));
            items.push_back({3 * cell + size_t(f.axis), i, &f});
        }
    std::stable_sort(items.begin(), items.end(), [](const Item& a, const Item& b) { return a.key < b.key; });
    for (size_t first = 0, last = 0; first < items.size(); first = last) {
        while (last < items.size() && items[last].key == items[first].key) ++last;
        coverFace({items.data() + first, last - first}, shapes, phi, walls);
    }
}

void BodyPressure::coverFace(std::span<const Item> items, const std::vector<const BodyObstacle*>& shapes,
                             View3<const float> phi, Solids& walls)
{
    const int axis = items[0].cover->axis;
    const Int3 at = items[0].cover->at, below = at - unit(axis);
    const auto rowAt = [&](size_t body, Vec3 p_m) { return rowOf(axis, p_m, *shapes[body]); };
    if (at[axis] == 0 || at[axis] == grid.cells[axis]) {
        // Half a control volume at the end of the domain: the pressure is hydrostatic there.
        const int side = at[axis] != 0;
        const Int3 cell = side ? below : at;
        if (grid.open[axis][side] || phi(cell) >= 0) return;
        for (const Item& item : items) {
            const Part& part = side ? item.cover->below : item.cover->above;
            const double volume_m3 = 0.5 * part.fraction * grid.h * grid.h * grid.h;
            if (volume_m3 > 0) ends.push_back({{item.body, axis, at, 1, rowAt(item.body, part.centroid_m)}, volume_m3});
        }
        return;
    }
    if (phi(at) >= 0 && phi(below) >= 0) return;
    // phi of a cell inside a body that is too thin for the grid is not that of the liquid.
    const bool is_thin = walls.isInert(at) || walls.isInert(below);
    const WetSpan span = is_thin ? WetSpan{} : wetSpan(phi(below), phi(at));
    const double open_of_solids = double(walls.baseOpenFraction(axis, at));
    std::vector<Part> parts;
    double sum = 0;
    size_t most = 0;
    for (const Item& item : items) {
        parts.push_back(partBetween(grid, *item.cover, span.from, span.to));
        sum += parts.back().fraction;
        if (parts.back().fraction > parts[most].fraction) most = parts.size() - 1;
    }
    const bool at_contact_line = span.length() < 1 && (walls.covers(at) || walls.covers(below));
    if (sum <= 1e-9 && at_contact_line) {  // a body that touches the surface covers nothing below it
        Vec3 surface_m = facePosition(grid.h, axis, at);
        surface_m[axis] += grid.h * (span.from > -0.5 ? span.from : span.to);
        const auto touching = std::find_if(items.begin(), items.end(), [&](const Item& item) {
            return shapes[item.body]->signedDistance(surface_m) < 1e-3 * grid.h;
        });
        if (touching == items.end()) return;
        most = size_t(touching - items.begin());
    } else if (sum <= 1e-9) {
        return;
    }
    if (open_of_solids == 0) return;
    for (const Item& item : items) wet[item.body] = 1;
    if (const double limit = open_of_solids; sum > limit - 1e-6) {
        for (Part& p : parts) p.fraction *= limit / sum;
        sum = limit;
    }
    double open = open_of_solids - sum;
    const bool locked = open > 0 && (open < least_open || at_contact_line || walls.isBlocked(axis, at));
    for (size_t n = 0; n < items.size(); ++n)
        if (parts[n].fraction > 0)
            covered.push_back({items[n].body, axis, at, parts[n].fraction, rowAt(items[n].body, parts[n].centroid_m)});
    if (locked) {
        Vec3 centroid_m = facePosition(grid.h, axis, at);
        if (grid.cells.z == 1) centroid_m.z = parts[most].centroid_m.z;
        centroid_m[axis] += grid.h * 0.5 * (span.from + span.to);
        Vec3 left = centroid_m;
        for (const Part& p : parts) left += p.fraction / open * (centroid_m - p.centroid_m);
        const size_t body = items[most].body;
        const Covered with{body, axis, at, open, rowAt(body, left)};
        const double kg = cell_kg * open * span.length();
        covered.push_back(with);
        carried.push_back({with, kg});
        carried_kg[body] += kg * with.row * with.row.transpose();
        sum += open;
        open = 0;
    }
    walls.cover(axis, at, float(open), float(sum));
}

void BodyPressure::start(std::vector<HeldRow> held, const std::vector<char>& in_system,
                         const std::vector<char>& entering, Vec3 gravity, Vec3 own_gravity)
{
    gravity_m_s = gravity_here_m_s = gravity;
    rows = std::move(held);
    mass = world.constrainedMass(rows, carried_kg);
    const size_t count = carried_kg.size();
    pending.assign(count, Vector6::Zero());
    applied.assign(count, Vector6::Zero());
    before.resize(count);
    impulses_scratch.resize(count);
    changes_scratch.resize(count);
    product.resize(count);
    least_closing_m_s = 1e-6 * length(gravity_m_s);
    least_N_s = cell_kg * least_closing_m_s;
    const auto momentum = [&](size_t i, Vec3 v_m_s) { return joined(world.bodies[i].mass_kg * v_m_s, {}); };
    // The bodies' own step has applied gravity, and the contacts and joints that carried it: the solve does it again.
    if (std::any_of(entering.begin(), entering.end(), [](char is) { return is != 0; })) {
        std::vector<Vector6> own(count, Vector6::Zero());
        for (size_t i = 0; i < count; ++i)
            if (entering[i]) own[i] = -momentum(i, own_gravity);
        accelerate(own);
        applied.assign(count, Vector6::Zero());
    }
    for (size_t i = 0; i < count; ++i) {
        before[i] = {world.state.bodies[i].v_m_s, world.state.bodies[i].w_rad_s};
        if (in_system[i]) pending[i] = momentum(i, gravity_m_s);
    }
    // Liquid at a locked face has the velocity of its body, and gravity once in a step. With the velocity of the field,
    // which there is that of the extension, the body would exchange momentum with it in each step, however short: the
    // first minimum of a heaving cylinder was -0.480 of the start at 1/240 s and -0.422 at 1/960 s, and is -0.500.
    for (const Carried& c : carried) pending[c.at.body] += c.mass_kg * gravity_m_s[c.at.axis] * c.at.row;
    for (const End& e : ends) pending[e.at.body] -= density_kg_m3 * e.volume_m3 * gravity_m_s[e.at.axis] * e.at.row;
    stopAlongRows();
}

// The contact solver stops at 1e-4 g dt. The rows would keep the rest, and the bodies of a stack squeeze the liquid
// between them: 9e-5 m/s where nothing should move. C M V is V without its component along the rows. Larger components
// are motion, such as that on a floor with a prescribed motion.
void BodyPressure::stopAlongRows()
{
    for (size_t i = 0; i < before.size(); ++i) {
        const Vector6 with_liquid = carried_kg[i] * velocityOf(i);
        const Impulse own = impulseOf(world, i, before[i]);
        impulses_scratch[i] = {own.linear_N_s + upper(with_liquid), own.angular_N_m_s + lower(with_liquid)};
    }
    mass.apply(impulses_scratch, changes_scratch);
    const double most_m_s = 1e-3 * length(gravity_m_s);
    for (size_t i = 0; i < before.size(); ++i) {
        const VelocityChange rest = before[i] - changes_scratch[i];
        if (length(rest.v_m_s) + world.bodies[i].collider->reach_m * length(rest.w_rad_s) > most_m_s) continue;
        world.state.bodies[i].v_m_s -= rest.v_m_s;
        world.state.bodies[i].w_rad_s -= rest.w_rad_s;
    }
}

BodyPressure::Vector6 BodyPressure::velocityOf(size_t body) const
{
    const BodyState& s = world.state.bodies[body];
    return joined(s.v_m_s, s.w_rad_s);
}

BodyPressure::Motion BodyPressure::motion() const
{
    Motion m{{}, applied};
    for (size_t i = 0; i < applied.size(); ++i) m.v.push_back(velocityOf(i));
    return m;
}

void BodyPressure::setMotion(const Motion& m)
{
    applied = m.impulses;
    for (size_t i = 0; i < m.v.size(); ++i) {
        world.state.bodies[i].v_m_s = upper(m.v[i]);
        world.state.bodies[i].w_rad_s = lower(m.v[i]);
    }
}

// Gives the bodies impulses.
void BodyPressure::accelerate(const std::vector<Vector6>& impulses)
{
    for (size_t i = 0; i < impulses.size(); ++i) {
        impulses_scratch[i] = {upper(impulses[i]), lower(impulses[i])};
        applied[i] += impulses[i];
    }
    mass.apply(impulses_scratch, changes_scratch);
    for (size_t i = 0; i < impulses.size(); ++i) {
        world.state.bodies[i].v_m_s += changes_scratch[i].v_m_s;
        world.state.bodies[i].w_rad_s += changes_scratch[i].w_rad_s;
    }
}

VelocityChange BodyPressure::heldChange(size_t body) const
{
    const Matrix6 own = world.inverseMatrix(body);
    const Vector6 change = velocityOf(body) - joined(before[body].v_m_s, before[body].w_rad_s);
    // (M + C) dV = f + J^T l
    const Vector6 held = change + own * (carried_kg[body] * change - applied[body]);
    return {upper(held), lower(held)};
}

// The thin liquid between bodies that touch, or between a body and the floor, has cells without an open face. The flow
// into and out of them passes through the nearest cell that has one, and their pressure is that of it, hydrostatically
// continued. With no pressure there, the water above would press bodies onto the floor and onto each other, and no body
// would ever rise from it. closed: rows by cell and body.
void BodyPressure::mergeClosedCells(const std::map<std::pair<size_t, size_t>, Vector6>& closed, View3<const float> phi,
                                    const PoissonLevel& level)
{
    const auto cellOf = [&](size_t key) {
        const size_t nx = size_t(grid.cells.x), ny = size_t(grid.cells.y);
        return Int3{int(key % nx), int(key / nx % ny), int(key / nx / ny)};
    };
    const auto isUnknown = [&](Int3 c) { return level.inverse.data()[level.slots.index(c.x, c.y, c.z)] > 0; };
    // From the cells with unknowns outwards, in rounds: each closed cell takes over the cell of the first neighbour.
    std::map<size_t, Int3> source;
    std::vector<size_t> reached;
    const auto forNeighbours = [&](Int3 c, const auto& f) {
        for (int n = 0; n < 6; ++n) {
            const Int3 q = n & 1 ? c + unit(n / 2) : c - unit(n / 2);
            if (IndexBox{{0, 0, 0}, grid.cells}.contains(q) && (phi(q) < 0 || solids_and_bodies->isClosed(q))) f(q);
        }
    };
    for (const auto& [where, row] : closed) {
        const Int3 c = cellOf(where.first);
        if (source.count(where.first)) continue;
        forNeighbours(c, [&](Int3 q) {
            if (isUnknown(q) && source.emplace(where.first, q).second) reached.push_back(where.first);
        });
    }
    for (size_t n = 0; n < reached.size(); ++n) {
        const Int3 from = source.at(reached[n]);
        forNeighbours(cellOf(reached[n]), [&](Int3 q) {
            const size_t key = keyOf(grid, q);
            if (!isUnknown(q) && is_covered.count(key) && source.emplace(key, from).second) reached.push_back(key);
        });
    }
    for (const auto& [where, row] : closed) {
        const auto at = source.find(where.first);
        if (row.norm() < 1e-6 || at == source.end()) continue;
        const Int3 c = cellOf(where.first), q = at->second, way = c - q;
        rows_of[where.second].push_back({level.slots.index(q.x, q.y, q.z), row});
        pending[where.second] += cell_kg * dot(gravity_m_s, {double(way.x), double(way.y), double(way.z)}) * row;
    }
}

// Whether a cell is closed by a body that is too thin for the grid, and next to it this one: a ball on a plank.
bool BodyPressure::isInAnother(size_t body, Int3 cell) const
{
    const Vec3 center_m = grid.h * Vec3{cell.x + 0.5, cell.y + 0.5, cell.z + 0.5};
    return solids_and_bodies->isClosed(cell) && bodies[body]->signedDistance(center_m) >= 0;
}

void BodyPressure::assemble(const LiquidState& s, const PoissonSolver& solver)
{
    const PoissonLevel& level = solver.fine();
    const View3<const float> phi = s.phi.view();
    rows_of.assign(carried_kg.size(), {});
    std::map<std::pair<size_t, size_t>, Vector6> closed;
    const auto add = [&](size_t body, Int3 cell, const Vector6& row) {
        const size_t index = level.slots.index(cell.x, cell.y, cell.z);
        if (level.inverse.data()[index] > 0) {
            rows_of[body].push_back({index, row});
        } else if (phi(cell) < 0 || isInAnother(body, cell)) {
            auto [at, is_new] = closed.try_emplace({keyOf(grid, cell), body}, Vector6::Zero());
            at->second += row;
        }
    };
    for (const Covered& c : covered) {
        const Vector6 row = c.part * c.row;
        add(c.body, c.at - unit(c.axis), row);
        add(c.body, c.at, -row);
    }
    is_covered.clear();
    bool any = false;
    for (const auto& [where, row] : closed) {
        is_covered.insert(where.first);
        any = any || row.norm() > 1e-6;
    }
    if (any) mergeClosedCells(closed, phi, level);
    for (std::vector<Entry>& list : rows_of) {
        std::stable_sort(list.begin(), list.end(), [](const Entry& a, const Entry& b) { return a.cell < b.cell; });
        size_t count = 0;
        for (size_t n = 0; n < list.size(); ++n)
            if (count > 0 && list[count - 1].cell == list[n].cell)
                list[count - 1].row += list[n].row;
            else
                list[count++] = list[n];
        list.resize(count);
    }
    is_assembled = true;
}

void BodyPressure::startProjection(LiquidState& s, PoissonSolver& solver)
{
    if (!is_assembled) assemble(s, solver);
    accelerate(pending);
    for (Vector6& p : pending) p.setZero();
    float* b = solver.rightHandSide().data();
    for (size_t i = 0; i < rows_of.size(); ++i) {
        const Vector6 v = velocityOf(i);
        for (const Entry& e : rows_of[i]) b[e.cell] -= float(e.row.dot(v));
    }
}

void BodyPressure::addOutflow(float* out) const
{
    for (size_t i = 0; i < rows_of.size(); ++i) {
        const Vector6 v = velocityOf(i);
        for (const Entry& e : rows_of[i]) out[e.cell] += float(e.row.dot(v));
    }
}

// Contacts that would pull, or whose friction is too weak.
bool BodyPressure::releaseContacts()
{
    for (size_t i = 0; i < applied.size(); ++i) impulses_scratch[i] = {upper(applied[i]), lower(applied[i])};
    return world.releaseContacts(rows, mass.impulsesOfRows(impulses_scratch), least_N_s);
}

// Contacts that close hold from now on; where none closes, those that cannot hold are released. All impulses then act
// again. In this order: a plank that falls to the floor would pull at the ball on it.
bool BodyPressure::changeContacts()
{
    if (!world.holdClosing(before, least_closing_m_s) && !releaseContacts()) return false;
    rows = world.heldRows();
    mass = world.constrainedMass(rows, carried_kg);
    is_coarse_factored = false;
    for (size_t i = 0; i < before.size(); ++i) {
        world.state.bodies[i].v_m_s = before[i].v_m_s;
        world.state.bodies[i].w_rad_s = before[i].w_rad_s;
    }
    const std::vector<Vector6> all = std::exchange(applied, std::vector<Vector6>(before.size(), Vector6::Zero()));
    accelerate(all);
    return true;
}

bool BodyPressure::endProjection(PoissonSolver& solver, LiquidState& s)
{
    settlePockets(std::exchange(gravity_here_m_s, Vec3{}), solver);
    const double* q = solver.solution().data();
    std::vector<Vector6> impulses(rows_of.size(), Vector6::Zero());
    for (size_t i = 0; i < rows_of.size(); ++i)
        for (const Entry& e : rows_of[i]) impulses[i] += cell_kg * q[e.cell] * e.row;
    accelerate(impulses);
    const bool closed = looks_for_contacts && changeContacts();
    for (const Carried& c : carried) s.u.u[c.at.axis].view()(c.at.at) = float(c.at.row.dot(velocityOf(c.at.body)));
    return closed;
}

// J v
template <class T>
std::vector<Vector6> BodyPressure::impulsesOf(const T* v) const
{
    std::vector<Vector6> impulses(rows_of.size(), Vector6::Zero());
    parallelTasks("coupling.impulses", int(rows_of.size()), [&](int task) {
        Vector6 sum = Vector6::Zero();
        for (const Entry& e : rows_of[size_t(task)]) sum += double(v[e.cell]) * e.row;
        impulses[size_t(task)] = sum;
    });
    return impulses;
}

// Keeps rho h^3 C f as the product; returns f . product.
double BodyPressure::accelerateBy(const std::vector<Vector6>& impulses)
{
    for (size_t i = 0; i < impulses.size(); ++i) impulses_scratch[i] = {upper(impulses[i]), lower(impulses[i])};
    mass.apply(impulses_scratch, changes_scratch);
    double energy = 0;
    for (size_t i = 0; i < impulses.size(); ++i) {
        product[i] = cell_kg * joined(changes_scratch[i].v_m_s, changes_scratch[i].w_rad_s);
        energy += impulses[i].dot(product[i]);
    }
    return energy;
}

template <class T>
double BodyPressure::multiplyBy(const T* v)
{
    return accelerateBy(impulsesOf(v));
}

// The modes serve all projections of a step, unless gaps at walls change A between them. E changes with the contacts.
bool BodyPressure::prepareCoarse(const PoissonLevel& level, int build)
{
    if (coarse_build != build) {
        coarse->build(rows_of, mass, cell_kg, level);
        coarse_build = build;
        is_coarse_factored = false;
    }
    if (!is_coarse_factored) has_coarse = !coarse->isEmpty() && coarse->factor(mass);
    is_coarse_factored = true;
    return has_coarse;
}

void BodyPressure::correctSolution(double* x, float* r)
{
    coarse->solve(r, nullptr, nullptr);
    coarse->addTo(x);
    coarse->subtractProduct(r);
    accelerateBy(coarse->impulses());
    subtract(1, r);
}

double BodyPressure::correct(const float* r, float* z)
{
    accelerateBy(impulsesOf(z));
    const double more = coarse->solve(r, z, &product);
    coarse->addTo(z);
    return more;
}

void BodyPressure::subtract(double scale, float* r) const
{
    for (size_t i = 0; i < rows_of.size(); ++i) {
        const Vector6 by = scale * product[i];
        for (const Entry& e : rows_of[i]) r[e.cell] -= float(e.row.dot(by));
    }
}

}  // namespace flotsam
