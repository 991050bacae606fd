"""The peers that live in Python: libvips and Pillow, resizing with Lanczos3 on one thread, and aiohttp.

Started by the harness, which asks in lines on standard input and gets one line for each on standard output. Every side
times its own work alone, so the way between the processes does not count.

    picture WIDTH HEIGHT PATH                     take the RGBA pixels in a file as the source       -> ok
    resize PEER WIDTH HEIGHT WIDTH HEIGHT TIMES   resize the source so often                         -> the seconds
    show PEER WIDTH HEIGHT WIDTH HEIGHT PATH      resize it once and write the pixels to a file      -> ok
    get PEER ADDRESS COUNT LIMIT LENGTH TIMES     so often: get ADDRESS?0, ADDRESS?1 and so on, COUNT
                                                  of them with LENGTH bytes each, all wanted at once
                                                  and as many as LIMIT under way                     -> the seconds

The first line says which peers there are: `ready vips=8.18.7 pillow=13.0.0`. What fails is `error: ...`.
"""

import asyncio
import gc
import os
import sys
import time

# Read when libvips is loaded.
os.environ["VIPS_CONCURRENCY"] = "1"

PEERS = {}


class Vips:
    """libvips as its users call it: `resize` with its defaults but for the kernel. Opaque, so not premultiplied."""

    def __init__(self):
        import pyvips

        # Nothing may be answered from the results of earlier calls.
        pyvips.cache_set_max(0)
        self.library = pyvips
        self.version = ".".join(str(pyvips.version(part)) for part in range(3))

    def source(self, pixels, width, height):
        return self.library.Image.new_from_memory(pixels, width, height, 4, "uchar")

    def resize(self, source, width, height):
        resized = source.resize(width / source.width, vscale=height / source.height, kernel="lanczos3")
        if (resized.width, resized.height) != (width, height):
            raise ValueError(f"libvips made {resized.width}x{resized.height}")
        # Images of libvips are recipes: only now it computes.
        return resized.write_to_memory()

    def pixels(self, result):
        return result


class Pillow:
    """Pillow with four channels of which the last is padding, its fast way for opaque pictures."""

    def __init__(self):
        import PIL
        from PIL import Image

        self.library = Image
        self.version = PIL.__version__

    def source(self, pixels, width, height):
        return self.library.frombytes("RGBX", (width, height), pixels)

    def resize(self, source, width, height):
        return source.resize((width, height), self.library.Resampling.LANCZOS)

    def pixels(self, result):
        return result.tobytes()


class AIOHTTP:
    """aiohttp with one session, whose connections are kept for the next time."""

    def __init__(self):
        import aiohttp

        self.library = aiohttp
        self.version = aiohttp.__version__
        self.loop = asyncio.new_event_loop()
        self.sessions = {}

    async def session(self, limit):
        if limit not in self.sessions:
            connector = self.library.TCPConnector(limit=limit, limit_per_host=limit)
            self.sessions[limit] = self.library.ClientSession(connector=connector)
        return self.sessions[limit]

    async def get_one(self, session, address, length):
        async with session.get(address) as response:
            body = await response.read()
            if response.status != 200 or len(body) != length:
                raise ValueError(f"{address}: status {response.status}, {len(body)} bytes")

    async def get_all(self, addresses, limit, length):
        session = await self.session(limit)
        await asyncio.gather(*(self.get_one(session, address, length) for address in addresses))

    def get(self, addresses, limit, length):
        self.loop.run_until_complete(self.get_all(addresses, limit, length))

    def close(self):
        for session in self.sessions.values():
            self.loop.run_until_complete(session.close())


class Picture:
    """The source, in the form that each peer wants, made when it is first wanted."""

    def __init__(self, width, height, path):
        with open(path, "rb") as file:
            self.pixels = file.read()
        if len(self.pixels) != width * height * 4:
            raise ValueError(f"{len(self.pixels)} bytes are not {width}x{height} RGBA pixels")
        self.size = (width, height)
        self.sources = {}

    def source(self, name):
        if name not in self.sources:
            self.sources[name] = PEERS[name].source(self.pixels, *self.size)
        return self.sources[name]


def timed(times, work):
    """How many seconds it takes to do the work so often, as text."""
    start = time.perf_counter()
    for _ in range(times):
        work()
    return repr(time.perf_counter() - start)


def answer(line, picture):
    """The answer to a line, and the picture that is the source from now on."""
    words = line.split(maxsplit=6)
    command = words[0]
    if command == "picture":
        width, height, path = line.split(maxsplit=3)[1:]
        return "ok", Picture(int(width), int(height), path)
    name = words[1]
    peer = PEERS[name]
    if command == "get":
        count, limit, length, times = (int(word) for word in words[3:])
        addresses = [f"{words[2]}?{number}" for number in range(count)]
        return timed(times, lambda: peer.get(addresses, limit, length)), picture
    width, height, new_width, new_height = (int(word) for word in words[2:6])
    if picture is None or picture.size != (width, height):
        raise ValueError("the source is another one")
    source = picture.source(name)
    if command == "show":
        with open(words[6], "wb") as file:
            file.write(peer.pixels(peer.resize(source, new_width, new_height)))
        return "ok", picture
    if command == "resize":
        return timed(int(words[6]), lambda: peer.resize(source, new_width, new_height)), picture
    raise ValueError(f"{command} is no command")


def main():
    for name, kind in (("vips", Vips), ("pillow", Pillow), ("aiohttp", AIOHTTP)):
        try:
            PEERS[name] = kind()
        except (ImportError, OSError) as error:
            print(f"peers.py: {name}: {error}", file=sys.stderr)
    print("ready", *(f"{name}={peer.version}" for name, peer in PEERS.items()), flush=True)
    gc.disable()
    picture = None
    for line in sys.stdin:
        try:
            text, picture = answer(line.strip(), picture)
        except Exception as error:  # Whatever it is, the harness is waiting for a line.
            text = "error: " + " ".join(f"{type(error).__name__}: {error}".split())
        print(text, flush=True)
    if "aiohttp" in PEERS:
        PEERS["aiohttp"].close()


if __name__ == "__main__":
    main()
