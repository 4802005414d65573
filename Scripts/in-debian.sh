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

if [ $# -lt 2 ]; then
    say "usage: Scripts/in-debian.sh SUITE COMMAND..."
    exit 2
fi
if [ "$(id -u)" -ne 0 ]; then
    say "only root can make a chroot. Type: sudo Scripts/in-debian.sh $*"
    exit 1
fi

readonly suite=$1
shift
readonly folder=${XDG_CACHE_HOME:-$HOME/.cache}/easel/debian
readonly root=$folder/$suite
readonly home=/root/easel
# What the toolchain needs of a system, and what the Makefile needs to install the rest.
readonly packages="make git ca-certificates procps binutils g++ libc6-dev libedit2 libncurses6 libsqlite3-0 tzdata"

mkdir -p "$folder"
say "$root"

# One command at a time for each system.
exec 9>"$root.lock"
flock 9

# The mirror that the host's apt has Debian from.
find_mirror() {
    local mirror
    mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' 2>/dev/null | head -n 1)
    echo "${mirror:-http://deb.debian.org/debian}"
}

# Makes the system under another name, so that an interrupted run leaves none that is half made.
make_system() {
    command -v debootstrap >/dev/null || apt-get install --yes --no-install-recommends debootstrap >&2 ||
        { apt-get update >&2 && apt-get install --yes --no-install-recommends debootstrap >&2; }
    rm -rf "$root.new"
    debootstrap --variant=minbase "$suite" "$root.new" "$(find_mirror)" >&2
    mv "$root.new" "$root"
}

[ -d "$root/usr" ] || make_system

toolchain=$(dirname "$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")")
corpora=${EASEL_CORPORA:-../shared/corpora}
[ ! -d "$corpora" ] || corpora=$(cd "$corpora" && pwd)

# The addresses that git replaces: "url.BASE.insteadof ADDRESS". Where BASE is a folder, the chroot needs it too.
replacements=$(git config --get-regexp '^url\..*\.insteadof$' || true)
mirrors=$(sed -n 's|^url\.\(/[^ ]*\)\.insteadof .*|\1|p' <<<"$replacements" | sort -u)
while read -r key address; do
    [ -z "$key" ] || git config --file "$root/etc/gitconfig.new" --add "$key" "$address"
done <<<"$replacements"
# The packages' copies need not have the commits that a Package.resolved from elsewhere names.
git config --file "$root/etc/gitconfig.new" --add safe.directory '*'
mv "$root/etc/gitconfig.new" "$root/etc/gitconfig"

# The clone follows HEAD, or HEAD with the work tree's changes. Files that are the same keep their dates, and builds go on.
commit=$(git stash create)
commit=${commit:-$(git rev-parse HEAD)}
clone=$root$home/project
if [ ! -d "$clone/.git" ]; then
    mkdir -p "$clone"
    git -C "$clone" init --quiet
fi
git push --quiet --force "$clone" "$commit:refs/heads/from-host"
git -C "$clone" checkout --quiet --force --detach "$commit"
git -C "$clone" clean --quiet --force -d

cp /etc/resolv.conf "$root/etc/resolv.conf"
# A mirror may be a frozen copy. Its lists stay signed, but are older than their date of expiry.
echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/frozen-mirror"

# Runs in a mount namespace of its own, which ends with the command, as do the processes that it leaves.
enter() {
    local mirror
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
    # shellcheck disable=SC2016
    exec chroot "$root" /usr/bin/env -i HOME=/root TERM="${TERM:-dumb}" LANG=C.UTF-8 \
        PATH="$toolchain/usr/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" \
        EASEL_CORPORA="$home/corpora" ${CI:+CI="$CI"} ${http_proxy:+http_proxy="$http_proxy"} \
        ${https_proxy:+https_proxy="$https_proxy"} DEBIAN_FRONTEND=noninteractive \
        sh -c '
            packages=$1 project=$2
            shift 2
            if ! dpkg --status $packages >/dev/null 2>&1; then
                apt-get update >&2 && apt-get install --yes --no-install-recommends $packages >&2 || exit 1
            fi
            cd "$project" && exec "$@"
        ' sh "$packages" "$home/project" "$@"
}

export -f enter
export root toolchain mirrors corpora home packages
exec unshare --mount --pid --fork --kill-child bash -euc 'enter "$@"' enter "$@"
