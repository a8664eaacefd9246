// One mechanism of bench rigid with Bullet: the same bodies and joints, one thread, ten iterations, no sleeping. Prints
// one line of JSON.
#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <memory>
#include <vector>

#include "bench/joined_worlds.h"

namespace flotsam {
namespace {

btVector3 bulletOf(Vec3 v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }
btQuaternion bulletOf(Quat q) { return {btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)}; }

std::unique_ptr<btCollisionShape> shapeOf(const Collider& c)
{
    if (c.kind == ColliderKind::box) return std::make_unique<btBoxShape>(bulletOf(c.size_m));
    if (c.kind == ColliderKind::half_space) return std::make_unique<btStaticPlaneShape>(btVector3(0, 1, 0), 0);
    if (c.kind == ColliderKind::capsule)
        return std::make_unique<btCapsuleShape>(btScalar(c.size_m.x), btScalar(2 * c.size_m.y));
    return std::make_unique<btSphereShape>(btScalar(c.size_m.x));
}

std::unique_ptr<btTypedConstraint> constraintOf(const Joint& joint,
                                                const std::vector<std::unique_ptr<btRigidBody>>& bodies)
{
    btRigidBody& a = *bodies[size_t(joint.a)];
    btRigidBody& b = joint.b == world_body ? btTypedConstraint::getFixedBody() : *bodies[size_t(joint.b)];
    const btVector3 at_a = bulletOf(joint.in_a.anchor_m), at_b = bulletOf(joint.in_b.anchor_m);
    if (joint.kind == JointKind::ball) return std::make_unique<btPoint2PointConstraint>(a, b, at_a, at_b);
    // The axis of a hinge is z of its frames; ours is x.
    const Quat turn = quatOf(rotation({0, 0.5 * 3.14159265358979323846, 0}));
    return std::make_unique<btHingeConstraint>(a, b, btTransform(bulletOf(joint.in_a.axes * turn), at_a),
                                               btTransform(bulletOf(joint.in_b.axes * turn), at_b));
}

void simulate(const JoinedWorld& joined)
{
    RigidWorld ours = joined.make();
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broad, &solver, &configuration);
    world.setGravity(bulletOf(ours.params.gravity_m_s2));
    std::vector<std::unique_ptr<btCollisionShape>> shapes;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    for (size_t i = 0; i < ours.bodies.size(); ++i) {
        const Body& b = ours.bodies[i];
        const BodyState& s = ours.state.bodies[i];
        shapes.push_back(shapeOf(*b.collider));
        const btVector3 moments = b.moves() ? bulletOf(b.moments_kg_m2) : btVector3(0, 0, 0);
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(b.mass_kg), nullptr, shapes.back().get(), moments);
        info.m_startWorldTransform = btTransform(bulletOf(s.q), bulletOf(s.x_m));
        info.m_friction = btScalar(b.moves() ? b.friction : 1);
        info.m_restitution = btScalar(b.moves() ? b.restitution : 1);
        bodies.push_back(std::make_unique<btRigidBody>(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
    }
    std::vector<std::unique_ptr<btTypedConstraint>> constraints;
    for (const Joint& joint : ours.joints.list) {
        constraints.push_back(constraintOf(joint, bodies));
        world.addConstraint(constraints.back().get(), true);
    }
    double seconds = 0, gap_m = 0;
    for (int n = 0; n < joined_steps; ++n) {
        const auto start = std::chrono::steady_clock::now();
        world.stepSimulation(btScalar(joined_dt_s), 0);
        seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count() / joined_steps;
        for (size_t i = 0; i < size_t(ours.moving()); ++i) {
            const btTransform& t = bodies[i]->getWorldTransform();
            const btQuaternion q = t.getRotation();
            ours.state.bodies[i].x_m = {t.getOrigin().x(), t.getOrigin().y(), t.getOrigin().z()};
            ours.state.bodies[i].q = {q.w(), q.x(), q.y(), q.z()};
        }
        gap_m = std::max(gap_m, measureJoints(ours).gap_m);
    }
    fmt::print(stderr, "{{\"seconds\": {}, \"gap_m\": {}}}\n", seconds, gap_m);
    for (auto& constraint : constraints) world.removeConstraint(constraint.get());
    for (auto& body : bodies) world.removeRigidBody(body.get());
}

}  // namespace
}  // namespace flotsam

int main(int argc, char** argv)
{
    for (const flotsam::JoinedWorld& joined : flotsam::joined_worlds)
        if (argc == 2 && std::strcmp(argv[1], joined.name) == 0) {
            flotsam::simulate(joined);
            return 0;
        }
    return 2;
}
