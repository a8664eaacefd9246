#include "geometry/polytope.h"

#include <map>
#include <numeric>

namespace flotsam {
namespace {

constexpr double flat_of_size = 1e-5;  // coordinates in files often have six digits

struct Plane {
    Vec3 normal;
    double offset_m = 0;
    double over(Vec3 p) const { return dot(normal, p) - offset_m; }
};

using DirectedEdges = std::map<std::pair<int, int>, int>;  // from vertex to vertex -> triangle on its left

class Merging {
public:
    explicit Merging(const TriangleMesh& m) : mesh(m), face_of(m.triangles.size(), -1)
    {
        const Vec3 s = boundsOf(mesh).size();
        tolerance_m = flat_of_size * std::max({s.x, s.y, s.z});
        if (!seemsConvex()) return;
        for (size_t t = 0; t < mesh.triangles.size(); ++t)
            for (size_t i = 0; i < 3; ++i) triangle_at[{mesh.triangles[t][i], mesh.triangles[t][(i + 1) % 3]}] = int(t);
    }

    // Assigns every triangle to a face. The largest triangles first, because their planes are the most accurate.
    bool mergeTriangles()
    {
        if (triangle_at.empty()) return false;
        std::vector<size_t> order(mesh.triangles.size());
        std::iota(order.begin(), order.end(), size_t(0));
        std::vector<double> area(order.size());
        for (size_t t = 0; t < area.size(); ++t) area[t] = length(doubleArea(t));
        std::stable_sort(order.begin(), order.end(), [&](size_t l, size_t r) { return area[l] > area[r]; });
        for (const size_t seed : order) {
            if (face_of[seed] >= 0) continue;
            const Plane plane = planeOf(seed);
            if (faces == int(most_polytope_faces) || area[seed] == 0 || !isBehind(plane)) return false;
            fill(seed, plane);
            ++faces;
        }
        return true;
    }

    Polytope result() const
    {
        Polytope p;
        const std::vector<std::vector<int>> loops = outlines();
        std::map<int, int> kept;  // vertices at which three faces meet or more
        for (const auto& loop : loops)
            for (const int v : loop)
                if (facesAt(v, loops) >= 3 && kept.try_emplace(v, int(p.vertices.size())).second)
                    p.vertices.push_back(mesh.vertices[size_t(v)]);
        for (const auto& loop : loops) {
            Polytope::Face face;
            face.first = int(p.corners.size());
            for (const int v : loop)
                if (const auto it = kept.find(v); it != kept.end()) p.corners.push_back(it->second);
            face.count = int(p.corners.size()) - face.first;
            if (face.count < 3) return {};
            setPlane(p, face);
            p.faces.push_back(face);
        }
        return addEdges(p) ? p : Polytope{};
    }

private:
    Vec3 doubleArea(size_t t) const
    {
        const auto& v = mesh.triangles[t];
        const Vec3 p = mesh.vertices[size_t(v[0])];
        return cross(mesh.vertices[size_t(v[1])] - p, mesh.vertices[size_t(v[2])] - p);
    }
    Plane planeOf(size_t t) const
    {
        const Vec3 n = normalized(doubleArea(t));
        return {n, dot(n, mesh.vertices[size_t(mesh.triangles[t][0])])};
    }
    // A sample of the planes: rejects most meshes before anything is built.
    bool seemsConvex() const
    {
        const size_t stride = std::max(size_t(1), mesh.triangles.size() / most_polytope_faces);
        for (size_t t = 0; t < mesh.triangles.size(); t += stride)
            if (!isBehind(planeOf(t))) return false;
        return true;
    }
    bool isBehind(const Plane& plane) const
    {
        for (const auto& t : mesh.triangles)
            for (const int v : t)
                if (plane.over(mesh.vertices[size_t(v)]) > tolerance_m) return false;
        return true;
    }
    bool liesIn(const Plane& plane, size_t t) const
    {
        for (const int v : mesh.triangles[t])
            if (plane.over(mesh.vertices[size_t(v)]) < -tolerance_m) return false;
        return true;
    }

    void fill(size_t seed, const Plane& plane)
    {
        std::vector<size_t> open{seed};
        face_of[seed] = faces;
        while (!open.empty()) {
            const auto v = mesh.triangles[open.back()];
            open.pop_back();
            for (size_t i = 0; i < 3; ++i) {
                const auto it = triangle_at.find({v[(i + 1) % 3], v[i]});
                if (it == triangle_at.end() || face_of[size_t(it->second)] >= 0) continue;
                if (!liesIn(plane, size_t(it->second))) continue;
                face_of[size_t(it->second)] = faces;
                open.push_back(size_t(it->second));
            }
        }
    }

    // The boundary of each face; empty if it is not one closed loop.
    std::vector<std::vector<int>> outlines() const
    {
        std::vector<std::map<int, int>> next(static_cast<size_t>(faces));
        for (const auto& [edge, t] : triangle_at) {
            const auto twin = triangle_at.find({edge.second, edge.first});
            if (twin == triangle_at.end() || face_of[size_t(twin->second)] != face_of[size_t(t)])
                next[size_t(face_of[size_t(t)])][edge.first] = edge.second;
        }
        std::vector<std::vector<int>> loops;
        for (const auto& steps : next) {
            std::vector<int> loop;
            int at = steps.empty() ? -1 : steps.begin()->first;
            while (at >= 0 && loop.size() < steps.size()) {
                loop.push_back(at);
                const auto it = steps.find(at);
                at = it == steps.end() ? -1 : it->second;
            }
            if (!loop.empty() && (loop.size() < steps.size() || at != loop.front())) loop.clear();
            loops.push_back(std::move(loop));
        }
        return loops;
    }

    static int facesAt(int vertex, const std::vector<std::vector<int>>& loops)
    {
        int count = 0;
        for (const auto& loop : loops) count += std::find(loop.begin(), loop.end(), vertex) != loop.end();
        return count;
    }

    // The normal by Newell's sum over the outline, which averages rounding errors.
    static void setPlane(const Polytope& p, Polytope::Face& face)
    {
        Vec3 area, middle;
        const auto corner = [&](int i) { return p.vertices[size_t(p.corners[size_t(face.first + i % face.count)])]; };
        for (int i = 0; i < face.count; ++i) {
            area += cross(corner(i) - corner(0), corner(i + 1) - corner(0));
            middle += corner(i) / face.count;
        }
        face.normal = normalized(area);
        face.offset_m = dot(face.normal, middle);
    }

    static bool addEdges(Polytope& p)
    {
        DirectedEdges left_of;
        for (size_t f = 0; f < p.faces.size(); ++f)
            for (int i = 0; i < p.faces[f].count; ++i) {
                const int* c = &p.corners[size_t(p.faces[f].first)];
                if (!left_of.try_emplace({c[i], c[(i + 1) % p.faces[f].count]}, int(f)).second) return false;
            }
        for (const auto& [edge, left] : left_of) {
            const auto twin = left_of.find({edge.second, edge.first});
            if (twin == left_of.end()) return false;
            if (edge.first < edge.second) p.edges.push_back({edge.first, edge.second, left, twin->second});
        }
        return true;
    }

    const TriangleMesh& mesh;
    double tolerance_m = 0;
    DirectedEdges triangle_at;
    std::vector<int> face_of;  // by triangle
    int faces = 0;
};

}  // namespace

Polytope polytopeOf(const TriangleMesh& mesh)
{
    Merging merging(mesh);
    return merging.mergeTriangles() ? merging.result() : Polytope{};
}

}  // namespace flotsam
