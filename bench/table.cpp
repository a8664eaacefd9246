#include "bench/table.h"

#include <fmt/format.h>

#include <algorithm>

namespace flotsam {

namespace {

using Cells = std::vector<std::string>;
struct Row {
    std::string label;
    Cells cells;
};

std::string textOf(const Json& value)
{
    if (value.is_string()) return value.get<std::string>();
    return value.is_number_integer() ? value.dump() : fmt::format("{:.4g}", value.get<double>());
}

// "/stage_share/pressure" of a nested result becomes "stage_share pressure".
std::string labelOf(std::string pointer)
{
    pointer.erase(0, 1);
    std::replace(pointer.begin(), pointer.end(), '/', ' ');
    return pointer;
}

void addColumn(const Json& result, size_t column, size_t columns, std::vector<Row>& rows)
{
    const Json figures = result.flatten();
    auto after = rows.begin();
    for (const auto& [pointer, value] : figures.items()) {
        const std::string label = labelOf(pointer);
        if (label == "name") continue;
        auto row = std::find_if(rows.begin(), rows.end(), [&](const Row& r) { return r.label == label; });
        if (row == rows.end()) row = rows.insert(after, {label, Cells(columns)});
        row->cells[column] = textOf(value);
        after = row + 1;
    }
}

std::vector<Row> rowsOf(const char* benchmark, const BenchReport& report)
{
    const size_t columns = report.results.size() + !report.goals.empty();
    std::vector<Row> rows;
    for (size_t n = 0; n < report.results.size(); ++n) addColumn(report.results[n], n, columns, rows);
    for (const auto& [label, goal] : report.goals)
        for (Row& row : rows)
            if (row.label == label) row.cells.back() = goal;
    Row head{benchmark, Cells(columns)};
    for (size_t n = 0; n < report.results.size(); ++n) {
        const std::string name = report.results[n].at("name");
        head.cells[n] = name.substr(name.find('/') + 1);
    }
    if (!report.goals.empty()) head.cells.back() = "goal";
    rows.insert(rows.begin(), head);
    return rows;
}

}  // namespace

std::string tableOf(const char* benchmark, const BenchReport& report)
{
    const std::vector<Row> rows = rowsOf(benchmark, report);
    size_t label_width = 0;
    Cells::size_type columns = rows.front().cells.size();
    std::vector<size_t> widths(columns, 0);
    for (const Row& row : rows) {
        label_width = std::max(label_width, row.label.size());
        for (size_t n = 0; n < columns; ++n) widths[n] = std::max(widths[n], row.cells[n].size());
    }
    std::string text;
    for (const Row& row : rows) {
        std::string line = fmt::format("{:<{}}", row.label, label_width);
        for (size_t n = 0; n < columns; ++n) line += fmt::format("  {:>{}}", row.cells[n], widths[n]);
        text += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    for (const std::string& note : report.notes) text += "  " + note + '\n';
    return text;
}

}  // namespace flotsam
