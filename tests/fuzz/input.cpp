#include "tests/fuzz/input.h"

#include <iterator>

#include "tests/fuzz/mutate.h"

namespace flotsam::fuzz {

namespace {

using Arguments = std::vector<std::string>;

// A run of few steps. Sometimes the grid and the time are those of the scene, however large.
Arguments shortRun(Random& random)
{
    Arguments arguments{"run", "scene.toml", "--out", "out", "--threads", random.oneIn(2) ? "1" : "2"};
    if (!random.oneIn(6))
        arguments.insert(arguments.end(), {"--set", random.oneIn(4) ? "domain.cells=[12,8,1]" : "domain.cells=[8,8,8]",
                                           "--set", "time.fps=100", "--seconds", "0.02"});
    return arguments;
}

Input mutatedScene(const Corpus& corpus, Random& random, bool runs)
{
    Input input{corpus.meshes, runs ? shortRun(random) : Arguments{"check", "scene.toml"}, false};
    std::string scene = random.of(corpus.scenes);
    for (size_t n = random.oneIn(2) ? 1 : 1 + random.below(4); n > 0; --n) mutateScene(random, scene);
    input.files["scene.toml"] = scene;
    return input;
}

// As a solid, as a body or as liquid.
Input mutatedMesh(const Corpus& corpus, Random& random, bool runs)
{
    Input input{corpus.meshes, runs ? shortRun(random) : Arguments{"check", "scene.toml"}, false};
    const auto mesh = std::next(input.files.begin(), std::ptrdiff_t(random.below(input.files.size())));
    const bool text = mesh->first.starts_with("cube");
    for (size_t n = 1 + random.below(4); n > 0; --n)
        text && !random.oneIn(3) ? mutateNumber(random, mesh->second) : mutateBytes(random, mesh->second);
    const std::string shape = "mesh = { file = \"" + mesh->first + "\"";
    const std::string place = ", position_m = [0.5, 0.4, 0.5] }\n";
    std::string scene = "[domain]\ncells = [8, 8, 8]\n[time]\nseconds = 0.02\nfps = 100\n";
    switch (random.below(3)) {
        case 0:
            scene += "[[liquid.region]]\npool = { depth_m = 0.4 }\n[[solid]]\n" + shape + place;
            break;
        case 1:
            scene += "[[liquid.region]]\npool = { depth_m = 0.4 }\n[[body]]\n" + shape +
                     " }\ndensity_kg_m3 = 600\nposition_m = [0.5, 0.5, 0.5]\n";
            break;
        default:
            scene += "[[liquid.region]]\n" + shape + place;
    }
    input.files["scene.toml"] = scene;
    return input;
}

// Paths of an argument stay inside the folder.
bool leavesTheFolder(const std::string& argument)
{
    return argument.find('/') != argument.npos || argument.find("..") != argument.npos;
}

Input mutatedArguments(const Corpus& corpus, Random& random)
{
    static const std::vector<Arguments> valid{
        {"check", "scene.toml"},
        {"check", "scene.toml", "--set", "domain.cells=[4,4,4]"},
        {"run", "scene.toml", "--out", "out", "--seconds", "0.01", "--threads", "2", "--progress", "none"},
        {"run", "scene.toml", "--out", "run", "--resume", "--progress", "json"},
        {"run", "scene.toml", "--set", "liquid.viscosity_m2_s=0", "--set", "tracers.count=3", "--seconds", "0.01"},
        {"run", "scene.toml", "--render"},
        {"info", "run"},
        {"render", "run", "--frames", "0-1", "--size", "64x48", "--quality", "draft"},
        {"--help"},
        {"--version"}};
    Input input{corpus.run, random.of(valid), false};
    input.files.insert(corpus.meshes.begin(), corpus.meshes.end());
    input.files["scene.toml"] = corpus.tiny;
    for (size_t n = 1 + random.below(3); n > 0; --n) mutateArguments(random, input.arguments);
    std::erase_if(input.arguments, leavesTheFolder);
    for (std::string& argument : input.arguments) std::erase(argument, '\0');
    return input;
}

Input damagedRun(const Corpus& corpus, Random& random)
{
    static const std::vector<Arguments> commands{{"info", "run"},
                                                 {"run", "scene.toml", "--out", "run", "--resume"},
                                                 {"run", "scene.toml", "--out", "run", "--resume", "--seconds", "0.03"},
                                                 {"run", "run/scene.toml", "--out", "run", "--resume"},
                                                 {"check", "run/scene.toml"},
                                                 {"render", "run", "--size", "64x48"}};
    Input input{corpus.run, random.of(commands), false};
    for (size_t n = 1 + random.below(3); n > 0 && !input.files.empty(); --n) {
        const auto file = std::next(input.files.begin(), std::ptrdiff_t(random.below(input.files.size())));
        if (random.oneIn(5)) {
            input.files.erase(file);
        } else if (random.oneIn(6)) {
            file->second.clear();
        } else if (file->first.ends_with("toml")) {
            mutateScene(random, file->second);
        } else if (file->first.ends_with("jsonl") || file->first.ends_with("csv")) {
            random.oneIn(2) ? mutateNumber(random, file->second) : mutateBytes(random, file->second);
        } else {
            mutateBytes(random, file->second);
        }
    }
    input.files.insert(corpus.meshes.begin(), corpus.meshes.end());
    input.files["scene.toml"] = corpus.tiny;
    return input;
}

}  // namespace

Input makeInput(const Corpus& corpus, uint64_t seed, uint64_t number)
{
    if (number < corpus.scenes.size()) {
        Input input{corpus.meshes, {"check", "scene.toml"}, true};
        input.files["scene.toml"] = corpus.scenes[size_t(number)];
        return input;
    }
    Random random(seed, number);
    const size_t kind = random.below(100);
    if (kind < 54) return mutatedScene(corpus, random, false);
    if (kind < 68) return mutatedScene(corpus, random, true);
    if (kind < 78) return mutatedMesh(corpus, random, false);
    if (kind < 82) return mutatedMesh(corpus, random, true);
    if (kind < 92) return mutatedArguments(corpus, random);
    return damagedRun(corpus, random);
}

}  // namespace flotsam::fuzz
