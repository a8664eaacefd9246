#include "grid/fractions.h"

#include <gtest/gtest.h>

#include "core/random.h"

namespace flotsam {
namespace {

// In [-1, 1), by (case, number).
double draw(uint64_t n, uint64_t what) { return 2 * randomUnit(7, n, what) - 1; }

TEST(Fractions, OfATriangleCutThroughItsMiddle)
{
    EXPECT_FLOAT_EQ(positivePartOfTriangle(1, 1, 1), 1);
    EXPECT_FLOAT_EQ(positivePartOfTriangle(-1, -2, -1), 0);
    EXPECT_FLOAT_EQ(positivePartOfTriangle(1, -1, -1), 0.25f);
    EXPECT_FLOAT_EQ(positivePartOfTriangle(-1, 1, 1), 0.75f);
    EXPECT_FLOAT_EQ(positivePartOfTriangle(0, 1, -1), 0.5f);
}

TEST(Fractions, APositivePartAndTheNegativeOneFillTheTriangle)
{
    for (uint64_t n = 0; n < 1000; ++n) {
        const float a = float(draw(n, 0)), b = float(draw(n, 1)), c = float(draw(n, 2));
        EXPECT_NEAR(positivePartOfTriangle(a, b, c) + positivePartOfTriangle(-a, -b, -c), 1, 1e-5);
        EXPECT_NEAR(positivePartOfTriangle(a, b, c), positivePartOfTriangle(c, a, b), 1e-6);
    }
}

TEST(Fractions, OfAFaceCutByAStraightLineAreExact)
{
    EXPECT_NEAR(openFractionOfFace(-0.25f, 0.75f, -0.25f, 0.75f), 0.75, 1e-6);  // x = 1/4
    EXPECT_NEAR(openFractionOfFace(0.4f, 0.4f, -0.6f, -0.6f), 0.4, 1e-6);       // y = 0.4, open below
    EXPECT_NEAR(openFractionOfFace(-0.5f, 0.5f, 0.5f, 1.5f), 0.875, 1e-6);      // x + y = 1/2
    EXPECT_EQ(openFractionOfFace(1, 1, 1, 1), 1);
    EXPECT_EQ(openFractionOfFace(-1, -1, -1, -1), 0);
}

TEST(Fractions, SliversOfAFaceAreClosed)
{
    EXPECT_EQ(openFractionOfFace(-0.9995f, 0.0005f, -0.9995f, 0.0005f), 0);
    EXPECT_EQ(openFractionOfFace(-0.0005f, 0.9995f, -0.0005f, 0.9995f), 1);
}

// The fraction of points of a regular grid in the tetrahedron (0, x, y, z) where the linear function is negative.
double sampledNegativePart(double a, double b, double c, double d)
{
    constexpr int n = 60;
    long long inside = 0, negative = 0;
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
                const double x = (i + 0.5) / n, y = (j + 0.5) / n, z = (k + 0.5) / n;
                if (x + y + z >= 1) continue;
                ++inside;
                negative += a + x * (b - a) + y * (c - a) + z * (d - a) < 0;
            }
    return double(negative) / double(inside);
}

TEST(Fractions, OfATetrahedronAgreeWithCountedPoints)
{
    for (uint64_t n = 0; n < 40; ++n) {
        const double a = draw(n, 0), b = draw(n, 1), c = draw(n, 2), d = draw(n, 3);
        EXPECT_NEAR(negativePartOfTetrahedron(a, b, c, d), sampledNegativePart(a, b, c, d), 0.03) << n;
    }
}

TEST(Fractions, ANegativePartAndThePositiveOneFillTheTetrahedron)
{
    for (uint64_t n = 0; n < 1000; ++n) {
        const double a = draw(n, 0), b = draw(n, 1), c = draw(n, 2), d = draw(n, 3);
        EXPECT_NEAR(negativePartOfTetrahedron(a, b, c, d) + negativePartOfTetrahedron(-a, -b, -c, -d), 1, 1e-9);
        EXPECT_NEAR(negativePartOfTetrahedron(a, b, c, d), negativePartOfTetrahedron(d, b, a, c), 1e-12);
    }
}

}  // namespace
}  // namespace flotsam
