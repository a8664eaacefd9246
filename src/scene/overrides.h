// --set: "domain.cells=[32,32,32]", "solid.0.velocity_m_s=[1,0,0]", "liquid.advection=bfecc".
#pragma once

#include <toml++/toml.h>

#include <string>

namespace flotsam {

// Puts the value at the key, replacing what is there; entries of lists are numbered from 0. Throws InputError.
void applyOverride(const std::string& key_and_value, toml::table& scene);

}  // namespace flotsam
