#!/usr/bin/env bash
# Starts OpenStack Swift with its interface of S3 for tests, and kills it at the end of standard input. Takes about
# eight seconds. Uses the packages swift-proxy, swift-account, swift-container, swift-object and memcached, and a
# folder on a file system with extended attributes. Prints `ready` when it serves http://127.0.0.1:PORT with the access
# key `test:tester` and the secret `testing`.
#
#   Scripts/start-object-store.sh PORT [FOLDER]         also uses the four ports that follow
set -euo pipefail

port=$1
folder=$(mktemp -d -p "${2:-${TMPDIR:-/tmp}}" easel-store-XXXXXX)
pids=()
stop() {
    # SIGKILL, because a process that is started on a thread of libdispatch ignores SIGTERM.
    kill -KILL "${pids[@]}" 2>/dev/null || true
    for _ in $(seq 200); do kill -0 "${pids[@]}" 2>/dev/null && sleep 0.01 || break; done
    rm -rf "$folder"
}
trap stop EXIT

mkdir -p "$folder/devices/sdb1" "$folder/run"
cat >"$folder/swift.conf" <<END
[swift-hash]
swift_hash_path_suffix = x
swift_hash_path_prefix = x
[storage-policy:0]
name = one
default = yes
END

defaults() { # port
    cat <<END
[DEFAULT]
bind_ip = 127.0.0.1
bind_port = $1
user = $(id -un)
swift_dir = $folder
devices = $folder/devices
mount_check = false
workers = 0
recon_cache_path = $folder/run
log_address = $folder/no-log
END
}

cd "$folder"
number=1
for server in account container object; do
    {
        swift-ring-builder $server.builder create 4 1 0
        swift-ring-builder $server.builder add --region 1 --zone 1 --ip 127.0.0.1 --port $((port + number)) \
            --device sdb1 --weight 1
        swift-ring-builder $server.builder rebalance
    } >"$folder/rings" 2>&1 || { cat "$folder/rings" >&2; exit 1; }
    {
        defaults $((port + number))
        printf '%s\n' '[pipeline:main]' "pipeline = $server-server" "[app:$server-server]" "use = egg:swift#$server"
    } >$server-server.conf
    number=$((number + 1))
done

{
    defaults "$port"
    cat <<END
[pipeline:main]
pipeline = catch_errors cache s3api tempauth slo proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:$((port + 4))
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:slo]
use = egg:swift#slo
END
} >proxy-server.conf

memcached -u "$(id -un)" -l 127.0.0.1 -p $((port + 4)) >/dev/null 2>&1 </dev/null &
pids+=($!)
disown
wait_for() { # port
    for _ in $(seq 600); do
        if (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; then return; fi
        sleep 0.05
    done
    cat "$folder"/*.log >&2
    echo "the object store does not answer on port $1" >&2
    exit 1
}

start() { # server
    swift-$1-server "$folder/$1-server.conf" >"$folder/$1.log" 2>&1 </dev/null &
    pids+=($!)
    disown
}

for server in account container object; do start $server; done
# The proxy does not use a server for a minute after it was refused.
for number in 1 2 3 4; do wait_for $((port + number)); done
start proxy
wait_for "$port"
echo ready
cat >/dev/null
