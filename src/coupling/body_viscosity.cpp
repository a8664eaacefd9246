#include "coupling/body_viscosity.h"

#include <algorithm>

namespace flotsam {

namespace {

using Vector6 = BodyViscosity::Vector6;

Vector6 joined(Vec3 a, Vec3 b) { return {a.x, a.y, a.z, b.x, b.y, b.z}; }
Vec3 upper(const Vector6& v) { return {v[0], v[1], v[2]}; }
Vec3 lower(const Vector6& v) { return {v[3], v[4], v[5]}; }

}  // namespace

BodyViscosity::BodyViscosity(const RigidWorld& world_, const std::vector<const BodyObstacle*>& shapes_,
                             BodyPressure& pressure_, double h)
    : world(world_), shapes(shapes_), pressure(pressure_), h_m(h)
{
}

int BodyViscosity::bodyOf(const Obstacle* obstacle) const
{
    const auto at = std::find(shapes.begin(), shapes.end(), obstacle);
    return at == shapes.end() ? -1 : int(at - shapes.begin());
}

Vector6 BodyViscosity::rowAt(size_t body, int axis, Vec3 p_m) const
{
    Vec3 e;
    e[axis] = 1;
    return joined(e, cross(p_m - shapes[body]->center(), e));
}

Vector6 BodyViscosity::velocityOf(size_t body) const
{
    const BodyState& b = world.state.bodies[body];
    return joined(b.v_m_s, b.w_rad_s);
}

BodyViscosity::Matrix6 BodyViscosity::massOf(size_t body) const
{
    const Body& b = world.bodies[body];
    const SymMat3 in = rotated(matrixOf(world.state.bodies[body].q) * b.body_from_principal, b.moments_kg_m2);
    Matrix6 m = Matrix6::Zero();
    m.diagonal().head(3).setConstant(b.mass_kg);
    m.bottomRightCorner<3, 3>() << in.xx, in.xy, in.xz, in.xy, in.yy, in.yz, in.xz, in.yz, in.zz;
    return m;
}

void BodyViscosity::addLink(const StressLink& link)
{
    std::vector<std::pair<size_t, Vector6>> rows;  // by body
    for (int n = 0; n < link.points; ++n) {
        const BodyPoint& point = link.point[n];
        const size_t body = size_t(point.body);
        const Vector6 row = double(point.coefficient) * rowAt(body, point.axis, point.p_m);
        const auto same = std::find_if(rows.begin(), rows.end(), [&](const auto& r) { return r.first == body; });
        if (same == rows.end())
            rows.push_back({body, row});
        else
            same->second += row;
    }
    for (const auto& [body, row] : rows) {
        for (int n = 0; n < link.frees; ++n)
            entries[body].push_back({link.free[n].axis, link.free[n].index, link.k * link.free[n].coefficient * row});
        known[body] -= link.k * link.known * row;
        for (const auto& [other, there] : rows) {
            auto [at, is_new] = stiffness.try_emplace({body, other}, Matrix6::Zero());
            at->second += link.k * row * there.transpose();
        }
    }
}

void BodyViscosity::mergeEntries()
{
    for (std::vector<Entry>& list : entries) {
        std::stable_sort(list.begin(), list.end(), [](const Entry& a, const Entry& b) {
            return a.axis != b.axis ? a.axis < b.axis : a.index < b.index;
        });
        size_t count = 0;
        for (size_t n = 0; n < list.size(); ++n)
            if (count > 0 && list[count - 1].axis == list[n].axis && list[count - 1].index == list[n].index)
                list[count - 1].row += list[n].row;
            else
                list[count++] = list[n];
        list.resize(count);
    }
}

void BodyViscosity::assemble(double unit_mass, const std::vector<StressLink>& links,
                             const std::vector<std::pair<int, LiquidOnBody>>& liquid, ConstMacView u)
{
    const size_t count = shapes.size();
    unit_per_kg = unit_mass / pressure.cellMass_kg();
    faces.clear();
    for (const auto& [body, f] : liquid)
        faces.push_back({size_t(body), f.axis, f.face, unit_mass * double(f.mass),
                         rowAt(size_t(body), f.axis, facePosition(h_m, f.axis, f.face))});
    for (const CoveredFaces::Carried& c : pressure.carriedLiquid())
        faces.push_back({c.at.body, c.at.axis, c.at.at, unit_per_kg * c.mass_kg, c.at.row});
    y_start.resize(count);
    mass.resize(count);
    known.assign(count, Vector6::Zero());
    entries.assign(count, {});
    stiffness.clear();
    for (size_t i = 0; i < count; ++i) {
        y_start[i] = velocityOf(i);
        mass[i] = unit_per_kg * massOf(i);
    }
    for (const Face& f : faces) {
        mass[f.body] += f.mass * f.row * f.row.transpose();
        known[f.body] += f.mass * (double(u.u[f.axis](f.at)) - f.row.dot(y_start[f.body])) * f.row;
    }
    for (const StressLink& link : links) addLink(link);
    mergeEntries();
    std::vector<Matrix6> added_kg(count);
    for (size_t i = 0; i < count; ++i) {
        const auto own = stiffness.find({i, i});
        added_kg[i] = (mass[i] + (own == stiffness.end() ? Matrix6::Zero() : own->second)) / unit_per_kg - massOf(i);
    }
    inverse = world.constrainedMass(world.heldRows(), added_kg);
    y = y_start;
    for (Vectors* v : {&s, &z, &p, &ap}) v->assign(count, Vector6::Zero());
}

double BodyViscosity::momentumSquared() const
{
    double sum = 0;
    for (size_t i = 0; i < y.size(); ++i) {
        const Body& b = world.bodies[i];
        const Vec3 v = upper(y_start[i]), w = b.collider->reach_m * lower(y_start[i]);
        sum += unit_per_kg * b.mass_kg * unit_per_kg * pressure.cellMass_kg() * (dot(v, v) + dot(w, w));
    }
    return sum;
}

template <class T>
BodyViscosity::Vectors BodyViscosity::stressOn(const Vectors& v, const T* const (&u)[3]) const
{
    Vectors out(v.size(), Vector6::Zero());
    for (const auto& [bodies, k] : stiffness) out[bodies.first] += k * v[bodies.second];
    for (size_t i = 0; i < v.size(); ++i)
        for (const Entry& e : entries[i]) out[i] += double(u[e.axis][e.index]) * e.row;
    return out;
}

// A body counts like as many faces as it has the mass of.
double BodyViscosity::setCorrection()
{
    std::vector<Impulse> forces(s.size());
    std::vector<VelocityChange> changes(s.size());
    for (size_t i = 0; i < s.size(); ++i) forces[i] = {upper(s[i]) / unit_per_kg, lower(s[i]) / unit_per_kg};
    inverse.apply(forces, changes);
    double sum = 0;
    for (size_t i = 0; i < s.size(); ++i) {
        z[i] = joined(changes[i].v_m_s, changes[i].w_rad_s);
        Vector6 left = mass[i] * z[i];
        if (const auto own = stiffness.find({i, i}); own != stiffness.end()) left += own->second * z[i];
        left.tail<3>() /= world.bodies[i].collider->reach_m;
        sum += left.squaredNorm() * pressure.cellMass_kg() / world.bodies[i].mass_kg;
    }
    return sum;
}

void BodyViscosity::setCoupling(double* const (&out)[3]) const
{
    for (size_t i = 0; i < y.size(); ++i)
        for (const Entry& e : entries[i]) out[e.axis][e.index] += e.row.dot(y[i]);
}

void BodyViscosity::clearCoupling(double* const (&out)[3]) const
{
    for (const std::vector<Entry>& list : entries)
        for (const Entry& e : list) out[e.axis][e.index] = 0;
}

double BodyViscosity::residual(const double* const (&u)[3])
{
    const Vectors stress = stressOn(y, u);
    for (size_t i = 0; i < y.size(); ++i) s[i] = known[i] - mass[i] * (y[i] - y_start[i]) - stress[i];
    for (Vector6& v : p) v.setZero();
    return setCorrection();
}

double BodyViscosity::precondition()
{
    double sum = 0;
    for (size_t i = 0; i < s.size(); ++i) sum += s[i].dot(z[i]);
    return sum;
}

void BodyViscosity::turn(double alpha, double beta)
{
    for (size_t i = 0; i < y.size(); ++i) {
        y[i] += alpha * p[i];
        p[i] = z[i] + beta * p[i];
    }
}

double BodyViscosity::multiply(const float* const (&u)[3], float* const (&au)[3])
{
    ap = stressOn(p, u);
    double energy = 0;
    for (size_t i = 0; i < p.size(); ++i) {
        ap[i] += mass[i] * p[i];
        energy += p[i].dot(ap[i]);
        for (const Entry& e : entries[i]) {
            const double more = e.row.dot(p[i]);
            au[e.axis][e.index] += float(more);
            energy += double(u[e.axis][e.index]) * more;
        }
    }
    return energy;
}

double BodyViscosity::descend(double alpha)
{
    for (size_t i = 0; i < s.size(); ++i) s[i] -= alpha * ap[i];
    return setCorrection();
}

void BodyViscosity::addCorrection(float* const (&out)[3]) const
{
    for (size_t i = 0; i < z.size(); ++i)
        for (const Entry& e : entries[i]) out[e.axis][e.index] += float(e.row.dot(z[i]));
}

// The liquid at the faces of a body keeps its own momentum apart from that of the body: what it loses, the body gets.
void BodyViscosity::finish(const double* const (&solution)[3], MacView u)
{
    Vectors gained = stressOn(y, solution);
    for (size_t i = 0; i < y.size(); ++i) gained[i] = known[i] - gained[i];
    for (const Face& f : faces) gained[f.body] -= f.mass * f.row.dot(y[f.body] - y_start[f.body]) * f.row;
    // The pressure system adds the liquid that it carries itself.
    for (const CoveredFaces::Carried& c : pressure.carriedLiquid())
        gained[c.at.body] += unit_per_kg * c.mass_kg * c.at.row.dot(y[c.at.body] - y_start[c.at.body]) * c.at.row;
    for (Vector6& impulse : gained) impulse /= unit_per_kg;
    for (size_t i = 0; i < gained.size(); ++i) impulses[i] += gained[i];
    pressure.accelerate(gained);
    for (const Face& f : faces) u.u[f.axis](f.at) = float(f.row.dot(velocityOf(f.body)));
}

void BodyViscosity::startCorrections()
{
    pressure.lookForContacts(false);
    base = pressure.motion();
    y = base.v;
    const Vectors none(y.size(), Vector6::Zero());
    direction = {none, none};
    q = none;
}

void BodyViscosity::keepResidual()
{
    g = s;
    p = base.v;
}

void BodyViscosity::moveFaces(MacView u) const
{
    for (const Face& f : faces) u.u[f.axis](f.at) += float(f.row.dot(velocityOf(f.body) - base.v[f.body]));
}

void BodyViscosity::addResidual(MacView u)
{
    Vectors impulse = g;
    for (Vector6& v : impulse) v /= unit_per_kg;
    pressure.setMotion(base);
    pressure.accelerate(impulse);
    moveFaces(u);
}

double BodyViscosity::setRightHandSide(ConstMacView u, ConstMacView from)
{
    double kinetic = 0;
    for (size_t i = 0; i < y.size(); ++i) {
        y_start[i] = velocityOf(i) - base.v[i];
        y[i].setZero();
        known[i].setZero();
        kinetic += unit_per_kg * y_start[i].dot(massOf(i) * y_start[i]);
    }
    for (const Face& f : faces) {
        const double v = double(u.u[f.axis](f.at)) - double(from.u[f.axis](f.at));
        known[f.body] += f.mass * (v - f.row.dot(y_start[f.body])) * f.row;
        kinetic += f.mass * v * v;
    }
    return kinetic;
}

double BodyViscosity::workOfSolution() const
{
    double sum = 0;
    for (size_t i = 0; i < y.size(); ++i) sum += y[i].dot(known[i] + mass[i] * y_start[i]);
    return sum;
}

void BodyViscosity::addSolution(MacView u)
{
    Vectors impulse(y.size());
    for (size_t i = 0; i < y.size(); ++i) impulse[i] = massOf(i) * y[i];
    for (const CoveredFaces::Carried& c : pressure.carriedLiquid())
        impulse[c.at.body] += c.mass_kg * c.at.row.dot(y[c.at.body]) * c.at.row;
    pressure.setMotion(base);
    pressure.accelerate(impulse);
    moveFaces(u);
}

double BodyViscosity::workOfProduct() const
{
    double sum = 0;
    for (size_t i = 0; i < q.size(); ++i) sum += q[i].dot(velocityOf(i) - base.v[i]);
    return sum;
}

void BodyViscosity::turnDirection(double beta)
{
    const BodyPressure::Motion now = pressure.motion();
    for (size_t i = 0; i < p.size(); ++i) {
        direction.v[i] = now.v[i] - base.v[i] + beta * direction.v[i];
        direction.impulses[i] = now.impulses[i] - base.impulses[i] + beta * direction.impulses[i];
    }
    p = direction.v;
}

double BodyViscosity::workOfResidual()
{
    q = ap;
    double sum = 0;
    for (size_t i = 0; i < g.size(); ++i) sum += g[i].dot(p[i]);
    return sum;
}

void BodyViscosity::advance(double alpha)
{
    for (size_t i = 0; i < g.size(); ++i) {
        base.v[i] += alpha * direction.v[i];
        base.impulses[i] += alpha * direction.impulses[i];
        g[i] -= alpha * q[i];
        impulses[i] -= alpha / unit_per_kg * (q[i] - mass[i] * p[i]);
    }
}

void BodyViscosity::endCorrections()
{
    pressure.setMotion(base);
    pressure.lookForContacts(true);
}

VelocityChange BodyViscosity::changeOf(size_t body) const
{
    const Vector6 change = world.inverseMatrix(body) * impulses[body];
    return {upper(change), lower(change)};
}

}  // namespace flotsam
