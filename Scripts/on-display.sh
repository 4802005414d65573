#!/usr/bin/env bash
# Runs a command on a virtual display, for the tests of views and for screenshots.
#
#   Scripts/on-display.sh x11-cairo COMMAND...     an X server; GTK renders on the CPU
#   Scripts/on-display.sh x11-gl COMMAND...        an X server; GTK renders with OpenGL
#   Scripts/on-display.sh wayland-gl COMMAND...    a Wayland compositor; GTK renders with OpenGL
#
# OpenGL is Mesa's software renderer, so that results are the same on all machines.
set -euo pipefail

log() { printf 'on-display: %s\n' "$*" >&2; }

if [ $# -lt 2 ]; then
    log "usage: Scripts/on-display.sh x11-cairo|x11-gl|wayland-gl COMMAND..."
    exit 2
fi
readonly kind=$1
shift

export GTK_A11Y=none LIBGL_ALWAYS_SOFTWARE=1 GALLIUM_DRIVER=llvmpipe

# GTK 4.14 and later name their OpenGL renderer `ngl`.
export_gl_renderer() {
    export GSK_RENDERER=gl
    if pkg-config --atleast-version 4.14 gtk4 2>/dev/null; then GSK_RENDERER=ngl; fi
}

folder=$(mktemp -d)
server=""

# The exit status is the command's, also if the server has ended before.
stop_server() {
    if [ -n "$server" ]; then
        kill "$server" 2>/dev/null || true
        wait "$server" 2>/dev/null || true
    fi
    rm -rf "$folder"
}
trap stop_server EXIT

# start_server TEST FILE COMMAND...: waits until `[ TEST FILE ]` is true, or fails with the server's log.
start_server() {
    local test=$1 file=$2
    shift 2
    "$@" >"$folder/log" 2>&1 &
    server=$!
    until [ "$test" "$file" ]; do
        kill -0 "$server" 2>/dev/null || { cat "$folder/log" >&2; log "$1 exited unexpectedly."; exit 1; }
        sleep 0.05
    done
}

# The server chooses a free display and writes its number when it accepts connections.
on_x() {
    start_server -s "$folder/display" \
        Xvfb -displayfd 3 -screen 0 1280x1024x24 +extension GLX -nolisten tcp -noreset 3>"$folder/display"
    export GDK_BACKEND=x11 DISPLAY=:$(cat "$folder/display")
    unset XAUTHORITY
    "$@"
}

on_wayland() {
    chmod 700 "$folder"
    export XDG_RUNTIME_DIR=$folder WAYLAND_DISPLAY=easel GDK_BACKEND=wayland
    start_server -S "$folder/$WAYLAND_DISPLAY" \
        weston --backend=headless-backend.so --use-pixman --socket="$WAYLAND_DISPLAY" --width=1280 --height=1024 --idle-time=0
    "$@"
}

case "$kind" in
x11-cairo)
    export GSK_RENDERER=cairo
    on_x "$@"
    ;;
x11-gl)
    export_gl_renderer
    on_x "$@"
    ;;
wayland-gl)
    export_gl_renderer
    on_wayland "$@"
    ;;
*)
    log "unknown display $kind. Use x11-cairo, x11-gl or wayland-gl."
    exit 2
    ;;
esac
