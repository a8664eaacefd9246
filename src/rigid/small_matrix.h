// Inverses of small matrices whose size is known to the compiler.
#pragma once

#include <Eigen/Core>
#include <cmath>
#include <utility>

namespace flotsam {

// By Gauss and Jordan with partial pivoting. Singular matrices give infinite or NaN elements.
template <int N>
Eigen::Matrix<double, N, N> inverted(Eigen::Matrix<double, N, N> a)
{
    int swapped[N];
    for (int k = 0; k < N; ++k) {
        int best = k;
        for (int r = k + 1; r < N; ++r)
            if (std::abs(a(r, k)) > std::abs(a(best, k))) best = r;
        swapped[k] = best;
        if (best != k) a.row(k).swap(a.row(best));
        const double pivot = 1 / a(k, k);
        a(k, k) = 1;
        a.row(k) *= pivot;
        for (int r = 0; r < N; ++r) {
            if (r == k) continue;
            const double factor = a(r, k);
            a(r, k) = 0;
            a.row(r) -= factor * a.row(k);
        }
    }
    for (int k = N - 1; k >= 0; --k)
        if (swapped[k] != k) a.col(k).swap(a.col(swapped[k]));
    return a;
}

// Calls f with std::integral_constant<int, n> for n in 1, ..., most.
template <int most, class F>
void withSize(int n, const F& f)
{
    if constexpr (most > 0) {
        if (n == most)
            f(std::integral_constant<int, most>());
        else
            withSize<most - 1>(n, f);
    }
}

}  // namespace flotsam
