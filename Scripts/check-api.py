#!/usr/bin/env python3
"""Compares the public API of the built modules with the lists in Documentation/Development/api.

Each line of a list is a declaration or a conformance. Fails for each line that was removed, which breaks users' code, and for a
new requirement of a protocol without a default implementation, which breaks their conformances. Reports other additions. --write
stores the present API. Modules that are not built, such as those for Apple's platforms on Linux, are skipped.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

MODULES = [
    "Easel", "EaselCore", "EaselCodecs", "EaselHTTP", "EaselCompatibility", "EaselEncryption", "EaselGTK", "EaselMetrics",
    "EaselSandbox", "EaselServer", "EaselServerTiers", "EaselServerURLs", "EaselTesting", "EaselViews",
]
LISTS = pathlib.Path("Documentation/Development/api")
BUILD = pathlib.Path(".build/debug")


def module_maps():
    patterns = ["Sources/C*/module.modulemap", ".build/checkouts/*/Sources/*/include/module.modulemap"]
    maps = list(BUILD.glob("*.build/module.modulemap"))
    maps += [path for pattern in patterns for path in pathlib.Path().glob(pattern)]
    return [argument for path in maps for argument in ("-Xcc", f"-fmodule-map-file={path}")]


def header_folders():
    flags = subprocess.run(["pkg-config", "--cflags-only-I", "gtk4"], capture_output=True, text=True).stdout.split()
    return [argument for flag in flags for argument in ("-Xcc", flag)]


def extract(module, target):
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            ["swift-symbolgraph-extract", "-module-name", module, "-I", BUILD / "Modules", "-target", target,
             "-minimum-access-level", "public", "-skip-synthesized-members", "-output-dir", folder,
             *module_maps(), *header_folders()], check=True)
        return [json.loads(path.read_text()) for path in pathlib.Path(folder).glob(f"{module}*.symbols.json")]


def lines(graphs):
    """Returns the lines of the list, and those of them that are requirements without a default implementation."""
    names, declarations, required, provided, conformances = {}, {}, set(), set(), set()
    for graph in graphs:
        for symbol in graph["symbols"]:
            identifier = symbol["identifier"]["precise"]
            fragments = symbol.get("declarationFragments", [])
            names[identifier] = ".".join(symbol["pathComponents"])
            text = "".join(part["spelling"] for part in fragments if part["kind"] != "attribute")
            declarations[identifier] = f"{names[identifier]} | {' '.join(text.split())}"
    for graph in graphs:
        for relation in graph["relationships"]:
            source, target = relation["source"], relation["target"]
            if relation["kind"] == "requirementOf":
                required.add(source)
            elif relation["kind"] == "defaultImplementationOf":
                provided.add(target)
            elif relation["kind"] == "conformsTo" and source in names:
                protocol = names.get(target) or relation.get("targetFallback", target)
                conformances.add(f"{names[source]} : {protocol}")
    unprovided = {declarations[identifier] for identifier in required - provided if identifier in declarations}
    return set(declarations.values()) | conformances, unprovided


def main():
    writes = sys.argv[1:] == ["--write"]
    info = json.loads(subprocess.run(["swiftc", "-print-target-info"], capture_output=True, check=True).stdout)
    breaks = 0
    for module in MODULES:
        if not (BUILD / f"Modules/{module}.swiftmodule").exists():
            print(f"{module}: not built")
            continue
        current, requirements = lines(extract(module, info["target"]["triple"]))
        path = LISTS / f"{module}.txt"
        stored = set(path.read_text().splitlines()) if path.exists() else set()
        gone = sorted(stored - current)
        new = sorted(current - stored)
        broken = gone + [line for line in new if line in requirements and stored]
        print(f"{module}: {len(current)} lines, {len(gone)} removed, {len(new)} new")
        if writes:
            LISTS.mkdir(parents=True, exist_ok=True)
            path.write_text("".join(f"{line}\n" for line in sorted(current)))
            continue
        for line in broken:
            print(f"  {'removed' if line in stored else 'new requirement'}: {line}")
        breaks += len(broken)
    if breaks:
        print(f"check-api: {breaks} changes break users' code. Undo them, or store them with Scripts/check-api.py --write")
        sys.exit(1)


main()
