#include "bench/rigid_heaps.h"

#include "validation/rigid_cases.h"

namespace flotsam {

RigidWorld makeHeap(const Heap& heap)
{
    return heap.boxes > 0 ? binOfBoxes(heap.boxes, heap.across) : heapOfGears(heap.gear_teeth, heap.toys);
}

}  // namespace flotsam
