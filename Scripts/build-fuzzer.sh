#!/usr/bin/env bash
# Builds Tests/Fuzzing with libFuzzer and Address Sanitizer into .build/fuzz.
set -euo pipefail
cd "$(dirname "$0")/.."

# Deletes the build plan, because that of a package by path does not notice added or removed files.
rm -f .build/fuzz/release.yaml
exec Scripts/swift.sh build --package-path Tests/Fuzzing --scratch-path .build/fuzz -c release --product fuzz \
    -Xswiftc -sanitize=fuzzer,address -Xswiftc -parse-as-library -Xswiftc -enable-testing -Xcc -fsanitize=fuzzer-no-link,address
