#!/bin/sh
# Installs a Swift release from swift.org into /opt/swift, and adds it to the PATH of the following steps.
#
#   .github/install-swift.sh PLATFORM      debian12, ubuntu24.04, fedora39
set -eu

version=6.3.1
file=swift-$version-RELEASE-$1.tar.gz
url=https://download.swift.org/swift-$version-release/$(echo "$1" | tr -d .)/swift-$version-RELEASE/$file
curl --fail --silent --show-error --location --remote-name-all "$url" "$url.sig"
curl --fail --silent --show-error --location https://www.swift.org/keys/all-keys.asc | gpg --quiet --import
gpg --quiet --verify "$file.sig" "$file"
mkdir -p /opt/swift
tar -C /opt/swift --strip-components=1 -xzf "$file"
rm "$file" "$file.sig"
echo /opt/swift/usr/bin >>"$GITHUB_PATH"
