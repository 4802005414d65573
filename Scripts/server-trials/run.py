#!/usr/bin/env python3
"""Runs `easel serve` under faults, overload, or for a long time, and checks every answer.

    Scripts/server-trials/run.py faults      three nodes, of which one is killed every 5 s; Redis stops, the object store
                                             is slow, the origin fails at times
    Scripts/server-trials/run.py overload    one node with 20 times the work that it manages
    Scripts/server-trials/run.py soak        one node at a low rate for half an hour

Needs redis-server, nginx, OpenStack Swift (`make deps-server`), and a release build of the command. The status is 0 if
everything holds.
"""
import argparse
import collections
import json
import signal
import statistics
import sys
import threading
import time
from pathlib import Path

from parts import Parts, fetch, results

failures = []


def require(condition: bool, text: str):
    print(("ok      " if condition else "FAILED  ") + text, flush=True)
    if not condition:
        failures.append(text)


def merged(outcomes: list[dict]) -> dict:
    errors = {}
    for outcome in outcomes:
        for name, count in outcome["errors"].items():
            errors[name] = errors.get(name, 0) + count
    return {"right": sum(outcome["right"] for outcome in outcomes),
            "wrong": [text for outcome in outcomes for text in outcome["wrong"]], "errors": errors,
            "p50": max(outcome["p50"] for outcome in outcomes), "p99": max(outcome["p99"] for outcome in outcomes)}


class Schedule(threading.Thread):
    """Runs actions at their times, and reports what they did."""

    def __init__(self, actions: list[tuple[float, str, object]]):
        super().__init__(daemon=True)
        self.actions = sorted(actions, key=lambda action: action[0])
        self.ended = threading.Event()
        self.started = time.monotonic()
        # When each action began.
        self.done = []

    def run(self):
        for at, name, action in self.actions:
            if self.ended.wait(max(0, self.started + at - time.monotonic())):
                return
            self.done.append((time.monotonic(), name))
            action()
            print(f"{time.monotonic() - self.started:6.1f} s  {name}", flush=True)


def faults(options):
    seconds, count, requests = options.seconds or 120, options.pictures, options.requests
    widths = 1 if options.balance == "random" else 2
    with Parts(options.port) as parts:
        parts.start_origin()
        parts.start_store()
        parts.start_redis()
        parts.start_nodes(options.easel, 3, parts.shared())
        parts.start_nginx(options.balance)

        def restart(node):
            node.kill()
            node.start()

        actions = [(5 * number, f"node {number % 3} killed and started", lambda n=number: restart(parts.nodes[n % 3]))
                   for number in range(1, int(seconds // 5))]
        actions += [
            (0.20 * seconds, "Redis stopped", parts.stop_redis),
            (0.20 * seconds + 10, "Redis continues, empty", parts.continue_redis),
            (0.40 * seconds, "the object store takes 0.5 s", lambda: parts.set_origin(delay=0.5)),
            (0.48 * seconds, "the object store takes 3 s", lambda: parts.set_origin(delay=3)),
            (0.56 * seconds, "the object store is fast", lambda: parts.set_origin(delay=0)),
            (0.65 * seconds, "Redis killed", parts.kill_redis),
            (0.65 * seconds + 10, "Redis started, empty", parts.start_redis)]
        for at in (0.1, 0.3, 0.5, 0.7, 0.9):
            actions += [(at * seconds, "a tenth of the origin's answers fail", lambda: parts.set_origin(failures=0.1)),
                        (at * seconds + 3, "the origin works", lambda: parts.set_origin(failures=0))]
        schedule = Schedule(actions)
        schedule.start()
        started = time.monotonic()
        clients = [parts.client("pictures", parts.nginx_port, parts.origin_port, number, 2, requests, count,
                                requests / seconds, options.connections // 2, widths) for number in range(2)]
        outcome = merged(results(clients))
        duration = time.monotonic() - started
        schedule.ended.set()
        schedule.join()
        for node in parts.nodes:
            node.read_metrics()
        report_faults(parts, options, widths, outcome, duration, schedule.done)


def state(at: float, done: list[tuple[float, str]]) -> str:
    """Returns which faults there were at a time."""
    states, current = {"Redis": "", "store": ""}, []
    for time_of_action, name in done:
        if "killed and started" in name:
            if at <= time_of_action < at + 0.5:
                current.append("just before a kill")
        elif time_of_action <= at:
            if name.startswith("Redis"):
                states["Redis"] = "" if "empty" in name else "Redis gone"
            elif "object store" in name:
                states["store"] = "" if "fast" in name else "store slow"
    return ", ".join([text for text in states.values() if text] + current[:1]) or "no fault"


def report_repetitions(served: dict[str, list[float]], done: list[tuple[float, str]]):
    """Prints when sources were fetched again, by the faults at the fetch before and at the repetition."""
    causes = collections.Counter()
    for times in served.values():
        for first, second in zip(times, times[1:]):
            emptied = any("empty" in name and first < at < second for at, name in done)
            causes[state(first, done), "Redis emptied; " if emptied else "", state(second, done)] += 1
    for (first, emptied, second), count in causes.most_common():
        print(f"fetched again: {count:5}  the first fetch: {first}; {emptied}the second: {second}")


def report_faults(parts, options, widths, outcome, duration, done):
    origin = json.loads(fetch(parts.origin_port, "/requests"))
    fetched, failed = (sum(map(len, origin[name].values())) for name in ("served", "failed"))
    report_repetitions(origin["served"], done)
    interrupted = sum(node.interrupted for node in parts.nodes)
    print(f"results in work on nodes that were killed: {interrupted}; at least these are lost")
    made = sum(node.total("easel_server_encode_seconds_count") for node in parts.nodes)
    tiers = {name: sum(int(node.metric(f'easel_server_results_total{{tier="{name}"}}')) for node in parts.nodes)
             for name in ("memory", "disk", "redis", "s3", "cluster", "made")}
    orphans = [pid for node in parts.nodes for pid in node.orphans if Path(f"/proc/{pid}").exists()]
    answers, errors = outcome["right"], sum(outcome["errors"].values())
    print(f"{answers + errors} answers in {duration:.1f} s, {(answers + errors) / duration:.0f} a second; "
          f"median {1000 * outcome['p50']:.1f} ms, 99 of 100 within {1000 * outcome['p99']:.0f} ms")
    print(f"answers by tier: {tiers}")
    for name, labels in (("shared_flights", {"outcome": ("led", "joined", "alone", "lost")}),
                         ("tier_hits", {"tier": ("redis", "s3")}), ("tier_misses", {"tier": ("redis", "s3")}),
                         ("tier_failures", {"tier": ("redis", "s3")}), ("tier_skipped", {"tier": ("redis", "s3")})):
        for label, values in labels.items():
            print(f"{name}: " + str({value: sum(int(node.metric(f'easel_server_{name}_total{{{label}="{value}"}}'))
                                                for node in parts.nodes) for value in values}))
    require(not orphans, f"no process is left of a node that was killed {orphans}")
    require(not outcome["wrong"], f"no wrong picture {outcome['wrong']}")
    require(errors <= 0.001 * options.requests, f"{errors} errors, at most 0.1 %: {outcome['errors']}")
    sources = len(origin["served"])
    require(fetched <= 1.05 * sources,
            f"{fetched} fetches of {sources} sources, {fetched / sources:.3f} each, besides {failed} that the origin failed")
    require(made <= 1.05 * sources * widths, f"{made} results made of {sources * widths}, "
            f"{made / sources / widths:.3f} each")


def overload(options):
    seconds = options.seconds or 60
    with Parts(options.port) as parts:
        parts.start_origin()
        parts.start_nodes(options.easel, 1, ["--memory", "64", "--work-memory", "256"])
        node = parts.nodes[0]
        port = node.port
        results([parts.client("hits", port, parts.origin_port, 2.0, 50)])
        before = time.monotonic()
        capacity = results([parts.client("load", port, parts.origin_port, 10.0, 40.0, 0)])[0]["right"] / 10
        print(f"capacity: {capacity:.1f} pictures a second ({time.monotonic() - before:.1f} s)")
        memory = []
        clients = [parts.client("load", port, parts.origin_port, float(seconds), 20 * capacity, 10_000),
                   parts.client("hits", port, parts.origin_port, float(seconds), 50)]
        while clients[0].poll() is None:
            memory.append(node.usage())
            time.sleep(0.25)
        ended = time.monotonic()
        outcome = measure_recovery(parts, port)
        recovery = time.monotonic() - ended
        work, seen = results(clients)
        total = work["right"] + sum(work["errors"].values())
        print(f"{total} requests in {seconds} s: {work['right']} pictures, {work['errors']}; "
              f"a refusal takes {1000 * work['p50']:.1f} ms, 99 of 100 within {1000 * work['p99']:.0f} ms")
        require(work["right"] >= 0.5 * capacity * seconds, f"{work['right'] / seconds:.1f} pictures a second meanwhile")
        require(not seen["wrong"] and not seen["errors"], f"{seen['count']} hits are right {seen['wrong']} {seen['errors']}")
        require(seen["p99"] < 0.05, f"hits: median {1000 * seen['p50']:.1f} ms, 99 of 100 within "
                f"{1000 * seen['p99']:.1f} ms, longest {1000 * seen['longest']:.0f} ms")
        peak = max(sample["memory"] for sample in memory) >> 20
        require(peak < 64 + 256 + 256, f"{peak} MB of memory at most, with 64 MB of results and 256 MB of pixels")
        require(outcome and recovery < 2, f"a new picture is answered {recovery:.2f} s after the end")


def measure_recovery(parts, port) -> bool:
    """Returns whether a picture that is new is answered."""
    seen = results([parts.client("pictures", port, parts.origin_port, 60, 1, 61, 61, 1000.0, 1, 1)])[0]
    return seen["right"] == 1


def soak(options):
    seconds = options.seconds or 1800
    with Parts(options.port) as parts:
        parts.start_origin()
        parts.start_redis()
        shared = ["--shared", f"redis://127.0.0.1:{parts.redis_port}"]
        # Results are evicted, become stale and are made again all the time.
        parts.start_nodes(options.easel, 1, ["--memory", "1", "--cache-size", "1", "--ttl", "20", *shared])
        node = parts.nodes[0]
        client = parts.client("mixture", node.port, parts.origin_port, float(seconds), options.rate)
        samples, started = [], time.monotonic()
        while client.poll() is None:
            samples.append(node.usage())
            if len(samples) % 30 == 0:
                print(f"{time.monotonic() - started:6.0f} s  {samples[-1]}", flush=True)
            time.sleep(min(10, seconds / 100))
        seen = results([client])[0]
        print(f"{seen['count']} requests: {seen['right']} checked pictures; median {1000 * seen['p50']:.1f} ms")
        require(not seen["wrong"] and not seen["errors"], f"every answer is right {seen['wrong']} {seen['errors']}")
        third = len(samples) // 3
        for name, allowed in (("memory", 8 << 20), ("descriptors", 3), ("processes", 0), ("threads", 2)):
            middle = statistics.median(sample[name] for sample in samples[third:2 * third])
            last = statistics.median(sample[name] for sample in samples[2 * third:])
            require(last - middle <= allowed, f"{name}: {middle:.0f} in the second third, {last:.0f} in the last")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mode", choices=["faults", "overload", "soak"])
    parser.add_argument("--easel", default=".build/release/easel", help="the command")
    parser.add_argument("--seconds", type=float, help="default: 120, 60 and 1,800")
    parser.add_argument("--requests", type=int, default=200_000)
    parser.add_argument("--pictures", type=int, default=5_000)
    parser.add_argument("--connections", type=int, default=64)
    parser.add_argument("--balance", choices=["packaged", "random"], default="packaged",
                        help="as nginx.conf of the package, or a random node for each request")
    parser.add_argument("--rate", type=float, default=20, help="requests a second of the soak")
    parser.add_argument("--port", type=int, default=22_000, help="the first of 16 ports")
    options = parser.parse_args()
    # The end of `with` then ends the parts.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    {"faults": faults, "overload": overload, "soak": soak}[options.mode](options)
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    main()
