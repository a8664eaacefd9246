#include "rigid/joint_tree.h"

#include <algorithm>

namespace flotsam {

namespace {

// Added to the diagonal of the rows that close loops, relative to it: some of them follow from the others (a planar
// four-bar linkage in space has 20 rows, of which 17 are independent).
constexpr double loop_compliance = 1e-9;

Eigen::Matrix<double, 1, 6> onA(const ConstraintRow& row)
{
    return {-row.linear.x, -row.linear.y, -row.linear.z, row.angular_a.x, row.angular_a.y, row.angular_a.z};
}
Eigen::Matrix<double, 1, 6> onB(const ConstraintRow& row)
{
    return {row.linear.x, row.linear.y, row.linear.z, row.angular_b.x, row.angular_b.y, row.angular_b.z};
}

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
    std::reverse(order.begin(), order.end());
    for (size_t n = 0; n < joint_of.size(); ++n)
        if (!used[n])
            loops.push_back(
                {.joint = int(n), .a = local(all[size_t(joint_of[n])].a), .b = local(all[size_t(joint_of[n])].b)});
    pivot.resize(body_of.size());
    carried.resize(body_of.size());
    rest.resize(joint_of.size() * size_t(stride));
}

void JointTree::factor(std::span<const SolverRows> rows, std::span<const SolverRows> end_rows,
                       std::span<const Matrix6> mass)
{
    std::copy(mass.begin(), mass.end(), pivot.begin());
    for (int body : order) {
        Matrix6& d = pivot[size_t(body)];
        d = Eigen::PartialPivLU<Matrix6>(d).inverse();
        if (link_of[size_t(body)] == none) continue;
        const size_t n = size_t(link_of[size_t(body)]);
        Link& link = links[n];
        link.count = rows[n].count;
        for (Block* block : {&link.to_child, &link.to_parent, &link.rate_child, &link.rate_parent})
            block->resize(link.count, 6);
        for (int r = 0; r < link.count; ++r) {
            const ConstraintRow &row = rows[n].row[r], &end = end_rows[n].row[r];
            link.to_child.row(r) = link.child_is_a ? onA(row) : onB(row);
            link.to_parent.row(r) = link.child_is_a ? onB(row) : onA(row);
            link.rate_child.row(r) = link.child_is_a ? onA(end) : onB(end);
            link.rate_parent.row(r) = link.child_is_a ? onB(end) : onA(end);
        }
        link.rate_child = (link.rate_child * d).eval();
        Square response = link.rate_child * link.to_child.transpose();
        for (int r = 0; r < link.count; ++r) response(r, r) += rows[n].compliance[r];
        link.inverse = Eigen::PartialPivLU<Square>(response).inverse();
        if (link.parent != none)
            pivot[size_t(link.parent)].noalias() += link.to_parent.transpose() * (link.inverse * link.rate_parent);
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
        loop_rows += loop.count;
        for (Block* block : {&loop.to_a, &loop.to_b, &loop.rate_a, &loop.rate_b}) block->resize(loop.count, 6);
        for (int r = 0; r < loop.count; ++r) {
            loop.to_a.row(r) = onA(now.row[r]);
            loop.to_b.row(r) = onB(now.row[r]);
            loop.rate_a.row(r) = onA(end.row[r]);
            loop.rate_b.row(r) = onB(end.row[r]);
        }
    }
    const size_t bodies = body_of.size(), impulses = joint_of.size() * size_t(stride);
    loop_change.resize(size_t(loop_rows) * bodies);
    loop_impulse.assign(size_t(loop_rows) * impulses, 0);
    std::vector<Vector6> force(bodies);
    const std::vector<double> zero(impulses, 0);
    Eigen::MatrixXd response(loop_rows, loop_rows);
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
    for (size_t i = 0; i < carried.size(); ++i) carried[i] = force.empty() ? Vector6::Zero().eval() : force[i];
    for (int body : order) {
        if (link_of[size_t(body)] == none) continue;
        const size_t n = size_t(link_of[size_t(body)]);
        const Link& link = links[n];
        Eigen::Map<Rows> open(&rest[n * stride], link.count);
        open = Eigen::Map<const Rows>(&right[n * stride], link.count) - link.rate_child * carried[size_t(body)];
        if (link.parent != none)
            carried[size_t(link.parent)].noalias() += link.to_parent.transpose() * (link.inverse * open);
    }
    for (size_t n = order.size(); n-- > 0;) {
        const size_t body = size_t(order[n]);
        Vector6 total = carried[body];
        if (link_of[body] != none) {
            const size_t j = size_t(link_of[body]);
            const Link& link = links[j];
            Rows open = Eigen::Map<const Rows>(&rest[j * stride], link.count);
            if (link.parent != none) open.noalias() -= link.rate_parent * change[size_t(link.parent)];
            Eigen::Map<Rows> l(&impulse[j * stride], link.count);
            l.noalias() = link.inverse * open;
            total.noalias() += link.to_child.transpose() * l;
        }
        change[body].noalias() = pivot[body] * total;
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
            open[loop.first + r] = right[size_t(loop.joint) * stride + size_t(r)] - rateOf(loop, r, change);
    const Eigen::VectorXd l = loop_inverse * open;
    const size_t bodies = body_of.size(), impulses = joint_of.size() * size_t(stride);
    for (int n = 0; n < loop_rows; ++n) {
        for (size_t i = 0; i < bodies; ++i) change[i] += l[n] * loop_change[size_t(n) * bodies + i];
        for (size_t i = 0; i < impulses; ++i) impulse[i] += l[n] * loop_impulse[size_t(n) * impulses + i];
    }
    for (const Loop& loop : loops)
        for (int r = 0; r < loop.count; ++r) impulse[size_t(loop.joint) * stride + size_t(r)] = l[loop.first + r];
}

}  // namespace flotsam
