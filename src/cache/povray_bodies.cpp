#include "cache/povray_bodies.h"

#include <fmt/format.h>

#include <map>

#include "cache/povray_mesh.h"

namespace flotsam {

// Modelled on POV-Ray's woods.inc, metals.inc and stones.inc, so that no include file is needed.
std::string bodyTexturesText()
{
    return "#declare body_wood=texture{pigment{wood turbulence 0.08 octaves 3 color_map{"
           "[0 srgb<0.72,0.50,0.28>][0.55 srgb<0.66,0.43,0.22>][0.8 srgb<0.52,0.31,0.14>][1 srgb<0.72,0.50,0.28>]}"
           " scale 0.22 rotate<8,3,0> translate<0.7,0.4,0>}"
           " finish{ambient 0.22 diffuse 0.7 specular 0.25 roughness 0.03}}\n"
           "#declare body_silver=texture{pigment{srgb<0.80,0.81,0.83>}"
           " finish{ambient 0.18 diffuse 0.32 specular 0.8 roughness 0.012 metallic brilliance 3"
           " reflection{0.45 metallic}}}\n"
           "#declare body_turquoise=texture{pigment{bozo turbulence 0.7 color_map{"
           "[0 srgb<0.12,0.62,0.60>][0.6 srgb<0.22,0.74,0.70>][1 srgb<0.45,0.86,0.80>]} scale 0.8}"
           " finish{ambient 0.22 diffuse 0.66 specular 0.5 roughness 0.01}}"
           " texture{pigment{crackle color_map{[0 srgbt<0.16,0.12,0.08,0.1>][0.03 srgbt<0.2,0.15,0.1,0.5>]"
           "[0.06 srgbt<1,1,1,1>]} turbulence 0.3 scale 0.9} finish{ambient 0.2 diffuse 0.6}}\n"
           "#declare body_marble=texture{pigment{marble turbulence 0.9 octaves 5 color_map{"
           "[0 srgb<0.93,0.92,0.89>][0.6 srgb<0.86,0.85,0.83>][0.85 srgb<0.66,0.66,0.67>][1 srgb<0.40,0.41,0.44>]}"
           " scale 0.9 rotate<20,30,40>} finish{ambient 0.24 diffuse 0.68 specular 0.4 roughness 0.01}}\n"
           // Dull and tarnished in patches, which also make rotation visible.
           "#declare body_lead=texture{pigment{bozo turbulence 0.6 color_map{"
           "[0 srgb<0.40,0.42,0.46>][0.45 srgb<0.50,0.52,0.56>][0.55 srgb<0.62,0.64,0.67>][1 srgb<0.72,0.73,0.75>]}"
           " scale 0.4} finish{ambient 0.22 diffuse 0.62 specular 0.35 roughness 0.06 metallic"
           " reflection{0.08 metallic}}}\n";
}

std::string bodiesText(const std::vector<DrawnBody>& bodies, const Stage& stage)
{
    std::string text;
    std::map<std::string, int> known;  // the text of a mesh -> its index
    for (const DrawnBody& body : bodies) {
        const std::string mesh = povSolidMesh(*body.mesh, {stage.units_per_m, {1e9, 1e9, 1e9}, stage.flat}, 0, false);
        if (mesh.empty()) continue;
        const auto [it, is_new] = known.try_emplace(mesh, int(known.size()));
        if (is_new) text += fmt::format("#declare body_mesh{}={}", it->second, mesh);
        const Mat3 r = transposed(matrixOf(body.pose.q));  // its rows are the images of the axes
        const Vec3 x = stage.map(body.pose.x_m);
        text += fmt::format(
            "object{{body_mesh{} texture{{body_{}}} matrix<{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},{:.6f},"
            "{:.6f},{:.5f},{:.5f},{:.5f}>}}\n",
            it->second, body.material, r.row0.x, r.row0.y, r.row0.z, r.row1.x, r.row1.y, r.row1.z, r.row2.x, r.row2.y,
            r.row2.z, x.x, x.y, x.z);
    }
    return text;
}

}  // namespace flotsam
