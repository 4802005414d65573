#!/usr/bin/env bash
# Installs a package in a new system of a release of Debian, without Swift and a compiler, runs the command on its
# samples, and removes the package. Requires root.
#
#   Scripts/try-deb.sh SUITE PACKAGE
set -euo pipefail

suite=$1 package=$(realpath "$2")
root=$(mktemp -d)
trap 'rm -rf "$root"' EXIT
chmod 755 "$root"
# shellcheck disable=SC2016
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Origin: Debian' 'Label: Debian' 2>/dev/null | head -n 1 || true)
unshare --mount --pid --fork --kill-child debootstrap --variant=minbase "$suite" "$root" \
    "${mirror:-http://deb.debian.org/debian}" >&2
cp /etc/resolv.conf "$root/etc/resolv.conf"
# A mirror may be a frozen copy with expired but signed lists.
echo 'Acquire::Check-Valid-Until "false";' >"$root/etc/apt/apt.conf.d/frozen-mirror"
cp "$package" "$root/srv/easel.deb"

# The mounts end with the namespace, before the folder is removed.
# shellcheck disable=SC2016
unshare --mount --pid --fork --kill-child bash -euo pipefail -c '
    mount --make-rprivate /
    mount -t proc proc "$1/proc"
    mount --rbind /dev "$1/dev"
    chroot "$1" /usr/bin/env -i HOME=/root TERM=dumb LANG=C.UTF-8 DEBIAN_FRONTEND=noninteractive \
        PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
        ${http_proxy:+http_proxy="$http_proxy"} sh -eux -c "$2"
' sh "$root" '
    apt-get update >&2
    apt-get install --yes --no-install-recommends /srv/easel.deb >&2
    easel --version
    samples=/usr/libexec/easel/Easel_easel.resources/Samples
    easel info --decode --json $(find $samples -type f ! -name "*.md" | sort)
    easel get $samples/dunes.jpg --output /tmp/out --width 64 --format avif
    easel info /tmp/out/*
    easel show --graphics blocks $samples/chart.png | head -n 4
    easel doctor
    for file in man/man1/easel.1.gz bash-completion/completions/easel zsh/vendor-completions/_easel \
        fish/vendor_completions.d/easel.fish doc/easel/easel.cdx.json.gz doc/easel/THIRD-PARTY-NOTICES.gz; do
        test -s /usr/share/$file
    done
    apt-get remove --yes easel >&2
    test ! -e /usr/bin/easel
'
