// The state of a liquid between steps (State: the contents of a checkpoint) and the data of a step (Grid: constant;
// Scratch: undefined between steps).
#pragma once

#include <array>
#include <vector>

#include "core/lanes.h"
#include "core/parallel.h"
#include "grid/mac.h"
#include "grid/poisson.h"
#include "grid/stress_solver.h"
#include "liquid/heat_line.h"
#include "liquid/particle.h"
#include "scene/scene.h"

namespace flotsam {

struct Grid {
    Grid(const DomainParams& domain, const TimeParams& time, const SurfaceParams& surface = {});

    Int3 cells;
    double h;  // cell size [m]
    Bricks bricks;
    bool open[3][2];  // boundaries open to the air
    Vec3 down;        // the direction of gravity; zero without gravity
    // Whether a domain boundary is the lowest along gravity, so that liquid rests on it.
    bool isFloor(int axis, int side) const { return (side == 0 ? -down[axis] : down[axis]) > 0.5; }
    bool no_slip;
    SurfaceTreatment treatment;
    float band;            // phi is a signed distance up to here [m] and +-band beyond
    int extension_layers;  // layers of faces around the liquid that get its velocity
};

struct LiquidState {
    explicit LiquidState(const Grid& grid);

    MacField u;                     // [m/s] on faces
    Field3<float> phi;              // [m] at centres, < 0 in liquid, +-band far from the surface
    bool viscosity_varies = false;  // whether the field below is used; else it is liquid.viscosity_m2_s everywhere
    Field3<float> viscosity;        // [m2/s] kinematic, at centres in and around the liquid, zero where not needed
    BrickSet active;                // bricks with liquid or some of the band; in all others phi = band, u = 0
    BrickList initialised;  // bricks where phi has been written at least once; memory of the others was never touched
    // [K] at cell centres in and around the liquid, 0 elsewhere; used only if heat is on.
    Field3<float> temperature;
    Field3<float> melted;         // 0..1 at centres; used only with latent heat
    std::vector<Float3> tracers;  // [cells]
    SurfaceParticles particles;   // near the surface; none if they are switched off
    double t_s = 0;
    int step = 0;
    double volume_target_m3 = 0;          // volume put in by regions and sources, less outflow through open boundaries
    double volume_m3 = 0;                 // enclosed by the surface
    double volume_correction_1_s = 0;     // the divergence in u after the last projection, for the correction
    double volume_given_back_m3 = 0;      // sum over the steps of |volume the correction should have added|
    double volume_lost_m3 = 0;            // sum over the steps of volume the surface lost by itself; negative: gained
    double viscosity_not_applied_m2 = 0;  // sum of dt nu, nu the largest, over the steps since the last viscous solve
};

struct GapCell {
    Int3 cell;
    float phi_m;  // after the step
};

// Used only if heat is on.
struct HeatScratch {
    explicit HeatScratch(const Grid& grid);

    Field3<float> e, e_new, low, high;  // [K] at centres: heat.h
    Field3<float> fraction;             // liquid of the cell, in cells; 0 outside `filled`
    BrickList filled;
    Field3<uint8_t> fixed;        // e of the cell is prescribed by a source
    Field3<uint8_t> known;        // 0, or the layer in which the extension reached a cell
    std::vector<HeatLine> lines;  // by column of bricks
};

class PressureBodies;
class ViscousBodies;

struct LiquidScratch {
    explicit LiquidScratch(const Grid& grid);

    MacField u_old;                   // before advection
    MacField u_correction;            // used by BFECC and MacCormack only
    Field3<float> phi_new, distance;  // [m] at centres
    Field3<Float4> center_velocity;   // [m/s] at centres, {u, v, w, 0}: moves the surface; written only near it
    ParticleScratch particles;
    HeatScratch heat;
    // A cell between liquid and a wall, with air left at the wall. Either the liquid surface is theta cells past the
    // centre, or the air is filled in this step. Nothing is pulled into a gap, and no more flows in than it holds.
    struct GapFlow {
        Int3 cell;
        Float3 away;      // from the wall, of length 1
        float fills_m_s;  // the flow towards the wall that fills the gap in one step
        float theta;      // 0: the centre is in air
        bool is_filled;
        float flow_m_s = 0;    // towards the wall, from the last projection
        float other_ties = 0;  // coefficients of the cell to the free surface elsewhere
    };
    std::vector<GapFlow> gap_flows;
    Field3<uint8_t> known[3];  // faces: 0 unknown, else the layer in which the extension reached them
    struct Face {
        int i, j, k;
    };
    struct Reached {
        int32_t face;     // from the field's origin
        float weight[6];  // of the neighbours west, east, down, up, back, front
    };
    // The velocity extension of one component over the faces of a strip.
    struct Extension {
        std::vector<std::vector<Face>> bins;  // faces within reach, by distance to the liquid
        std::vector<Reached> reached;         // in the order in which they get their values
        std::vector<size_t> pass_end;
    };
    std::vector<Extension> extension;           // by strip of the active bricks and component
    PressureBodies* pressure_bodies = nullptr;  // bodies that are part of the pressure system, or none
    ViscousBodies* viscous_bodies = nullptr;    // bodies that are part of the viscous system, or none
    PoissonSolver pressure;
    BrickSet liquid;  // bricks with pressure unknowns
    StressSolver viscosity;
    // Used only with bodies in the viscous system, on its unknowns: viscous_pressure.h.
    BrickField<float> viscous_residual[3], viscous_product[3];
};

// For scenes where most of the domain is or will be liquid: large pages, which may waste memory but are fewer.
void expectDense(LiquidState& s, LiquidScratch& w);

}  // namespace flotsam
