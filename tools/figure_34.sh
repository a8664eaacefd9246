#!/bin/sh
# The thesis' figure 34: one splash, its surface from 6, 24, 48 and 192 tetrahedra a cube, drawn opaque.
#   tools/figure_34.sh [OUT.jpg]      default: docs/images/figure_34.jpg; about a minute on two cores
# Needs POV-Ray and ffmpeg, as every picture does. The simulation does not depend on the extraction: the four runs are
# the same up to their frames' triangles.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/docs/images/figure_34.jpg}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
frame=12

inputs='' labels='' n=0
for tetrahedra in 6 24 48 192; do
    "$root/flotsam" run "$root/scenes/splash.toml" --out "$work/$tetrahedra" --seconds 0.2 \
        --set surface.tetrahedra=$tetrahedra --set output.checkpoint_every_frames=1000
    "$root/flotsam" render "$work/$tetrahedra" --frames $frame --size 640x400
    inputs="$inputs -i $work/$tetrahedra/images/00$frame.png"
    labels="$labels[$n]drawtext=text=$tetrahedra:x=16:y=12:fontsize=44:fontcolor=yellow:borderw=2[l$n];"
    n=$((n + 1))
done
# shellcheck disable=SC2086
ffmpeg -loglevel error -y $inputs -filter_complex \
    "$labels[l0][l1][l2][l3]xstack=inputs=4:layout=0_0|w0_0|0_h0|w0_h0" -frames:v 1 -q:v 4 "$out"
echo "$out"
