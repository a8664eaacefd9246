// --set: "domain.cells=[32,32,32]", "solid.0.velocity_m_s=[1,0,0]", "liquid.advection=bfecc".
#pragma once

#include <toml++/toml.h>

#include <string>

namespace flotsam {

// Sets the key to the value, replacing the existing one; list entries are numbered from 0. Throws InputError.
void applyOverride(const std::string& key_and_value, toml::table& scene);

}  // namespace flotsam
