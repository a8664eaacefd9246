// The coupling methods that validation cases compare. The one that is gated is chosen here and nowhere else.
#pragma once

#include <fmt/format.h>

#include <optional>
#include <string>

#include "scene/body_spec.h"

namespace flotsam {

inline constexpr CouplingMethod coupling_methods[] = {CouplingMethod::monolithic, CouplingMethod::rigid_fluid};
inline constexpr CouplingMethod gated_method = CouplingMethod::monolithic;

inline std::string methodLabel(CouplingMethod method, const std::string& quantity)
{
    return fmt::format("{}: {}", coupling_method_words[int(method)], quantity);
}
// The other methods are reported only.
inline std::optional<double> gateOf(CouplingMethod method, double gate)
{
    return method == gated_method ? std::optional(gate) : std::nullopt;
}

}  // namespace flotsam
