#include "liquid/contact_line.h"

#include <Eigen/Dense>
#include <array>
#include <limits>
#include <unordered_map>

#include "core/lanes.h"
#include "liquid/boundary.h"

namespace flotsam {

namespace {

// Sample positions around a cell: offsets of up to `widest` cells along each axis.
struct Offset {
    Double4 place;  // 1, x, y, z [cells]
    double weight;  // 1 / distance^4
    int d2;         // distance^2

    static constexpr int widest = 4, side = 2 * widest + 1, count = side * side * side;
    static int indexOf(Int3 o) { return (o.x + widest) + side * ((o.y + widest) + side * (o.z + widest)); }
};

std::array<Offset, Offset::count> makeOffsets()
{
    std::array<Offset, Offset::count> offsets;
    constexpr int w = Offset::widest;
    forEachCell({{-w, -w, -w}, {w + 1, w + 1, w + 1}}, [&](int x, int y, int z) {
        const int d2 = x * x + y * y + z * z;
        offsets[size_t(Offset::indexOf({x, y, z}))] = {Double4{1, double(x), double(y), double(z)},
                                                       1 / (double(d2) * double(d2)), d2};
    });
    return offsets;
}

const std::array<Offset, Offset::count> offsets = makeOffsets();

// The values of phi around a cell, and their fit by a linear function. Values beyond far_m do not enter the fit: those
// that are cut at the band are not linear, and a body whose side oscillates about cell centres by rounding errors would
// carry their error towards the surface, row by row.
class Samples {
public:
    explicit Samples(float far_m_) : far_m(far_m_) {}
    void add(int offset, float value)
    {
        const int d2 = offsets[size_t(offset)].d2;
        if (d2 < nearest_d2) nearest_d2 = d2, nearest = value;
        if (std::abs(value) <= far_m) list[size_t(count++)] = {offset, value};
    }
    bool empty() const { return nearest_d2 == std::numeric_limits<int>::max(); }
    bool areFar() const { return count == 0; }
    float nearestValue() const { return nearest; }
    // The value at the cell, by least squares with weights 1 / distance^4; the fit has a slope only along directions
    // that the samples cover. Returns false if they cover too few.
    bool fit(bool flat, bool last_try, double& value) const
    {
        Eigen::Matrix4d matrix;
        Eigen::Vector4d sum;
        addUp(matrix, sum);
        if (flat) matrix(3, 3) = 1;  // a slab has no slope along z
        // The traces of a matrix and of its inverse bound the ratio of its extreme eigenvalues on both sides:
        // 1 / traces <= least / largest <= 16 / traces. That decides nearly all fits in a tenth of the time.
        const Eigen::Matrix4d inverse = matrix.inverse();
        const double traces = matrix.trace() * inverse.trace();
        if (traces > 0 && traces < 1 / least_ratio) {
            value = inverse.row(0).dot(sum);
            return true;
        }
        if (!last_try && !(traces > 0 && traces < 100 / least_ratio)) return false;
        const Eigen::SelfAdjointEigenSolver<Eigen::Matrix4d> eigen(matrix);
        const double largest = eigen.eigenvalues()[3];
        if (!last_try && !(eigen.eigenvalues()[0] > least_ratio * largest)) return false;
        value = 0;
        for (int n = 0; n < 4; ++n) {
            if (!(eigen.eigenvalues()[n] > 1e-6 * largest)) continue;
            const Eigen::Vector4d v = eigen.eigenvectors().col(n);
            value += v[0] * v.dot(sum) / eigen.eigenvalues()[n];
        }
        return true;
    }
    // A signed distance has Lipschitz constant 1.
    double limited(double value, double h) const
    {
        const double reach = 1.05 * h * std::sqrt(double(nearest_d2));
        return std::clamp(value, double(nearest) - reach, double(nearest) + reach);
    }

private:
    static constexpr double least_ratio = 1e-4;  // of the extreme eigenvalues of a fit

    // Sums of w v v^T and w v phi with v = (1, x, y, z): five sums of four lanes fit in registers.
    void addUp(Eigen::Matrix4d& matrix, Eigen::Vector4d& sum) const
    {
        Double4 row[4] = {}, right = {};
        for (int n = 0; n < count; ++n) {
            const Offset& o = offsets[size_t(list[size_t(n)].offset)];
            const Double4 wv = o.weight * o.place;
            row[0] += wv;
            for (int r = 1; r < 4; ++r) row[r] += wv[r] * o.place;
            right += (o.weight * double(list[size_t(n)].value)) * o.place;
        }
        for (int r = 0; r < 4; ++r) {
            for (int c = 0; c <= r; ++c) matrix(r, c) = matrix(c, r) = row[r][c];
            sum[r] = right[r];
        }
    }

    struct Sample {
        int offset;
        float value;
    };
    float far_m;
    std::array<Sample, Offset::count> list;
    int count = 0, nearest_d2 = std::numeric_limits<int>::max();
    float nearest = 0;
};

struct Continuation {
    const Grid& grid;
    const Solids& solids;
    View3<const float> phi;

    // The samples outside the solid, on the side nearest to the cell: a wall has another side. The limit is a rounding
    // error: the samples in the row of a cell whose nearest surface lies on the floor are on neither side.
    void sampleAround(Int3 c, int radius, Float3 out_of_solid, Samples& samples) const
    {
        const float least = -1e-3f * (std::abs(out_of_solid.x) + std::abs(out_of_solid.y) + std::abs(out_of_solid.z));
        const IndexBox window = intersection(
            {c - Int3{radius, radius, radius}, c + Int3{radius + 1, radius + 1, radius + 1}}, {{0, 0, 0}, grid.cells});
        forEachCell(window, [&](int i, int j, int k) {
            const Int3 q{i, j, k}, o = q - c;
            const float out = float(o.x) * out_of_solid.x + float(o.y) * out_of_solid.y + float(o.z) * out_of_solid.z;
            if (out < least || solids.covers(q)) return;  // excludes the cell itself
            samples.add(Offset::indexOf(o), phi(q));
        });
    }
    // phi at the cell centre nearest to a point 1.5 cells outside the solid; 0 if that is again inside a solid.
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
        if (solids.isInert(c)) return solids.isEnclosed(c) ? std::copysign(grid.band, phi(c)) : grid.band;
        const Float3 out = solids.gradient(c.x, c.y, c.z);
        // Far from the surface only the sign matters, and most of a solid is far from it.
        if (const float beyond = phiOutside(c, out); std::abs(beyond) >= grid.band) return beyond;
        for (int radius = 2;; ++radius) {
            const bool last_try = radius == Offset::widest;
            Samples samples(0.99f * grid.band);
            sampleAround(c, radius, out, samples);
            if (samples.empty() && !last_try) continue;
            if (samples.empty()) sampleAround(c, radius, {}, samples);  // its side lies on a wall or on a body
            if (samples.empty()) return grid.band;
            if (samples.areFar()) return samples.nearestValue();
            double value = 0;
            if (!samples.fit(grid.cells.z == 1, last_try, value)) continue;
            return std::clamp(float(samples.limited(value, grid.h)), -grid.band, grid.band);
        }
    }
};

// Air cells next to a solid: those with a face or their centre in it, according to the distances. Nearly all of them
// have open air as a neighbour; the others are listed here.
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
    // The connected air cells with open faces to liquid, but not to other air or out of the domain.
    std::vector<Int3> cutOff() const
    {
        std::unordered_map<size_t, int> place;
        for (size_t n = 0; n < cells.size(); ++n) place.emplace(key(cells[n]), int(n));
        std::vector<uint8_t> visited(cells.size(), 0);
        std::vector<Int3> drains, room;
        for (size_t first = 0; first < cells.size(); ++first) {
            if (visited[first]) continue;
            bool open = false, wet = false;  // neither: a dry cavity in a solid
            visited[first] = 1;
            room.assign(1, cells[first]);
            for (size_t n = 0; n < room.size(); ++n) {
                const Int3 c = room[n];
                wet |= meetsLiquid(c);
                forNeighbours(c, [&](Int3 q) {
                    if (!isMember(q)) return;
                    const auto at = place.find(key(q));
                    open |= at == place.end();  // connected to the open air
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
    // f(cell) for the neighbours across faces that are at least partly open; f({-1, -1, -1}) for an open boundary of
    // the domain.
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
    // Whether at least one face is open, but none to the open air.
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
    fillGhostCells(grid, near, s.phi.view());
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
