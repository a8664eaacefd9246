// Sets of bodies that are joined pair by pair; each is named by its lowest member.
#pragma once

#include <algorithm>
#include <vector>

namespace flotsam {

inline int rootOf(std::vector<int>& parent, int i)
{
    while (parent[size_t(i)] != i) i = parent[size_t(i)] = parent[size_t(parent[size_t(i)])];
    return i;
}

inline void unite(int i, int j, std::vector<int>& parent)
{
    const int a = rootOf(parent, i), b = rootOf(parent, j);
    parent[size_t(std::max(a, b))] = std::min(a, b);
}

}  // namespace flotsam
