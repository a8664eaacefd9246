#include "rigid/constrained_mass.h"

#include <Eigen/SparseCholesky>

#include "core/check.h"
#include "rigid/joint_tree.h"

namespace flotsam {

namespace {

// Rows may follow from others (a box between two walls, a planar linkage in space). A compliance of this fraction of
// its diagonal element makes the matrix positive definite, and refinement removes its effect on the changes: each pass
// multiplies the error by the compliance over the smallest eigenvalue that is not zero.
constexpr double redundant_compliance = 1e-10;
constexpr int refinements = 3;

using Vector6 = ConstrainedMass::Vector6;

}  // namespace

// J M^-1 J^T + S, its lower half, and its factors. Rows are scaled so that its diagonal is 1.
struct ConstrainedMass::Response {
    Eigen::VectorXd scale;
    Eigen::SparseMatrix<double> matrix;
    Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>, Eigen::Lower> factors;
};

void ConstrainedMass::factor(std::span<const HeldRow> rows, std::span<const Matrix6> inverse_mass)
{
    inverse.assign(inverse_mass.begin(), inverse_mass.end());
    of_body.assign(inverse.size(), {});
    response = nullptr;
    if (rows.empty()) return;
    std::vector<Eigen::Triplet<double>> entries;
    const auto moves = [&](int body) { return body >= 0 && size_t(body) < inverse.size(); };
    for (size_t n = 0; n < rows.size(); ++n) {
        const HeldRow& r = rows[n];
        entries.emplace_back(int(n), int(n), r.compliance);
        if (moves(r.a)) of_body[size_t(r.a)].push_back({int(n), onA(r.row)});
        if (moves(r.b)) of_body[size_t(r.b)].push_back({int(n), onB(r.row)});
    }
    std::vector<Vector6> moved;
    for (size_t body = 0; body < inverse.size(); ++body) {
        const std::vector<Entry>& list = of_body[body];
        moved.clear();
        for (const Entry& e : list) moved.push_back(inverse[body] * e.on_body);
        for (size_t i = 0; i < list.size(); ++i)
            for (size_t k = 0; k <= i; ++k) {
                const auto [low, high] = std::minmax(list[i].row, list[k].row);
                entries.emplace_back(high, low, list[i].on_body.dot(moved[k]));
            }
    }
    const auto made = std::make_shared<Response>();
    made->matrix.resize(Eigen::Index(rows.size()), Eigen::Index(rows.size()));
    made->matrix.setFromTriplets(entries.begin(), entries.end());
    made->scale = made->matrix.diagonal();
    // 0: a row that no body can follow, such as one across the plane of a two-dimensional run, but for rounding.
    const double least = 1e-24 * made->scale.maxCoeff();
    for (double& d : made->scale) d = d > least ? 1 / std::sqrt(d) : 0;
    made->matrix = made->scale.asDiagonal() * made->matrix * made->scale.asDiagonal();
    made->factors.setShift(redundant_compliance);
    made->factors.compute(made->matrix);
    FLOTSAM_CHECK(int(made->factors.info()), ==, int(Eigen::Success));
    response = made;
}

size_t ConstrainedMass::rowCount() const { return response ? size_t(response->matrix.rows()) : 0; }

std::vector<ConstrainedMass::Entry> ConstrainedMass::scaledRows(size_t body) const
{
    std::vector<Entry> scaled = of_body[body];
    for (Entry& e : scaled) e.on_body *= response->scale[e.row];
    return scaled;
}

std::vector<ConstrainedMass::Element> ConstrainedMass::scaledResponse() const
{
    std::vector<Element> elements;
    if (!response) return elements;
    for (int c = 0; c < response->matrix.outerSize(); ++c)
        for (Eigen::SparseMatrix<double>::InnerIterator it(response->matrix, c); it; ++it)
            elements.push_back({int(it.row()), c, it.value()});
    return elements;
}

// M^-1 f.
std::vector<Vector6> ConstrainedMass::withoutRows(std::span<const Impulse> impulses) const
{
    std::vector<Vector6> free(inverse.size());
    for (size_t i = 0; i < inverse.size(); ++i) {
        const Impulse& f = impulses[i];
        const Vector6 force{f.linear_N_s.x,    f.linear_N_s.y,    f.linear_N_s.z,
                            f.angular_N_m_s.x, f.angular_N_m_s.y, f.angular_N_m_s.z};
        free[i] = inverse[i] * force;
    }
    return free;
}

// l, which takes the rates of the free change away.
Eigen::VectorXd ConstrainedMass::rowImpulses(const std::vector<Vector6>& free) const
{
    Eigen::VectorXd rates = Eigen::VectorXd::Zero(response->matrix.rows());
    for (size_t i = 0; i < inverse.size(); ++i)
        for (const Entry& e : of_body[i]) rates[e.row] -= e.on_body.dot(free[i]);
    rates.array() *= response->scale.array();
    Eigen::VectorXd held = response->factors.solve(rates);
    for (int n = 0; n < refinements; ++n)
        held += response->factors.solve(rates - response->matrix.selfadjointView<Eigen::Lower>() * held);
    held.array() *= response->scale.array();
    return held;
}

void ConstrainedMass::apply(std::span<const Impulse> impulses, std::span<VelocityChange> changes) const
{
    std::vector<Vector6> free = withoutRows(impulses);
    if (response) {
        const Eigen::VectorXd held = rowImpulses(free);
        for (size_t i = 0; i < inverse.size(); ++i) {
            Vector6 sum = Vector6::Zero();
            for (const Entry& e : of_body[i]) sum += held[e.row] * e.on_body;
            free[i] += inverse[i] * sum;
        }
    }
    for (size_t i = 0; i < inverse.size(); ++i)
        changes[i] = {{free[i][0], free[i][1], free[i][2]}, {free[i][3], free[i][4], free[i][5]}};
}

std::vector<double> ConstrainedMass::impulsesOfRows(std::span<const Impulse> impulses) const
{
    if (!response) return {};
    const Eigen::VectorXd held = rowImpulses(withoutRows(impulses));
    return {held.begin(), held.end()};
}

}  // namespace flotsam
