#!/usr/bin/env bash
# Builds the articles and the reference of all products into a folder for any web server, from a build with all traits.
# Fails if a link cannot be resolved. Uses only the toolchain, because a plugin would be a dependency.
#
#   Scripts/build-documentation.sh OUTPUT [folder of the build]
set -euo pipefail
cd "$(dirname "$0")/.."

output=$1
build=${2:-.build/debug}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

target=$(swiftc -print-target-info | sed -n 's/.*"triple": "\(.*\)".*/\1/p' | head -1)
flags=(-target "$target" -I "$build/Modules" -minimum-access-level public -output-dir "$work")
extract=(swift symbolgraph-extract)
if [ "$(uname)" = Darwin ]; then
    extract=(xcrun swift-symbolgraph-extract)
    flags+=(-sdk "$(xcrun --show-sdk-path)")
fi
for map in "$build"/*.build/module.modulemap Sources/C*/module.modulemap \
    .build/checkouts/*/Sources/*/include/module.modulemap; do
    if [ -f "$map" ]; then flags+=(-Xcc "-fmodule-map-file=$map"); fi
done
for folder in $(pkg-config --cflags-only-I gtk4); do flags+=(-Xcc "$folder"); done

# Easel's graph includes the symbols that it re-exports. With the graphs of those modules too, a symbol would be listed
# under an arbitrary module. Symbols of other packages are documented by those packages.
"${extract[@]}" "${flags[@]}" -module-name Easel \
    -experimental-allowed-reexported-modules=EaselCore,EaselCodecs,EaselHTTP,EaselViews
for module in EaselGTK EaselTesting EaselCompatibility EaselEncryption EaselMetrics EaselSandbox \
    EaselServer EaselServerTiers EaselServerURLs; do
    # Includes extensions of types of other modules: EaselCompatibility consists of them.
    "${extract[@]}" "${flags[@]}" -emit-extension-block-symbols -module-name "$module"
done

rm -rf "$output"
mkdir -p "$(dirname "$output")"
docc=$(command -v docc || xcrun --find docc)
"$docc" convert Documentation/Easel.docc --additional-symbol-graph-dir "$work" --output-path "$output" \
    --fallback-display-name Easel --fallback-bundle-identifier easel --transform-for-static-hosting \
    --warnings-as-errors
