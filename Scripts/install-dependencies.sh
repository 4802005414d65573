#!/usr/bin/env bash
# Makes sure that what Easel is built with is there, and installs nothing that is there already.
# With `bench` as an argument, what the benchmarks are built with too; with `peers`, what those use that stand beside Easel
# in them; with `gtk`, what EaselGTK and its tests do; with `lint`, what checks the sources.
# Says nothing when all is well. Ends with 1 and the command to type when it cannot help itself.
set -euo pipefail

readonly least_swift=6.2

# What is needed: its name for pkg-config, Debian's package, Homebrew's formula. Package.swift names the same packages
# as its targets' providers.
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
"
# Commands: their names, and who brings them.
commands=""
# Whatever else is known by a file alone, as a pattern.
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
Xvfb    xvfb         xorg-server
"
        files="${files}
/usr/lib/python3/dist-packages/gi            python3-gi      pygobject3
/usr/lib/*/girepository-1.0/Gtk-4.0.typelib  gir1.2-gtk-4.0  gtk4
/usr/lib/*/girepository-1.0/Soup-3.0.typelib gir1.2-soup-3.0 libsoup
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
xvfb-run xvfb   xorg-server
xauth    xauth  xauth
weston   weston weston
"
        files="${files}
/usr/lib/*/dri/*_dri.so libgl1-mesa-dri mesa
"
        ;;
    esac
done
readonly libraries commands files
# Debian keeps servers where only root looks for commands.
PATH="$PATH:/usr/sbin"

say() { printf 'easel: %s\n' "$*" >&2; }

has() { command -v "$1" >/dev/null 2>&1; }

# Homebrew keeps curl and zlib out of pkg-config's way, because macOS has its own; the package manager of Swift looks
# there by itself.
show_homebrew_to_pkg_config() {
    local folder
    for folder in /opt/homebrew/opt /usr/local/opt; do
        [ -d "$folder" ] || continue
        PKG_CONFIG_PATH="$folder/curl/lib/pkgconfig:$folder/zlib/lib/pkgconfig:${PKG_CONFIG_PATH:-}"
    done
    export PKG_CONFIG_PATH
}

# True when version $1 is at least version $2, of which the first two numbers count.
at_least() {
    local have_major=${1%%.*} need_major=${2%%.*} have_minor need_minor
    have_minor=${1#*.} have_minor=${have_minor%%.*}
    need_minor=${2#*.} need_minor=${need_minor%%.*}
    [ "$have_major" -gt "$need_major" ] || { [ "$have_major" -eq "$need_major" ] && [ "$have_minor" -ge "$need_minor" ]; }
}

check_swift() {
    if ! has swift; then
        say "Swift is missing. Install Swift $least_swift or later from https://www.swift.org/install and put it on the PATH."
        exit 1
    fi
    local version
    version=$(swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9][0-9]*\.[0-9][0-9]*\).*/\1/p' | head -n 1) || true
    if [ -z "$version" ] || ! at_least "$version" "$least_swift"; then
        say "Swift ${version:-of an unknown version} is too old. Install Swift $least_swift or later from https://www.swift.org/install."
        exit 1
    fi
}

# Fills `missing` with what is not there, and `apt` and `brew` with the packages that bring it.
find_missing() {
    missing="" apt="" brew=""
    if ! has pkg-config; then
        # Without it nothing can be asked about, so that every library counts as missing.
        missing=" pkg-config" apt=" pkg-config" brew=" pkgconf"
    fi
    local name package formula
    while read -r name package formula; do
        [ -n "$name" ] || continue
        if has pkg-config && pkg-config --exists "$name"; then continue; fi
        missing="$missing $name"
        case "$apt " in *" $package "*) ;; *) apt="$apt $package" ;; esac
        case "$brew " in *" $formula "*) ;; *) brew="$brew $formula" ;; esac
    done <<<"$libraries"
    while read -r name package formula; do
        if [ -z "$name" ] || has "$name"; then continue; fi
        missing="$missing $name" apt="$apt $package" brew="$brew $formula"
    done <<<"$commands"
    while read -r name package formula; do
        if [ -z "$name" ] || compgen -G "$name" >/dev/null; then continue; fi
        missing="$missing ${name##*/}" apt="$apt $package" brew="$brew $formula"
    done <<<"$files"
}

# The prefix that makes a command run as root: nothing, or sudo, which asks for a password only where somebody can
# type it. False when there is no way.
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

# $prefix and $apt hold words, not file names: they are to be split.
# shellcheck disable=SC2086
install_with_apt() {
    local prefix
    prefix=$(as_root) || return 1
    local install="$prefix env DEBIAN_FRONTEND=noninteractive apt-get install --yes --no-install-recommends"
    # A simulated run tells, without noise, whether the lists know the packages. A list may know a version that the
    # mirror has replaced since, so that the real run fails all the same: then newer lists are the cure too.
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
    if has sudo; then advice="type: sudo apt-get install$apt"; else advice="as root, type: apt-get install$apt"; fi
    # Who may not install anything is told so in one line.
    if as_root >/dev/null; then
        say "missing:$missing; installing:$apt"
        install_with_apt || true
        find_missing
    fi
elif has brew; then
    advice="type: brew install$brew"
    say "missing:$missing; installing:$brew"
    install_with_homebrew || true
    find_missing
else
    advice="install the development packages of these with your system's package manager"
fi
if [ -n "$missing" ]; then
    say "missing:$missing; $advice"
    exit 1
fi
say "everything is there now."
