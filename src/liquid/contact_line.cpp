#include "liquid/contact_line.h"

#include <Eigen/Dense>
#include <array>
#include <limits>
#include <unordered_map>

#include "liquid/boundary.h"

namespace flotsam {

namespace {

// The values of phi around a cell, and phi as a linear function of the place there.
class Samples {
public:
    void add(Int3 offset, float value)
    {
        const int d2 = offset.x * offset.x + offset.y * offset.y + offset.z * offset.z;
        if (d2 < nearest_d2) nearest_d2 = d2, nearest = value;
        least = std::min(least, std::abs(value));
        list[size_t(count++)] = {double(offset.x), double(offset.y), double(offset.z), double(d2), double(value)};
    }
    bool empty() const { return count == 0; }
    float nearestValue() const { return nearest; }
    float leastMagnitude() const { return least; }
    // The value at the cell, by least squares with weights 1 / distance^4 and with a slope along directions that the
    // samples cover alone. False: they cover too few.
    bool fit(bool flat, bool last_try, double& value) const
    {
        Eigen::Matrix4d matrix;
        Eigen::Vector4d sum;
        addUp(matrix, sum);
        if (flat) matrix(3, 3) = 1;  // a slab has no slope along z
        const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(matrix);
        const double largest = eigen.eigenvalues()[3];
        if (!last_try && !(eigen.eigenvalues()[0] > 1e-4 * largest)) return false;
        value = 0;
        for (int n = 0; n < 4; ++n) {
            if (!(eigen.eigenvalues()[n] > 1e-6 * largest)) continue;
            const Eigen::Vector4d v = eigen.eigenvectors().col(n);
            value += v[0] * v.dot(sum) / eigen.eigenvalues()[n];
        }
        return true;
    }
    // A distance changes no faster than the way.
    double limited(double value, double h) const
    {
        const double reach = 1.05 * h * std::sqrt(double(nearest_d2));
        return std::clamp(value, double(nearest) - reach, double(nearest) + reach);
    }

    static constexpr int widest = 4;  // cells

private:
    struct Sample {
        double x, y, z, d2, value;
    };
    // In scalars that stay in registers: as arrays the sums went through memory and took three times as long.
    void addUp(Eigen::Matrix4d& matrix, Eigen::Vector4d& sum) const
    {
        double one = 0, x = 0, y = 0, z = 0, xx = 0, yx = 0, zx = 0, yy = 0, zy = 0, zz = 0;
        double b = 0, bx = 0, by = 0, bz = 0;
        for (int n = 0; n < count; ++n) {
            const Sample& s = list[size_t(n)];
            const double w = 1 / (s.d2 * s.d2), wx = w * s.x, wy = w * s.y, wz = w * s.z, value = w * s.value;
            one += w, x += wx, y += wy, z += wz;
            xx += wx * s.x, yx += wy * s.x, zx += wz * s.x;
            yy += wy * s.y, zy += wz * s.y, zz += wz * s.z;
            b += value, bx += value * s.x, by += value * s.y, bz += value * s.z;
        }
        matrix << one, x, y, z, x, xx, yx, zx, y, yx, yy, zy, z, zx, zy, zz;
        sum << b, bx, by, bz;
    }
    static constexpr int most = (2 * widest + 1) * (2 * widest + 1) * (2 * widest + 1);

    std::array<Sample, most> list;
    int count = 0, nearest_d2 = std::numeric_limits<int>::max();
    float nearest = 0, least = std::numeric_limits<float>::max();
};

struct Continuation {
    const Grid& grid;
    const Solids& solids;
    View3<const float> phi;

    // The samples outside of the solid, on the side that the cell is nearest to: a wall has another one.
    void sampleAround(Int3 c, int radius, Float3 out_of_solid, Samples& samples) const
    {
        const IndexBox window = intersection(
            {c - Int3{radius, radius, radius}, c + Int3{radius + 1, radius + 1, radius + 1}}, {{0, 0, 0}, grid.cells});
        forEachCell(window, [&](int i, int j, int k) {
            const Int3 q{i, j, k}, o = q - c;
            const float out = float(o.x) * out_of_solid.x + float(o.y) * out_of_solid.y + float(o.z) * out_of_solid.z;
            if (out < 0 || o == Int3{} || solids.covers(q)) return;
            samples.add(o, phi(q));
        });
    }
    // phi at the centre nearest to a point 1.5 cells outside of the solid; 0 where that is inside of one again.
    float phiOutside(Int3 c, Float3 out) const
    {
        const float norm = std::sqrt(out.x * out.x + out.y * out.y + out.z * out.z);
        if (norm == 0) return 0;
        const float reach = (1.5f - solids.distance(c.x, c.y, c.z) / float(grid.h)) / norm;
        const Float3 p =
            clampTo(Float3{float(c.x) + 0.5f, float(c.y) + 0.5f, float(c.z) + 0.5f} + reach * out, grid.cells);
        const Int3 q = min(Int3{int(p.x), int(p.y), int(p.z)}, grid.cells - Int3{1, 1, 1});
        return solids.covers(q) ? 0 : phi(q);
    }
    float at(Int3 c) const
    {
        if (solids.isClosed(c)) return solids.depthOfClosed(c);
        if (solids.isInert(c)) return grid.band;
        const Float3 out = solids.gradient(c.x, c.y, c.z);
        // Far from the surface the sign is all that counts, and most of a solid is.
        if (const float beyond = phiOutside(c, out); std::abs(beyond) >= grid.band) return beyond;
        for (int radius = 2;; ++radius) {
            const bool last_try = radius == Samples::widest;
            Samples samples;
            sampleAround(c, radius, out, samples);
            if (samples.empty()) {
                if (last_try) return grid.band;
                continue;
            }
            if (double(samples.leastMagnitude()) > 3 * grid.h) return samples.nearestValue();
            double value = 0;
            if (!samples.fit(grid.cells.z == 1, last_try, value)) continue;
            return std::clamp(float(samples.limited(value, grid.h)), -grid.band, grid.band);
        }
    }
};

// Air next to a solid: cells that have a face or their centre in it, as far as distances tell. Nearly all of it has the
// open air for a neighbour; the others are listed here.
class SolidAir {
public:
    SolidAir(const Grid& grid_, const Solids& solids_, LiquidState& s) : grid(grid_), solids(solids_), phi(s.phi)
    {
        const BrickSet set(grid.bricks, common(s.active.list, solids.bricks().list));
        std::vector<std::vector<Int3>> found(set.strips.size());
        parallelTasks("surface.pockets", int(found.size()), [&](int n) {
            forEachCell(set.strips[size_t(n)], [&](int i, int j, int k) {
                if (isMember({i, j, k}) && isOffOpenAir({i, j, k})) found[size_t(n)].push_back({i, j, k});
            });
        });
        for (const auto& list : found) cells.insert(cells.end(), list.begin(), list.end());
    }
    // The cells from which open faces lead to liquid, but not to other air or out of the domain, through any number of
    // them.
    std::vector<Int3> cutOff() const
    {
        std::unordered_map<size_t, int> place;
        for (size_t n = 0; n < cells.size(); ++n) place.emplace(key(cells[n]), int(n));
        std::vector<uint8_t> visited(cells.size(), 0);
        std::vector<Int3> drains, room;
        for (size_t first = 0; first < cells.size(); ++first) {
            if (visited[first]) continue;
            bool open = false, wet = false;  // where neither holds, it is a dry room in a solid
            visited[first] = 1;
            room.assign(1, cells[first]);
            for (size_t n = 0; n < room.size(); ++n) {
                const Int3 c = room[n];
                wet |= meetsLiquid(c);
                forNeighbours(c, [&](Int3 q) {
                    if (!isMember(q)) return;
                    const auto at = place.find(key(q));
                    open |= at == place.end();  // it meets the open air
                    if (at == place.end() || visited[size_t(at->second)]) return;
                    visited[size_t(at->second)] = 1;
                    room.push_back(q);
                });
            }
            if (open || !wet) continue;
            std::copy_if(room.begin(), room.end(), std::back_inserter(drains),
                         [&](Int3 c) { return !solids.covers(c); });
        }
        return drains;
    }

private:
    bool isMember(Int3 c) const
    {
        return phi(c) >= 0 && solids.touches(c) && solids.distance(c.x, c.y, c.z) < 0.9f * float(grid.h) &&
               !solids.isClosed(c);
    }
    size_t key(Int3 c) const
    {
        return size_t(c.x) + size_t(grid.cells.x) * (size_t(c.y) + size_t(grid.cells.y) * size_t(c.z));
    }
    // f(cell) for the cells that a face open to some extent leads to; f({-1, -1, -1}) for an open side of the domain.
    template <class F>
    void forNeighbours(Int3 c, const F& f) const
    {
        for (int n = 0; n < 6; ++n) {
            const int axis = n / 2;
            const Int3 q = n & 1 ? c + unit(axis) : c - unit(axis), face = n & 1 ? q : c;
            if (q[axis] < 0 || q[axis] >= grid.cells[axis]) {
                if (grid.open[axis][n & 1]) f(Int3{-1, -1, -1});
                continue;
            }
            if (solids.letsThrough(axis, face)) f(q);
        }
    }
    // Whether some face is open, but none to the open air.
    bool isOffOpenAir(Int3 c) const
    {
        bool any = false, open = false;
        forNeighbours(c, [&](Int3 q) {
            any = true;
            open |= q.x < 0 || (phi(q) >= 0 && !isMember(q) && !solids.covers(q));
        });
        return any && !open;
    }
    bool meetsLiquid(Int3 c) const
    {
        bool liquid = false;
        forNeighbours(c, [&](Int3 q) { liquid |= q.x >= 0 && phi(q) < 0; });
        return liquid;
    }

    const Grid& grid;
    const Solids& solids;
    View3<const float> phi;
    std::vector<Int3> cells;
};

}  // namespace

void continueIntoSolids(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w)
{
    const BrickSet near(grid.bricks, common(s.active.list, solids.bricks().list));
    const Continuation continuation{grid, solids, s.phi.view()};
    parallelFor("surface.solids", near, [&, phi = s.phi.view(), out = w.phi_new.view()](int i, int j, int k) {
        out(i, j, k) = solids.covers({i, j, k}) ? continuation.at({i, j, k}) : phi(i, j, k);
    });
    parallelFor("surface.solids", near,
                [phi = s.phi.view(), from = w.phi_new.view()](int i, int j, int k) { phi(i, j, k) = from(i, j, k); });
    fillLayers(grid, near, s.phi.view());
}

void fillCutOffAir(const Grid& grid, const Solids& solids, LiquidState& s)
{
    for (const Int3& c : SolidAir(grid, solids, s).cutOff()) s.phi.view()(c) = -0.5f * float(grid.h);
}

std::vector<FaceLock> contactLineFaces(const Grid& grid, const Solids& solids, LiquidState& s)
{
    const BrickSet near(grid.bricks, common(s.active.list, solids.bricks().list));
    const View3<const float> phi = s.phi;
    std::vector<std::vector<FaceLock>> found(near.strips.size());
    parallelTasks("pressure.contact", int(found.size()), [&](int n) {
        forEachCell(near.strips[size_t(n)], [&](int i, int j, int k) {
            const Int3 c{i, j, k};
            for (int axis = 0; axis < 3; ++axis) {
                const Int3 below = c - unit(axis);
                if (c[axis] == 0 || (phi(c) < 0) == (phi(below) < 0) || solids.innerOpenFraction(axis, c) == 0)
                    continue;
                if (solids.covers(c) || solids.covers(below)) found[size_t(n)].push_back({axis, c, {}});
            }
        });
    });
    std::vector<FaceLock> faces;
    for (const auto& list : found) faces.insert(faces.end(), list.begin(), list.end());
    return faces;
}

}  // namespace flotsam
