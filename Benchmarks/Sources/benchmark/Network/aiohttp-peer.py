"""aiohttp as a network peer. Reads JSON lists with the work and writes JSON lists with the result, one per line."""

import asyncio
import json
import ssl
import sys
import time

import aiohttp


async def download(session, base, count, at_a_time):
    numbers = iter(range(count))

    async def work():
        total = 0
        for number in numbers:
            async with session.get(base + str(number)) as response:
                total += len(await response.read())
        return total

    return [sum(await asyncio.gather(*(work() for _ in range(min(count, at_a_time)))))]


async def latencies(session, base, count):
    times = []
    for number in range(count):
        start = time.perf_counter_ns()
        async with session.get(base + str(number)) as response:
            await response.read()
        times.append(time.perf_counter_ns() - start)
    return times


async def confirm(session, url, tag, count):
    right = 0
    for _ in range(count):
        async with session.get(url, headers={"If-None-Match": tag}) as response:
            await response.read()
            right += response.status == 304
    return [right]


async def cancel(session, base, count):
    async def get(number):
        async with session.get(base + str(number)) as response:
            await response.read()

    tasks = [asyncio.ensure_future(get(number)) for number in range(count)]
    await asyncio.sleep(0.3)
    start = time.perf_counter_ns()
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return [time.perf_counter_ns() - start]


async def ready(session):
    return ["ready"]


async def main():
    context = ssl.create_default_context(cafile=sys.argv[1])
    works = {work.__name__: work for work in (download, latencies, confirm, cancel, ready)}
    loop = asyncio.get_running_loop()
    connector = aiohttp.TCPConnector(limit=6, ssl=context)
    async with aiohttp.ClientSession(connector=connector) as session:
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            name, *arguments = json.loads(line)
            print(json.dumps(await works[name](session, *arguments)), flush=True)


asyncio.run(main())
