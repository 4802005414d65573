#!/usr/bin/env bash
# Type-checks the targets for Apple's platforms on a machine that has none of their frameworks, and runs their tests.
#
# Tests/AppleDeclarations/Modules declares what Easel uses of UIKit, AppKit, SwiftUI and the frameworks below them. Modules of
# these names make `canImport` true, first as an iOS device has them, then as a Mac has. EaselCore is taken as `make test`
# has built it.
#
#   Scripts/check-apple.sh [folder of the build]
set -euo pipefail
cd "$(dirname "$0")/.."

build=${1:-.build/debug}
declarations=Tests/AppleDeclarations
work=.build/apple
[ -d "$build/Modules/EaselCore.swiftmodule" ] || [ -f "$build/Modules/EaselCore.swiftmodule" ] || {
    echo "check-apple: EaselCore is not built: run make test, or swift build." >&2
    exit 1
}
mkdir -p "$work"

# The name that the package had when EaselCore was built, for what only the package may use.
package=$(grep -om1 '"-package-name","[^"]*"' "$build.yaml" | cut -d'"' -f4)

strict=(-swift-version 6 -warnings-as-errors -package-name "$package" -Onone
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility)
search=(-I "$build/Modules")
for map in "$build"/*.build/module.modulemap Sources/C*/module.modulemap \
    .build/checkouts/*/Sources/*/include/module.modulemap; do
    [ -f "$map" ] && search+=(-Xcc "-fmodule-map-file=$map")
done

# module PLATFORM NAME FILES...: compiles a module into the platform's folder, unless nothing has changed since.
module() {
    local folder=$work/$1 name=$2
    shift 2
    mkdir -p "$folder"
    swiftc -parse-as-library -emit-module -emit-object -whole-module-optimization "${strict[@]}" "${search[@]}" \
        -I "$folder" -module-name "$name" -module-link-name "$name" \
        -emit-module-path "$folder/$name.swiftmodule" -o "$folder/$name.o" "$@"
}

swift_files() { find "$@" -name '*.swift' | sort; }
