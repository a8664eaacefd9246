#include "bench/joined_worlds.h"

#include "validation/mechanisms.h"

namespace flotsam {

namespace {

RigidWorld figures(int count, bool limits)
{
    RigidWorld world({{0, -9.81, 0}, joined_dt_s, 10});
    std::vector<Joint> joints;
    for (int n = 0; n < count; ++n) addFigure({2.0 * (n % 10), 0.5, 2.0 * (n / 10)}, world, joints);
    for (Joint& joint : joints) {
        if (limits) continue;
        joint.lowest = joint.lowest_twist_rad = -std::numeric_limits<double>::infinity();
        joint.highest = joint.highest_twist_rad = joint.swing_limit_rad = std::numeric_limits<double>::infinity();
        joint.damping = 0;
    }
    world.addWall({}, {0, 1, 0});
    world.setJoints(joints);
    return world;
}

}  // namespace

const JoinedWorld joined_worlds[6] = {
    {"chain100", [] { return swingingChain(100); }, true}, {"chain1000", [] { return swingingChain(1000); }, false},
    {"heavy_end", [] { return heavyEndChain(50); }, true}, {"figure", [] { return figures(1, false); }, true},
    {"bridge", [] { return plankBridge(20, 5); }, true},   {"figures100", [] { return figures(100, true); }, false}};

}  // namespace flotsam
