// A rigid body as an obstacle for the liquid surface.
#pragma once

#include "liquid/solids.h"
#include "rigid/world.h"

namespace flotsam {

class BodyObstacle : public Obstacle {
public:
    BodyObstacle(const RigidWorld& world_, int body_) : world(world_), body(size_t(body_)) { moveTo(0); }

    bool moves() const override { return true; }
    void moveTo(double) override
    {
        const Mat3 r = matrixOf(state().q);
        body_from_world = transposed(r);
        face_planes = planesOf(collider(), state().x_m, r);
    }
    Bounds bounds() const override { return boundsOf(collider(), state().x_m, transposed(body_from_world)); }
    Vec3 center() const { return state().x_m; }
    double reach() const { return collider().reach_m; }  // distance of the farthest point from the centre
    double signedDistance(Vec3 p_m) const override
    {
        return collider().distance(body_from_world * (p_m - state().x_m));
    }
    std::span<const OutwardPlane> planes() const override { return face_planes; }
    bool isThick(double thickness_m) const override
    {
        const ColliderKind kind = collider().kind;
        const bool is_blunt = kind == ColliderKind::sphere || kind == ColliderKind::box ||
                              kind == ColliderKind::cylinder || kind == ColliderKind::capsule;
        return is_blunt && 2 * collider().inner_m >= thickness_m;
    }
    // Pressure exerts no torque about an axis of symmetry: removes that component of a torque about the centre.
    Vec3 torqueOfPressure(Vec3 torque) const;
    Span spanNear(Vec3 p_m, double step_m, int count, double reach_m) const override;
    Vec3 velocityAt(Vec3 p_m) const override { return state().v_m_s + cross(state().w_rad_s, p_m - state().x_m); }
    double fastest() const override { return length(state().v_m_s) + collider().reach_m * length(state().w_rad_s); }

private:
    const BodyState& state() const { return world.state.bodies[body]; }
    const Collider& collider() const { return *world.bodies[body].collider; }

    const RigidWorld& world;
    size_t body;
    Mat3 body_from_world;
    std::vector<OutwardPlane> face_planes;
};

}  // namespace flotsam
