// A check for bugs in the program: prints both values and aborts. Not for user input.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

namespace flotsam {

template <class A, class B>
[[noreturn]] void checkFailed(const char* what, const A& a, const B& b, const char* file, int line)
{
    fmt::print(stderr, "{}:{}: check failed: {} with {} and {}\n", file, line, what, a, b);
    std::abort();
}

}  // namespace flotsam

#define FLOTSAM_CHECK(a, op, b)                                                                   \
    do {                                                                                          \
        if (!((a)op(b))) ::flotsam::checkFailed(#a " " #op " " #b, (a), (b), __FILE__, __LINE__); \
    } while (false)
