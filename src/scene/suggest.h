// "did you mean ...?": the known word nearest to a mistyped one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace flotsam {

// Insertions, deletions, substitutions and transpositions that change one word into the other.
int editDistance(std::string_view a, std::string_view b);

// The nearest known word, or an empty one if none is close enough.
std::string nearestWord(std::string_view word, const std::vector<std::string>& known);

}  // namespace flotsam
