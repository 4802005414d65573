#!/bin/sh
# Compiles all Swift snippets of the README and of Documentation against the built library, as far as its intermediate
# language: a type check alone finds no data races.
#
# A snippet that begins with ```swift is a separate main.swift, so it may have top-level code.
# Documentation/Snippets.swift declares what snippets assume, such as a URL or a view. Other snippets are skipped:
# ```swift package (of a Package.swift), ```swift before (of another library) and ```swift server (of the image server,
# whose packages the tests do not build).
set -eu
build=${1:-.build/debug}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

set --
for map in "$build"/*.build/module.modulemap Sources/C*/module.modulemap \
    .build/checkouts/*/Sources/*/include/module.modulemap; do
    [ -f "$map" ] && set -- "$@" -Xcc "-fmodule-map-file=$map"
done
# Snippets with views need GTK's headers.
for folder in $(pkg-config --cflags-only-I gtk4 2>/dev/null); do set -- "$@" -Xcc "$folder"; done

count=0
failed=0
for page in README.md $(find Documentation -name '*.md' | sort); do
    awk -v prefix="$work/snippet" '
        /^```swift$/ { n++; out = sprintf("%s-%d.swift", prefix, n); printf "" > out; next }
        /^```/ { out = "" }
        out { print > out }' "$page"
    for snippet in $(find "$work" -name 'snippet-*.swift' | sort -V); do
        count=$((count + 1))
        mv "$snippet" "$work/main.swift"
        if ! swiftc -emit-sil -wmo -o /dev/null -swift-version 6 -I "$build/Modules" "$@" \
            "$work/main.swift" Documentation/Snippets.swift > "$work/log" 2>&1; then
            failed=$((failed + 1))
            echo "$page, snippet $(basename "$snippet" .swift | cut -d- -f2):"
            grep -v '^Documentation/Snippets' "$work/log" | sed "s|$work/||"
        fi
    done
done
echo "$count snippets compiled, $failed failed"
[ "$failed" -eq 0 ] && [ "$count" -gt 0 ]
