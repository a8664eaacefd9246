// Which cells and faces of the grid a body covers, and by how much.
#pragma once

#include <vector>

#include "coupling/body_obstacle.h"
#include "scene/body_spec.h"

namespace flotsam {

struct BodyCell {
    Int3 at;
    float distance_m;  // of its centre to the body's surface, < 0 inside
};

struct BodyFace {
    int axis;
    Int3 at;
    Vec3 lever_m;    // from the body's centre of mass
    float fraction;  // of the face's control volume that the body takes, 0..1
};

// Cells inside of a body and within `margin_cells` around it.
std::vector<BodyCell> cellsNear(const Grid& grid, const BodyObstacle& body, double margin_cells);

// Faces whose middle is inside, each as a whole.
std::vector<BodyFace> facesInside(const Grid& grid, const BodyObstacle& body, const std::vector<BodyCell>& near);

// Every face that the body has a part of: thesis 5.5. near: cells within one cell at least.
std::vector<BodyFace> facesByPart(const Grid& grid, const BodyObstacle& body, const std::vector<BodyCell>& near,
                                  SubCellVolume how);

}  // namespace flotsam
