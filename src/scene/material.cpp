#include "scene/material.h"

namespace flotsam {

std::vector<std::string> materialWords()
{
    std::vector<std::string> words;
    for (const Material& material : materials) words.emplace_back(material.word);
    return words;
}

}  // namespace flotsam
