// Other solvers on the same pressure system, for comparison.
#pragma once

#include <optional>
#include <string>

#include "bench/linear_system.h"

namespace flotsam {

struct RivalResult {
    double set_up_seconds = 0, seconds = 0;  // before and in the iterations
    int iterations = 0;
    double residual = 0;  // true |b - A x| / |b|
};

// Eigen's conjugate gradients with incomplete Cholesky in natural ordering, double, one thread (it has no other).
RivalResult solveWithEigen(const LinearSystem& system, double tolerance_rel);

// Conjugate gradients of hypre with its structured multigrid PFMG on two MPI ranks. Returns nothing if it cannot be
// run; why_not then gives the reason.
std::optional<RivalResult> solveWithHypre(const LinearSystem& system, double tolerance_rel, std::string& why_not);

}  // namespace flotsam
