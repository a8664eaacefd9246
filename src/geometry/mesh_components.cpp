#include "geometry/mesh_components.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <numeric>

namespace flotsam {
namespace {

constexpr size_t most_components = 1000;  // the largest ones; the time grows with the square of their number

struct Component {
    TriangleMesh mesh;
    Bounds bounds;
    double volume_m3 = 0;
};

// For each vertex: the lowest vertex connected to it by edges.
std::vector<int> connectedVertices(const TriangleMesh& mesh)
{
    std::vector<int> parent(mesh.vertices.size());
    std::iota(parent.begin(), parent.end(), 0);
    const auto root = [&](int v) {
        while (parent[size_t(v)] != v) v = parent[size_t(v)] = parent[size_t(parent[size_t(v)])];
        return v;
    };
    for (const auto& t : mesh.triangles)
        for (const int corner : {1, 2}) {
            const int a = root(t[0]), b = root(t[size_t(corner)]);
            parent[size_t(std::max(a, b))] = std::min(a, b);
        }
    for (size_t v = 0; v < parent.size(); ++v) parent[v] = root(int(v));
    return parent;
}

std::vector<Component> componentsOf(const TriangleMesh& mesh)
{
    const std::vector<int> component_of = connectedVertices(mesh);
    std::map<int, Component> components;
    for (const auto& t : mesh.triangles) {
        TriangleMesh& component = components[component_of[size_t(t[0])]].mesh;
        const int first = int(component.vertices.size());
        for (const int v : t) component.vertices.push_back(mesh.vertices[size_t(v)]);
        component.triangles.push_back({first, first + 1, first + 2});
    }
    std::vector<Component> list;
    for (auto& [root, component] : components) {
        component.bounds = boundsOf(component.mesh);
        component.volume_m3 = signedVolume(component.mesh);
        list.push_back(std::move(component));
    }
    std::stable_sort(list.begin(), list.end(), [](const Component& a, const Component& b) {
        return std::abs(a.volume_m3) > std::abs(b.volume_m3);
    });
    if (list.size() > most_components) list.resize(most_components);
    return list;
}

bool contains(const Bounds& outer, const Bounds& inner)
{
    for (int a = 0; a < 3; ++a)
        if (inner.lo[a] < outer.lo[a] || inner.hi[a] > outer.hi[a]) return false;
    return true;
}

// Winding number of a closed surface around p: sum of the solid angles of its triangles (Van Oosterom and Strackee
// 1983).
long windingNumber(const TriangleMesh& mesh, Vec3 p)
{
    double half_angles = 0;
    for (const auto& t : mesh.triangles) {
        const Vec3 a = mesh.vertices[size_t(t[0])] - p, b = mesh.vertices[size_t(t[1])] - p,
                   c = mesh.vertices[size_t(t[2])] - p;
        const double la = length(a), lb = length(b), lc = length(c);
        half_angles += std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
    return std::lround(half_angles / (2 * std::numbers::pi));
}

}  // namespace

double volumeCountedTwice(const TriangleMesh& mesh)
{
    const std::vector<Component> components = componentsOf(mesh);
    double volume_m3 = 0;
    for (size_t i = 1; i < components.size(); ++i) {
        if (components[i].volume_m3 <= 0) continue;
        long around = 0;
        for (size_t j = 0; j < i; ++j)
            if (contains(components[j].bounds, components[i].bounds))
                around += windingNumber(components[j].mesh, components[i].mesh.vertices.front());
        if (around > 0) volume_m3 += double(around) * components[i].volume_m3;
    }
    return volume_m3;
}

}  // namespace flotsam
