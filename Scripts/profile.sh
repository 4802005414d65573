#!/usr/bin/env bash
# Profiles one benchmark case, by sampling with perf if the machine permits it, otherwise by counting instructions with
# valgrind's callgrind. Usage: Scripts/profile.sh CASE [SECONDS]. Without a case, it lists them.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly case=${1:-} seconds=${2:-5} lines=40
readonly data=Benchmarks/profile.data

# The same flags as `make bench`: others would invalidate the build.
build=(Scripts/swift.sh build -c release ${STATIC:-} --package-path Benchmarks)
"${build[@]}" --product benchmark
benchmark=$("${build[@]}" --show-bin-path)/benchmark
if [ -z "$case" ]; then
    echo "usage: make profile CASE=NAME [SECONDS=n]" >&2
    "$benchmark" --help 2>&1 | sed -n 's/^cases: //p' >&2
    exit 2
fi

# A short first run prepares what is created once, outside the profile.
"$benchmark" --profile "$case" --seconds 0.01

if perf record --quiet -o /dev/null true 2>/dev/null; then
    perf record --quiet -F 1999 -g -o "$data" -- "$benchmark" --profile "$case" --seconds "$seconds"
    perf report --stdio --no-children -g none --percent-limit 0.3 -i "$data" --sort symbol,dso 2>/dev/null |
        grep -v '^#' | sed '/^$/d' | swift demangle --simplified | cut -c1-160 | head -n "$lines"
    echo "full report: perf report -i $data"
elif command -v valgrind >/dev/null; then
    valgrind --tool=callgrind --callgrind-out-file="$data" "$benchmark" --profile "$case" --seconds 1
    callgrind_annotate "$data" | swift demangle --simplified | cut -c1-160 | head -n "$lines"
else
    echo "Cannot profile: install perf (linux-perf on Debian) or valgrind, or permit their use." >&2
    exit 1
fi
