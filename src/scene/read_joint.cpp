#include "scene/read_joint.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

#include "scene/body_limits.h"
#include "scene/read_body.h"

namespace flotsam {

namespace {

constexpr double largest_angle_deg = 36000, largest_torque_N_m = 1e12;
constexpr Limits optional_positive{0, largest_torque_N_m, true, true};

// Keys of angles and their counterparts for sliders.
struct Words {
    const char *limits, *damping, *stiffness, *rest, *speed, *coordinate, *torque, *largest, *amplitude, *offset;
};
constexpr Words of_angle{"limits_deg", "damping_N_m_s", "stiffness_N_m",  "rest_deg",      "speed_rad_s",
                         "angle_deg",  "torque_N_m",    "max_torque_N_m", "amplitude_deg", "offset_deg"};
constexpr Words of_distance{"limits_m",   "damping_N_s_m", "stiffness_N_m", "rest_m",      "speed_m_s",
                            "position_m", "force_N",       "max_force_N",   "amplitude_m", "offset_m"};

double largestCoordinate(const JointSpec& joint) { return joint.slides() ? largest_coordinate_m : largest_angle_deg; }

void readKeyframes(const TomlTable& t, const JointSpec& joint, MotorSpec& motor)
{
    motor.keyframes = t.pairs("keyframes", {0, 1e9},
                              within(motor.drivesCoordinate() ? largestCoordinate(joint) : largest_torque_N_m));
    if (t.has("keyframes") && motor.keyframes.size() < 2)
        failInput(t.where("keyframes"), fmt::format("{} has fewer than two rows", t.name("keyframes")),
                  "write [[t_s, value], ...]");
    for (size_t n = 1; n < motor.keyframes.size(); ++n)
        if (motor.keyframes[n].first <= motor.keyframes[n - 1].first)
            failInput(t.where("keyframes"),
                      fmt::format("{}: the time {} s does not come after {} s", t.name("keyframes"),
                                  motor.keyframes[n].first, motor.keyframes[n - 1].first),
                      "sort the rows by time");
    if (motor.repeat && !motor.keyframes.empty() && motor.keyframes.front().second != motor.keyframes.back().second)
        failInput(t.where("keyframes"), fmt::format("{} repeats, but its first and last values differ", t.path()),
                  "make them equal, or leave out repeat");
}

// The law of two steps looks two steps ahead, and is as coarse as they are.
void refuseLongTwoSteps(const TomlTable& t, const Scene& scene, const MotorSpec& motor)
{
    constexpr double longest_s = 1.0 / 60;
    const double dt_s = std::min(scene.time.max_dt_s, scene.rigid.max_dt_s);
    if (motor_track_words[motor.track] != std::string("two-step") || dt_s < 1.001 * longest_s) return;
    failInput(t.where("track"), fmt::format("{} is \"two-step\" with steps of {:.4g} s", t.name("track"), dt_s),
              fmt::format("use rigid.max_dt_s of at most {:.4g}, or \"exact\"", longest_s));
}

void readMotor(const TomlTable& t, const Words& w, const Scene& scene, JointSpec& joint)
{
    t.allowOnly({"drive", "track", "sine", "keyframes", "interpolation", "repeat", w.speed, w.coordinate, w.torque,
                 w.largest, w.stiffness, w.damping});
    if (!joint.slides() && joint.kindWord() != "hinge")
        failInput(t.where(), fmt::format("{} is a motor on a joint of kind \"{}\"", t.path(), joint.kindWord()),
                  "use a hinge or a slider");
    MotorSpec& m = joint.motor;
    m.present = true;
    if (!t.has("drive"))
        failInput(t.where(), fmt::format("{} has no drive", t.path()),
                  "add drive = \"speed\", \"angle\" or \"torque\"");
    m.drive = t.word("drive", 0, wordsOf(motor_drive_words));
    m.track = t.word("track", 0, wordsOf(motor_track_words));
    m.interpolation = t.word("interpolation", 0, wordsOf(interpolation_words));
    m.repeat = t.boolean("repeat", false);
    const char* key = m.drive == 0 ? w.speed : m.drive == 1 ? w.coordinate : w.torque;
    m.constant = t.number(key, 0, within(largest_torque_N_m));
    m.limit = t.number(w.largest, no_limit, optional_positive);
    m.stiffness = t.number(w.stiffness, 0, {0, largest_torque_N_m});
    m.damping = t.number(w.damping, 0, {0, largest_torque_N_m});
    m.has_sine = t.has("sine");
    if (m.has_sine) {
        const TomlTable s = t.sub("sine");
        s.allowOnly({w.amplitude, "frequency_Hz", "phase_deg", w.offset});
        m.amplitude = s.requiredNumber(w.amplitude, within(largestCoordinate(joint)));
        m.frequency_Hz = s.requiredNumber("frequency_Hz", {0, 1e6});
        m.phase_deg = s.number("phase_deg", 0, within(largest_angle_deg));
        m.offset = s.number(w.offset, 0, within(largestCoordinate(joint)));
    }
    readKeyframes(t, joint, m);
    refuseLongTwoSteps(t, scene, m);
    const int given = int(t.has(key)) + int(m.has_sine) + int(t.has("keyframes"));
    if (given != 1)
        failInput(t.where(), fmt::format("{} has {} targets", t.path(), given),
                  fmt::format("give one of {}, sine and keyframes", key));
    if (!m.drivesCoordinate() && m.has_sine)
        failInput(t.where("sine"), fmt::format("{} drives a {} by a sine", t.path(), motor_drive_words[m.drive]),
                  "use keyframes, or drive = \"angle\"");
    const std::string track = motor_track_words[m.track];
    if (track != "exact" && !m.drivesCoordinate())
        failInput(t.where("track"), fmt::format("{} follows a {}", t.name("track"), motor_drive_words[m.drive]),
                  "use drive = \"angle\", or leave out track");
    if ((track == "servo" || track == "pd") && m.stiffness + m.damping <= 0)
        failInput(t.where(), fmt::format("{} has neither stiffness nor damping", t.path()),
                  fmt::format("add {} and {}", w.stiffness, w.damping));
}

void readBodiesOf(const TomlTable& t, const Scene& scene, JointSpec& joint)
{
    const std::vector<std::string> names = t.texts("bodies", {});
    if (names.size() != 2)
        failInput(t.where("bodies"), fmt::format("{} has {} names", t.name("bodies"), names.size()),
                  "write bodies = [\"first\", \"second\"]; the second may be a solid, or \"world\"");
    const auto isIn = [](const auto& list, const std::string& name) {
        return std::any_of(list.begin(), list.end(), [&](const auto& other) { return other.name == name; });
    };
    for (const std::string& name : names)
        if (name != "world" && !isIn(scene.bodies, name) && !isIn(scene.solids, name))
            failInput(t.where("bodies"), fmt::format("{}: there is no body \"{}\"", t.name("bodies"), name),
                      "use the name of a body or a solid, or \"world\"");
    if (!isIn(scene.bodies, names[0]) && !isIn(scene.bodies, names[1]))
        failInput(t.where("bodies"),
                  fmt::format("{}: neither \"{}\" nor \"{}\" moves", t.name("bodies"), names[0], names[1]),
                  "name at least one body");
    if (!isIn(scene.bodies, names[0]))
        failInput(t.where("bodies"), fmt::format("{}: the first, \"{}\", does not move", t.name("bodies"), names[0]),
                  fmt::format("write bodies = [\"{}\", \"{}\"]", names[1], names[0]));
    if (names[0] == names[1])
        failInput(t.where("bodies"), fmt::format("{}: \"{}\" is joined to itself", t.name("bodies"), names[0]),
                  "name two bodies");
    joint.bodies[0] = names[0];
    joint.bodies[1] = names[1];
}

Vec3 readAxis(const TomlTable& t, const char* key, Vec3 fallback)
{
    const Vec3 axis = t.vector(key, fallback, within(1e6));
    if (length(axis) < 1e-12)
        failInput(t.where(key), fmt::format("{} is zero", t.name(key)), "give it a direction, e.g. [0, 0, 1]");
    return axis;
}

JointSpec readJoint(const TomlTable& t, const Scene& scene)
{
    JointSpec joint;
    if (!t.has("kind"))
        failInput(t.where(), fmt::format("{} has no kind", t.path()),
                  "add kind = \"ball\", \"hinge\", \"universal\", \"slider\", \"fixed\" or \"distance\"");
    joint.kind = t.word("kind", 0, wordsOf(joint_kind_words));
    const Words& w = joint.slides() ? of_distance : of_angle;
    t.allowOnly({"name", "kind", "bodies", "anchor_m", "second_anchor_m", "axis", "axis2", w.limits, "swing_limit_deg",
                 "twist_limits_deg", w.damping, w.stiffness, w.rest, "collide", "break_N", "break_N_m", "motor"});
    joint.name = readPlainName(t, fmt::format("joint{}", scene.joints.size() + 1));
    for (const JointSpec& other : scene.joints)
        if (other.name == joint.name)
            failInput(t.where("name"), fmt::format("two joints have the name \"{}\"", joint.name), "give each its own");
    readBodiesOf(t, scene, joint);
    joint.anchor_m = t.requiredVector("anchor_m", within(largest_coordinate_m));
    if (joint.kindWord() == "distance") {
        joint.second_anchor_m = t.requiredVector("second_anchor_m", within(largest_coordinate_m));
        if (length(joint.second_anchor_m - joint.anchor_m) < smallest_body_m)
            failInput(t.where("second_anchor_m"), fmt::format("the anchors of {} coincide", t.path()),
                      "move them apart, or use kind = \"ball\"");
    }
    joint.axis = readAxis(t, "axis", joint.axis);
    joint.axis2 = readAxis(t, "axis2", joint.axis2);
    if (joint.kindWord() == "universal" && length(cross(normalized(joint.axis), normalized(joint.axis2))) < 1e-6)
        failInput(t.where("axis2"), fmt::format("axis and axis2 of {} are parallel", t.path()),
                  "make them perpendicular");
    std::tie(joint.lowest, joint.highest) =
        t.range(w.limits, {joint.lowest, joint.highest}, within(largestCoordinate(joint)));
    joint.swing_limit_deg = t.number("swing_limit_deg", no_limit, {0, 180, true, true});
    std::tie(joint.lowest_twist_deg, joint.highest_twist_deg) =
        t.range("twist_limits_deg", {joint.lowest_twist_deg, joint.highest_twist_deg}, within(180));
    joint.damping = t.number(w.damping, 0, {0, largest_torque_N_m});
    joint.stiffness = t.number(w.stiffness, 0, {0, largest_torque_N_m});
    joint.rest = t.number(w.rest, 0, within(largestCoordinate(joint)));
    joint.break_N = t.number("break_N", no_limit, optional_positive);
    joint.break_N_m = t.number("break_N_m", no_limit, optional_positive);
    joint.collide = t.boolean("collide", false);
    joint.where = t.where();
    if (t.has("motor")) readMotor(t.sub("motor"), w, scene, joint);
    const bool flat = scene.domain.twoDimensional();
    const std::string kind = joint.kindWord();
    const Vec3 axis = normalized(joint.axis);
    if (flat && ((kind == "hinge" && std::abs(axis.z) < 1 - 1e-9) || (kind == "slider" && std::abs(axis.z) > 1e-9) ||
                 kind == "universal"))
        failInput(t.where("axis"), fmt::format("{} is a {} that leaves the plane", t.path(), kind),
                  "two-dimensional runs have hinges about z and sliders in the plane");
    return joint;
}

}  // namespace

void readJoints(const TomlTable& root, Scene& scene)
{
    for (const TomlTable& joint : root.list("joint")) scene.joints.push_back(readJoint(joint, scene));
}

}  // namespace flotsam
