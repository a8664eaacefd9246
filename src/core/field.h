// Fields on a box of cells with ghost cells around it, and the views that kernels capture. Row-major, x fastest. The
// system provides zeroed memory page by page on first touch: pages that are never touched cost nothing.
#pragma once

#include <cstddef>
#include <utility>

#include "core/bricks.h"
#include "core/vec.h"

namespace flotsam {

// A pointer and strides: trivially copyable, captured by value. Indices may reach into the ghost cells.
template <class T>
struct View3 {
    T* origin = nullptr;  // of cell (0, 0, 0)
    std::ptrdiff_t sy = 0, sz = 0;

    T& operator()(int i, int j, int k) const { return origin[i + j * sy + k * sz]; }
    T& operator()(Int3 c) const { return (*this)(c.x, c.y, c.z); }
    T* row(int j, int k) const { return origin + j * sy + k * sz; }
    operator View3<const T>() const { return {origin, sy, sz}; }
};

// Zeroed memory pages from the system.
class Pages {
public:
    Pages() = default;
    explicit Pages(size_t bytes);
    ~Pages();
    Pages(Pages&& other) noexcept : data(std::exchange(other.data, nullptr)), bytes(std::exchange(other.bytes, 0)) {}
    Pages& operator=(Pages&& other) noexcept
    {
        std::swap(data, other.data);
        std::swap(bytes, other.bytes);
        return *this;
    }

    // Uses large pages from now on: fewer of them make a sweep some 8 % faster, but each takes 2 MB as soon as one byte
    // of it is touched.
    void expectDense();

    void* data = nullptr;
    size_t bytes = 0;
};

template <class T>
class Field3 {
public:
    static constexpr int ghost_cells = 2;

    Field3() = default;
    // The size is cells.{x,y,z} plus one (faces on the high side), plus the ghost cells on each side. Rows are padded
    // so that a kernel may always process full rows of a brick.
    explicit Field3(Int3 cells_) : cells(cells_)
    {
        constexpr int row = Bricks::side.x;
        const std::ptrdiff_t nx = (cells.x + row - 1) / row * row + 1 + 2 * ghost_cells,
                             ny = cells.y + 1 + 2 * ghost_cells, nz = cells.z + 1 + 2 * ghost_cells;
        sy = nx;
        sz = nx * ny;
        pages = Pages(size_t(sz) * size_t(nz) * sizeof(T));
    }

    View3<T> view() { return {origin(), sy, sz}; }
    View3<const T> view() const { return {origin(), sy, sz}; }
    operator View3<T>() { return view(); }
    operator View3<const T>() const { return view(); }

    void expectDense() { pages.expectDense(); }

    Int3 cells;

private:
    T* origin() const { return static_cast<T*>(pages.data) + ghost_cells * (1 + sy + sz); }

    std::ptrdiff_t sy = 0, sz = 0;
    Pages pages;
};

}  // namespace flotsam
