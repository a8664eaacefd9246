#!/bin/sh
# Thesis figures 12, 14, 15 and 16 and a coil of honey: simulates each scene and puts a few of its frames side by side.
#   tools/figures_melting.sh [FOLDER] [NAME...]      default: docs/images, all of: figure_12 figure_14 figure_15 figure_16
#                                                    honey_coil
# Needs POV-Ray and ffmpeg.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
folder=${1:-$root/docs/images}
[ $# -gt 0 ] && shift
[ $# -gt 0 ] || set -- figure_12 figure_14 figure_15 figure_16 honey_coil
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# shots SCENE FRAME...: images of these frames, in $work/SCENE/images.
shots() {
    scene=$1
    shift
    [ -d "$work/$scene" ] || "$root/flotsam" run "$root/scenes/$scene.toml" --out "$work/$scene"
    for frame in "$@"; do "$root/flotsam" render "$work/$scene" --frames "$frame" --size 480x360; done
}

# sheet OUT COLUMNS SCENE FRAME...: those images as one with COLUMNS columns.
sheet() {
    out=$1 columns=$2
    shift 2
    mkdir -p "$work/sheets/$out"
    n=0
    while [ $# -gt 0 ]; do
        scene=$1
        shift
        while [ $# -gt 0 ] && [ -z "$(echo "$1" | tr -d 0-9)" ]; do
            shots "$scene" "$1"
            cp "$work/$scene/images/$(printf %04d "$1").png" "$work/sheets/$out/$(printf %02d $n).png"
            n=$((n + 1))
            shift
        done
    done
    ffmpeg -loglevel error -y -i "$work/sheets/$out/%02d.png" \
        -vf "tile=${columns}x$(((n + columns - 1) / columns)):padding=4:color=white" -frames:v 1 -q:v 4 "$folder/$out.jpg"
    echo "$folder/$out.jpg"
}

for name in "$@"; do
    case $name in
        figure_12)
            sheet figure_12 4 green_liquid_1 48 green_liquid_2 48 green_liquid_3 48 green_liquid_4 48 \
                green_liquid_1 300 green_liquid_2 300 green_liquid_3 300 green_liquid_4 300 ;;
        figure_14) sheet figure_14 4 bunny_melt 0 100 250 500 ;;
        figure_15) sheet figure_15 4 toothpaste 45 75 105 200 ;;
        figure_16) sheet figure_16 4 drip_sand 120 210 300 375 ;;
        honey_coil) sheet honey_coil 4 honey_coil 15 35 55 80 ;;
        *) echo "there is no picture '$name'" >&2; exit 2 ;;
    esac
done
