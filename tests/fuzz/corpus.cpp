#include "tests/fuzz/corpus.h"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>
#include <stdexcept>

#include "tests/fuzz/child.h"

namespace flotsam::fuzz {

namespace fs = std::filesystem;

namespace {

const char* const tiny_scene = R"(title = "Tiny"
[domain]
cells = [8, 8, 8]
width_m = 1.0
[time]
seconds = 0.02
fps = 100
[liquid]
viscosity_m2_s = 1e-3
[[liquid.region]]
box = { min_m = [0, 0, 0], max_m = [0.5, 0.5, 1] }
temperature_K = 300
[[liquid.source]]
sphere = { center_m = [0.7, 0.7, 0.5], radius_m = 0.2 }
velocity_m_s = [0, -1, 0]
to_s = 0.01
temperature_K = 320
[heat]
diffusivity_m2_s = 1e-3
[[solid]]
mesh = { file = "cube.stl", position_m = [0.8, 0.2, 0.5], scale = 1.5 }
spin_rad_s = [0, 3, 0]
[[body]]
name = "ball"
sphere = { radius_m = 0.15 }
density_kg_m3 = 500
position_m = [0.3, 0.6, 0.4]
[[body]]
name = "cube"
mesh = { file = "binary.ply" }
density_kg_m3 = 2000
position_m = [0.3, 0.25, 0.7]
rotation_deg = [10, 20, 30]
[[joint]]
kind = "hinge"
bodies = ["ball", "world"]
anchor_m = [0.3, 0.8, 0.4]
limits_deg = [-20, 20]
motor = { drive = "angle", sine = { amplitude_deg = 10, frequency_Hz = 2 }, max_torque_N_m = 5 }
break_N = 1e4
[tracers]
count = 20
[output]
volume = true
checkpoint_every_frames = 1
)";

// Joints that exist in the plane as well: a chain closed to a loop, and motors of all kinds.
const char* const plane_joints_scene = R"(title = "Joints in the plane"
[domain]
cells = [16, 16, 1]
width_m = 1.0
[time]
seconds = 0.02
fps = 100
[[liquid.region]]
pool = { depth_m = 0.3 }
[[solid]]
name = "post"
box = { min_m = [0, 0, 0], max_m = [0.1, 0.5, 1] }
[[body]]
name = "a"
box = { size_m = [0.2, 0.1, 0.2] }
density_kg_m3 = 500
position_m = [0.2, 0.5, 0.5]
[[body]]
name = "b"
box = { size_m = [0.2, 0.1, 0.2] }
density_kg_m3 = 2000
position_m = [0.4, 0.5, 0.5]
[[body]]
name = "c"
sphere = { radius_m = 0.08 }
density_kg_m3 = 900
position_m = [0.6, 0.5, 0.5]
[[body]]
name = "d"
sphere = { radius_m = 0.08 }
density_kg_m3 = 7800
position_m = [0.6, 0.2, 0.5]
[[joint]]
name = "knee"
kind = "hinge"
bodies = ["a", "b"]
anchor_m = [0.3, 0.5, 0.5]
limits_deg = [-30, 90]
stiffness_N_m = 2
damping_N_m_s = 0.1
rest_deg = 5
break_N_m = 1e3
motor = { drive = "angle", keyframes = [[0, 0], [0.5, 30], [1, 0]], interpolation = "linear", repeat = true, track = "servo", stiffness_N_m = 50, damping_N_m_s = 2 }
[[joint]]
name = "rail"
kind = "slider"
bodies = ["a", "post"]
anchor_m = [0.1, 0.5, 0.5]
axis = [1, 0, 0]
limits_m = [-0.1, 0.1]
motor = { drive = "speed", speed_m_s = 0.2, max_force_N = 9 }
[[joint]]
name = "wheel"
kind = "hinge"
bodies = ["c", "b"]
anchor_m = [0.6, 0.5, 0.5]
collide = true
motor = { drive = "torque", torque_N_m = 0.5 }
[[joint]]
name = "rope"
kind = "distance"
bodies = ["c", "d"]
anchor_m = [0.6, 0.45, 0.5]
second_anchor_m = [0.6, 0.25, 0.5]
break_N = 100
[[joint]]
name = "closing"
kind = "distance"
bodies = ["d", "a"]
anchor_m = [0.55, 0.2, 0.5]
second_anchor_m = [0.2, 0.45, 0.5]
)";

const char* const space_joints_scene = R"(title = "Joints in space"
[domain]
cells = [8, 8, 8]
width_m = 1.0
[time]
seconds = 0.02
fps = 100
[[liquid.region]]
pool = { depth_m = 0.4 }
[[body]]
name = "trunk"
box = { size_m = [0.2, 0.2, 0.2] }
density_kg_m3 = 500
position_m = [0.5, 0.6, 0.5]
rotation_deg = [10, 20, 30]
[[body]]
name = "arm"
box = { size_m = [0.2, 0.05, 0.05] }
density_kg_m3 = 900
position_m = [0.7, 0.6, 0.5]
[[body]]
name = "hand"
sphere = { radius_m = 0.05 }
density_kg_m3 = 2000
position_m = [0.85, 0.6, 0.5]
[[body]]
name = "foot"
mesh = { file = "cube.obj" }
density_kg_m3 = 3000
position_m = [0.5, 0.3, 0.5]
[[joint]]
kind = "ball"
bodies = ["arm", "trunk"]
anchor_m = [0.6, 0.6, 0.5]
axis = [1, 0, 0]
swing_limit_deg = 60
twist_limits_deg = [-20, 40]
damping_N_m_s = 0.01
[[joint]]
kind = "universal"
bodies = ["foot", "trunk"]
anchor_m = [0.5, 0.45, 0.5]
axis = [1, 0, 0]
axis2 = [0, 0, 1]
[[joint]]
kind = "fixed"
bodies = ["hand", "arm"]
anchor_m = [0.8, 0.6, 0.5]
break_N = 500
break_N_m = 20
[[joint]]
kind = "slider"
bodies = ["trunk", "world"]
anchor_m = [0.5, 0.6, 0.5]
axis = [0, 1, 0]
stiffness_N_m = 100
damping_N_s_m = 3
rest_m = 0.01
motor = { drive = "angle", position_m = 0.05, track = "servo", stiffness_N_m = 20, damping_N_s_m = 1 }
)";

struct Cube {
    float vertex[8][3];
    int triangle[12][3] = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                           {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    Cube()
    {
        for (int n = 0; n < 8; ++n)
            for (int a = 0; a < 3; ++a) vertex[n][a] = (n >> a & 1) ? 0.15f : -0.15f;
    }
};

template <class T>
void append(std::string& bytes, const T& value)
{
    bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}

std::string objOf(const Cube& cube)
{
    std::ostringstream out;
    out << "# a cube\no cube\n";
    for (const auto& v : cube.vertex) out << "v " << v[0] << ' ' << v[1] << ' ' << v[2] << '\n';
    for (const auto& t : cube.triangle) out << "f " << t[0] + 1 << ' ' << t[1] + 1 << "/1/1 " << t[2] - 8 << '\n';
    return out.str();
}

std::string plyHeader(const std::string& format)
{
    return "ply\nformat " + format +
           " 1.0\ncomment a cube\nelement vertex 8\nproperty float x\nproperty float y\nproperty float z\n"
           "element face 12\nproperty list uchar int vertex_indices\nend_header\n";
}

std::string plyOf(const Cube& cube)
{
    std::ostringstream out;
    out << plyHeader("ascii");
    for (const auto& v : cube.vertex) out << v[0] << ' ' << v[1] << ' ' << v[2] << '\n';
    for (const auto& t : cube.triangle) out << "3 " << t[0] << ' ' << t[1] << ' ' << t[2] << '\n';
    return out.str();
}

std::string binaryPlyOf(const Cube& cube)
{
    std::string bytes = plyHeader("binary_little_endian");
    for (const auto& v : cube.vertex)
        for (const float x : v) append(bytes, x);
    for (const auto& t : cube.triangle) {
        append(bytes, uint8_t(3));
        for (const int i : t) append(bytes, int32_t(i));
    }
    return bytes;
}

std::string stlOf(const Cube& cube)
{
    std::ostringstream out;
    out << "solid cube\n";
    for (const auto& t : cube.triangle) {
        out << "facet normal 0 0 0\nouter loop\n";
        for (const int i : t)
            out << "vertex " << cube.vertex[i][0] << ' ' << cube.vertex[i][1] << ' ' << cube.vertex[i][2] << '\n';
        out << "endloop\nendfacet\n";
    }
    out << "endsolid cube\n";
    return out.str();
}

std::string binaryStlOf(const Cube& cube)
{
    std::string bytes(80, ' ');
    append(bytes, uint32_t(12));
    for (const auto& t : cube.triangle) {
        for (int a = 0; a < 3; ++a) append(bytes, 0.0f);
        for (const int i : t)
            for (const float x : cube.vertex[i]) append(bytes, x);
        append(bytes, uint16_t(0));
    }
    return bytes;
}

// The same proportions with 16 cells along the longest side. One cell along z is kept: it makes a scene
// two-dimensional.
std::string withFewCells(const std::string& scene)
{
    std::smatch found;
    const std::regex pattern(R"((cells\s*=\s*\[)(\d+), (\d+), (\d+))");
    if (!std::regex_search(scene, found, pattern)) throw std::runtime_error("a scene without cells");
    int cells[3];
    for (int a = 0; a < 3; ++a) cells[a] = std::stoi(found[size_t(a + 2)]);
    const int longest = std::max({cells[0], cells[1], cells[2]});
    std::string text = found[1].str();
    for (int a = 0; a < 3; ++a)
        text += (a ? ", " : "") + std::to_string(cells[a] == 1 ? 1 : std::max(4, 16 * cells[a] / longest));
    return found.prefix().str() + text + found.suffix().str();
}

// The stones of an arch touch without overlapping; cubes in their place would overlap.
constexpr const char* stone = "voussoir.obj";

// No comments, few cells, two frames, only the first bodies of a list, and the small mesh instead of a large one.
std::string shrunk(std::string scene)
{
    scene = withFewCells(scene);
    scene = std::regex_replace(scene, std::regex(R"((seconds\s*=\s*)[0-9.]+)"), "$010.02");
    scene = std::regex_replace(scene, std::regex(R"((fps\s*=\s*)[0-9.]+)"), "$01100");
    scene = std::regex_replace(scene, std::regex(R"((\ncount\s*=\s*)[0-9]+)"), "$0150");
    scene = std::regex_replace(scene, std::regex(std::string("meshes/") + stone), stone);
    scene = std::regex_replace(scene, std::regex(R"(meshes/[a-z]+\.obj)"), "cube.obj");
    scene = std::regex_replace(scene, std::regex(R"(#[^\n]*)"), "");
    std::istringstream in(scene);
    std::string kept, line;
    const bool has_joints = scene.find("joint") != std::string::npos;  // of bodies that overlap without them
    for (int bodies = 0; std::getline(in, line);)
        if (has_joints || !line.starts_with("    {") || ++bodies <= 3) kept += line + "\n";
    return kept;
}

void addFolder(const fs::path& folder, const std::string& name, Files& files)
{
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file())
            files[name + "/" + fs::relative(entry.path(), folder).string()] = readFile(entry.path());
}

}  // namespace

std::string readFile(const fs::path& file)
{
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void writeFiles(const Files& files, const fs::path& folder)
{
    for (const auto& [name, bytes] : files) {
        fs::create_directories((folder / name).parent_path());
        std::ofstream(folder / name, std::ios::binary) << bytes;
    }
}

Corpus makeCorpus(const std::string& program, const fs::path& folder)
{
    Corpus corpus;
    const Cube cube;
    corpus.meshes = {{"cube.obj", objOf(cube)},
                     {"cube.ply", plyOf(cube)},
                     {"binary.ply", binaryPlyOf(cube)},
                     {"cube.stl", stlOf(cube)},
                     {"binary.stl", binaryStlOf(cube)},
                     {stone, readFile(fs::path(FLOTSAM_SOURCE_DIR "/scenes/meshes") / stone)}};
    corpus.tiny = tiny_scene;
    std::vector<fs::path> shipped;
    for (const auto& entry : fs::directory_iterator(FLOTSAM_SOURCE_DIR "/scenes"))
        if (entry.path().extension() == ".toml") shipped.push_back(entry.path());
    std::sort(shipped.begin(), shipped.end());
    for (const fs::path& scene : shipped) corpus.scenes.push_back(shrunk(readFile(scene)));

    writeFiles(corpus.meshes, folder);
    writeFiles({{"scene.toml", corpus.tiny}}, folder);
    const Outcome o = runProgram(program, {"run", "scene.toml", "--out", "run"}, folder, folder / "cache", {});
    if (o.code != 0) throw std::runtime_error("the scene to start from does not run: " + o.err);
    addFolder(folder / "run", "run", corpus.run);
    corpus.scenes.insert(corpus.scenes.end(), {corpus.tiny, plane_joints_scene, space_joints_scene});
    corpus.scenes.push_back(corpus.run.at("run/scene.toml"));  // contains all keys
    return corpus;
}

}  // namespace flotsam::fuzz
