// C = B (B^T A B)^-1 B^T, where the columns of B are the rigid motions of small pieces of the liquid: those that hardly
// any stress answers, and that a cycle of each component alone does not know. docs/methods/viscosity.md, section 4.
#pragma once

#include <memory>

#include "grid/stress_rows.h"

namespace flotsam {

class RigidModes {
public:
    explicit RigidModes(Int3 cells);  // of the box of faces
    RigidModes(RigidModes&&) noexcept;
    ~RigidModes();

    // Groups the faces and factorises B^T A B. False where there is nothing to move, or the factorisation fails.
    bool build(const StressSystem& system);
    // The solutions + C r.
    void correctSolution(const StressSystem& system);
    // z + C (r - z_black), of the finest level of each component.
    void correctCycle(const StressSystem& system);

private:
    struct Parts;
    std::unique_ptr<Parts> parts;
};

}  // namespace flotsam
