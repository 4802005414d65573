#!/usr/bin/env bash
# Installs the missing dependencies of the build. Arguments add those of the benchmarks (`bench`), of their peers
# (`peers`), of EaselGTK and its tests (`gtk`), of the tests of the image server (`server`), of the Debian packages
# (`deb`), and of the source checks (`lint`). Prints nothing if nothing is missing. If it cannot install something, it
# prints the command to run and exits with status 1.
set -euo pipefail

readonly least_swift=6.2

# Libraries: the name for pkg-config, Debian's package and Homebrew's formula, or - for a library of Linux only.
# Package.swift lists the same packages as providers.
libraries="
libcurl      libcurl4-openssl-dev  curl
libjpeg      libjpeg-dev           jpeg-turbo
libwebp      libwebp-dev           webp
libwebpdemux libwebp-dev           webp
libdeflate   libdeflate-dev        libdeflate
zlib         zlib1g-dev            zlib
lcms2        liblcms2-dev          little-cms2
libavif      libavif-dev           libavif
libheif      libheif-dev           libheif
libjxl       libjxl-dev            jpeg-xl
libtiff-4    libtiff-dev           libtiff
librsvg-2.0  librsvg2-dev          librsvg
libxml-2.0   libxml2-dev           libxml2
libseccomp   libseccomp-dev        -
"
# Commands: the name and its packages.
commands=""
# Other dependencies, identified by a file pattern.
files=""
for group in "$@"; do
    case "$group" in
    bench)
        libraries="${libraries}sqlite3 libsqlite3-dev sqlite
gtk4 libgtk-4-dev gtk4
"
        ;;
    peers)
        commands="${commands}
nginx   nginx-light  nginx
openssl openssl      openssl
curl    curl         curl
python3 python3-venv python
heif-enc libheif-examples libheif
vipsthumbnail libvips-tools vips
wrk     wrk          wrk
Xvfb    xvfb         xorg-server
"
        files="${files}
/usr/lib/nginx/modules/ngx_http_image_filter_module.so libnginx-mod-http-image-filter -
/usr/lib/python3/dist-packages/gi            python3-gi      pygobject3
/usr/lib/*/girepository-1.0/Gtk-4.0.typelib  gir1.2-gtk-4.0  gtk4
/usr/lib/*/girepository-1.0/Soup-3.0.typelib gir1.2-soup-3.0 libsoup
"
        ;;
    deb)
        commands="${commands}
dpkg-buildpackage dpkg-dev dpkg
dh      debhelper debhelper
lintian lintian   lintian
python3 python3   python
git     git       git
"
        files="${files}
/etc/ssl/certs/ca-certificates.crt ca-certificates ca-certificates
/usr/share/build-essential/list    build-essential build-essential
"
        ;;
    server)
        commands="${commands}
redis-server       redis-server    redis
nginx              nginx-light     nginx
openssl            openssl         openssl
memcached          memcached       memcached
swift-proxy-server swift-proxy     -
swift-account-server swift-account -
swift-container-server swift-container -
swift-object-server swift-object   -
"
        ;;
    lint)
        commands="${commands}
python3 python3 python
"
        ;;
    gtk)
        libraries="${libraries}gtk4 libgtk-4-dev gtk4
"
        # Virtual displays for tests and screenshots, and OpenGL in software.
        commands="${commands}
Xvfb   xvfb   xorg-server
weston weston weston
"
        files="${files}
/usr/lib/*/dri/*_dri.so libgl1-mesa-dri mesa
"
        ;;
    esac
done
readonly libraries commands files
# Debian installs servers outside a user's PATH.
PATH="$PATH:/usr/sbin"

log() { printf 'easel: %s\n' "$*" >&2; }

has() { command -v "$1" >/dev/null 2>&1; }

# Homebrew hides curl and zlib from pkg-config, because macOS includes them. SwiftPM looks there by itself.
show_homebrew_to_pkg_config() {
    local folder
    for folder in /opt/homebrew/opt /usr/local/opt; do
        [ -d "$folder" ] || continue
        PKG_CONFIG_PATH="$folder/curl/lib/pkgconfig:$folder/zlib/lib/pkgconfig:${PKG_CONFIG_PATH:-}"
    done
    export PKG_CONFIG_PATH
}

# True if version $1 is at least version $2, comparing the first two numbers.
at_least() {
    local have_major=${1%%.*} need_major=${2%%.*} have_minor need_minor
    have_minor=${1#*.} have_minor=${have_minor%%.*}
    need_minor=${2#*.} need_minor=${need_minor%%.*}
    [ "$have_major" -gt "$need_major" ] || { [ "$have_major" -eq "$need_major" ] && [ "$have_minor" -ge "$need_minor" ]; }
}

check_swift() {
    if ! has swift; then
        log "Swift is missing. Install Swift $least_swift or later from https://www.swift.org/install and add it to the PATH."
        exit 1
    fi
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1) || true
    if [ -z "$version" ] || ! at_least "$version" "$least_swift"; then
        log "Swift ${version:-of an unknown version} is too old. Install Swift $least_swift or later from https://www.swift.org/install."
        exit 1
    fi
}

# Sets `missing` to the missing dependencies, and `apt` and `brew` to their packages.
find_missing() {
    missing="" apt="" brew=""
    if ! has pkg-config; then
        # Without pkg-config, all libraries count as missing.
        missing=" pkg-config" apt=" pkg-config" brew=" pkgconf"
    fi
    local name package formula
    while read -r name package formula; do
        [ -n "$name" ] || continue
        if [ "$formula" = - ] && [ "$(uname)" != Linux ]; then continue; fi
        if has pkg-config && pkg-config --exists "$name"; then continue; fi
        missing="$missing $name"
        case "$apt " in *" $package "*) ;; *) apt="$apt $package" ;; esac
        case "$brew " in *" $formula "*) ;; *) brew="$brew $formula" ;; esac
    done <<<"$libraries"
    while read -r name package formula; do
        if [ -z "$name" ] || has "$name"; then continue; fi
        if [ "$formula" = - ] && [ "$(uname)" != Linux ]; then continue; fi
        missing="$missing $name" apt="$apt $package" brew="$brew $formula"
    done <<<"$commands"
    while read -r name package formula; do
        if [ -z "$name" ] || compgen -G "$name" >/dev/null; then continue; fi
        if [ "$formula" = - ] && [ "$(uname)" != Linux ]; then continue; fi
        missing="$missing ${name##*/}" apt="$apt $package" brew="$brew $formula"
    done <<<"$files"
}

# Prints the prefix that runs a command as root: nothing or sudo. sudo may prompt for a password only on a terminal. Fails
# if neither is possible.
as_root() {
    if [ "$(id -u)" -eq 0 ]; then
        echo ""
    elif has sudo && sudo -n true 2>/dev/null; then
        echo "sudo -n"
    elif has sudo && [ -t 0 ]; then
        echo "sudo"
    else
        return 1
    fi
}

# $prefix and $apt are lists of words.
# shellcheck disable=SC2086
install_with_apt() {
    local prefix
    prefix=$(as_root) || return 1
    local install="$prefix env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends"
    # A simulated run shows quietly whether the package lists are sufficient. If the real run fails because the mirror
    # has newer versions, the lists are updated too.
    if $install --simulate $apt >/dev/null 2>&1; then
        $install $apt >&2 && return 0
    fi
    $prefix apt-get update >&2 && $install $apt >&2
}

# shellcheck disable=SC2086
install_with_homebrew() { HOMEBREW_NO_AUTO_UPDATE=1 brew install --quiet $brew >&2; }

[ "$(uname)" != Darwin ] || show_homebrew_to_pkg_config
check_swift
find_missing
[ -n "$missing" ] || exit 0

if has apt-get; then
    if has sudo; then advice="run: sudo apt-get install$apt"; else advice="as root, run: apt-get install$apt"; fi
    # Without permission to install, only the command to run is printed.
    if as_root >/dev/null; then
        log "missing:$missing; installing:$apt"
        install_with_apt || true
        find_missing
    fi
elif has brew; then
    advice="run: brew install$brew"
    log "missing:$missing; installing:$brew"
    install_with_homebrew || true
    find_missing
else
    advice="install their development packages with your system's package manager"
fi
if [ -n "$missing" ]; then
    log "missing:$missing; $advice"
    exit 1
fi
log "all dependencies are installed."
