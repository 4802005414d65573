#!/usr/bin/env python3
"""Each target names the modules of ours that its files import, also where another exports them.

SwiftPM compiles a module anew where one that its target names has changed. What comes by way of another is not looked
at: the module keeps the layouts that it was compiled with, and ends in freed memory where they have changed since.
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


def named(target):
    return {name for dependency in target["dependencies"] for name, *_ in dependency.values()}


def imported(target):
    return {name for file in folder(target).rglob("*.swift") for name in IMPORT.findall(file.read_text())}


def main():
    dump = subprocess.run(["swift", "package", "dump-package"], check=True, capture_output=True, text=True).stdout
    targets = json.loads(dump)["targets"]
    ours = {target["name"] for target in targets}
    missing = [
        f"{target['name']} imports {', '.join(sorted(names))} without naming it in Package.swift"
        for target in targets
        if (names := imported(target) & ours - named(target) - {target["name"]})
    ]
    print("\n".join(missing), file=sys.stderr, end="\n" if missing else "")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
