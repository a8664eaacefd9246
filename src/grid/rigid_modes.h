// C = B (B^T A B)^-1 B^T, where the columns of B are the rigid motions of small pieces of the liquid (deflation with
// rigid-body modes). Hardly any stress resists these motions, and a cycle on each component alone does not reduce them.
// docs/methods/viscosity.md, section 4.
#pragma once

#include <memory>

#include "grid/stress_rows.h"

namespace flotsam {

class RigidModes {
public:
    explicit RigidModes(Int3 cells);  // of the box of faces
    RigidModes(RigidModes&&) noexcept;
    ~RigidModes();

    // Groups the faces and factorises B^T A B. Returns false if there is nothing to move or the factorisation fails.
    bool build(const StressSystem& system);
    // Adds C r to the solutions.
    void correctSolution(const StressSystem& system);
    // Adds C (r - z_black) to z, on the finest level of each component.
    void correctCycle(const StressSystem& system);

private:
    struct Parts;
    std::unique_ptr<Parts> parts;
};

}  // namespace flotsam
