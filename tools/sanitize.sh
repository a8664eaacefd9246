#!/bin/bash
# Builds with sanitizers, runs tests and prints what the sanitizers found.
#   tools/sanitize.sh asan                 address and undefined behaviour, all tests
#   tools/sanitize.sh tsan -R Determinism  threads, tests by name; all options of ctest work
#   tools/sanitize.sh asan -I 1,60         a subset: tests 1 to 60
# Reports stay in build/<preset>/reports, in a folder for each run.
# The exit code is 0 where all tests passed and nothing was found.
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")/.."
preset=${1:-}
case $preset in
    asan | tsan) shift ;;
    *)
        sed -n '2,7s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
esac
cmake --preset "$preset" -DFLOTSAM_TESTS=ON
cmake --build --preset "$preset" -j 2

# Reports go to files: tests start the program as a child process and may not show its output.
# A folder for each run: the next subset must not remove what this one found.
reports=$PWD/build/$preset/reports/$(date +%Y%m%d-%H%M%S)-$$
mkdir -p "$reports"
common="log_path=$reports/report:halt_on_error=1"
export ASAN_OPTIONS="$common:detect_stack_use_after_return=1"
export UBSAN_OPTIONS="$common:print_stacktrace=1"
# OpenVDB's own tasks are reported falsely: the reason is in the file.
export TSAN_OPTIONS="$common:suppressions=$PWD/tools/tsan.supp"
code=0
ctest --test-dir "build/$preset" --output-on-failure -j2 "$@" || code=$?

found=$(find "$reports" -type f | wc -l)
for report in $(find "$reports" -type f | sort | head -n 10); do head -n 15 "$report"; done
echo "$found sanitizer reports in $reports"
if [ "$found" != 0 ]; then exit 1; fi
exit "$code"
