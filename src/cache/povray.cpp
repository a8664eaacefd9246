#include "cache/povray.h"

#include <fmt/format.h>

#include <algorithm>

#include "cache/picture_stage.h"
#include "cache/povray_mesh.h"

namespace flotsam {

namespace {

// No two faces share a plane [picture units; the tank is 10 long]. The top of the floor lies just inside the bottom of
// the liquid, so that a ray in the liquid hits the floor without a reflecting layer of air in between. Solids end
// between the two. The edges of the tank lie outside the sides of the liquid.
constexpr double floor_top = 0.008;
constexpr double solid_inset = 0.004;
constexpr double edge_gap = 0.02;

std::string vec(Vec3 v) { return fmt::format("<{:.5g},{:.5g},{:.5g}>", v.x, v.y, v.z); }

std::string box(Vec3 lo, Vec3 hi, const std::string& rest)
{
    return fmt::format("box{{{},{} {}}}\n", vec(lo), vec(hi), rest);
}

// A ray that runs out of trace levels is black. In a thin sheet along a wall a ray is reflected dozens of times: 12
// levels left black patches in the dam break, whose deepest ray needs 38; more levels cost no measurable time. Rays
// with a weight below adc_bailout are dropped. Photons: real caustics, for final images of liquid with depth.
std::string globals(bool final, bool photons, bool subsurface)
{
    return fmt::format(
        "#version 3.7;\n"
        "global_settings{{assumed_gamma 1 max_trace_level 40 adc_bailout {}{}{}}}\n",
        final ? 0.015 : 0.03, photons ? " photons{count 300000 jitter 0.4 media 0}" : "",
        subsurface ? " mm_per_unit 40 subsurface{samples 40,10 radiosity off}" : "");
}

std::string cameraText(const Camera& camera)
{
    // POV-Ray is left-handed; a negative "right" makes the image right-handed.
    return fmt::format("camera{{{} location {} direction {} up {:.6g}*y right {:.6g}*x sky y look_at {}}}\n",
                       camera.orthographic ? "orthographic" : "perspective", vec(camera.eye),
                       camera.orthographic ? "20*z" : "z", camera.height, -camera.width, vec(camera.look_at));
}

std::string skyText()
{
    return "sky_sphere{pigment{gradient y color_map{"
           "[0.00 srgb<0.30,0.34,0.38>][0.40 srgb<0.50,0.54,0.58>][0.50 srgb<0.66,0.71,0.75>]"
           "[0.62 srgb<0.88,0.93,0.97>][0.75 srgb<0.66,0.79,0.92>][1.00 srgb<0.36,0.54,0.78>]} scale 2 translate "
           "-1}}\n";
}

std::string lightText(const Stage& stage, bool final)
{
    const Vec3 middle = 0.5 * stage.size;
    const Vec3 key = middle + (stage.flat ? Vec3{-14, 24, 40} : Vec3{-16, 34, 20});
    const Vec3 fill = middle + Vec3{30, 14, 24};
    return fmt::format("light_source{{{} rgb<1.05,1.00,0.93>{}}}\n", vec(key),
                       final ? " area_light 3*x,3*z,5,5 adaptive 0 circular orient" : "") +
           fmt::format("light_source{{{} rgb<0.16,0.19,0.24> shadowless}}\n", vec(fill));
}

// The floor fades into the sky far away, so that there is no visible horizon.
std::string groundText(const Stage& stage)
{
    const Vec3 c = 0.5 * stage.size;
    return fmt::format(
        "disc{{{},y,60 pigment{{cylindrical color_map{{[0 srgbt<0.68,0.70,0.72,1>][0.35 srgbt<0.68,0.70,0.72,0>]}}"
        " scale 60 translate {}}} finish{{ambient 0.25 diffuse 0.75}}}}\n",
        vec({c.x, -base_height, c.z}), vec({c.x, 0, c.z}));
}

// Tiles under the tank show the refraction.
std::string baseText(const Stage& stage)
{
    const double tile = 10.0 / 12;
    return box(
        {-base_edge, -base_height - 1, -base_edge}, {stage.size.x + base_edge, floor_top, stage.size.z + base_edge},
        fmt::format(
            "pigment{{checker srgb<0.90,0.89,0.86> srgb<0.80,0.80,0.79> scale <{0:.4g},50,{0:.4g}> translate -1*y}}"
            " finish{{ambient 0.25 diffuse 0.75}}",
            tile));
}

// A flat run has a back wall with a fine grid; the front of the wall lies just inside the back of the liquid.
std::string backdropText()
{
    const auto lines = [](const char* direction) {
        return fmt::format(
            "texture{{pigment{{gradient {} color_map{{[0.07 rgbt<0.4,0.45,0.5,0.8>][0.07 rgbt 1]}} scale {}}}"
            " finish{{ambient 0.3 diffuse 0.7}}}}",
            direction, 0.5);
    };
    return box({-200, -200, -1}, {200, 200, floor_top},
               "texture{pigment{srgb<0.90,0.91,0.92>} finish{ambient 0.3 diffuse 0.7}}" + lines("x") + lines("y"));
}

// The walls of the tank of a flat run, seen end on.
std::string flatTankText(const DomainParams& domain, const Stage& stage)
{
    const double thickness = 0.1;
    std::string text;
    for (int axis : {0, 1})
        for (int side : {0, 1}) {
            if (domain.open[axis][side]) continue;
            Vec3 lo{-thickness, -thickness, 0}, hi = stage.size + Vec3{thickness, thickness, 0};
            if (side)
                lo[axis] = stage.size[axis] + edge_gap;
            else
                hi[axis] = -edge_gap;
            text += box(lo, hi, "pigment{srgb<0.36,0.40,0.44>} finish{ambient 0.3 diffuse 0.7} no_shadow");
        }
    return text;
}

// liquid_color of the scene is the light transmitted by a layer of liquid of 0.3 tank lengths; in a flat run, of 0.4 of
// the slab thickness. We use absorbing media rather than POV-Ray's cheaper fade, which ignores rays that end on
// something opaque inside the liquid.
std::string liquidInterior(const RenderParams& render, const Stage& stage, bool photons)
{
    const double depth = stage.flat ? 0.4 * stage.size.z : 3.0;
    Vec3 absorption;
    for (int c = 0; c < 3; ++c) absorption[c] = -std::log(std::clamp(render.liquid_color[c], 1e-3, 1.0)) / depth;
    return fmt::format("interior{{ior 1.33{} media{{absorption rgb{} samples 1,1 intervals 1}}}} hollow{}",
                       photons ? "" : " caustics 0.5", vec(absorption),
                       photons ? " photons{target refraction on reflection off collect off}" : "");
}

// Cold and hot temperatures of the scene: the zone in which the viscosity changes, else the range of given
// temperatures.
HeatRange heatRangeOf(const Scene& scene)
{
    const HeatViscosity& nu = scene.heat.viscosity;
    if (nu.law == ViscosityLaw::table) return {nu.table.front().temperature_K, nu.table.back().temperature_K};
    if (nu.law != ViscosityLaw::constant) return {nu.from_K, nu.to_K};
    std::vector<double> named;
    for (const RegionSpec& r : scene.liquid.regions)
        named.push_back(r.temperature_K.value_or(scene.heat.temperature_K));
    for (const SourceSpec& s : scene.liquid.sources)
        named.push_back(s.temperature_K.value_or(scene.heat.temperature_K));
    for (const HeatSourceSpec& s : scene.heat.sources)
        if (s.temperature_K) named.push_back(*s.temperature_K);
    const auto [low, high] = std::minmax_element(named.begin(), named.end());
    return {*low, std::max(*high, *low + 1)};
}

// A texture from cold to hot by the u of the mesh's uv vectors. Without temperatures: cold, or hot if the hot colour
// glows, as for lava without a given temperature.
template <class Texture>
std::string byHeat(const SurfaceMesh& surface, const RenderParams& render, const Texture& texture)
{
    if (surface.temperatures.empty())
        return fmt::format("texture{{{}}}",
                           texture(render.glow > 0 ? render.hot_color : render.liquid_color, render.glow));
    return fmt::format("texture{{uv_mapping gradient x texture_map{{[0 {}][1 {}]}}}}",
                       texture(render.liquid_color, 0.0), texture(render.hot_color, render.glow));
}

std::string opaqueText(const std::string& mesh, const Scene& scene, const SurfaceMesh& surface, bool subsurface)
{
    const auto texture = [&](Vec3 color, double glow) {
        return fmt::format(
            "pigment{{srgb{}}} finish{{ambient 0.2 diffuse 0.7 specular 0.3 roughness 0.02 emission {:.3g}{}}}",
            vec(color), 0.8 * glow, subsurface ? " subsurface{translucency srgb<0.75,0.65,0.5>}" : "");
    };
    return fmt::format("object{{{}{}{}}}\n", mesh, byHeat(surface, scene.render, texture),
                       subsurface ? " interior{ior 1.4}" : "");
}

// Clear liquid shows its temperature as a tint of its surface.
std::string clearText(const std::string& mesh, const Scene& scene, const SurfaceMesh& surface, const Stage& stage,
                      bool photons)
{
    constexpr const char* finish =
        "finish{ambient 0 diffuse 0 reflection{0,1 fresnel on} conserve_energy specular 0.5 roughness 0.002}";
    std::string texture = fmt::format("pigment{{rgbt 1}} {} ", finish);
    if (!surface.temperatures.empty())
        texture =
            fmt::format("texture{{uv_mapping pigment{{gradient x color_map{{[0 rgbf 1][1 srgb{} filter 1]}}}} {}}} ",
                        vec(scene.render.hot_color), finish);
    return fmt::format("object{{{}{}{}{}}}\n", mesh, texture, liquidInterior(scene.render, stage, photons),
                       stage.flat ? " no_shadow" : "");
}

std::string liquidText(const Scene& scene, const SurfaceMesh& surface, const Stage& stage, bool photons,
                       bool subsurface)
{
    const HeatRange range = surface.temperatures.empty() ? HeatRange{} : heatRangeOf(scene);
    const std::string mesh = povLiquidMesh(surface, stage, range);
    if (mesh.empty()) return {};
    return scene.render.opaque ? opaqueText(mesh, scene, surface, subsurface)
                               : clearText(mesh, scene, surface, stage, photons);
}

bool reachesOutside(const TriangleMesh& solid, const Stage& stage)
{
    const Bounds b = boundsOf(solid);
    const Vec3 lo = stage.map(b.lo), hi = stage.map(b.hi);
    for (int axis = 0; axis < 3; ++axis)
        if (lo[axis] < -solid_inset || hi[axis] > stage.size[axis] + solid_inset) return true;
    return false;
}

std::string solidText(const TriangleMesh& solid, const Stage& stage, size_t index)
{
    const bool cut = reachesOutside(solid, stage);
    const std::string mesh = povSolidMesh(solid, stage, solid_inset, cut);
    if (mesh.empty()) return {};
    const std::string texture = fmt::format("texture{{solid{}}}", index % 4);
    if (!cut) return fmt::format("object{{{} {}}}\n", mesh, texture);
    const Vec3 inset{solid_inset, solid_inset, solid_inset};
    return fmt::format("intersection{{{} {} {}}}\n", mesh, box(inset, stage.size - inset, ""), texture);
}

std::string materialsText()
{
    const char* colors[] = {"<0.62,0.55,0.46>", "<0.45,0.30,0.18>", "<0.36,0.42,0.44>", "<0.58,0.36,0.27>"};
    std::string text;
    for (int i = 0; i < 4; ++i)
        text += fmt::format(
            "#declare solid{}=texture{{pigment{{granite color_map{{[0 rgb{}*0.75][1 rgb{}*1.1]}} scale 1.5}}"
            " finish{{ambient 0.25 diffuse 0.75}}}}\n",
            i, colors[i], colors[i]);
    return text;
}

// Edges only: reflecting panes took three quarters of the rendering time and looked like dirt.
std::string tankEdges(const Stage& stage)
{
    const double r = 0.022, g = edge_gap;
    const Vec3 lo{-g, floor_top, -g}, hi{stage.size.x + g, stage.size.y, stage.size.z + g};
    const Vec3 plan[5] = {{lo.x, 0, lo.z}, {hi.x, 0, lo.z}, {hi.x, 0, hi.z}, {lo.x, 0, hi.z}, {lo.x, 0, lo.z}};
    std::string text = "union{\n";
    for (int i = 0; i < 4; ++i) {
        const Vec3 up{0, hi.y, 0}, down{0, lo.y, 0};
        text += fmt::format("cylinder{{{},{},{}}}\n", vec(plan[i] + down), vec(plan[i] + up), r);
        text += fmt::format("cylinder{{{},{},{}}}\n", vec(plan[i] + up), vec(plan[i + 1] + up), r);
        text += fmt::format("sphere{{{},{}}}\n", vec(plan[i] + up), r);
    }
    return text + "pigment{rgbt<0.75,0.88,0.86,0.35>} finish{ambient 0.35 diffuse 0.5} no_shadow}\n";
}

// Coloured by speed, from yellow at rest to red at half the speed of a fall through the tank height.
std::string tracersText(const Scene& scene, const PictureFrame& frame, const Stage& stage)
{
    if (frame.tracers.empty()) return {};
    constexpr int colors = 8;
    const double gravity = length(scene.domain.gravity_m_s2);
    const double fast_m_s = gravity > 0 ? 0.5 * std::sqrt(2 * gravity * scene.domain.size_m().y) : scene.domain.width_m;
    const double radius = std::clamp(0.5 / std::cbrt(double(frame.tracers.size())), 0.015, 0.06);
    std::string text;
    for (int i = 0; i < colors; ++i)
        text += fmt::format(
            "#declare tracer{}=texture{{pigment{{rgb<{:.3g},{:.3g},{:.3g}>}} finish{{ambient 0.4 diffuse"
            " 0.6}}}}\n",
            i, 1 - 0.02 * i, 0.78 - 0.1 * i, 0.30 - 0.03 * i);
    for (size_t i = 0; i < frame.tracers.size(); ++i) {
        const auto& p = frame.tracers[i];
        double speed = 0;
        if (i < frame.tracer_velocities.size()) {
            const auto& v = frame.tracer_velocities[i];
            speed = length({v[0], v[1], v[2]});
        }
        const int color = std::min(colors - 1, int(colors * speed / fast_m_s));
        text += fmt::format("sphere{{{},{:.3g} texture{{tracer{}}} no_shadow}}\n", vec(stage.map({p[0], p[1], p[2]})),
                            radius, color);
    }
    return text;
}

}  // namespace

std::string povScene(const Scene& scene, const PictureFrame& frame, const PictureParams& params)
{
    const Stage stage = makeStage(scene.domain);
    const bool final = params.quality == PictureQuality::final;
    const bool photons = final && !stage.flat && !scene.render.opaque;
    // Subsurface scattering in wax or paste: soft edges, for final images.
    const bool subsurface = final && scene.render.opaque;
    const Camera camera = makeCamera(scene.render, stage, double(params.width) / params.height);
    std::string text = globals(final, photons, subsurface) + cameraText(camera) + skyText() + lightText(stage, final) +
                       materialsText();
    text += stage.flat ? backdropText() : groundText(stage) + baseText(stage);
    if (scene.render.show_tank) text += stage.flat ? flatTankText(scene.domain, stage) : tankEdges(stage);
    for (size_t i = 0; i < frame.solids.size(); ++i) text += solidText(frame.solids[i], stage, i);
    if (!frame.bodies.empty()) text += bodyTexturesText() + bodiesText(frame.bodies, stage);
    text += tracersText(scene, frame, stage);
    text += liquidText(scene, frame.surface, stage, photons, subsurface);
    return text;
}

TriangleMesh placedAt(const SolidSpec& solid, Vec3 center_m, TriangleMesh mesh, double t_s)
{
    if (!solid.moving()) return mesh;
    const Vec3 pivot = solid.has_pivot ? solid.pivot_m : center_m;
    const Mat3 turn = rotation(t_s * solid.spin_rad_s);
    for (Vec3& v : mesh.vertices) v = pivot + turn * (v - pivot) + t_s * solid.velocity_m_s;
    return mesh;
}

}  // namespace flotsam
