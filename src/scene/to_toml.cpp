// Scene -> TOML with all defaults. Numbers have enough digits to read back the same double.
#include <fmt/format.h>

#include "scene/scene.h"

namespace flotsam {

namespace {

std::string quoted(const std::string& text)
{
    std::string out = "\"";
    for (unsigned char c : text) {
        if (c == '"' || c == '\\')
            out += {'\\', char(c)};
        else if (c < 0x20 || c == 0x7f)
            out += fmt::format("\\u{:04X}", c);
        else
            out += char(c);
    }
    return out + '"';
}

std::string vector(Vec3 v) { return fmt::format("[{}, {}, {}]", v.x, v.y, v.z); }

// The line of an optional key.
std::string given(const char* key, const std::optional<double>& value)
{
    return value ? fmt::format("{} = {}\n", key, *value) : "";
}

struct ShapeWriter {
    std::string operator()(const SphereShape& s) const
    {
        return fmt::format("sphere = {{ center_m = {}, radius_m = {} }}\n", vector(s.center_m), s.radius_m);
    }
    std::string operator()(const BoxShape& s) const
    {
        return fmt::format("box = {{ min_m = {}, max_m = {}, rotation_deg = {} }}\n", vector(s.min_m), vector(s.max_m),
                           vector(s.rotation_deg));
    }
    std::string operator()(const CylinderShape& s) const
    {
        return fmt::format("cylinder = {{ center_m = {}, radius_m = {}, height_m = {}, rotation_deg = {} }}\n",
                           vector(s.center_m), s.radius_m, s.height_m, vector(s.rotation_deg));
    }
    std::string operator()(const MeshShape& s) const
    {
        return fmt::format("mesh = {{ file = {}, scale = {}, position_m = {}, rotation_deg = {} }}\n", quoted(s.file),
                           s.scale, vector(s.position_m), vector(s.rotation_deg));
    }
    std::string operator()(const PoolShape& s) const
    {
        return fmt::format("pool = {{ depth_m = {}, amplitude_m = {}, mode = {} }}\n", s.depth_m, s.amplitude_m,
                           s.mode);
    }
};

std::string openFaces(const DomainParams& d)
{
    std::string out;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side)
            if (d.open[axis][side]) out += fmt::format("{}\"{}{}\"", out.empty() ? "" : ", ", "-+"[side], "xyz"[axis]);
    return "[" + out + "]";
}

std::string domainToml(const DomainParams& d)
{
    return fmt::format("\n[domain]\ncells = [{}, {}, {}]\nwidth_m = {}\ngravity_m_s2 = {}\nwalls = \"{}\"\nopen = {}\n",
                       d.cells.x, d.cells.y, d.cells.z, d.width_m, vector(d.gravity_m_s2),
                       d.no_slip ? "no-slip" : "free-slip", openFaces(d));
}

std::string liquidToml(const LiquidParams& p)
{
    constexpr const char* advections[] = {"semi-lagrangian", "bfecc", "maccormack"};
    constexpr const char* loops[] = {"two-projections", "one-projection"};
    std::string out = fmt::format(
        "\n[liquid]\ndensity_kg_m3 = {}\nviscosity_m2_s = {}\nviscosity_mean = \"{}\"\nviscous_stress = \"{}\"\n"
        "advection = \"{}\"\nloop = \"{}\"\n",
        p.density_kg_m3, p.viscosity_m2_s, viscosity_mean_words[int(p.viscosity_mean)],
        viscous_stress_words[int(p.viscous_stress)], advections[int(p.advection)], loops[int(p.loop)]);
    for (const RegionSpec& r : p.regions)
        out += fmt::format("\n[[liquid.region]]\n{}velocity_m_s = {}\n{}", std::visit(ShapeWriter{}, r.shape),
                           vector(r.velocity_m_s), given("viscosity_m2_s", r.viscosity_m2_s)) +
               given("temperature_K", r.temperature_K);
    for (const SourceSpec& s : p.sources)
        out += fmt::format("\n[[liquid.source]]\n{}velocity_m_s = {}\nfrom_s = {}\nto_s = {}\n{}",
                           std::visit(ShapeWriter{}, s.shape), vector(s.velocity_m_s), s.from_s, s.to_s,
                           given("viscosity_m2_s", s.viscosity_m2_s)) +
               given("temperature_K", s.temperature_K);
    return out;
}

std::string viscosityToml(const HeatViscosity& v)
{
    std::string out = fmt::format("\n[heat.viscosity]\nlaw = \"{}\"\n", viscosity_law_words[int(v.law)]);
    if (v.law == ViscosityLaw::linear || v.law == ViscosityLaw::quadratic)
        out += fmt::format("from_K = {}\nto_K = {}\nsolid_m2_s = {}\nliquid_m2_s = {}\n", v.from_K, v.to_K,
                           v.solid_m2_s, v.liquid_m2_s);
    if (v.law != ViscosityLaw::table) return out;
    std::string rows;
    for (const HeatViscosity::Entry& e : v.table)
        rows += fmt::format("{}[{}, {}]", rows.empty() ? "" : ", ", e.temperature_K, e.viscosity_m2_s);
    return out + fmt::format("table = [{}]\n", rows);
}

// Empty if heat is off: the table would switch it on.
std::string heatToml(const HeatParams& p)
{
    if (!p.on) return "";
    std::string out = fmt::format(
        "\n[heat]\ntemperature_K = {}\nconvection = \"{}\"\ndiffusivity_m2_s = {}\nspecific_heat_J_kg_K = {}\n",
        p.temperature_K, heat_convection_words[int(p.convection)], p.diffusivity_m2_s, p.specific_heat_J_kg_K);
    out += p.walls_K ? given("walls_K", p.walls_K) : "walls = \"insulated\"\n";
    out += fmt::format("air_K = {}\nair_transfer_W_m2_K = {}\nlatent_J_kg = {}\nmelting_K = {}\n", p.air_K,
                       p.air_transfer_W_m2_K, p.latent_J_kg, p.melting_K);
    out += viscosityToml(p.viscosity);
    for (const HeatSourceSpec& s : p.sources)
        out += fmt::format("\n[[heat.source]]\n{}from_s = {}\nto_s = {}\n", std::visit(ShapeWriter{}, s.shape),
                           s.from_s, s.to_s) +
               given("temperature_K", s.temperature_K) + given("power_W", s.power_W);
    return out;
}

std::string solidToml(const SolidSpec& s)
{
    std::string out = fmt::format("\n[[solid]]\nname = {}\n{}velocity_m_s = {}\nspin_rad_s = {}\n", quoted(s.name),
                                  std::visit(ShapeWriter{}, s.shape), vector(s.velocity_m_s), vector(s.spin_rad_s));
    if (s.has_pivot) out += fmt::format("pivot_m = {}\n", vector(s.pivot_m));
    return out;
}

struct BodyShapeWriter {
    std::string operator()(const BallShape& s) const
    {
        return fmt::format("sphere = {{ radius_m = {} }}\n", s.radius_m);
    }
    std::string operator()(const BlockShape& s) const
    {
        return fmt::format("box = {{ size_m = {} }}\n", vector(s.size_m));
    }
    std::string operator()(const RodShape& s) const
    {
        return fmt::format("cylinder = {{ radius_m = {}, height_m = {} }}\n", s.radius_m, s.height_m);
    }
    std::string operator()(const CapsuleShape& s) const
    {
        return fmt::format("capsule = {{ radius_m = {}, height_m = {} }}\n", s.radius_m, s.height_m);
    }
    std::string operator()(const EllipsoidShape& s) const
    {
        return fmt::format("ellipsoid = {{ semi_axes_m = {} }}\n", vector(s.semi_axes_m));
    }
    std::string operator()(const BodyMeshShape& s) const
    {
        return fmt::format("mesh = {{ file = {}, scale = {} }}\n", quoted(s.file), s.scale);
    }
    std::string operator()(const GearShape& s) const
    {
        return fmt::format("gear = {{ radius_m = {}, thickness_m = {}, hole_radius_m = {}, teeth = {} }}\n", s.radius_m,
                           s.thickness_m, s.hole_radius_m, s.teeth);
    }
    std::string operator()(const GemShape& s) const { return fmt::format("gem = {{ size_m = {} }}\n", s.size_m); }
    std::string operator()(const BunnyShape& s) const
    {
        return fmt::format("bunny = {{ height_m = {} }}\n", s.height_m);
    }
};

std::string bodyToml(const BodySpec& b)
{
    std::string out = fmt::format(
        "\n[[body]]\nname = {}\n{}material = \"{}\"\ndensity_kg_m3 = {}\nposition_m = {}\nrotation_deg = {}\n"
        "velocity_m_s = {}\nspin_rad_s = {}\nrestitution = {}\nfriction = {}\nrolling_friction_m = "
        "{}\nspinning_friction_m = {}\n",
        quoted(b.name), std::visit(BodyShapeWriter{}, b.shape), b.material, b.density_kg_m3, vector(b.position_m),
        vector(b.rotation_deg), vector(b.velocity_m_s), vector(b.spin_rad_s), b.restitution, b.friction,
        b.rolling_friction_m, b.spinning_friction_m);
    if (b.distance) out += fmt::format("distance = \"{}\"\n", distance_method_words[int(*b.distance)]);
    return out;
}

std::string motorToml(const MotorSpec& m, bool slides)
{
    const char* const keys[2][3] = {{"speed_rad_s", "angle_deg", "torque_N_m"}, {"speed_m_s", "position_m", "force_N"}};
    std::string out = fmt::format("motor = {{ drive = \"{}\", track = \"{}\"", motor_drive_words[m.drive],
                                  motor_track_words[m.track]);
    if (m.has_sine)
        out += fmt::format(", sine = {{ amplitude_{0} = {1}, frequency_Hz = {2}, phase_deg = {3}, offset_{0} = {4} }}",
                           slides ? "m" : "deg", m.amplitude, m.frequency_Hz, m.phase_deg, m.offset);
    else if (m.keyframes.empty())
        out += fmt::format(", {} = {}", keys[slides][m.drive], m.constant);
    std::string rows;
    for (const auto& [t_s, value] : m.keyframes)
        rows += fmt::format("{}[{}, {}]", rows.empty() ? "" : ", ", t_s, value);
    if (!rows.empty())
        out += fmt::format(", keyframes = [{}], interpolation = \"{}\", repeat = {}", rows,
                           interpolation_words[m.interpolation], m.repeat);
    return out + fmt::format(", stiffness_N_m = {}, {} = {}, {} = {} }}\n", m.stiffness,
                             slides ? "damping_N_s_m" : "damping_N_m_s", m.damping,
                             slides ? "max_force_N" : "max_torque_N_m", m.limit);
}

std::string jointToml(const JointSpec& j)
{
    const bool slides = j.slides();
    std::string out =
        fmt::format("\n[[joint]]\nname = {}\nkind = \"{}\"\nbodies = [{}, {}]\nanchor_m = {}\naxis = {}\naxis2 = {}\n",
                    quoted(j.name), j.kindWord(), quoted(j.bodies[0]), quoted(j.bodies[1]), vector(j.anchor_m),
                    vector(j.axis), vector(j.axis2));
    if (j.kindWord() == "distance") out += fmt::format("second_anchor_m = {}\n", vector(j.second_anchor_m));
    if (j.highest < no_limit)
        out += fmt::format("{} = [{}, {}]\n", slides ? "limits_m" : "limits_deg", j.lowest, j.highest);
    if (j.highest_twist_deg < no_limit)
        out += fmt::format("twist_limits_deg = [{}, {}]\n", j.lowest_twist_deg, j.highest_twist_deg);
    out += fmt::format(
        "swing_limit_deg = {}\n{} = {}\nstiffness_N_m = {}\n{} = {}\nbreak_N = {}\nbreak_N_m = {}\ncollide = {}\n",
        j.swing_limit_deg, slides ? "damping_N_s_m" : "damping_N_m_s", j.damping, j.stiffness,
        slides ? "rest_m" : "rest_deg", j.rest, j.break_N, j.break_N_m, j.collide);
    return j.motor.present ? out + motorToml(j.motor, slides) : out;
}

std::string surfaceToml(const SurfaceParams& p)
{
    return fmt::format(
        "\n[surface]\nscheme = \"{}\"\nreinitialisation = \"{}\"\ntreatment = \"{}\"\nband_cells = "
        "{}\nparticles_per_cell = {}\n"
        "reseed_every_steps = {}\nparticles_until_s = {}\nseed = {}\nvolume_correction = {}\ntetrahedra = {}\n",
        surface_scheme_words[int(p.scheme)], reinitialisation_words[int(p.reinitialisation)],
        surface_treatment_words[int(p.treatment)], p.band_cells, p.particles_per_cell, p.reseed_every_steps,
        p.particles_until_s, p.seed, p.volume_correction, p.tetrahedra);
}

std::string renderToml(const RenderParams& r)
{
    std::string out = "\n[render]\n";
    if (r.has_camera) out += fmt::format("eye_m = {}\nlook_at_m = {}\n", vector(r.eye_m), vector(r.look_at_m));
    return out +
           fmt::format(
               "field_of_view_deg = {}\nliquid_color = {}\nhot_color = {}\nglow = {}\nopaque = {}\nshow_tank = {}\n",
               r.field_of_view_deg, vector(r.liquid_color), vector(r.hot_color), r.glow, r.opaque, r.show_tank);
}

}  // namespace

std::string sceneToToml(const Scene& s)
{
    std::string out = fmt::format("title = {}\n", quoted(s.title)) + domainToml(s.domain);
    out += fmt::format("\n[time]\nseconds = {}\nfps = {}\ncfl = {}\nmax_dt_s = {}\n", s.time.seconds, s.time.fps,
                       s.time.cfl, s.time.max_dt_s);
    out += liquidToml(s.liquid) + heatToml(s.heat);
    for (const SolidSpec& solid : s.solids) out += solidToml(solid);
    for (const BodySpec& body : s.bodies) out += bodyToml(body);
    for (const JointSpec& joint : s.joints) out += jointToml(joint);
    if (!s.bodies.empty())
        out += fmt::format("\n[rigid]\nmax_dt_s = {}\niterations = {}\n", s.rigid.max_dt_s, s.rigid.iterations);
    if (!s.bodies.empty())
        out += fmt::format("\n[coupling]\nmethod = \"{}\"\nsub_cell_volume = \"{}\"\nbuoyancy = \"{}\"\n",
                           coupling_method_words[int(s.coupling.method)],
                           sub_cell_volume_words[int(s.coupling.sub_cell_volume)],
                           buoyancy_words[int(s.coupling.buoyancy)]);
    out += fmt::format("\n[pressure]\ntolerance_rel = {}\nmax_iterations = {}\n", s.pressure.tolerance_rel,
                       s.pressure.max_iterations);
    out += surfaceToml(s.surface);
    out += fmt::format("\n[tracers]\ncount = {}\nseed = {}\n", s.tracers.count, s.tracers.seed);
    out += fmt::format("\n[output]\nsurface = {}\nvolume = {}\ncheckpoint_every_frames = {}\n", s.output.surface,
                       s.output.volume, s.output.checkpoint_every_frames);
    return out + renderToml(s.render);
}

}  // namespace flotsam
