// A 64-bit hash of bytes (FNV-1a over 8-byte words), always computed in order: independent of the number of threads.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace flotsam {

inline uint64_t hashBytes(const void* data, size_t bytes, uint64_t h = 0xcbf29ce484222325u)
{
    const auto* p = static_cast<const unsigned char*>(data);
    for (; bytes >= 8; bytes -= 8, p += 8) {
        uint64_t word;
        std::memcpy(&word, p, 8);
        h = (h ^ word) * 0x100000001b3u;
        h ^= h >> 29;
    }
    for (; bytes > 0; --bytes, ++p) h = (h ^ *p) * 0x100000001b3u;
    return h;
}

}  // namespace flotsam
