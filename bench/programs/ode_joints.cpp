// One mechanism of bench rigid with ODE: the same bodies and joints, its direct stepper, no sleeping. Prints one line
// of JSON.
#include <fmt/format.h>
#include <ode/ode.h>

#include <chrono>
#include <cstring>
#include <vector>

#include "bench/joined_worlds.h"

namespace flotsam {
namespace {

struct Simulation {
    dWorldID world = dWorldCreate();
    dSpaceID space = dHashSpaceCreate(nullptr);
    dJointGroupID contacts = dJointGroupCreate(0);
    std::vector<dBodyID> bodies;

    ~Simulation()
    {
        dJointGroupDestroy(contacts);
        dSpaceDestroy(space);
        dWorldDestroy(world);
    }

    dGeomID geomOf(const Collider& c) const
    {
        if (c.kind == ColliderKind::box) return dCreateBox(space, 2 * c.size_m.x, 2 * c.size_m.y, 2 * c.size_m.z);
        if (c.kind == ColliderKind::capsule) return dCreateCapsule(space, c.size_m.x, 2 * c.size_m.y);
        return dCreateSphere(space, c.size_m.x);
    }

    static void collide(void* self, dGeomID a, dGeomID b)
    {
        auto& s = *static_cast<Simulation*>(self);
        const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
        if ((!body_a && !body_b) || (body_a && body_b && dAreConnected(body_a, body_b))) return;
        constexpr int most = 8;
        dContact list[most];
        const int n = dCollide(a, b, most, &list[0].geom, sizeof(dContact));
        for (int i = 0; i < n; ++i) {
            list[i].surface.mode = dContactApprox1;
            list[i].surface.mu = 0.3;
            dJointAttach(dJointCreateContact(s.world, s.contacts, &list[i]), body_a, body_b);
        }
    }
};

void place(const Body& b, const BodyState& at, Simulation& s)
{
    const Vec3 up = matrixOf(at.q) * Vec3{0, 1, 0};
    if (b.collider->kind == ColliderKind::half_space) {
        dCreatePlane(s.space, up.x, up.y, up.z, dot(up, at.x_m));
        return;
    }
    const dBodyID body = dBodyCreate(s.world);
    s.bodies.push_back(body);
    dMass mass;
    dMassSetParameters(&mass, b.mass_kg, 0, 0, 0, b.moments_kg_m2.x, b.moments_kg_m2.y, b.moments_kg_m2.z, 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, at.x_m.x, at.x_m.y, at.x_m.z);
    const dQuaternion q = {at.q.w, at.q.x, at.q.y, at.q.z};
    dBodySetQuaternion(body, q);
    const dGeomID geom = s.geomOf(*b.collider);
    dGeomSetBody(geom, body);
    if (b.collider->kind != ColliderKind::capsule) return;
    dQuaternion along_y;  // its capsules lie along z
    dQFromAxisAndAngle(along_y, 1, 0, 0, -M_PI / 2);
    dGeomSetOffsetQuaternion(geom, along_y);
}

void join(const Joint& joint, const RigidWorld& ours, Simulation& s)
{
    const BodyState& a = ours.state.bodies[size_t(joint.a)];
    const Vec3 at = a.x_m + matrixOf(a.q) * joint.in_a.anchor_m;
    const dBodyID second = joint.b == world_body ? nullptr : s.bodies[size_t(joint.b)];
    const bool ball = joint.kind == JointKind::ball;
    const dJointID id = ball ? dJointCreateBall(s.world, nullptr) : dJointCreateHinge(s.world, nullptr);
    dJointAttach(id, s.bodies[size_t(joint.a)], second);
    if (ball) {
        dJointSetBallAnchor(id, at.x, at.y, at.z);
        return;
    }
    const Vec3 axis = matrixOf(a.q * joint.in_a.axes) * Vec3{1, 0, 0};
    dJointSetHingeAnchor(id, at.x, at.y, at.z);
    dJointSetHingeAxis(id, axis.x, axis.y, axis.z);
}

void simulate(const JoinedWorld& joined)
{
    RigidWorld ours = joined.make();
    Simulation s;
    const Vec3 g = ours.params.gravity_m_s2;
    dWorldSetGravity(s.world, g.x, g.y, g.z);
    for (size_t i = 0; i < ours.bodies.size(); ++i) place(ours.bodies[i], ours.state.bodies[i], s);
    for (const Joint& joint : ours.joints.list) join(joint, ours, s);
    double seconds = 0, gap_m = 0;
    for (int n = 0; n < joined_steps; ++n) {
        const auto start = std::chrono::steady_clock::now();
        dSpaceCollide(s.space, &s, &Simulation::collide);
        dWorldStep(s.world, joined_dt_s);
        dJointGroupEmpty(s.contacts);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / joined_steps;
        for (size_t i = 0; i < size_t(ours.moving()); ++i) {
            const dReal *x = dBodyGetPosition(s.bodies[i]), *q = dBodyGetQuaternion(s.bodies[i]);
            ours.state.bodies[i].x_m = {x[0], x[1], x[2]};
            ours.state.bodies[i].q = {q[0], q[1], q[2], q[3]};
        }
        gap_m = std::max(gap_m, measureJoints(ours).gap_m);
    }
    fmt::print(stderr, "{{\"seconds\": {}, \"gap_m\": {}}}\n", seconds, gap_m);
}

}  // namespace
}  // namespace flotsam

int main(int argc, char** argv)
{
    for (const flotsam::JoinedWorld& joined : flotsam::joined_worlds)
        if (argc == 2 && std::strcmp(argv[1], joined.name) == 0) {
            dInitODE2(0);
            flotsam::simulate(joined);
            dCloseODE();
            return 0;
        }
    return 2;
}
