#!/bin/bash
# Installs the Debian/Ubuntu packages needed to build and run, if some are missing.
#   tools/install.sh            for ./flotsam
#   tools/install.sh --tests    for ./test as well
#   tools/install.sh --bench    for the solvers that 'flotsam bench pressure' and 'flotsam bench rigid' compare with
set -euo pipefail

packages=(
    g++ cmake ninja-build pkg-config
    libtbb-dev libeigen3-dev libfmt-dev libzstd-dev libtomlplusplus-dev libcli11-dev nlohmann-json3-dev
    libopenvdb-dev libboost-dev libboost-iostreams-dev zlib1g-dev   # required by the headers and the CMake module of OpenVDB
    povray ffmpeg                                        # run by 'flotsam render'
)
if [ "${1:-}" = "--tests" ]; then packages+=(libgtest-dev); fi
if [ "${1:-}" = "--bench" ]; then packages+=(libhypre-dev libopenmpi-dev openmpi-bin libbullet-dev libode-dev); fi

# dpkg-query fails when a package is unknown; a package counts only if it is completely installed.
installed=$(dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${packages[@]}" 2>/dev/null | sed -n 's/ installed$//p' || true)
missing=()
for package in "${packages[@]}"; do
    grep -qxF -- "$package" <<<"$installed" || missing+=("$package")
done
if [ ${#missing[@]} -eq 0 ]; then exit 0; fi

if ! command -v apt-get >/dev/null; then
    echo "flotsam: these packages are missing, and there is no apt-get to install them: ${missing[*]}" >&2
    exit 4
fi
as_root=()
if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
        echo "flotsam: install these packages as root, then try again: ${missing[*]}" >&2
        exit 4
    fi
    as_root=(sudo)
fi
echo "flotsam: installing ${missing[*]}" >&2
"${as_root[@]}" apt-get update -q >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}" >&2
