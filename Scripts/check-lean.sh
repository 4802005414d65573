#!/usr/bin/env bash
# Checks that an application that depends only on Easel resolves and builds no other package. Copies Examples/Lean,
# replaces its dependency with a git URL as a user would have, and builds and runs it. Checks the last commit.
set -euo pipefail
cd "$(dirname "$0")/.."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

git clone --quiet "$PWD" "$work/easel"
git -C "$work/easel" tag 0.0.1
cp -R Examples/Lean "$work/application"
rm -rf "$work/application/.build"
cd "$work/application"
sed "s|\.package(name: \"Easel\", path: \"../..\")|.package(url: \"file://$work/easel\", exact: \"0.0.1\")|" \
    Package.swift >Package.swift.git
mv Package.swift.git Package.swift

swift package show-dependencies
resolved=$(swift package show-dependencies --format flatlist)
if [ "$resolved" != easel ]; then
    echo "check-lean: resolved packages other than easel: $(tr '\n' ' ' <<<"$resolved")" >&2
    exit 1
fi

swift build
sample=$(find "$work/easel/Sources/EaselCommand/Samples" -name '*.jpg' | sort | head -n 1)
size=$(.build/debug/lean "file://$sample")
echo "$(basename "$sample"): $size"
[[ "$size" =~ ^[0-9]+x[0-9]+$ ]]
