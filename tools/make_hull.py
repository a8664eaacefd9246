#!/usr/bin/env python3
"""Writes scenes/meshes/hull.obj: an open hull with a pointed bow and a hole in its bottom, one closed mesh.

    tools/make_hull.py > scenes/meshes/hull.obj

Lengths in metres; y is up, the bow points along +x, the keel is y = 0. Every ring of points below is the same set of
directions around the hole's middle, so that neighbouring rings are joined by a strip of triangles: the surface goes from the
hole over the outside, across the rim, down the inside and through the hole again, and has no open edge.
"""
import math

LENGTH, BEAM, HEIGHT, WALL = 0.72, 0.30, 0.20, 0.04
TAPER = 0.86          # outline of the bottom relative to the deck
HOLE = 0.030          # half the side of the square hole
HOLE_X = -0.15        # its centre, aft of midships
DIRECTIONS = 96


def outline(grow, scale):
    """The deck's outline, moved in by -grow and scaled: a square stern, straight sides, two arcs that meet at the bow."""
    half_beam, bow, stern, shoulder = BEAM / 2 + grow, LENGTH / 2 + 1.6 * grow, -LENGTH / 2 - grow, 0.06
    points = [(stern, -half_beam), (shoulder, -half_beam)]
    steps = 12
    for k in range(1, steps):
        a = k / steps
        points.append((shoulder + a * (bow - shoulder), -half_beam * (1 - a * a)))
    points.append((bow, 0.0))
    points += [(x, -z) for x, z in reversed(points[:-1])]
    return [(x * scale, z * scale) for x, z in points]


def ring(points, height):
    """Where rays from the hole's middle leave the outline."""
    out = []
    for k in range(DIRECTIONS):
        angle = 2 * math.pi * k / DIRECTIONS
        c, s = math.cos(angle), math.sin(angle)
        for (ax, az), (bx, bz) in zip(points, points[1:] + points[:1]):
            ax, bx = ax - HOLE_X, bx - HOLE_X
            ex, ez = bx - ax, bz - az
            det = ex * s - ez * c
            if abs(det) < 1e-15:
                continue
            t = (ex * az - ez * ax) / det          # along the ray
            u = (c * az - s * ax) / det            # along the edge
            if t > 0 and -1e-9 <= u < 1 - 1e-9:
                out.append((HOLE_X + t * c, height, t * s))
                break
    assert len(out) == DIRECTIONS, len(out)
    return out


hole = [(HOLE_X + x, z) for x, z in ((-HOLE, -HOLE), (HOLE, -HOLE), (HOLE, HOLE), (-HOLE, HOLE))]
rings = [ring(hole, 0.0), ring(outline(0, TAPER), 0.0), ring(outline(0, 1), HEIGHT), ring(outline(-WALL, 1), HEIGHT),
         ring(outline(-WALL, TAPER), WALL), ring(hole, WALL)]
print("# An open hull with a hole, by tools/make_hull.py")
for x, y, z in (p for r in rings for p in r):
    print(f"v {x:.6f} {y:.6f} {z:.6f}")
for r in range(len(rings)):
    for k in range(DIRECTIONS):
        a, b = r * DIRECTIONS + k + 1, r * DIRECTIONS + (k + 1) % DIRECTIONS + 1
        n = (r + 1) % len(rings) * DIRECTIONS
        c, d = n + k + 1, n + (k + 1) % DIRECTIONS + 1
        print(f"f {a} {d} {b}\nf {a} {c} {d}")
