#include "scene/overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "core/error.h"
#include "scene/toml_table.h"

namespace flotsam {

namespace {

// A word without quotes is a string: the shell removes the quotes of liquid.advection="bfecc".
bool isBareWord(const std::string& value)
{
    const auto allowed = [](unsigned char c) {
        return std::isalnum(c) || c == '_' || c == '-' || c == '.' || c == '/';
    };
    return !value.empty() && std::all_of(value.begin(), value.end(), allowed);
}

toml::table parseOverride(const std::string& text)
{
    const std::string where = "--set " + text;
    const size_t equals = text.find('=');
    if (equals == text.npos || equals == 0)
        failInput(where, "this is not key=value", "write for example --set domain.cells=[32,32,32]");
    if (text.find('\n') != text.npos) failInput(where, "there is a line break in it", "give one key per --set");
    try {
        return toml::parse(text, where);
    } catch (const toml::parse_error& e) {
        const std::string value = text.substr(equals + 1);
        if (!isBareWord(value))
            failInput(where, std::string(e.description()), "write the value as in a scene file, quoted for the shell");
        try {
            return toml::parse(text.substr(0, equals) + "=\"" + value + "\"", where);
        } catch (const toml::parse_error&) {
            failInput(where, std::string(e.description()), "write for example --set domain.cells=[32,32,32]");
        }
    }
}

// Inline tables are values and are replaced; tables implied by a dotted key are only descended into.
bool isImpliedTable(const toml::node& node) { return node.is_table() && !node.as_table()->is_inline(); }

void merge(const std::string& where, const std::string& path, toml::node& from, toml::node& into);

void mergeIntoTable(const std::string& where, const std::string& path, toml::table& from, toml::table& into)
{
    for (auto&& [key, value] : from) {
        toml::node* old = into.get(key.str());
        const bool can_descend = old && isImpliedTable(value) && (old->is_table() || old->is_array());
        if (can_descend)
            merge(where, path + std::string(key.str()) + ".", value, *old);
        else
            value.visit([&, &k = key](auto& v) { into.insert_or_assign(k, std::move(v)); });
    }
}

void mergeIntoArray(const std::string& where, const std::string& path, toml::table& from, toml::array& into)
{
    for (auto&& [key, value] : from) {
        const std::string_view digits = key.str();
        size_t index = into.size();
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
        if (error != std::errc{} || end != digits.data() + digits.size() || index >= into.size())
            failInput(where, fmt::format("there is no '{}{}'", path, digits),
                      fmt::format("the scene has {} of these, numbered from 0", into.size()));
        toml::node& old = *into.get(index);
        if (isImpliedTable(value) && (old.is_table() || old.is_array()))
            merge(where, fmt::format("{}{}.", path, index), value, old);
        else
            value.visit([&](auto& v) { into.replace(into.cbegin() + std::ptrdiff_t(index), std::move(v)); });
    }
}

void merge(const std::string& where, const std::string& path, toml::node& from, toml::node& into)
{
    if (into.is_table())
        mergeIntoTable(where, path, *from.as_table(), *into.as_table());
    else
        mergeIntoArray(where, path, *from.as_table(), *into.as_array());
}

}  // namespace

void applyOverride(const std::string& key_and_value, toml::table& scene)
{
    toml::table parsed = parseOverride(key_and_value);
    mergeIntoTable("--set " + key_and_value, "", parsed, scene);
}

}  // namespace flotsam
