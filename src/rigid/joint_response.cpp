#include "rigid/joint_response.h"

namespace flotsam {

void JointResponse::factor(const JointTree& tree, std::span<const char> wanted)
{
    nodes.resize(wanted.size());
    for (Node& node : nodes) node.wanted = false;
    for (size_t i = 0; i < wanted.size(); ++i)
        for (int body = wanted[i] ? int(i) : -1; body >= 0 && !nodes[size_t(body)].wanted; body = tree.parentOf(body))
            nodes[size_t(body)].wanted = true;
    for (const int body : tree.fromRoot()) {
        Node& node = nodes[size_t(body)];
        if (!node.wanted) continue;
        node.parent = tree.parentOf(body);
        tree.respond(body, node.response, node.from_parent);
        if (node.parent < 0) {
            root = body;
            node.depth = 0;
            continue;
        }
        const Node& parent = nodes[size_t(node.parent)];
        node.depth = parent.depth + 1;
        const Matrix6 passed = node.from_parent.lazyProduct(parent.response);
        node.response += passed.lazyProduct(node.from_parent.transpose());
    }
    loop_sum.resize(tree.factorLoopResponse(wanted, loops));
}

JointResponse::Matrix6 JointResponse::ofTree(int a, int b) const
{
    const Node &na = nodes[size_t(a)], &nb = nodes[size_t(b)];
    if (a == b) return na.response;
    if (na.depth < nb.depth) return ofTree(a, nb.parent) * nb.from_parent.transpose();
    return na.from_parent * ofTree(na.parent, b);
}

JointResponse::Matrix6 JointResponse::between(int a, int b) const
{
    Matrix6 m = ofTree(a, b);
    if (!loops.empty()) m -= loops[size_t(a)] * loops[size_t(b)].transpose();
    return m;
}

void JointResponse::start(std::span<const VelocityChange> velocities)
{
    for (size_t i = 0; i < nodes.size(); ++i) {
        Node& node = nodes[i];
        if (!node.wanted) continue;
        const auto vectorOf = [](const VelocityChange& v) {
            return Vector6{v.v_m_s.x, v.v_m_s.y, v.v_m_s.z, v.w_rad_s.x, v.w_rad_s.y, v.w_rad_s.z};
        };
        node.velocity = vectorOf(velocities[i]);
        if (node.parent >= 0) node.of_parent = vectorOf(velocities[size_t(node.parent)]);
        node.waiting.setZero();
        node.added.setZero();
    }
    loop_sum.setZero();
    current = root;
}

// To the parent of the current body, which receives the impulses from below.
void JointResponse::leave()
{
    Node& node = nodes[size_t(current)];
    Node& parent = nodes[size_t(node.parent)];
    const Vector6 impulse = node.from_parent.transpose().lazyProduct(node.waiting);
    node.waiting.setZero();
    parent.waiting += impulse;
    parent.velocity += parent.response.lazyProduct(impulse);
    node.of_parent = parent.velocity;
    current = node.parent;
}

// To a child of the current body.
void JointResponse::enter(int body)
{
    Node& node = nodes[size_t(body)];
    const Vector6 change = nodes[size_t(current)].velocity - node.of_parent;
    node.velocity += node.from_parent.lazyProduct(change);
    current = body;
}

void JointResponse::moveTo(int body)
{
    path.clear();
    for (int up = body; up != current;) {
        const Node& node = nodes[size_t(up)];
        if (node.depth > nodes[size_t(current)].depth) {
            path.push_back(up);
            up = node.parent;
        } else {
            leave();
        }
    }
    while (!path.empty()) {
        enter(path.back());
        path.pop_back();
    }
}

JointResponse::Vector6 JointResponse::velocityOf(int body)
{
    moveTo(body);
    Vector6 v = nodes[size_t(body)].velocity;
    if (!loops.empty()) v -= loops[size_t(body)] * loop_sum;
    return v;
}

void JointResponse::add(int body, const Vector6& impulse)
{
    moveTo(body);
    Node& node = nodes[size_t(body)];
    node.waiting += impulse;
    node.added += impulse;
    node.velocity += node.response.lazyProduct(impulse);
    if (!loops.empty()) loop_sum += loops[size_t(body)].transpose() * impulse;
}

}  // namespace flotsam
