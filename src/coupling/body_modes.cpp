#include "coupling/body_modes.h"

#include <algorithm>

#include "core/lanes.h"

namespace flotsam {

namespace {

using Vector6 = BodyEntry::Vector6;
using Matrix6 = AddedMass::Matrix6;

// The second-largest extent of a box: the diameter of a ball, a disk or a plate, the thickness of a rod.
int widthOf(IndexBox box)
{
    const Int3 n = box.size();
    return std::max(std::min(n.x, n.y), std::min(std::max(n.x, n.y), n.z));
}

// A in a box of cells, with a layer of zeros around them.
struct LocalOperator {
    IndexBox box;
    Int3 size;
    std::vector<float> low[3], diagonal, inverse;  // inverse: zero outside `inside`, where z is zero

    LocalOperator(const PoissonLevel& level, IndexBox box_, IndexBox inside)
        : box(box_), size(box.size() + Int3{2, 2, 2})
    {
        const size_t cells = size_t(size.x) * size_t(size.y) * size_t(size.z);
        for (auto& c : low) c.assign(cells, 0);
        diagonal.assign(cells, 0);
        inverse.assign(cells, 0);
        forEachCell({box.lo, box.hi + Int3{1, 1, 1}}, [&](int i, int j, int k) {
            const size_t from = level.slots.index(i, j, k), to = at({i, j, k});
            for (int a = 0; a < 3; ++a) low[a][to] = level.coupling[a].data()[from];
            const float inv = level.inverse.data()[from];
            diagonal[to] = inv > 0 ? 1 / inv : 0;
            inverse[to] = inside.contains({i, j, k}) ? inv : 0;
        });
    }
    size_t at(Int3 c) const
    {
        const Int3 from = c - box.lo + Int3{1, 1, 1};
        return size_t(from.x) + size_t(size.x) * (size_t(from.y) + size_t(size.y) * size_t(from.z));
    }
    template <class F>
    void forRows(const F& f) const
    {
        for (int k = box.lo.z; k < box.hi.z; ++k)
            for (int j = box.lo.y; j < box.hi.y; ++j) f(at({box.lo.x, j, k}), j, k);
    }
    template <class V>
    void multiply(const V* p, V* ap) const
    {
        const size_t y = size_t(size.x), z = y * size_t(size.y);
        forRows([&](size_t first, int, int) {
            for (size_t n = first; n < first + y - 2; ++n)
                ap[n] = diagonal[n] * p[n] - low[0][n] * p[n - 1] - low[0][n + 1] * p[n + 1] - low[1][n] * p[n - y] -
                        low[1][n + y] * p[n + y] - low[2][n] * p[n - z] - low[2][n + z] * p[n + z];
        });
    }
};

template <class V>
V quotient(const V& a, const V& b)
{
    V q{};
    for (size_t n = 0; n < sizeof(V) / sizeof(float); ++n) q[n] = b[n] > 0 ? a[n] / b[n] : 0;
    return q;
}

// Conjugate gradients for all modes at once, each with coefficients of its own, preconditioned by the diagonal.
template <class V>
void solveModes(const std::vector<BodyEntry>& entries, const AddedMass& motions, const PoissonLevel& level,
                IndexBox inside, int iterations, BodyModes& modes)
{
    const LocalOperator a(level, modes.box, inside);
    const size_t cells = a.inverse.size();
    std::vector<V> r(cells, V{}), z(cells, V{}), p(cells, V{}), ap(cells, V{});
    for (const BodyEntry& e : entries) {
        const Vector6 flow = motions.flows.transpose() * e.row;
        V& to = r[a.at(cellAt(level.slots, e.cell))];
        for (int n = 0; n < modes.count; ++n) to[size_t(n)] = float(flow[n]);
    }
    const auto residualNorm = [&] {
        V sum{};
        for (size_t n = 0; n < cells; ++n) sum += a.inverse[n] * r[n] * r[n];
        return sum;
    };
    V rho = residualNorm(), beta{};
    for (int iteration = 0; iteration < iterations; ++iteration) {
        for (size_t n = 0; n < cells; ++n) p[n] = a.inverse[n] * r[n] + beta * p[n];
        a.multiply(p.data(), ap.data());
        V energy{};
        for (size_t n = 0; n < cells; ++n) energy += p[n] * ap[n];
        const V alpha = quotient(rho, energy);
        for (size_t n = 0; n < cells; ++n) {
            z[n] += alpha * p[n];
            r[n] -= alpha * ap[n];
        }
        const V next = residualNorm();
        beta = quotient(next, rho);
        rho = next;
    }
    a.multiply(z.data(), ap.data());
    V energy{}, scale{};
    for (size_t n = 0; n < cells; ++n) energy += z[n] * ap[n];
    for (size_t n = 0; n < sizeof(V) / sizeof(float); ++n) scale[n] = energy[n] > 0 ? 1 / std::sqrt(energy[n]) : 0;
    const Int3 size = modes.box.size();
    a.forRows([&](size_t first, int j, int k) {
        const size_t to = modes.rowAt(j, k), lanes = sizeof(V) / sizeof(float);
        for (size_t n = 0; n < size_t(size.x); ++n) {
            const V scaled = scale * z[first + n], product = scale * ap[first + n];
            std::memcpy(&modes.z[to + lanes * n], &scaled, sizeof scaled);
            std::memcpy(&modes.az[to + lanes * n], &product, sizeof product);
        }
    });
}

}  // namespace

Int3 cellAt(const BrickSlots& slots, size_t index)
{
    const Int3 lo = slots.bricks.box(slots.brickOf(int(index / BrickSlots::cells_per_brick))).lo;
    const int at = int(index % BrickSlots::cells_per_brick);
    return lo + Int3{at % BrickSlots::row, at % BrickSlots::plane / BrickSlots::row, at / BrickSlots::plane};
}

IndexBox boxOf(const std::vector<BodyEntry>& entries, const BrickSlots& slots)
{
    IndexBox box{{0, 0, 0}, {0, 0, 0}};
    for (size_t n = 0; n < entries.size(); ++n) {
        const Int3 c = cellAt(slots, entries[n].cell), end = c + Int3{1, 1, 1};
        box = n == 0 ? IndexBox{c, end} : IndexBox{min(box.lo, c), max(box.hi, end)};
    }
    return box;
}

int AddedMass::countAbove(double ratio) const
{
    return int(std::count_if(std::begin(ratios), std::end(ratios), [&](double r) { return r > ratio; }));
}

// The added mass rho h^3 J A^-1 J^T with A^-1 estimated: its diagonal times the width of the body in cells. For a ball
// in unbounded liquid J A^-1 J^T is 1.5 diameters times J D^-1 J^T, for a disk across its plane 1.3.
AddedMass addedMass(const std::vector<BodyEntry>& entries, const Matrix6& inverse_mass, const PoissonLevel& level)
{
    AddedMass motions;
    motions.flows.setZero();
    if (entries.empty()) return motions;
    const Eigen::SelfAdjointEigenSolver<Matrix6> mass(inverse_mass);
    const Matrix6 root =
        mass.eigenvectors() * mass.eigenvalues().cwiseMax(0).cwiseSqrt().asDiagonal() * mass.eigenvectors().transpose();
    Matrix6 sum = Matrix6::Zero();
    for (const BodyEntry& e : entries) sum += double(level.inverse.data()[e.cell]) * e.row * e.row.transpose();
    const Eigen::SelfAdjointEigenSolver<Matrix6> added(root * sum * root);
    const double width = widthOf(boxOf(entries, level.slots));
    for (int n = 0; n < 6; ++n) {
        motions.ratios[n] = width * added.eigenvalues()[5 - n];
        motions.flows.col(n) = root * added.eigenvectors().col(5 - n);
    }
    return motions;
}

// The pressure of a motion fades over about the radius of the body. Half of that, and a few iterations, are enough: of
// 8 balls of 20 cells diameter, margins of 0, 1, 2 and 4 cells took 15, 15, 12 and 11 iterations, no modes 29; for
// balls of 6 cells, margins of 0 and 3 cells 9.4 and 9.0, no modes 23.
void fillModes(const std::vector<BodyEntry>& entries, const AddedMass& motions, int count, const PoissonLevel& level,
               BodyModes& modes)
{
    const IndexBox body = boxOf(entries, level.slots);
    const int margin = std::clamp((widthOf(body) - 6) / 4, 0, 4), iterations = 4 + 2 * margin;
    modes.count = count;
    modes.stride = count > 4 ? 8 : 4;
    const IndexBox domain{{0, 0, 0}, level.slots.bricks.cells}, inside = intersection(grown(body, margin), domain);
    modes.box = intersection(grown(inside, 1), domain);
    const Int3 n = modes.box.size();
    const size_t values = size_t(n.x) * size_t(n.y) * size_t(n.z) * size_t(modes.stride);
    modes.z.resize(values);
    modes.az.resize(values);
    if (modes.stride == 4)
        solveModes<Float4>(entries, motions, level, inside, iterations, modes);
    else
        solveModes<Float8>(entries, motions, level, inside, iterations, modes);
}

}  // namespace flotsam
