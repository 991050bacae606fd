"""The peers in Python: libvips, Pillow and OpenCV, which change pictures, and aiohttp, which loads.

The harness starts this program, writes commands to its standard input, and reads one line for each command from its
standard output. Each process measures only its own work, so the communication does not count.

    picture KIND WIDTH HEIGHT PATH                use the RGBA pixels in a file as the source: `opaque` or
                                                  `alpha` with 8 bits, `deep` opaque with 16, `linear`
                                                  opaque with 8, resized in linear light             -> ok
    resize PEER WIDTH HEIGHT TIMES                resize it with Lanczos3, TIMES times               -> the seconds
    show PEER WIDTH HEIGHT PATH                   resize it once, and write the pixels to a file     -> ok
    transform PEER NAME TIMES                     apply a transformer to it, TIMES times             -> the seconds
    transformed PEER NAME PATH                    apply it once, and write the RGBA pixels to a file -> ok
    file PATH                                     use the bytes of a JPEG or PNG as the source       -> ok
    thumbnail PEER WIDTH HEIGHT QUALITY TIMES     convert it to a JPEG of that size and quality,
                                                  from bytes to bytes, TIMES times                   -> the seconds
    look PEER WIDTH HEIGHT PATH                   write the RGB pixels of such a JPEG to a file      -> ok
    play PEER TIMES                               compose all frames of an animation, TIMES times    -> the seconds
    frame PEER NUMBER PATH                        write the RGBA pixels of one of them to a file     -> ok
    decode PEER TIMES                             decode the source to RGBA of 8 bits, TIMES times   -> the seconds
    pixels PEER PATH                              write these pixels to a file                       -> ok
    encode PEER TIMES                             make a PNG of the picture in memory, TIMES times   -> the seconds
    encoded PEER PATH                             write such a PNG to a file                         -> ok
    gif PEER COLORS HOW PATH                      write the picture as a GIF with that number of colors,
                                                  `plain` or `dithered`                              -> ok
    quantize PEER COLORS TIMES                    make a plain one in memory, TIMES times            -> the seconds
    get PEER ADDRESS COUNT LIMIT LENGTH TIMES     get ADDRESS?0, ADDRESS?1 and so on, COUNT of them with
                                                  LENGTH bytes each, requested at once with at most
                                                  LIMIT concurrent loads, TIMES times                -> the seconds

The first line lists the available peers: `ready vips=8.18.7 pillow=13.0.0`. A failure is reported as `error: ...`.
"""

import asyncio
import gc
import io
import math
import os
import sys
import time

# Read when libvips is loaded. The default is one thread.
os.environ.setdefault("VIPS_CONCURRENCY", "1")

PEERS = {}

# The matrix of the filter `sepia` of CSS.
SEPIA = [[0.393, 0.769, 0.189], [0.349, 0.686, 0.168], [0.272, 0.534, 0.131]]


class Vips:
    """libvips with the defaults of its users: `resize` with a given kernel, and `thumbnail_buffer`."""

    def __init__(self):
        import pyvips

        # No call may be answered from the results of earlier calls.
        pyvips.cache_set_max(0)
        self.library = pyvips
        self.version = ".".join(str(pyvips.version(part)) for part in range(3))

    def source(self, pixels, kind, width, height):
        band_format = "ushort" if kind == "deep" else "uchar"
        image = self.library.Image.new_from_memory(pixels, width, height, 4, band_format)
        return image.copy(interpretation="srgb") if kind == "linear" else image

    def resize(self, source, kind, width, height):
        if kind == "alpha":
            source = source.premultiply()
        elif kind == "linear":
            source = source.colourspace("scrgb")
        resized = source.resize(width / source.width, vscale=height / source.height, kernel="lanczos3")
        if (resized.width, resized.height) != (width, height):
            raise ValueError(f"libvips made {resized.width}x{resized.height}")
        if kind == "alpha":
            resized = resized.unpremultiply().cast("uchar")
        elif kind == "linear":
            resized = resized.colourspace("srgb")
        # Images of libvips are lazy: the computation happens here.
        return resized.write_to_memory()

    def transform(self, source, name):
        if name.startswith("blur-"):
            # With full precision, and all weights that make a difference to 8 bits.
            result = source.gaussblur(int(name[5:]), min_ampl=0.01)
        elif name == "rotate-90":
            result = source.rot90()
        elif name == "matrix":
            result = source.recomb([[*row, 0] for row in SEPIA] + [[0, 0, 0, 1]]).cast("uchar")
        elif name == "overlay":
            picture = source.copy(interpretation="srgb")
            result = picture.composite2(picture, "over").cast("uchar")
        elif name == "smart-crop":
            result = source.smartcrop(600, 600, interesting="attention")
        else:
            raise ValueError(f"libvips has no {name}")
        return result.write_to_memory()

    def bytes(self, result):
        return result

    def pixels(self, result):
        return result

    def decode(self, file):
        image = self.library.Image.new_from_buffer(file, "", access="sequential")
        if image.interpretation != "srgb":
            image = image.colourspace("srgb")
        return (image if image.hasalpha() else image.addalpha()).write_to_memory()

    def writable(self, source, kind):
        pixels = source if kind == "alpha" else source[:3]
        return pixels.copy(interpretation="rgb16" if kind == "deep" else "srgb").copy_memory()

    def encode(self, image):
        return image.pngsave_buffer()

    def shrink(self, file, width, height):
        return self.library.Image.thumbnail_buffer(file, width, height=height, size="force")

    def thumbnail(self, file, width, height, quality):
        return self.shrink(file, width, height).jpegsave_buffer(Q=quality)

    def look(self, file, width, height):
        image = self.shrink(file, width, height)
        return (image.flatten() if image.hasalpha() else image).colourspace("srgb").write_to_memory()


class Pillow:
    """Pillow. Opaque pictures use its fast format: four channels, of which the last is padding."""

    def __init__(self):
        import PIL
        from PIL import Image, features

        self.library = Image
        libraries = [f"{name}-{features.version(name)}" for name in ("webp", "avif") if features.check(name)]
        self.version = "+".join([PIL.__version__, *libraries])

    def source(self, pixels, kind, width, height):
        if kind not in ("opaque", "alpha"):
            raise ValueError(f"Pillow has no {kind} pixels of four channels")
        return self.library.frombytes("RGBX" if kind == "opaque" else "RGBA", (width, height), pixels)

    def resize(self, source, kind, width, height):
        # Pillow premultiplies pictures with alpha by itself.
        return source.resize((width, height), self.library.Resampling.LANCZOS)

    def transform(self, source, name):
        from PIL import ImageDraw, ImageFilter

        if name.startswith("blur-"):
            return source.filter(ImageFilter.GaussianBlur(int(name[5:])))
        if name == "rotate-90":
            return source.transpose(self.library.Transpose.ROTATE_270)
        if name == "rotate-7":
            picture = source.convert("RGBA")
            return picture.rotate(-7, self.library.Resampling.BICUBIC, expand=True)
        if name == "matrix":
            return source.convert("RGB").convert("RGB", [part for row in SEPIA for part in (*row, 0)])
        if name == "sharpen":
            return source.filter(ImageFilter.UnsharpMask(radius=2, percent=100, threshold=0))
        if name == "round":
            # The mask is drawn in four times the size, and reduced, for smooth edges.
            mask = self.library.new("L", (4 * source.width, 4 * source.height))
            ImageDraw.Draw(mask).rounded_rectangle((0, 0, mask.width - 1, mask.height - 1), 400, fill=255)
            picture = source.convert("RGBA")
            picture.putalpha(mask.resize(source.size, self.library.Resampling.BOX))
            return picture
        if name == "overlay":
            return self.library.alpha_composite(source, source)
        raise ValueError(f"Pillow has no {name}")

    def bytes(self, result):
        return result.convert("RGBA").tobytes()

    def pixels(self, result):
        return result.tobytes()

    def decode(self, file):
        image = self.library.open(io.BytesIO(file))
        image.load()
        return image if image.mode == "RGBA" else image.convert("RGBA")

    def writable(self, source, kind):
        return source.convert("RGB") if kind == "opaque" else source

    def encode(self, image):
        target = io.BytesIO()
        image.save(target, "PNG")
        return target.getvalue()

    def shrink(self, file, width, height):
        image = self.library.open(io.BytesIO(file))
        image.draft("RGB", (2 * width, 2 * height))
        if image.mode not in ("RGB", "RGBA"):
            image = image.convert("RGB")
        return image.resize((width, height), self.library.Resampling.LANCZOS, reducing_gap=2.0)

    def flat(self, image):
        if image.mode != "RGBA":
            return image
        ground = self.library.new("RGB", image.size)
        ground.paste(image, mask=image.getchannel("A"))
        return ground

    def thumbnail(self, file, width, height, quality):
        target = io.BytesIO()
        self.flat(self.shrink(file, width, height)).save(target, "JPEG", quality=quality)
        return target.getvalue()

    def look(self, file, width, height):
        return self.flat(self.shrink(file, width, height)).tobytes()

    def play(self, file):
        image = self.library.open(io.BytesIO(file))
        for index in range(image.n_frames):
            image.seek(index)
            image.convert("RGBA")

    def gif(self, source, colors, is_dithered):
        image = source.convert("RGB")
        quantized = image.quantize(colors)
        if is_dithered:
            quantized = image.quantize(palette=quantized, dither=self.library.Dither.FLOYDSTEINBERG)
        target = io.BytesIO()
        quantized.save(target, "GIF")
        return target.getvalue()

    def frame(self, file, index):
        image = self.library.open(io.BytesIO(file))
        image.seek(index)
        return image.convert("RGBA").tobytes()


class OpenCV:
    """OpenCV on one thread."""

    def __init__(self):
        import cv2
        import numpy

        cv2.setNumThreads(1)
        self.library = cv2
        self.numpy = numpy
        self.version = cv2.__version__

    def source(self, pixels, kind, width, height):
        if kind != "opaque":
            raise ValueError(f"OpenCV does not weight colors by alpha, as {kind} pixels require")
        return self.numpy.frombuffer(pixels, self.numpy.uint8).reshape(height, width, 4)

    def blur(self, source, sigma):
        return self.library.GaussianBlur(source, (0, 0), sigma, borderType=self.library.BORDER_REPLICATE)

    def transform(self, source, name):
        cv2 = self.library
        if name.startswith("blur-"):
            return self.blur(source, int(name[5:]))
        if name == "rotate-90":
            return cv2.rotate(source, cv2.ROTATE_90_CLOCKWISE)
        if name == "rotate-7":
            height, width = source.shape[:2]
            matrix = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -7, 1)
            cosine, sine = abs(matrix[0, 0]), abs(matrix[0, 1])
            size = (math.ceil(width * cosine + height * sine), math.ceil(width * sine + height * cosine))
            matrix[:, 2] += [(size[0] - width) / 2, (size[1] - height) / 2]
            return cv2.warpAffine(source, matrix, size, flags=cv2.INTER_CUBIC)
        if name == "matrix":
            matrix = self.numpy.array([[*row, 0] for row in SEPIA] + [[0, 0, 0, 1]], self.numpy.float32)
            return cv2.transform(source, matrix)
        if name == "sharpen":
            return cv2.addWeighted(source, 2, self.blur(source, 2), -1, 0)
        raise ValueError(f"OpenCV has no {name}")

    def bytes(self, result):
        return result.tobytes()


class AIOHTTP:
    """aiohttp with one session, which keeps its connections."""

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
    """Pixels in the form that each peer needs. Each form is created on its first use."""

    def __init__(self, kind, width, height, path):
        with open(path, "rb") as file:
            self.pixels = file.read()
        if len(self.pixels) != width * height * (8 if kind == "deep" else 4):
            raise ValueError(f"{len(self.pixels)} bytes are not {width}x{height} {kind} pixels")
        self.kind = kind
        self.size = (width, height)
        self.sources = {}
        self.writables = {}

    def source(self, name):
        if name not in self.sources:
            self.sources[name] = PEERS[name].source(self.pixels, self.kind, *self.size)
        return self.sources[name]

    def writable(self, name):
        if name not in self.writables:
            self.writables[name] = PEERS[name].writable(self.source(name), self.kind)
        return self.writables[name]

    def resized(self, name, size):
        return PEERS[name].resize(self.source(name), self.kind, *size)


class File:
    """The bytes of a picture."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.bytes = file.read()


def timed(times, work):
    """Repeats the work a number of times, and returns the duration in seconds as text."""
    start = time.perf_counter()
    for _ in range(times):
        work()
    return repr(time.perf_counter() - start)


def write(path, pixels):
    with open(path, "wb") as file:
        file.write(pixels)
    return "ok"


def answer(line, source):
    """Returns the response to a line, and the source for the following lines."""
    command, rest = line.split(maxsplit=1)
    if command == "picture":
        kind, width, height, path = rest.split(maxsplit=3)
        return "ok", Picture(kind, int(width), int(height), path)
    if command == "file":
        return "ok", File(rest)
    name, rest = rest.split(maxsplit=1)
    peer = PEERS[name]
    if command == "get":
        address, *numbers = rest.split()
        count, limit, length, times = (int(number) for number in numbers)
        addresses = [f"{address}?{number}" for number in range(count)]
        return timed(times, lambda: peer.get(addresses, limit, length)), source
    if command == "transform":
        operation, times = rest.split()
        return timed(int(times), lambda: peer.transform(source.source(name), operation)), source
    if command == "transformed":
        operation, path = rest.split(maxsplit=1)
        return write(path, peer.bytes(peer.transform(source.source(name), operation))), source
    if command == "play":
        return timed(int(rest), lambda: peer.play(source.bytes)), source
    if command == "frame":
        index, path = rest.split(maxsplit=1)
        return write(path, peer.frame(source.bytes, int(index))), source
    if command == "decode":
        return timed(int(rest), lambda: peer.decode(source.bytes)), source
    if command == "pixels":
        decoded = peer.decode(source.bytes)
        return write(rest, decoded if name == "vips" else decoded.tobytes()), source
    if command == "encoded":
        return write(rest, peer.encode(source.writable(name))), source
    if command == "encode":
        image = source.writable(name)
        return timed(int(rest), lambda: peer.encode(image)), source
    if command == "gif":
        colors, how, path = rest.split(maxsplit=2)
        return write(path, peer.gif(source.source(name), int(colors), how == "dithered")), source
    if command == "quantize":
        colors, times = (int(word) for word in rest.split())
        return timed(times, lambda: peer.gif(source.source(name), colors, False)), source
    width, height, rest = rest.split(maxsplit=2)
    size = (int(width), int(height))
    if command == "show":
        return write(rest, peer.pixels(source.resized(name, size))), source
    if command == "resize":
        return timed(int(rest), lambda: source.resized(name, size)), source
    if command == "look":
        return write(rest, peer.look(source.bytes, *size)), source
    if command == "thumbnail":
        quality, times = (int(word) for word in rest.split())
        return timed(times, lambda: peer.thumbnail(source.bytes, *size, quality)), source
    raise ValueError(f"{command} is no command")


def main():
    for name, kind in (("vips", Vips), ("pillow", Pillow), ("opencv", OpenCV), ("aiohttp", AIOHTTP)):
        try:
            PEERS[name] = kind()
        except (ImportError, OSError) as error:
            print(f"peers.py: {name}: {error}", file=sys.stderr)
    print("ready", *(f"{name}={peer.version}" for name, peer in PEERS.items()), flush=True)
    gc.disable()
    source = None
    for line in sys.stdin:
        try:
            text, source = answer(line.strip(), source)
        except Exception as error:  # The harness waits for a line in any case.
            text = "error: " + " ".join(f"{type(error).__name__}: {error}".split())
        print(text, flush=True)
    if "aiohttp" in PEERS:
        PEERS["aiohttp"].close()


if __name__ == "__main__":
    main()
