#!/usr/bin/env bash
# Damages each file with a known answer: truncates it at 50 positions and changes bytes in 2,000 ways. No input may
# crash, take more than two seconds of processor time, or exceed the memory limit: `Scripts/fuzz-files.sh [FOLDER]`, a
# folder of the corpora and of Tests/Fuzzing/Seeds. The logs are in .build/fuzz/files, with the number of the last
# input. BUILT=1 skips the build. WORKERS=1 decodes in the workers of a sandbox instead, which must end properly;
# EASEL_DAMAGED_FILES=n and EASEL_DAMAGED_INPUTS=n limit the files of a folder and the inputs of a file.
set -euo pipefail
cd "$(dirname "$0")/.."

corpora=${EASEL_CORPORA:-../shared/corpora}
folders=()
for folder in "$corpora/${1-}" "Tests/Fuzzing/Seeds/${1-}"; do
    [ ! -d "$folder" ] || folders+=("$folder")
done
if [ ! -d "$corpora" ] || [ ${#folders[@]} -eq 0 ]; then
    echo "No files in $corpora/${1-}. Set EASEL_CORPORA to the folder of the corpora."
    exit 2
fi
if [ -n "${WORKERS-}" ]; then
    # Without the sanitizer, which needs more system calls than a worker is allowed.
    export EASEL_CORPORA=$(realpath "$corpora") EASEL_DAMAGED_FOLDER=${1-} EASEL_DAMAGED_FILES=${EASEL_DAMAGED_FILES:-all}
    FILTER=DamagedFilesTests exec Scripts/run-tests.sh ${TEST_OPTIONS-}
fi
[ -n "${BUILT-}" ] || Scripts/build-fuzzer.sh
export fuzz=$PWD/.build/fuzz/release/fuzz
export logs=$PWD/.build/fuzz/files
rm -rf "$logs"
mkdir -p "$logs"
export LSAN_OPTIONS="suppressions=$PWD/Tests/leak-sanitizer.suppressions:print_suppressions=0"
# The sanitizer keeps freed memory for a while, which would count towards the limit.
export ASAN_OPTIONS=hard_rss_limit_mb=512:quarantine_size_mb=16

damage() {
    local log=$logs/${1//\//-}
    if "$fuzz" --damage "$1" "$log.number" >"$log.log" 2>&1; then
        printf '%-90s %s\n' "$1" "$(tail -1 "$log.log")"
    else
        printf '%-90s FAILED at input %s\n' "$1" "$(cat "$log.number")"
        grep -E -A 12 'ERROR|Fatal error|Precondition|rss limit' "$log.log" | head -30 || tail -5 "$log.log"
        echo "replay: LSAN_OPTIONS='$LSAN_OPTIONS' $fuzz --damage $1 /dev/null $(cat "$log.number")"
        return 1
    fi
}
export -f damage

find "${folders[@]}" -type f ! -name '*.tsv' ! -name '*.json' ! -name '*.md' ! -path '*/LICENSES/*' -print0 | sort -z |
    xargs -0 -P "$(getconf _NPROCESSORS_ONLN)" -I '{}' bash -c 'damage "$1"' - '{}'
