// One heap of bench rigid with Bullet: the same bodies, one thread, ten iterations, no sleeping. Prints one line of
// JSON.
#include <BulletCollision/Gimpact/btGImpactCollisionAlgorithm.h>
#include <BulletCollision/Gimpact/btGImpactShape.h>
#include <btBulletDynamicsCommon.h>
#include <fmt/format.h>

#include <chrono>
#include <cstring>
#include <map>
#include <memory>
#include <vector>

#include "bench/rigid_heaps.h"

namespace flotsam {
namespace {

// Bullet's margins and thresholds are lengths that suit bodies of about one unit; ours have about a tenth of a metre.
constexpr double units_per_m = 10;

btVector3 bulletOf(Vec3 v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }
btVector3 inUnits(Vec3 v_m) { return bulletOf(units_per_m * v_m); }

// Objects that Bullet points to and does not own.
struct Shapes {
    std::vector<std::unique_ptr<btCollisionShape>> all;
    std::vector<std::unique_ptr<btTriangleMesh>> meshes;
    std::map<const Collider*, btCollisionShape*> of;

    btCollisionShape* shapeOf(const Collider& c)
    {
        if (const auto known = of.find(&c); known != of.end()) return known->second;
        btCollisionShape* shape = nullptr;
        if (c.kind == ColliderKind::box) {
            shape = new btBoxShape(inUnits(c.size_m));
        } else if (c.kind == ColliderKind::half_space) {
            shape = new btStaticPlaneShape(btVector3(0, 1, 0), 0);
        } else {
            auto mesh = std::make_unique<btTriangleMesh>();
            for (const auto& t : c.mesh.triangles)
                mesh->addTriangle(inUnits(c.mesh.vertices[size_t(t[0])]), inUnits(c.mesh.vertices[size_t(t[1])]),
                                  inUnits(c.mesh.vertices[size_t(t[2])]));
            auto* gimpact = new btGImpactMeshShape(mesh.get());
            gimpact->setMargin(btScalar(0.01));
            gimpact->updateBound();
            meshes.push_back(std::move(mesh));
            shape = gimpact;
        }
        all.emplace_back(shape);
        return of[&c] = shape;
    }
};

// Lowest position of any body: a pile that falls through the floor is not a valid comparison.
double lowestOf(const btDiscreteDynamicsWorld& world)
{
    double lowest = 1e30;
    for (int i = 0; i < world.getNumCollisionObjects(); ++i) {
        const btCollisionObject* o = world.getCollisionObjectArray()[i];
        if (!o->isStaticObject()) lowest = std::min(lowest, double(o->getWorldTransform().getOrigin().y()));
    }
    return lowest;
}

void simulate(const Heap& heap)
{
    const RigidWorld ours = makeHeap(heap);
    btDefaultCollisionConfiguration configuration;
    btCollisionDispatcher dispatcher(&configuration);
    btGImpactCollisionAlgorithm::registerAlgorithm(&dispatcher);
    btDbvtBroadphase broad;
    btSequentialImpulseConstraintSolver solver;
    btDiscreteDynamicsWorld world(&dispatcher, &broad, &solver, &configuration);
    world.setGravity(inUnits(ours.params.gravity_m_s2));
    Shapes shapes;
    std::vector<std::unique_ptr<btDefaultMotionState>> motions;
    std::vector<std::unique_ptr<btRigidBody>> bodies;
    for (size_t i = 0; i < ours.bodies.size(); ++i) {
        const Body& b = ours.bodies[i];
        const BodyState& s = ours.state.bodies[i];
        btTransform pose(btQuaternion(btScalar(s.q.x), btScalar(s.q.y), btScalar(s.q.z), btScalar(s.q.w)),
                         inUnits(s.x_m));
        motions.push_back(std::make_unique<btDefaultMotionState>(pose));
        // Bullet requires principal moments in the body axes, which ours nearly are for gears, boxes and toys.
        const btVector3 moments = b.moves() ? inUnits(units_per_m * b.moments_kg_m2) : btVector3(0, 0, 0);
        btRigidBody::btRigidBodyConstructionInfo info(btScalar(b.mass_kg), motions.back().get(),
                                                      shapes.shapeOf(*b.collider), moments);
        info.m_friction = btScalar(b.moves() ? b.friction : 1);
        info.m_restitution = btScalar(b.moves() ? b.restitution : 1);
        bodies.push_back(std::make_unique<btRigidBody>(info));
        bodies.back()->setActivationState(DISABLE_DEACTIVATION);
        world.addRigidBody(bodies.back().get());
    }
    const auto start = std::chrono::steady_clock::now();
    double settled_s = 0;
    for (int n = 0; n < heap_steps; ++n) {
        const auto step = std::chrono::steady_clock::now();
        world.stepSimulation(btScalar(heap_dt_s), 0);
        if (n >= heap_steps - heap_steps / 4)
            settled_s += std::chrono::duration<double>(std::chrono::steady_clock::now() - step).count();
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    fmt::print(stderr, "{{\"seconds\": {}, \"settled_seconds\": {}, \"lowest_m\": {}}}\n", seconds / heap_steps,
               settled_s / (heap_steps / 4), lowestOf(world) / units_per_m);
    for (auto& body : bodies) world.removeRigidBody(body.get());
}

}  // namespace
}  // namespace flotsam

int main(int argc, char** argv)
{
    for (const flotsam::Heap& heap : flotsam::heaps)
        if (argc == 2 && std::strcmp(argv[1], heap.name) == 0) {
            flotsam::simulate(heap);
            return 0;
        }
    return 2;
}
