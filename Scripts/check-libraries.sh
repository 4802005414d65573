#!/bin/sh
# Checks that Package.swift, the install commands in GettingStarted.md and the Debian package include each library that
# Scripts/install-dependencies.sh always installs.
set -eu
cd "$(dirname "$0")/.."

sed -n '/^libraries="$/,/^"$/p' Scripts/install-dependencies.sh | awk '
    NF == 3 { print $2, "apt-get install"; if ($3 != "-") print $3, "brew install" }
' | sort -u | {
    found=true
    while read -r package command; do
        if ! grep -q "\"$package\"" Package.swift; then
            echo "check-libraries: Package.swift is missing the provider $package" >&2
            found=false
        fi
        if ! grep "$command" Documentation/Easel.docc/GettingStarted.md | grep -qw -- "$package"; then
            echo "check-libraries: GettingStarted.md is missing: $command $package" >&2
            found=false
        fi
        if [ "$command" = "apt-get install" ] && ! grep -qw -- "$package" Packaging/debian/control; then
            echo "check-libraries: Packaging/debian/control is missing the build dependency $package" >&2
            found=false
        fi
    done
    $found
}
