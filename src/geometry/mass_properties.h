// Volume, centre and inertia of the volume enclosed by a closed mesh: exact, from its polygons.
#pragma once

#include "geometry/triangle_mesh.h"

namespace flotsam {

// Of a solid of density 1.
struct MassProperties {
    double volume_m3 = 0;
    Vec3 center_m;
    // About the centre [m5]: the principal moments, and the principal axes as the columns of a rotation.
    Vec3 moments;
    Mat3 mesh_from_principal;
};

// Mirtich 1996 reduces the volume integrals to the faces by the divergence theorem; over triangles they are the closed
// sums of Tonon 2004, taken relative to the centre of the mesh to avoid cancellation. mesh: closed, oriented outwards.
MassProperties massPropertiesOf(const TriangleMesh& mesh);

// The same from the moments about any axes through the centre: symmetric[0..2] xx, yy, zz; [3..5] xy, xz, yz.
void principalAxesOf(const double symmetric[6], Vec3& moments, Mat3& axes);

}  // namespace flotsam
