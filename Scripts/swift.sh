#!/bin/sh
# Runs `swift` without what make and shells put into the environment of their own accord. A build of Swift 6.3 begins anew
# wherever any variable differs from the last time, and these differ from one target of the Makefile to the next.
exec env -u FILTER -u URLS -u MAKEFLAGS -u MAKELEVEL -u MFLAGS -u MAKEOVERRIDES -u MAKE_TERMERR -u MAKE_TERMOUT \
    -u OLDPWD -u SHLVL -u _ swift "$@"
