#!/usr/bin/env python3
"""Checks the links of the pages in the root folder and of the documentation, without network.

A relative link must lead to a file, a `<doc:...>` link to an article or to the reference of a module, and an anchor to
a heading. The landing page must link every article, and name every library product of Package.swift. `make docs` checks
the links to symbols.
"""
import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CATALOGUE = ROOT / "Documentation/Easel.docc"
LANDING = CATALOGUE / "Easel.md"
PRODUCTS = set(re.findall(r'\.library\(\s*name: "(\w+)"', (ROOT / "Package.swift").read_text()))
MODULES = set(re.findall(r'"(Easel\w*)"', (ROOT / "Package.swift").read_text()))
REFERENCE = "/documentation/"


def text_of(page: Path) -> str:
    """Returns the text of a page without blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)


def links_of(page: Path) -> list[str]:
    """Returns the targets of [text](link), ![text](link) and <doc:link>."""
    text = re.sub(r"`[^`\n]*`", "", text_of(page))
    return re.findall(r"\]\(([^)\s]+)\)", text) + re.findall(r"<(doc:[^>]+)>", text)


def name_of(heading: str) -> str:
    """Returns the anchor of a heading, by the letters and digits that GitHub and DocC have in common."""
    return re.sub(r"[\W_]+", "-", heading.lower()).strip("-")


def has_heading(page: Path, anchor: str) -> bool:
    return name_of(anchor) in {name_of(heading) for heading in re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)}


def problem(page: Path, link: str) -> str | None:
    """Returns what is wrong with a link of a page, if anything is."""
    if link.startswith(("http:", "https:")):
        return None
    path, _, anchor = link.partition("#")
    if path.startswith("doc:"):
        name = path.removeprefix("doc:")
        if name.startswith(REFERENCE):
            return None if name.removeprefix(REFERENCE) in MODULES else "no such module"
        target = CATALOGUE / f"{name}.md" if name else page
    else:
        target = page.parent / path if path else page
        # DocC finds resources by name.
        if page.parent == CATALOGUE and not target.exists():
            target = CATALOGUE / "Resources" / path
    if not target.exists():
        return "no such article" if path.startswith("doc:") else "no such file"
    return "no such heading" if anchor and not has_heading(target, anchor) else None


def main() -> int:
    pages = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "Documentation").rglob("*.md"))]
    links = [(page, link) for page in pages for link in links_of(page)]
    problems = [
        f"{page.relative_to(ROOT)}: {link}: {reason}" for page, link in links if (reason := problem(page, link))
    ]
    landing = LANDING.read_text()
    for article in sorted(CATALOGUE.glob("*.md")):
        if article != LANDING and f"- <doc:{article.stem}>" not in landing:
            problems.append(f"{LANDING.relative_to(ROOT)}: misses <doc:{article.stem}>")
    problems += [f"{LANDING.relative_to(ROOT)}: misses {name}" for name in sorted(PRODUCTS) if name not in landing]
    for line in problems:
        print(f"check-links: {line}", file=sys.stderr)
    print(f"{len(links)} links, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
