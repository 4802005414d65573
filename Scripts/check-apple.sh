#!/usr/bin/env bash
# Type-checks the targets for Apple platforms on a machine without their frameworks, and runs their tests.
#
# Tests/AppleDeclarations/Modules declares the parts of UIKit, AppKit, SwiftUI and related frameworks that Easel uses.
# Modules of these names make `canImport` true, first as on iOS, then as on macOS. EaselCore and EaselViews are used as built by
# `swift build`. This verifies Easel against our reading of Apple's documentation, not on Apple hardware.
#
#   Scripts/check-apple.sh [folder of the build]
set -euo pipefail
cd "$(dirname "$0")/.."

if [ "$(uname)" = Darwin ]; then
    echo "check-apple: this system has the frameworks. Build with xcodebuild, see .github/workflows/apple.yml."
    exit 0
fi
build=${1:-.build/debug}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
declarations=Tests/AppleDeclarations
toolchain=$(dirname "$(readlink -f "$(command -v swiftc)")")/..

# The package name that EaselCore was built with, for `package` access.
package=$(grep -F '"-module-name","EaselCore",' "${build%/}.yaml" | grep -om1 '"-package-name","[^"]*"' | cut -d'"' -f4)
flags=(-swift-version 6 -warnings-as-errors -package-name "$package"
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault
    -enable-upcoming-feature MemberImportVisibility
    -plugin-path "$toolchain/lib/swift/host/plugins")
# These come first, because the build also has a module EaselApple without these declarations.
modules=(-I "$work/common" -I "$build/Modules")
for map in "$build"/*.build/module.modulemap; do flags+=(-Xcc "-fmodule-map-file=$map"); done

# compile PLATFORM MODULE FILES...
compile() {
    local folder=$work/$1 name=$2
    shift 2
    mkdir -p "$folder"
    swiftc "${flags[@]}" -parse-as-library -I "$folder" "${modules[@]}" -emit-module -emit-object -wmo -module-name "$name" \
        -emit-module-path "$folder/$name.swiftmodule" -o "$folder/$name.o" "$@"
}

# check PLATFORM MODULE FILES...: type-checks without output.
check() {
    local platform=$1 name=$2
    shift 2
    swiftc "${flags[@]}" -I "$work/$platform" "${modules[@]}" -typecheck -module-name "$name" "$@"
}

swift_files() { find "$@" -name '*.swift' | sort; }

for module in ObjectiveC CoreGraphics QuartzCore ImageIO Network Security SwiftUI; do
    compile common $module $(swift_files $declarations/Modules/$module)
done
# Object files of deleted sources stay in the build folder, so list those of existing ones.
objects=()
for source in $(swift_files Sources/EaselCore Sources/EaselTransport Sources/EaselViews Sources/EaselFoundation); do
    objects+=("$build/$(cut -d/ -f2 <<<"$source").build/$(basename "$source").o")
done
ar crs "$work/libEaselCore.a" "${objects[@]}" "$build"/{CEaselPixels,CEaselSystem}.build/*.o

# The file with selectors needs Objective-C interoperability, which has no runtime here. It is only type-checked, and
# replaced by a substitute in tests.
selectors=Sources/EaselApple/Animation/DisplayLink.swift

for platform in ios macos; do
    case $platform in
        ios) framework=UIKit views=EaselUIKit snippets='uikit swiftui' ;;
        macos) framework=AppKit views=EaselAppKit snippets='appkit' ;;
    esac
    for module in $framework MapKit; do
        compile $platform $module $(swift_files $declarations/Modules/$module)
    done
    check $platform EaselApple -parse-as-library -Xfrontend -enable-objc-interop $selectors ${selectors%/*}/ScreenRefresh.swift
    compile $platform EaselApple $declarations/{Additions,Substitutes}/*.swift \
        $(swift_files Sources/EaselApple | grep -v "^$selectors$")
    for module in $views EaselSwiftUI; do compile $platform $module $(swift_files Sources/$module); done
    echo "$platform: EaselApple, $views and EaselSwiftUI type-checked"

    # Verify that the check itself detects mistakes.
    for mistake in $declarations/Mistakes/{Any,$framework}*.swift; do
        [ -f "$mistake" ] || continue
        expected=$(sed -n '1s|^// ||p' "$mistake")
        if check $platform Mistake -parse-as-library "$mistake" >"$work/log" 2>&1 || ! grep -qF "error: $expected" "$work/log"; then
            echo "$mistake: expected this compiler error: $expected" >&2
            cat "$work/log" >&2
            exit 1
        fi
    done

    # Snippets of the documentation that begin with ```swift uikit and similar.
    count=0
    for name in $snippets; do
        for page in $(grep -lE "^\`\`\`swift $name\$" -r Documentation --include='*.md' | sort); do
            awk -v prefix="$work/$name" -v start="\`\`\`swift $name" '
                $0 == start { n++; out = sprintf("%s-%d.swift", prefix, n); printf "" > out; next }
                /^```/ { out = "" }
                out { print > out }' "$page"
            for snippet in "$work/$name"-*.swift; do
                # Only main.swift may have top-level code.
                mv "$snippet" "$work/main.swift"
                check $platform Snippet "$work/main.swift" $declarations/Snippets-$framework.swift ||
                    { echo "in $page: $(basename "$snippet" .swift)" >&2; exit 1; }
                count=$((count + 1))
            done
        done
    done
    echo "$platform: $count snippets type-checked"

    swiftc "${flags[@]}" -I "$work/$platform" "${modules[@]}" -Onone -parse-as-library -module-name AppleTests -o "$work/tests-$platform" \
        $(swift_files $declarations/Tests/{Support,Shared,$framework,SwiftUI}) \
        "$work"/{common,$platform}/*.o "$work/libEaselCore.a"
    status=0
    NO_COLOR=1 "$work/tests-$platform" --testing-library swift-testing >"$work/log" 2>&1 || status=$?
    grep -E '✘|Test run with|^\*\*\*' "$work/log" | sed "s/^/$platform: /"
    [ $status -eq 0 ] || exit $status
done
