#!/usr/bin/env bash
# Shows where the time of one of the benchmark's cases goes: by sampling with perf where the machine allows that, by
# counting instructions with valgrind's callgrind otherwise.
# Usage: Scripts/profile.sh CASE [SECONDS]; without a case, names them.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly case=${1:-} seconds=${2:-5} lines=40
readonly data=Benchmarks/profile.data

# As `make bench` builds it: other flags would build everything anew.
build=(Scripts/swift.sh build -c release ${STATIC:-} --package-path Benchmarks)
"${build[@]}" --product benchmark
benchmark=$("${build[@]}" --show-bin-path)/benchmark
if [ -z "$case" ]; then
    echo "usage: make profile CASE=NAME [SECONDS=n]" >&2
    "$benchmark" --help 2>&1 | sed -n 's/^cases: //p' >&2
    exit 2
fi

# What is made once is made now, and not among what is looked at.
"$benchmark" --profile "$case" --seconds 0.01

if perf record --quiet -o /dev/null true 2>/dev/null; then
    perf record --quiet -F 1999 -g -o "$data" -- "$benchmark" --profile "$case" --seconds "$seconds"
    perf report --stdio --no-children -g none --percent-limit 0.3 -i "$data" --sort symbol,dso 2>/dev/null |
        grep -v '^#' | sed '/^$/d' | swift demangle --simplified | cut -c1-160 | head -n "$lines"
    echo "all of it: perf report -i $data"
elif command -v valgrind >/dev/null; then
    valgrind --tool=callgrind --callgrind-out-file="$data" "$benchmark" --profile "$case" --seconds 1
    callgrind_annotate "$data" | swift demangle --simplified | cut -c1-160 | head -n "$lines"
else
    echo "neither perf (of Debian's linux-perf) nor valgrind is installed, or the machine does not allow them." >&2
    exit 1
fi
