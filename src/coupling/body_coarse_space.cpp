#include "coupling/body_coarse_space.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <functional>
#include <iterator>

#include "core/lanes.h"

namespace flotsam {

namespace {

using Vector6 = BodyCoarseSpace::Vector6;

// Motions with less added mass, relative to the mass, have no mode. An eigenvalue of the preconditioned system without
// modes is 1 + ratio: 200 balls of half the density of water take 11.0 iterations, 200 immovable ones 9.0, and the
// modes would cost more time than the difference.
constexpr double least_ratio = 2;
constexpr size_t most_modes = 2048;  // the time to factor E grows faster than their number
// A is singular in a sealed region, where modes would grow without limit: those of bodies are zero in regions up to
// this size. Where bodies determine the pressure, the region has its constant as a mode. In larger regions the boxes of
// modes end within the region.
constexpr long long most_pocket_cells = 512;
// E is factored with this compliance of the scaled constraint rows and of the modes: both may depend on one another.
constexpr double compliance_of_rows = 1e-8, compliance_of_modes = 1e-6;

double leastRatio(const std::vector<AddedMass>& motions)
{
    std::vector<double> ratios;
    for (const AddedMass& m : motions)
        std::copy_if(std::begin(m.ratios), std::end(m.ratios), std::back_inserter(ratios),
                     [](double r) { return r > least_ratio; });
    if (ratios.size() <= most_modes) return least_ratio;
    std::nth_element(ratios.begin(), ratios.begin() + most_modes, ratios.end(), std::greater<>());
    return ratios[most_modes];
}

bool meet(IndexBox a, IndexBox b) { return !intersection(a, b).empty(); }

// f(first cell, its offset in the box of the modes, count, index in a field) for each row of cells in one brick.
template <class F>
void forRowsIn(const BodyModes& m, IndexBox part, const BrickSlots& slots, const F& f)
{
    for (int k = part.lo.z; k < part.hi.z; ++k)
        for (int j = part.lo.y; j < part.hi.y; ++j)
            for (int i = part.lo.x, end; i < part.hi.x; i = end) {
                end = std::min(part.hi.x, (i / Bricks::side.x + 1) * Bricks::side.x);
                f(m.rowAt(j, k) + size_t(i - m.box.lo.x) * size_t(m.stride), size_t(end - i), slots.index(i, j, k));
            }
}

// f(V{}) with the lanes of a cell of the modes.
template <class F>
void withLanes(const BodyModes& m, const F& f)
{
    if (m.stride == 4)
        f(Float4{});
    else
        f(Float8{});
}

template <class V>
V lanesAt(const float* values)
{
    V v;
    std::memcpy(&v, values, sizeof v);
    return v;
}

bool isSmall(const SealedPocket& pocket) { return pocket.cells <= most_pocket_cells; }

// Whether bodies determine its pressure, or at least the difference to that of another pocket.
bool hasPressure(const SealedPocket& pocket, const std::vector<SealedPocket>& pockets)
{
    return pocket.group < 0 || std::any_of(pockets.begin(), pockets.end(), [&](const SealedPocket& other) {
               return &other != &pocket && other.group == pocket.group;
           });
}

std::vector<size_t> cellsOfSmall(const std::vector<SealedPocket>& pockets, const BrickSlots& slots)
{
    std::vector<size_t> cells;
    for (const SealedPocket& pocket : pockets)
        for (const SealedPocket::Run& run : pocket.runs)
            for (int i = run.begin; i < run.end && isSmall(pocket); ++i) cells.push_back(slots.index(i, run.j, run.k));
    std::sort(cells.begin(), cells.end());
    return cells;
}

BodyCoarseSpace::Entries withoutCells(const std::vector<size_t>& cells, BodyCoarseSpace::Entries entries)
{
    for (std::vector<BodyEntry>& list : entries)
        std::erase_if(list, [&](const BodyEntry& e) { return std::binary_search(cells.begin(), cells.end(), e.cell); });
    return entries;
}

// 1 in the cells of a sealed region, where A z = 0.
BodyModes constantOf(const SealedPocket& pocket)
{
    const auto& first = pocket.runs.front();
    BodyModes m;
    m.box = {{first.begin, first.j, first.k}, {first.end, first.j + 1, first.k + 1}};
    for (const SealedPocket::Run& run : pocket.runs) {
        m.box.lo = min(m.box.lo, Int3{run.begin, run.j, run.k});
        m.box.hi = max(m.box.hi, Int3{run.end, run.j + 1, run.k + 1});
    }
    m.count = 1;
    m.stride = 4;
    m.z.assign(size_t(flotsam::product(m.box.size())) * size_t(m.stride), 0);
    m.az = m.z;
    for (const SealedPocket::Run& run : pocket.runs)
        for (int i = run.begin; i < run.end; ++i)
            m.z[m.rowAt(run.j, run.k) + size_t(i - m.box.lo.x) * size_t(m.stride)] = 1;
    return m;
}

// Sum of values times v over the cells, for each mode. Two sums, so that an addition need not wait for the last one.
template <class V>
V product(const BodyModes& m, const float* values, const float* v, const BrickSlots& slots)
{
    constexpr size_t lanes = sizeof(V) / sizeof(float);
    V even{}, odd{};
    forRowsIn(m, m.box, slots, [&](size_t offset, size_t count, size_t index) {
        const float *from = values + offset, *with = v + index;
        size_t n = 0;
        for (; n + 1 < count; n += 2) {
            even += with[n] * lanesAt<V>(from + lanes * n);
            odd += with[n + 1] * lanesAt<V>(from + lanes * (n + 1));
        }
        if (n < count) even += with[n] * lanesAt<V>(from + lanes * n);
    });
    return even + odd;
}

// v += scale values y in the cells of a brick.
template <class V, class T>
void addSum(const BodyModes& m, const float* values, const double* y, IndexBox part, const BrickSlots& slots,
            float scale, T* v)
{
    constexpr int lanes = sizeof(V) / sizeof(float);
    float weight[lanes] = {};
    for (int c = 0; c < m.count; ++c) weight[c] = scale * float(y[c]);
    forRowsIn(m, part, slots, [&](size_t offset, size_t count, size_t index) {
        const float* from = values + offset;
        for (size_t n = 0; n < count; ++n) {
            float sum = 0;
            for (size_t c = 0; c < lanes; ++c) sum += weight[c] * from[lanes * n + c];
            v[index + n] += T(sum);
        }
    });
}

}  // namespace

struct BodyCoarseSpace::Factors : Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> {
    using SimplicialLDLT::SimplicialLDLT;
};

bool BodyCoarseSpace::prepare(int build_of_solver, const Entries& entries, const ConstrainedMass& mass, double cell_kg,
                              const PoissonLevel& level, const std::vector<SealedPocket>& pockets)
{
    std::vector<char> determined;
    for (const SealedPocket& pocket : pockets) determined.push_back(isSmall(pocket) && hasPressure(pocket, pockets));
    const bool is_new = build_of_modes != build_of_solver;
    if (is_new) build(entries, mass, cell_kg, level, pockets);
    if (is_new || determined != with_mode) {
        with_mode = determined;
        addPockets(entries, level, pockets);
        is_factored = false;
    }
    build_of_modes = build_of_solver;
    if (!is_factored) has_factors = columns > 0 && factor(mass);
    is_factored = true;
    return has_factors;
}

void BodyCoarseSpace::build(const Entries& entries, const ConstrainedMass& mass, double cell_kg,
                            const PoissonLevel& level, const std::vector<SealedPocket>& pockets)
{
    const size_t count = entries.size();
    const std::vector<size_t> excluded = cellsOfSmall(pockets, level.slots);
    const Entries others = excluded.empty() ? Entries{} : withoutCells(excluded, entries);
    const Entries& outside = excluded.empty() ? entries : others;
    cell_mass_kg = cell_kg;
    fine = &level;
    std::vector<AddedMass> motions(count);
    parallelTasks("coupling.modes", int(count), [&](int n) {
        motions[size_t(n)] = addedMass(outside[size_t(n)], cell_kg * mass.inverseOf(size_t(n)), level);
    });
    const double least = leastRatio(motions);
    body_of.clear();
    first_column.clear();
    columns = 0;
    for (size_t i = 0; i < count; ++i)
        if (const int light = motions[i].countAbove(least); light > 0) {
            body_of.push_back(int(i));
            first_column.push_back(columns);
            columns += light;
        }
    modes.resize(body_of.size());
    parallelTasks("coupling.modes", int(modes.size()), [&](int n) {
        const size_t i = size_t(body_of[size_t(n)]);
        fillModes(outside[i], motions[i], motions[i].countAbove(least), level, modes[size_t(n)]);
    });
}

void BodyCoarseSpace::addPockets(const Entries& entries, const PoissonLevel& level,
                                 const std::vector<SealedPocket>& pockets)
{
    modes.resize(body_of.size());
    first_column.resize(body_of.size());
    columns = 0;
    for (const BodyModes& m : modes) columns += m.count;
    for (size_t n = 0; n < pockets.size(); ++n)
        if (with_mode[n]) {
            modes.push_back(constantOf(pockets[n]));
            first_column.push_back(columns++);
        }
    if (columns == 0) return;
    findPieces(level.slots);
    findBlocks(entries, level);
    y = Eigen::VectorXd::Zero(columns);
    impulses_of_y.assign(entries.size(), Vector6::Zero());
}

void BodyCoarseSpace::findPieces(const BrickSlots& slots)
{
    pieces.clear();
    for (size_t n = 0; n < modes.size(); ++n) {
        const IndexBox& box = modes[n].box;
        const Int3 lo = slots.bricks.ofCell(box.lo), hi = slots.bricks.ofCell(box.hi - Int3{1, 1, 1}) + Int3{1, 1, 1};
        forEachCell({lo, hi}, [&](int i, int j, int k) {
            if (const int slot = slots.slotOf({i, j, k}); slot > 0) pieces.push_back({slot, int(n)});
        });
    }
    std::stable_sort(pieces.begin(), pieces.end(), [](const Piece& a, const Piece& b) { return a.slot < b.slot; });
    first_piece.clear();
    for (size_t n = 0; n < pieces.size(); ++n)
        if (n == 0 || pieces[n].slot != pieces[n - 1].slot) first_piece.push_back(n);
    first_piece.push_back(pieces.size());
}

// f(modes, their cells in the brick) brick by brick: modes overlap, and no two tasks may write to the same cell.
template <class F>
void BodyCoarseSpace::forPieces(const F& f) const
{
    parallelTasks("coupling.prolong", int(first_piece.size()) - 1, [&](int task) {
        for (size_t n = first_piece[size_t(task)]; n < first_piece[size_t(task) + 1]; ++n) {
            const BodyModes& m = modes[size_t(pieces[n].modes)];
            const BrickSlots& slots = fine->slots;
            f(m, first_column[size_t(pieces[n].modes)],
              intersection(m.box, slots.bricks.box(slots.brickOf(pieces[n].slot))));
        }
    });
}

// Z_a^T A Z_b
Eigen::MatrixXd BodyCoarseSpace::overlap(const BodyModes& a, const BodyModes& b) const
{
    const IndexBox both = intersection(a.box, b.box);
    Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(a.count, b.count);
    Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, 0, 8, 8> row(a.stride, b.stride);
    const size_t length = size_t(both.size().x);
    for (int k = both.lo.z; k < both.hi.z; ++k)
        for (int j = both.lo.y; j < both.hi.y; ++j) {
            using Rows = Eigen::Map<const Eigen::MatrixXf>;
            const Rows of_a(a.z.data() + a.rowAt(j, k) + size_t(both.lo.x - a.box.lo.x) * size_t(a.stride), a.stride,
                            Eigen::Index(length));
            const Rows of_b(b.az.data() + b.rowAt(j, k) + size_t(both.lo.x - b.box.lo.x) * size_t(b.stride), b.stride,
                            Eigen::Index(length));
            row.noalias() = of_a.lazyProduct(of_b.transpose());
            sum += row.topLeftCorner(a.count, b.count).cast<double>();
        }
    return sum;
}

void BodyCoarseSpace::findBlocks(const Entries& entries, const PoissonLevel& level)
{
    const auto valueAt = [&](const BodyModes& m, Int3 c, int n) {
        return double(m.z[m.rowAt(c.y, c.z) + size_t(c.x - m.box.lo.x) * size_t(m.stride) + size_t(n)]);
    };
    blocks.assign(entries.size(), {});
    parallelTasks("coupling.modes", int(entries.size()), [&](int task) {
        const std::vector<BodyEntry>& list = entries[size_t(task)];
        if (list.empty()) return;
        const IndexBox box = boxOf(list, level.slots);
        std::vector<Int3> cells;
        for (const BodyEntry& e : list) cells.push_back(cellAt(level.slots, e.cell));
        for (size_t n = 0; n < modes.size(); ++n) {
            const BodyModes& m = modes[n];
            if (!meet(box, m.box)) continue;
            Block block{int(n), Eigen::MatrixXd::Zero(6, m.count)};
            for (size_t e = 0; e < list.size(); ++e)
                if (m.box.contains(cells[e]))
                    for (int c = 0; c < m.count; ++c) block.value.col(c) += valueAt(m, cells[e], c) * list[e].row;
            blocks[size_t(task)].push_back(std::move(block));
        }
    });
    own.assign(modes.size(), {});
    parallelTasks("coupling.modes", int(modes.size()), [&](int task) {
        const size_t a = size_t(task);
        for (size_t b = 0; b <= a; ++b)
            if (meet(modes[a].box, modes[b].box)) own[a].push_back({int(b), overlap(modes[a], modes[b])});
    });
}

// E = Z^T A Z + (J Z)^T T (J Z) with the constrained inverse mass T = rho h^3 C. C is dense where contacts connect many
// bodies. So the impulses of the constraint rows N are unknowns as well, and what is factored is sparse:
//     | Z^T A Z + g G^T M^-1 G    .                |        g = rho h^3, G = J Z
//     | g^1/2 N M^-1 G            N M^-1 N^T + S   |        E is its Schur complement
bool BodyCoarseSpace::factor(const ConstrainedMass& mass)
{
    const double g = cell_mass_kg;
    std::vector<std::vector<int>> touched(modes.size());  // bodies, by modes
    std::vector<std::vector<Eigen::MatrixXd>> moved(blocks.size());
    for (size_t i = 0; i < blocks.size(); ++i)
        for (const Block& block : blocks[i]) {
            touched[size_t(block.modes)].push_back(int(i));
            moved[i].push_back(mass.inverseOf(i) * block.value);
        }
    std::vector<std::vector<Eigen::Triplet<double>>> of_modes(modes.size());
    parallelTasks("coupling.modes", int(modes.size()), [&](int task) {
        const size_t a = size_t(task);
        std::vector<Eigen::MatrixXd> row(a + 1);
        for (const auto& [b, value] : own[a]) row[size_t(b)] = value;
        for (const int body : touched[a]) {
            const std::vector<Block>& list = blocks[size_t(body)];
            const auto here = std::find_if(list.begin(), list.end(), [&](const Block& o) { return o.modes == task; });
            for (size_t n = 0; n < list.size() && list[n].modes <= task; ++n) {
                Eigen::MatrixXd& to = row[size_t(list[n].modes)];
                if (to.size() == 0) to = Eigen::MatrixXd::Zero(modes[a].count, modes[size_t(list[n].modes)].count);
                to.noalias() += g * here->value.transpose() * moved[size_t(body)][n];
            }
        }
        for (size_t b = 0; b <= a; ++b)
            for (int i = 0; i < row[b].rows(); ++i)
                for (int j = 0; j < row[b].cols(); ++j)
                    if (const int r = first_column[a] + i, c = first_column[b] + j; r >= c)
                        of_modes[a].emplace_back(r, c, row[b](i, j) + (r == c ? compliance_of_modes : 0));
    });
    std::vector<Eigen::Triplet<double>> entries;
    for (const auto& list : of_modes) entries.insert(entries.end(), list.begin(), list.end());
    const int rows = int(mass.rowCount());
    for (size_t i = 0; i < blocks.size() && rows > 0; ++i)
        for (const ConstrainedMass::Entry& e : mass.scaledRows(i))
            for (size_t n = 0; n < blocks[i].size(); ++n) {
                const Eigen::VectorXd rate = std::sqrt(g) * moved[i][n].transpose() * e.on_body;
                for (int c = 0; c < rate.size(); ++c)
                    entries.emplace_back(columns + e.row, first_column[size_t(blocks[i][n].modes)] + c, rate[c]);
            }
    for (const ConstrainedMass::Element& e : mass.scaledResponse())
        entries.emplace_back(columns + e.row, columns + e.column,
                             e.value + (e.row == e.column ? compliance_of_rows : 0));
    Eigen::SparseMatrix<double> matrix(columns + rows, columns + rows);
    matrix.setFromTriplets(entries.begin(), entries.end());
    factors = std::make_shared<const Factors>(matrix);
    return factors->info() == Eigen::Success;
}

double BodyCoarseSpace::solve(const float* r, const float* z, const std::vector<Vector6>* velocities)
{
    Eigen::VectorXd of_r = Eigen::VectorXd::Zero(columns), rest = Eigen::VectorXd::Zero(factors->rows());
    parallelTasks("coupling.restrict", int(modes.size()), [&](int task) {
        const BodyModes& m = modes[size_t(task)];
        float first[8] = {}, second[8] = {};
        withLanes(m, [&]<class V>(V) {
            const V with_r = product<V>(m, m.z.data(), r, fine->slots);
            const V with_z = z ? product<V>(m, m.az.data(), z, fine->slots) : V{};
            std::memcpy(first, &with_r, sizeof with_r);
            std::memcpy(second, &with_z, sizeof with_z);
        });
        for (int c = 0; c < m.count; ++c) {
            of_r[first_column[size_t(task)] + c] = double(first[c]);
            rest[first_column[size_t(task)] + c] = double(first[c]) - double(second[c]);
        }
    });
    if (velocities)
        for (size_t i = 0; i < blocks.size(); ++i)
            for (const Block& block : blocks[i])
                rest.segment(first_column[size_t(block.modes)], block.value.cols()) -=
                    block.value.transpose() * (*velocities)[i];
    y = factors->solve(rest).head(columns);
    return y.dot(of_r);
}

template <class T>
void BodyCoarseSpace::addTo(T* v) const
{
    forPieces([&](const BodyModes& m, int column, IndexBox part) {
        withLanes(m, [&]<class V>(V) { addSum<V>(m, m.z.data(), y.data() + column, part, fine->slots, 1, v); });
    });
}
template void BodyCoarseSpace::addTo(float*) const;
template void BodyCoarseSpace::addTo(double*) const;

void BodyCoarseSpace::subtractProduct(float* r) const
{
    forPieces([&](const BodyModes& m, int column, IndexBox part) {
        withLanes(m, [&]<class V>(V) { addSum<V>(m, m.az.data(), y.data() + column, part, fine->slots, -1, r); });
    });
}

const std::vector<Vector6>& BodyCoarseSpace::impulses()
{
    for (size_t i = 0; i < blocks.size(); ++i) {
        impulses_of_y[i].setZero();
        for (const Block& block : blocks[i])
            impulses_of_y[i] += block.value * y.segment(first_column[size_t(block.modes)], block.value.cols());
    }
    return impulses_of_y;
}

}  // namespace flotsam
