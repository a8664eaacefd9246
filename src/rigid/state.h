// What rigid bodies are between steps, what a step works with, and what it reports.
#pragma once

#include <cstdint>
#include <vector>

#include "rigid/broad_phase.h"
#include "rigid/contact.h"

namespace flotsam {

struct RigidParams {
    Vec3 gravity_m_s2{0, -9.81, 0};
    double max_dt_s = 1.0 / 120;  // longer steps are divided
    int iterations = 10;          // of the contacts, before shock propagation
};

// A contact point of the last substep and the mean force that it ended with: where the next search starts. A force, not
// an impulse: the next substep may have another length.
struct RememberedContact {
    int a = 0, b = 0;
    Vec3 local_m;  // in a's frame
    double normal_N = 0;
    Vec3 friction_N;  // in the world
};

// What the liquid's last step added to a body's velocity: the next step of the bodies needs it apart.
struct FluidVelocityChange {
    VelocityChange pressure, viscosity;
    Vec3 gravity_m_s;
    VelocityChange support;  // what contacts were expected to add: the bodies' own step finds it anew
    int64_t wet = 0;         // 1: the body was in the liquid

    VelocityChange all() const { return pressure + viscosity + VelocityChange{gravity_m_s, {}} + support; }
};

// Exactly what a checkpoint holds.
struct RigidState {
    std::vector<BodyState> bodies;              // those that move first, then walls and solids
    std::vector<RememberedContact> remembered;  // sorted by pair
    std::vector<FluidVelocityChange> gained;    // by moving body; empty without liquid
    double t_s = 0;
};

struct Force {
    Vec3 force_N, torque_N_m;  // from outside, besides gravity; the torque about the centre of mass
};

// Of one body over one step: eqs. 68, 69 of the thesis.
struct CollisionAcceleration {
    Vec3 A_c_m_s2, alpha_c_rad_s2;
};

struct RigidReport {
    int contacts = 0;            // points with an impulse in the last part of the step
    int collisions = 0;          // pairs that bounced
    int parts = 0;               // the step was divided into
    double deepest_m = 0;        // overlap that a contact started with
    double deepest_of_size = 0;  // the same in diameters of the smaller body's inner ball
    double work_J = 0;           // that prescribed bodies did on those that move
};

// A body while its velocities are solved for.
struct SolverBody {
    Vec3 v, w;
    InverseMass inverse;
};

struct SolverPoint {
    Vec3 ra, rb;            // from the centres of mass [m]
    Vec3 n, t;              // normal and first tangent; the second is n x t
    SymMat3 k;              // velocity that impulses along (n, t, n x t) make [1/kg]
    Vec3 inverse_diagonal;  // 1 / k.xx, ...
    Vec3 impulse;           // along (n, t, n x t) [N s]
    double gap_m;
    double least_speed;  // along n: 0, or what closes a gap exactly within the step [m/s]
};

// Bodies that touch each other, and their energy over a part of a step: keepEnergy.
struct Island {
    int anchor = -1;              // the prescribed body that it touches; -1: none
    double gain_J = 0;            // of kinetic and potential energy, less what prescribed bodies did
    double lift_J = 0;            // what pushing apart would add
    double loss_J = 0;            // what may be spent on it
    double kinetic_loss_J = 0;    // of that, motion relative to R
    double collision_loss_J = 0;  // and what collisions took of it
    double kinetic_J = 0;         // of the motion D relative to its frame R
    double pull_J = 0;            // the work of gravity and of forces from outside along D
    double cross_J = 0;           // the product of R and D
    double work_J = 0;            // of what is prescribed
    bool touched = false;

    // For R of an island that touches nothing prescribed: the rigid motion with its momentum and angular momentum.
    double mass_kg = 0;
    Vec3 moment_kg_m, momentum_N_s, angular_N_m_s, spin_rad_s;
    SymMat3 inertia_kg_m2;
    Vec3 center() const { return moment_kg_m / mass_kg; }
};

// A point at which two bodies are moved apart.
struct PushedPoint {
    int a = 0, b = 0;
    Vec3 ra, rb, n;
    double fresh_m = 0, old_m = 0;  // the ways: of what came in this step, of what was there before
    double inverse_k_kg = 0, push_N_s = 0;
};

struct RigidScratch {
    std::vector<Mat3> world_from_body;
    std::vector<Bounds> boxes;
    std::vector<double> speed_bound;  // that the present contacts reckon with [m/s]
    BroadPhase broad;
    std::vector<std::vector<ContactPoint>> found;  // by block of candidate pairs
    std::vector<std::vector<ContactPair>> found_pairs;
    std::vector<ContactPoint> points;
    std::vector<ContactPair> pairs;
    std::vector<SolverBody> solver;
    std::vector<SolverPoint> solver_points;
    std::vector<Vec3> turning;  // by pair: the angular impulse of rolling and spinning friction on its a [N m s]
    std::vector<std::vector<int>> colors;      // pairs that share no moving body
    std::vector<int> by_color_rest;            // those that no color could take
    std::vector<int> level;                    // of a body above the ground; -1: nothing carries it
    std::vector<int> by_level;                 // pairs
    std::vector<int> changed;                  // the sweep after which a body has to be asked again
    std::vector<VelocityChange> push;          // moves overlapping bodies apart, without a velocity that stays
    std::vector<char> touched;                 // a body that has contacts in this part of a step
    std::vector<VelocityChange> before;        // velocities after collisions, before forces and contacts
    std::vector<std::pair<int, int>> bounced;  // bodies that collided
    std::vector<int> island;                   // of a body: the lowest number of those that it touches through others
    std::vector<Island> islands;               // by that number
    std::vector<PushedPoint> pushed;
    std::vector<std::vector<PushedPoint>> pushed_blocks;
};

}  // namespace flotsam
