#!/usr/bin/env bash
# Runs a command on a virtual display, for the tests of views and for screenshots.
#
#   Scripts/on-display.sh x11-cairo COMMAND...     an X server; GTK renders on the CPU
#   Scripts/on-display.sh x11-gl COMMAND...        an X server; GTK renders with OpenGL
#   Scripts/on-display.sh wayland-gl COMMAND...    a Wayland compositor; GTK renders with OpenGL
#
# OpenGL is Mesa's software renderer, so that results are the same on all machines.
set -euo pipefail

say() { printf 'on-display: %s\n' "$*" >&2; }

if [ $# -lt 2 ]; then
    say "usage: Scripts/on-display.sh x11-cairo|x11-gl|wayland-gl COMMAND..."
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

on_x() {
    export GDK_BACKEND=x11
    exec xvfb-run -a -s "-screen 0 1280x1024x24 +extension GLX" "$@"
}

on_wayland() {
    local folder compositor status=0
    folder=$(mktemp -d)
    chmod 700 "$folder"
    export XDG_RUNTIME_DIR=$folder WAYLAND_DISPLAY=easel GDK_BACKEND=wayland
    weston --backend=headless-backend.so --use-pixman --socket="$WAYLAND_DISPLAY" --width=1280 --height=1024 --idle-time=0 \
        >"$folder/log" 2>&1 &
    compositor=$!
    trap 'kill "$compositor" 2>/dev/null || true; wait "$compositor" 2>/dev/null || true; rm -rf "$folder"' EXIT
    until [ -S "$folder/$WAYLAND_DISPLAY" ]; do
        kill -0 "$compositor" 2>/dev/null || { cat "$folder/log" >&2; say "weston exited unexpectedly."; exit 1; }
        sleep 0.05
    done
    "$@" || status=$?
    exit "$status"
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
    say "unknown display $kind. Use x11-cairo, x11-gl or wayland-gl."
    exit 2
    ;;
esac
