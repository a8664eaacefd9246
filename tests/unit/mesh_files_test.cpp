#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "core/error.h"
#include "geometry/triangle_mesh.h"
#include "tests/unit/temporary_folder.h"

namespace flotsam {
namespace {

const std::string tetrahedron_obj =
    "# a comment\nmtllib none.mtl\no thing\nv 0 0 0\nv 1 0 0 1.0\nv 0 +1.0e0 0\nv 0 0 1\nvn 0 0 1\n"
    "f 1 3 2\nf 1/1 2/2 4/3\nf 1//1 4//1 3//1\nf 2/1/1 3/1/1 4/1/1\n";

void expectTetrahedron(const TriangleMesh& mesh)
{
    EXPECT_EQ(mesh.vertices.size(), 4u);
    EXPECT_EQ(mesh.triangles.size(), 4u);
    EXPECT_TRUE(findDefects(mesh).closed());
    EXPECT_NEAR(signedVolume(mesh), 1.0 / 6, 1e-15);
    EXPECT_EQ(boundsOf(mesh).lo, (Vec3{0, 0, 0}));
    EXPECT_EQ(boundsOf(mesh).hi, (Vec3{1, 1, 1}));
}

TriangleMesh load(const std::string& name, const std::string& bytes)
{
    const TemporaryFolder folder;
    return loadMesh(folder.add(name, bytes));
}

// The error message without the folder; empty if the file loads.
std::string errorOf(const std::string& name, const std::string& bytes)
{
    const TemporaryFolder folder;
    try {
        loadMesh(folder.add(name, bytes));
    } catch (const InputError& e) {
        return std::string(e.what()).substr(folder.path.string().size() + 1);
    }
    return {};
}

#define EXPECT_ERROR(name, bytes, start, word)                                                                     \
    do {                                                                                                           \
        const std::string message = errorOf(name, bytes);                                                          \
        EXPECT_EQ(message.substr(0, std::strlen(start)), start);                                                   \
        EXPECT_NE(message.find(word), std::string::npos) << message;                                               \
        EXPECT_NE(message.find_first_of(";:", std::strlen(start)), std::string::npos) << "no remedy: " << message; \
    } while (false)

std::string replaced(std::string text, const std::string& from, const std::string& to)
{
    for (size_t at = text.find(from); at != text.npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

template <class T>
void append(std::string& bytes, T value, bool big_endian = false)
{
    char raw[sizeof(T)];
    std::memcpy(raw, &value, sizeof value);
    if (big_endian) std::reverse(raw, raw + sizeof value);
    bytes.append(raw, sizeof value);
}

std::string asciiStl(const TriangleMesh& mesh)
{
    std::string text = "solid thing\n";
    for (const auto& t : mesh.triangles) {
        text += "  facet normal 0 0 0\n    outer loop\n";
        for (const int v : t) {
            const Vec3 p = mesh.vertices[size_t(v)];
            text +=
                "      vertex " + std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + "\n";
        }
        text += "    endloop\n  endfacet\n";
    }
    return text + "endsolid thing\n";
}

std::string binaryStl(const TriangleMesh& mesh, const std::string& title)
{
    std::string bytes = title + std::string(80 - title.size(), ' ');
    append(bytes, uint32_t(mesh.triangles.size()));
    for (const auto& t : mesh.triangles) {
        for (int n = 0; n < 3; ++n) append(bytes, 0.f);
        for (const int v : t)
            for (int axis = 0; axis < 3; ++axis) append(bytes, float(mesh.vertices[size_t(v)][axis]));
        append(bytes, uint16_t(7));
    }
    return bytes;
}

// With unused properties before, between and after the used ones.
std::string binaryPly(const TriangleMesh& mesh, bool big_endian)
{
    std::string bytes =
        std::string("ply\nformat binary_") + (big_endian ? "big" : "little") + "_endian 1.0\n" +
        "comment made by hand\nelement camera 1\nproperty double fov\nproperty list ushort char name\n" +
        "element vertex " + std::to_string(mesh.vertices.size()) +
        "\nproperty uchar red\nproperty float x\nproperty double y\nproperty float z\nproperty int id\n" +
        "element face " + std::to_string(mesh.triangles.size()) +
        "\nproperty short material\nproperty list uint8 uint32 vertex_index\nend_header\n";
    append(bytes, 40.0, big_endian);
    append(bytes, uint16_t(3), big_endian);
    bytes += "eye";
    for (const Vec3 v : mesh.vertices) {
        bytes.push_back('\xff');
        append(bytes, float(v.x), big_endian);
        append(bytes, v.y, big_endian);
        append(bytes, float(v.z), big_endian);
        append(bytes, int32_t(-1), big_endian);
    }
    for (const auto& t : mesh.triangles) {
        append(bytes, int16_t(-3), big_endian);
        bytes.push_back('\x03');
        for (const int v : t) append(bytes, uint32_t(v), big_endian);
    }
    return bytes;
}

const std::string tetrahedron_ply =
    "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\nproperty uchar "
    "red\n"
    "element face 4\nproperty list uchar int vertex_indices\nend_header\n"
    "0 0 0 255\n1 0 0 255\n0 1 0 255\n0 0 1 255\n3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";

TEST(MeshFiles, AnObjFileLoads) { expectTetrahedron(load("a.obj", tetrahedron_obj)); }
TEST(MeshFiles, EndingsMayBeCapital) { expectTetrahedron(load("A.OBJ", tetrahedron_obj)); }
TEST(MeshFiles, WindowsLineEndsDoNotMatter)
{
    expectTetrahedron(load("a.obj", replaced(tetrahedron_obj, "\n", "\r\n")));
    expectTetrahedron(load("a.ply", replaced(tetrahedron_ply, "\n", "\r\n")));
    expectTetrahedron(load("a.stl", replaced(asciiStl(load("b.obj", tetrahedron_obj)), "\n", "\r\n")));
}
TEST(MeshFiles, ALastLineWithoutItsEndCounts)
{
    expectTetrahedron(load("a.obj", tetrahedron_obj.substr(0, tetrahedron_obj.size() - 1)));
}
TEST(MeshFiles, NegativeObjNumbersCountBackwards)
{
    expectTetrahedron(load("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -1 -2\nv 0 0 1\nf -4 -3 -1\nf 1 4 3\nf 2 3 -1\n"));
}
TEST(MeshFiles, ObjFacesMayComeBeforeTheirVertices)
{
    expectTetrahedron(load("a.obj", "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\n"));
}
TEST(MeshFiles, ObjLinesMayGoOnAfterABackslash)
{
    expectTetrahedron(load("a.obj", replaced(tetrahedron_obj, "f 1 3 2", "f 1 \\\n3 \\\r\n2")));
}
TEST(MeshFiles, PolygonsBecomeFans)
{
    const TriangleMesh mesh = load("a.obj", "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv -1 0.5 0\nf 1 2 3 4 5 # five\n");
    EXPECT_EQ(mesh.triangles, (std::vector<std::array<int, 3>>{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
}
TEST(MeshFiles, AnAsciiPlyFileLoads) { expectTetrahedron(load("a.ply", tetrahedron_ply)); }
TEST(MeshFiles, BinaryPlyFilesOfBothByteOrdersLoadAndForeignPropertiesAreSkipped)
{
    const TriangleMesh mesh = load("a.obj", tetrahedron_obj);
    expectTetrahedron(load("a.ply", binaryPly(mesh, false)));
    expectTetrahedron(load("a.ply", binaryPly(mesh, true)));
}
TEST(MeshFiles, StlCornersAreWelded)
{
    const TriangleMesh mesh = load("a.obj", tetrahedron_obj);
    expectTetrahedron(load("a.stl", asciiStl(mesh)));
    expectTetrahedron(load("a.stl", binaryStl(mesh, "made by hand")));
    expectTetrahedron(load("a.stl", replaced(asciiStl(mesh), " 0.000000 ", " -0.000000 ")));
}
TEST(MeshFiles, ABinaryStlFileMayStartWithSolid)
{
    expectTetrahedron(load("a.stl", binaryStl(load("a.obj", tetrahedron_obj), "solid facet")));
}

TEST(MeshFiles, ErrorsOfObjFilesNameTheLineAndTheRemedy)
{
    EXPECT_ERROR("a.obj", "v 0 0 0\nv 1 0\n", "a.obj:2: ", "three coordinates");
    EXPECT_ERROR("a.obj", "v 0 0 zero\n", "a.obj:1: ", "'zero'");
    EXPECT_ERROR("a.obj", "v 0 0 nan\n", "a.obj:1: ", "finite");
    EXPECT_ERROR("a.obj", "v 0 0 1e999\n", "a.obj:1: ", "1e999");
    EXPECT_ERROR("a.obj", "v 0 0 1e30\n", "a.obj:1: ", "units");
    EXPECT_ERROR("a.obj", "v 0 0 0\nv 1 0 0\nf 1 2 3\n", "a.obj:3: ", "vertex 3");
    EXPECT_ERROR("a.obj", "v 0 0 0\nf 1 -2 1\n", "a.obj:2: ", "vertex -2");
    EXPECT_ERROR("a.obj", "v 0 0 0\nf 1 0 1\n", "a.obj:2: ", "'0'");
    EXPECT_ERROR("a.obj", "v 0 0 0\nf 1 99999999999999999999 1\n", "a.obj:2: ", "9999");
    EXPECT_ERROR("a.obj", "v 0 0 0\nf 1 1\n", "a.obj:2: ", "three corners");
    EXPECT_ERROR("a.obj", "v 0 0 0\n", "a.obj: ", "no triangles");
    EXPECT_ERROR("a.obj", "", "a.obj: ", "empty");
}

TEST(MeshFiles, ErrorsOfPlyFilesNameTheLineOrTheByteAndTheRemedy)
{
    EXPECT_ERROR("a.ply", "", "a.ply: ", "empty");
    EXPECT_ERROR("a.ply", "plx\n", "a.ply:1: ", "'ply'");
    EXPECT_ERROR("a.ply", "ply\nformat ascii 1.0\nelement vertex 3\n", "a.ply:3: ", "header");
    EXPECT_ERROR("a.ply", "ply\nformat binary 1.0\n", "a.ply:2: ", "'binary'");
    EXPECT_ERROR("a.ply", "ply\nelement vertex 0\nend_header\n", "a.ply:3: ", "format");
    EXPECT_ERROR("a.ply", replaced(tetrahedron_ply, "vertex 4", "vertex -4"), "a.ply:3: ", "'-4'");
    EXPECT_ERROR("a.ply", replaced(tetrahedron_ply, "float y", "half y"), "a.ply:5: ", "'half'");
    EXPECT_ERROR("a.ply", replaced(tetrahedron_ply, "float z", "float depth"), "a.ply: ", "x, y and z");
    EXPECT_ERROR("a.ply", replaced(tetrahedron_ply, "vertex_indices", "strips"), "a.ply: ", "vertex_indices");
    EXPECT_ERROR("a.ply", replaced(tetrahedron_ply, "1 0 0 255", "inf 0 0 255"), "a.ply:12: ", "finite");
    EXPECT_ERROR("a.ply", replaced(tetrahedron_ply, "3 0 3 2", "3 0 4 2"), "a.ply:17: ", "vertex 4");
    EXPECT_ERROR("a.ply", replaced(tetrahedron_ply, "3 0 3 2", "3 0 -1 2"), "a.ply:17: ", "vertex -1");
    EXPECT_ERROR("a.ply", replaced(tetrahedron_ply, "3 0 3 2", "-3 0 3 2"), "a.ply:17: ", "list of -3");
    EXPECT_ERROR("a.ply", replaced(tetrahedron_ply, "face 4", "face 5"), "a.ply:18: ", "cut off");
    std::string binary = binaryPly(load("a.obj", tetrahedron_obj), false);
    binary.resize(binary.size() - 1);
    EXPECT_ERROR("a.ply", binary, "a.ply:byte ", "cut off");
}

TEST(MeshFiles, CountsThatLieDoNotAllocate)
{
    const std::string binary = binaryPly(load("a.obj", tetrahedron_obj), false);
    for (const std::string count : {"4000000000", "9000000000000000000"}) {
        EXPECT_ERROR("a.ply", replaced(binary, "vertex 4", "vertex " + count), "a.ply:byte ", "");
        EXPECT_ERROR("a.ply", replaced(binary, "face 4", "face " + count), "a.ply:byte ", "cut off");
        EXPECT_ERROR("a.ply", replaced(tetrahedron_ply, "face 4", "face " + count), "a.ply:18: ", "cut off");
        EXPECT_ERROR("a.ply", replaced(tetrahedron_ply, "3 0 3 2", count + " 0 3 2"), "a.ply:17: ", "not possible");
    }
    std::string stl = binaryStl(load("a.obj", tetrahedron_obj), "made by hand");
    stl.replace(80, 4, "\xff\xff\xff\xff");
    EXPECT_ERROR("a.stl", stl, "a.stl:byte 80: ", "4294967295");
}

TEST(MeshFiles, ErrorsOfStlFilesNameTheLineOrTheByteAndTheRemedy)
{
    const TriangleMesh mesh = load("a.obj", tetrahedron_obj);
    const std::string text = asciiStl(mesh);
    EXPECT_ERROR("a.stl", "", "a.stl: ", "empty");
    EXPECT_ERROR("a.stl", "solid\n", "a.stl:1: ", "endsolid");
    EXPECT_ERROR("a.stl", text.substr(0, text.find("endsolid")), "a.stl:29: ", "cut off");
    EXPECT_ERROR("a.stl", replaced(text, "endloop", "endlop"), "a.stl:7: ", "'endlop'");
    EXPECT_ERROR("a.stl", replaced(text, "vertex 1.0", "vertex x1.0"), "a.stl:6: ", "'x1.0");
    TriangleMesh broken = mesh;
    broken.vertices[0].y = std::numeric_limits<double>::quiet_NaN();
    EXPECT_ERROR("a.stl", binaryStl(broken, ""), "a.stl:byte 96: ", "finite");
    std::string cut = binaryStl(mesh, "");
    cut.resize(cut.size() - 3);
    EXPECT_ERROR("a.stl", cut, "a.stl:byte 80: ", "truncated");
}

TEST(MeshFiles, MissingFilesFoldersAndUnknownEndingsAreErrors)
{
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path / "folder.obj");
    EXPECT_THROW(loadMesh((folder.path / "none.obj").string()), InputError);
    EXPECT_THROW(loadMesh((folder.path / "folder.obj").string()), InputError);
    EXPECT_THROW(loadMesh("/dev/zero.obj"), InputError);
    EXPECT_ERROR("a.fbx", "", "a.fbx: ", "'.fbx'");
}

// Prefixes and one-byte changes of each format either load or give an InputError; none crashes.
TEST(MeshFiles, NoDamageGetsPastTheReader)
{
    const TriangleMesh mesh = load("a.obj", tetrahedron_obj);
    const std::pair<const char*, std::string> files[] = {
        {"a.obj", tetrahedron_obj},       {"a.ply", tetrahedron_ply}, {"a.ply", binaryPly(mesh, false)},
        {"a.ply", binaryPly(mesh, true)}, {"a.stl", asciiStl(mesh)},  {"a.stl", binaryStl(mesh, "solid")}};
    const TemporaryFolder folder;
    const auto loadsOrComplains = [&](const char* name, const std::string& bytes) {
        try {
            const TriangleMesh loaded = loadMesh(folder.add(name, bytes));
            for (const auto& t : loaded.triangles)
                for (const int v : t) ASSERT_LT(size_t(v), loaded.vertices.size());
            for (const Vec3 v : loaded.vertices) ASSERT_TRUE(isFinite(v));
        } catch (const InputError&) {
        }
    };
    for (const auto& [name, bytes] : files)
        for (size_t n = 0; n < bytes.size(); n += 3) {
            loadsOrComplains(name, bytes.substr(0, n));
            for (const char c : {'\0', '9', '-', '\n', '\xff'}) {
                std::string changed = bytes;
                changed[n] = c;
                loadsOrComplains(name, changed);
            }
        }
}

TEST(TriangleMesh, DefectsAreCounted)
{
    TriangleMesh mesh = load("a.obj", tetrahedron_obj);
    TriangleMesh open = mesh;
    open.triangles.pop_back();
    EXPECT_EQ(findDefects(open).boundary_edges, 3);
    TriangleMesh turned = mesh;
    std::swap(turned.triangles[0][0], turned.triangles[0][1]);
    EXPECT_EQ(findDefects(turned).misoriented_edges, 3);
    TriangleMesh fin = mesh;
    fin.vertices.push_back({2, 2, 2});
    fin.triangles.push_back({0, 1, 4});
    EXPECT_EQ(findDefects(fin).non_manifold_edges, 1);
    TriangleMesh flat = mesh;
    flat.triangles.push_back({1, 1, 2});
    EXPECT_EQ(findDefects(flat).degenerate_triangles, 1);
    for (const TriangleMesh& m : {open, turned, fin}) EXPECT_FALSE(findDefects(m).closed());
}

TEST(TriangleMesh, TheVolumeOfAnInsideOutMeshIsNegativeAndDoesNotDependOnItsPlace)
{
    TriangleMesh mesh = load("a.obj", tetrahedron_obj);
    for (Vec3& v : mesh.vertices) v += Vec3{1000, -2000, 3000};
    EXPECT_NEAR(signedVolume(mesh), 1.0 / 6, 1e-12);
    for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
    EXPECT_NEAR(signedVolume(mesh), -1.0 / 6, 1e-12);
}

}  // namespace
}  // namespace flotsam
