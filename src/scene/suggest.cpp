#include "scene/suggest.h"

#include <algorithm>

namespace flotsam {

int editDistance(std::string_view a, std::string_view b)
{
    std::vector<std::vector<int>> d(a.size() + 1, std::vector<int>(b.size() + 1));
    for (size_t i = 0; i <= a.size(); ++i)
        for (size_t j = 0; j <= b.size(); ++j) {
            if (i == 0 || j == 0) {
                d[i][j] = int(i + j);
                continue;
            }
            const int replaced = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, replaced});
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                d[i][j] = std::min(d[i][j], d[i - 2][j - 2] + 1);
        }
    return d[a.size()][b.size()];
}

namespace {

// A name without its unit is a likely mistake: 'densty' means 'density_kg_m3', 'center' means 'center_m'.
int distanceToStem(std::string_view word, std::string_view known)
{
    int best = editDistance(word, known);
    if (word.size() >= 3 && known.starts_with(word)) best = 1;
    for (size_t end = known.find('_'); end != known.npos; end = known.find('_', end + 1))
        best = std::min(best, editDistance(word, known.substr(0, end)));
    return best;
}

}  // namespace

std::string nearestWord(std::string_view word, const std::vector<std::string>& known)
{
    if (word.size() > 64) return "";
    std::string best;
    int best_distance = std::max(1, int(word.size()) / 3) + 1;
    for (const std::string& k : known)
        if (const int d = distanceToStem(word, k); d < best_distance) {
            best = k;
            best_distance = d;
        }
    return best;
}

}  // namespace flotsam
