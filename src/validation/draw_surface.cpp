#include "validation/draw_surface.h"

#include <fmt/format.h>

#include "cache/safe_file.h"
#include "cache/subprocess.h"
#include "core/error.h"

namespace flotsam {

namespace {

namespace fs = std::filesystem;
constexpr int pixels = 240;

void turnIntoPng(const fs::path& pgm, const fs::path& png)
{
    const ProcessResult result =
        runProcess({"ffmpeg", "-nostdin", "-y", "-v", "error", "-i", pgm.string(), "-frames:v", "1", png.string()}, ".",
                   [] { return false; });
    fs::remove(pgm);
    if (result.exit_code != 0)
        throw IoError(
            fmt::format("{}: ffmpeg failed (exit code {}): {}", png.string(), result.exit_code, result.error_tail));
}

}  // namespace

void drawSurface(const fs::path& file, Corner low, Corner high, const Shape& expected, CarriedSurface& surface)
{
    std::string image = fmt::format("P5\n{} {}\n255\n", pixels, pixels);
    const double pixel_m = (high.x_m - low.x_m) / pixels, h = surface.grid.h;
    const View3<const float> phi = surface.state.phi;
    for (int row = 0; row < pixels; ++row)
        for (int column = 0; column < pixels; ++column) {
            const Vec3 p{low.x_m + (column + 0.5) * pixel_m, high.y_m - (row + 0.5) * pixel_m, 0.5 * h};
            const double d = trilinear(phi, centerIndex({float(p.x / h), float(p.y / h), 0.5f}));
            // Edges are one pixel wide, so that they are anti-aliased.
            const double wet = std::clamp(0.5 - d / pixel_m, 0.0, 1.0);
            const double line = std::clamp(1 - std::abs(expected.signedDistance(p)) / pixel_m, 0.0, 1.0);
            image += char(uint8_t((255 - 110 * wet) * (1 - line)));
        }
    std::error_code ignored;
    fs::create_directories(file.parent_path(), ignored);
    const fs::path pgm = file.string() + ".pgm";
    writeFileAtomically(pgm, image);
    turnIntoPng(pgm, file);
}

}  // namespace flotsam
