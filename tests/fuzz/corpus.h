// Valid inputs to start from: the repository scenes scaled down, small meshes, and the folder of a short run.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace flotsam::fuzz {

using Files = std::map<std::string, std::string>;  // content by path, relative to the folder of the input

struct Corpus {
    std::vector<std::string> scenes;
    Files meshes;
    std::string tiny;  // a scene with liquid, a solid, two bodies and a joint
    Files run;         // the output of `tiny`, under run/
};

std::string readFile(const std::filesystem::path& file);
void writeFiles(const Files& files, const std::filesystem::path& folder);

// Runs the program once, in `folder`.
Corpus makeCorpus(const std::string& program, const std::filesystem::path& folder);

}  // namespace flotsam::fuzz
