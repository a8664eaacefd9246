// Builds the rigid world from the bodies, walls and solids of a scene.
#pragma once

#include <string>
#include <vector>

#include "rigid/world.h"
#include "scene/preflight.h"
#include "scene/scene.h"

namespace flotsam {

// Throws InputError, with the line of the body, for a mesh that is broken, intersects itself or encloses nothing.
Body makeBody(const BodySpec& spec);

// The same for two-dimensional runs: the section through the centre of mass, at the centre of the single layer of
// cells. Throws InputError for shapes without a section of a supported kind, or motion out of the plane.
Body makeSection(const BodySpec& spec, const DomainParams& domain);
BodyState sectionStart(const BodySpec& spec, const DomainParams& domain);
// The section of a solid at the centre of the layer; none if the solid does not reach it.
struct PlacedCollider {
    ColliderPtr collider;
    Vec3 x_m;
    Quat q;
};
PlacedCollider sectionOf(const SolidSpec& spec, const DomainParams& domain);
// Throws InputError if gravity or a prescribed motion has a component out of the plane.
void refuseMotionOutOfPlane(const Scene& scene);

// The joints of a scene, between the bodies of its world in their poses at the start.
std::vector<Joint> makeJoints(const Scene& scene, const RigidWorld& world);

// Bodies in scene order, then the closed boundaries of the tank, then the solids. Empty without bodies.
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

// Warnings: anchors far off their bodies, jumps in the first step, loops with redundant constraints.
std::vector<std::string> inspectJoints(const Scene& scene, const RigidWorld& world);
// The warning for an overlap of two joined bodies that collide; empty if they are not joined.
std::string overlapWarning(const Scene& scene, const RigidWorld& world, const Overlap& overlap);

// Throws InputError for bodies that start outside the tank, inside each other, or inside walls or solids. Small
// overlaps are a warning: the solver pushes them apart.
BodyPreflight inspectBodies(const Scene& scene, const RigidWorld& world);

}  // namespace flotsam
