#!/usr/bin/env bash
# Runs a library's tests with a newer version than the system's. Nothing is built: wheels of Python packages contain
# libraries of the same ABI, which are loaded instead of the system's.
#
#   Scripts/test-newer.sh LIBRARY [quick]     jpeg, webp, lcms, tiff, avif, heif or deflate
#
# `quick` skips other users of the library and damaged files. TRAITS has the traits of the tests. The wheels are kept in
# the user's cache folder. To fetch newer ones, delete the folder in the first line of output.
set -euo pipefail
cd "$(dirname "$0")/.."

log() { printf 'test-newer: %s\n' "$*" >&2; }

# The package, the library names that Debian's programs load, the tests of the library and of its users, and the corpus
# folder of the format. Not supported: pyvips-binary, which links its libraries into one, and pycurl's libcurl, which
# looks for certificates where Debian has none.
folder=""
case ${1-} in
jpeg) package=pillow names=libjpeg.so.62 suites='JPEG|ScanProgress' folder=jpeg ;;
webp) package=pillow names="libwebp.so.7 libwebpdemux.so.2 libwebpmux.so.3" suites=WebP folder=webp ;;
lcms) package=pillow names=liblcms2.so.2 suites='Color|Profile|ToneMapping|HighDynamicRange' ;;
tiff) package=pillow names=libtiff.so.6 suites=TIFF folder=tiff ;;
avif) package=pillow names=libavif.so.16 suites=AVIF folder=avif ;;
heif) package=pillow-heif names=libheif.so.1 suites='HEIC|HEIF' folder=heic ;;
deflate) package=imagecodecs names=libdeflate.so.0 suites=PNG folder=png ;;
*)
    log "usage: Scripts/test-newer.sh jpeg|webp|lcms|tiff|avif|heif|deflate [quick]"
    exit 2
    ;;
esac
readonly package names suites folder quick=${2-}
readonly cache=${XDG_CACHE_HOME:-$HOME/.cache}/easel/wheels/$package
readonly front=$PWD/.build/newer/$1

# Unpacks the wheel under a temporary name, so that an interrupted run leaves no partial one.
fetch() {
    rm -rf "$cache.new"
    mkdir -p "$cache.new"
    python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$cache.new" "$package" >&2 || {
        log "cannot download $package. Check python3, pip and the network."
        exit 1
    }
    (cd "$cache.new" && python3 -m zipfile -e ./*.whl .)
    mv "$cache.new" "$cache"
}

# Library names in a wheel contain a hash. Links with the usual names are added next to their dependencies.
link_libraries() {
    local name file
    rm -rf "$front"
    mkdir -p "$front"
    ln -s "$cache"/*.libs/* "$front/"
    for name in $names; do
        file=$(compgen -G "$front/${name%%.*}-*.${name#*.}*") || {
            log "$package no longer has $name."
            exit 1
        }
        ln -s "$(basename "$file")" "$front/$name"
        log "$name is $(basename "$file")"
    done
}

# Runs a command with the newer libraries and verifies that they were loaded, and no others of the same name.
in_front() {
    local trace name used status=0
    trace=$(mktemp -d)
    env LD_LIBRARY_PATH="$front" LD_DEBUG=files LD_DEBUG_OUTPUT="$trace/process" "$@" || status=$?
    for name in $names; do
        used=$(sed -n "s|.*calling init: \(.*/${name//./\\.}\)\$|\1|p" "$trace"/* | sort -u)
        if [ "$used" != "$front/$name" ]; then
            log "$name was ${used:-not loaded}, instead of $front/$name."
            status=1
        fi
    done
    rm -rf "$trace"
    return "$status"
}

log "$cache"
[ -d "$cache" ] || fetch
link_libraries

Scripts/swift.sh build --build-tests --traits "$TRAITS"
export BUILT=1
if [ -n "$quick" ]; then
    FILTER="^EaselCodecsTests\\.($suites)" in_front Scripts/run-tests.sh --traits "$TRAITS"
    exit
fi
FILTER="^EaselCodecsTests\\." in_front Scripts/run-tests.sh --traits "$TRAITS"
if [ -n "$folder" ]; then
    Scripts/build-fuzzer.sh
    in_front Scripts/fuzz-files.sh "$folder"
fi
