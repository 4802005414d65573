#!/usr/bin/env bash
# Fuzzes one target, or each in turn: `Scripts/fuzz.sh SECONDS [TARGET]`. Findings are in .build/fuzz/findings, with the
# command that replays them, and the corpus is in .build/fuzz/corpus.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=$1
only=${2-}
build=$PWD/.build/fuzz
corpora=${EASEL_CORPORA:-../shared/corpora}

Scripts/build-fuzzer.sh
fuzz=$build/release/fuzz

# The suppressions list what Swift keeps for the lifetime of the process. Exceeding the memory limit is an error too.
export LSAN_OPTIONS="suppressions=$PWD/Tests/leak-sanitizer.suppressions:print_suppressions=0"

# The small files with known answers, and those of the package. Each target uses files of its format.
seeds=$build/seeds
mkdir -p "$seeds"
for folder in "$corpora" Sources/EaselCommand/Samples Tests/Fuzzing/Seeds; do
    if [ -d "$folder" ]; then
        find "$folder" -type f -size -48k ! -name '*.tsv' ! -name '*.json' ! -path '*/LICENSES/*' -print0 |
            while IFS= read -r -d '' file; do cp -n "$file" "$seeds/$(echo "${file#"$folder"/}" | tr / -)"; done
    fi
done

failed=()
for target in ${only:-$("$fuzz" --targets)}; do
    printf '\n== fuzz %s for %s s\n' "$target" "$seconds"
    mkdir -p "$build/corpus/$target" "$build/findings"
    export EASEL_FUZZ=$target
    log=$build/findings/$target.log
    if "$fuzz" -max_total_time="$seconds" -rss_limit_mb=2048 -timeout=10 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$build/findings/$target-" "$build/corpus/$target" "$seeds" >"$log" 2>&1; then
        grep -E 'DONE|slowest_unit|peak_rss' "$log"
    else
        failed+=("$target")
        grep -E -A 12 'ERROR|Fatal error|Precondition' "$log" | head -40 || tail -20 "$log"
        for finding in "$build/findings/$target"-*; do
            echo "replay: EASEL_FUZZ=$target LSAN_OPTIONS='$LSAN_OPTIONS' $fuzz $finding"
        done
    fi
done
if [ ${#failed[@]} -gt 0 ]; then
    echo "Failed targets: ${failed[*]}. See $build/findings."
    exit 1
fi
