"""Clients of the image server, each a process. They check every answer, and print what they saw as JSON."""
import asyncio
import hashlib
import hmac
import base64
import json
import random
import struct
import sys
import time
import zlib

from origin import color

KEY, SALT = bytes(range(32)), bytes(range(32, 64))
WIDTHS = (16, 24)


def signed(path: str) -> str:
    digest = hmac.new(KEY, SALT + path.encode(), hashlib.sha256).digest()
    return f"/{base64.urlsafe_b64encode(digest).rstrip(b'=').decode()}{path}"


def target(origin_port: int, number: int, width: int) -> str:
    """Returns the URL of a small picture as PNG."""
    return signed(f"/w:{width}/plain/http://127.0.0.1:{origin_port}/{number}.png@png")


def heavy(origin_port: int, number: int) -> str:
    """Returns the URL of a picture that takes long to make."""
    return signed(f"/w:800/plain/http://127.0.0.1:{origin_port}/large/{number}.png@avif")


def pixels(png: bytes) -> tuple[int, set[bytes]]:
    """Returns the width of a PNG, and its colors. Raises an error for a damaged one."""
    width, height, depth, kind = struct.unpack(">IIBB", png[16:26])
    chunks, at = {}, 8
    while at < len(png):
        length, name = struct.unpack(">I4s", png[at:at + 8])
        chunks[name] = chunks.get(name, b"") + png[at + 8:at + 8 + length]
        if zlib.crc32(png[at + 4:at + 8 + length]) != struct.unpack(">I", png[at + 8 + length:at + 12 + length])[0]:
            raise ValueError("checksum")
        at += 12 + length
    if depth != 8 or b"IEND" not in chunks:
        raise ValueError("form")
    size = {0: 1, 2: 3, 3: 1, 6: 4}[kind]
    data, previous, found = zlib.decompress(chunks[b"IDAT"]), bytes(width * size), set()
    for row in range(height):
        start = row * (width * size + 1)
        line = bytearray(data[start + 1:start + 1 + width * size])
        for x in range(len(line)):
            left = line[x - size] if x >= size else 0
            corner = previous[x - size] if x >= size else 0
            up = previous[x]
            match data[start]:
                case 1: line[x] = (line[x] + left) & 255
                case 2: line[x] = (line[x] + up) & 255
                case 3: line[x] = (line[x] + (left + up) // 2) & 255
                case 4:
                    nearest = min((left, up, corner), key=lambda value: abs(left + up - corner - value))
                    line[x] = (line[x] + nearest) & 255
        found |= {bytes(line[x:x + size]) for x in range(0, len(line), size)}
        previous = line
    if kind == 3:
        found = {chunks[b"PLTE"][3 * index[0]:3 * index[0] + 3] for index in found}
    return width, {pixel[:1] * 3 if len(pixel) == 1 else pixel[:3] for pixel in found}


class Client:
    """One connection, which is opened again when it is lost."""

    def __init__(self, port: int):
        self.port = port
        self.writer = None

    async def get(self, path: str, fields: str = "") -> tuple[int, bytes]:
        """Returns the status and the body. Raises OSError or EOFError without a whole response."""
        try:
            if self.writer is None:
                self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
            self.writer.write(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n{fields}\r\n".encode())
            head = (await self.reader.readuntil(b"\r\n\r\n")).lower()
            status = int(head[9:12])
            length = int(head.split(b"content-length:", 1)[1].split(b"\r\n", 1)[0]) if b"content-length:" in head else 0
            body = await self.reader.readexactly(length) if status != 304 else b""
            if b"connection: close" in head:
                self.close()
            return status, body
        except BaseException:
            self.close()
            raise

    def close(self):
        if self.writer is not None:
            self.writer.close()
        self.writer = None


class Answers:
    """What clients saw."""

    def __init__(self):
        self.right = 0
        self.wrong = []
        self.errors = {}
        self.times = []
        self.checked = {}

    def check(self, number: int, width: int, status: int, body: bytes):
        if status != 200:
            code = json.loads(body)["code"] if body[:1] == b"{" else "proxy"
            return self.fail(f"{status} {code}")
        # A picture with these bytes was checked before.
        if self.checked.get((number, width)) != hash(body):
            try:
                if pixels(body) != (width, {color(number)}):
                    raise ValueError("another picture")
            except (ValueError, KeyError, struct.error, zlib.error) as error:
                self.wrong.append(f"{number} at {width}: {error}")
                return
            self.checked[number, width] = hash(body)
        self.right += 1

    def fail(self, name: str):
        self.errors[name] = self.errors.get(name, 0) + 1

    def print(self):
        times = sorted(self.times) or [0]
        print(json.dumps({
            "right": self.right, "wrong": self.wrong[:20], "errors": self.errors,
            "p50": times[len(times) // 2], "p99": times[len(times) * 99 // 100], "longest": times[-1],
            "count": len(self.times)}))


async def pictures(port, origin_port, first, step, requests, count, rate, connections, widths, seed=1):
    """Requests every picture at least `widths` times, new ones all the time: of `requests` those with the number `first`
    and each `step` after it. A picture is new to several clients at once."""
    answers, every = Answers(), requests // count
    numbers, started = iter(range(first, requests, step)), time.monotonic()

    async def run():
        client, generator = Client(port), random.Random(seed)
        for index in numbers:
            await asyncio.sleep(max(0, started + index / rate - time.monotonic()))
            generator.seed(index)
            newest, phase = index // every, index % every
            if phase < 3 * widths:
                number, width = newest, WIDTHS[phase % widths]
            else:
                number, width = generator.randrange(newest + 1), WIDTHS[generator.randrange(widths)]
            begun = time.monotonic()
            try:
                answers.check(number, width, *await client.get(target(origin_port, number, width)))
            except (OSError, EOFError) as error:
                answers.fail(f"connection: {type(error).__name__}")
            answers.times.append(time.monotonic() - begun)

    await asyncio.gather(*(run() for _ in range(connections)))
    answers.print()


async def hits(port, origin_port, seconds, rate):
    """Requests pictures that are in the memory of the server, and measures the time."""
    answers, client = Answers(), Client(port)
    started, index = time.monotonic(), 0
    while time.monotonic() < started + seconds:
        await asyncio.sleep(max(0, started + index / rate - time.monotonic()))
        begun = time.monotonic()
        try:
            answers.check(index % 50, 16, *await client.get(target(origin_port, index % 50, 16)))
        except (OSError, EOFError) as error:
            answers.fail(f"connection: {type(error).__name__}")
        answers.times.append(time.monotonic() - begun)
        index += 1
    answers.print()


async def load(port, origin_port, seconds, rate, first):
    """Requests pictures that take long, at a rate that does not depend on the answers."""
    answers, started, index = Answers(), time.monotonic(), 0
    idle, tasks = [], set()

    async def one(number: int):
        client = idle.pop() if idle else Client(port)
        begun = time.monotonic()
        try:
            status, _ = await client.get(heavy(origin_port, number))
            if status == 200:
                answers.right += 1
            else:
                answers.fail(f"{status}")
                answers.times.append(time.monotonic() - begun)
            idle.append(client)
        except (OSError, EOFError) as error:
            answers.fail(f"connection: {type(error).__name__}")

    while time.monotonic() < started + seconds:
        await asyncio.sleep(max(0, started + index / rate - time.monotonic()))
        task = asyncio.create_task(one(first + index))
        tasks.add(task)
        task.add_done_callback(tasks.discard)
        index += 1
    # The clients go away with their requests.
    for task in list(tasks):
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    answers.print()


async def mixture(port, origin_port, seconds, rate):
    """Requests what clients of a long-running server request: pictures of all kinds, errors, descriptions, conditions,
    and answers that they do not wait for."""
    answers, started, index = Answers(), time.monotonic(), 0
    generator, client = random.Random(3), Client(port)
    while time.monotonic() < started + seconds:
        await asyncio.sleep(max(0, started + index / rate - time.monotonic()))
        # So few that all were requested in the first third, and the caches grow no more.
        number = generator.randrange(400)
        begun = time.monotonic()
        try:
            match index % 10:
                case 0:
                    gone = Client(port)
                    try:
                        await asyncio.wait_for(gone.get(target(origin_port, number, 24)), 0.002)
                    except asyncio.TimeoutError:
                        pass
                    gone.close()
                case 1: await client.get("/unsafe/w:16/plain/http://10.0.0.1/a.png")
                case 2: await client.get(signed(f"/w:x/plain/http://127.0.0.1:{origin_port}/1.png"))
                case 3: await client.get("/info" + signed(f"/plain/http://127.0.0.1:{origin_port}/{number}.png"))
                case 4: await client.get(signed(f"/raw:1/plain/http://127.0.0.1:{origin_port}/{number}.png"))
                case 5: await client.get(target(origin_port, number, 16), "Range: bytes=0-9\r\n")
                case 6 if index % 400 == 6: await client.get(heavy(origin_port, number))
                case _: answers.check(number, 16, *await client.get(target(origin_port, number, 16)))
        except (OSError, EOFError) as error:
            answers.fail(f"connection: {type(error).__name__}")
        answers.times.append(time.monotonic() - begun)
        index += 1
    answers.print()


if __name__ == "__main__":
    kind, *arguments = sys.argv[1:]
    asyncio.run({"pictures": pictures, "hits": hits, "load": load, "mixture": mixture}[kind](
        *(float(text) if "." in text else int(text) for text in arguments)))
