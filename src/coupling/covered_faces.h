// The faces that bodies cover: docs/methods/coupling.md, section 2.
#pragma once

#include <span>

#include "coupling/body_cover.h"
#include "liquid/solids.h"
#include "rigid/constrained_mass.h"

namespace flotsam {

class CoveredFaces {
public:
    using Vector6 = ConstrainedMass::Vector6;
    using Matrix6 = ConstrainedMass::Matrix6;

    // A region of the control volume of a face that moves with a body. Those between two buried cells are left out:
    // the rows of a cell whose faces are all covered add up to zero.
    struct Covered {
        size_t body;
        int axis;
        Int3 at;
        double part;
        Vector6 row;  // row . V is the velocity of its centroid along the axis
        bool is_below_buried = false, is_above_buried = false;
    };
    // Liquid at a locked face, which moves with the body.
    struct Carried {
        Covered at;
        double mass_kg;
    };
    // The region of a body in the half cell at a closed boundary of the domain, which no inner control volume contains.
    struct End {
        Covered at;
        double volume_m3;
    };

    explicit CoveredFaces(const Grid& grid_) : grid(grid_) {}

    // Finds the faces that the bodies cover and sets the open fractions of `walls`. cell_kg: mass of a full cell.
    void find(const std::vector<const BodyObstacle*>& bodies, const std::vector<double>& volume_m3, double cell_kg,
              View3<const float> phi, Solids& walls);

    std::vector<Covered> covered;
    std::vector<Carried> carried;
    std::vector<End> ends;
    std::vector<Matrix6> carried_kg;  // mass matrix of the carried liquid, by body
    std::vector<char> wet;            // whether liquid touches a body

private:
    struct Item {
        size_t key, body;
        const FaceCover* cover;
    };

    // A face whose liquid moves with a body.
    struct Locked {
        Covered liquid;
        double wet_length;  // of the control volume along its axis [cells]
    };

    // The regions of a control volume that the bodies cover, each as a fraction of its wet part.
    struct Regions {
        std::vector<Part> parts;
        double sum = 0;
        size_t largest = 0;

        void clear()
        {
            parts.clear();
            sum = 0;
            largest = 0;
        }
        void add(const Part& part)
        {
            parts.push_back(part);
            sum += part.fraction;
            if (part.fraction > parts[largest].fraction) largest = parts.size() - 1;
        }
        void scaleTo(double limit)
        {
            for (Part& p : parts) p.fraction *= limit / sum;
            sum = limit;
        }
    };

    void coverFace(std::span<const Item> items, View3<const float> phi, Solids& walls);
    void coverEnd(std::span<const Item> items, View3<const float> phi);
    bool widenNeighbours(const Locked& strip, View3<const float> phi, Solids& walls) const;
    void lock(const Locked& face);
    Vector6 rowAt(size_t body, int axis, Vec3 p_m) const;

    const Grid& grid;
    std::vector<BodyCover> covers;
    std::vector<const BodyObstacle*> shapes;
    std::vector<char> is_thick;  // by body
    double cell_kg = 0;
    Regions regions;             // of the present face
    std::vector<Locked> strips;  // at the contact line, in front of covered centres
};

}  // namespace flotsam
