#include "apps/hints.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

namespace flotsam {

namespace {
std::string program_name = "flotsam";
}

void setProgramName(const std::string& argv0)
{
    if (!argv0.empty()) program_name = shellQuoted(argv0);
}

const std::string& programName() { return program_name; }

std::string shellQuoted(const std::string& word)
{
    const bool plain =
        !word.empty() &&
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./=+") == word.npos;
    if (plain) return word;
    std::string out = "'";
    for (char c : word) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

std::string withRemedy(const std::string& error, const std::string& command)
{
    bool full = error.find("disk full") != error.npos;
    for (const int reason : {ENOSPC, EDQUOT, EFBIG}) full = full || error.find(std::strerror(reason)) != error.npos;
    return fmt::format("{}\n{}, then continue with: {}", error, full ? "Free space" : "Remove the cause", command);
}

}  // namespace flotsam
