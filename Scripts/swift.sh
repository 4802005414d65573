#!/bin/sh
# Runs `swift` so that builds are incremental: Swift 6.3 rebuilds everything if any flag differs, and passes a package's
# traits in the order of a set, which varies between processes unless hashing is deterministic. Tests run with normal
# hashing. Variables set by make are removed from the environment.
[ "$1" = test ] || export SWIFT_DETERMINISTIC_HASHING=1
exec env -u FILTER -u URLS -u VERSION -u SUITES -u DESTDIR -u PREFIX -u SERVER -u ZSH \
    -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u MAKEOVERRIDES -u MAKE_TERMERR -u MAKE_TERMOUT -u OLDPWD -u SHLVL -u _ swift "$@"
