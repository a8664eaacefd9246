// Contacts that act, as rows of the constraint system.
#pragma once

#include "rigid/constrained_mass.h"
#include "rigid/state.h"

namespace flotsam {

// Appends the rows of the contacts of the last substep: the normals of points with an impulse or held, the tangents of
// those that stick, and rolling and spinning where friction prevents them. Sliding points keep their normal row only.
// Two rigid bodies have six rates relative to each other, so a pair has at most six rows however many points it has.
void addContactRows(int moving, const RigidState& state, const RigidScratch& w, std::vector<HeldRow>& rows);

// impulses: l of these rows. Releases pairs that would have to pull, and the friction of pairs that it cannot hold: a
// body that fits between the walls of a tank like a piston does not hang on them. A pair is released until the next
// move. Returns whether any was.
bool releaseContacts(std::span<const HeldRow> rows, std::span<const double> impulses, double least_N_s,
                     RigidScratch& w);

}  // namespace flotsam
