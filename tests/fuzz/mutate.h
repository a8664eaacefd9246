// Damage to text and bytes. Each function makes one random change.
#pragma once

#include "tests/fuzz/random.h"

namespace flotsam::fuzz {

// Values that readers often miss: extremes, wrong types, empty values.
const std::vector<std::string>& extremeNumbers();
const std::vector<std::string>& oddValues();

void mutateBytes(Random& random, std::string& bytes);  // any file
void mutateNumber(Random& random, std::string& text);  // one number of a text
void mutateScene(Random& random, std::string& toml);   // lines, keys, values, tables
void mutateArguments(Random& random, std::vector<std::string>& arguments);

}  // namespace flotsam::fuzz
