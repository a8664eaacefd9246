// A coarse space of the pressure solver with the modes of light bodies: docs/methods/coupling.md, section 2.
//
// With K = A + T, T = rho h^3 J^T C J, and the modes Z: E = Z^T K Z.
#pragma once

#include <memory>

#include "coupling/body_modes.h"
#include "rigid/constrained_mass.h"

namespace flotsam {

class BodyCoarseSpace {
public:
    using Vector6 = ConstrainedMass::Vector6;
    using Matrix6 = ConstrainedMass::Matrix6;
    using Entries = std::vector<std::vector<BodyEntry>>;  // by body

    // Before a solve with the build-th matrix A of the solver. Its modes serve all solves with this matrix; E belongs
    // to the constraints that `mass` enforces. False if no body is light, or where E has no factors.
    bool prepare(int build, const Entries& entries, const ConstrainedMass& mass, double cell_kg,
                 const PoissonLevel& level, const std::vector<SealedPocket>& pockets);
    void forgetModes() { build_of_modes = none; }
    void forgetFactors() { is_factored = false; }

    // y = E^-1 (Z^T r - (A Z)^T z - (J Z)^T velocities); without z and velocities if those are null. Returns y . Z^T r.
    double solve(const float* r, const float* z, const std::vector<Vector6>* velocities);
    // v += Z y
    template <class T>
    void addTo(T* v) const;
    void subtractProduct(float* r) const;  // r -= A Z y
    // J Z y, by body.
    const std::vector<Vector6>& impulses();

private:
    struct Block {  // J_i Z_j
        int modes;  // j
        Eigen::Matrix<double, 6, Eigen::Dynamic> value;
    };
    // The cells of a brick in the box of a body.
    struct Piece {
        int slot, modes;
    };

    static constexpr int none = -1;

    // Finds the light bodies and their modes. cell_kg: mass of a full cell of liquid.
    void build(const Entries& entries, const ConstrainedMass& mass, double cell_kg, const PoissonLevel& level,
               const std::vector<SealedPocket>& pockets);
    // Adds the constants of the small pockets whose pressure the bodies determine.
    void addPockets(const Entries& entries, const PoissonLevel& level, const std::vector<SealedPocket>& pockets);
    bool factor(const ConstrainedMass& mass);
    template <class F>
    void forPieces(const F& f) const;
    void findPieces(const BrickSlots& slots);
    void findBlocks(const Entries& entries, const PoissonLevel& level);
    Eigen::MatrixXd overlap(const BodyModes& a, const BodyModes& b) const;

    int build_of_modes = none;
    bool is_factored = false, has_factors = false;
    double cell_mass_kg = 0;
    int columns = 0;
    const PoissonLevel* fine = nullptr;
    std::vector<BodyModes> modes;
    std::vector<int> body_of;                                       // by modes, first those of bodies
    std::vector<char> with_mode;                                    // by pocket
    std::vector<int> first_column;                                  // by modes
    std::vector<Piece> pieces;                                      // ordered by slot
    std::vector<size_t> first_piece;                                // of each slot with pieces
    std::vector<std::vector<Block>> blocks;                         // by body
    std::vector<std::vector<std::pair<int, Eigen::MatrixXd>>> own;  // Z_a^T A Z_b by a, for b <= a
    struct Factors;
    std::shared_ptr<const Factors> factors;
    Eigen::VectorXd y;
    std::vector<Vector6> impulses_of_y;
};

}  // namespace flotsam
