// State of the rigid bodies between steps, scratch data of a step, and its report.
#pragma once

#include <compare>
#include <cstdint>
#include <vector>

#include "core/vec_lanes.h"
#include "rigid/broad_phase.h"
#include "rigid/contact.h"
#include "rigid/joint.h"

namespace flotsam {

struct RigidParams {
    Vec3 gravity_m_s2{0, -9.81, 0};
    double max_dt_s = 1.0 / 120;  // longer steps are split into substeps
    int iterations = 10;          // over the contacts, before shock propagation
};

// A contact point of the last substep and its final mean force, the starting value of the next solve. Stored as a
// force, not an impulse: the next substep may have another length.
struct RememberedContact {
    int a = 0, b = 0;
    Vec3 local_m;  // in a's frame
    double normal_N = 0;
    Vec3 friction_N;  // in the world
};

// In a checkpoint; in liquid together with FluidVelocityChange (coupling/coupled_bodies.h).
struct RigidState {
    std::vector<BodyState> bodies;              // moving bodies first, then walls and solids
    std::vector<RememberedContact> remembered;  // sorted by pair
    std::vector<JointState> joints;
    double t_s = 0;
};

struct Force {
    Vec3 force_N, torque_N_m;  // external, besides gravity; the torque about the centre of mass
};

// What changed the momentum of a body, besides gravity and external forces. The sum is exact: momentum at the end less
// that at the start is this and the impulse of those forces.
struct ImpulsesByKind {
    Impulse bounces;       // collisions with restitution
    Impulse contacts;      // with friction and shock propagation
    Impulse joints;        // constraints, limits, springs and dampers of joints
    Impulse motors;        // of joints
    Impulse energy_limit;  // what removed energy that contacts had added

    Impulse touching() const { return bounces + contacts + energy_limit; }
    Impulse joined() const { return joints + motors; }
    ImpulsesByKind& operator+=(const ImpulsesByKind& o)
    {
        bounces += o.bounces, contacts += o.contacts, joints += o.joints, motors += o.motors;
        energy_limit += o.energy_limit;
        return *this;
    }
};

// Of one body over one step: eqs. 68, 69 of the thesis.
struct CollisionAcceleration {
    Vec3 A_c_m_s2, alpha_c_rad_s2;
};

// What the energy limit removed from bodies in contact with each other, over a step.
struct EnergyCut {
    int body = -1;  // one of them
    double removed_J = 0;
};

struct RigidReport {
    int contacts = 0;                    // points with an impulse in the last substep
    int collisions = 0;                  // pairs that bounced
    int substeps = 0;                    // of the step
    double deepest_m = 0;                // largest overlap of a contact at detection
    double deepest_of_size = 0;          // the same in diameters of the smaller body's inner ball
    double work_J = 0;                   // work of prescribed bodies on moving ones
    std::vector<EnergyCut> energy_cuts;  // of the islands to which contacts had added energy
    // Iteration limits that were reached. What was left is treated as inelastic contact or as overlap.
    int cut_collisions = 0;     // substeps
    int cut_shocks = 0;         // levels of shock propagation
    bool cut_substeps = false;  // the step requires more of them than are allowed

    void cutEnergy(int body, double removed_J)
    {
        for (EnergyCut& cut : energy_cuts)
            if (cut.body == body) {
                cut.removed_J += removed_J;
                return;
            }
        energy_cuts.push_back({body, removed_J});
    }
    double removed_J() const
    {
        double sum = 0;
        for (const EnergyCut& cut : energy_cuts) sum += cut.removed_J;
        return sum;
    }
};

// A body while its velocities are solved for. Real, Vec: of one body, or of four in the lanes of a vector register.
template <class Real, class Vec>
struct SolverBodyOf {
    Vec v, w;
    InverseMassOf<Real> inverse;
};
using SolverBody = SolverBodyOf<double, Vec3>;

// The pose and the velocities that a body is expected to have at the end of the substep. Over the substep its points
// move by dt times the mean of the velocities at the start and these.
struct ExpectedMotion {
    Vec3 x_m;
    Mat3 world_from_body;
    Vec3 v_m_s, w_rad_s;
};

// The unknown impulse at a contact point, and what it has to fulfil.
template <class Real, class Vec>
struct ContactRow {
    Vec ra, rb;            // from the centres of mass, between those at the start and the end of the substep [m]
    Vec n, t;              // normal, also between them, and first tangent; the second is n x t
    SymMat3Of<Real> k;     // velocity response to impulses along (n, t, n x t) [1/kg]
    Vec inverse_diagonal;  // 1 / k.xx, ...
    Vec impulse;           // along (n, t, n x t) [N s]
    Real least_speed{};    // along n: keeps the contact at the end of the substep, or exactly closes its gap [m/s]
    // Relative velocity along (t, n x t) that the contact has at the end of the substep in addition to that of the row.
    Real slip_t{}, slip_s{};
};

struct SolverPoint : ContactRow<double, Vec3> {
    double gap_m;
    double approach;  // relative velocity along the normal at the start of the substep, beyond closing the gap [m/s]
    bool is_held = false;  // without an impulse, by RigidWorld::holdClosing

    bool acts() const { return impulse.x > 0 || is_held; }
};

// Bodies in contact with each other, and their energy over a substep: keepEnergy.
struct Island {
    int anchor = -1;              // the prescribed body that it touches; -1: none
    double gain_J = 0;            // of kinetic and potential energy, less the work of prescribed bodies
    double lift_J = 0;            // energy that pushing apart would add
    double loss_J = 0;            // energy available for it
    double kinetic_loss_J = 0;    // share of loss_J in motion relative to R
    double collision_loss_J = 0;  // share of loss_J taken by collisions
    double kinetic_J = 0;         // of the motion D relative to its frame R
    double pull_J = 0;            // the work of gravity and external forces along D
    double cross_J = 0;           // the product of R and D
    double turning_J = 0;         // the product of D and the change of R from the middle to the end of the substep
    double work_J = 0;            // of prescribed bodies
    double removed_J = 0;         // by the energy limit
    bool touched = false;
    bool lasting = true;  // no contact of it began in this substep
    // Of bodies that move by their mean velocity: sum of M A.A, largest acceleration, largest change of velocity.
    double pull2_J_s2 = 0, most_pull_m_s2 = 0, most_change_m_s = 0;
    double lowering_s2 = 0;  // they move by this times their acceleration in addition

    // For the frame R of an island without prescribed body: the rigid motion with its momentum and angular momentum.
    double mass_kg = 0;
    Vec3 moment_kg_m, momentum_N_s, angular_N_m_s, spin_rad_s;
    SymMat3 inertia_kg_m2;
    Vec3 center() const { return moment_kg_m / mass_kg; }
};

// A point at which two bodies are moved apart.
struct PushedPoint {
    int a = 0, b = 0;
    Vec3 ra, rb, n;
    double fresh_m = 0, old_m = 0;  // distances to correct: overlap new in this step, and older overlap
    double inverse_k_kg = 0, push_N_s = 0;
};

// A pair of bodies that collides, with the points at which it can touch.
struct Impact {
    int a = 0, b = 0;
    int first = 0, count = 0;  // of ImpactScratch::points
    int group = 0;             // of pairs that share moving bodies
    double friction = 0;
    double approach_m_s = 0;  // of its fastest point
};

// Pairs that collide at the same time: bounce.cpp.
struct ImpactScratch {
    std::vector<Impact> pairs;
    std::vector<SolverPoint> points;      // least_speed: the rebound speed
    std::vector<Vec3> change, direction;  // by point: of its impulse in the last sweep, and of the sweeps
    std::vector<int> parent;              // by body: the groups
    std::vector<int> changed;             // by body: the round after which it must be visited again
    std::vector<SolverBody> before;       // by body
    std::vector<VelocityChange> last;     // by body: after the last sweep
    std::vector<int> members;             // moving bodies of a group
};

class JointIsland;

// Pairs that share no moving body with those of other groups, and the islands of joined bodies among them.
struct GroupedPair {
    int group = 0, color = 0, index = 0;
    auto operator<=>(const GroupedPair&) const = default;
};
// Those with an upper body of the same level above the ground.
struct LeveledPair {
    int level = 0, color = 0, index = 0;
    auto operator<=>(const LeveledPair&) const = default;
};
struct GroupedIsland {
    int group = 0;
    JointIsland* island = nullptr;
};

struct PairMasses {
    InverseMass a, b;
};

// One to four pairs that share no moving body, one in each lane of the vector registers: contact_lanes.h. Rows of lanes
// without a pair, and beyond the last point of a pair, are zero. A pair that is alone uses its SolverPoints.
struct PairLanes {
    static constexpr size_t most = 4;
    size_t size = 0;
    int pair[most] = {}, a[most] = {}, b[most] = {};  // unused lanes repeat the first
    int first = 0, count = 0;                         // of ContactLanes::rows
    Double4 friction{};
    InverseMassOf<Double4> mass_a, mass_b;
    PairMasses alone;
};
struct ContactLanes {
    std::vector<PairLanes> groups;
    std::vector<ContactRow<Double4, Vec3x4>> rows;
};

constexpr int most_colors = 32;
// Pairs of one color: groups in lanes, and the others.
struct ContactColor {
    std::vector<int> pairs, others;
    size_t first = 0, end = 0;  // of ContactLanes::groups
};

struct RigidScratch {
    std::vector<Mat3> world_from_body;
    std::vector<Bounds> boxes;
    std::vector<double> speed_bound;  // assumed in the current contact detection [m/s]
    BroadPhase broad;
    std::vector<std::vector<ContactPoint>> found;  // by block of candidate pairs
    std::vector<std::vector<ContactPair>> found_pairs;
    std::vector<ContactPoint> points;
    std::vector<ContactPair> pairs;
    std::vector<SolverBody> solver;
    std::vector<SolverPoint> solver_points;
    std::vector<ImpulsesByKind> impulses;  // in this substep so far, by moving body
    std::vector<Vec3> turning;         // by pair: the angular impulse of rolling and spinning friction on its a [N m s]
    std::vector<ContactColor> colors;  // of pairs that share no moving body
    std::vector<int> by_color_rest;    // pairs that fit no color
    std::vector<int> color;            // by pair; most_colors: none
    ContactLanes lanes;
    std::vector<GroupedPair> grouped;  // pairs of small groups, which are not in `colors`
    std::vector<GroupedIsland> grouped_islands, other_islands;
    std::vector<int> level;                    // levels above the ground; -1: unsupported
    std::vector<LeveledPair> by_level;         // those above the ground
    std::vector<int> changed;                  // the sweep after which a body must be visited again
    std::vector<VelocityChange> push;          // position correction: leaves no velocity behind
    std::vector<char> touched;                 // a body with contacts in this substep
    std::vector<VelocityChange> before;        // velocities after collisions, before forces and contacts
    ImpactScratch impacts;                     // of the current round of collisions
    std::vector<VelocityChange> displacing;    // the mean velocities of moving bodies over the substep
    std::vector<ExpectedMotion> expected;      // of all bodies with contacts
    std::vector<std::pair<int, int>> bounced;  // bodies that collided
    std::vector<int> island;                   // of a body: the lowest index of its connected component of contacts
    std::vector<Island> islands;               // by that index
    std::vector<PushedPoint> pushed;
    std::vector<std::vector<PushedPoint>> pushed_blocks;
};

}  // namespace flotsam
