#!/usr/bin/env python3
"""Writes the results of `make bench` into the article between two markers, one table per group. Tables of groups that
were not measured stay.

    make bench && Scripts/benchmark-page.py Benchmarks/results.json Documentation/Easel.docc/Benchmarks.md
"""

import json
import sys

BEGIN, END = "<!-- tables: made by Scripts/benchmark-page.py -->", "<!-- end of tables -->"
STEPS = {"ns": [("ns", 1), ("µs", 1e3), ("ms", 1e6), ("s", 1e9)], "bytes": [("bytes", 1), ("KB", 1e3), ("MB", 1e6)]}
COLUMNS = ["case", "ratio", "Easel", "peers, best first", "range", "memory", "allocations"]


def number(value):
    return f"{value:.3g}" if value < 100 else f"{value:,.0f}"


def row(result):
    ours, steps = result["ours"], STEPS.get(result["unit"], [(result["unit"], 1)])
    unit, divisor = [step for step in steps if ours["median"] >= 2 * step[1]][-1:][0] if ours["median"] >= 2 else steps[0]

    def ratio(median):
        over, under = (median, ours["median"]) if result["lowerIsBetter"] else (ours["median"], median)
        return number(over / under) if under else "-"

    peers = sorted(
        result["peers"].items(), key=lambda peer: peer[1]["median"], reverse=not result["lowerIsBetter"])
    return [
        result["work"], ratio(peers[0][1]["median"]) if peers else "-", f"{number(ours['median'] / divisor)} {unit}",
        ", ".join(f"{name} {ratio(figures['median'])}" for name, figures in peers) or "-",
        f"{number(ours['min'] / divisor)} to {number(ours['max'] / divisor)}",
        f"{ours['memory'] / 1e6:.1f} MB" if "memory" in ours else "-",
        number(ours["allocations"]) if "allocations" in ours else "-",
    ]


def table(results):
    rows = [COLUMNS, ["---"] * len(COLUMNS)] + [row(result) for result in results]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in rows)


def main(results, page):
    with open(results) as file:
        results = json.load(file)
    with open(page) as file:
        before, _, rest = file.read().partition(BEGIN)
    old, found, after = rest.partition(END)
    if not found:
        sys.exit(f"{page}: missing table markers")
    tables = dict(part.strip().split("\n\n", 1) for part in old.split("### ") if part.strip())
    for group in dict.fromkeys(result["group"] for result in results):
        tables[group] = table([result for result in results if result["group"] == group])
    measured = "\n\n".join(f"### {group}\n\n{text}" for group, text in tables.items())
    with open(page, "w") as file:
        file.write(f"{before}{BEGIN}\n\n{measured}\n\n{END}{after}")


main(*sys.argv[1:])
