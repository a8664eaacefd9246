// A scene's bodies, walls and solids as a world.
#pragma once

#include <string>
#include <vector>

#include "rigid/world.h"
#include "scene/preflight.h"
#include "scene/scene.h"

namespace flotsam {

// Throws InputError, with the line of the body, for a mesh that is broken, crosses itself or encloses nothing.
Body makeBody(const BodySpec& spec);

// The same for two-dimensional runs: the section through the centre of mass, in the middle of the one layer of cells.
// Throws InputError for what has no section of a known kind, or would leave its plane.
Body makeSection(const BodySpec& spec, const DomainParams& domain);
BodyState sectionStart(const BodySpec& spec, const DomainParams& domain);
// The section of a solid at the middle of the layer; none where it does not reach it.
struct PlacedCollider {
    ColliderPtr collider;
    Vec3 x_m;
    Quat q;
};
PlacedCollider sectionOf(const SolidSpec& spec, const DomainParams& domain);
// Gravity and prescribed ways must be in the plane as well.
void refuseMotionOutOfPlane(const Scene& scene);

// Bodies in the scene's order, then the closed sides of the tank, then the solids. Empty without bodies.
RigidWorld makeWorld(const Scene& scene);

struct BodyPreflight {
    struct Row {
        std::string name;
        double mass_kg = 0, volume_m3 = 0;
        size_t triangles = 0;
    };
    std::vector<Row> bodies;
    std::vector<std::string> warnings;
};

BodySummary summaryOf(const Scene& scene, const RigidWorld& world);

// Throws InputError for bodies that start outside of the tank, inside each other, or inside walls or solids; small
// overlaps are a warning: the solver pushes them apart.
BodyPreflight inspectBodies(const Scene& scene, const RigidWorld& world);

}  // namespace flotsam
