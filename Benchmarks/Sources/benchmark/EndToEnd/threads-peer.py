"""An image loader of aiohttp and Pillow in threads. Reads JSON lists with the work, writes nanoseconds and the correct count.

Six connections, two threads, a memory cache of decoded images, a folder of small JPEGs.
"""

import asyncio
import hashlib
import io
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import aiohttp
import cachetools
from PIL import Image

SIZE = (300, 225)


class Loader:
    def __init__(self, session, threads, folder):
        self.session = session
        self.threads = threads
        self.folder = Path(folder)
        self.memory = cachetools.LRUCache(maxsize=10_000)

    def path(self, url):
        return self.folder / (hashlib.md5(url.encode()).hexdigest() + ".jpg")

    def read(self, url):
        try:
            with Image.open(self.path(url)) as image:
                image.load()
                return image
        except FileNotFoundError:
            return None

    def decode(self, url, data):
        with Image.open(io.BytesIO(data)) as image:
            image.draft("RGB", (SIZE[0] * 2, SIZE[1] * 2))
            small = image.resize(SIZE, Image.Resampling.LANCZOS, reducing_gap=2.0)
        temporary = self.path(url).with_suffix(".part")
        small.save(temporary, "JPEG", quality=95)
        temporary.rename(self.path(url))
        return small

    async def image(self, url):
        image = self.memory.get(url)
        if image is not None:
            return image
        loop = asyncio.get_running_loop()
        image = await loop.run_in_executor(self.threads, self.read, url)
        if image is None:
            async with self.session.get(url) as response:
                data = await response.read()
            image = await loop.run_in_executor(self.threads, self.decode, url, data)
        self.memory[url] = image
        return image

    async def all(self, urls):
        return await asyncio.gather(*(self.image(url) for url in urls))

    async def each(self, urls):
        return [await self.image(url) for url in urls]


async def waiting(count):
    """Starts tasks that wait for one of six places, and cancels them all."""
    places = asyncio.Semaphore(6)

    async def wait():
        async with places:
            await asyncio.sleep(3600)

    start = time.perf_counter_ns()
    tasks = [asyncio.ensure_future(wait()) for _ in range(count)]
    await asyncio.sleep(0)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    return [time.perf_counter_ns() - start, count]


async def main():
    loop = asyncio.get_running_loop()
    threads = ThreadPoolExecutor(2)
    connector = aiohttp.TCPConnector(limit=6)
    warm = None
    async with aiohttp.ClientSession(connector=connector) as session:
        while line := await loop.run_in_executor(None, sys.stdin.readline):
            name, *arguments = json.loads(line)
            if name == "waiting":
                print(json.dumps(await waiting(*arguments)), flush=True)
                continue
            base, count, *folder = arguments
            urls = [base + str(number) for number in range(count)]
            if name in ("cold", "fill"):
                loader = Loader(session, threads, folder[0])
                warm = loader if name == "fill" else warm
            elif name == "disk":
                loader = Loader(session, threads, warm.folder)
            else:
                loader = warm
            start = time.perf_counter_ns()
            images = await (loader.each(urls) if name == "memory" else loader.all(urls))
            elapsed = time.perf_counter_ns() - start
            print(json.dumps([elapsed, sum(image.size == SIZE for image in images)]), flush=True)


asyncio.run(main())
