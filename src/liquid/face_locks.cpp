// Faces that are closed for one step: docs/methods/pressure.md, section 3.
#include "liquid/solids.h"

namespace flotsam {

void Solids::lock(const std::vector<FaceLock>& faces)
{
    for (auto f = locked.rbegin(); f != locked.rend(); ++f) fraction_field[f->axis].view()(f->face) = f->open;
    locked.clear();
    inflow_faces.clear();
    for (const FaceLock& f : faces) {
        float& open = fraction_field[f.axis].view()(f.face);
        locked.push_back({f.axis, f.face, open});
        open = 0;
        if (f.inflow) inflow_faces.push_back({faceKey(f.axis, f.face), f.axis, f.face, *f.inflow});
    }
    std::stable_sort(inflow_faces.begin(), inflow_faces.end(),
                     [](const InflowFace& a, const InflowFace& b) { return a.key < b.key; });
}

const FaceLock::Inflow* Solids::inflowAt(int axis, Int3 face) const
{
    if (inflow_faces.empty()) return nullptr;
    const size_t key = faceKey(axis, face);
    const auto at = std::lower_bound(inflow_faces.begin(), inflow_faces.end(), key,
                                     [](const InflowFace& f, size_t k) { return f.key < k; });
    return at != inflow_faces.end() && at->key == key ? &at->inflow : nullptr;
}

double Solids::closedFlow(int axis, Int3 face, double open) const
{
    if (const FaceLock::Inflow* inflow = inflowAt(axis, face)) return (1 - open) * double(inflow->through_m_s);
    const Vec3 p_m = facePosition(grid.h, axis, face);
    if (others_are == Others::barriers) return (1 - open) * velocityAt(p_m)[axis];
    return (1 - open - double(body_part[axis].view()(face))) * base->velocityAt(p_m)[axis];
}

void Solids::imposeInflows(MacView u) const
{
    for (const InflowFace& f : inflow_faces) u.u[f.axis](f.face) = f.inflow.velocity_m_s;
}

}  // namespace flotsam
