#include "coupling/inspect_coupled.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"

namespace flotsam {

namespace {

// Carlson's integral R_D(x, y, z) = 3/2 int_0^inf dt / ((t + z) sqrt((t + x) (t + y) (t + z))), by duplication.
double carlsonD(double x, double y, double z)
{
    double sum = 0, scale = 1;
    for (int n = 0; n < 30; ++n) {
        const double a = std::sqrt(x), b = std::sqrt(y), c = std::sqrt(z), l = a * b + b * c + c * a;
        sum += scale / (c * (z + l));
        scale /= 4;
        x = 0.25 * (x + l), y = 0.25 * (y + l), z = 0.25 * (z + l);
    }
    return 3 * sum + scale / (z * std::sqrt(z));
}

void refuseTooLight(const Scene& scene, const BodySpec& spec, double lightest)
{
    const double s = spec.density_kg_m3 / scene.liquid.density_kg_m3;
    if (s >= lightest) return;
    throw InputError(fmt::format(
        "{}: body \"{}\" has {:.3g} of the liquid's density: with coupling.method = \"rigid-fluid\" a body of this "
        "shape below {:.3g} is thrown about ever faster, however short the steps are; use \"monolithic\", which holds "
        "for any density",
        spec.where, spec.name, s, lightest));
}

}  // namespace

double largestAddedMass(const Body& body)
{
    const Vec3 i = body.moments_kg_m2;
    if (body.planar) return std::sqrt(std::max(i.x, i.y) / std::min(i.x, i.y));  // an ellipse: the ratio of its axes
    Vec3 square;                                                                 // of the half axes
    for (int a = 0; a < 3; ++a)
        square[a] = 2.5 * std::max(i[(a + 1) % 3] + i[(a + 2) % 3] - i[a], 1e-6 * i[a]) / body.mass_kg;
    double most = 0;
    for (int a = 0; a < 3; ++a) {
        const double alpha = 2.0 / 3 * std::sqrt(square.x * square.y * square.z) *
                             carlsonD(square[(a + 1) % 3], square[(a + 2) % 3], square[a]);
        most = std::max(most, alpha / (2 - alpha));
    }
    return most;
}

namespace {

double thicknessOf(const Body& body) { return 2 * body.collider->inner_m; }

// What a body thinner than two cells suffers. "monolithic" keeps it watertight and buoyant at any thickness.
std::string consequence(CouplingMethod method, double cells)
{
    if (method == CouplingMethod::monolithic)
        return cells < 1 ? "it is watertight and has its buoyancy, but drag and added mass are inaccurate"
                         : "drag and added mass are inaccurate";
    return cells < 1 ? "liquid leaks through it where no face of the grid lies inside, and it is pushed too little"
                     : "the forces of the liquid on it are inaccurate";
}

// One warning for all bodies: about the thinnest.
void checkThickness(const Scene& scene, const RigidWorld& world, std::vector<std::string>& warnings)
{
    const double h = scene.domain.h();
    const auto end = world.bodies.begin() + world.moving();
    const auto thinnest = std::min_element(
        world.bodies.begin(), end, [](const Body& a, const Body& b) { return thicknessOf(a) < thicknessOf(b); });
    if (thinnest == end || thicknessOf(*thinnest) >= 2 * h) return;
    const double thin_m = thicknessOf(*thinnest);
    const auto others =
        std::count_if(world.bodies.begin(), end, [&](const Body& b) { return thicknessOf(b) < 2 * h; }) - 1;
    warnings.push_back(fmt::format(
        "{}: body \"{}\" is {:.3g} m thin, less than {} ({:.3g} m): {}; {:.0f} cells along x would resolve it{}",
        scene.bodies[size_t(thinnest - world.bodies.begin())].where, thinnest->name, thin_m,
        thin_m < h ? "a cell" : "two cells", thin_m < h ? h : 2 * h, consequence(scene.coupling.method, thin_m / h),
        std::ceil(2 * scene.domain.width_m / thin_m),
        others > 0 ? fmt::format(". {} other bodies are thinner than two cells", others) : ""));
}

}  // namespace

std::vector<std::string> inspectCoupling(const Scene& scene, const RigidWorld& world)
{
    std::vector<std::string> warnings;
    if (!scene.hasLiquid()) return warnings;
    for (int n = 0; n < world.moving(); ++n) {
        const BodySpec& spec = scene.bodies[size_t(n)];
        const Body& body = world.bodies[size_t(n)];
        const double lightest = lightestForRigidFluid(largestAddedMass(body));
        if (scene.coupling.method == CouplingMethod::rigid_fluid) {
            refuseTooLight(scene, spec, lightest);
            const double s = spec.density_kg_m3 / scene.liquid.density_kg_m3;
            if (s < 1.5 * lightest)
                warnings.push_back(
                    fmt::format("{}: body \"{}\" has {:.3g} of the liquid's density, near the {:.3g} below which "
                                "coupling.method = \"rigid-fluid\" blows up; near walls that is higher. "
                                "\"monolithic\" holds",
                                spec.where, spec.name, s, lightest));
        }
    }
    checkThickness(scene, world, warnings);
    return warnings;
}

BodyPreflight inspectCoupled(const Scene& scene, const RigidWorld& world)
{
    BodyPreflight result = inspectBodies(scene, world);
    for (std::string& warning : inspectCoupling(scene, world)) result.warnings.push_back(std::move(warning));
    return result;
}

}  // namespace flotsam
