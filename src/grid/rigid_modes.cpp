#include "grid/rigid_modes.h"

#include <Eigen/SparseCholesky>
#include <algorithm>

#include "grid/rigid_groups.h"

namespace flotsam {

namespace {

constexpr double most_work = 12e3;    // multiplications of a factorisation, per unknown of A
constexpr int most_unknowns = 24000;  // more are too many to factorise: the smallest boxes are enlarged
constexpr int groups_per_task = 64;

using Group = RigidGroups::Group;
using Face = RigidGroups::Face;

long long unknownsOf(const StressRows& rows)
{
    long long count = 0;
    for (int axis = 0; axis < 3; ++axis)
        for (const LaneGroup& eight : rows.level(axis).eights) count += __builtin_popcount(eight.unknown);
    return count;
}

// A block of B^T A B: the coupling of the motions of two groups.
struct Block {
    int group;
    double value[6][6];
};

std::vector<Block> blocksOf(const StressRows& rows, const RigidGroups& all, int n)
{
    const Group& self = all.groups[size_t(n)];
    std::vector<Block> blocks;
    const auto add = [&](const Face& face, int axis, Int3 at, double value) {
        const int other = all.of_face[axis].data()[rows.index(at)] - 1;
        if (other < 0 || value == 0) return;
        auto block = std::find_if(blocks.begin(), blocks.end(), [&](const Block& b) { return b.group == other; });
        if (block == blocks.end()) block = blocks.insert(block, Block{other, {}});
        self.forMotionsOf(face.axis, face.at, [&](size_t i, double here) {
            all.groups[size_t(other)].forMotionsOf(
                axis, at, [&](size_t j, double there) { block->value[i][j] += value * here * there; });
        });
    };
    for (int m = self.first_face; m < self.first_face + self.faces; ++m) {
        const Face& face = all.faces[size_t(m)];
        const double diagonal =
            rows.forEntries(face.axis, face.at, [&](int axis, Int3 at, double value) { add(face, axis, at, value); });
        add(face, face.axis, face.at, diagonal);
    }
    std::sort(blocks.begin(), blocks.end(), [](const Block& a, const Block& b) { return a.group < b.group; });
    return blocks;
}

// Estimates the cost of a factorisation once its pattern is analysed.
struct Cholesky : Eigen::SimplicialLLT<Eigen::SparseMatrix<double>> {
    double work() const
    {
        double sum = 0;
        for (Eigen::Index n = 0; n < m_nonZerosPerCol.size(); ++n)
            sum += double(m_nonZerosPerCol[n]) * double(m_nonZerosPerCol[n]);
        return sum;
    }
};

}  // namespace

struct RigidModes::Parts {
    explicit Parts(Int3 cells) : all(cells) {}

    void assemble(const StressRows& rows);
    void solve(const StressSystem& system, bool less_black);
    template <class Add>
    void spread(const Add& add) const;
    template <class F>
    void forGroups(const char* label, const F& f) const
    {
        const int count = int(all.groups.size());
        parallelTasks(label, (count + groups_per_task - 1) / groups_per_task, [&](int task) {
            for (int n = task * groups_per_task; n < std::min(count, (task + 1) * groups_per_task); ++n) f(n);
        });
    }

    RigidGroups all;
    Eigen::SparseMatrix<double> matrix;  // its lower triangle
    Cholesky factor;
    Eigen::VectorXd v;
};

// In double: for a piece that moves rigidly, the stiffness cancels and only the mass remains, a millionth of it.
void RigidModes::Parts::assemble(const StressRows& rows)
{
    std::vector<std::vector<Block>> of_group(all.groups.size());
    forGroups("viscosity.galerkin", [&](int n) { of_group[size_t(n)] = blocksOf(rows, all, n); });
    // Column by column, rows in order.
    std::vector<int> begin{0}, row;
    std::vector<double> value;
    for (size_t n = 0; n < all.groups.size(); ++n)
        forMotions(all.groups[n].motions, [&](size_t i, int) {
            const int column = int(begin.size()) - 1;
            for (const Block& block : of_group[n]) {
                const Group& other = all.groups[size_t(block.group)];
                forMotions(other.motions, [&](size_t j, int rank) {
                    if (other.first_unknown + rank < column) return;
                    row.push_back(other.first_unknown + rank);
                    value.push_back(block.value[i][j]);
                });
            }
            begin.push_back(int(row.size()));
        });
    matrix = Eigen::Map<const Eigen::SparseMatrix<double>>(all.unknowns, all.unknowns, Eigen::Index(row.size()),
                                                           begin.data(), row.data(), value.data());
}

void RigidModes::Parts::solve(const StressSystem& system, bool less_black)
{
    const float *r[3], *black[3];
    for (int a = 0; a < 3; ++a) {
        r[a] = system.component[a].fine().r.data();
        black[a] = system.component[a].fine().z_black.data();
    }
    forGroups("viscosity.gather", [&](int n) {
        const Group& g = all.groups[size_t(n)];
        Motion sum{};
        for (int m = g.first_face; m < g.first_face + g.faces; ++m) {
            const Face& face = all.faces[size_t(m)];
            const double value =
                double(r[face.axis][face.index]) - (less_black ? double(black[face.axis][face.index]) : 0.0);
            g.forMotionsOf(face.axis, face.at, [&](size_t i, double part) { sum[i] += value * part; });
        }
        forMotions(g.motions, [&](size_t i, int rank) { v[g.first_unknown + rank] = sum[i]; });
    });
    const KernelTimer timer("viscosity.modes");
    v = factor.solve(v);
}

// add(face, value) for each face that v moves.
template <class Add>
void RigidModes::Parts::spread(const Add& add) const
{
    forGroups("viscosity.spread", [&](int n) {
        const Group& g = all.groups[size_t(n)];
        Motion moved{};
        forMotions(g.motions, [&](size_t i, int rank) { moved[i] = v[g.first_unknown + rank]; });
        for (int m = g.first_face; m < g.first_face + g.faces; ++m) {
            const Face& face = all.faces[size_t(m)];
            double value = 0;
            g.forMotionsOf(face.axis, face.at, [&](size_t i, double part) { value += part * moved[i]; });
            add(face, value);
        }
    });
}

RigidModes::RigidModes(Int3 cells) : parts(std::make_unique<Parts>(cells)) {}
RigidModes::RigidModes(RigidModes&&) noexcept = default;
RigidModes::~RigidModes() = default;

bool RigidModes::build(const StressSystem& system)
{
    const StressRows rows(system);
    // Starts from boxes of one cell, where every face is on its own: for many separate drops and the like, whose
    // factors are small.
    for (int least_side : {1, 2, 4, 8}) {
        parts->all.make(rows, least_side);
        if (parts->all.unknowns == 0) return false;
        if (parts->all.unknowns > most_unknowns) continue;
        parts->assemble(rows);
        const KernelTimer timer("viscosity.factorise");
        parts->factor.analyzePattern(parts->matrix);
        if (parts->factor.work() > most_work * double(unknownsOf(rows))) continue;
        parts->factor.setShift(0);
        parts->factor.factorize(parts->matrix);
        if (parts->factor.info() != Eigen::Success) {  // rounding of A made the energy of a motion negative
            parts->factor.setShift(1e-6);
            parts->factor.factorize(parts->matrix);
        }
        parts->v.resize(parts->all.unknowns);
        return parts->factor.info() == Eigen::Success;
    }
    return false;
}

void RigidModes::correctSolution(const StressSystem& system)
{
    parts->solve(system, false);
    parts->spread([&](const Face& f, double value) { system.component[f.axis].solution().data()[f.index] += value; });
}

void RigidModes::correctCycle(const StressSystem& system)
{
    parts->solve(system, true);
    parts->spread(
        [&](const Face& f, double value) { system.component[f.axis].fine().z.data()[f.index] += float(value); });
}

}  // namespace flotsam
