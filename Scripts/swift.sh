#!/bin/sh
# Runs `swift` so that a build finds what the last one built: one of Swift 6.3 begins anew where any flag differs, and passes
# a package's traits as flags in the order of a set, which differs from process to process unless hashing is told not to.
# Tests are run with hashing as it is, and see nothing of what make puts into the environment.
[ "$1" = test ] || export SWIFT_DETERMINISTIC_HASHING=1
exec env -u FILTER -u URLS -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u MAKEOVERRIDES -u MAKE_TERMERR -u MAKE_TERMOUT \
    -u OLDPWD -u SHLVL -u _ swift "$@"
