#!/usr/bin/env bash
# Makes a release, except for the push. Documentation/Development/Releases.md describes the steps.
#
#   make release VERSION=1.2.3                     the Debian packages require root
#   make release VERSION=1.2.3 QUICK=1             a rehearsal without tests and without a tag
#   make release VERSION=1.2.3 SUITES=bookworm     packages for one release of Debian; SUITES= for none
set -euo pipefail
cd "$(dirname "$0")/.."

readonly version=$1
readonly output=$PWD/.build/release-$version
readonly suites=${SUITES-bookworm trixie}
readonly chroots=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/easel/debian

stop() {
    printf 'release: %s\n' "$*" >&2
    exit 1
}

[[ $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.]+)?$ ]] || stop "$version is not a version like 1.2.3 or 1.2.3-rc.1."
in_source=$(sed -n 's/^public let version = "\(.*\)"/\1/p' Sources/Easel/Version.swift)
[ "$in_source" = "$version" ] || stop "Sources/Easel/Version.swift has version $in_source."
[ -z "$(git status --porcelain)" ] || stop "commit or remove the changes that git status lists."
! git rev-parse --quiet --verify "refs/tags/$version" >/dev/null || stop "the tag $version exists."
grep -qE "^## \[$version\] - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md ||
    stop "CHANGELOG.md has no section '## [$version] - YYYY-MM-DD'."
unreleased=$(sed -n '/^## \[Unreleased\]$/,/^## \[[0-9]/p' CHANGELOG.md | grep -c '^- ' || true)
[ "$unreleased" -eq 0 ] || stop "CHANGELOG.md has $unreleased entries under Unreleased. Move them to $version."

make lint
# Fails if a public declaration of the last release is missing or changed.
if make --dry-run check-api >/dev/null 2>&1; then make check-api; fi
[ "${QUICK:-}" = 1 ] || make test test-gtk check-apple check-lean

rm -rf "$output"
mkdir -p "$output"
make sbom
tarball=$output/easel-$version.tar.gz
Scripts/source-tarball.sh "$version" "$tarball"
cp .build/third-party/easel.cdx.json "$output/easel-$version.cdx.json"

for suite in $suites; do
    project=$chroots/$suite/srv/easel/project
    Scripts/in-debian.sh "$suite" make deps deps-deb
    install -D -m 644 "$tarball" "$project/.build/release.tar.gz"
    Scripts/in-debian.sh "$suite" Scripts/build-deb.sh "$version" .build/release.tar.gz
    mkdir "$output/$suite"
    find "$project/.build/deb" -maxdepth 1 -type f -exec cp {} "$output/$suite/" \;
    Scripts/try-deb.sh "$suite" "$(find "$output/$suite" -name 'easel_*.deb')"
done

sums=$(cd "$output" && find . -type f -print0 | sort -z | xargs -0 sha256sum)
echo "$sums" >"$output/SHA256SUMS"
echo "$sums"
if [ "${QUICK:-}" = 1 ]; then
    echo "release: a rehearsal; nothing was tagged. The files are in $output."
else
    git tag --annotate --message "Easel $version" "$version"
    echo "release: tagged $version. The files are in $output. To publish: git push origin HEAD $version"
fi
