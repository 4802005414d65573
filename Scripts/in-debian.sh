#!/usr/bin/env bash
# Runs a command in a clone of this work tree on another release of Debian, in a chroot. Only root may do that.
#
#   Scripts/in-debian.sh SUITE COMMAND...       Scripts/in-debian.sh trixie make test
#
# The system, the clone and its build folder are kept between runs, in the user's cache folder: delete the folder that the
# first line of the output names to begin anew. Shared with the host: its Swift toolchain, the repositories that git is
# configured to use in place of others, and the test corpora. The clone holds the committed files and uncommitted changes to
# them, but no new file that git has not been told to add.
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'in-debian: %s\n' "$*" >&2; }

stop() {
    say "$@"
    exit 1
}

if [ $# -lt 2 ]; then
    say "usage: Scripts/in-debian.sh SUITE COMMAND..."
    exit 2
fi
readonly suite=$1
[[ $suite =~ ^[a-z][a-z0-9-]*$ ]] || stop "$suite is no name of a release. Debian's are bookworm, trixie, sid and so on."
# sudo's own PATH rarely has Swift.
# shellcheck disable=SC2016
[ "$(id -u)" -eq 0 ] || stop 'only root can make a chroot. Type: sudo env PATH="$PATH" Scripts/in-debian.sh' "$*"
unshare --mount --pid --fork true 2>/dev/null || stop "mounting is not allowed here: a container needs CAP_SYS_ADMIN for it."
shift
readonly folder=${XDG_CACHE_HOME:-${HOME:-/root}/.cache}/easel/debian
readonly root=$folder/$suite
readonly home=/root/easel
# What the toolchain needs of a system, what the Makefile needs to install the rest, and what some tests are skipped without.
readonly packages="make git ca-certificates procps binutils g++ libc6-dev libedit2 libncurses6 libsqlite3-0 tzdata
dosfstools e2fsprogs nginx-light"

# The folder of the toolchain that runs, which a `swift` that only starts another one is not in.
toolchain=$(swiftc -print-target-info 2>/dev/null | sed -n 's|.*"runtimeResourcePath": "\(.*\)/usr/lib/swift".*|\1|p' || true)
[ -n "$toolchain" ] || stop "there is no Swift on the PATH, or none in a folder of its own that a chroot could share."

mkdir -p "$folder"
say "$root"

# One command at a time for each system.
exec 9>"$root.lock"
flock --nonblock 9 || {
    say "waits for another command that runs in it."
    flock 9
}

# The mirror that the host's apt has Debian from.
find_mirror() {
    local mirror
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' 2>/dev/null | head -n 1 || true)
    echo "${mirror:-http://deb.debian.org/debian}"
}

install_debootstrap() { apt-get install --yes --no-install-recommends debootstrap >&2; }

# Makes the system under another name, so that an interrupted run leaves none that is half made; in a namespace, so that it
# leaves nothing mounted either.
make_system() {
    command -v debootstrap >/dev/null || install_debootstrap || { apt-get update >&2 && install_debootstrap; } ||
        stop "install debootstrap with this system's package manager, then try again."
    rm -rf "$root.new"
    unshare --mount --pid --fork --kill-child debootstrap --variant=minbase "$suite" "$root.new" "$(find_mirror)" >&2 || {
        rm -rf "$root.new"
        stop "debootstrap could not make $suite from $(find_mirror). Does the mirror have a release of that name?"
    }
    mv "$root.new" "$root"
}

[ -d "$root/usr" ] || make_system

corpora=${EASEL_CORPORA:-../shared/corpora}
[ ! -d "$corpora" ] || corpora=$(cd "$corpora" && pwd)

# The addresses that git replaces: "url.BASE.insteadof ADDRESS". Where BASE is a folder, the chroot needs it too.
replacements=$(git config --get-regexp '^url\..*\.insteadof$' || true)
mirrors=$(sed -n 's|^url\.\(/[^ ]*\)\.insteadof .*|\1|p' <<<"$replacements" | sort -u)
rm -f "$root/etc/gitconfig.new"
while read -r key address; do
    [ -z "$key" ] || git config --file "$root/etc/gitconfig.new" --add "$key" "$address"
done <<<"$replacements"
# What is bound in belongs to whoever has it on the host.
git config --file "$root/etc/gitconfig.new" --add safe.directory '*'
mv "$root/etc/gitconfig.new" "$root/etc/gitconfig"

# The clone follows HEAD, or HEAD with the work tree's changes, which are written into the clone: under sudo the repository is
# another user's. Files that are the same keep their dates, and builds go on.
readonly clone=$root$home/project
git init --quiet "$clone"
git -C "$clone" config receive.shallowUpdate true
git push --quiet --force --no-verify "$clone" "HEAD:refs/heads/from-host"
objects=$(git rev-parse --path-format=absolute --git-path objects)
commit=$(GIT_OBJECT_DIRECTORY=$clone/.git/objects GIT_ALTERNATE_OBJECT_DIRECTORIES=$objects git stash create)
git -C "$clone" checkout --quiet --force --detach "${commit:-from-host}"
git -C "$clone" clean --quiet --force -d

cp /etc/resolv.conf "$root/etc/resolv.conf"
# A mirror may be a frozen copy. Its lists stay signed, but are older than their date of expiry.
echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/frozen-mirror"
# No server that is installed for tests begins to serve.
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"

# A toolchain that was built for the host's release may need libraries that another one no longer has: the host lends its own.
lend_libraries() {
    local missing name path
    while missing=$(chroot "$root" ldd "$toolchain"/usr/bin/{swift-frontend,swift-build,clang,lld} |
        sed -n 's/^\t\(.*\) => not found$/\1/p' | sort -u) && [ -n "$missing" ]; do
        for name in $missing; do
            path=$(ldconfig -p | sed -n "s|^\t$name (.*) => ||p" | head -n 1)
            [ -n "$path" ] || stop "Swift needs $name, which neither $root nor this system has."
            cp --dereference "$path" "$root/usr/local/lib/$name"
        done
        chroot "$root" ldconfig
    done
}

# Runs in namespaces of its own, which end with the command, as do the mounts and processes that it leaves. The first process
# of such a namespace hears of no signal that it does not handle, so that the command is the second.
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
    # The first line is for a run that was interrupted while it installed something.
    # shellcheck disable=SC2016,SC2086
    "${inside[@]}" sh -c '
        dpkg --configure -a || exit 1
        dpkg --status "$@" >/dev/null 2>&1 || { apt-get update && apt-get install --yes --no-install-recommends "$@"; }
    ' sh $packages >&2 || stop "the packages that Swift and the tests need could not be installed."
    lend_libraries
    # shellcheck disable=SC2016
    exec "${inside[@]}" sh -c 'cd "$1" && shift && "$@"; exit $?' sh "$home/project" "$@"
}

export -f say stop lend_libraries enter
export root toolchain mirrors corpora home packages
exec unshare --mount --pid --fork --kill-child bash -euo pipefail -c 'enter "$@"' enter "$@"
