// One input: files in a folder, and the arguments of the program there.
#pragma once

#include "tests/fuzz/corpus.h"

namespace flotsam::fuzz {

struct Input {
    Files files;
    std::vector<std::string> arguments;
    bool valid = false;  // nothing is damaged: the exit code must be 0
};

// The same for the same corpus, seed and number. The first ones are the unmodified scenes of the corpus.
Input makeInput(const Corpus& corpus, uint64_t seed, uint64_t number);

}  // namespace flotsam::fuzz
