// Contacts of four pairs at a time, one pair in each lane of the vector registers. The pairs share no moving body, so
// the result is that of one after the other.
#pragma once

#include <span>

#include "rigid/state.h"

namespace flotsam {

// Appends a group of one to four pairs, indices of w.pairs, to w.lanes.
void addLanes(std::span<const int> pairs, RigidScratch& w);
// Copies the rows of its points from w.solver_points. masses: of each of its pairs.
void loadLanes(std::span<const PairMasses> masses, PairLanes& group, RigidScratch& w);
// One sweep over the points. Returns the largest change of a speed along a normal by one of them, in each lane [m/s].
Double4 sweepLanes(const PairLanes& group, int moving, RigidScratch& w);
// Copies the impulses to w.solver_points.
void storeLanes(const PairLanes& group, RigidScratch& w);

}  // namespace flotsam
