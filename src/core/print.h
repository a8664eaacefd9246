// Text output for users. A failed write does not stop the program: the failure stays in ferror() of the stream.
#pragma once

#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <string_view>

namespace flotsam {

// Replaces control characters by \xNN and keeps newlines: a title, a file name or a key of a scene must not control the
// terminal. The control characters that take two bytes in UTF-8 (0xC2, 0x80 to 0x9F) are replaced as well.
inline std::string withoutControls(std::string_view text)
{
    std::string out;
    for (size_t i = 0; i < text.size(); ++i) {
        const auto c = static_cast<unsigned char>(text[i]);
        const auto next = static_cast<unsigned char>(i + 1 < text.size() ? text[i + 1] : 0);
        const bool two_bytes = c == 0xC2 && next >= 0x80 && next < 0xA0;
        if (two_bytes) ++i;
        if (two_bytes || (c < 0x20 && c != '\n') || c == 0x7F)
            out += fmt::format("\\x{:02X}", two_bytes ? next : c);
        else
            out += text[i];
    }
    return out;
}

inline void printRaw(std::FILE* stream, std::string_view text) { std::fwrite(text.data(), 1, text.size(), stream); }

template <class... T>
void print(std::FILE* stream, fmt::format_string<T...> format, T&&... values)
{
    printRaw(stream, withoutControls(fmt::format(format, std::forward<T>(values)...)));
}

}  // namespace flotsam
