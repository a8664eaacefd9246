// Inverses of small matrices whose size is known to the compiler.
#pragma once

#include <Eigen/Core>
#include <Eigen/LU>
#include <utility>

namespace flotsam {

// By blocks of three rows: stable for the nearly symmetric and positive matrices of joints, without a search for
// pivots. Singular matrices give infinite or NaN elements.
template <int N>
Eigen::Matrix<double, N, N> inverted(const Eigen::Matrix<double, N, N>& a)
{
    if constexpr (N <= 3) {
        return a.inverse();
    } else {
        constexpr int rest = N - 3;
        const Eigen::Matrix3d first = a.template topLeftCorner<3, 3>().inverse();
        const Eigen::Matrix<double, 3, rest> right = first.lazyProduct(a.template topRightCorner<3, rest>());
        const Eigen::Matrix<double, rest, 3> left = a.template bottomLeftCorner<rest, 3>().lazyProduct(first);
        const Eigen::Matrix<double, rest, rest> last = inverted<rest>(
            a.template bottomRightCorner<rest, rest>() - a.template bottomLeftCorner<rest, 3>().lazyProduct(right));
        const Eigen::Matrix<double, rest, 3> across = last.lazyProduct(left);
        Eigen::Matrix<double, N, N> r;
        r.template topLeftCorner<3, 3>() = first + right.lazyProduct(across);
        r.template topRightCorner<3, rest>() = -right.lazyProduct(last);
        r.template bottomLeftCorner<rest, 3>() = -across;
        r.template bottomRightCorner<rest, rest>() = last;
        return r;
    }
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
