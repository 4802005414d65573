#!/bin/sh
# Writes the source tarball of the last commit, with the licences and an SBOM of third-party parts, and the versions of
# the packages. Equal commits on equal systems give equal files. Run `make sbom` first.
#
#   Scripts/source-tarball.sh VERSION FILE
set -eu
cd "$(dirname "$0")/.."

parts=.build/third-party
git archive --format=tar --prefix="easel-$1/" --add-file=$parts/easel.cdx.json --add-file=$parts/THIRD-PARTY-NOTICES \
    --add-file=$parts/Package.resolved HEAD | gzip -9n >"$2.part"
mv "$2.part" "$2"
