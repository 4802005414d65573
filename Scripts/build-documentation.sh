#!/usr/bin/env bash
# Builds the articles of Documentation and the reference of every public symbol into a folder that any web server can
# serve, with the toolchain alone: a plugin for it would be a dependency.
set -euo pipefail
cd "$(dirname "$0")/.."

output=$1
work=.build/documentation
# The symbols of an earlier run stay: what has not changed is not compiled again, and gives none.
rm -rf "$output" "$work/public"
mkdir -p "$work/symbols" "$work/public" "$(dirname "$output")"

# A folder of its own: the flags would build everything in .build anew.
for target in Easel EaselTesting; do
    swift build --scratch-path "$work/build" --traits default,OriginServer --target "$target" \
        -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$work/symbols"
done

# Easel's graph holds what it re-exports too; with the graphs of those modules beside it, chance would decide which
# module a symbol is shown under. Symbols of other packages are theirs to describe.
cp "$work"/symbols/{Easel,Easel@*,EaselTesting,EaselTesting@*}.symbols.json "$work/public/"
docc=$(command -v docc || xcrun --find docc)
"$docc" convert Documentation/Easel.docc --additional-symbol-graph-dir "$work/public" --output-path "$output" \
    --fallback-display-name Easel --fallback-bundle-identifier easel --transform-for-static-hosting
