#include "validation/mechanisms.h"

#include <algorithm>
#include <array>
#include <numbers>

namespace flotsam {

namespace {

constexpr double g_m_s2 = 9.81, pi = std::numbers::pi;

RigidWorld emptyWorld(Vec3 gravity_m_s2 = {0, -g_m_s2, 0}, double max_dt_s = 1)
{
    return RigidWorld({gravity_m_s2, max_dt_s, 10});
}

// A collider that touches nothing, with an inner radius that divides no step.
ColliderPtr tinyCollider(double inner_m)
{
    auto collider = std::make_shared<Collider>(*sphereCollider(1e-3));
    collider->inner_m = inner_m;
    return collider;
}

Quat turnedAboutZ(double rad) { return quatOf(rotation({0, 0, rad})); }

// tan(angle) of link k = 1, ..., links in equilibrium.
double slopeOf(double pull_of_weight, int k, int links) { return (k - 0.5 * (links + 1)) / links / pull_of_weight; }

// The horizontal pull of a chain in equilibrium, over its weight, by bisection.
double pullOf(int links, double link_m, double span_m)
{
    double low = 1e-3, high = 10;
    for (int n = 0; n < 200; ++n) {
        const double pull = 0.5 * (low + high);
        double span = 0;
        for (int k = 1; k <= links; ++k) span += link_m / std::hypot(1.0, slopeOf(pull, k, links));
        (span < span_m ? low : high) = pull;
    }
    return low;
}

}  // namespace

Body thinRod(double length_m, double mass_kg, double width_m)
{
    Body body = boxBody({width_m, length_m, width_m}, mass_kg / (width_m * width_m * length_m));
    body.collider = tinyCollider(0.5 * length_m);
    return body;
}

Joint jointAt(const RigidWorld& world, JointKind kind, int a, int b, Vec3 anchor_m, Vec3 axis)
{
    Joint joint;
    joint.kind = kind;
    joint.a = a;
    joint.b = b;
    placeJoint({anchor_m, axis, {}, {}}, world.state.bodies[size_t(a)],
               b == world_body ? BodyState{} : world.state.bodies[size_t(b)], joint);
    return joint;
}

double swingAngle(const RigidWorld& world, int body)
{
    const Vec3 down = matrixOf(world.state.bodies[size_t(body)].q) * Vec3{0, -1, 0};
    return std::atan2(down.x, -down.y);
}

RigidWorld rodPendulum(double angle_rad)
{
    RigidWorld world = emptyWorld();
    world.add(thinRod(1, 1),
              {0.5 * Vec3{std::sin(angle_rad), -std::cos(angle_rad), 0}, turnedAboutZ(angle_rad), {}, {}});
    world.setJoints({jointAt(world, JointKind::hinge, 0, world_body, {})});
    return world;
}

RigidWorld doubleRodPendulum()
{
    RigidWorld world = emptyWorld();
    std::vector<Joint> joints;
    for (int i = 0; i < 2; ++i) {
        world.add(thinRod(1, 1), {{i + 0.5, 0, 0}, turnedAboutZ(pi / 2), {}, {}});
        joints.push_back(jointAt(world, JointKind::hinge, i, i - 1, {double(i), 0, 0}));
    }
    world.setJoints(joints);
    return world;
}

RigidWorld doublePointPendulum()
{
    constexpr double radius_m = 1e-4;
    RigidWorld world = emptyWorld();
    std::vector<Joint> joints;
    for (int i = 0; i < 2; ++i) {
        Body point = sphereBody(radius_m, 1 / (4. / 3 * pi * radius_m * radius_m * radius_m));
        point.collider = tinyCollider(0.5);
        world.add(point, {{i + 1.0, 0, 0}, turnedAboutZ(pi / 2), {}, {}});
        joints.push_back(jointAt(world, JointKind::hinge, i, i - 1, {double(i), 0, 0}));
    }
    world.setJoints(joints);
    return world;
}

RigidWorld spatialPendulum()
{
    RigidWorld world = emptyWorld();
    std::vector<Joint> joints;
    for (int i = 0; i < 3; ++i) {
        Body box = boxBody({0.2, 0.6, 0.1}, 1000);
        box.collider = tinyCollider(0.5);
        const double out_m = 0.6 * i + 0.3;
        world.add(box, {{out_m, 0, 0}, turnedAboutZ(pi / 2), {0, 0, out_m}, {0, -1, 0}});
        joints.push_back(jointAt(world, JointKind::ball, i, i - 1, {0.6 * i, 0, 0}));
    }
    world.setJoints(joints);
    return world;
}

RigidWorld fourBarLinkage(double angle_rad)
{
    RigidWorld world = emptyWorld();
    const Vec3 down{std::sin(angle_rad), -std::cos(angle_rad), 0}, along{1, 0, 0};
    world.add(thinRod(1, 1), {0.5 * down, turnedAboutZ(angle_rad), {}, {}});
    world.add(thinRod(1, 1), {along + 0.5 * down, turnedAboutZ(angle_rad), {}, {}});
    world.add(thinRod(1, 1), {0.5 * along + down, turnedAboutZ(pi / 2), {}, {}});
    world.setJoints(
        {jointAt(world, JointKind::hinge, 0, world_body, {}), jointAt(world, JointKind::hinge, 1, world_body, along),
         jointAt(world, JointKind::hinge, 2, 0, down), jointAt(world, JointKind::hinge, 2, 1, along + down)});
    return world;
}

HangingChain hangingChain(int links, double length_m, double span_m, bool in_equilibrium, double damping_N_m_s)
{
    const double link_m = length_m / links;
    const double pull = pullOf(links, link_m, span_m);
    HangingChain chain{emptyWorld(), 0, std::abs(std::atan(slopeOf(pull, 1, links))) * 180 / pi, pull};
    const double steep = std::acos(span_m / length_m);
    std::vector<Joint> joints;
    Vec3 at;
    for (int k = 1; k <= links; ++k) {
        const double lies = std::atan(slopeOf(pull, k, links)), angle = in_equilibrium   ? lies
                                                                        : 2 * k <= links ? -steep
                                                                                         : steep;
        const Vec3 along = link_m * Vec3{std::cos(angle), std::sin(angle), 0};
        Body link = thinRod(link_m, 0.01);
        link.collider = tinyCollider(0.1);
        const int i = chain.world.add(link, {at + 0.5 * along, turnedAboutZ(angle - pi / 2), {}, {}});
        joints.push_back(jointAt(chain.world, JointKind::ball, i, i - 1, at));
        at += along;
        if (2 * k <= links) chain.sag_m -= link_m * std::sin(lies);
    }
    joints.push_back(jointAt(chain.world, JointKind::ball, links - 1, world_body, at));
    for (Joint& joint : joints) joint.damping = damping_N_m_s;
    chain.world.setJoints(joints);
    return chain;
}

double sagOf(const RigidWorld& chain)
{
    double lowest = 0;
    for (const Joint& joint : chain.joints.list) {
        const BodyState& s = chain.state.bodies[size_t(joint.a)];
        lowest = std::min(lowest, (s.x_m + matrixOf(s.q) * joint.in_a.anchor_m).y);
    }
    return -lowest;
}

RigidWorld heavyEndChain(int links)
{
    constexpr double link_m = 0.02;
    RigidWorld world = emptyWorld({0, -g_m_s2, 0}, 1.0 / 120);
    std::vector<Joint> joints;
    for (int i = 0; i < links; ++i) {
        Body link = thinRod(link_m, 0.001, link_m);
        link.collider = sphereCollider(0.009);
        world.add(link, {{(i + 0.5) * link_m, 0, 0}, turnedAboutZ(pi / 2), {}, {}});
        joints.push_back(jointAt(world, JointKind::ball, i, i - 1, {i * link_m, 0, 0}));
    }
    constexpr double radius_m = 0.05;
    world.add(sphereBody(radius_m, 10 / (4.0 / 3 * pi * radius_m * radius_m * radius_m)),
              {{links * link_m + radius_m, 0, 0}, {}, {}, {}});
    joints.push_back(jointAt(world, JointKind::ball, links, links - 1, {links * link_m, 0, 0}));
    world.setJoints(joints);
    return world;
}

RigidWorld swingingChain(int links)
{
    constexpr double link_m = 0.1;
    RigidWorld world = emptyWorld();
    std::vector<Joint> joints;
    for (int i = 0; i < links; ++i) {
        Body link = boxBody({0.02, link_m, 0.02}, 250);
        link.collider = tinyCollider(0.5);
        world.add(link, {{(i + 0.5) * link_m, 0, 0}, turnedAboutZ(pi / 2), {}, {}});
        joints.push_back(jointAt(world, JointKind::ball, i, i - 1, {i * link_m, 0, 0}));
    }
    world.setJoints(joints);
    return world;
}

namespace {

// From the centre of one end to that of the other, for feet at the origin; the left side has x > 0.
struct Limb {
    Vec3 from_m, to_m;
    double radius_m;
};
constexpr std::array limbs{
    Limb{{-0.07, 0.92, 0}, {0.07, 0.92, 0}, 0.10},                                                    // 0 pelvis
    Limb{{-0.05, 1.08, 0}, {0.05, 1.08, 0}, 0.09},                                                    // 1 abdomen
    Limb{{-0.09, 1.27, 0}, {0.09, 1.27, 0}, 0.11},                                                    // 2 chest
    Limb{{0, 1.43, 0}, {0, 1.47, 0}, 0.05},                                                           // 3 neck
    Limb{{0, 1.60, 0}, {0, 1.64, 0}, 0.09},                                                           // 4 head
    Limb{{0.26, 1.34, 0}, {0.48, 1.34, 0}, 0.045},                                                    // 5, 6 upper arms
    Limb{{-0.26, 1.34, 0}, {-0.48, 1.34, 0}, 0.045},  Limb{{0.56, 1.34, 0}, {0.72, 1.34, 0}, 0.04},   // 7, 8 forearms
    Limb{{-0.56, 1.34, 0}, {-0.72, 1.34, 0}, 0.04},   Limb{{0.79, 1.34, 0}, {0.84, 1.34, 0}, 0.035},  // 9, 10 hands
    Limb{{-0.79, 1.34, 0}, {-0.84, 1.34, 0}, 0.035},  Limb{{0.10, 0.80, 0}, {0.10, 0.54, 0}, 0.07},   // 11, 12 thighs
    Limb{{-0.10, 0.80, 0}, {-0.10, 0.54, 0}, 0.07},   Limb{{0.10, 0.42, 0}, {0.10, 0.16, 0}, 0.05},   // 13, 14 shins
    Limb{{-0.10, 0.42, 0}, {-0.10, 0.16, 0}, 0.05},   Limb{{0.10, 0.04, 0}, {0.10, 0.04, 0.13}, 0.04},  // 15, 16 feet
    Limb{{-0.10, 0.04, 0}, {-0.10, 0.04, 0.13}, 0.04}};

struct LimbJoint {
    int parent, child;
    Vec3 anchor_m, axis;
    double swing_deg;  // 0: a hinge
    double lowest_deg, highest_deg;
};
constexpr std::array limb_joints{LimbJoint{0, 1, {0, 1.00, 0}, {0, 1, 0}, 30, -30, 30},
                                 LimbJoint{1, 2, {0, 1.17, 0}, {0, 1, 0}, 30, -30, 30},
                                 LimbJoint{2, 3, {0, 1.40, 0}, {0, 1, 0}, 30, -30, 30},
                                 LimbJoint{3, 4, {0, 1.52, 0}, {0, 1, 0}, 40, -40, 40},
                                 LimbJoint{2, 5, {0.21, 1.34, 0}, {1, 0, 0}, 85, -60, 60},
                                 LimbJoint{2, 6, {-0.21, 1.34, 0}, {1, 0, 0}, 85, -60, 60},
                                 LimbJoint{5, 7, {0.52, 1.34, 0}, {0, 1, 0}, 0, -140, 0},
                                 LimbJoint{6, 8, {-0.52, 1.34, 0}, {0, 1, 0}, 0, 0, 140},
                                 LimbJoint{7, 9, {0.755, 1.34, 0}, {1, 0, 0}, 50, -30, 30},
                                 LimbJoint{8, 10, {-0.755, 1.34, 0}, {1, 0, 0}, 50, -30, 30},
                                 LimbJoint{0, 11, {0.10, 0.86, 0}, {0, 1, 0}, 80, -30, 30},
                                 LimbJoint{0, 12, {-0.10, 0.86, 0}, {0, 1, 0}, 80, -30, 30},
                                 LimbJoint{11, 13, {0.10, 0.48, 0}, {1, 0, 0}, 0, 0, 140},
                                 LimbJoint{12, 14, {-0.10, 0.48, 0}, {1, 0, 0}, 0, 0, 140},
                                 LimbJoint{13, 15, {0.10, 0.09, 0}, {0, 1, 0}, 40, -20, 20},
                                 LimbJoint{14, 16, {-0.10, 0.09, 0}, {0, 1, 0}, 40, -20, 20}};

// The rotation that takes y to a direction.
Quat fromYTo(Vec3 direction)
{
    const Vec3 n = cross(Vec3{0, 1, 0}, direction);
    const double s = length(n), angle = std::atan2(s, direction.y);
    return s < 1e-12 ? Quat{} : quatOf(rotation(angle / s * n));
}

int addLimb(const Limb& limb, Vec3 feet_m, RigidWorld& world)
{
    const Vec3 along = limb.to_m - limb.from_m;
    Body body = capsuleBody(limb.radius_m, length(along), 985);
    body.friction = 0.5;
    body.restitution = 0.1;
    return world.add(body, {feet_m + 0.5 * (limb.from_m + limb.to_m), fromYTo(normalized(along)), {}, {}});
}

}  // namespace

void addFigure(Vec3 feet_m, RigidWorld& world, std::vector<Joint>& joints)
{
    constexpr double rad = pi / 180;
    const int first = world.moving();
    for (const Limb& limb : limbs) addLimb(limb, feet_m, world);
    for (const LimbJoint& l : limb_joints) {
        const bool hinge = l.swing_deg == 0;
        Joint joint = jointAt(world, hinge ? JointKind::hinge : JointKind::ball, first + l.parent, first + l.child,
                              feet_m + l.anchor_m, l.axis);
        if (hinge) {
            joint.lowest = rad * l.lowest_deg;
            joint.highest = rad * l.highest_deg;
        } else {
            joint.swing_limit_rad = rad * l.swing_deg;
            joint.lowest_twist_rad = rad * l.lowest_deg;
            joint.highest_twist_rad = rad * l.highest_deg;
        }
        joint.damping = 0.5;
        joints.push_back(joint);
    }
}

RigidWorld figureOnSteps()
{
    RigidWorld world = emptyWorld({0, -g_m_s2, 0}, 1.0 / 120);
    std::vector<Joint> joints;
    addFigure({0, 1.4, 0.1}, world, joints);
    for (BodyState& s : world.state.bodies) s.v_m_s = {0, 0, 1};
    for (int n = 0; n < 5; ++n) {
        Body step;
        step.collider = boxCollider({1, 0.5, 0.15});
        const Vec3 at{0, 0.2 * (4 - n) - 0.5, 0.3 * n};
        world.addPrescribed(step, {at, {}, at, {}, {}});
    }
    world.addWall({}, {0, 1, 0});
    world.setJoints(joints);
    return world;
}

RigidWorld drivenFigure()
{
    RigidWorld world = emptyWorld({});
    std::vector<Joint> joints;
    for (const Limb& limb : limbs) addLimb(limb, {}, world);
    for (size_t n = 0; n < limb_joints.size(); ++n) {
        const LimbJoint& l = limb_joints[n];
        Joint joint = jointAt(world, JointKind::hinge, l.parent, l.child, l.anchor_m, {1, 0.2, 0.1 * double(n % 3)});
        joint.motor.drive = MotorDrive::coordinate;
        joint.motor.sine = {0.2, 0.5 + 0.1 * double(n % 5), pi / 2, -0.2};
        joints.push_back(joint);
    }
    world.setJoints(joints);
    return world;
}

RigidWorld plankBridge(int planks, int boxes)
{
    constexpr double pitch_m = 0.25, width_m = 1, thickness_m = 0.05, slack = 1.04;
    const double pull = pullOf(planks, pitch_m, planks * pitch_m / slack);
    RigidWorld world = emptyWorld({0, -g_m_s2, 0}, 1.0 / 120);
    std::vector<Vec3> ends{{}};
    for (int n = 0; n < planks; ++n) {
        const double angle = std::atan(slopeOf(pull, n + 1, planks));
        ends.push_back(ends.back() + pitch_m * Vec3{std::cos(angle), std::sin(angle), 0});
        world.add(boxBody({0.9 * pitch_m, thickness_m, width_m}, 600),
                  {0.5 * (ends[size_t(n)] + ends.back()), turnedAboutZ(angle), {}, {}});
    }
    std::vector<Joint> joints;
    for (int n = 0; n <= planks; ++n)
        for (const double z : {-0.4 * width_m, 0.4 * width_m})
            joints.push_back(jointAt(world, JointKind::ball, std::min(n, planks - 1),
                                     n == 0 || n == planks ? world_body : n - 1, ends[size_t(n)] + Vec3{0, 0, z}));
    for (int n = 0; n < boxes; ++n)
        world.add(boxBody({0.2, 0.2, 0.2}, 300), {{ends.back().x * (n + 1) / (boxes + 1), 0.2, 0}, {}, {}, {}});
    world.setJoints(joints);
    return world;
}

}  // namespace flotsam
