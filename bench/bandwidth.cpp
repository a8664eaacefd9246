#include "bench/bandwidth.h"

#include "bench/benchmark.h"
#include "bench/thread_scope.h"
#include "core/field.h"
#include "core/parallel.h"

namespace flotsam {

namespace {

constexpr int task_elements = 1 << 16, tasks = 1 << 9;  // three arrays of 256 MiB: far beyond any last-level cache
constexpr int repetitions = 20;

struct Triad {
    Pages a{bytes}, b{bytes}, c{bytes};

    static constexpr size_t bytes = sizeof(double) * task_elements * tasks;
    static double* part(const Pages& pages, int task)
    {
        return static_cast<double*>(pages.data) + size_t(task) * task_elements;
    }

    void fill() const
    {
        parallelTasks("bench.fill", tasks, [this](int task) {
            std::fill_n(part(a, task), task_elements, 0.0);
            std::fill_n(part(b, task), task_elements, 1.0);
            std::fill_n(part(c, task), task_elements, 2.0);
        });
    }

    void run(double s) const
    {
        parallelTasks("bench.triad", tasks, [this, s](int task) {
            double* to = part(a, task);
            const double *x = part(b, task), *y = part(c, task);
#pragma omp simd
            for (int i = 0; i < task_elements; ++i) to[i] = x[i] + s * y[i];
        });
    }
};

BenchReport benchBandwidth(const Machine& machine)
{
    BenchReport report;
    report.results.push_back(
        {{"name", "bandwidth/all threads"}, {"threads", machine.threads}, {"GB_s", 1e-9 * machine.bandwidth_B_s}});
    const ThreadScope one(1);
    report.results.push_back({{"name", "bandwidth/one thread"}, {"threads", 1}, {"GB_s", 1e-9 * measureBandwidth()}});
    return report;
}

}  // namespace

double measureBandwidth()
{
    const Triad triad;
    triad.fill();
    return 3.0 * Triad::bytes / leastSecondsOf(repetitions, [&] { triad.run(3); });
}

const Benchmark bandwidth_benchmark{"bandwidth", benchBandwidth};

}  // namespace flotsam
