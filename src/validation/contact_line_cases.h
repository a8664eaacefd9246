// Contact of liquid with solids, walls and sources: the scenes of the cases still, leak and volume, and their
// measurements. Tests run smaller versions of the same scenes.
#pragma once

#include <string>

#include "coupling/simulation.h"

namespace flotsam {

// Volume that the volume correction prescribed in a step, in absolute value [m3].
double redistributedVolume(const StepReport& step);

// A solid at rest.
SolidSpec fixedSolid(const ShapeSpec& shape);

// ---- Still water around fixed solids.

struct StillResult {
    double speed = 0;          // fastest liquid of any step, over sqrt(gH)
    double redistributed = 0;  // sum over the steps, relative to the volume
    double drift = 0;          // largest volume change, relative to the volume
    int steps = 0, wanted_steps = 0;
};
// A run stops at five times the number of steps that max_dt_s requires.
StillResult keepStill(const Scene& scene, double depth_m, double seconds, const std::string& label);

struct StillScene {
    Scene scene;
    double depth_m = 0;
};
// A ball of radius 7 cells (2-D: a disk) under water, gap_cells above the floor, off the symmetry of the grid.
StillScene ballOnTheFloor(Int3 cells, double gap_cells);
// A box 0.4 m wide that dips into water 0.4 m deep, rotated about z. The tank is 0.96 m wide.
StillScene dippingPlate(Int3 cells, double angle_deg);
// A floor that rises out of the water at this angle.
StillScene beach(Int3 cells, double angle_deg);
// A ball whose lowest point touches the floor exactly.
StillScene reportedBall();
// Water in a tank 1 m wide, as a pool or as a box whose faces are those of the tank. against_solid: the water ends at a
// fixed block. A depth of 0.3 m coincides with a plane of grid faces.
StillScene flushWater(double depth_m, bool as_box, bool against_solid);

// ---- One metre of water on one side of a fixed wall.

struct WallSpec {
    double thickness_cells = 1;
    double offset_cells = 0;  // distance of its centre plane from a plane of grid faces
    double lean_deg = 0;      // its top away from the water
    std::string name() const;
};
struct LeakResult {
    double passed = 0;                 // largest volume on the dry side, relative to the total
    long long particles = 0, wet = 0;  // largest counts of liquid particles and of cells with phi < 0 on the dry side
    double speed_m_s = 0;              // fastest liquid of any step
    double volume_change = 0;          // at the end, relative to the volume
    int steps = 0;
};
Scene wallAcross(Int3 cells, const WallSpec& wall);
LeakResult holdWater(Int3 cells, const WallSpec& wall, double seconds, const std::string& label);

// ---- Volume conserved by the level set alone, and volume poured.

struct VolumeResult {
    double largest_change = 0, change = 0;  // relative to the initial volume: at any time, at the end
    double redistributed = 0;               // relative to the same
};
VolumeResult keepVolume(const Scene& scene, double seconds, const std::string& label);

Scene calmTank(Int3 cells);
Scene damBreakOverBlock();
// A viscous drop of radius 0.2 m that falls on the floor from 0.25 m.
Scene viscousDrop(Int3 cells, double viscosity_m2_s);

// A source is filled at its own speed: the volume poured is U A t from the moment it opens, including its own shape.
struct PourResult {
    double ratio = 0;          // volume poured over U A t at the end
    double rate = 0;           // the same for the volume poured after start_s
    double worst = 0;          // largest error of that at any time after start_s
    double redistributed = 0;  // relative to U A t at the end
    int steps = 0;
};
struct Pouring {
    Scene scene;
    double rate_m3_s = 0;  // U A
    double start_s = 0;    // the stream exists: three source volumes have been poured, if the run is that long
    double seconds = 0;
};
PourResult pour(const Pouring& pouring, const std::string& label);

enum class SourceKind { square_8, square_3_3, disk_8, ball_8 };
struct SourceCase {
    SourceKind kind = SourceKind::square_8;
    Vec3 direction{0, -1, 0};  // along one axis
    double speed_m_s = 1;
    bool gravity = false;
    double max_dt_s = 1.0 / 60;
    bool under_water = false;
    double stream_cells = 36;  // U t at the end: the stream must not reach a wall, where it splashes
    double viscosity_m2_s = 1e-6;
    std::string name() const;
};
// 40 x 48 x 40 cells of 2 cm. The volume correction is off.
Pouring sourceCase(const SourceCase& what);

// A disk 10 cells across, or a box of that width, in 2-D that pours at the given angle to the x axis. The box either
// points along the stream or along the axes.
enum class ObliqueKind { disk, box_along_stream, box_along_axes };
Pouring obliqueSource(ObliqueKind kind, double angle_deg);

// Honey from a cylinder 8 cm across at 0.5 m/s onto a block, in a tank 0.32 m wide.
Pouring honeyOnBlock(int cells, double viscosity_m2_s, bool no_slip, bool correction, double seconds);

}  // namespace flotsam
