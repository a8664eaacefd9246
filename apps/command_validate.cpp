// flotsam validate and flotsam bench: measurements of accuracy and speed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <memory>

#include "apps/commands.h"
#include "bench/bench.h"
#include "cache/safe_file.h"
#include "core/error.h"
#include "core/print.h"
#include "scene/suggest.h"
#include "validation/validate.h"

namespace flotsam {

namespace {

struct Measurement {
    std::vector<std::string> (*known)();
    std::function<int(const std::vector<std::string>&, const std::string&)> measure;
    std::vector<std::string> names;
    std::string json;
    bool list = false;
};

void checkNames(const std::vector<std::string>& names, const std::vector<std::string>& known)
{
    for (const std::string& name : names) {
        if (std::find(known.begin(), known.end(), name) != known.end()) continue;
        const std::string near = nearestWord(name, known);
        throw InputError(fmt::format("there is no '{}'; {}", name,
                                     near.empty() ? fmt::format("the names are {}", fmt::join(known, ", "))
                                                  : fmt::format("did you mean '{}'?", near)));
    }
}

int perform(const Measurement& m)
{
    if (m.list) {
        printRaw(stdout, fmt::format("{}\n", fmt::join(m.known(), "\n")));
        return exit_done;
    }
    checkNames(m.names, m.known());
    if (!m.json.empty()) checkWritable(m.json);
    return m.measure(m.names, m.json);
}

CLI::App& addMeasurement(CLI::App& program, const char* name, const char* description, const Measurement& kind,
                         Action& action)
{
    auto m = std::make_shared<Measurement>(kind);
    CLI::App& c = *program.add_subcommand(name, description);
    c.add_option("name", m->names, "Names of the cases [default: all]")->type_name("NAME");
    c.add_option("--json", m->json, "Also write the results to this file")->type_name("FILE");
    c.add_flag("--list", m->list, "Print the names and exit");
    addThreadsOption(c);
    c.callback([m, &action] { action = [m] { return perform(*m); }; });
    return c;
}

}  // namespace

void addValidateCommand(CLI::App& program, Action& action)
{
    const auto pictures = std::make_shared<std::string>();
    const auto validate = [pictures](const std::vector<std::string>& names, const std::string& json) {
        return runValidation(names, json, *pictures);
    };
    CLI::App& c = addMeasurement(program, "validate", "Run the validation cases: measured, reference, error, verdict",
                                 {validationNames, validate, {}, {}}, action);
    c.add_option("--pictures", *pictures, "Also draw the results of zalesak and vortex, into this folder")
        ->type_name("DIR");
    c.footer(
        "Exit code 1 if a gate failed.\nExamples:\n  flotsam validate --list\n  flotsam validate --json "
        "results.json\n  flotsam validate zalesak --pictures disks");
}

void addBenchCommand(CLI::App& program, Action& action)
{
    addMeasurement(program, "bench", "Measure the speed of the solvers and stages, and the memory bandwidth",
                   {benchNames, runBench, {}, {}}, action)
        .footer("Examples:\n  flotsam bench --list\n  flotsam bench --threads 4 --json bench.json");
}

}  // namespace flotsam
