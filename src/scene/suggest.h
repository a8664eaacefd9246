// "did you mean ...?": the known word nearest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flotsam {

// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other.
int editDistance(std::string_view a, std::string_view b);

// The nearest of the known words, or an empty one when none is near enough to be meant.
std::string nearestWord(std::string_view word, const std::vector<std::string>& known);

}  // namespace flotsam
