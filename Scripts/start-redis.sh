#!/usr/bin/env bash
# Starts redis-server for tests, and kills it at the end of standard input, so that it does not outlive its test.
# Prints `pid PORT PID` for each server and then `ready`.
#
#   Scripts/start-redis.sh single PORT [OPTION...]      one server, with options of redis-server
#   Scripts/start-redis.sh tls PORT                     one server that speaks only TLS; prints `certificate FILE`
#   Scripts/start-redis.sh cluster PORT PORT PORT       three servers without replicas
#   Scripts/start-redis.sh sentinel PORT PORT PORT      a master, a replica, and a sentinel that calls them `images`
set -euo pipefail

kind=$1
shift
folder=$(mktemp -d -t easel-redis-XXXXXX)
pids=()
stop() {
    # SIGKILL, because a process that is started on a thread of libdispatch ignores SIGTERM.
    kill -KILL "${pids[@]}" 2>/dev/null || true
    for _ in $(seq 200); do kill -0 "${pids[@]}" 2>/dev/null && sleep 0.01 || break; done
    rm -rf "$folder"
}
trap stop EXIT

cli() { redis-cli "${options[@]}" -h 127.0.0.1 "$@" 2>/dev/null; }
options=()

start() { # port options
    local port=$1
    shift
    mkdir "$folder/$port"
    redis-server --port "$port" --bind 127.0.0.1 --dir "$folder/$port" --save '' --appendonly no --daemonize no \
        --loglevel warning "$@" >"$folder/$port/log" 2>&1 </dev/null &
    pids+=($!)
    disown
    echo "pid $port $!"
}

wait_for() { # port pattern command
    local port=$1 pattern=$2
    shift 2
    for _ in $(seq 200); do
        if cli -p "$port" "$@" | grep -q "$pattern"; then return; fi
        sleep 0.05
    done
    cat "$folder"/*/log >&2
    echo "redis-server does not answer on port $port" >&2
    exit 1
}

case $kind in
single)
    port=$1
    start "$@"
    # A server with a password answers NOAUTH.
    wait_for "$port" 'PONG\|NOAUTH' PING
    ;;
tls)
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext 'subjectAltName=DNS:localhost,IP:127.0.0.1' \
        -keyout "$folder/key" -out "$folder/certificate" 2>/dev/null
    start 0 --tls-port "$1" --tls-cert-file "$folder/certificate" --tls-key-file "$folder/key" \
        --tls-ca-cert-file "$folder/certificate" --tls-auth-clients no
    options=(--tls --cacert "$folder/certificate")
    wait_for "$1" PONG PING
    echo "certificate $folder/certificate"
    ;;
cluster)
    addresses=()
    for port in "$@"; do
        # The default port of the bus can be above 65535, or one of an outgoing connection.
        start "$port" --cluster-enabled yes --cluster-node-timeout 1000 --cluster-require-full-coverage no \
            --cluster-port $((port > 20000 ? port - 10000 : port + 10000))
        addresses+=("127.0.0.1:$port")
    done
    for port in "$@"; do wait_for "$port" PONG PING; done
    redis-cli --cluster create "${addresses[@]}" --cluster-yes >"$folder/create" 2>&1 || { cat "$folder/create" >&2; exit 1; }
    for port in "$@"; do wait_for "$port" cluster_state:ok CLUSTER INFO; done
    ;;
sentinel)
    start "$1"
    start "$2" --replicaof 127.0.0.1 "$1"
    wait_for "$1" PONG PING
    wait_for "$2" master_link_status:up INFO replication
    mkdir "$folder/$3"
    printf '%s\n' "port $3" 'bind 127.0.0.1' "dir $folder/$3" "sentinel monitor images 127.0.0.1 $1 1" \
        'sentinel down-after-milliseconds images 500' 'sentinel failover-timeout images 2000' >"$folder/$3/conf"
    redis-server "$folder/$3/conf" --sentinel >"$folder/$3/log" 2>&1 </dev/null &
    pids+=($!)
    disown
    echo "pid $3 $!"
    wait_for "$3" PONG PING
    # A sentinel fails over only to a replica that it has found.
    wait_for "$3" num-slaves SENTINEL MASTER images
    wait_for "$3" "$2" SENTINEL REPLICAS images
    ;;
*)
    echo "unknown kind: $kind" >&2
    exit 2
    ;;
esac

echo ready
cat >/dev/null
