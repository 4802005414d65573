#!/usr/bin/env bash
# Runs a command in a clone of this work tree on another release of Debian, in a chroot. Requires root.
#
#   Scripts/in-debian.sh SUITE COMMAND...       Scripts/in-debian.sh trixie make test
#
# The system, the clone and its build folder are kept between runs in the user's cache folder. To start over, delete the
# folder in the first line of output. Shared with the host: its Swift toolchain, the repositories that git is configured
# to use as replacements, and the test corpora. The clone has the committed files with their uncommitted changes, but no
# untracked files.
set -euo pipefail
cd "$(dirname "$0")/.."

log() { printf 'in-debian: %s\n' "$*" >&2; }

stop() {
    log "$@"
    exit 1
}

if [ $# -lt 2 ]; then
    log "usage: Scripts/in-debian.sh SUITE COMMAND..."
    exit 2
fi
readonly suite=$1
[[ $suite =~ ^[a-z][a-z0-9-]*$ ]] || stop "$suite is not a release name. Use bookworm, trixie or sid, for example."
# sudo's PATH rarely includes Swift.
# shellcheck disable=SC2016
[ "$(id -u)" -eq 0 ] || stop 'a chroot requires root. Run: sudo env PATH="$PATH" Scripts/in-debian.sh' "$*"
unshare --mount --pid --fork true 2>/dev/null || stop "mounting is not permitted. A container needs CAP_SYS_ADMIN."
shift
readonly folder=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/easel/debian
readonly root=$folder/$suite
readonly home=/srv/easel
# The packages that the toolchain needs, that the Makefile needs to install the others, and without which some tests are
# skipped.
readonly packages="make git ca-certificates procps binutils g++ libc6-dev libedit2 libncurses6 libsqlite3-0 tzdata
dosfstools e2fsprogs nginx-light"

# The folder of the actual toolchain. A `swift` that only launches another one is elsewhere.
toolchain=$(swiftc -print-target-info 2>/dev/null | sed -n 's|.*"runtimeResourcePath": "\(.*\)/usr/lib/swift".*|\1|p' || true)
[ -n "$toolchain" ] || stop "found no Swift on the PATH in a separate folder that the chroot can share."

mkdir -p "$folder"
log "$root"

# One command at a time per system.
exec 9>"$root.lock"
flock --nonblock 9 || {
    log "waiting for another command in this system."
    flock 9
}

# The mirror of Debian that the host's apt uses.
find_mirror() {
    local mirror
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' 2>/dev/null | head -n 1 || true)
    echo "${mirror:-http://deb.debian.org/debian}"
}

install_debootstrap() { apt-get install --yes --no-install-recommends debootstrap >&2; }

# Creates the system under a temporary name, so that an interrupted run leaves no partial system, and in a namespace, so
# that it leaves no mounts.
make_system() {
    command -v debootstrap >/dev/null || install_debootstrap || { apt-get update >&2 && install_debootstrap; } ||
        stop "install debootstrap with this system's package manager, then try again."
    rm -rf "$root.new"
    unshare --mount --pid --fork --kill-child debootstrap --variant=minbase "$suite" "$root.new" "$(find_mirror)" >&2 || {
        rm -rf "$root.new"
        stop "debootstrap could not create $suite from $(find_mirror). Check that the mirror has this release."
    }
    mv "$root.new" "$root"
}

[ -d "$root/usr" ] || make_system

corpora=${EASEL_CORPORA:-../shared/corpora}
[ ! -d "$corpora" ] || corpora=$(cd "$corpora" && pwd)

# The addresses that git replaces: "url.BASE.insteadof ADDRESS". If BASE is a folder, the chroot needs it too.
replacements=$(git config --get-regexp '^url\..*\.insteadof$' || true)
mirrors=$(sed -n 's|^url\.\(/[^ ]*\)\.insteadof .*|\1|p' <<<"$replacements" | sort -u)
rm -f "$root/etc/gitconfig.new"
while read -r key address; do
    [ -z "$key" ] || git config --file "$root/etc/gitconfig.new" --add "$key" "$address"
done <<<"$replacements"
# Bound folders belong to their owner on the host.
git config --file "$root/etc/gitconfig.new" --add safe.directory '*'
mv "$root/etc/gitconfig.new" "$root/etc/gitconfig"

# The clone follows HEAD, or HEAD with the work tree's changes, as a commit in the clone: under sudo the repository
# belongs to another user. Unchanged files keep their dates, so that builds are incremental.
readonly clone=$root$home/project
git init --quiet "$clone"
git -C "$clone" config receive.shallowUpdate true
objects=$(git rev-parse --path-format=absolute --git-path objects)
in_clone() { GIT_OBJECT_DIRECTORY=$clone/.git/objects GIT_ALTERNATE_OBJECT_DIRECTORIES=$objects git "$@"; }
commit=$(in_clone stash create)
in_clone push --quiet --force --no-verify "$clone" "${commit:-HEAD}:refs/heads/from-host"
git -C "$clone" checkout --quiet --force --detach from-host
git -C "$clone" clean --quiet --force -d

cp /etc/resolv.conf "$root/etc/resolv.conf"
# A mirror may be a frozen copy with expired but signed lists.
echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/frozen-mirror"
# Prevents servers installed for tests from starting.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"

# A toolchain built for the host's release may need libraries that another release lacks. They are copied from the host
# into the folder that the system searches last, so that the release's own libraries are used if they are installed.
copy_libraries() {
    local missing name path
    local folder=/usr/local/lib/toolchain
    mkdir -p "$root$folder"
    rm -f "$root"/usr/local/lib/lib*.so.*
    echo "$folder" >"$root/etc/ld.so.conf.d/zz-toolchain.conf"
    chroot "$root" ldconfig
    while missing=$(chroot "$root" ldd "$toolchain"/usr/bin/{swift-frontend,swift-build,clang,lld} |
        sed -n 's/^\t\(.*\) => not found$/\1/p' | sort -u) && [ -n "$missing" ]; do
        for name in $missing; do
            path=$(ldconfig -p | sed -n "s|^\t$name (.*) => ||p" | head -n 1)
            [ -n "$path" ] || stop "Swift needs $name, which is missing in $root and on this system."
            cp --dereference "$path" "$root$folder/$name"
        done
        chroot "$root" ldconfig
    done
}

# Runs in separate namespaces, which end with the command, together with its mounts and processes. The first process of
# a PID namespace ignores signals without a handler, so the command is the second one.
enter() {
    local mirror inside
    mount --make-rprivate /
    mount --rbind /dev "$root/dev"
    mount --rbind /sys "$root/sys"
    mount -t proc proc "$root/proc"
    for mirror in $toolchain $mirrors; do
        mkdir -p "$root$mirror"
        mount --bind "$mirror" "$root$mirror"
    done
    if [ -d "$corpora" ]; then
        mkdir -p "$root$home/corpora"
        mount --bind "$corpora" "$root$home/corpora"
    fi
    inside=(chroot "$root" /usr/bin/env -i HOME=/root TERM="${TERM:-dumb}" LANG=C.UTF-8
        PATH="$toolchain/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
        EASEL_CORPORA="$home/corpora" ${CI:+CI="$CI"} ${http_proxy:+http_proxy="$http_proxy"}
        ${https_proxy:+https_proxy="$https_proxy"} DEBIAN_FRONTEND=noninteractive)
    # The first line repairs an installation that was interrupted.
    # shellcheck disable=SC2016,SC2086
    "${inside[@]}" sh -c '
        dpkg --configure -a || exit 1
        dpkg --status "$@" >/dev/null 2>&1 || { apt-get update && apt-get install --yes --no-install-recommends "$@"; }
    ' sh $packages >&2 || stop "cannot install the packages for Swift and the tests."
    copy_libraries
    # shellcheck disable=SC2016
    exec "${inside[@]}" sh -c 'cd "$1" && shift && "$@"; exit $?' sh "$home/project" "$@"
}

export -f log stop copy_libraries enter
export root toolchain mirrors corpora home packages
exec unshare --mount --pid --fork --kill-child bash -euo pipefail -c 'enter "$@"' enter "$@"
