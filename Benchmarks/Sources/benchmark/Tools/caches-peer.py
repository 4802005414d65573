"""Python's caches as peers. Reads JSON lists with the work and writes JSON lists with nanoseconds per operation, one per line.

Memory is cachetools' (least recently used, with the lock that threads require); the disk is diskcache's.
"""

import json
import random
import sys
import threading
import time


def texts(count):
    return [f"https://images.example/albums/{number // 100}/{number}.jpg?width=300" for number in range(count)]


class Memory:
    """A full cache, and the works on it."""

    def __init__(self, count):
        import cachetools

        self.count = count
        self.lock = threading.Lock()
        self.cache = cachetools.LRUCache(maxsize=count)
        self.keys = texts(count * 3)
        self.missing = [text + "&missing" for text in self.keys[:count]]
        for key in self.keys[:count]:
            self.cache[key] = self

    def measure(self, keys, operations, expected):
        cache, lock = self.cache, self.lock
        order = [keys[random.randrange(len(keys))] for _ in range(operations)]
        right = 0
        start = time.perf_counter_ns()
        for key in order:
            with lock:
                value = cache.get(key)
            right += (value is not None) == expected
        elapsed = time.perf_counter_ns() - start
        return [elapsed / operations] if right == operations else []

    def hit(self, operations):
        for key in self.keys[: self.count]:
            self.cache[key] = self
        return self.measure(self.keys[: self.count], operations, True)

    def miss(self, operations):
        return self.measure(self.missing, operations, False)

    def insert(self, operations):
        cache, lock = self.cache, self.lock
        order = [self.keys[number % len(self.keys)] for number in range(operations)]
        start = time.perf_counter_ns()
        for key in order:
            with lock:
                cache[key] = self
        return [(time.perf_counter_ns() - start) / operations]


class Disk:
    """diskcache with its default configuration: files for large values."""

    def __init__(self):
        self.cache = None
        self.data = random.Random(1).randbytes(20_000)

    def new(self, folder):
        import diskcache

        if self.cache:
            self.cache.close()
        self.cache = diskcache.Cache(folder, size_limit=1 << 40)
        return [0]

    def store(self, count):
        keys = texts(count)
        start = time.perf_counter_ns()
        for key in keys:
            self.cache.set(key, self.data)
        return [(time.perf_counter_ns() - start) / count]

    def measure(self, work, count, operations, suffix=""):
        keys = texts(count)
        order = [keys[random.randrange(count)] + suffix for _ in range(operations)]
        start = time.perf_counter_ns()
        right = sum(1 for key in order if work(key))
        elapsed = time.perf_counter_ns() - start
        return [elapsed / operations] if right == operations else []

    def read(self, count, operations):
        return self.measure(lambda key: len(self.cache.get(key) or b"") == len(self.data), count, operations)

    def exists(self, count, operations):
        return self.measure(lambda key: key in self.cache, count, operations)

    def missing(self, count, operations):
        return self.measure(lambda key: key not in self.cache, count, operations, "&missing")


def main():
    memories = {}
    disk = Disk()
    for line in iter(sys.stdin.readline, ""):
        name, *arguments = json.loads(line)
        try:
            if name.startswith("disk-"):
                answer = getattr(disk, name.removeprefix("disk-"))(*arguments)
            else:
                count, operations = arguments
                if count not in memories:
                    memories[count] = Memory(count)
                answer = getattr(memories[count], name)(operations)
        except Exception as error:
            print(f"{name}: {error}", file=sys.stderr)
            answer = []
        print(json.dumps(answer), flush=True)


main()
