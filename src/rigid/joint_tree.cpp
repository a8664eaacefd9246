#include "rigid/joint_tree.h"

#include <algorithm>

#include "rigid/small_matrix.h"

namespace flotsam {

namespace {

// Added to the diagonal of the rows that close loops, relative to it: some of them follow from the others (a planar
// four-bar linkage in space has 20 rows, of which 17 are independent).
constexpr double loop_compliance = 1e-9;

}  // namespace

JointTree::JointTree(std::vector<int> joints, std::span<const Joint> all, int moving) : joint_of(std::move(joints))
{
    const auto moves = [moving](int body) { return body >= 0 && body < moving; };
    for (int j : joint_of)
        for (int body : {all[size_t(j)].a, all[size_t(j)].b})
            if (moves(body)) body_of.push_back(body);
    std::sort(body_of.begin(), body_of.end());
    body_of.erase(std::unique(body_of.begin(), body_of.end()), body_of.end());
    const auto local = [&](int body) {
        return moves(body) ? int(std::lower_bound(body_of.begin(), body_of.end(), body) - body_of.begin()) : none;
    };
    links.resize(joint_of.size());
    link_of.assign(body_of.size(), none);
    std::vector<std::vector<int>> at(body_of.size());  // joints of a body
    for (size_t n = 0; n < joint_of.size(); ++n)
        for (int body : {local(all[size_t(joint_of[n])].a), local(all[size_t(joint_of[n])].b)})
            if (body != none) at[size_t(body)].push_back(int(n));
    // Breadth first from the root: a body joined to something immobile, if there is one.
    std::vector<char> visited(body_of.size(), 0), used(joint_of.size(), 0);
    int root = 0;
    for (size_t n = 0; n < joint_of.size() && link_of[size_t(root)] == none; ++n) {
        const Joint& joint = all[size_t(joint_of[n])];
        const int a = local(joint.a), b = local(joint.b);
        if (a != none && b != none) continue;
        root = a != none ? a : b;
        links[n] = {.child = root, .parent = none, .child_is_a = a != none};
        link_of[size_t(root)] = int(n);
        used[n] = 1;
    }
    visited[size_t(root)] = 1;
    order.push_back(root);
    for (size_t next = 0; next < order.size(); ++next) {
        const int body = order[next];
        for (int n : at[size_t(body)]) {
            const Joint& joint = all[size_t(joint_of[size_t(n)])];
            const int a = local(joint.a), b = local(joint.b), other = a == body ? b : a;
            if (used[size_t(n)] || other == none || visited[size_t(other)]) continue;
            links[size_t(n)] = {.child = other, .parent = body, .child_is_a = other == a};
            link_of[size_t(other)] = n;
            used[size_t(n)] = visited[size_t(other)] = 1;
            order.push_back(other);
        }
    }
    from_root = order;
    std::reverse(order.begin(), order.end());
    for (size_t n = 0; n < joint_of.size(); ++n)
        if (!used[n])
            loops.push_back(
                {.joint = int(n), .a = local(all[size_t(joint_of[n])].a), .b = local(all[size_t(joint_of[n])].b)});
    pivot.resize(body_of.size());
    carried.resize(body_of.size());
    rest.resize(joint_of.size() * size_t(stride));
}

template <int N>
void JointTree::factorLink(const SolverRows& rows, const SolverRows& end, const Matrix6& d, Link& link)
{
    using Square = Eigen::Matrix<double, N, N>;
    Eigen::Map<Rows<N>> to_child(link.to_child), to_parent(link.to_parent), rate_child(link.rate_child),
        rate_parent(link.rate_parent);
    Eigen::Map<Square> inverse(link.inverse);
    Rows<N> rate;
    for (int r = 0; r < N; ++r) {
        const ConstraintRow &row = *rows.row[r], &later = *end.row[r];
        to_child.row(r) = link.child_is_a ? onA(row) : onB(row);
        to_parent.row(r) = link.child_is_a ? onB(row) : onA(row);
        rate.row(r) = link.child_is_a ? onA(later) : onB(later);
        rate_parent.row(r) = link.child_is_a ? onB(later) : onA(later);
    }
    rate_child = rate.lazyProduct(d);
    Square response = rate_child.lazyProduct(to_child.transpose());
    for (int r = 0; r < N; ++r) response(r, r) += rows.compliance[r];
    inverse = inverted<N>(response);
    if (link.parent == none) return;
    const Rows<N> needed = inverse.lazyProduct(rate_parent);
    pivot[size_t(link.parent)] += to_parent.transpose().lazyProduct(needed);
}

void JointTree::factor(std::span<const SolverRows> rows, std::span<const SolverRows> end_rows,
                       std::span<const Matrix6> mass)
{
    std::copy(mass.begin(), mass.end(), pivot.begin());
    for (int body : order) {
        Matrix6& d = pivot[size_t(body)];
        d = inverted<6>(d);
        if (link_of[size_t(body)] == none) continue;
        const size_t n = size_t(link_of[size_t(body)]);
        links[n].count = rows[n].count;
        std::copy_n(rows[n].slot, rows[n].count, links[n].slot);
        withSize<SolverRows::most>(rows[n].count,
                                   [&](auto count) { factorLink<count()>(rows[n], end_rows[n], d, links[n]); });
    }
    if (!loops.empty()) factorLoops(rows, end_rows);
}

void JointTree::factorLoops(std::span<const SolverRows> rows, std::span<const SolverRows> end_rows)
{
    loop_rows = 0;
    for (Loop& loop : loops) {
        const SolverRows &now = rows[size_t(loop.joint)], &end = end_rows[size_t(loop.joint)];
        loop.first = loop_rows;
        loop.count = now.count;
        std::copy_n(now.slot, now.count, loop.slot);
        loop_rows += loop.count;
        for (Block* block : {&loop.to_a, &loop.to_b, &loop.rate_a, &loop.rate_b}) block->resize(loop.count, 6);
        for (int r = 0; r < loop.count; ++r) {
            loop.to_a.row(r) = onA(*now.row[r]);
            loop.to_b.row(r) = onB(*now.row[r]);
            loop.rate_a.row(r) = onA(*end.row[r]);
            loop.rate_b.row(r) = onB(*end.row[r]);
        }
    }
    const size_t bodies = body_of.size(), impulses = joint_of.size() * size_t(stride);
    loop_change.resize(size_t(loop_rows) * bodies);
    loop_impulse.assign(size_t(loop_rows) * impulses, 0);
    std::vector<Vector6> force(bodies);
    const std::vector<double> zero(impulses, 0);
    Eigen::MatrixXd& response = loop_matrix;
    response.resize(loop_rows, loop_rows);
    for (const Loop& loop : loops)
        for (int r = 0; r < loop.count; ++r) {
            const size_t l = size_t(loop.first + r);
            std::fill(force.begin(), force.end(), Vector6::Zero());
            if (loop.a != none) force[size_t(loop.a)] += loop.to_a.row(r).transpose();
            if (loop.b != none) force[size_t(loop.b)] += loop.to_b.row(r).transpose();
            const std::span change(&loop_change[l * bodies], bodies);
            solveTree(zero, force, change, {&loop_impulse[l * impulses], impulses});
            for (const Loop& other : loops)
                for (int s = 0; s < other.count; ++s) response(other.first + s, int(l)) = rateOf(other, s, change);
        }
    const double scale = response.diagonal().cwiseAbs().maxCoeff();
    for (const Loop& loop : loops)
        for (int r = 0; r < loop.count; ++r)
            response(loop.first + r, loop.first + r) +=
                rows[size_t(loop.joint)].compliance[r] + loop_compliance * scale;
    loop_inverse = Eigen::PartialPivLU<Eigen::MatrixXd>(response).inverse();
}

void JointTree::respond(int body, Matrix6& own, Matrix6& from_parent) const
{
    own = pivot[size_t(body)];
    from_parent.setZero();
    if (link_of[size_t(body)] == none) return;
    const Link& link = links[size_t(link_of[size_t(body)])];
    withSize<SolverRows::most>(link.count, [&](auto count) {
        constexpr int N = count();
        const Eigen::Map<const Rows<N>> rate_child(link.rate_child), rate_parent(link.rate_parent);
        const Rows<N> stopped = Eigen::Map<const Eigen::Matrix<double, N, N>>(link.inverse).lazyProduct(rate_child);
        own -= rate_child.transpose().lazyProduct(stopped);
        from_parent = -stopped.transpose().lazyProduct(rate_parent);
    });
}

int JointTree::factorLoopResponse(std::span<const char> wanted,
                                  std::vector<Eigen::Matrix<double, 6, Eigen::Dynamic>>& columns) const
{
    columns.clear();
    if (loops.empty()) return 0;
    columns.resize(body_of.size());
    const Eigen::LLT<Eigen::MatrixXd> factors(loop_matrix);
    for (size_t i = 0; i < body_of.size(); ++i) {
        if (!wanted[i]) continue;
        Eigen::MatrixXd rates(loop_rows, 6);
        for (int n = 0; n < loop_rows; ++n) rates.row(n) = loop_change[size_t(n) * body_of.size() + i];
        columns[i] = factors.matrixL().solve(rates).transpose();
    }
    return loop_rows;
}

double JointTree::rateOf(const Loop& loop, int row, std::span<const Vector6> change) const
{
    double rate = 0;
    if (loop.a != none) rate += loop.rate_a.row(row) * change[size_t(loop.a)];
    if (loop.b != none) rate += loop.rate_b.row(row) * change[size_t(loop.b)];
    return rate;
}

// Upwards: what a body and everything below it would do by itself. Downwards: the impulses that join them.
void JointTree::solveTree(std::span<const double> right, std::span<const Vector6> force, std::span<Vector6> change,
                          std::span<double> impulse) const
{
    std::fill(impulse.begin(), impulse.end(), 0.0);
    for (size_t i = 0; i < carried.size(); ++i) carried[i] = force.empty() ? Vector6::Zero().eval() : force[i];
    for (int body : order) {
        if (link_of[size_t(body)] == none) continue;
        const size_t n = size_t(link_of[size_t(body)]);
        const Link& link = links[n];
        withSize<SolverRows::most>(link.count, [&](auto count) {
            constexpr int N = count();
            using Vector = Eigen::Matrix<double, N, 1>;
            const Vector rate = Eigen::Map<const Rows<N>>(link.rate_child).lazyProduct(carried[size_t(body)]);
            Vector open;
            for (int r = 0; r < N; ++r) open[r] = right[n * stride + size_t(link.slot[r])] - rate[r];
            Eigen::Map<Vector>{&rest[n * stride]} = open;
            if (link.parent == none) return;
            const Vector l = Eigen::Map<const Eigen::Matrix<double, N, N>>(link.inverse).lazyProduct(open);
            carried[size_t(link.parent)] += Eigen::Map<const Rows<N>>(link.to_parent).transpose().lazyProduct(l);
        });
    }
    for (size_t n = order.size(); n-- > 0;) {
        const size_t body = size_t(order[n]);
        Vector6 total = carried[body];
        if (link_of[body] != none) {
            const size_t j = size_t(link_of[body]);
            const Link& link = links[j];
            withSize<SolverRows::most>(link.count, [&](auto count) {
                constexpr int N = count();
                using Vector = Eigen::Matrix<double, N, 1>;
                Vector open = Eigen::Map<const Vector>(&rest[j * stride]);
                if (link.parent != none)
                    open -= Eigen::Map<const Rows<N>>(link.rate_parent).lazyProduct(change[size_t(link.parent)]);
                const Vector l = Eigen::Map<const Eigen::Matrix<double, N, N>>(link.inverse).lazyProduct(open);
                for (int r = 0; r < N; ++r) impulse[j * stride + size_t(link.slot[r])] = l[r];
                total += Eigen::Map<const Rows<N>>(link.to_child).transpose().lazyProduct(l);
            });
        }
        change[body] = pivot[body].lazyProduct(total);
    }
}

void JointTree::solve(std::span<const double> right, std::span<const Vector6> force, std::span<Vector6> change,
                      std::span<double> impulse) const
{
    solveTree(right, force, change, impulse);
    if (loops.empty()) return;
    Eigen::VectorXd open(loop_rows);
    for (const Loop& loop : loops)
        for (int r = 0; r < loop.count; ++r)
            open[loop.first + r] = right[size_t(loop.joint) * stride + size_t(loop.slot[r])] - rateOf(loop, r, change);
    const Eigen::VectorXd l = loop_inverse * open;
    const size_t bodies = body_of.size(), impulses = joint_of.size() * size_t(stride);
    for (int n = 0; n < loop_rows; ++n) {
        for (size_t i = 0; i < bodies; ++i) change[i] += l[n] * loop_change[size_t(n) * bodies + i];
        for (size_t i = 0; i < impulses; ++i) impulse[i] += l[n] * loop_impulse[size_t(n) * impulses + i];
    }
    for (const Loop& loop : loops)
        for (int r = 0; r < loop.count; ++r)
            impulse[size_t(loop.joint) * stride + size_t(loop.slot[r])] = l[loop.first + r];
}

}  // namespace flotsam
