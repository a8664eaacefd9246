#include "geometry/mass_properties.h"

namespace flotsam {
namespace {

// Integrals over tetrahedra (0, a, b, c): of 1, x, y, z, xx, yy, zz, xy, xz, yz.
struct Moments {
    double m[10] = {};
};

void addTetrahedron(Vec3 a, Vec3 b, Vec3 c, Moments& sum)
{
    const double six = dot(a, cross(b, c));  // six times the volume
    const Vec3 s = a + b + c;
    sum.m[0] += six / 6;
    for (int i = 0; i < 3; ++i) sum.m[1 + i] += six * s[i] / 24;
    const auto product_of = [&](int i, int j) {
        return six * (s[i] * s[j] + a[i] * a[j] + b[i] * b[j] + c[i] * c[j]) / 120;
    };
    for (int i = 0; i < 3; ++i) sum.m[4 + i] += product_of(i, i);
    sum.m[7] += product_of(0, 1);
    sum.m[8] += product_of(0, 2);
    sum.m[9] += product_of(1, 2);
}

}  // namespace

// Jacobi rotations: exact zeros stay zero, so an axis-aligned box keeps its axes.
void principalAxesOf(const double symmetric[6], Vec3& moments, Mat3& axes)
{
    double a[3][3] = {{symmetric[0], symmetric[3], symmetric[4]},
                      {symmetric[3], symmetric[1], symmetric[5]},
                      {symmetric[4], symmetric[5], symmetric[2]}};
    double v[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const double scale = std::abs(a[0][0]) + std::abs(a[1][1]) + std::abs(a[2][2]);
    for (int sweep = 0; sweep < 30; ++sweep)
        for (int p = 0; p < 2; ++p)
            for (int q = p + 1; q < 3; ++q) {
                if (std::abs(a[p][q]) <= 1e-15 * scale) continue;
                const double theta = 0.5 * (a[q][q] - a[p][p]) / a[p][q];
                const double t = std::copysign(1, theta) / (std::abs(theta) + std::sqrt(theta * theta + 1));
                const double c = 1 / std::sqrt(t * t + 1), s = t * c;
                for (int k = 0; k < 3; ++k) {
                    const double kp = a[k][p], kq = a[k][q];
                    a[k][p] = c * kp - s * kq;
                    a[k][q] = s * kp + c * kq;
                }
                for (int k = 0; k < 3; ++k) {
                    const double pk = a[p][k], qk = a[q][k];
                    a[p][k] = c * pk - s * qk;
                    a[q][k] = s * pk + c * qk;
                    const double vp = v[k][p], vq = v[k][q];
                    v[k][p] = c * vp - s * vq;
                    v[k][q] = s * vp + c * vq;
                }
            }
    moments = {a[0][0], a[1][1], a[2][2]};
    const Vec3 x{v[0][0], v[1][0], v[2][0]}, y{v[0][1], v[1][1], v[2][1]};
    axes = transposed(Mat3{x, y, cross(x, y)});  // right-handed
}

MassProperties massPropertiesOf(const TriangleMesh& mesh)
{
    const Vec3 origin = boundsOf(mesh).center();
    Moments sum;
    for (const auto& t : mesh.triangles)
        addTetrahedron(mesh.vertices[size_t(t[0])] - origin, mesh.vertices[size_t(t[1])] - origin,
                       mesh.vertices[size_t(t[2])] - origin, sum);
    MassProperties result;
    result.volume_m3 = sum.m[0];
    const Vec3 c = Vec3{sum.m[1], sum.m[2], sum.m[3]} / sum.m[0];
    result.center_m = origin + c;
    const double xx = sum.m[4] - sum.m[0] * c.x * c.x, yy = sum.m[5] - sum.m[0] * c.y * c.y,
                 zz = sum.m[6] - sum.m[0] * c.z * c.z;
    const double inertia[6] = {yy + zz,
                               xx + zz,
                               xx + yy,
                               -(sum.m[7] - sum.m[0] * c.x * c.y),
                               -(sum.m[8] - sum.m[0] * c.x * c.z),
                               -(sum.m[9] - sum.m[0] * c.y * c.z)};
    principalAxesOf(inertia, result.moments, result.mesh_from_principal);
    return result;
}

}  // namespace flotsam
