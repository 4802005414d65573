"""Loads the first image of a Python process: one file by aiohttp, 300 x 225 by Pillow, stored in a folder."""

import asyncio
import io
import sys

import aiohttp
from PIL import Image


async def main(url, folder):
    async with aiohttp.ClientSession() as session, session.get(url) as response:
        data = await response.read()
    with Image.open(io.BytesIO(data)) as image:
        image.draft("RGB", (600, 450))
        small = image.resize((300, 225), Image.Resampling.LANCZOS, reducing_gap=2.0)
    small.save(folder + "/first.jpg", quality=95)
    print(small.width, "x", small.height)


asyncio.run(main(*sys.argv[1:]))
