#!/usr/bin/env bash
# Builds the Debian source and binary packages for this release of Debian into .build/deb, and checks them with lintian.
#
#   Scripts/build-deb.sh VERSION [TARBALL]      without TARBALL, from the last commit
set -euo pipefail
cd "$(dirname "$0")/.."

readonly version=$1 output=$PWD/.build/deb
# A release candidate sorts before its release.
readonly upstream=${version/-/\~}
# shellcheck disable=SC1091
suite=$(. /etc/os-release && echo "$VERSION_CODENAME") number=$(. /etc/os-release && echo "${VERSION_ID:-0}")

staged=$(mktemp)
trap 'rm -f "$staged"' EXIT
if [ $# -gt 1 ]; then cp "$2" "$staged"; else Scripts/source-tarball.sh "$version" "$staged"; fi
rm -rf "$output"
mkdir -p "$output"
install -m 644 "$staged" "$output/easel_$upstream.orig.tar.gz"
tar -C "$output" -xzf "$output/easel_$upstream.orig.tar.gz"
cp -R Packaging/debian "$output/easel-$version/debian"
maintainer=$(sed -n 's/^Maintainer: //p' Packaging/debian/control)
cat >"$output/easel-$version/debian/changelog" <<END
easel ($upstream-1~deb$number) $suite; urgency=medium

  * Release $version. CHANGELOG.md lists the changes.

 -- $maintainer  $(git log -1 --format=%cD)
END

# debhelper builds with an empty home folder. Addresses that git replaces are still replaced.
[ ! -e ~/.gitconfig ] || export GIT_CONFIG_GLOBAL=${GIT_CONFIG_GLOBAL:-$HOME/.gitconfig}
cd "$output/easel-$version"
dpkg-buildpackage --no-sign
lintian --allow-root --fail-on error "$output"/*.changes
ls -l "$output"
