#!/bin/sh
# Thesis figure 34: the surface of one splash from 6, 24, 48 and 192 tetrahedra per cube, drawn opaque.
#   tools/figure_34.sh [OUT.jpg]      default: docs/images/figure_34.jpg
# Needs POV-Ray and ffmpeg. The simulation does not depend on the extraction: the four runs differ only in the triangles of
# their frames.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/docs/images/figure_34.jpg}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
frame=50

inputs='' labels='' n=0
for tetrahedra in 6 24 48 192; do
    "$root/flotsam" run "$root/scenes/dam_break.toml" --out "$work/$tetrahedra" --seconds 0.84 \
        --set surface.tetrahedra=$tetrahedra --set render.opaque=true --set 'render.liquid_color=[0.35,0.6,0.8]' \
        --set 'render.eye_m=[0.85,0.85,1.75]' --set 'render.look_at_m=[1.3,0.36,0.4]' \
        --set render.field_of_view_deg=30 --set render.show_tank=false
    "$root/flotsam" render "$work/$tetrahedra" --frames $frame --size 640x400
    inputs="$inputs -i $work/$tetrahedra/images/00$frame.png"
    labels="${labels}[$n]drawtext=text=$tetrahedra:x=16:y=12:fontsize=44:fontcolor=yellow:borderw=2[l$n];"
    n=$((n + 1))
done
# shellcheck disable=SC2086
ffmpeg -loglevel error -y $inputs -filter_complex \
    "${labels}[l0][l1][l2][l3]xstack=inputs=4:layout=0_0|w0_0|0_h0|w0_h0" -frames:v 1 -q:v 4 "$out"
echo "$out"
