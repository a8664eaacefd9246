// A rigid body: its constants, and the state that the next step needs.
#pragma once

#include <string>
#include <vector>

#include "core/quat.h"
#include "rigid/collider.h"

namespace flotsam {

// Constant during a run. Mass 0 denotes a fixed or prescribed body, on which forces have no effect.
struct Body {
    std::string name;
    ColliderPtr collider;
    double mass_kg = 0;
    Vec3 moments_kg_m2;        // principal, about the centre of mass
    Mat3 body_from_principal;  // whose columns are the principal axes
    double friction = 0.3;
    double restitution = 0.3;
    double rolling_friction_m = 0;        // offset of the ground reaction ahead of the centre of a rolling body
    double spinning_friction_m = 0;       // lever arm of sliding friction against spin about the normal
    bool planar = false;                  // two-dimensional run: no motion along z, no rotation about x or y
    bool takes_partners_surface = false;  // walls and solids: use the surface properties of the other body

    bool moves() const { return mass_kg > 0; }
};

struct BodyState {
    Vec3 x_m;  // of the centre of mass
    Quat q;    // world from body
    Vec3 v_m_s;
    Vec3 w_rad_s;
};

// A symmetric matrix: xx, yy, zz, xy, xz, yz.
template <class Real>
struct SymMat3Of {
    Real xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
};
using SymMat3 = SymMat3Of<double>;
template <class Real, class Vec>
constexpr Vec operator*(const SymMat3Of<Real>& m, const Vec& v)
{
    return {m.xx * v.x + m.xy * v.y + m.xz * v.z, m.xy * v.x + m.yy * v.y + m.yz * v.z,
            m.xz * v.x + m.yz * v.y + m.zz * v.z};
}
// r diag(d) r^T
constexpr SymMat3 rotated(const Mat3& r, Vec3 d)
{
    const auto part = [d](Vec3 a, Vec3 b) { return a.x * d.x * b.x + a.y * d.y * b.y + a.z * d.z * b.z; };
    return {part(r.row0, r.row0), part(r.row1, r.row1), part(r.row2, r.row2),
            part(r.row0, r.row1), part(r.row0, r.row2), part(r.row1, r.row2)};
}

// Inverse mass of a body in world axes; zero for a fixed or prescribed body.
template <class Real>
struct InverseMassOf {
    Real mass_1_kg{};
    SymMat3Of<Real> inertia_1_kg_m2;
};
using InverseMass = InverseMassOf<double>;
InverseMass inverseMassOf(const Body& body, Quat q);

struct Impulse {
    Vec3 linear_N_s, angular_N_m_s;  // angular impulse about the centre of mass

    constexpr Impulse& operator+=(const Impulse& l)
    {
        linear_N_s += l.linear_N_s;
        angular_N_m_s += l.angular_N_m_s;
        return *this;
    }
};
constexpr Impulse operator+(Impulse a, const Impulse& b) { return a += b; }
constexpr Impulse operator*(double s, const Impulse& l) { return {s * l.linear_N_s, s * l.angular_N_m_s}; }
// An impulse j at a point r from the centre of mass.
constexpr Impulse impulseAt(Vec3 r, Vec3 j) { return {j, cross(r, j)}; }
struct VelocityChange {
    Vec3 v_m_s, w_rad_s;

    constexpr bool operator==(const VelocityChange&) const = default;
};
constexpr VelocityChange operator+(VelocityChange a, VelocityChange b)
{
    return {a.v_m_s + b.v_m_s, a.w_rad_s + b.w_rad_s};
}
constexpr VelocityChange operator-(VelocityChange a, VelocityChange b)
{
    return {a.v_m_s - b.v_m_s, a.w_rad_s - b.w_rad_s};
}
constexpr VelocityChange operator*(double s, VelocityChange c) { return {s * c.v_m_s, s * c.w_rad_s}; }
constexpr VelocityChange operator*(const InverseMass& m, const Impulse& l)
{
    return {m.mass_1_kg * l.linear_N_s, m.inertia_1_kg_m2 * l.angular_N_m_s};
}
// Removes the components that a planar body cannot follow.
constexpr VelocityChange allowed(const Body& body, VelocityChange c)
{
    return body.planar ? VelocityChange{{c.v_m_s.x, c.v_m_s.y, 0}, {0, 0, c.w_rad_s.z}} : c;
}

// Bodies with computed mass and moments: exact for the analytic shapes, from the polygons for meshes. mesh: around any
// origin; returns the mesh around its centre of mass, and center_m is that centre.
Body sphereBody(double radius_m, double density_kg_m3);
Body boxBody(Vec3 size_m, double density_kg_m3);
Body cylinderBody(double radius_m, double height_m, double density_kg_m3);
Body capsuleBody(double radius_m, double height_m, double density_kg_m3);
Body ellipsoidBody(Vec3 semi_axes_m, double density_kg_m3);
Body meshBody(const TriangleMesh& mesh, double density_kg_m3, Vec3& center_m, bool by_rays = false);

}  // namespace flotsam
