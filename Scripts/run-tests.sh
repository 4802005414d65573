#!/usr/bin/env bash
# Builds the tests and runs them target by target, because a thousand concurrent tests would starve those with a server.
# Prints one line per target, and failures immediately and at the end.
#
#   Scripts/run-tests.sh [options of `swift build`]     FILTER=name for some tests, BUILT=1 to skip the build,
#                                                       SERVER=1 for those of the image server too
set -uo pipefail
cd "$(dirname "$0")/.."

[ -n "${BUILT:-}" ] || Scripts/swift.sh build --build-tests "$@" || exit 1

log=$(mktemp)
failures=$(mktemp)
trap 'rm -f "$log" "$failures"' EXIT

run() { # filter
    Scripts/swift.sh test --skip-build --disable-xctest "${@:2}" --filter "$1" >"$log" 2>&1
    local status=$?
    grep -a '^✘' "$log" | tee -a "$failures"
    grep -a 'Test run with' "$log" | tail -n 1
    grep -a ' skipped: ' "$log" | sed 's/.* skipped: /    skipped: /' | sort | uniq -c
    if [ $status -ne 0 ] && ! grep -aq 'Test run with .* failed' "$log"; then
        echo "✘ $1 exited with status $status. Last lines:" | tee -a "$failures"
        tail -n 40 "$log" | tee -a "$failures"
    fi
}

if [ -n "${FILTER:-}" ]; then
    run "$FILTER" "$@"
else
    for folder in Tests/*Tests; do
        target=$(basename "$folder")
        case "$target" in EaselServer*) [ -n "${SERVER:-}" ] || continue ;; esac
        printf '%s: ' "$target"
        run "^$target\\." "$@"
    done
fi

if [ -s "$failures" ]; then
    printf '\nFailed:\n'
    cat "$failures"
    exit 1
fi
