"""Delays a server's responses: far-origin.py PORT SERVER-PORT SECONDS."""
import asyncio
import sys

port, server_port, delay = int(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])


class Near(asyncio.Protocol):
    """The client side."""

    def connection_made(self, transport):
        self.transport, self.far, self.early = transport, None, []
        # Delays the handshake too.
        asyncio.get_running_loop().call_later(delay, lambda: asyncio.ensure_future(self.connect()))

    async def connect(self):
        loop = asyncio.get_running_loop()
        _, self.far = await loop.create_connection(lambda: Far(self.transport), "127.0.0.1", server_port)
        for data in self.early:
            self.far.transport.write(data)

    def data_received(self, data):
        if self.far is None:
            self.early.append(data)
        else:
            self.far.transport.write(data)

    def connection_lost(self, error):
        if self.far is not None:
            self.far.transport.close()


class Far(asyncio.Protocol):
    """The server side: delays all data, in order."""

    def __init__(self, near):
        self.near = near

    def connection_made(self, transport):
        self.transport = transport

    def data_received(self, data):
        asyncio.get_running_loop().call_later(delay, self.pass_on, data)

    def pass_on(self, data):
        if not self.near.is_closing():
            self.near.write(data)

    def connection_lost(self, error):
        asyncio.get_running_loop().call_later(delay, self.near.close)


async def main():
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Near, "127.0.0.1", port, backlog=100)
    await server.serve_forever()


asyncio.run(main())
