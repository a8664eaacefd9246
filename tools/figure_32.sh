#!/bin/sh
# Thesis figure 32 with a drop instead of gears and bunnies, after 0.33, 1 and 6 s, drawn opaque. Left: the noisy surface
# treatment and the first loop of the thesis. Right: the smooth treatment and the optimised loop.
#   tools/figure_32.sh [OUT.jpg]      default: docs/images/figure_32.jpg
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
out=${1:-$root/docs/images/figure_32.jpg}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

draw() {
    name=$1
    shift
    "$root/flotsam" run "$root/scenes/drop.toml" --out "$work/$name" --set 'domain.cells=[48,48,48]' --set time.fps=30 \
        --set surface.volume_correction=false --set render.opaque=true --set 'render.liquid_color=[0.35,0.6,0.8]' "$@"
    for frame in 10 30 180; do "$root/flotsam" render "$work/$name" --frames $frame --size 480x320; done
}
draw noisy --set 'surface.treatment="noisy"'
draw smooth --set 'liquid.loop="one-projection"' --set surface.particles_until_s=1
inputs=''
for frame in 0010 0030 0180; do inputs="$inputs -i $work/noisy/images/$frame.png -i $work/smooth/images/$frame.png"; done
# shellcheck disable=SC2086
ffmpeg -loglevel error -y $inputs -filter_complex \
    "[0][1][2][3][4][5]xstack=inputs=6:layout=0_0|w0_0|0_h0|w0_h0|0_h0+h1|w0_h0+h1" -frames:v 1 -q:v 4 "$out"
echo "$out"
