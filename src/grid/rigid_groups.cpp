#include "grid/rigid_groups.h"

#include <algorithm>

namespace flotsam {

namespace {

constexpr int greatest_side = 8;  // a brick is divided into boxes without remainder
constexpr float strong = 1e-3f;   // relative to the mean of two diagonals: a weaker coupling connects nothing
constexpr float alike = 4;        // ratio of couplings in a box that needs no splitting

using Face = RigidGroups::Face;
using Group = RigidGroups::Group;

struct Member {
    int axis;
    Int3 at;
    int root;  // the first member of its component
};

// Whether the couplings of a face exceed its own diagonal term. A sweep solves the other faces.
bool isFixed(const StressRows& rows, int axis, size_t n)
{
    return rows.diagonalAt(axis, n) > 2 * rows.level(axis).d.data()[n];
}

struct Box {
    const StressRows& rows;
    Int3 lo, cells;
    int side;

    template <class F>
    void forFaces(const F& f) const
    {
        for (int axis = 0; axis < 3; ++axis)
            forEachCell({lo, lo + Int3{side, side, side}}, [&](int i, int j, int k) { f(axis, Int3{i, j, k}); });
    }

    // Faces on the domain boundaries, which walls fix, and those past the end of the domain.
    bool isAtSide(int axis, Int3 c) const
    {
        bool past = false;
        for (int a = 0; a < 3; ++a) past = past || c[a] >= cells[a] - 1;
        return past || c[axis] == 0;
    }

    // Liquid of nearly uniform viscosity without a surface.
    bool isPlain() const
    {
        float least = 1e30f, most = 0;
        bool whole = true;
        forFaces([&](int axis, Int3 c) {
            if (!whole || isAtSide(axis, c)) return;
            whole = isFixed(rows, axis, rows.index(c));
            for (int along = 0; along < 3; ++along) {
                if (c[along] == (along == axis ? 1 : 0)) continue;  // a wall face
                const float k = (along == axis ? 0.5f : 1.0f) * rows.coupling(axis, along, c);
                least = std::min(least, k);
                most = std::max(most, k);
            }
        });
        return whole && most <= alike * least;
    }

    int place(int axis, Int3 c) const
    {
        const Int3 o = c - lo;
        if (!IndexBox{{0, 0, 0}, {side, side, side}}.contains(o)) return -1;
        return ((axis * side + o.z) * side + o.y) * side + o.x;
    }

    std::vector<Member> members(bool in_one_piece) const
    {
        std::vector<Member> all;
        std::vector<int> number(size_t(3 * side * side * side), -1);
        forFaces([&](int axis, Int3 c) {
            if (!isFixed(rows, axis, rows.index(c))) return;
            number[size_t(place(axis, c))] = int(all.size());
            all.push_back({axis, c, in_one_piece ? 0 : int(all.size())});
        });
        if (!in_one_piece) connect(number, all);
        return all;
    }

    void connect(const std::vector<int>& number, std::vector<Member>& all) const
    {
        const auto rootOf = [&](int n) {
            while (all[size_t(n)].root != n) n = all[size_t(n)].root;
            return n;
        };
        for (int n = 0; n < int(all.size()); ++n) {
            const Member self = all[size_t(n)];
            const float diagonal = rows.diagonalAt(self.axis, rows.index(self.at));
            rows.forEntries(self.axis, self.at, [&](int axis, Int3 c, double value) {
                const int there = place(axis, c), other = there < 0 ? -1 : number[size_t(there)];
                const float product = diagonal * rows.diagonalAt(axis, rows.index(c));
                if (other < 0 || float(value * value) <= strong * strong * product) return;
                const int a = rootOf(n), b = rootOf(other);
                all[size_t(std::max(a, b))].root = std::min(a, b);
            });
        }
        for (int n = 0; n < int(all.size()); ++n) all[size_t(n)].root = rootOf(n);
    }
};

// The linearly independent motions, by a Cholesky factorisation of B^T B with the largest pivot first.
uint8_t independentMotions(const Group& group, const Face* first)
{
    double g[6][6] = {}, whole[6];
    for (int n = 0; n < group.faces; ++n) {
        Motion m{};
        group.forMotionsOf(first[n].axis, first[n].at, [&](size_t i, double part) { m[i] = part; });
        for (size_t i = 0; i < 6; ++i)
            for (size_t j = 0; j < 6; ++j) g[i][j] += m[i] * m[j];
    }
    for (int i = 0; i < 6; ++i) whole[i] = g[i][i];
    for (uint8_t chosen = 0;;) {
        int pivot = -1;
        double largest = 1e-4;  // relative to the squared norm of the motion
        for (int i = 0; i < 6; ++i)
            if (!(chosen >> i & 1) && g[i][i] > largest * whole[i]) {
                largest = g[i][i] / whole[i];
                pivot = i;
            }
        if (pivot < 0) return chosen;
        chosen = uint8_t(chosen | 1 << pivot);
        double row[6];
        std::copy_n(g[pivot], 6, row);
        for (int i = 0; i < 6; ++i)
            for (int j = 0; j < 6; ++j) g[i][j] -= row[i] * row[j] / row[pivot];
    }
}

}  // namespace

struct RigidGroups::OfBrick {
    std::vector<Face> faces;
    std::vector<Group> groups;

    void add(const Box& box, const std::vector<Member>& members, const StressRows& rows)
    {
        for (int root = 0; root < int(members.size()); ++root) {
            if (members[size_t(root)].root != root) continue;
            Group g;
            g.first_face = int(faces.size());
            for (int a = 0; a < 3; ++a) g.middle[a] = float(box.lo[a]) + 0.5f * float(box.side);
            for (const Member& m : members)
                if (m.root == root) faces.push_back({uint32_t(rows.index(m.at)), m.axis, m.at});
            g.faces = int(faces.size()) - g.first_face;
            g.motions = independentMotions(g, &faces[size_t(g.first_face)]);
            groups.push_back(g);
        }
    }
};

RigidGroups::RigidGroups(Int3 cells_)
    : of_face{BrickField<int>(Bricks(cells_)), BrickField<int>(Bricks(cells_)), BrickField<int>(Bricks(cells_))},
      cells(cells_)
{
}

void RigidGroups::make(const StressRows& rows, int least_side)
{
    std::vector<OfBrick> of_brick(size_t(rows.slots.count()));
    parallelTasks("viscosity.group", rows.slots.count(), [&](int task) {
        const auto cut = [&](const auto& self, Int3 lo, int side) -> void {
            const Box box{rows, lo, cells, side};
            const bool plain = box.isPlain();
            if (plain || side == least_side) {
                of_brick[size_t(task)].add(box, box.members(plain), rows);
                return;
            }
            const int half = side / 2;
            for (int n = 0; n < 8; ++n)
                self(self, lo + Int3{half * (n & 1), half * (n >> 1 & 1), half * (n >> 2)}, half);
        };
        const Int3 lo = rows.slots.bricks.box(rows.slots.brickOf(task + 1)).lo;
        for (int x = 0; x < Bricks::side.x; x += greatest_side) cut(cut, lo + Int3{x, 0, 0}, greatest_side);
    });
    gather(of_brick);
    parallelTasks("viscosity.group", rows.slots.count(), [&](int task) {
        for (BrickField<int>& f : of_face) std::fill_n(f.brick(task + 1), BrickSlots::cells_per_brick, 0);
    });
    for (BrickField<int>& f : of_face) std::fill_n(f.brick(0), BrickSlots::cells_per_brick, 0);
    for (size_t n = 0; n < groups.size(); ++n)
        for (int m = 0; m < groups[n].faces; ++m) {
            const Face& face = faces[size_t(groups[n].first_face + m)];
            of_face[face.axis].data()[face.index] = int(n) + 1;
        }
}

void RigidGroups::gather(const std::vector<OfBrick>& of_brick)
{
    faces.clear();
    groups.clear();
    unknowns = 0;
    for (const OfBrick& part : of_brick) {
        for (Group g : part.groups) {
            g.first_face += int(faces.size());
            g.first_unknown = unknowns;
            forMotions(g.motions, [&](size_t, int) { ++unknowns; });
            groups.push_back(g);
        }
        faces.insert(faces.end(), part.faces.begin(), part.faces.end());
    }
}

}  // namespace flotsam
