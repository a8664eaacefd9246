#include "bench/linear_system.h"

#include <fstream>

#include "core/error.h"
#include "core/parallel.h"

namespace flotsam {

namespace {

template <class System, class F>
void forEachArray(System& system, const F& f)
{
    for (auto& c : system.coupling) f(c);
    f(system.tied);
    f(system.rhs);
}

double applied(const LinearSystem& a, const std::vector<double>& x, Int3 c)
{
    const double here = x[a.index(c.x, c.y, c.z)];
    double sum = double(a.tied[a.index(c.x, c.y, c.z)]) * here;
    for (int axis = 0; axis < 3; ++axis) {
        const Int3 below = c - unit(axis), above = c + unit(axis);
        if (const double coupling = a.low(axis, c)) sum += coupling * (here - x[a.index(below.x, below.y, below.z)]);
        if (const double coupling = a.high(axis, c)) sum += coupling * (here - x[a.index(above.x, above.y, above.z)]);
    }
    return sum;
}

}  // namespace

LinearSystem::LinearSystem(Int3 cells_) : cells(cells_)
{
    forEachArray(*this, [this](std::vector<float>& v) { v.assign(size_t(product(cells)), 0.0f); });
}

double LinearSystem::diagonal(Int3 c) const
{
    double sum = double(tied[index(c.x, c.y, c.z)]);
    for (int axis = 0; axis < 3; ++axis) sum += low(axis, c) + high(axis, c);
    return sum;
}

long long countUnknowns(const LinearSystem& system)
{
    long long count = 0;
    forEachCell({{0, 0, 0}, system.cells}, [&](int i, int j, int k) { count += system.diagonal({i, j, k}) > 0; });
    return count;
}

double trueResidual(const LinearSystem& system, const std::vector<double>& x)
{
    double rr = 0, bb = 0;
    forEachCell({{0, 0, 0}, system.cells}, [&](int i, int j, int k) {
        const double b = double(system.rhs[system.index(i, j, k)]), r = b - applied(system, x, {i, j, k});
        rr += r * r;
        bb += b * b;
    });
    return std::sqrt(rr / bb);
}

void writeSystem(const std::filesystem::path& path, const LinearSystem& system)
{
    std::ofstream file(path, std::ios::binary);
    file.write(reinterpret_cast<const char*>(&system.cells), sizeof system.cells);
    forEachArray(system, [&](const std::vector<float>& v) {
        file.write(reinterpret_cast<const char*>(v.data()), std::streamsize(sizeof(float) * v.size()));
    });
    if (!file.flush())
        throw IoError(path.string() + ": cannot write the system for the rival solver; is there room for it?");
}

LinearSystem readSystem(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    Int3 cells;
    file.read(reinterpret_cast<char*>(&cells), sizeof cells);
    if (!file) throw IoError(path.string() + ": cannot be read");
    LinearSystem system(cells);
    forEachArray(system, [&](std::vector<float>& v) {
        file.read(reinterpret_cast<char*>(v.data()), std::streamsize(sizeof(float) * v.size()));
    });
    if (!file) throw IoError(path.string() + ": ends early");
    return system;
}

}  // namespace flotsam
