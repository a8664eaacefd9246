#include "liquid/viscosity.h"

#include "liquid/boundary.h"
#include "liquid/viscous_terms.h"

namespace flotsam {

namespace {

// Solids farther away than this from the centre of a cell reach none of the differences at its low faces [cells].
constexpr float reach_of_links = 2.5f;

// For a sum of a mass and boundary coupling terms 1e8 times as large: if it were rounded down, motions without stress
// would have negative energy.
float roundedUp(double d)
{
    const float nearest = float(d);
    return double(nearest) < d ? std::nextafter(nearest, 2 * nearest) : nearest;
}

// The system divided by the largest dt nu / h^2: couplings within one liquid are then 1, which the sweeps of the solver
// use without reading them.
struct Assembly {
    const ViscousTerms& terms;
    bool full;
    float per_nu;  // coupling per unit of viscosity
    float unit_mass;
    MacView u;
    StressSolver& solver;

    // One of the six differences that involve a face: its energy is k/2 (difference + others)^2.
    struct Link {
        Difference own;
        float k = 0;
        float known = 0;  // sum over all terms that are not unknowns
    };

    Link linkAlong(int axis, Int3 high) const
    {
        const Int3 cell = high - unit(axis);
        if (!IndexBox{{0, 0, 0}, terms.grid.cells}.contains(cell)) return {};
        const float stiffness = terms.stiffnessOfCell(cell);
        if (stiffness == 0) return {};
        const Difference own = terms.difference(axis, axis, high);
        return {own, own.valid ? (full ? 2 : 1) * per_nu * stiffness * own.open_fraction : 0.0f, own.known};
    }
    // The difference of component `axis` across the edge at the low faces of `high` along axis and `across`.
    Link linkAcross(int axis, int across, Int3 high) const
    {
        const Difference own = terms.difference(axis, across, high);
        if (!own.valid) return {};
        const float stiffness = terms.stiffnessOfEdge(3 - axis - across, high);
        if (!full) return {own, per_nu * stiffness * own.open_fraction, own.known};
        const Difference other = terms.difference(across, axis, high);
        if (!other.valid) return {};
        // Rounded alike for both components: bodies see the same coefficient.
        return {own, per_nu * stiffness * (own.open_fraction * other.open_fraction), own.known + other.known};
    }
    float edgeAt(int n, Int3 c) const
    {
        const int a = (n + 1) % 3, b = (n + 2) % 3;
        const Difference first = terms.difference(a, b, c);
        if (!first.valid || first.any() == 0) return 0;
        const Difference second = terms.difference(b, a, c);
        if (!second.valid || second.any() == 0) return 0;
        const float stiffness = per_nu * terms.stiffnessOfEdge(n, c) * first.open_fraction * second.open_fraction;
        return stiffness * first.any() * second.any();
    }

    // Both return the squared momentum of the face, taken at the largest speed of the face and of the prescribed
    // velocities coupled to it.
    double plainFace(int axis, Int3 c, size_t n) const
    {
        PoissonSolver& self = solver.component[axis];
        for (int along = 0; along < 3; ++along)
            self.fine().coupling[along].data()[n] =
                per_nu *
                (along == axis ? (full ? 2 : 1) * terms.nu.at(c - unit(axis)) : terms.nu.ofEdge(3 - axis - along, c));
        const float value = u.u[axis](c);
        self.fine().d.data()[n] = unit_mass;
        self.rightHandSide().data()[n] = unit_mass * value;
        self.solution().data()[n] = double(value);
        return double(unit_mass * value) * double(unit_mass * value);
    }

    double generalFace(int axis, Int3 c, size_t n) const
    {
        PoissonSolver& self = solver.component[axis];
        float low[3] = {};
        double d = 0, b = 0, x = 0, momentum = 0;
        if (terms.isUnknown(axis, c)) {
            const float mass = unit_mass * terms.massOf(axis, c), value = u.u[axis](c);
            d = double(mass);
            x = double(value);
            float speed = std::abs(value);
            for (int along = 0; along < 3; ++along)
                for (int side = 0; side < 2; ++side) {
                    const Int3 high = side ? c + unit(along) : c;
                    const Link link = along == axis ? linkAlong(axis, high) : linkAcross(axis, along, high);
                    if (link.k == 0) continue;
                    const float own = side ? link.own.low : link.own.high;
                    if (!link.own.coupled())
                        d += double(link.k) * double(own) * double(own);
                    else if (side == 0)
                        low[along] = link.k;
                    b -= double(link.k) * double(side ? -own : own) * double(link.known);
                    if (own > 0) speed = std::max(speed, std::abs(link.known / own));
                }
            momentum = double(mass) * double(speed);
            // The mass includes the rounding of d. Otherwise a uniform velocity of liquid and bodies would decay.
            b += (double(roundedUp(d)) - (d - double(mass))) * x;
        }
        for (int along = 0; along < 3; ++along) self.fine().coupling[along].data()[n] = low[along];
        self.fine().d.data()[n] = roundedUp(d);
        self.rightHandSide().data()[n] = float(b);
        self.solution().data()[n] = x;
        return momentum * momentum;
    }

    std::array<double, 3> brick(int slot) const
    {
        std::array<double, 3> momentum_squared{};
        const BrickSlots& slots = solver.slots();
        for (PoissonSolver& c : solver.component) {
            for (BrickField<float>& f : c.fine().coupling) std::fill_n(f.brick(slot), slots.cells_per_brick, 0.0f);
            std::fill_n(c.fine().d.brick(slot), slots.cells_per_brick, 0.0f);
            std::fill_n(c.rightHandSide().brick(slot), slots.cells_per_brick, 0.0f);
            std::fill_n(c.solution().brick(slot), slots.cells_per_brick, 0.0);
        }
        const IndexBox box = slots.bricks.box(slots.brickOf(slot));
        const bool near_fixed = terms.touchesSolid(box.lo);
        forEachCell(box, [&](int i, int j, int k) {
            const Int3 c{i, j, k};
            const size_t n = slots.index(i, j, k);
            const bool plain = terms.isPlain(c, near_fixed);
            for (int axis = 0; axis < 3; ++axis) {
                momentum_squared[size_t(axis)] += plain ? plainFace(axis, c, n) : generalFace(axis, c, n);
                solver.edge(axis).data()[n] = !full ? 0 : plain ? per_nu * terms.nu.ofEdge(axis, c) : edgeAt(axis, c);
            }
        });
        return momentum_squared;
    }
};

// The terms of the energy that involve bodies, and the liquid at faces that move with them.
struct BodyTerms {
    std::vector<StressLink> links;
    std::vector<std::pair<int, LiquidOnBody>> liquid;
};

struct BodyAssembly {
    const Assembly& assembly;
    const ViscousTerms& terms;
    const BrickSlots& slots;

    void add(StressLink& link, const Difference& d, int axis, int along, Int3 high) const
    {
        const auto addFree = [&](Int3 c, float coefficient) {
            if (coefficient != 0) link.free[link.frees++] = {axis, slots.index(c.x, c.y, c.z), double(coefficient)};
        };
        addFree(high, d.high);
        addFree(high - unit(along), -d.low);
        for (const BodyPoint& p : {d.of_high, d.of_low})
            if (p.body >= 0) link.point[link.points++] = p;
        link.known += double(d.known);
    }
    void addLink(std::initializer_list<std::pair<int, int>> differences, Int3 high, float stiffness,
                 BodyTerms& out) const
    {
        StressLink link;
        float open_fraction = 1;
        for (const auto& [axis, along] : differences) {
            const Difference d = terms.difference(axis, along, high);
            if (!d.valid) return;
            add(link, d, axis, along, high);
            open_fraction *= d.open_fraction;
        }
        link.k = double(assembly.per_nu * stiffness * open_fraction);
        if (link.points > 0 && link.frees > 0 && link.k > 0) out.links.push_back(link);
    }
    // Of the differences at the centre of a cell and at the edges and faces at its low corner.
    void addAt(Int3 c, BodyTerms& out) const
    {
        const Grid& grid = terms.grid;
        for (int n = 0; n < 3; ++n) {
            const int a = (n + 1) % 3, b = (n + 2) % 3;
            if (IndexBox{{0, 0, 0}, grid.cells}.contains(c))
                addLink({{n, n}}, c + unit(n), (assembly.full ? 2 : 1) * terms.stiffnessOfCell(c), out);
            const float stiffness = terms.stiffnessOfEdge(n, c);
            if (assembly.full) {
                addLink({{a, b}, {b, a}}, c, stiffness, out);
            } else {
                addLink({{a, b}}, c, stiffness, out);
                addLink({{b, a}}, c, stiffness, out);
            }
            if (!IndexBox{{0, 0, 0}, grid.cells + unit(n)}.contains(c) ||
                terms.kindOf(n, c) != ViscousTerms::Face::solid)
                continue;
            const int body = terms.bodyAt(facePosition(grid.h, n, c));
            if (body >= 0 && terms.solids.openFraction(n, c.x, c.y, c.z) > 0)
                out.liquid.push_back({body, {n, c, terms.massOf(n, c)}});
        }
    }
    BodyTerms ofBrick(IndexBox box) const
    {
        BodyTerms out;
        if (!terms.touchesSolid(box.lo)) return out;
        const float reach_m = reach_of_links * float(terms.grid.h);
        forEachCell(box, [&](int i, int j, int k) {
            const Int3 c{i, j, k}, cell = min(c, terms.grid.cells - Int3{1, 1, 1});
            if (std::abs(terms.solids.distance(cell.x, cell.y, cell.z)) < reach_m) addAt(c, out);
        });
        return out;
    }
};

void assembleBodies(const Assembly& assembly, const ViscousTerms& terms, LiquidState& s, LiquidScratch& w)
{
    const BrickSlots& slots = w.viscosity.slots();
    const BodyAssembly bodies{assembly, terms, slots};
    std::vector<BodyTerms> of_brick(size_t(slots.bricks.total()));
    parallelTasks("viscosity.bodies", slots.bricks.total(),
                  [&](int brick) { of_brick[size_t(brick)] = bodies.ofBrick(slots.bricks.box(brick)); });
    BodyTerms all;
    for (const BodyTerms& part : of_brick) {
        all.links.insert(all.links.end(), part.links.begin(), part.links.end());
        all.liquid.insert(all.liquid.end(), part.liquid.begin(), part.liquid.end());
    }
    w.viscous_bodies->assemble(double(assembly.unit_mass), all.links, all.liquid, s.u);
}

// The bricks of the box of faces that contain a face of the liquid.
BrickList bricksOfFaces(const Grid& grid, const LiquidState& s, LiquidScratch& w)
{
    const Bricks& bricks = w.viscosity.slots().bricks;
    std::vector<uint8_t> active(size_t(grid.bricks.total()), 0), marks(size_t(bricks.total()), 0);
    for (int brick : s.active.list) active[size_t(brick)] = 1;
    parallelTasks("viscosity.find", bricks.total(), [&](int brick) {
        const Int3 b = min(bricks.at(brick), grid.bricks.count - Int3{1, 1, 1});
        if (!active[size_t(grid.bricks.index(b))]) return;
        const IndexBox box = bricks.box(brick);
        for (int axis = 0; axis < 3; ++axis) {
            const View3<const uint8_t> known = w.known[axis].view();
            forEachCell(box, [&](int i, int j, int k) { marks[size_t(brick)] |= known(i, j, k) == 1; });
        }
    });
    return listOf(marks);
}

void takeVelocity(const ViscousTerms& terms, StressSolver& solver, MacView u)
{
    const BrickSlots& slots = solver.slots();
    parallelTasks("viscosity.take", slots.count(), [&](int task) {
        const IndexBox box = slots.bricks.box(slots.brickOf(task + 1));
        const bool near_fixed = terms.touchesSolid(box.lo);
        for (int axis = 0; axis < 3; ++axis) {
            const float* d = solver.component[axis].fine().d.data();
            const double* x = solver.component[axis].solution().data();
            forEachCell(box, [&](int i, int j, int k) {
                const size_t n = slots.index(i, j, k);
                if (d[n] > 0) {
                    u.u[axis](i, j, k) = float(x[n]);
                } else if (near_fixed) {
                    const ViscousTerms::Face kind = terms.kindOf(axis, {i, j, k});
                    if (kind == ViscousTerms::Face::inflow ||
                        (kind == ViscousTerms::Face::solid && terms.grid.no_slip &&
                         terms.bodyAt(facePosition(terms.grid.h, axis, {i, j, k})) < 0))
                        u.u[axis](i, j, k) = terms.prescribed(kind, axis, {i, j, k});
                }
            });
        }
    });
}

}  // namespace

void setUpViscosity(const Grid& grid, const LiquidParams& prm, const Solids& solids, double dt_s, LiquidState& s,
                    LiquidScratch& w)
{
    const CellViscosity nu = cellViscosity(prm, s);
    const double largest = largestViscosity(nu, s);
    w.viscosity.activate(bricksOfFaces(grid, s, w));
    const ViscousTerms terms(grid, solids, s, w, nu);
    const Assembly assembly{terms,
                            prm.viscous_stress == ViscousStress::full,
                            float(1 / largest),
                            float(grid.h * grid.h / (dt_s * largest)),
                            s.u,
                            w.viscosity};
    std::vector<std::array<double, 3>> of_brick(size_t(w.viscosity.slots().count()));
    parallelTasks("viscosity.assemble", w.viscosity.slots().count(),
                  [&](int n) { of_brick[size_t(n)] = assembly.brick(n + 1); });
    for (size_t a = 0; a < 3; ++a) {
        w.viscosity.momentum_squared[a] = 0;
        for (const auto& momentum_squared : of_brick) w.viscosity.momentum_squared[a] += momentum_squared[a];
    }
    w.viscosity.unit_mass = double(assembly.unit_mass);
    w.viscosity.build();
    if (w.viscous_bodies) {
        assembleBodies(assembly, terms, s, w);
        w.viscosity.momentum_squared[0] += w.viscous_bodies->momentumSquared();
    }
}

// Bodies couple the three components in either form.
SolveReport solveViscosity(ViscousStress stress, LiquidScratch& w)
{
    return stress == ViscousStress::full || w.viscous_bodies
               ? w.viscosity.solveTogether(viscosity_tolerance_rel, viscosity_max_iterations, w.viscous_bodies)
               : w.viscosity.solveComponents(viscosity_tolerance_rel, viscosity_max_iterations);
}

bool isViscosityDue(const Grid& grid, const LiquidParams& prm, double dt_s, LiquidState& s)
{
    const double largest = largestViscosity(cellViscosity(prm, s), s);
    return largest > 0 && viscosityMatters(grid, largest, dt_s + s.viscosity_not_applied_m2 / largest);
}

void applyViscosity(const Grid& grid, const LiquidParams& prm, const Solids& solids, double dt_s, LiquidState& s,
                    LiquidScratch& w, ViscosityReport& report)
{
    const CellViscosity nu = cellViscosity(prm, s);
    const double largest = largestViscosity(nu, s);
    if (largest <= 0) return;
    const double time_s = dt_s + s.viscosity_not_applied_m2 / largest;
    if (!viscosityMatters(grid, largest, time_s)) {
        s.viscosity_not_applied_m2 += dt_s * largest;
        return;
    }
    s.viscosity_not_applied_m2 = 0;
    const KernelTimer timer("viscosity.all");  // the labels inside the solver are those of the pressure
    setUpViscosity(grid, prm, solids, time_s, s, w);
    const SolveReport solve = solveViscosity(prm.viscous_stress, w);
    takeVelocity(ViscousTerms(grid, solids, s, w, nu), w.viscosity, s.u);
    if (w.viscous_bodies)
        w.viscous_bodies->finish(
            {w.viscosity.component[0].solution().data(), w.viscosity.component[1].solution().data(),
             w.viscosity.component[2].solution().data()},
            s.u);
    fillGhostCells(grid, s.active, s.u);
    report = {solve.iterations, solve.residual, solve.converged};
}

}  // namespace flotsam
