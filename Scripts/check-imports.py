#!/usr/bin/env python3
"""Checks that each target lists the modules of this package that its files import, even if another re-exports them.

SwiftPM rebuilds a module if a listed dependency changes, but not for a module that is only re-exported by another.
The stale module then uses outdated memory layouts.
"""
import json
import pathlib
import re
import subprocess
import sys

IMPORT = re.compile(
    r"^\s*(?:@\w+\s+)*(?:(?:public|package|internal|private|fileprivate)\s+)?"
    r"import\s+(?:(?:struct|class|enum|protocol|func|var|let|typealias)\s+)?(\w+)", re.M)


def folder(target):
    above = "Tests" if target["type"] == "test" else "Sources"
    return pathlib.Path(target.get("path") or f"{above}/{target['name']}")


def dependencies_of(target):
    return {name for dependency in target["dependencies"] for name, *_ in dependency.values()}


def imports_of(target):
    return {name for file in folder(target).rglob("*.swift") for name in IMPORT.findall(file.read_text())}


def main():
    dump = subprocess.run(["swift", "package", "dump-package"], check=True, capture_output=True, text=True).stdout
    targets = json.loads(dump)["targets"]
    ours = {target["name"] for target in targets}
    missing = [
        f"{target['name']} imports {', '.join(sorted(names))} without naming it in Package.swift"
        for target in targets
        if (names := imports_of(target) & ours - dependencies_of(target) - {target["name"]})
    ]
    print("\n".join(missing), file=sys.stderr, end="\n" if missing else "")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
