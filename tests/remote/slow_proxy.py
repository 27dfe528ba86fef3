"""Passes connections on to a server, and each request 50 ms later: `slow_proxy.py PORT SERVER_PORT`.

So the first byte of each response arrives 50 ms later. Connections stay open, and do not wait for each other. Clients must
not send a request before they have the response to the one before, as HTTP/1.1 without pipelining.
"""
import asyncio
import sys

LATENCY = 0.05
PIECE = 1 << 18


class Connection:
    """A connection of a client, and the one to the server that belongs to it."""

    def __init__(self, client, server):
        self.client, self.server = client, server
        self.request_has_started = False

    async def pass_requests(self):
        while data := await self.client[0].read(PIECE):
            if not self.request_has_started:
                self.request_has_started = True
                await asyncio.sleep(LATENCY)
            self.server[1].write(data)
            await self.server[1].drain()

    async def pass_responses(self):
        while data := await self.server[0].read(PIECE):
            self.request_has_started = False
            self.client[1].write(data)
            await self.client[1].drain()

    async def run(self):
        """Passes bytes on in both directions until one side closes its connection."""
        tasks = [asyncio.create_task(self.pass_requests()), asyncio.create_task(self.pass_responses())]
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.client[1].close()
        self.server[1].close()


async def main(port, server_port):
    async def accept(*client):
        try:
            server = await asyncio.open_connection("127.0.0.1", server_port)
        except OSError:
            client[1].close()
            return
        await Connection(client, server).run()

    async with await asyncio.start_server(accept, "127.0.0.1", port, backlog=1024) as server:
        await server.serve_forever()


asyncio.run(main(*map(int, sys.argv[1:])))
