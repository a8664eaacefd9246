#include "core/field.h"

#include <sys/mman.h>

#include <new>

namespace flotsam {

Pages::Pages(size_t bytes_) : bytes(bytes_)
{
    data = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (data == MAP_FAILED) {
        data = nullptr;
        throw std::bad_alloc();
    }
}

void Pages::expectDense()
{
    if (data) madvise(data, bytes, MADV_HUGEPAGE);  // a hint: failure is harmless
}

Pages::~Pages()
{
    if (data) munmap(data, bytes);
}

}  // namespace flotsam
