// The physics cases of docs/RESULTS.md: measured, reference, error, verdict.
#pragma once

#include <string>
#include <vector>

namespace flotsam {

std::vector<std::string> validationNames();

// Runs the named cases (all if none is named) and prints their table. Writes it to json_path unless that is empty, and
// images to the folder `pictures` unless that is empty. Returns 0, or 1 if a gate failed. Throws InputError for an
// unknown name.
int runValidation(const std::vector<std::string>& names, const std::string& json_path,
                  const std::string& pictures = {});

}  // namespace flotsam
