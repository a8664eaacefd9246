#include "core/brick_field.h"

namespace flotsam {

void BrickSlots::assign(const BrickList& list_)
{
    for (int brick : list) slot_of_brick[size_t(brick)] = 0;
    list = list_;
    for (int slot = 1; slot <= count(); ++slot) slot_of_brick[size_t(brickOf(slot))] = slot;
    neighbours.assign(list.size() + 1, {});
    for (int slot = 1; slot <= count(); ++slot) {
        const Int3 b = bricks.at(brickOf(slot));
        for (int d = 0; d < 6; ++d) {
            const Int3 e = unit(d / 2);
            neighbours[size_t(slot)][size_t(d)] = slotOf(d & 1 ? b + e : b - e);
        }
    }
}

}  // namespace flotsam
