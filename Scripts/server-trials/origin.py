"""An origin whose pictures have their number as their colour, and that fails at times; and a slow way to another server.

`/N.png` is a small picture. `/large/N.png` is one that takes long to make smaller. Other paths control the process:
`/set?failures=0.1&delay=0.5` and `/requests`.
"""
import asyncio
import json
import random
import struct
import sys
import time
import urllib.parse
import zlib


def color(number: int) -> bytes:
    """Returns the color of a picture. Those of different numbers below 2^24 are different."""
    return (number * 2_654_435_761 % (1 << 24)).to_bytes(3, "big")


def png(width: int, height: int, rows: bytes) -> bytes:
    def chunk(name: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 1))
            + chunk(b"IEND", b""))


def small(number: int) -> bytes:
    return png(64, 48, (b"\0" + color(number) * 64) * 48)


def large() -> bytes:
    """Returns a picture of 2,000 x 1,500 pixels with shapes of many colors."""
    side, generator = 100, random.Random(1)
    patches = [[generator.randbytes(3) for _ in range(20)] for _ in range(15)]
    rows = bytearray()
    for row in range(1500):
        line = patches[row // side]
        shift = row % side
        pixels = b"".join(patch * (side - shift) + line[(index + 1) % 20] * shift for index, patch in enumerate(line))
        rows += b"\0" + pixels
    return png(2000, 1500, bytes(rows))


class Origin:
    def __init__(self):
        self.failures = 0.0
        self.delay = 0.0
        # The times of the requests, in seconds of the monotonic clock, by path.
        self.served = {}
        self.failed = {}
        self.large = large()
        self.random = random.Random(2)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter):
        try:
            while await self.answer((await reader.readuntil(b"\r\n\r\n")).split(b" ", 2)[1].decode(), writer):
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def answer(self, path: str, writer: asyncio.StreamWriter) -> bool:
        """Writes the response to a request. Returns whether the connection stays open."""
        if path.startswith("/set?"):
            for name, value in urllib.parse.parse_qsl(path[5:]):
                setattr(self, name, float(value))
            return self.write(writer, b"")
        if path == "/requests":
            return self.write(writer, json.dumps({"served": self.served, "failed": self.failed}).encode())
        failure = self.random.randrange(4) if self.random.random() < self.failures else None
        (self.served if failure is None else self.failed).setdefault(path, []).append(time.monotonic())
        body = self.large if path.startswith("/large/") else small(int(path[1:-4]))
        match failure:
            case 0: return self.write(writer, b"", b"503 Service Unavailable")
            case 1: return False
            case 2: return self.write(writer, body[: len(body) // 2], length=len(body)) and False
            case 3: await asyncio.sleep(5)
        return self.write(writer, body) and failure is None

    def write(self, writer, body: bytes, status: bytes = b"200 OK", length: int | None = None) -> bool:
        writer.write(b"HTTP/1.1 %s\r\nContent-Type: image/png\r\nCache-Control: max-age=86400\r\nContent-Length: %d"
                     b"\r\n\r\n" % (status, len(body) if length is None else length) + body)
        return True

    async def relay(self, reader, writer, port: int):
        """Passes a connection on to another server, whose answers are delayed."""
        try:
            their_reader, their_writer = await asyncio.open_connection("127.0.0.1", port)
        except OSError:
            return writer.close()

        async def copy(source, target, is_delayed: bool):
            try:
                while data := await source.read(65536):
                    if is_delayed and self.delay:
                        await asyncio.sleep(self.delay)
                    target.write(data)
                    await target.drain()
            except ConnectionError:
                pass
            finally:
                target.close()

        await asyncio.gather(copy(reader, their_writer, False), copy(their_reader, writer, True))


async def main(port: int, relay_port: int, store_port: int):
    origin = Origin()
    await asyncio.start_server(origin.serve, "127.0.0.1", port, backlog=1024)
    await asyncio.start_server(lambda r, w: origin.relay(r, w, store_port), "127.0.0.1", relay_port)
    print("ready", flush=True)
    # The process that started this one holds the other end.
    await asyncio.get_running_loop().run_in_executor(None, sys.stdin.read)


if __name__ == "__main__":
    asyncio.run(main(*map(int, sys.argv[1:4])))
