#!/usr/bin/env python3
"""Estimates how many nodes of the image server answer a number of requests a second, from the results of the group `server`.

    make bench GROUP=server && Scripts/server-nodes.py Benchmarks/results.json

Requests choose among the results by Zipf's law. A balancer sends each URL to one node, so that the memory of all nodes is one cache;
its hit ratio is Che's approximation of an LRU. Other hits come from disk. Each result is made once in its lifetime if it is requested.
"""

import argparse
import json
import math
import sys

# The shares of the formats among the results.
FORMATS = {"JPEG": 0.2, "PNG": 0.02, "WebP": 0.48, "AVIF": 0.3}


def measured(path):
    """Returns the seconds of a hit in memory and on disk, the seconds to make a result, and its bytes."""
    with open(path) as file:
        rows = {row["work"]: row["ours"]["median"] for row in json.load(file) if row["group"] == "server"}

    def figure(prefix, suffix=""):
        found = [value for name, value in rows.items() if name.startswith(prefix) and name.endswith(suffix)]
        return found[0] if found else sys.exit(f"{path}: no row {prefix} ... {suffix}")

    def mean(value):
        return sum(share * value(name) for name, share in FORMATS.items())

    return (
        figure("hot, 100 files", "processor time") / 1e9, figure("from disk, 100 files", "processor time") / 1e9,
        mean(lambda name: figure(f"{name}, 16 connections", "processor time")) / 1e9,
        mean(lambda name: figure(f"{name}, bytes")))


def popularity(count, exponent):
    """Returns the number of results and the probability of each, in groups of similar rank."""
    groups, first = [], 1
    while first <= count:
        last = min(count, max(first, int(first * 1.02)))
        middle = math.sqrt(first * last)
        groups.append((last - first + 1, middle**-exponent))
        first = last + 1
    total = sum(number * weight for number, weight in groups)
    return [(number, weight / total) for number, weight in groups]


def requested(groups, requests):
    """Returns how many different results a number of requests contains."""
    return sum(number * -math.expm1(-probability * requests) for number, probability in groups)


def hit_ratio(groups, capacity):
    """Returns the share of requests that a cache of the last used results answers."""
    if capacity >= sum(number for number, _ in groups):
        return 1
    low, high = 0.0, 1e18
    for _ in range(200):
        window = (low + high) / 2 if high < 1e6 else math.sqrt(max(low, 1) * high)
        low, high = (window, high) if requested(groups, window) < capacity else (low, window)
    return sum(number * probability * -math.expm1(-probability * low) for number, probability in groups)


def nodes(rate, options, costs):
    """Returns the line of a table for a number of requests a second."""
    hit, disk, make, size = costs
    groups = popularity(options.results, options.exponent)
    seconds = options.lifetime * 3600
    made = min(rate, requested(groups, rate * seconds) / seconds)
    count = 1
    while True:
        in_memory = min(hit_ratio(groups, count * options.memory * 1e9 / (size + 1024)), 1 - made / rate)
        work = rate * in_memory * hit + (rate * (1 - in_memory) - made) * disk + made * make
        by_work = math.ceil(work / (options.cores * options.utilization))
        by_network = math.ceil(rate * size * 8 / (options.network * 1e9 * options.utilization))
        needed = max(by_work, by_network, 1)
        if needed <= count:
            break
        count = needed
    limit = "network" if by_network > by_work else "processor"
    return (f"| {rate:,} | {in_memory:.1%} | {made:,.0f}/s | {work:,.1f} | {by_work} | {by_network} | "
            f"{count + 1}, by the {limit} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", help="results of the benchmark")
    parser.add_argument("--requests", type=int, nargs="+", default=[10_000, 100_000, 1_000_000], help="requests a second")
    parser.add_argument("--results", type=int, default=10_000_000, help="different results")
    parser.add_argument("--exponent", type=float, default=0.9, help="of Zipf's law")
    parser.add_argument("--lifetime", type=float, default=24, help="hours until a result is made again")
    parser.add_argument("--cores", type=int, default=8, help="cores of a node")
    parser.add_argument("--memory", type=float, default=4, help="gigabytes of results in the memory of a node")
    parser.add_argument("--network", type=float, default=10, help="gigabits a second of a node")
    parser.add_argument("--utilization", type=float, default=0.6, help="planned use of cores and network")
    options = parser.parse_args()
    costs = measured(options.file)
    print(f"hit in memory {costs[0] * 1e6:.0f} µs, on disk {costs[1] * 1e6:.0f} µs, made {costs[2] * 1e3:.1f} ms, "
          f"{costs[3] / 1000:.1f} KB\n")
    print("| requests a second | hits in memory | made | cores in use | nodes by processor | by network | nodes, one may fail |")
    print("|---|---|---|---|---|---|---|")
    for rate in options.requests:
        print(nodes(rate, options, costs))


if __name__ == "__main__":
    main()
