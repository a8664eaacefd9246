#include "scene/toml_table.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>

#include "core/error.h"
#include "scene/suggest.h"

namespace flotsam {

void failInput(const std::string& where, const std::string& what, const std::string& remedy)
{
    throw InputError(fmt::format("{}: {}; {}", where, what, remedy));
}

std::string whereOf(const toml::source_region& source)
{
    const std::string file = source.path ? *source.path : "scene";
    return file.starts_with("--set ") ? file : fmt::format("{}:{}", file, source.begin.line);
}

namespace {

std::string describe(const toml::node& node)
{
    if (auto v = node.value_exact<std::string>()) return fmt::format("the string \"{}\"", *v);
    if (auto v = node.value_exact<bool>()) return fmt::format("the boolean {}", *v);
    if (auto v = node.value_exact<int64_t>()) return fmt::format("the whole number {}", *v);
    if (auto v = node.value_exact<double>()) return fmt::format("the number {}", *v);
    if (const auto* a = node.as_array()) return fmt::format("an array of {}", a->size());
    return node.is_table() ? "a table" : "a date or time";
}

void checkLimits(double value, Limits limits, const std::string& name, const std::string& where)
{
    if (limits.infinity_allowed && value == HUGE_VAL) return;
    const bool above = limits.low_excluded ? value > limits.low : value >= limits.low;
    if (above && value <= limits.high) return;  // false for NaN
    failInput(where, fmt::format("{} is {}", name, value),
              fmt::format("it must be {} {} and at most {}", limits.low_excluded ? "above" : "at least", limits.low,
                          limits.high));
}

std::string placeOf(const toml::node& node, const std::string& fallback)
{
    return node.source().path ? whereOf(node.source()) : fallback;
}

// A number, written with or without a decimal point.
bool isNumber(const toml::node& node) { return node.is_integer() || node.is_floating_point(); }

}  // namespace

std::string TomlTable::name(std::string_view key) const
{
    return path_.empty() ? std::string(key) : fmt::format("{}.{}", path_, key);
}

std::string TomlTable::where(std::string_view key) const
{
    const toml::node* node = table_->get(key);
    return node ? placeOf(*node, where_) : where_;
}

std::string TomlTable::where(std::string_view key, std::string_view other) const
{
    const std::string second = where(other);
    return second.starts_with("--set ") ? second : where(key);
}

void TomlTable::allowOnly(std::initializer_list<std::string_view> known) const
{
    for (const auto& [key, node] : *table_) {
        const std::string_view k = key.str();
        if (std::find(known.begin(), known.end(), k) != known.end()) continue;
        const std::string place = key.source().path ? whereOf(key.source()) : where(k);
        const std::string near = nearestWord(k, {known.begin(), known.end()});
        failInput(place, fmt::format("unknown key '{}'", name(k)),
                  near.empty() ? fmt::format("the keys here are {}", fmt::join(known, ", "))
                               : fmt::format("did you mean '{}'?", name(near)));
    }
}

void TomlTable::failType(std::string_view key, const toml::node& found, const std::string& expected) const
{
    failInput(where(key), fmt::format("{} has the wrong type: found {}", name(key), describe(found)),
              fmt::format("expected {}", expected));
}

void TomlTable::require(std::string_view key) const
{
    if (!has(key)) failInput(where_, fmt::format("'{}' is missing", name(key)), "give it a value");
}

double TomlTable::number(std::string_view key, double fallback, Limits limits) const
{
    const toml::node* node = table_->get(key);
    if (!node) return fallback;
    if (!isNumber(*node)) failType(key, *node, "a number");
    const double value = *node->value<double>();
    checkLimits(value, limits, name(key), where(key));
    return value;
}

double TomlTable::requiredNumber(std::string_view key, Limits limits) const
{
    require(key);
    return number(key, 0, limits);
}

int TomlTable::whole(std::string_view key, int fallback, int low, int high) const
{
    const toml::node* node = table_->get(key);
    if (!node) return fallback;
    if (!node->is_integer()) failType(key, *node, "a whole number");
    const int64_t value = *node->value<int64_t>();
    if (value < low || value > high)
        failInput(where(key), fmt::format("{} is {}", name(key), value),
                  fmt::format("it must be at least {} and at most {}", low, high));
    return int(value);
}

bool TomlTable::boolean(std::string_view key, bool fallback) const
{
    const toml::node* node = table_->get(key);
    if (node && !node->is_boolean()) failType(key, *node, "true or false");
    return node ? *node->value<bool>() : fallback;
}

std::string TomlTable::text(std::string_view key, const std::string& fallback) const
{
    const toml::node* node = table_->get(key);
    if (node && !node->is_string()) failType(key, *node, "a string in quotes");
    return node ? *node->value<std::string>() : fallback;
}

Vec3 TomlTable::vector(std::string_view key, Vec3 fallback, Limits each) const
{
    const toml::node* node = table_->get(key);
    if (!node) return fallback;
    const toml::array* array = node->as_array();
    if (!array || array->size() != 3) failType(key, *node, "an array of 3 numbers, as in [0, 1.5, 2]");
    Vec3 result;
    for (int a = 0; a < 3; ++a) {
        const toml::node& entry = *array->get(size_t(a));
        if (!isNumber(entry)) failType(key, entry, "an array of 3 numbers, as in [0, 1.5, 2]");
        result[a] = *entry.value<double>();
        checkLimits(result[a], each, fmt::format("{}.{}", name(key), a), placeOf(entry, where_));
    }
    return result;
}

Vec3 TomlTable::requiredVector(std::string_view key, Limits each) const
{
    require(key);
    return vector(key, {}, each);
}

Int3 TomlTable::wholes(std::string_view key, Int3 fallback, Int3 low, int high) const
{
    const toml::node* node = table_->get(key);
    if (!node) return fallback;
    const toml::array* array = node->as_array();
    if (!array || array->size() != 3) failType(key, *node, "an array of 3 whole numbers, as in [64, 48, 32]");
    Int3 result;
    for (int a = 0; a < 3; ++a) {
        const toml::node& entry = *array->get(size_t(a));
        if (!entry.is_integer()) failType(key, entry, "an array of 3 whole numbers, as in [64, 48, 32]");
        const int64_t value = *entry.value<int64_t>();
        if (value < low[a] || value > high)
            failInput(placeOf(entry, where_), fmt::format("{} is {} along {}", name(key), value, "xyz"[a]),
                      fmt::format("it must be at least {} and at most {}", low[a], high));
        result[a] = int(value);
    }
    return result;
}

std::vector<std::string> TomlTable::texts(std::string_view key, const std::vector<std::string>& fallback) const
{
    const toml::node* node = table_->get(key);
    if (!node) return fallback;
    const toml::array* array = node->as_array();
    if (!array) failType(key, *node, "an array of strings");
    std::vector<std::string> result;
    for (const toml::node& entry : *array) {
        if (!entry.is_string()) failType(key, entry, "an array of strings");
        result.push_back(*entry.value<std::string>());
    }
    return result;
}

std::vector<std::pair<double, double>> TomlTable::pairs(std::string_view key, Limits first, Limits second) const
{
    const std::string expected = "an array of pairs of numbers, as in [[300, 1e4], [340, 0.1]]";
    const toml::node* node = table_->get(key);
    if (!node) return {};
    const toml::array* rows = node->as_array();
    if (!rows) failType(key, *node, expected);
    std::vector<std::pair<double, double>> result;
    for (const toml::node& entry : *rows) {
        const toml::array* row = entry.as_array();
        if (!row || row->size() != 2 || !isNumber(*row->get(0)) || !isNumber(*row->get(1)))
            failType(key, entry, expected);
        const double values[] = {*row->get(0)->value<double>(), *row->get(1)->value<double>()};
        for (int n = 0; n < 2; ++n)
            checkLimits(values[n], n == 0 ? first : second, fmt::format("{}.{}.{}", name(key), result.size(), n),
                        placeOf(entry, where_));
        result.emplace_back(values[0], values[1]);
    }
    return result;
}

std::pair<double, double> TomlTable::range(std::string_view key, std::pair<double, double> fallback, Limits each) const
{
    const toml::node* node = table_->get(key);
    if (!node) return fallback;
    const std::string expected = "a lowest and a highest number, as in [-30, 30]";
    const toml::array* array = node->as_array();
    if (!array || array->size() != 2) failType(key, *node, expected);
    double ends[2] = {};
    for (size_t n = 0; n < 2; ++n) {
        const toml::node& entry = *array->get(n);
        if (!isNumber(entry)) failType(key, entry, expected);
        ends[n] = *entry.value<double>();
        checkLimits(ends[n], each, fmt::format("{}.{}", name(key), n), placeOf(entry, where_));
    }
    if (ends[0] > ends[1])
        failInput(where(key), fmt::format("{} is [{}, {}]: its ends are reversed", name(key), ends[0], ends[1]),
                  fmt::format("write [{}, {}]", ends[1], ends[0]));
    return {ends[0], ends[1]};
}

int TomlTable::word(std::string_view key, int fallback, const std::vector<std::string>& words) const
{
    const std::string given = text(key, words[size_t(fallback)]);
    const auto found = std::find(words.begin(), words.end(), given);
    if (found == words.end())
        failInput(where(key), fmt::format("{} is \"{}\"", name(key), given),
                  fmt::format("it must be one of \"{}\"", fmt::join(words, "\", \"")));
    return int(found - words.begin());
}

TomlTable TomlTable::sub(std::string_view key) const
{
    static const toml::table empty;
    const toml::node* node = table_->get(key);
    if (!node) return {empty, name(key), where_};
    if (!node->is_table()) {
        const toml::array* array = node->as_array();
        failType(key, *node, array && array->is_array_of_tables() ? "one table: write single brackets" : "a table");
    }
    return {*node->as_table(), name(key), where(key)};
}

std::vector<TomlTable> TomlTable::list(std::string_view key) const
{
    const toml::node* node = table_->get(key);
    if (!node) return {};
    const std::string expected = fmt::format("a list of tables: write [[{}]] with double brackets", name(key));
    const toml::array* array = node->as_array();
    if (!array) failType(key, *node, expected);
    std::vector<TomlTable> result;
    for (size_t i = 0; i < array->size(); ++i) {
        const toml::node& entry = *array->get(i);
        if (!entry.is_table()) failType(key, entry, expected);
        result.emplace_back(*entry.as_table(), fmt::format("{}.{}", name(key), i), placeOf(entry, where_));
    }
    return result;
}

}  // namespace flotsam
