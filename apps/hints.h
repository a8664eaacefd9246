// Commands that the program suggests, ready to be copied into a shell.
#pragma once

#include <string>

namespace flotsam {

// The program as it was called: "./flotsam", quoted where a shell needs it. "flotsam" until it is set.
void setProgramName(const std::string& argv0);
const std::string& programName();

std::string shellQuoted(const std::string& word);

// The remedy after a read or write error: "<error>\nFree space, then continue with: <command>".
std::string withRemedy(const std::string& error, const std::string& command);

}  // namespace flotsam
