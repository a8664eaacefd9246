#include <map>

#include "validation/stone_cases.h"

namespace flotsam {
namespace {

class SlabMesh {
public:
    explicit SlabMesh(const CellSlab& s) : slab(s) {}

    TriangleMesh result()
    {
        for (size_t j = 0; j < slab.rows.size(); ++j)
            for (size_t i = 0; i < slab.rows[j].size(); ++i)
                if (isSolid(i, j)) addCell(i, j);
        return mesh;
    }

private:
    // Beyond the slab the index is too large, also left of it and below.
    bool isSolid(size_t i, size_t j) const
    {
        return j < slab.rows.size() && i < slab.rows[j].size() && slab.rows[j][i] == '#';
    }
    int at(size_t i, size_t j, bool front)
    {
        const auto [it, is_new] = vertices.try_emplace({i, j, front}, int(mesh.vertices.size()));
        if (is_new) mesh.vertices.push_back({slab.x_m[i], slab.y_m[j], (front ? 0.5 : -0.5) * slab.depth_m});
        return it->second;
    }
    // A quadrilateral, counter-clockwise seen from outside.
    void add(int a, int b, int c, int d)
    {
        mesh.triangles.push_back({a, b, c});
        mesh.triangles.push_back({a, c, d});
    }
    // The side over an edge of the cell's front, whose outline is counter-clockwise.
    void addSide(size_t i, size_t j, size_t k, size_t l)
    {
        add(at(i, j, true), at(i, j, false), at(k, l, false), at(k, l, true));
    }
    void addCell(size_t i, size_t j)
    {
        add(at(i, j, true), at(i + 1, j, true), at(i + 1, j + 1, true), at(i, j + 1, true));
        add(at(i, j, false), at(i, j + 1, false), at(i + 1, j + 1, false), at(i + 1, j, false));
        if (!isSolid(i, j - 1)) addSide(i, j, i + 1, j);
        if (!isSolid(i + 1, j)) addSide(i + 1, j, i + 1, j + 1);
        if (!isSolid(i, j + 1)) addSide(i + 1, j + 1, i, j + 1);
        if (!isSolid(i - 1, j)) addSide(i, j + 1, i, j);
    }

    const CellSlab& slab;
    TriangleMesh mesh;
    std::map<std::tuple<size_t, size_t, bool>, int> vertices;
};

}  // namespace

TriangleMesh meshOf(const CellSlab& slab) { return SlabMesh(slab).result(); }

}  // namespace flotsam
