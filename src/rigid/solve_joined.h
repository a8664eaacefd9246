// Contacts of joined bodies: the rows of their points over the inverse mass with all joints enforced.
#pragma once

#include "rigid/solve.h"

namespace flotsam {

class JoinedContacts {
public:
    JoinedContacts(Joints& all, int moving_bodies, RigidScratch& scratch);

    // Whether a body of the pair is joined.
    bool contains(size_t pair) const { return !of_pair.empty() && of_pair[pair] >= 0; }
    // Solves the joints of a group of pairs (solve.cpp), and sets up the rows of the points for sweeps. Returns whether
    // any are necessary: the first, and others while the solve finds other limits and motors at their bounds.
    template <class Group>
    bool start(bool first, const Group& group)
    {
        group.forIslands([&](JointIsland& island) { startSweeps(first, island); });
        if (std::none_of(group.islands.begin(), group.islands.end(),
                         [](const GroupedIsland& i) { return i.island->swept; }))
            return first;
        group.forPairs([&](size_t k) {
            if (contains(k)) setResponses(pairs[size_t(of_pair[k])], w.pairs[k]);
        });
        return true;
    }
    // One iteration over the points of a pair.
    void sweep(size_t pair);

private:
    using Vector6 = JointTree::Vector6;
    using Matrix6 = JointTree::Matrix6;
    using Matrix63 = Eigen::Matrix<double, 6, 3>;

    // A body of a pair.
    struct Side {
        int body = 0;
        JointIsland* island = nullptr;  // of a joined body
        int local = 0;                  // its index there

        bool isReady() const { return !island || island->swept; }
    };
    // The velocity changes of both bodies per impulse on a, or per angular impulse, with the opposite on b.
    struct Response {
        Matrix63 of_a, of_b;
    };
    struct Pair {
        Side a, b;
        int first = 0;  // of `responses`: one per point, and that of rolling and spinning friction
    };

    void startSweeps(bool first, JointIsland& island);
    Side sideOf(int body) const;
    Matrix6 inverseOf(const Side& side) const;
    Vector6 velocityOf(const Side& side) const;
    void finish(const Side& side, const Vector6& velocity, const Vector6& impulse) const;
    void setResponses(const Pair& joined, const ContactPair& pair);

    Joints& joints;
    int moving;
    RigidScratch& w;
    std::vector<int> of_pair;  // index of `pairs`; -1: neither body is joined
    std::vector<Pair> pairs;
    std::vector<Response> responses;
};

}  // namespace flotsam
