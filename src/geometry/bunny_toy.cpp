#include "geometry/bunny_toy.h"

#include <map>
#include <tuple>

namespace flotsam {
namespace {

struct Ellipsoid {
    Vec3 center, semi_axes;
    double tilt_deg = 0;  // about z
};

constexpr Ellipsoid parts[] = {
    {{0.08, 0.29, 0.00}, {0.33, 0.27, 0.25}},                                                             // body
    {{-0.12, 0.34, 0.00}, {0.20, 0.24, 0.19}},                                                            // chest
    {{0.18, 0.20, 0.17}, {0.20, 0.19, 0.11}, 20},     {{0.18, 0.20, -0.17}, {0.20, 0.19, 0.11}, 20},      // haunches
    {{0.02, 0.06, 0.20}, {0.19, 0.065, 0.085}},       {{0.02, 0.06, -0.20}, {0.19, 0.065, 0.085}},        // hind feet
    {{-0.27, 0.06, 0.10}, {0.14, 0.065, 0.075}},      {{-0.27, 0.06, -0.10}, {0.14, 0.065, 0.075}},       // front feet
    {{-0.27, 0.58, 0.00}, {0.185, 0.155, 0.155}},                                                         // head
    {{-0.41, 0.54, 0.00}, {0.085, 0.08, 0.095}},                                                          // snout
    {{-0.13, 0.82, 0.075}, {0.07, 0.20, 0.065}, -22}, {{-0.13, 0.82, -0.075}, {0.07, 0.20, 0.065}, -22},  // ears
    {{0.42, 0.20, 0.00}, {0.10, 0.10, 0.10}},                                                             // tail
};

// Exact to first order at the surface: f / |grad f| with f = |q / r| - 1, times |q / r|.
double distanceTo(const Ellipsoid& e, Vec3 p)
{
    const Vec3 q = rotationFromDegrees({0, 0, -e.tilt_deg}) * (p - e.center), r = e.semi_axes;
    const Vec3 a{q.x / r.x, q.y / r.y, q.z / r.z}, b{a.x / r.x, a.y / r.y, a.z / r.z};
    if (length(b) == 0) return -std::min({r.x, r.y, r.z});
    return length(a) * (length(a) - 1) / length(b);
}

// The smaller of two, blended over a width of k where they meet.
double smoothMin(double a, double b, double k)
{
    const double mix = std::max(k - std::abs(a - b), 0.0) / k;
    return std::min(a, b) - 0.25 * k * mix * mix;
}

// Negative inside. Cut off flat below y = 0.
double bunny(Vec3 p)
{
    double d = 1e3;
    for (const Ellipsoid& part : parts) d = smoothMin(d, distanceTo(part, p), 0.06);
    return -smoothMin(-d, p.y, 0.03);
}

Vec3 gradient(Vec3 p)
{
    constexpr double e = 1e-4;
    const auto along = [&](Vec3 step) { return (bunny(p + step) - bunny(p - step)) / (2 * e); };
    return {along({e, 0, 0}), along({0, e, 0}), along({0, 0, e})};
}

Vec3 onSurface(Vec3 p)
{
    for (int n = 0; n < 4; ++n) {
        const Vec3 g = gradient(p);
        p -= (bunny(p) / std::max(dot(g, g), 0.1)) * g;
    }
    return p;
}

// Surface nets: one vertex in each lattice cube that the surface crosses, and a quad of four of them around each
// lattice edge that it crosses.
class SurfaceNet {
public:
    TriangleMesh extracted()
    {
        for (int k = 0; k < points.z; ++k)
            for (int j = 0; j < points.y; ++j)
                for (int i = 0; i < points.x; ++i) joinAround({i, j, k});
        return std::move(mesh);
    }

private:
    static constexpr double step = 0.0243;  // gives 5014 vertices
    static constexpr Int3 points{45, 46, 29};

    static Vec3 place(Int3 p) { return {-0.53 + step * p.x, -0.05 + step * p.y, -0.34 + step * p.z}; }
    static bool inside(Int3 p) { return bunny(place(p)) < 0; }

    void joinAround(Int3 p)
    {
        const bool here = inside(p);
        for (int axis = 0; axis < 3; ++axis) {
            if (inside(p + unit(axis)) == here) continue;
            const Int3 b = unit((axis + 1) % 3), c = unit((axis + 2) % 3);
            std::array<int, 4> ring{vertexIn(p - b - c), vertexIn(p - c), vertexIn(p), vertexIn(p - b)};
            if (!here) std::swap(ring[1], ring[3]);
            addQuad(ring);
        }
    }

    // Split along the shorter diagonal.
    void addQuad(std::array<int, 4> v)
    {
        const auto apart = [&](int a, int b) { return length(mesh.vertices[v[a]] - mesh.vertices[v[b]]); };
        const int first = apart(0, 2) < apart(1, 3) ? 0 : 1;
        mesh.triangles.push_back({v[first], v[first + 1], v[first + 2]});
        mesh.triangles.push_back({v[first], v[first + 2], v[(first + 3) % 4]});
    }

    int vertexIn(Int3 cube)
    {
        const auto [at, is_new] = vertex_of.try_emplace({cube.x, cube.y, cube.z}, int(mesh.vertices.size()));
        if (is_new) mesh.vertices.push_back(onSurface(meanOfCuts(cube)));
        return at->second;
    }

    static Vec3 meanOfCuts(Int3 cube)
    {
        Vec3 sum;
        int cuts = 0;
        for (int corner = 0; corner < 8; ++corner)
            for (int axis = 0; axis < 3; ++axis) {
                if (corner >> axis & 1) continue;
                const Vec3 a = place(cube + Int3{corner & 1, corner >> 1 & 1, corner >> 2 & 1});
                const Vec3 b = a + step * Vec3{axis == 0 ? 1.0 : 0, axis == 1 ? 1.0 : 0, axis == 2 ? 1.0 : 0};
                const double da = bunny(a), db = bunny(b);
                if ((da < 0) == (db < 0)) continue;
                sum += a + da / (da - db) * (b - a);
                ++cuts;
            }
        return sum / cuts;
    }

    TriangleMesh mesh;
    std::map<std::tuple<int, int, int>, int> vertex_of;
};

}  // namespace

TriangleMesh bunnyToyMesh()
{
    TriangleMesh mesh = SurfaceNet{}.extracted();
    const double sole_y = boundsOf(mesh).lo.y;  // the blending lifts the flat bottom by 5 mm
    for (Vec3& v : mesh.vertices) v.y -= sole_y;
    return mesh;
}

}  // namespace flotsam
