#!/bin/sh
# The figures of the papers with bodies in water: simulates each scene and puts a few of its frames side by side.
#   tools/figures_coupling.sh [FOLDER] [NAME...]     default: docs/images, all of the names at the end of this file
# WORK=DIR keeps the runs in DIR/<scene> and reuses those that exist. FLOTSAM names the program, QUALITY is draft or final.
# Needs POV-Ray and ffmpeg.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
flotsam=${FLOTSAM:-$root/flotsam}
folder=${1:-$root/docs/images}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- figure_02 figure_17 figure_19 figure_20 figure_21 figure_22 figure_32_right hull floating_boxes hundred_bodies cork_and_lead
if [ -z "${WORK:-}" ]; then
    WORK=$(mktemp -d)
    trap 'rm -rf "$WORK"' EXIT
fi

# sheet OUT COLUMNS SIZE SCENE FRAME...: these frames as one image with COLUMNS columns. tracers=N adds N tracers.
sheet() {
    out=$1 columns=$2 size=$3 scene=$4
    shift 4
    run=$WORK/$scene${tracers:+_marked}
    [ -d "$run" ] || "$flotsam" run "$root/scenes/$scene.toml" ${tracers:+--set tracers.count=$tracers} --out "$run"
    mkdir -p "$WORK/sheets/$out"
    n=0
    for frame in "$@"; do
        # images of another size in the run are kept: these then go into a folder of their own
        images=$("$flotsam" render "$run" --frames "$frame" --size "$size" --quality "${QUALITY:-final}" | sed -n 's/^Images: //p')
        cp "$images/$(printf %04d "$frame").png" "$WORK/sheets/$out/$(printf %02d $n).png"
        n=$((n + 1))
    done
    ffmpeg -loglevel error -y -i "$WORK/sheets/$out/%02d.png" \
        -vf "tile=${columns}x$(((n + columns - 1) / columns)):padding=4:color=white" -frames:v 1 -q:v 4 "$folder/$out.jpg"
    echo "$folder/$out.jpg"
}

for name in "$@"; do
    case $name in
        figure_17) sheet figure_17 3 426x266 block_splash 12 30 48 60 90 290 ;;
        figure_02) sheet figure_02 3 426x266 lead_and_wood 3 8 14 30 60 480 ;;
        figure_19) (tracers=3000; sheet figure_19 3 426x266 lead_and_wood 3 8 14 30 60 156) ;;
        figure_20) sheet figure_20 6 200x480 tumbling_stones 5 25 40 48 58 64 ;;
        figure_21) sheet figure_21 6 200x480 tumbling_gems 5 25 45 60 75 90 ;;
        figure_22) sheet figure_22 3 426x266 gears_and_bunnies 3 9 20 40 60 470 ;;
        figure_32_right) sheet figure_32_right 3 426x266 gears_and_bunnies_fast 20 60 480 ;;
        hull) sheet hull 3 426x266 hull 0 240 480 ;;
        floating_boxes) sheet floating_boxes 3 426x266 floating_boxes 0 120 340 ;;
        hundred_bodies) sheet hundred_bodies 3 426x266 hundred_bodies 12 30 100 ;;
        cork_and_lead) sheet cork_and_lead 3 426x266 cork_and_lead 14 20 34 ;;
        *) echo "there is no picture '$name'" >&2; exit 2 ;;
    esac
done
