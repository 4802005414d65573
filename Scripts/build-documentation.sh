#!/usr/bin/env bash
# Builds the articles and the reference of all public symbols into a folder for any web server. Uses only the toolchain,
# because a plugin would be a dependency.
set -euo pipefail
cd "$(dirname "$0")/.."

output=$1
work=.build/documentation
# Symbol graphs of an earlier run stay: unchanged code is not recompiled and produces none.
rm -rf "$output" "$work/public"
mkdir -p "$work/symbols" "$work/public" "$(dirname "$output")"

# A separate build folder, because these flags would invalidate everything in .build.
for target in Easel EaselTesting; do
    swift build --scratch-path "$work/build" --traits default,OriginServer --target "$target" \
        -Xswiftc -emit-symbol-graph -Xswiftc -emit-symbol-graph-dir -Xswiftc "$PWD/$work/symbols"
done

# Easel's graph includes the symbols that it re-exports. With the graphs of those modules too, a symbol would be listed
# under an arbitrary module. Symbols of other packages are documented by those packages.
cp "$work"/symbols/{Easel,Easel@*,EaselTesting,EaselTesting@*}.symbols.json "$work/public/"
docc=$(command -v docc || xcrun --find docc)
"$docc" convert Documentation/Easel.docc --additional-symbol-graph-dir "$work/public" --output-path "$output" \
    --fallback-display-name Easel --fallback-bundle-identifier easel --transform-for-static-hosting
