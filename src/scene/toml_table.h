// Typed reading of scene tables. Any error becomes an InputError with the file and line, or the --set option that
// caused it.
#pragma once

#include <toml++/toml.h>

#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/vec.h"

namespace flotsam {

// low <= value <= high, or low < value if low is excluded.
struct Limits {
    double low, high;
    bool low_excluded = false;
    bool infinity_allowed = false;
};
inline constexpr Limits positive(double high) { return {0, high, true}; }
inline constexpr Limits within(double magnitude) { return {-magnitude, magnitude}; }

// Throws InputError "where: what; remedy".
[[noreturn]] void failInput(const std::string& where, const std::string& what, const std::string& remedy);

// "file:line", or the complete "--set key=value" that the text came from.
std::string whereOf(const toml::source_region& source);

// A table of words as an argument of word().
inline std::vector<std::string> wordsOf(std::span<const char* const> words) { return {words.begin(), words.end()}; }

class TomlTable {
public:
    // path is the dotted name as used by --set; where is used if the file does not contain the table.
    TomlTable(const toml::table& table, std::string path, std::string where)
        : table_(&table), path_(std::move(path)), where_(std::move(where))
    {
    }

    // Throws for the first unknown key, suggesting the nearest known one.
    void allowOnly(std::initializer_list<std::string_view> known) const;

    bool has(std::string_view key) const { return table_->contains(key); }
    std::string name(std::string_view key) const;  // "domain.cells"
    const std::string& path() const { return path_; }
    const std::string& where() const { return where_; }
    std::string where(std::string_view key) const;                          // that of the table if the key is absent
    std::string where(std::string_view key, std::string_view other) const;  // that of an override, if either is one

    double number(std::string_view key, double fallback, Limits limits) const;
    double requiredNumber(std::string_view key, Limits limits) const;
    int whole(std::string_view key, int fallback, int low, int high) const;
    bool boolean(std::string_view key, bool fallback) const;
    std::string text(std::string_view key, const std::string& fallback) const;
    Vec3 vector(std::string_view key, Vec3 fallback, Limits each) const;
    Vec3 requiredVector(std::string_view key, Limits each) const;
    Int3 wholes(std::string_view key, Int3 fallback, Int3 low, int high) const;
    std::vector<std::string> texts(std::string_view key, const std::vector<std::string>& fallback) const;
    // Rows of two numbers; none if the key is absent.
    std::vector<std::pair<double, double>> pairs(std::string_view key, Limits first, Limits second) const;
    // [low, high]; the ends are checked for their order.
    std::pair<double, double> range(std::string_view key, std::pair<double, double> fallback, Limits each) const;
    // The index of the word in the list of allowed words.
    int word(std::string_view key, int fallback, const std::vector<std::string>& words) const;

    TomlTable sub(std::string_view key) const;                // [key]; empty if absent
    std::vector<TomlTable> list(std::string_view key) const;  // [[key]]

private:
    [[noreturn]] void failType(std::string_view key, const toml::node& found, const std::string& expected) const;
    void require(std::string_view key) const;

    const toml::table* table_;
    std::string path_, where_;
};

}  // namespace flotsam
