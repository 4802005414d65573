"""A small image server on aiohttp and pyvips, as a peer: /SIDE/QUALITY/FORMAT/URL.

The first argument selects the library: `wheel`, of the package pyvips-binary, or `system`. The second is the port, or `check`,
which only loads the library. Two threads work, each with one thread of libvips.
"""

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor

os.environ["VIPS_CONCURRENCY"] = "1"
if sys.argv[1] == "system":
    # Without the package's binary module, pyvips loads the system's library.
    sys.modules["_libvips"] = None

import aiohttp
import pyvips
from aiohttp import web

TYPES = {"jpg": "image/jpeg", "png": "image/png", "webp": "image/webp", "avif": "image/avif"}


def convert(data, side, quality, kind):
    image = pyvips.Image.thumbnail_buffer(data, side, height=side, size="down")
    if kind == "jpg":
        return image.jpegsave_buffer(Q=quality)
    if kind == "png":
        return image.pngsave_buffer()
    if kind == "webp":
        return image.webpsave_buffer(Q=quality)
    # The default effort, 4, takes four times as long.
    return image.heifsave_buffer(Q=quality, compression="av1", effort=1)


async def main(port):
    pool = ThreadPoolExecutor(2)
    loop = asyncio.get_running_loop()

    async def respond(request):
        parts = request.match_info
        async with session.get(parts["url"]) as source:
            data = await source.read()
        kind = parts["kind"]
        body = await loop.run_in_executor(pool, convert, data, int(parts["side"]), int(parts["quality"]), kind)
        return web.Response(body=body, content_type=TYPES[kind])

    async with aiohttp.ClientSession() as session:
        app = web.Application()
        app.router.add_get(r"/{side:\d+}/{quality:\d+}/{kind}/{url:.+}", respond)
        runner = web.AppRunner(app, access_log=None)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", port).start()
        await asyncio.Event().wait()


pyvips.cache_set_max(0)
if sys.argv[2] == "check":
    print(pyvips.version(0), pyvips.version(1), pyvips.version(2))
else:
    asyncio.run(main(int(sys.argv[2])))
