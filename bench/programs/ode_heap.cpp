// One heap of bench rigid with ODE: the same bodies, unmodified triangle meshes, its quick stepper with twenty
// iterations, no sleeping. Prints one line of JSON.
#include <fmt/format.h>
#include <ode/ode.h>

#include <chrono>
#include <cstring>
#include <map>
#include <vector>

#include "bench/rigid_heaps.h"

namespace flotsam {
namespace {

struct Simulation {
    dWorldID world = dWorldCreate();
    dSpaceID space = dHashSpaceCreate(nullptr);
    dJointGroupID contacts = dJointGroupCreate(0);
    std::map<const Collider*, dTriMeshDataID> meshes;
    std::vector<std::vector<float>> vertices;
    std::vector<std::vector<dTriIndex>> triangles;
    std::vector<const Body*> of_geom;

    ~Simulation()
    {
        dJointGroupDestroy(contacts);
        dSpaceDestroy(space);
        dWorldDestroy(world);
    }

    dGeomID geomOf(const Collider& c)
    {
        if (c.kind == ColliderKind::box) return dCreateBox(space, 2 * c.size_m.x, 2 * c.size_m.y, 2 * c.size_m.z);
        dTriMeshDataID& data = meshes[&c];
        if (!data) {
            auto& v = vertices.emplace_back();
            auto& t = triangles.emplace_back();
            for (const Vec3 p : c.mesh.vertices) v.insert(v.end(), {float(p.x), float(p.y), float(p.z)});
            for (const auto& corner : c.mesh.triangles)
                t.insert(t.end(), {dTriIndex(corner[0]), dTriIndex(corner[1]), dTriIndex(corner[2])});
            data = dGeomTriMeshDataCreate();
            dGeomTriMeshDataBuildSingle(data, v.data(), 3 * sizeof(float), int(v.size() / 3), t.data(), int(t.size()),
                                        3 * sizeof(dTriIndex));
        }
        return dCreateTriMesh(space, data, nullptr, nullptr, nullptr);
    }

    static void collide(void* self, dGeomID a, dGeomID b)
    {
        auto& s = *static_cast<Simulation*>(self);
        const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
        if (!body_a && !body_b) return;
        constexpr int most = 32;
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
    dMass mass;
    // Moments in the body axes, which are nearly principal for our gears, boxes and toys.
    dMassSetParameters(&mass, b.mass_kg, 0, 0, 0, b.moments_kg_m2.x, b.moments_kg_m2.y, b.moments_kg_m2.z, 0, 0, 0);
    dBodySetMass(body, &mass);
    dBodySetPosition(body, at.x_m.x, at.x_m.y, at.x_m.z);
    const dQuaternion q = {at.q.w, at.q.x, at.q.y, at.q.z};
    dBodySetQuaternion(body, q);
    dGeomSetBody(s.geomOf(*b.collider), body);
}

void simulate(const Heap& heap)
{
    const RigidWorld ours = makeHeap(heap);
    Simulation s;
    const Vec3 g = ours.params.gravity_m_s2;
    dWorldSetGravity(s.world, g.x, g.y, g.z);
    dWorldSetQuickStepNumIterations(s.world, 20);
    for (size_t i = 0; i < ours.bodies.size(); ++i) place(ours.bodies[i], ours.state.bodies[i], s);
    double seconds = 0, settled = 0;
    for (int n = 0; n < heap_steps; ++n) {
        const auto start = std::chrono::steady_clock::now();
        dSpaceCollide(s.space, &s, &Simulation::collide);
        dWorldQuickStep(s.world, heap_dt_s);
        dJointGroupEmpty(s.contacts);
        const double step = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        seconds += step / heap_steps;
        if (n >= heap_steps - heap_steps / 4) settled += step / (heap_steps / 4);
    }
    double lowest = 1e30;
    for (int i = 0; i < dSpaceGetNumGeoms(s.space); ++i)
        if (const dBodyID body = dGeomGetBody(dSpaceGetGeom(s.space, i)))
            lowest = std::min(lowest, double(dBodyGetPosition(body)[1]));
    fmt::print(stderr, "{{\"seconds\": {}, \"settled_seconds\": {}, \"lowest_m\": {}}}\n", seconds, settled, lowest);
}

}  // namespace
}  // namespace flotsam

int main(int argc, char** argv)
{
    for (const flotsam::Heap& heap : flotsam::heaps)
        if (argc == 2 && std::strcmp(argv[1], heap.name) == 0) {
            dInitODE2(0);
            flotsam::simulate(heap);
            dCloseODE();
            return 0;
        }
    return 2;
}
