// What a rigid body is: constants, and the state that the next step needs.
#pragma once

#include <string>
#include <vector>

#include "core/quat.h"
#include "rigid/collider.h"

namespace flotsam {

// Constant during a run. A mass of 0 stands for an immobile or prescribed body: nothing moves it.
struct Body {
    std::string name;
    ColliderPtr collider;
    double mass_kg = 0;
    Vec3 moments_kg_m2;        // principal, about the centre of mass
    Mat3 body_from_principal;  // whose columns are the principal axes
    double friction = 0.3;
    double restitution = 0.3;
    double rolling_friction_m = 0;        // how far ahead of its centre the ground presses on what rolls
    double spinning_friction_m = 0;       // the lever at which sliding holds back what spins about the normal
    bool planar = false;                  // of a two-dimensional run: never moves along z, never turns about x or y
    bool takes_partners_surface = false;  // walls and solids: all of these are the other body's

    bool moves() const { return mass_kg > 0; }
};

struct BodyState {
    Vec3 x_m;  // of the centre of mass
    Quat q;    // world from body
    Vec3 v_m_s;
    Vec3 w_rad_s;
};

// A symmetric matrix: xx, yy, zz, xy, xz, yz.
struct SymMat3 {
    double xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0;
};
constexpr Vec3 operator*(const SymMat3& m, Vec3 v)
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

// The mass of a body in the world's axes, inverted; zero for one that nothing moves.
struct InverseMass {
    double mass_1_kg = 0;
    SymMat3 inertia_1_kg_m2;
};
InverseMass inverseMassOf(const Body& body, Quat q);

struct Impulse {
    Vec3 linear_N_s, angular_N_m_s;  // the angular part about the centre of mass
};
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
// What of it the body can follow.
constexpr VelocityChange allowed(const Body& body, VelocityChange c)
{
    return body.planar ? VelocityChange{{c.v_m_s.x, c.v_m_s.y, 0}, {0, 0, c.w_rad_s.z}} : c;
}

// A body without mass (moments 0) is filled in: exact for the formulas, from the polygons for meshes. mesh: around any
// origin; returns the body's mesh around its centre of mass, which center_m says.
Body sphereBody(double radius_m, double density_kg_m3);
Body boxBody(Vec3 size_m, double density_kg_m3);
Body cylinderBody(double radius_m, double height_m, double density_kg_m3);
Body ellipsoidBody(Vec3 semi_axes_m, double density_kg_m3);
Body meshBody(const TriangleMesh& mesh, double density_kg_m3, Vec3& center_m, bool by_rays = false);

}  // namespace flotsam
