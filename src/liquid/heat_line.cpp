#include "liquid/heat_line.h"

#include <algorithm>
#include <cmath>

namespace flotsam {

namespace {

enum Phase : int8_t { solid, melting_point, molten };

// Solves the symmetric system of the cells with unknown temperature by LDL^T, table 5 of the thesis; b is T. fixed(i):
// T[i] is known. Its row is decoupled, and it appears on the right-hand side of its neighbours.
template <class Fixed>
void solveTemperatures(const HeatLine& line, const Fixed& fixed, std::vector<double>& d, std::vector<double>& l,
                       std::vector<double>& T)
{
    const size_t n = line.mass.size();
    for (size_t i = 0; i < n; ++i) {
        const bool coupled = i > 0 && !fixed(i) && !fixed(i - 1);
        l[i] = 0;
        if (coupled) {  // one row of the elimination: d and b of row i - 1 are final
            l[i] = -line.between[i - 1] / d[i - 1];
            d[i] -= l[i] * l[i] * d[i - 1];
            T[i] -= l[i] * T[i - 1];
        }
    }
    for (size_t i = n; i-- > 0;) {
        T[i] /= d[i];
        if (i + 1 < n) T[i] -= l[i + 1] * T[i + 1];
    }
}

// The diagonal of the matrix and the right-hand side for the assumed phases.
template <class Fixed>
void assemble(const Melting& melting, HeatLine& line, const Fixed& fixed)
{
    const size_t n = line.mass.size();
    for (size_t i = 0; i < n; ++i) {
        const double west = i > 0 ? line.between[i - 1] : 0, east = i + 1 < n ? line.between[i] : 0;
        if (fixed(i)) {
            line.d[i] = 1;
            line.T[i] = line.fixed[i] ? melting.temperatureOf(line.e[i]) : melting.melting_K;
            continue;
        }
        const double latent = line.phase[i] == molten ? melting.latent_K : 0;
        line.d[i] = line.mass[i] + west + east + line.sink[i];
        line.T[i] = line.mass[i] * (line.e[i] - latent) + line.sink_K[i];
    }
    for (size_t i = 0; i < n; ++i) {
        if (fixed(i)) continue;
        if (i > 0 && fixed(i - 1)) line.T[i] += line.between[i - 1] * line.T[i - 1];
        if (i + 1 < n && fixed(i + 1)) line.T[i] += line.between[i] * line.T[i + 1];
    }
}

// The heat of a cell that follows from the temperatures.
double heatAfter(const HeatLine& line, size_t i)
{
    const size_t n = line.mass.size();
    double gain = line.sink_K[i] - line.sink[i] * line.T[i];
    if (i > 0) gain += line.between[i - 1] * (line.T[i - 1] - line.T[i]);
    if (i + 1 < n) gain += line.between[i] * (line.T[i + 1] - line.T[i]);
    return line.e[i] + gain / line.mass[i];
}

// Cells whose phase is inconsistent with the result switch to the next one. Returns false if all are consistent.
bool changePhases(const Melting& melting, HeatLine& line)
{
    bool changed = false;
    for (size_t i = 0; i < line.mass.size(); ++i) {
        if (line.fixed[i]) continue;
        int8_t next = line.phase[i];
        if (line.phase[i] == melting_point) {
            const double e = heatAfter(line, i);
            next = e < melting.melting_K ? solid : e > melting.melting_K + melting.latent_K ? molten : melting_point;
        } else if (line.phase[i] == solid ? line.T[i] > melting.melting_K : line.T[i] < melting.melting_K) {
            next = melting_point;
        }
        changed = changed || next != line.phase[i];
        line.phase[i] = next;
    }
    return changed;
}

// Nonlinear Gauss-Seidel, exact in each cell. The step minimises a convex function, so the sweeps converge from any
// start, but slowly.
void relax(const Melting& melting, HeatLine& line)
{
    const size_t n = line.mass.size();
    constexpr int most_sweeps = 10000;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        double change = 0;
        for (size_t i = 0; i < n; ++i) {
            if (line.fixed[i]) continue;
            const double west = i > 0 ? line.between[i - 1] : 0, east = i + 1 < n ? line.between[i] : 0;
            const double c = west + east + line.sink[i], m = line.mass[i];
            double b = m * line.e[i] + line.sink_K[i];
            if (i > 0) b += west * line.T[i - 1];
            if (i + 1 < n) b += east * line.T[i + 1];
            const double as_solid = b / (m + c), as_molten = (b - m * melting.latent_K) / (m + c);
            const double T = as_solid < melting.melting_K    ? as_solid
                             : as_molten > melting.melting_K ? as_molten
                                                             : melting.melting_K;
            change = std::max(change, std::abs(T - line.T[i]));
            line.T[i] = T;
        }
        if (change < 1e-12 * melting.melting_K) return;
    }
}

// The same with phases: an active-set search for consistent phases (semismooth Newton). In the Stefan problem it takes
// 1 to 3 solves per line.
void conductMelting(const Melting& melting, HeatLine& line)
{
    const size_t n = line.mass.size();
    for (size_t i = 0; i < n; ++i) {
        const double e = line.e[i];
        line.phase[i] = e < melting.melting_K                      ? solid
                        : e > melting.melting_K + melting.latent_K ? molten
                                                                   : melting_point;
    }
    const auto fixed = [&](size_t i) { return line.fixed[i] || line.phase[i] == melting_point; };
    constexpr int most_changes = 60;
    bool agreed = false;
    for (int change = 0; change < most_changes && !agreed; ++change) {
        assemble(melting, line, fixed);
        solveTemperatures(line, fixed, line.d, line.l, line.T);
        agreed = !changePhases(melting, line);
    }
    if (!agreed) {  // 6 of 500 random rows (tests/unit/heat_line_test.cpp): the search cycles
        relax(melting, line);
        for (size_t i = 0; i < n; ++i)
            line.phase[i] = line.T[i] < melting.melting_K   ? solid
                            : line.T[i] > melting.melting_K ? molten
                                                            : melting_point;
        assemble(melting, line, fixed);
        solveTemperatures(line, fixed, line.d, line.l, line.T);
    }
    // From the fluxes: heat is conserved between cells even if the phases did not converge. l is free by now.
    for (size_t i = 0; i < n; ++i) line.l[i] = line.fixed[i] ? line.e[i] : heatAfter(line, i);
    std::swap(line.e, line.l);
}

}  // namespace

void HeatLine::resize(size_t n)
{
    for (std::vector<double>* v : {&mass, &e, &between, &sink, &sink_K, &d, &l, &T}) v->resize(n);
    fixed.resize(n);
    phase.resize(n);
}

void conductAlong(const Melting& melting, HeatLine& line)
{
    if (melting.latent_K > 0) return conductMelting(melting, line);
    std::fill(line.phase.begin(), line.phase.end(), int8_t(solid));
    const auto fixed = [&](size_t i) { return line.fixed[i] != 0; };
    assemble(melting, line, fixed);
    solveTemperatures(line, fixed, line.d, line.l, line.T);
    std::swap(line.e, line.T);
}

}  // namespace flotsam
