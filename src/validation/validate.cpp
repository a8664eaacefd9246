#include "validation/validate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "cache/safe_file.h"
#include "core/error.h"
#include "validation/validate_case.h"

namespace flotsam {

namespace {

const ValidationCase& caseOf(const std::string& name)
{
    for (const ValidationCase* c : validationCases())
        if (name == c->name) return *c;
    throw InputError(fmt::format("there is no case '{}'; the cases are {}", name, fmt::join(validationNames(), ", ")));
}

constexpr char row_format[] = "{:<18}{:<58}{:>13}{:>13}{:>11}{:>10}  {}\n";

void printHeader()
{
    fmt::print(row_format, "case", "quantity", "measured", "reference", "error", "gate", "verdict");
    fmt::print("{:-<130}\n", "");
}

void printRow(const std::string& name, const Finding& f)
{
    const auto number = [](double v) { return fmt::format("{:.6g}", v); };
    const auto brief = [](double v) { return fmt::format("{:.3g}", v); };
    fmt::print(row_format, name, f.quantity, number(f.measured), number(f.reference), brief(f.error),
               f.gate ? brief(*f.gate) : "-",
               !f.gate    ? "reported"
               : f.pass() ? "pass"
                          : "FAIL");
    std::fflush(stdout);
}

// JSON has no NaN: it becomes null. Quantities and names are our own and need no escaping.
std::string jsonOf(const std::string& name, const Finding& f)
{
    const auto number = [](double v) { return std::isfinite(v) ? fmt::format("{}", v) : "null"; };
    return fmt::format(
        R"({{"case": "{}", "quantity": "{}", "measured": {}, "reference": {}, "error": {}, "gate": {}, "pass": {}}})",
        name, f.quantity, number(f.measured), number(f.reference), number(f.error), f.gate ? number(*f.gate) : "null",
        f.pass());
}

}  // namespace

std::vector<std::string> validationNames()
{
    std::vector<std::string> names;
    for (const ValidationCase* c : validationCases()) names.push_back(c->name);
    return names;
}

int runValidation(const std::vector<std::string>& names, const std::string& json_path, const std::string& pictures)
{
    std::vector<const ValidationCase*> chosen;
    for (const std::string& name : names.empty() ? validationNames() : names) chosen.push_back(&caseOf(name));
    std::vector<std::string> lines;
    bool all_pass = true;
    printHeader();
    for (const ValidationCase* c : chosen)
        for (const Finding& f : c->measure(pictures)) {
            printRow(c->name, f);
            lines.push_back(jsonOf(c->name, f));
            all_pass = all_pass && f.pass();
        }
    if (!json_path.empty())
        writeFileAtomically(json_path, fmt::format("{{\"results\": [\n  {}\n]}}\n", fmt::join(lines, ",\n  ")));
    return all_pass ? 0 : 1;
}

}  // namespace flotsam
