#!/usr/bin/env python3
"""Lists the third-party parts of the command `easel`: an SBOM in CycloneDX's format, licences, and pinned versions.

    Scripts/third-party.py VERSION TRAITS FOLDER

Writes easel.cdx.json, THIRD-PARTY-NOTICES and Package.resolved into FOLDER. Swift packages are those that TRAITS
enable, at their resolved versions. C libraries are those that this system has installed: the SBOM of a Debian package is
made in the release that the package is for.
"""
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys
import uuid

# Licences of the C libraries, by the name for pkg-config. The command links them dynamically.
LIBRARY_LICENCES = {
    "libcurl": "curl", "libjpeg": "IJG AND BSD-3-Clause AND Zlib", "libwebp": "BSD-3-Clause",
    "libwebpdemux": "BSD-3-Clause", "libdeflate": "MIT", "zlib": "Zlib", "lcms2": "MIT", "libavif": "BSD-2-Clause",
    "libheif": "LGPL-3.0-or-later", "libjxl": "BSD-3-Clause", "libtiff-4": "libtiff",
    "librsvg-2.0": "LGPL-2.1-or-later", "libxml-2.0": "MIT", "libseccomp": "LGPL-2.1-only",
}
# Sources of other projects inside a Swift package have their licence in the first comment.
EMBEDDED = re.compile(r"\A.*?(/\*.*?(?:Redistribution and use|Permission is hereby granted).*?\*/)", re.S)


def run(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def swift_packages(traits):
    """Returns the resolved packages of the command, sorted by name."""
    pins = pathlib.Path("Package.resolved")
    saved = pins.read_bytes() if pins.exists() else None
    try:
        graph = json.loads(run("Scripts/swift.sh", "package", "--ignore-lock", "--traits", traits, "show-dependencies",
                               "--format", "json"))
    finally:
        # With fewer traits than in the last build, the call removes the pins of the other packages.
        if saved is not None:
            pins.write_bytes(saved)
    found = {}

    def visit(package):
        for dependency in package["dependencies"]:
            folder = pathlib.Path(dependency["path"])
            found[dependency["identity"]] = {
                "name": dependency["identity"], "version": dependency["version"], "folder": folder,
                "url": dependency["url"].removesuffix(".git"), "location": dependency["url"],
                "revision": run("git", "-C", str(folder), "rev-parse", "HEAD"),
                "dependencies": [inner["identity"] for inner in dependency["dependencies"]],
            }
            visit(dependency)

    visit(graph)
    return [found[name] for name in sorted(found)]


def licence_of(text):
    if "Apache License" not in text:
        sys.exit(f"third-party: add this licence to Scripts/third-party.py: {text[:200]}")
    return "Apache-2.0 WITH Swift-exception" if "Runtime Library Exception" in text else "Apache-2.0"


def licence_file(package):
    return next(iter(sorted(package["folder"].glob("LICENSE*"))))


def runtime():
    """Returns the version and the licence of the Swift libraries that are linked statically."""
    version = re.search(r"Swift version (\S+)", run("swift", "--version")).group(1)
    resources = json.loads(run("swiftc", "-print-target-info"))["paths"]["runtimeResourcePath"]
    return version, pathlib.Path(resources, "../../share/swift/LICENSE.txt").resolve().read_text()


def c_libraries():
    """Returns the C libraries that the build needs, with the versions that pkg-config and dpkg report."""
    script = pathlib.Path("Scripts/install-dependencies.sh").read_text()
    rows = re.search(r'^libraries="\n(.*?)^"', script, re.S | re.M).group(1).splitlines()
    release = {}
    if pathlib.Path("/etc/os-release").exists():
        lines = pathlib.Path("/etc/os-release").read_text().splitlines()
        release = dict(line.replace('"', "").split("=", 1) for line in lines if "=" in line)
    found = {}
    for name, package, _ in map(str.split, rows):
        library = {"name": name, "version": run("pkg-config", "--modversion", name), "licence": LIBRARY_LICENCES[name]}
        if release.get("ID") in ("debian", "ubuntu"):
            fields = ("source:Package", "source:Version")
            # dpkg prints a line for each installed architecture.
            source, version = run("dpkg-query", "-W", "-f", "|".join(f"${{{f}}}" for f in fields) + "\n",
                                  package).splitlines()[0].split("|")
            distribution = release["ID"]
            library |= {
                "name": source, "package": version, "purl":
                f"pkg:deb/{distribution}/{source}@{version.replace(':', '%3A').replace('+', '%2B')}"
                f"?arch=source&distro={release['VERSION_CODENAME']}",
            }
        # One source package has several libraries.
        found.setdefault(library["name"], library)
    return [found[name] for name in sorted(found)]


def bill_of_materials(version, packages, libraries, swift):
    def licences(expression):
        return [{"expression": expression}]

    components = [{
        "type": "library", "bom-ref": package["name"], "name": package["name"], "version": package["version"],
        "licenses": licences(licence_of(licence_file(package).read_text())),
        "purl": f"pkg:swift/{package['url'].removeprefix('https://')}@{package['version']}",
        "externalReferences": [{"type": "vcs", "url": package["url"]}],
        "properties": [{"name": "easel:revision", "value": package["revision"]},
                       {"name": "easel:linkage", "value": "static"}],
    } for package in packages]
    components.append({
        "type": "library", "bom-ref": "swift-runtime", "name": "swift-runtime", "version": swift,
        "description": "Swift's standard library, Foundation with ICU, and Dispatch",
        "licenses": licences("Apache-2.0 WITH Swift-exception AND Unicode-3.0"),
        "externalReferences": [{"type": "website", "url": "https://www.swift.org"}],
        "properties": [{"name": "easel:linkage", "value": "static"}],
    })
    for library in libraries:
        component = {
            "type": "library", "bom-ref": f"c:{library['name']}", "name": library["name"],
            "version": library.get("package", library["version"]), "licenses": licences(library["licence"]),
            "properties": [{"name": "easel:upstreamVersion", "value": library["version"]},
                           {"name": "easel:linkage", "value": "dynamic"}],
        }
        if "purl" in library:
            component["purl"] = library["purl"]
        components.append(component)
    direct = [component["bom-ref"] for component in components]
    for package in packages:
        direct = [name for name in direct if name not in package["dependencies"]]
    dependencies = [{"ref": "easel", "dependsOn": direct}]
    dependencies += [{"ref": package["name"], "dependsOn": package["dependencies"]} for package in packages]
    # Both are derived, so that the same sources on the same system give the same file.
    content = json.dumps([version, components], sort_keys=True)
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or run("git", "log", "-1", "--format=%ct")
    stamp = datetime.datetime.fromtimestamp(int(seconds), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "$schema": "http://cyclonedx.org/schema/bom-1.6.schema.json", "bomFormat": "CycloneDX", "specVersion": "1.6",
        "serialNumber": f"urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, content)}", "version": 1,
        "metadata": {
            "timestamp": stamp,
            "component": {"type": "application", "bom-ref": "easel", "name": "easel", "version": version,
                          "licenses": licences("MIT")},
        },
        "components": components, "dependencies": dependencies,
    }


def notices(packages, libraries, swift, swift_licence):
    """Returns the licences of everything that is linked statically. Equal texts are printed once."""
    texts = {}

    def add(name, text):
        texts.setdefault(text.strip("\n"), []).append(name)

    for package in packages:
        name = f"{package['name']} {package['version']}"
        add(name, licence_file(package).read_text())
        for file in sorted(package["folder"].glob("NOTICE*")):
            add(f"{name}, notice", file.read_text())
        for file in sorted((package["folder"] / "Sources").rglob("*")):
            inside = f"{name}, {file.relative_to(package['folder'])}"
            if file.name.startswith("LICENSE"):
                add(inside, file.read_text())
            elif file.suffix in (".c", ".h") and (comment := EMBEDDED.match(file.read_text(errors="replace")[:6000])):
                add(inside, comment.group(1))
    add(f"Swift {swift}: standard library, Foundation, Dispatch", swift_licence)
    add(f"ICU, as part of Swift {swift}", pathlib.Path("Packaging/Unicode-3.0.txt").read_text())

    line = "=" * 80
    dynamic = "".join(f"- {library['name']} {library['version']}: {library['licence']}\n" for library in libraries)
    parts = ["Easel is distributed under the MIT licence, see LICENSE.\n\n"
             "The command `easel` links these libraries of the system dynamically. They are not part of it:\n\n"
             + dynamic + "\nThe parts below are linked statically, under the licences that follow.\n"]
    parts += [f"{line}\n" + "\n".join(names) + f"\n{line}\n\n{text}\n" for text, names in texts.items()]
    return "\n".join(parts)


def pins(packages):
    """Returns a Package.resolved, so that a build of the tarball uses these versions."""
    return {"pins": [{
        "identity": package["name"], "kind": "remoteSourceControl", "location": package["location"],
        "state": {"revision": package["revision"], "version": package["version"]},
    } for package in packages], "version": 2}


def main(version, traits, folder):
    packages, libraries = swift_packages(traits), c_libraries()
    swift, swift_licence = runtime()
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)

    def write(name, content):
        (folder / name).write_text(content if isinstance(content, str) else json.dumps(content, indent=2) + "\n")

    write("easel.cdx.json", bill_of_materials(version, packages, libraries, swift))
    write("THIRD-PARTY-NOTICES", notices(packages, libraries, swift, swift_licence))
    write("Package.resolved", pins(packages))


if __name__ == "__main__":
    if len(sys.argv) != 4:
        sys.exit(__doc__)
    os.chdir(pathlib.Path(__file__).resolve().parent.parent)
    main(*sys.argv[1:])
