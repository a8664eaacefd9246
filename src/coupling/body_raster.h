// The cells and faces in and near a body: "rigid-fluid" uses the covered fractions, both methods the cells.
#pragma once

#include <vector>

#include "coupling/body_obstacle.h"
#include "scene/body_spec.h"

namespace flotsam {

struct BodyCell {
    Int3 at;
    float distance_m;  // of the cell centre to the body surface, < 0 inside
};

struct BodyFace {
    int axis;
    Int3 at;
    Vec3 lever_m;    // from the body's centre of mass
    float fraction;  // fraction of the face's control volume inside the body, 0..1
};

// Cells inside a body and within `margin_cells` around it.
std::vector<BodyCell> cellsNear(const Grid& grid, const BodyObstacle& body, double margin_cells);

// Whether liquid is within one cell of the body surface. near: cells within at least one cell of it.
bool hasLiquidAround(const Grid& grid, const std::vector<BodyCell>& near, View3<const float> phi);

// Every face whose control volume overlaps the body: thesis 5.5. near: cells within at least one cell of it.
std::vector<BodyFace> facesByFraction(const Grid& grid, const BodyObstacle& body, const std::vector<BodyCell>& near,
                                      SubCellVolume how);

}  // namespace flotsam
