#!/usr/bin/env python3
"""Makes the WebP test fixtures in the directory `Fixtures` next to this script.

    python3 make-fixtures.py            writes every fixture
    python3 make-fixtures.py --check    writes nothing; fails if a file in the
                                        directory is missing, different or unexpected

Requires Python 3.11 with Pillow (13.0, with libwebp 1.6.0), and the tools `cwebp`, `dwebp`,
`gif2webp`, `img2webp`, `webpinfo` and `webpmux` of libwebp 1.2.4 (Debian: webp). Other
versions may write different, equally valid files. Two libraries are called directly, since no
tool does the same: libwebp.so.7 writes several token partitions, and libwebpdemux.so.2 checks
whether it accepts a file.

The expected pixels of a still image are the output of `dwebp`, libwebp's own tool, for the
same file that the tests decode. Pillow, which has a later version of the library, must return
the same pixels. The frames of animations are composed here from `dwebp`'s output for each
frame, by the rules of the format and without intermediate rounding. Pillow's canvases, which
are those of libwebp's AnimDecoder, may differ visibly by SLACK of 255: they are truncated
instead of rounded, and these errors add up over frames that are drawn over others. The color
of transparent pixels is significant only in still images; in animations it is 0.

Its output:

    NAME.webp           a picture or an animation
    NAME.rgba           expected pixels: no header, rows from top to bottom in the
                        orientation stored in the file, R G B A with straight alpha, 8 bits
                        per sample; of an animation the whole canvas at each frame, one
                        after the other
    NAME-upright.rgba   where there is an EXIF orientation: the expected pixels turned upright
    bad-FAULT.webp      a file with exactly the fault in its name, which `dwebp`, Pillow, and
                        libwebpdemux with libwebp's incremental decoder all refuse
    odd-FAULT.webp      a file with a fault that at least one of them accepts, or whose only
                        fault is its size
    icc.icc             the ICC profile in icc.webp, the same as in the PNG fixtures
    manifest.json       the expected results of a reader for each good file, sorted by name.
                        `width` and `height` are the canvas as stored in the file. `isLossy`
                        is that of the first frame. `hasAlpha` is the flag in the file's
                        header, regardless of its pixels. `pixels` is the .rgba file, which
                        pictures with equal pixels share. Animations have `frameCount`,
                        `loopCount` (0 for endless), `durations` (milliseconds as stored) and
                        `frames`
    odd.json            the same for the odd files, as far as it applies. `note` describes the
                        fault, `acceptedBy` lists the decoders that return the pixels in
                        `pixels`, and `decodedOtherwiseBy` those that return other pixels

In animations the background color is not used: uncovered pixels are transparent, as in
browsers and AnimDecoder.
"""

import ctypes
import io
import json
import random
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path

from PIL import Image

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import fixture_directory  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "Fixtures"
PROFILE = FOLDER.parent.parent / "PNGCoder" / "Fixtures" / "icc.icc"

# The allowed difference of AnimDecoder's canvases from exact ones.
SLACK = 2

# The flags in VP8X.
ANIMATED, HAS_XMP, HAS_EXIF, HAS_ALPHA, HAS_PROFILE = 0x02, 0x04, 0x08, 0x10, 0x20

XMP = b"""<?xpacket begin="\xef\xbb\xbf" id="W5M0MpCehiHzreSzNTczkc9d"?>
<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" dc:format="image/webp"/>
</rdf:RDF></x:xmpmeta>
<?xpacket end="w"?>"""


# ---------------------------------------------------------------------------
# Pictures


@dataclass
class Picture:
    """Rows of pixels: tuples of red, green, blue and straight alpha."""

    width: int
    height: int
    rows: list

    @property
    def data(self):
        return bytes(value for row in self.rows for pixel in row for value in pixel)

    @property
    def is_opaque(self):
        return all(pixel[3] == 255 for row in self.rows for pixel in row)

    @property
    def pam(self):
        head = b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n"
        return head % (self.width, self.height) + self.data

    def mapped(self, function):
        return Picture(self.width, self.height, [[function(*pixel) for pixel in row] for row in self.rows])

    def placed(self, function):
        """Returns a picture in which alpha is a function of the position."""
        rows = [[(*pixel[:3], function(x, y)) for x, pixel in enumerate(row)] for y, row in enumerate(self.rows)]
        return Picture(self.width, self.height, rows)


def picture_of(width, height, data):
    assert len(data) == width * height * 4
    pixels = list(struct.iter_unpack("4B", data))
    return Picture(width, height, [pixels[i:i + width] for i in range(0, len(pixels), width)])


def read_pam(data):
    head, rest = data.split(b"ENDHDR\n", 1)
    fields = dict(line.split(b" ", 1) for line in head.split(b"\n")[1:] if line)
    assert fields[b"DEPTH"] == b"4" and fields[b"MAXVAL"] == b"255"
    return picture_of(int(fields[b"WIDTH"]), int(fields[b"HEIGHT"]), rest)


def landscape(width, height):
    """Returns smooth parts, hard edges, texture and strong colors, without symmetry."""

    def pixel(x, y):
        # The position as a fraction in 1024ths, so that all sizes show the same picture.
        u, v = (2 * x + 1) * 512 // width, (2 * y + 1) * 512 // height
        if (u - 700) ** 2 + (v - 280) ** 2 < 190**2:
            return (250, 214, 48, 255)
        ridge = 560 + abs((u * 3) % 1024 - 512) // 3
        if v > ridge:
            grain = (x * 7 + y * 13 + x * y) % 17 * 3
            return (20 + grain, 130 - (v - ridge) // 8 + grain // 2, 34 + grain // 3, 255)
        if 120 < u < 330 and v > 330:
            return (196, 30, 42, 255) if (x // 3 + y // 3) % 2 else (236, 222, 214, 255)
        return (60 + v // 8, 110 + u // 16 + v // 10, 235 - u // 9, 255)

    return Picture(width, height, [[pixel(x, y) for x in range(width)] for y in range(height)])


def veiled(width, height):
    """Returns the landscape with various alphas: transparent and opaque areas, ramps, edges and noise."""
    noise = random.Random(width * 1000 + height)

    def alpha(x, y):
        u, v = (2 * x + 1) * 512 // width, (2 * y + 1) * 512 // height
        if (u - 300) ** 2 + (v - 300) ** 2 < 200**2:
            return 0
        if u > 600 and v > 600:
            return noise.randrange(256)
        return min(255, (u + 2 * v) // 7)

    return landscape(width, height).placed(alpha)


def in_gray(picture):
    return picture.mapped(lambda r, g, b, a: ((77 * r + 150 * g + 29 * b) // 256,) * 3 + (a,))


def indexed(width, height, count, has_alpha=False):
    """Returns a picture with every one of a number of colors, in no order."""
    noise = random.Random(count)
    colors = set()
    while len(colors) < count:
        colors.add(tuple(noise.randrange(256) for _ in range(3)) + (noise.randrange(256) if has_alpha else 255,))
    colors = sorted(colors)
    # Mostly in runs, so that bundling pixels pays off.
    pixels = []
    while len(pixels) < width * height:
        pixels += [colors[noise.randrange(count)]] * noise.choice((1, 1, 2, 5, 9))
    # Each color occurs at least once.
    pixels[5:5 + 2 * count:2] = colors
    pixels = pixels[:width * height]
    assert len(set(pixels)) == count
    return Picture(width, height, [pixels[i:i + width] for i in range(0, len(pixels), width)])


def letter(width, height, has_alpha=False):
    """Returns a letter F, which has no symmetry, on a gradient."""

    def pixel(x, y):
        # The position in a picture of 24x16.
        u, v = x * 24 // width, y * 16 // height
        is_ink = 6 <= u < 9 and 2 <= v < 14 or 6 <= u < 18 and 2 <= v < 5 or 6 <= u < 15 and 7 <= v < 10
        return (u * 11, v * 17, 0 if is_ink else 230, 255 - x * 9 if has_alpha else 255)

    return Picture(width, height, [[pixel(x, y) for x in range(width)] for y in range(height)])


def veil(width, height, seed):
    """Returns noise, of which a third is transparent with a color, a third is opaque, and the rest is translucent."""
    noise = random.Random(seed)

    def pixel():
        color = tuple(noise.randrange(256) for _ in range(3))
        return (*color, (0, 255, noise.randrange(1, 255))[noise.randrange(3)])

    return Picture(width, height, [[pixel() for _ in range(width)] for _ in range(height)])


def turned(picture, orientation):
    """Returns a stored picture turned upright by its EXIF orientation."""
    rows = picture.rows
    if orientation >= 5:
        # Rows become columns; the remainder is one of the first four.
        rows = [list(column) for column in zip(*rows)]
        orientation = {5: 1, 6: 2, 7: 3, 8: 4}[orientation]
    if orientation in (2, 3):
        rows = [row[::-1] for row in rows]
    if orientation in (3, 4):
        rows = rows[::-1]
    return Picture(len(rows[0]), len(rows), rows)


def stored_for(upright, orientation):
    """Returns the picture to store so that a reader that applies `orientation` displays `upright`."""
    stored = turned(upright, {6: 8, 8: 6}.get(orientation, orientation))
    assert turned(stored, orientation) == upright
    return stored


# ---------------------------------------------------------------------------
# libwebp's tools, and Pillow


def run(*command, data=None):
    made = subprocess.run(command, input=data, capture_output=True, check=False)
    assert made.returncode == 0, (command, made.stderr)
    return made.stdout


def cwebp(picture, *options):
    """Returns a still image as written by cwebp."""
    return run("cwebp", "-quiet", *options, "-o", "-", "--", "-", data=picture.pam)


def lossless(picture, *options):
    return cwebp(picture, "-lossless", "-exact", *options)


def dwebp(data):
    return read_pam(run("dwebp", "-quiet", "-pam", "-o", "-", "--", "-", data=data))


def complaint(data):
    """Returns dwebp's message about a file; nothing if it decodes the file."""
    made = subprocess.run(
        ("dwebp", "-pam", "-o", "/dev/null", "--", "-"), input=data, capture_output=True, check=False)
    return made.stderr.decode() if made.returncode else ""


def webpinfo(data):
    """Returns the output of webpinfo for a file, line by line, including the image data."""
    with tempfile.NamedTemporaryFile(suffix=".webp") as file:
        file.write(data)
        file.flush()
        return [" ".join(line.split()) for line in run("webpinfo", "-bitstream_info", file.name).decode().split("\n")]


def pillow(data):
    """Returns Pillow's canvases of a file, and its information on the file."""
    with Image.open(io.BytesIO(data)) as image:
        canvases = []
        for index in range(image.n_frames):
            image.seek(index)
            image.load()
            canvases.append(picture_of(*image.size, image.convert("RGBA").tobytes()))
        return canvases, image.info, image.mode


def diagnosis(data):
    """Returns the errors that webpinfo reports for a file."""
    with tempfile.NamedTemporaryFile(suffix=".webp") as file:
        file.write(data)
        file.flush()
        made = subprocess.run(
            ("webpinfo", "-quiet", "-diag", file.name), capture_output=True, text=True, check=False)
        return made.stdout + made.stderr


class Data(ctypes.Structure):
    """WebPData."""

    _fields_ = [("bytes", ctypes.c_char_p), ("size", ctypes.c_size_t)]


class FrameIterator(ctypes.Structure):
    """WebPIterator."""

    _fields_ = [
        *((name, ctypes.c_int) for name in (
            "frame_num", "num_frames", "x", "y", "width", "height", "duration", "dispose", "complete")),
        ("fragment", ctypes.c_void_p), ("fragment_size", ctypes.c_size_t), ("has_alpha", ctypes.c_int),
        ("blend", ctypes.c_int), ("pad", ctypes.c_uint32 * 2), ("private", ctypes.c_void_p),
    ]


# webp/demux.h and webp/decode.h of libwebp 1.2.4.
DEMUX_ABI, DEMUX_DONE, MODE_RGBA = 0x0107, 2, 1


def demuxed(data):
    """Returns the pictures found by libwebpdemux, as decoded by libwebp's incremental decoder, which may stop before
    the end of the file. Returns nothing if a pixel or a frame is missing."""
    demux, decode = ctypes.CDLL("libwebpdemux.so.2"), ctypes.CDLL("libwebp.so.7")
    pointer = ctypes.c_void_p
    demux.WebPDemuxInternal.restype = decode.WebPINewRGB.restype = decode.WebPIDecGetRGB.restype = pointer
    demux.WebPDemuxDelete.argtypes = decode.WebPIDelete.argtypes = [pointer]
    demux.WebPDemuxGetFrame.argtypes = [pointer, ctypes.c_int, pointer]
    decode.WebPIUpdate.argtypes = [pointer, pointer, ctypes.c_size_t]
    decode.WebPIDecGetRGB.argtypes = [pointer] * 5
    if not data:
        return []
    state, out = ctypes.c_int(), []
    demuxer = demux.WebPDemuxInternal(
        ctypes.byref(Data(data, len(data))), 1, ctypes.byref(state), DEMUX_ABI)
    if not demuxer:
        return []
    frame = FrameIterator()
    is_there = demux.WebPDemuxGetFrame(demuxer, 1, ctypes.byref(frame))
    while is_there:
        decoder = decode.WebPINewRGB(MODE_RGBA, None, 0, 0)
        if decode.WebPIUpdate(decoder, frame.fragment, frame.fragment_size) == 0:
            stride = ctypes.c_int()
            pixels = decode.WebPIDecGetRGB(decoder, None, None, None, ctypes.byref(stride))
            assert stride.value == frame.width * 4
            pixels = ctypes.string_at(pixels, frame.width * frame.height * 4)
            out.append(picture_of(frame.width, frame.height, pixels))
        else:
            out.append(None)
        decode.WebPIDelete(decoder)
        is_there = demux.WebPDemuxNextFrame(ctypes.byref(frame))
    # A still image may lack the data after its pixels.
    is_animation = demux.WebPDemuxGetI(pointer(demuxer), 0) & ANIMATED
    demux.WebPDemuxDelete(demuxer)
    return [] if None in out or is_animation and state.value != DEMUX_DONE else out


def deciders(data):
    """Returns the results of the decoders that accept a file. Pillow's frames of animations are composed."""
    made = {}
    if not complaint(data):
        made["dwebp"] = [dwebp(data)]
    try:
        made["Pillow"] = pillow(data)[0]
    except (OSError, EOFError, SyntaxError, ValueError, Image.DecompressionBombError):
        pass
    if pictures := demuxed(data):
        made["libwebpdemux"] = pictures
    return made


# webp/encode.h of libwebp 1.2.4; the ABI of 0x020f has been there since.
ENCODER_ABI = 0x020F


class Configuration(ctypes.Structure):
    """WebPConfig."""

    _fields_ = [
        ("lossless", ctypes.c_int), ("quality", ctypes.c_float), ("method", ctypes.c_int),
        ("image_hint", ctypes.c_int), ("target_size", ctypes.c_int), ("target_PSNR", ctypes.c_float),
        *((name, ctypes.c_int) for name in (
            "segments", "sns_strength", "filter_strength", "filter_sharpness", "filter_type", "autofilter",
            "alpha_compression", "alpha_filtering", "alpha_quality", "passes", "show_compressed", "preprocessing",
            "partitions", "partition_limit", "emulate_jpeg_size", "thread_level", "low_memory", "near_lossless",
            "exact", "use_delta_palette", "use_sharp_yuv", "qmin", "qmax")),
    ]


class EncoderPicture(ctypes.Structure):
    """WebPPicture."""

    _fields_ = [
        ("use_argb", ctypes.c_int), ("colorspace", ctypes.c_int), ("width", ctypes.c_int), ("height", ctypes.c_int),
        ("planes", ctypes.c_void_p * 3), ("y_stride", ctypes.c_int), ("uv_stride", ctypes.c_int),
        ("a", ctypes.c_void_p), ("a_stride", ctypes.c_int), ("pad1", ctypes.c_uint32 * 2),
        ("argb", ctypes.c_void_p), ("argb_stride", ctypes.c_int), ("pad2", ctypes.c_uint32 * 3),
        ("writer", ctypes.c_void_p), ("custom_ptr", ctypes.c_void_p),
        ("extra_info_type", ctypes.c_int), ("extra_info", ctypes.c_void_p), ("stats", ctypes.c_void_p),
        ("error_code", ctypes.c_int), ("progress_hook", ctypes.c_void_p), ("user_data", ctypes.c_void_p),
        ("pad3", ctypes.c_uint32 * 3), ("pad4", ctypes.c_void_p * 2), ("pad6", ctypes.c_uint32 * 8),
        ("memory", ctypes.c_void_p * 2), ("pad7", ctypes.c_void_p * 2),
    ]


class MemoryWriter(ctypes.Structure):
    """WebPMemoryWriter."""

    _fields_ = [
        ("mem", ctypes.c_void_p), ("size", ctypes.c_size_t), ("max_size", ctypes.c_size_t), ("pad", ctypes.c_uint32),
    ]


def with_partitions(picture, exponent):
    """Returns a lossy still image with 1, 2, 4 or 8 token partitions."""
    library = ctypes.CDLL("libwebp.so.7")
    library.WebPConfigInitInternal.argtypes = [ctypes.c_void_p, ctypes.c_int, ctypes.c_float, ctypes.c_int]
    configuration, to_encode, writer = Configuration(), EncoderPicture(), MemoryWriter()
    assert library.WebPConfigInitInternal(ctypes.byref(configuration), 0, 75, ENCODER_ABI)
    # Better methods write one in any case.
    configuration.method, configuration.partitions = 1, exponent
    assert library.WebPPictureInitInternal(ctypes.byref(to_encode), ENCODER_ABI)
    to_encode.width, to_encode.height = picture.width, picture.height
    data = picture.data
    assert library.WebPPictureImportRGBX(ctypes.byref(to_encode), data, picture.width * 4)
    library.WebPMemoryWriterInit(ctypes.byref(writer))
    to_encode.writer = ctypes.cast(library.WebPMemoryWrite, ctypes.c_void_p)
    to_encode.custom_ptr = ctypes.addressof(writer)
    assert library.WebPEncode(ctypes.byref(configuration), ctypes.byref(to_encode))
    out = ctypes.string_at(writer.mem, writer.size)
    library.WebPPictureFree(ctypes.byref(to_encode))
    library.WebPMemoryWriterClear(ctypes.byref(writer))
    assert f"Total partitions: {2**exponent}" in webpinfo(out)
    return out


# ---------------------------------------------------------------------------
# Chunks of a file. Source: RFC 9649.


def chunk(kind, body=b""):
    return kind + struct.pack("<I", len(body)) + body + bytes(len(body) % 2)


def file_of(*chunks):
    body = b"WEBP" + b"".join(chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body


def chunks(data, start=12):
    """Returns name and body of each chunk of a valid file; for an ANMF chunk, those after its own 16 bytes."""
    out = []
    if start == 12:
        data = data[:8 + struct.unpack_from("<I", data, 4)[0]]
    while start + 8 <= len(data):
        kind, length = struct.unpack_from("<4sI", data, start)
        assert start + 8 + length <= len(data)
        out.append((kind, data[start + 8:start + 8 + length]))
        start += 8 + length + length % 2
    return out


def body_of(data, kind):
    return next(body for name, body in chunks(data) if name == kind)


def image_of(data):
    """Returns the chunks of a still image that contain its pixels."""
    return b"".join(chunk(kind, body) for kind, body in chunks(data) if kind in (b"ALPH", b"VP8 ", b"VP8L"))


def number24(value):
    return struct.pack("<I", value)[:3]


def vp8x(flags, width, height):
    return chunk(b"VP8X", struct.pack("<I", flags) + number24(width - 1) + number24(height - 1))


def size_of(kind, body):
    """Returns width and height of image data, and whether its header declares alpha."""
    if kind == b"VP8L":
        bits = struct.unpack_from("<I", body, 1)[0]
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1, bool(bits >> 28 & 1)
    return *(side & 0x3FFF for side in struct.unpack_from("<HH", body, 6)), False


def extended(data, before=b"", behind=b"", flags=0):
    """Returns a still image in the extended format, with additional chunks."""
    parts = dict(chunks(data))
    kind = b"VP8L" if b"VP8L" in parts else b"VP8 "
    width, height, has_alpha = size_of(kind, parts[kind])
    if has_alpha or b"ALPH" in parts:
        flags |= HAS_ALPHA
    return file_of(vp8x(flags, width, height), before, image_of(data), behind)


def exif(orientation):
    """Returns a TIFF structure with one directory, which contains Make and Orientation."""
    # Both byte orders occur in practice; the orientation's parity selects one.
    order, mark = ("<", b"II") if orientation % 2 else (">", b"MM")
    make = b"Calotype\0"
    values_at = 8 + 2 + 2 * 12 + 4
    out = mark + struct.pack(order + "HI", 42, 8)
    out += struct.pack(order + "H", 2)
    # Make comes first, so that a reader has to walk the directory, and is too long to fit into its entry.
    out += struct.pack(order + "HHII", 0x010F, 2, len(make), values_at)
    # A SHORT lies in the first two of the four bytes, in either byte order.
    out += struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0)
    out += struct.pack(order + "I", 0)
    assert len(out) == values_at
    return out + make


@dataclass
class Frame:
    """A frame: the chunks of its pixels, its position on the canvas, and its blend and disposal."""

    image: bytes
    x: int = 0
    y: int = 0
    duration: int = 100
    blend: str = "over"
    disposal: str = "keep"

    @property
    def still(self):
        """Returns the frame as a separate file."""
        return extended(file_of(self.image)) if self.image[:4] == b"ALPH" else file_of(self.image)

    @property
    def size(self):
        return size_of(*chunks(self.image, 0)[-1])[:2]

    @property
    def has_alpha(self):
        return self.image[:4] == b"ALPH" or size_of(*chunks(self.image, 0)[-1])[2]

    @property
    def head(self):
        assert self.x % 2 == self.y % 2 == 0
        width, height = self.size
        out = number24(self.x // 2) + number24(self.y // 2) + number24(width - 1) + number24(height - 1)
        return out + number24(self.duration) + bytes([(self.blend == "source") << 1 | (self.disposal == "background")])

    @property
    def chunk(self):
        return chunk(b"ANMF", self.head + self.image)


def anim(loop_count=0, background=(255, 255, 255, 255)):
    """Returns an ANIM chunk. The background is given as red, green, blue, alpha, and stored as blue, green, red, alpha.
    """
    red, green, blue, alpha = background
    return chunk(b"ANIM", bytes([blue, green, red, alpha]) + struct.pack("<H", loop_count))


def animated(frames, width, height, has_alpha=True, before=b"", behind=b"", flags=0, **control):
    flags |= ANIMATED | (HAS_ALPHA if has_alpha else 0)
    body = b"".join(frame.chunk for frame in frames)
    return file_of(vp8x(flags, width, height), before, anim(**control), body, behind)


def frames_of(data):
    """Returns the frames of a file."""
    out = []
    for kind, body in chunks(data):
        if kind == b"ANMF":
            x, y, duration = (int.from_bytes(body[at:at + 3], "little") for at in (0, 3, 12))
            # The data after the image data is not included.
            image = b"".join(chunk(*part) for part in chunks(body, 16) if part[0] in (b"ALPH", b"VP8 ", b"VP8L"))
            frame = Frame(
                image, 2 * x, 2 * y, duration, "source" if body[15] & 2 else "over",
                "background" if body[15] & 1 else "keep")
            out.append(frame)
    return out


def composed(frames, width, height):
    """Returns the canvas at each frame, in fractions of a level, by the rules of the format."""
    clear = (Fraction(0),) * 4
    canvas = [[clear] * width for _ in range(height)]
    out = []
    for frame in frames:
        for y, row in enumerate(dwebp(frame.still).rows, frame.y):
            for x, (*color, alpha) in enumerate(row, frame.x):
                *below, alpha_below = canvas[y][x]
                alpha = Fraction(alpha, 255)
                if frame.blend == "over" and alpha < 1:
                    rest = alpha_below * (1 - alpha)
                    total = alpha + rest
                    color = [(a * alpha + b * rest) / total if total else Fraction(0) for a, b in zip(color, below)]
                    alpha = total
                canvas[y][x] = (*color, alpha)
        out.append([[(*map(float, pixel[:3]), float(pixel[3] * 255)) for pixel in row] for row in canvas])
        if frame.disposal == "background":
            for y in range(frame.y, frame.y + frame.size[1]):
                canvas[y][frame.x:frame.x + frame.size[0]] = [clear] * frame.size[0]
    return out


def rounded(canvas):
    rows = [[tuple(int(value + 0.5) for value in pixel) for pixel in row] for row in canvas]
    return Picture(len(rows[0]), len(rows), rows).mapped(lambda r, g, b, a: (r, g, b, a) if a else (0, 0, 0, 0))


def difference(rows, others):
    """Returns the largest visible difference of pixels, of 255."""
    worst = 0
    for row, other in zip(rows, others, strict=True):
        for (*color, alpha), (*second, other_alpha) in zip(row, other, strict=True):
            worst = max([worst, abs(alpha - other_alpha)] + [
                abs(a * alpha - b * other_alpha) / 255 for a, b in zip(color, second)])
    return worst


# ---------------------------------------------------------------------------
# Lossless image data, bit by bit. Source: RFC 9649, section 3.

PREDICTOR, CROSS_COLOR, SUBTRACT_GREEN, COLOR_INDEXING = range(4)


class Bits:
    """A sequence of bits. The first one is the lowest bit of the first byte."""

    def __init__(self):
        self.value = self.count = 0

    def put(self, *fields):
        """Appends numbers, given as pairs of a value and a number of bits."""
        for value, count in fields:
            assert 0 <= value < 1 << count
            self.value |= value << self.count
            self.count += count
        return self

    @property
    def data(self):
        return self.value.to_bytes((self.count + 7) // 8, "little")

    def header(self, width, height, has_alpha=True, version=0):
        return self.put((0x2F, 8), (width - 1, 14), (height - 1, 14), (has_alpha, 1), (version, 3))

    def transform(self, kind, *fields):
        return self.put((1, 1), (kind, 2), *fields)

    def image(self, is_main=True, cache_bits=None):
        """Appends the end of the main image's transforms, and the fields before the prefix codes."""
        if is_main:
            self.put((0, 1))
        self.put((0, 1)) if cache_bits is None else self.put((1, 1), (cache_bits, 4))
        return self.put((0, 1)) if is_main else self

    def single(self, *symbols):
        """Appends codes of one symbol each, which take no bits."""
        for symbol in symbols:
            # One or eight bits for the symbol.
            self.put((1, 1), (0, 1), (0, 1), (symbol, 1)) if symbol < 2 else self.put(
                (1, 1), (0, 1), (1, 1), (symbol, 8))
        return self

    def code(self, lengths):
        """Appends a code by the lengths of its words, each of which takes four bits."""
        self.put((0, 1), (19 - 4, 4), *((4 if symbol < 16 else 0, 3) for symbol in (
            17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
        self.put((1, 1), (4, 3), (len(lengths) - 2, 10))
        return self.words(4, *lengths)

    def words(self, length, *symbols):
        """Appends symbols of a code whose words all have this length, beginning with the highest bit."""
        return self.put(*((int(f"{symbol:0{length}b}"[::-1], 2), length) for symbol in symbols))

    def noise(self, width, height, seed, alpha=None):
        """Appends codes for all values, and random pixels."""
        noise = random.Random(seed)
        for _ in range(3):
            self.code([8] * 256)
        self.code([8] * 256) if alpha is None else self.single(alpha)
        self.single(0)
        for _ in range(width * height):
            self.words(8, *(noise.randrange(256) for _ in range(4 if alpha is None else 3)))
        return self


def every_predictor(bits, width, height):
    """Returns a predictor transform with all of the 16 kinds, two of which are reserved, in tiles of 4x4."""
    tiles = [(k * 7 + 3) % 16 for k in range(-(-width // 4) * -(-height // 4))]
    assert set(tiles) == set(range(16))
    return bits.transform(PREDICTOR, (0, 3)).image(is_main=False).code([4] * 16).single(0, 0, 255, 0).words(4, *tiles)


def small_lossless(width, height, color=(1, 0, 1, 1)):
    """Returns a minimal file: alpha, red, green and blue are 0 or 1, and all pixels are equal."""
    alpha, red, green, blue = color
    return Bits().header(width, height).image().single(green, red, blue, alpha, 0).data


# Good files
# Good files


class Fixtures:
    """All files to write, by name, and the entries of the manifests."""

    def __init__(self):
        self.files = {}
        self.manifest = []
        self.odd = []
        self.pixels = {}

    def add_file(self, name, data):
        assert name not in self.files
        self.files[name] = data

    def add_pixels(self, name, width, expected):
        """Returns the name of the file with the pixels."""
        own = name + ".rgba"
        shared = self.pixels.setdefault((width, expected), own)
        if shared == own:
            self.add_file(own, expected)
        return shared

    def add(self, name, data, orientation=1):
        """Adds a still image. Its entry follows from its chunks."""
        self.add_file(name + ".webp", data)
        picture = dwebp(data)
        canvases, info, mode = pillow(data)
        assert canvases == [picture], name
        entry = self.entry(name, data, orientation)
        assert (entry["width"], entry["height"]) == (picture.width, picture.height)
        assert entry["hasAlpha"] == (mode == "RGBA") and (entry["hasAlpha"] or picture.is_opaque), name
        assert entry["hasICCProfile"] == ("icc_profile" in info) or not body_of(data, b"ICCP")
        assert entry["hasEXIF"] == ("exif" in info) and entry["hasXMP"] == ("xmp" in info)
        entry["pixels"] = self.add_pixels(name, picture.width, picture.data)
        if orientation > 1:
            self.add_file(name + "-upright.rgba", turned(picture, orientation).data)
        self.manifest.append(entry)
        return picture

    def add_animation(self, name, data, orientation=1):
        """Adds an animation. Its entry follows from its chunks."""
        self.add_file(name + ".webp", data)
        entry = self.entry(name, data, orientation)
        canvases = self.canvases(name, data, entry)
        entry["pixels"] = self.add_pixels(name, entry["width"], b"".join(canvas.data for canvas in canvases))
        self.manifest.append(entry)
        return canvases

    @staticmethod
    def canvases(name, data, entry):
        exact = composed(frames_of(data), entry["width"], entry["height"])
        canvases, info, mode = pillow(data)
        assert info["loop"] == entry["loopCount"] and entry["hasAlpha"] == (mode == "RGBA")
        apart = [difference(canvas.rows, other) for canvas, other in zip(canvases, exact, strict=True)]
        assert max(apart) <= SLACK, (name, apart)
        return [rounded(canvas) for canvas in exact]

    def add_bad(self, name, data, say):
        """Adds a file that no decoder accepts. `say` is a part of a tool's error message."""
        assert not deciders(data), (name, deciders(data))
        assert say in complaint(data) + diagnosis(data), (name, complaint(data), diagnosis(data))
        self.add_file(f"bad-{name}.webp", data)

    def add_odd(self, name, data, note, by, sound=None, otherwise=(), orientation=1, is_small=True):
        """Adds a file that some decoders refuse or decode differently. `sound` is the file without the fault, whose
        pixels are expected; by default they are those of the file itself. `otherwise` are the decoders with other
        pixels. Large pictures have no pixels."""
        entry = {"name": f"odd-{name}", "note": note, "acceptedBy": by}
        if is_small:
            entry |= self.entry(f"odd-{name}", sound or data, orientation)
            is_animation = "frames" in entry
            pictures = self.canvases(name, sound or data, entry) if is_animation else [dwebp(sound or data)]
            made = deciders(data)
            assert list(made) == by, (name, list(made))
            others = [who for who, found in made.items() if not is_animation and found != pictures]
            assert others == list(otherwise), (name, others)
            if others:
                entry["decodedOtherwiseBy"] = others
            expected = b"".join(picture.data for picture in pictures)
            entry["pixels"] = self.add_pixels(f"odd-{name}", entry["width"], expected)
        self.add_file(f"odd-{name}.webp", data)
        self.odd.append(entry)

    @staticmethod
    def entry(name, data, orientation):
        parts = dict(reversed(chunks(data)))
        frames = frames_of(data)
        kind = chunks(frames[0].image, 0)[-1][0] if frames else b"VP8L" if b"VP8L" in parts else b"VP8 "
        flags = parts[b"VP8X"][0] if b"VP8X" in parts else 0
        if b"VP8X" in parts:
            width, height = (int.from_bytes(parts[b"VP8X"][at:at + 3], "little") + 1 for at in (4, 7))
            has_alpha = bool(flags & HAS_ALPHA)
        else:
            width, height, has_alpha = size_of(kind, parts[kind])
        entry = {
            "name": name,
            "width": width,
            "height": height,
            "hasAlpha": has_alpha,
            "isLossy": kind == b"VP8 ",
            "orientation": orientation,
        }
        for key, bit, chunk_name in (
                ("hasICCProfile", HAS_PROFILE, b"ICCP"), ("hasEXIF", HAS_EXIF, b"EXIF"), ("hasXMP", HAS_XMP, b"XMP ")):
            # To libwebp, a chunk without its flag does not exist.
            entry[key] = bool(flags & bit) and chunk_name in parts
            assert bool(flags & bit) == (chunk_name in parts) or name.startswith("odd-"), name
        if frames:
            entry |= {
                "frameCount": len(frames),
                "loopCount": struct.unpack_from("<H", parts[b"ANIM"], 4)[0],
                "durations": [frame.duration for frame in frames],
                "frames": [
                    {
                        "x": frame.x,
                        "y": frame.y,
                        "width": frame.size[0],
                        "height": frame.size[1],
                        "blend": frame.blend,
                        "disposal": frame.disposal,
                    }
                    for frame in frames
                ],
            }
        return entry


def says(data, *lines):
    """Adds a file for which the output of webpinfo contains all of these texts."""
    found = webpinfo(data)
    for line in lines:
        assert line in found, (line, found)
    return data


def add_lossy(fixtures):
    picture = landscape(19, 17)
    for quality in (0, 25, 75, 100):
        fixtures.add(f"lossy-q{quality}", cwebp(picture, "-q", str(quality)))
    for width, height in ((1, 1), (2, 3), (3, 5), (16, 16), (17, 33), (1, 17), (17, 1), (64, 48)):
        fixtures.add(f"lossy-{width}x{height}", cwebp(landscape(width, height)))
    fixtures.add("lossy-80x16", cwebp(landscape(80, 16), "-q", "50"))
    fixtures.add("lossy-gray", cwebp(in_gray(picture)))
    # Fast, and with all features of the encoder.
    fixtures.add("lossy-method-0", cwebp(picture, "-m", "0"))
    fixtures.add("lossy-method-6", cwebp(picture, "-m", "6", "-pass", "6"))
    fixtures.add("lossy-sharp-yuv", cwebp(picture, "-sharp_yuv"))

    noisy = landscape(33, 20)
    strong = ("-q", "20", "-f", "80")
    fixtures.add("lossy-strong-filter", says(cwebp(noisy, *strong, "-strong"), "Simple filter: 0"))
    fixtures.add("lossy-simple-filter", says(cwebp(noisy, *strong, "-nostrong"), "Simple filter: 1"))
    fixtures.add("lossy-sharpness-7", says(cwebp(noisy, *strong, "-sharpness", "7"), "Sharpness: 7"))
    fixtures.add("lossy-no-filter", says(cwebp(noisy, "-q", "20", "-f", "0"), "Level: 0"))
    fixtures.add("lossy-one-segment", says(cwebp(noisy, "-q", "40", "-segments", "1"), "Use segment: 0"))
    fixtures.add("lossy-four-segments", says(cwebp(noisy, "-q", "40", "-sns", "100"), "Use segment: 1"))

    # Eight rows of macroblocks, and a further one, which belongs to the first partition again.
    tall = landscape(7, 136)
    for exponent in (0, 1, 2, 3):
        fixtures.add(f"lossy-partitions-{2**exponent}", with_partitions(tall, exponent))

    body = body_of(fixtures.files["lossy-q75.webp"], b"VP8 ")
    # The two bits above each side request scaling, which decoders ignore.
    scaled = body[:7] + bytes([body[7] | 0x40]) + body[8:9] + bytes([body[9] | 0xC0]) + body[10:]
    fixtures.add("lossy-scale-bits", file_of(chunk(b"VP8 ", scaled)))
    # Profile 3 means the simple filter and whole chroma pixels; libwebp ignores both.
    profile = bytes([body[0] & ~0x0E | 3 << 1]) + body[1:]
    fixtures.add("lossy-profile-3", file_of(chunk(b"VP8 ", profile)))
    fixtures.add("lossy-extended", extended(fixtures.files["lossy-q75.webp"]))


# Name of the filter by its number in ALPH.
ALPHA_FILTERS = ("none", "horizontal", "vertical", "gradient")


def filtered(alpha, kind):
    """Returns rows of alpha minus the predictions of a filter. Source: RFC 9649, section 2.7.1.2."""
    rows = []
    for y, row in enumerate(alpha):
        out = []
        for x, value in enumerate(row):
            left = row[x - 1] if x else alpha[y - 1][x] if y else 0
            above = alpha[y - 1][x] if y else left
            corner = alpha[y - 1][x - 1] if x and y else above if not x else left
            clipped = min(max(left + above - corner, 0), 255)
            out.append((value - (0, left, above if x or y else 0, clipped)[kind]) % 256)
        rows.append(out)
    return rows


def add_alpha(fixtures):
    picture = veiled(19, 17)
    first = fixtures.add("alpha", cwebp(picture))
    assert [row[x][3] for row in first.rows for x in range(19)] == [
        row[x][3] for row in picture.rows for x in range(19)]
    fixtures.add("alpha-exact", cwebp(picture, "-exact"))
    fixtures.add("alpha-quality-50", cwebp(picture, "-alpha_q", "50"))
    fixtures.add("alpha-quality-0", cwebp(picture, "-alpha_q", "0"))
    fixtures.add("alpha-uncompressed", cwebp(picture, "-alpha_method", "0"))
    for kind in ("none", "fast", "best"):
        fixtures.add(f"alpha-filter-{kind}", cwebp(picture, "-alpha_filter", kind))
    for width, height in ((1, 1), (2, 3), (17, 33), (48, 20)):
        fixtures.add(f"alpha-{width}x{height}", cwebp(veiled(width, height).placed(
            lambda x, y: 77 + x * 13 + y * 29 & 0xFF)))

    # Every filter, compressed and not: the pixels are the same.
    head = vp8x(HAS_ALPHA, 19, 17)
    body = chunk(b"VP8 ", body_of(fixtures.files["alpha.webp"], b"VP8 "))
    alpha = [[pixel[3] for pixel in row] for row in picture.rows]
    for kind, name in enumerate(ALPHA_FILTERS):
        values = filtered(alpha, kind)
        raw = bytes(value for row in values for value in row)
        raw = chunk(b"ALPH", bytes([kind << 2]) + raw)
        # The green of a lossless picture, without its header.
        green = Picture(19, 17, [[(0, value, 0, 255) for value in row] for row in values])
        coded = chunk(b"ALPH", bytes([kind << 2 | 1]) + body_of(lossless(green), b"VP8L")[5:])
        for way, alph in (("raw", raw), ("coded", coded)):
            assert fixtures.add(f"alpha-{way}-{name}", file_of(head, alph, body)) == first
    # The values were reduced before, and decoders may smooth them.
    fixtures.add("alpha-preprocessed", file_of(head, chunk(b"ALPH", bytes([0x10]) + bytes(
        value for row in alpha for value in row)), body))

    def covered(value):
        return file_of(head, chunk(b"ALPH", b"\0" + bytes([value]) * (19 * 17)), body)

    fixtures.add("alpha-opaque", covered(255))
    fixtures.add("alpha-transparent", covered(0))


def add_lossless(fixtures):
    def first_transform(data):
        """Returns the number of the first transform, and the byte after it."""
        bits = int.from_bytes(body_of(data, b"VP8L")[5:8], "little")
        return (bits >> 1 & 3, bits >> 3 & 0xFF) if bits & 1 else None

    photo, veiled_photo = landscape(19, 17), veiled(19, 17)
    noise = random.Random(1)
    # Noise, so that no palette suffices and predictors have an effect.
    grainy = landscape(32, 24).mapped(lambda r, g, b, a: (*(min(255, v + noise.randrange(9)) for v in (r, g, b)), a))

    def add(name, data, picture):
        assert fixtures.add(name, data) == picture, name

    add("lossless-photo", lossless(grainy), grainy)
    add("lossless-photo-fast", cwebp(grainy, "-z", "0", "-exact"), grainy)
    add("lossless-photo-slow", cwebp(grainy, "-z", "9", "-exact"), grainy)
    add("lossless-small", lossless(photo), photo)
    large = landscape(40, 32)
    add("lossless-40x32", lossless(large, "-m", "6", "-q", "100"), large)
    for width, height in ((1, 1), (2, 3), (1, 17), (17, 1), (16, 16)):
        picture = landscape(width, height)
        add(f"lossless-{width}x{height}", lossless(picture), picture)
    gray = in_gray(grainy)
    add("lossless-gray", lossless(gray), gray)
    ramp = Picture(32, 24, [[(6 * x + 2 * y,) * 3 + (255,) for x in range(32)] for y in range(24)])
    add("lossless-gray-ramp", lossless(ramp), ramp)

    # Bundles of 8, 4, 2 and 1 pixels, of which the width is not a multiple.
    for count in (1, 2, 3, 4, 5, 16, 17, 200, 256):
        picture = indexed(*((29, 19) if count > 17 else (23, 13)), count)
        data = lossless(picture, "-z", "6")
        if count > 1:
            assert first_transform(data) == (COLOR_INDEXING, count - 1), (count, first_transform(data))
        add(f"lossless-palette-{count}", data, picture)
    picture = indexed(23, 11, 13, has_alpha=True)
    data = lossless(picture, "-z", "6")
    assert first_transform(data) == (COLOR_INDEXING, 12)
    add("lossless-palette-alpha", data, picture)

    add("lossless-alpha", lossless(veiled_photo), veiled_photo)
    inexact = fixtures.add("lossless-alpha-inexact", cwebp(veiled_photo, "-lossless"))
    # Equal except for the colors of transparent pixels.
    assert inexact != veiled_photo and difference(inexact.rows, veiled_photo.rows) == 0
    add("lossless-alpha-1x1", lossless(Picture(1, 1, [[(200, 100, 50, 0)]])), Picture(1, 1, [[(200, 100, 50, 0)]]))
    for level in (60, 0):
        assert fixtures.add(f"lossless-near-{level}", cwebp(grainy, "-near_lossless", str(level))) != grainy

    fixtures.add("lossless-extended", extended(fixtures.files["lossless-small.webp"]))
    fixtures.add("lossless-extended-alpha", extended(fixtures.files["lossless-alpha.webp"]))

    # Made by hand, with features that cwebp rarely or never writes.
    def add_by_hand(name, bits):
        fixtures.add(f"lossless-{name}", file_of(chunk(b"VP8L", bits.data)))

    add_by_hand("one-color", Bits().header(40, 9).image().single(200, 17, 90, 128, 0))
    bits = every_predictor(Bits().header(63, 11), 63, 11)
    add_by_hand("every-predictor", bits.image().noise(63, 11, seed=2))
    bits = Bits().header(21, 13).transform(CROSS_COLOR, (0, 3)).image(is_main=False).noise(6, 4, seed=3, alpha=255)
    add_by_hand("cross-color", bits.image().noise(21, 13, seed=4))
    add_by_hand("subtract-green", Bits().header(9, 7).transform(SUBTRACT_GREEN).image().noise(9, 7, seed=5))

    def four_colors(bits):
        """Returns a picture with two bits for each pixel: a row of 61 pixels is stored in 16."""
        return bits.transform(COLOR_INDEXING, (3, 8)).image(is_main=False).noise(4, 1, seed=6)

    bits = every_predictor(four_colors(Bits().header(61, 13)), 16, 13)
    bits.transform(CROSS_COLOR, (0, 3)).image(is_main=False).noise(4, 4, seed=7, alpha=255)
    add_by_hand("four-transforms", bits.transform(SUBTRACT_GREEN).image().noise(16, 13, seed=8))
    # 17 of 256 indices have a color; the others are transparent black.
    bits = Bits().header(16, 16).transform(COLOR_INDEXING, (16, 8)).image(is_main=False).noise(17, 1, seed=9)
    bits.image().code([8] * 256).single(0, 0, 0, 0).words(8, *((k * 37 + 5) % 256 for k in range(256)))
    add_by_hand("index-beyond-palette", bits)
    # References to pixels that do not exist yet when they begin: runs, at the distance 1, which is number 2 of the
    # two-dimensional distances. The code for it is 0; those for green 0 and 255 are 10 and 11.
    bits = Bits().header(30, 2).image().code([2] + [0] * 254 + [2] + [0] * 9 + [1]).single(9, 90, 255, 1)
    bits.words(2, 0b10, 0b11).put((0, 1), (32 - 25, 3)).words(2, 0b10).put((0, 1), (25 - 25, 3))
    add_by_hand("runs", bits)
    # Four greens with codes of three bits, and eight cache slots with codes of four. A slot is transparent black until
    # it is filled.
    bits = Bits().header(31, 3).image(cache_bits=3).code([3] * 4 + [0] * 276 + [4] * 8).single(200, 30, 255, 0)
    places = random.Random(10)
    for _ in range(31 * 3):
        bits.words(3, places.randrange(4)) if places.randrange(3) == 0 else bits.words(4, 8 + places.randrange(8))
    add_by_hand("color-cache", bits)


def add_orientations(fixtures):
    for width, height in ((2, 3), (24, 16)):
        upright = letter(width, height) if width > 2 else landscape(2, 3)
        for orientation in range(1, 9):
            name = f"orientation-{orientation}" + ("-2x3" if width == 2 else "")
            still = lossless(stored_for(upright, orientation))
            data = extended(still, behind=chunk(b"EXIF", exif(orientation)), flags=HAS_EXIF)
            assert turned(fixtures.add(name, data, orientation), orientation) == upright
            if orientation == 1:
                fixtures.add_file(name + "-upright.rgba", upright.data)


def add_metadata(fixtures):
    profile = PROFILE.read_bytes()
    fixtures.add_file("icc.icc", profile)
    iccp, xmp = chunk(b"ICCP", profile), chunk(b"XMP ", XMP)
    turn = chunk(b"EXIF", exif(6))
    plain, lossy = lossless(letter(12, 8)), cwebp(letter(12, 8))
    veiled_lossy = cwebp(letter(12, 8, has_alpha=True))

    def tool(data, kind, body):
        """Returns the output of webpmux, which must equal the file that is made here."""
        with tempfile.TemporaryDirectory() as directory:
            for name, content in (("in.webp", data), ("body", body)):
                (Path(directory) / name).write_bytes(content)
            run("webpmux", "-set", kind, f"{directory}/body", f"{directory}/in.webp", "-o", f"{directory}/out.webp")
            return (Path(directory) / "out.webp").read_bytes()

    fixtures.add("icc", extended(plain, before=iccp, flags=HAS_PROFILE))
    assert fixtures.files["icc.webp"] == tool(plain, "icc", profile)
    fixtures.add("icc-lossy", extended(lossy, before=iccp, flags=HAS_PROFILE))
    fixtures.add("icc-empty", extended(plain, before=chunk(b"ICCP"), flags=HAS_PROFILE))
    fixtures.add("icc-garbage", extended(plain, before=chunk(b"ICCP", b"no profile at all"), flags=HAS_PROFILE))
    fixtures.add("xmp", extended(plain, behind=xmp, flags=HAS_XMP))
    assert fixtures.files["xmp.webp"] == tool(plain, "xmp", XMP)
    fixtures.add("exif-lossy", extended(lossy, behind=turn, flags=HAS_EXIF), orientation=6)
    assert fixtures.files["exif-lossy.webp"] == tool(lossy, "exif", exif(6))
    everything = HAS_PROFILE | HAS_EXIF | HAS_XMP
    data = extended(veiled_lossy, before=iccp, behind=chunk(b"EXIF", exif(8)) + xmp, flags=everything)
    fixtures.add("metadata", data, orientation=8)

    # With the prefix of JPEG.
    prefixed = chunk(b"EXIF", b"Exif\0\0" + exif(6))
    fixtures.add("exif-prefix", extended(plain, behind=prefixed, flags=HAS_EXIF), orientation=6)
    garbage = chunk(b"EXIF", bytes((k * 89 + 7) % 256 for k in range(50)))
    fixtures.add("exif-garbage", extended(plain, behind=garbage, flags=HAS_EXIF))
    # A directory that begins behind the end.
    beyond = chunk(b"EXIF", exif(5)[:4] + struct.pack("<I", 0xFFFFFFF0) + exif(5)[8:])
    fixtures.add("exif-directory-beyond-end", extended(plain, behind=beyond, flags=HAS_EXIF))
    nine = chunk(b"EXIF", exif(9))
    fixtures.add("exif-orientation-9", extended(plain, behind=nine, flags=HAS_EXIF))
    fixtures.add("exif-before-image", extended(plain, before=turn, flags=HAS_EXIF), orientation=6)
    # Only the first one counts.
    twice = turn + chunk(b"EXIF", exif(3))
    fixtures.add("exif-twice", extended(plain, behind=twice, flags=HAS_EXIF), orientation=6)


def add_accepted(fixtures):
    """Adds files that are unusual, but unambiguous."""
    plain, lossy = lossless(letter(12, 8)), cwebp(letter(12, 8))
    unknown = chunk(b"caLo", b"a chunk that no decoder knows")
    assert len(unknown) % 2 == 0 and unknown[4] % 2
    turn = chunk(b"EXIF", exif(6))
    fixtures.add("unknown-before-image", extended(lossy, before=unknown + chunk(b"caLo")))
    # A reader that searches for names byte by byte finds another picture.
    hidden = chunk(b"caLo", plain)
    fixtures.add("unknown-with-picture", extended(lossy, before=hidden))
    fixtures.add("unknown-after-image", extended(plain, behind=unknown + turn + unknown, flags=HAS_EXIF), orientation=6)
    fixtures.add("unknown-after-simple", file_of(image_of(plain), unknown))
    garbage = bytes((k * 89 + 7) % 256 for k in range(300))
    fixtures.add("trailing-bytes", plain + garbage)
    fixtures.add("trailing-file", extended(lossy) + plain)
    fixtures.add("trailing-zero", plain + b"\0")

    # Image data with an odd number of bytes: cwebp pads lossy data to an even number.
    made = (lossless(letter(11, height)) for height in range(6, 40))
    odd_lossless = next(data for data in made if len(body_of(data, b"VP8L")) % 2)
    odd_lossy = file_of(chunk(b"VP8 ", body_of(lossy, b"VP8 ") + b"\0"))
    for name, data in (("lossy", odd_lossy), ("lossless", odd_lossless)):
        assert len(chunks(data)[0][1]) % 2 and data[-1] == 0
        fixtures.add(f"padding-{name}", extended(data, behind=turn, flags=HAS_EXIF), orientation=6)
        # Writers should put 0 there, and readers need not check it.
        fixtures.add(f"padding-{name}-not-zero", data[:-1] + b"\xff")
    odd = exif(6) + bytes(1 - len(exif(6)) % 2)
    assert len(odd) % 2
    chain = chunk(b"EXIF", odd) + chunk(b"XMP ", XMP[:len(XMP) // 2 * 2 - 1])
    fixtures.add("padding-metadata", extended(plain, behind=chain, flags=HAS_EXIF | HAS_XMP), orientation=6)


# ---------------------------------------------------------------------------
# Animations


def add_animations(fixtures):
    def frame(picture, *options, **more):
        return Frame(image_of(cwebp(picture, *(options or ("-lossless", "-exact")))), **more)

    def add(name, frames, width, height, orientation=1, **more):
        exact = composed(frames, width, height)
        has_alpha = any(frame.has_alpha for frame in frames) or any(
            pixel[3] < 255 for canvas in exact for row in canvas for pixel in row)
        data = animated(frames, width, height, has_alpha, **more)
        assert frames_of(data) == frames
        return fixtures.add_animation(f"animated-{name}", data, orientation)

    width, height = 10, 8
    # Odd sizes at even offsets, some of them at the edge.
    places = [(0, 0, 10, 8), (2, 2, 5, 5), (4, 0, 5, 7), (2, 4, 8, 3)]
    for blend in ("over", "source"):
        for disposal in ("keep", "background"):
            frames = [frame(veil(w, h, seed), x=x, y=y, blend=blend, disposal=disposal)
                      for seed, (x, y, w, h) in enumerate(places)]
            # The first frame always stays, since disposing it would clear the whole canvas.
            frames[0].disposal = "keep"
            add(f"{blend}-{disposal}", frames, width, height)
    # All pairs in sequence, each after each.
    pairs = [(blend, disposal) for blend in ("over", "source") for disposal in ("keep", "background")]
    order = [0, 0, 1, 1, 2, 2, 3, 3, 0, 2, 0, 3, 1, 3, 2, 1, 0]
    assert len({*zip(order, order[1:])}) == 16
    small_places = [(2, 4, 7, 3), (4, 0, 5, 7), (2, 2, 8, 3), (0, 4, 5, 4), (8, 2, 1, 5)]
    frames = [frame(veil(10, 8, 50))]
    for seed, index in enumerate(order):
        x, y, w, h = small_places[seed % len(small_places)]
        blend, disposal = pairs[index]
        frames.append(frame(veil(w, h, 51 + seed), x=x, y=y, duration=20 + seed, blend=blend, disposal=disposal))
    add("pairs", frames, width, height, loop_count=2)

    frames = [frame(veil(5, 4, 20), x=4, y=2), frame(veil(3, 3, 21), x=6, y=4, blend="source"),
              frame(veil(10, 8, 22))]
    add("first-smaller", frames, width, height)
    add("first-smaller-background", [replace(one, disposal="background") for one in frames], width, height)
    opaque = [frame(landscape(5, 4), x=2, y=2), frame(landscape(4, 3), x=6, y=4)]
    add("gap", opaque, width, height)
    whole = frame(letter(10, 8))
    filled = [whole, frame(landscape(5, 3), x=4, y=4), frame(landscape(3, 3), x=6, y=0)]
    add("opaque", filled, width, height)
    add("opaque-background", [whole, replace(filled[1], disposal="background"), filled[2]], width, height)

    # Lossy and lossless.
    wide, high = 17, 11
    frames = [
        frame(landscape(17, 11), "-q", "70"),
        frame(veil(7, 5, 30), x=4, y=4),
        frame(veiled(9, 7), "-q", "80", "-exact", x=8, y=4, blend="over", disposal="background"),
        frame(landscape(7, 5), "-q", "60", x=10, y=2, blend="source"),
        frame(veiled(17, 11), "-q", "50", "-alpha_method", "0", blend="source"),
    ]
    add("mixed", frames, wide, high)
    add("mixed-lossless-first", [frame(veil(17, 11, 31), blend="source"), *frames[1:4]], wide, high)
    add("lossy", [frames[0], frames[3], replace(frames[3], x=2, y=0)], wide, high)
    add("lossy-alpha", [frames[4], frames[2], replace(frames[2], x=0, y=4, disposal="keep"), frames[2]], wide, high)

    steps = [frame(letter(10, 8)), frame(veil(4, 3, 40), x=6, y=4)]
    for count in (0, 1, 3, 65535):
        add(f"loop-{count}", steps, width, height, loop_count=count)
    durations = [0, 5, 10, 11, 100, 16777215]
    add("durations", [replace(steps[index % 2], duration=duration) for index, duration in enumerate(durations)],
        width, height)

    # Opaque red, which browsers ignore.
    gap = add("background-red", [replace(one, disposal="background") for one in opaque], width, height,
              background=(255, 0, 0, 255))
    assert gap[0].rows[7][0][3] == 0 and gap[1].rows[3][3][3] == 0
    add("one-frame", [frame(veil(10, 8, 60), duration=500)], width, height, loop_count=1)
    add("one-small-frame", [frame(veil(5, 5, 61), x=4, y=2)], width, height)

    # The tenth frame hides all earlier ones.
    frames = [frame(veil(10, 8, 70))]
    for index in range(1, 12):
        x, y, w, h = places[1 + index % 3]
        frames.append(frame(veil(w, h, 70 + index), x=x, y=y, duration=30 + index))
    frames[9] = frame(veil(10, 8, 79), duration=39, blend="source")
    add("twelve", frames, width, height)
    # Also independent, for other reasons: fully opaque, or after the whole canvas was cleared.
    frames = frames[:5] + [frame(letter(10, 8)), frames[6], replace(frames[9], disposal="background"), *frames[7:9]]
    add("independent", frames, width, height)

    frames = [frame(letter(12, 8)), frame(veil(5, 3, 80), x=4, y=2, disposal="background"), frame(veil(3, 5, 81))]
    canvases = add(
        "metadata", frames, 12, 8, orientation=6, flags=HAS_PROFILE | HAS_EXIF | HAS_XMP,
        before=chunk(b"ICCP", PROFILE.read_bytes()), behind=chunk(b"EXIF", exif(6)) + chunk(b"XMP ", XMP))
    upright = b"".join(turned(canvas, 6).data for canvas in canvases)
    fixtures.add_file("animated-metadata-upright.rgba", upright)

    # After the image data of a frame, and between frames.
    unknown = chunk(b"caLo", b"to be skipped")
    body = b"".join(chunk(b"ANMF", one.head + one.image + unknown) + unknown for one in steps)
    data = file_of(vp8x(ANIMATED | HAS_ALPHA, width, height), unknown, anim(), unknown, body)
    fixtures.add_animation("animated-unknown", data)

    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory)
        (path / "in.gif").write_bytes(gif(
            13, 11, [(0, 0, 13, 11, 10, 1), (3, 2, 7, 6, 7, 2), (5, 0, 8, 8, 25, 1), (0, 0, 13, 11, 2, 1)]))
        run("gif2webp", "-quiet", f"{directory}/in.gif", "-o", f"{directory}/gif.webp")
        run("gif2webp", "-quiet", "-lossy", "-q", "60", f"{directory}/in.gif", "-o", f"{directory}/lossy.webp")
        fixtures.add_animation("animated-gif2webp", (path / "gif.webp").read_bytes())
        fixtures.add_animation("animated-gif2webp-lossy", (path / "lossy.webp").read_bytes())
        moving = letter(14, 10)
        for index in range(4):
            rows = [row[index:] + row[:index] if 2 <= y < 6 else row for y, row in enumerate(moving.rows)]
            (path / f"{index}.pam").write_bytes(Picture(14, 10, rows).pam)
        run("img2webp", "-loop", "3", "-lossless", "-d", "40", f"{directory}/0.pam", f"{directory}/1.pam", "-lossy", "-q",
            "60", "-d", "70", f"{directory}/2.pam", "-lossless", f"{directory}/3.pam", "-o", f"{directory}/img.webp")
        fixtures.add_animation("animated-img2webp", (path / "img.webp").read_bytes())


def gif(width, height, frames):
    """Returns an animated GIF in an endless loop; frames are (x, y, width, height, hundredths of a second, disposal).
    """
    palette = bytes(value for k in range(128) for value in (k * 2, (k * 37) % 256, 255 - k))
    out = b"GIF89a" + struct.pack("<HHBBB", width, height, 0xF6, 0, 0) + palette
    out += b"\x21\xFF\x0BNETSCAPE2.0\x03\x01\0\0\0"
    for seed, (x, y, w, h, delay, disposal) in enumerate(frames):
        out += b"\x21\xF9\x04" + struct.pack("<BHBB", disposal << 2 | 1, delay, 0, 0)
        out += b"\x2C" + struct.pack("<HHHHB", x, y, w, h, 0)
        # Codes of eight bits, as long as clear codes occur often enough.
        pixels = [0 if (i + seed) % 5 == 0 else (i * (3 + seed) + seed * 40) % 127 + 1 for i in range(w * h)]
        codes = b"".join(b"\x80" + bytes(pixels[i:i + 100]) for i in range(0, len(pixels), 100)) + b"\x81"
        out += b"\x07" + b"".join(
            bytes([len(codes[i:i + 255])]) + codes[i:i + 255] for i in range(0, len(codes), 255)) + b"\0"
    return out + b"\x3B"


# ---------------------------------------------------------------------------
# Bad files and odd ones

# The decoders that accept an odd file.
ALL = ["dwebp", "Pillow", "libwebpdemux"]


def patched(data, at, *values):
    return data[:at] + bytes(values) + data[at + len(values):]


def with_number(data, at, value):
    """Returns the data with four bytes replaced."""
    return patched(data, at, *struct.pack("<I", value))


def add_bad_files(fixtures):
    """Adds files with one fault in their chunks, which are otherwise valid."""
    bad = fixtures.add_bad
    plain, lossy = lossless(letter(12, 8)), cwebp(landscape(10, 9))
    image, alpha = image_of(lossy), chunk(b"ALPH", b"\0" + bytes(range(90)))
    head, veiled_head = vp8x(0, 10, 9), vp8x(HAS_ALPHA, 10, 9)
    turn, unknown = chunk(b"EXIF", exif(6)), chunk(b"caLo", b"unknown!")
    # The files without a fault.
    fixtures.add("lossy-10x9", lossy)
    fixtures.add("alpha-ramp", file_of(veiled_head, alpha, image))

    bad("empty", b"", "NOT_ENOUGH_DATA")
    truncated = "Truncated data detected when parsing RIFF "
    for name, count, part in (
            ("signature-only", 4, "header"), ("header-cut", 9, "header"), ("header-only", 12, "header"),
            ("chunk-header-cut", 17, "header"), ("chunk-header-only", 20, "payload")):
        bad(name, lossy[:count], truncated + part)
    bad("vp8x-cut", file_of(head, image)[:25], truncated + "payload")
    bad("signature", b"RIFX" + lossy[4:], "Corrupted RIFF header")
    bad("wave", patched(lossy, 8, *b"WAVE"), "Corrupted RIFF header")
    bad("png", b"\x89PNG\r\n\x1a\n" + bytes(60), "Corrupted RIFF header")

    for size in (0, 4):
        bad(f"riff-size-{size}", with_number(lossy, 4, size), "RIFF size is too small")
    for size in (0xFFFFFFFE, 0xFFFFFFFF):
        bad(f"riff-size-{size:x}", with_number(lossy, 4, size), "RIFF size is over limit")
    bad("riff-size-too-small", with_number(lossy, 4, len(lossy) - 10), "RIFF size is smaller than the file size")
    # The second one is a chunk to be skipped.
    for name, data, at in (("chunk", lossy, 16), ("unknown-chunk", file_of(head, unknown, image), 34)):
        for size in (0xFFFFFFFE, 0xFFFFFFFF):
            bad(f"{name}-size-{size:x}", with_number(data, at, size), "Size of chunk payload is over limit")
        bad(f"{name}-size-too-large", with_number(data, at, 5000), "Truncated data detected when parsing chunk payload")
    bad("chunk-size-0", with_number(lossy, 16, 0), "VP8/VP8L bitstream error")

    # Other chunks may precede the image data only after VP8X.
    bad("unknown-before-simple", file_of(unknown, image), "BITSTREAM_ERROR")
    bad("unknown-before-vp8x", file_of(unknown, head, image), "BITSTREAM_ERROR")
    bad("alpha-before-simple", file_of(alpha, image), "ALPHA chunk detected before VP8X chunk")
    bad("no-image", file_of(head), "No image/frame detected")
    bad("no-image-but-exif", file_of(vp8x(HAS_EXIF, 10, 9), turn), "No image/frame detected")
    bad("alpha-without-image", file_of(veiled_head, alpha), "No image/frame detected")
    bad("vp8x-size-8", file_of(chunk(b"VP8X", head[8:16]), image), "BITSTREAM_ERROR")
    bad("animation-flag", file_of(vp8x(ANIMATED, 10, 9), image), "No ANIM/ANMF chunk detected in animation file")
    for width, height in ((11, 9), (10, 10), (10, 8), (1, 1), (2**24, 255), (2**24, 256), (2**24, 2**24)):
        data = file_of(vp8x(0, width, height), image)
        bad(f"canvas-{width}x{height}", data, "Image size in VP8/VP8L chunk differs from VP8X chunk")

    veiled_image = chunk(b"VP8 ", body_of(lossy, b"VP8 "))
    coded = body_of(cwebp(veiled(10, 9)), b"ALPH")
    assert coded[0] & 3 == 1

    def bad_alpha(name, body):
        # Incremental decoders report this as an abort by the user, VP8_STATUS_USER_ABORT.
        bad(f"alpha-{name}", file_of(veiled_head, chunk(b"ALPH", body), veiled_image), "BITSTREAM_ERROR")

    bad_alpha("empty", b"")
    bad_alpha("header-only", coded[:1])
    bad_alpha("short", coded[:len(coded) // 2])
    bad_alpha("short-last-byte", coded[:-1])
    bad_alpha("garbage", b"\1" + b"\xff" * 20)
    bad_alpha("raw-header-only", b"\0")
    # The header counts too.
    bad_alpha("raw-short", bytes(10 * 9))
    bad_alpha("method-2", bytes([coded[0] & ~3 | 2]) + coded[1:])
    bad_alpha("method-3", bytes([coded[0] | 3]) + coded[1:])
    bad_alpha("preprocessing-2", bytes([coded[0] | 2 << 4]) + coded[1:])
    bad_alpha("reserved-bits", bytes([coded[0] | 1 << 6]) + coded[1:])

    # A file of one format with the name of the other.
    crossed = file_of(chunk(b"VP8 ", body_of(plain, b"VP8L")))
    bad("lossless-named-lossy", crossed, "BITSTREAM_ERROR")
    bad("lossy-named-lossless", file_of(chunk(b"VP8L", body_of(lossy, b"VP8 "))), "BITSTREAM_ERROR")


def cut_and_short(fixtures, format_name, name, body, places):
    """Adds files that end within the image data: `cut` as truncated files, `short` with lengths that match the
    truncated data."""
    data = file_of(chunk(name, body))
    for place, count, say in places:
        fixtures.add_bad(f"{format_name}-cut-in-{place}", data[:20 + count], "NOT_ENOUGH_DATA")
        fixtures.add_bad(f"{format_name}-short-in-{place}", file_of(chunk(name, body[:count])), say)


def add_bad_lossy(fixtures):
    body = body_of(cwebp(landscape(24, 20), "-q", "75"), b"VP8 ")

    def bad(name, body, say="BITSTREAM_ERROR"):
        fixtures.add_bad(f"lossy-{name}", file_of(chunk(b"VP8 ", body)), say)

    # From the lowest bit: whether it needs other frames, the profile, whether it is shown, the length of the first
    # partition.
    tag = int.from_bytes(body[:3], "little")
    first = tag >> 5

    def with_tag(tag):
        return number24(tag) + body[3:]

    bad("inter-frame", with_tag(tag | 1))
    bad("hidden", with_tag(tag & ~0x10))
    bad("profile-4", with_tag(tag & ~0x0E | 4 << 1))
    bad("profile-7", with_tag(tag | 7 << 1))
    bad("start-code", patched(body, 5, 0x2B))
    bad("0x0", patched(body, 6, 0, 0, 0, 0))
    bad("0x20", patched(body, 6, 0, 0))
    bad("24x0", patched(body, 8, 0, 0))
    # Nothing is left for the data after it.
    bad("first-partition-all", with_tag(tag & 0x1F | len(body) - 10 << 5), "SUSPENDED")
    bad("first-partition-longer", with_tag(tag & 0x1F | len(body) - 9 << 5), "NOT_ENOUGH_DATA")
    bad("first-partition-huge", with_tag(tag & 0x1F | 0x7FFFF << 5))
    bad("first-partition-0", with_tag(tag & 0x1F))
    bad("empty", b"", "NOT_ENOUGH_DATA")
    # Memory must not be allocated on the claim of a header.
    bad("16383x16383", patched(body, 6, 0xFF, 0x3F, 0xFF, 0x3F), "NOT_ENOUGH_DATA")
    assert 10 + first < (10 + first + len(body)) // 2
    cut_and_short(fixtures, "lossy", b"VP8 ", body, (
        ("tag", 2, "NOT_ENOUGH_DATA"),
        ("start-code", 5, "NOT_ENOUGH_DATA"),
        ("size", 8, "NOT_ENOUGH_DATA"),
        ("first-partition", 10 + first // 2, "BITSTREAM_ERROR"),
        ("tokens", (10 + first + len(body)) // 2, "NOT_ENOUGH_DATA"),
    ))
    bad("short-behind-header", body[:10])
    bad("short-behind-first-partition", body[:10 + first], "SUSPENDED")

    several = body_of(with_partitions(landscape(7, 136), 3), b"VP8 ")
    table = 10 + (int.from_bytes(several[:3], "little") >> 5)
    bad("short-in-partition-table", several[:table + 20], "SUSPENDED")
    bad("partition-size", patched(several, table, 255, 255, 255), "SUSPENDED")
    bad("short-in-last-partition", several[:-12], "NOT_ENOUGH_DATA")


def add_bad_lossless(fixtures):
    body = body_of(lossless(letter(24, 16)), b"VP8L")

    def bad(name, bits, say="BITSTREAM_ERROR"):
        # There are enough bits, however they are interpreted.
        body = bits if isinstance(bits, bytes) else bits.put((0, 64)).data
        fixtures.add_bad(f"lossless-{name}", file_of(chunk(b"VP8L", body)), say)

    bad("signature", patched(body, 0, 0x2E))
    bad("version-1", patched(body, 4, body[4] | 1 << 5))
    bad("version-7", patched(body, 4, body[4] | 7 << 5))
    bad("empty", b"", "NOT_ENOUGH_DATA")
    cut_and_short(fixtures, "lossless", b"VP8L", body, (
        ("header", 4, "NOT_ENOUGH_DATA"),
        ("codes", 12, "BITSTREAM_ERROR"),
        ("pixels", len(body) * 3 // 4, "BITSTREAM_ERROR"),
        ("last-byte", len(body) - 1, "BITSTREAM_ERROR"),
    ))
    bad("short-behind-header", body[:5])

    def header(width=3, height=3):
        return Bits().header(width, height)

    def whole(bits):
        """Returns a picture of a single color."""
        return bits.single(1, 1, 1, 1, 0)

    bad("code-oversubscribed", header().image().code([1, 1, 1]).single(1, 1, 1, 0))
    bad("code-incomplete", header().image().code([2, 2, 2]).single(1, 1, 1, 0))
    bad("code-empty", header().image().code([0, 0, 0]).single(1, 1, 1, 0))
    bad("code-symbol", header().image().single(1, 1, 1, 1).put((1, 1), (0, 1), (1, 1), (40, 8)))
    # Three times 138 zeros, which is more than there are symbols. The codes are 0 for a length of 1, and 1 for zeros.
    bits = header().image().put((0, 1), (19 - 4, 4), *((1 if symbol in (1, 18) else 0, 3) for symbol in (
        17, 18, 0, 1, 2, 3, 4, 5, 16, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)))
    bits.put((0, 1), (0, 1), (0, 1), *[(1, 1), (127, 7)] * 3).single(1, 1, 1, 0)
    bad("code-repeat", bits)
    # Eleven are allowed.
    fixtures.add("lossless-cache-bits-11", file_of(chunk(b"VP8L", whole(header().image(cache_bits=11)).data)))
    for count in (0, 12, 15):
        bad(f"cache-bits-{count}", whole(header().image(cache_bits=count)))
    bad("subtract-green-twice", whole(header().transform(SUBTRACT_GREEN).transform(SUBTRACT_GREEN).image()))
    bits = header()
    for _ in range(2):
        bits.transform(PREDICTOR, (0, 3)).image(is_main=False).single(1, 0, 0, 0, 0)
    bad("predictor-twice", whole(bits.image()))
    # A copy from above the first row.
    bad("reference-before-start", header().image().code([0] * 256 + [1]).single(1, 1, 1, 1))
    # A copy of 32 after one pixel.
    bits = header().image().code([1] + [0] * 264 + [1]).single(1, 1, 1, 1)
    bad("reference-beyond-end", bits.put((0, 1), (1, 1), (7, 3)))
    # Group 65535 of prefix codes, although only one exists.
    bits = header(33, 31).put((0, 1), (0, 1), (1, 1), (0, 3)).image(is_main=False).single(255, 255, 0, 0, 0)
    bad("group-65535", whole(bits))
    # One bit for each of 268 million pixels.
    bad("16383x16383", header(16383, 16383).image().code([1, 1]).single(0, 0, 0, 0))


def add_bad_animations(fixtures):
    def one(picture, **more):
        return Frame(image_of(lossless(picture)), **more)

    def file(*parts, flags=ANIMATED | HAS_ALPHA):
        return file_of(vp8x(flags, 4, 4), *parts)

    def bad(name, data, say):
        fixtures.add_bad(f"animation-{name}", data, say)

    # Two frames.
    first, second = one(veil(4, 4, 1)), one(veil(2, 2, 2), x=2, y=2)
    fixtures.add_animation("animated-two", file(anim(), first.chunk, second.chunk))
    before = first.chunk

    def with_body(body):
        """Returns a file whose second frame is replaced by other data."""
        return file(anim(), before, chunk(b"ANMF", body))

    def with_size(width, height):
        return second.head[:6] + number24(width - 1) + number24(height - 1) + second.head[12:]

    bad("without-anim", file(before, second.chunk), "ANMF chunk detected before ANIM chunk")
    bad("anim-late", file(before, anim(), second.chunk), "ANMF chunk detected before ANIM chunk")
    bad("anim-empty", file(chunk(b"ANIM"), before), "Corrupted ANIM chunk")
    bad("anim-short", file(chunk(b"ANIM", anim()[8:12]), before), "Corrupted ANIM chunk")
    bad("without-flag", file(anim(), before, second.chunk, flags=HAS_ALPHA), "frame detected in non-animation file")
    bad("without-vp8x", file_of(anim(), before), "ANIM chunk detected before VP8X chunk")
    bad("without-frames", file(anim()), "No image/frame detected")
    outside = "Frame exceeds canvas in ANMF chunk"
    bad("frame-outside-x", file(anim(), before, replace(second, x=4).chunk), outside)
    bad("frame-outside-y", file(anim(), before, replace(second, y=4).chunk), outside)
    bad("frame-far-outside", file(anim(), before, replace(second, x=2 * (2**24 - 1)).chunk), "Invalid offset")
    bad("frame-wider", file(anim(), one(veil(5, 4, 3)).chunk), outside)
    bad("frame-first-outside", file(anim(), replace(second, x=4).chunk), outside)
    bad("frame-size-16777216", with_body(with_size(2**24, 2**24) + second.image), outside)
    truncated = "Truncated data detected when parsing "
    bad("frame-of-0-bytes", file(anim(), before, chunk(b"ANMF"), second.chunk), truncated + "ANMF chunk")
    bad("frame-of-14-bytes", with_body(second.head[:14]), truncated + "ANMF chunk")
    bad("frame-of-16-bytes", with_body(second.head), truncated + "ANMF chunk")
    bad("frame-of-20-bytes", with_body(second.head + second.image[:4]), truncated + "chunk header")
    bad("frame-without-image", file(anim(), chunk(b"ANMF", second.head)), truncated + "ANMF chunk")
    bad("frame-two-images", with_body(second.head + second.image * 2), "Consecutive VP8/VP8L sub-chunks")
    bad("frame-unknown-first", with_body(second.head + chunk(b"caLo") + second.image), "Unknown chunk")
    bad("frame-image-size", with_body(with_number(second.head + second.image, 20, 1000)), truncated + "chunk payload")
    longer = with_number(second.head + second.image, 20, len(second.image) + 8)
    bad("frame-image-size-into-next", file(anim(), before, chunk(b"ANMF", longer), before), truncated + "ANMF chunk")

    alpha, image = (chunk(*part) for part in chunks(image_of(cwebp(veiled(2, 2))), 0))
    bad("frame-alpha-only", with_body(second.head + alpha), "No VP8/VP8L chunk detected in an ANMF chunk")
    bad("frame-alpha-behind", with_body(second.head + image + alpha), "ALPHA sub-chunk detected after VP8 sub-chunk")
    mixed = with_body(second.head + alpha + second.image)
    bad("frame-alpha-lossless", mixed, "Both VP8L and ALPH sub-chunks are present")
    bad("image-behind", file(anim(), before, first.image), "VP8/VP8L chunk and ANIM/ANMF chunk are both detected")
    bad("image-before", file(first.image, anim(), before), "UNSUPPORTED_FEATURE")
    # The first frame is complete.
    cut = "Truncated data detected when parsing RIFF payload"
    data = file(anim(), before, second.chunk)
    bad("cut-in-second", data[:-20], cut)
    bad("cut-before-second", data[:-len(second.chunk)], cut)
    bad("cut-in-first", data[:-len(second.chunk) - 20], cut)
    # Invalid prefix codes.
    broken = replace(second, image=patched(second.image, 13, *b"\xff" * 9))
    bad("second-damaged", file(anim(), before, broken.chunk, second.chunk), "UNSUPPORTED_FEATURE")
    bad("first-damaged", file(anim(), replace(broken, x=0, y=0).chunk, second.chunk), "UNSUPPORTED_FEATURE")
    bad("canvas-16777216x16777216", file_of(
        vp8x(ANIMATED | HAS_ALPHA, 2**24, 2**24), anim(), before), "Canvas area is out of range")


def add_odd_files(fixtures):
    odd = fixtures.add_odd
    plain, lossy = lossless(letter(12, 8)), cwebp(landscape(10, 9))
    image, alpha = image_of(lossy), chunk(b"ALPH", b"\0" + bytes(range(90)))
    head, veiled_head = vp8x(0, 10, 9), vp8x(HAS_ALPHA, 10, 9)
    veiled_file = file_of(veiled_head, alpha, image)
    turn, unknown = chunk(b"EXIF", exif(6)), chunk(b"caLo", b"unknown!")
    profile = chunk(b"ICCP", PROFILE.read_bytes())
    dwebp_only, demux_only = ["dwebp"], ["libwebpdemux"]

    # Mismatched sizes.
    size = len(lossy) - 8
    odd("riff-size-too-large", with_number(lossy, 4, size + 2),
        "two bytes are missing behind the image, which is whole", demux_only, sound=lossy)
    odd("riff-size-far-too-large", with_number(lossy, 4, size + 100000),
        "many bytes are missing behind the image, which is whole", demux_only, sound=lossy)
    odd("riff-size-odd", with_number(lossy + b"\0", 4, size + 1),
        "the size of RIFF is odd and counts a byte behind the last chunk", dwebp_only, sound=lossy)
    bits = Bits().header(2, 2).image().single(200, 1, 1, 1, 0).data
    bits += bytes(1 - len(bits) % 2)
    padded = file_of(chunk(b"VP8L", bits))
    odd("padding-missing", with_number(padded[:-1], 4, len(padded) - 9),
        "the last chunk has an odd length and no byte behind it", dwebp_only, sound=padded)
    for name, value in (("too-large", 5000), ("ffffffff", 0xFFFFFFFF)):
        odd(f"size-behind-image-{name}", file_of(head, image, with_number(unknown, 4, value)),
            "a chunk behind the image says that it is longer than the file", dwebp_only, sound=lossy)
    odd("bytes-behind-image", file_of(head, image, b"caLo"),
        "four bytes within RIFF, behind the last chunk", dwebp_only, sound=lossy)
    odd("exif-cut", file_of(vp8x(HAS_EXIF, 10, 9), image, turn)[:-10],
        "the file ends within the EXIF behind the image, which is whole", demux_only, sound=lossy)
    long_head = file_of(chunk(b"VP8X", head[8:] + b"\0\0"), image)
    odd("vp8x-size-12", long_head, "VP8X has two bytes too many", demux_only, sound=lossy)

    # Chunks and flags that do not belong together.
    odd("exif-without-vp8x", file_of(image, turn), "EXIF behind the image of a simple file counts for nothing", ALL)
    odd("vp8x-behind-image", file_of(image, head), "VP8X counts for nothing there", ALL)
    odd("vp8x-twice", file_of(head, head, image), "VP8X comes twice", dwebp_only, sound=lossy)
    for flag in (0x01, 0x80):
        odd(f"vp8x-reserved-{flag:02x}", file_of(vp8x(flag, 10, 9), image),
            "a reserved bit is set in VP8X, which readers must ignore by RFC 9649", dwebp_only, sound=lossy)
    odd("image-twice", file_of(head, image, image_of(cwebp(in_gray(landscape(10, 9))))),
        "two images, of which the first counts", dwebp_only, sound=lossy)
    odd("image-twice-simple", file_of(image, image_of(cwebp(in_gray(landscape(10, 9))))),
        "two images, of which the first counts", ALL, sound=lossy)
    odd("alpha-behind-image", file_of(veiled_head, image, alpha),
        "alpha behind the image counts for nothing", dwebp_only, sound=file_of(veiled_head, image))
    odd("alpha-twice", file_of(veiled_head, chunk(b"ALPH", b"\0" + bytes(90)), alpha, image),
        "alpha comes twice, and the last one counts", dwebp_only, sound=veiled_file)
    odd("alpha-before-unknown", file_of(veiled_head, alpha, unknown, image),
        "a chunk between alpha and image", dwebp_only, sound=veiled_file)
    odd("alpha-before-lossless", file_of(vp8x(HAS_ALPHA, 12, 8), chunk(b"ALPH", bytes(97)), image_of(plain)),
        "alpha for a lossless picture counts for nothing", dwebp_only, sound=file_of(
            vp8x(HAS_ALPHA, 12, 8), image_of(plain)))
    odd("alpha-flag-missing", file_of(head, alpha, image),
        "there is alpha, and VP8X does not say so: libwebpdemux leaves it out", ALL,
        sound=file_of(head, image), otherwise=["dwebp"])
    odd("alpha-raw-long", file_of(veiled_head, alpha[:4] + struct.pack("<I", 101) + alpha[8:-1] + bytes(11), image),
        "ten bytes too many of alpha", ALL)
    veiled_plain = lossless(letter(12, 8, has_alpha=True))
    odd("lossless-alpha-flag-missing", file_of(vp8x(0, 12, 8), image_of(veiled_plain)),
        "a lossless image has alpha, and VP8X does not say so: it counts", ALL, sound=veiled_plain)
    bits = Bits().header(3, 3, has_alpha=False).image().single(1, 1, 1, 100, 0).data
    odd("lossless-alpha-hint", file_of(chunk(b"VP8L", bits)),
        "pixels of alpha 100 in an image whose header says that there is none: what shows is up to the reader", ALL,
        otherwise=["Pillow"])
    odd("icc-behind-image", file_of(vp8x(HAS_PROFILE, 10, 9), image, profile), "the profile counts", ALL)
    odd("icc-flag-missing", file_of(head, profile, image), "a profile that VP8X does not announce", ALL)
    odd("icc-flag-only", file_of(vp8x(HAS_PROFILE, 10, 9), image), "VP8X announces a profile, and none comes", ALL)
    odd("icc-twice", file_of(vp8x(HAS_PROFILE, 10, 9), profile, chunk(b"ICCP", b"none"), image),
        "two profiles, of which the first counts", ALL)
    odd("exif-flag-missing", file_of(head, image, turn),
        "EXIF that VP8X does not announce counts for nothing", ALL)
    odd("exif-flag-only", file_of(vp8x(HAS_EXIF, 10, 9), image), "VP8X announces EXIF, and none comes", ALL)
    odd("2000-chunks", file_of(head, chunk(b"caLo") * 2000, image), "2000 chunks to be skipped", ALL)
    raw = ["dwebp", "libwebpdemux"]
    odd("raw-lossy", body_of(lossy, b"VP8 "), "image data without any chunk, and no signature", raw, sound=lossy)
    odd("raw-lossless", body_of(plain, b"VP8L"), "image data without any chunk, and no signature", raw, sound=plain)

    odd("alpha-flag-only", file_of(veiled_head, image),
        "VP8X says that there is alpha, and there is none: opaque, but WebPGetFeatures says that it has alpha, and "
        "libwebpdemux that it has not", ALL)

    # Image data.
    body = body_of(lossy, b"VP8 ")
    odd("lossy-short-last-byte", file_of(chunk(b"VP8 ", body[:-1])), "the last byte is missing, and not missed", ALL,
        sound=lossy)
    odd("lossy-cut-last-byte", lossy[:-1], "the last byte is missing, and not missed", demux_only, sound=lossy)
    odd("lossy-long", file_of(chunk(b"VP8 ", body + b"garbage!")), "bytes behind the image data in its chunk", ALL)
    odd("lossless-long", file_of(chunk(b"VP8L", body_of(plain, b"VP8L") + b"garbage!")),
        "bytes behind the image data in its chunk", ALL)
    data = file_of(chunk(b"VP8L", small_lossless(16383, 16383)))
    assert len(data) == 28
    odd("lossless-16383x16383", data,
        "a valid picture of 268 million pixels, all alike, in 28 bytes: a gigabyte must not be taken for it",
        ["dwebp", "libwebpdemux"], is_small=False)

    # Animations.
    def one(picture, **more):
        return Frame(image_of(lossless(picture)), **more)

    def file(*parts, flags=ANIMATED | HAS_ALPHA):
        return file_of(vp8x(flags, 4, 4), *parts)

    first, second = one(veil(4, 4, 1)), one(veil(2, 2, 2), x=2, y=2)
    sound = fixtures.files["animated-two.webp"]
    both = ["Pillow", "libwebpdemux"]
    odd("animation-anim-twice", file(anim(3), anim(5), first.chunk, second.chunk),
        "two ANIM, of which the first counts", both)
    odd("animation-anim-long", file(chunk(b"ANIM", anim()[8:] + b"xx"), first.chunk, second.chunk),
        "ANIM has two bytes too many", both)
    odd("animation-alpha-flag-missing", file(anim(), first.chunk, second.chunk, flags=ANIMATED),
        "the frames have alpha, and VP8X does not say so; Pillow leaves it out", both, sound=sound)
    small = one(letter(2, 2), x=2, y=2).chunk
    odd("animation-gap-alpha-flag-missing", file(anim(), small, flags=ANIMATED),
        "opaque frames that do not cover the canvas, and VP8X does not say that there is alpha", both,
        sound=file(anim(), small))
    odd("animation-frame-empty", file(anim(), first.chunk, chunk(b"ANMF", second.head), second.chunk),
        "a frame of nothing but its head between two others, which is no frame for libwebpdemux", both, sound=sound)
    for width, height in ((1, 1), (2, 1), (60, 40)):
        sized = second.head[:6] + number24(width - 1) + number24(height - 1) + second.head[12:]
        odd(f"animation-frame-{width}x{height}", file(anim(), first.chunk, chunk(b"ANMF", sized + second.image)),
            f"ANMF says {width}x{height} where the image is 2x2, which counts for libwebpdemux", both, sound=sound)
    tiny = Frame(chunk(b"VP8L", small_lossless(1, 1)), blend="source").chunk
    assert len(tiny) == 40
    for width, height in ((2**24, 255), (16383, 16383)):
        odd(f"animation-canvas-{width}x{height}", file_of(vp8x(ANIMATED | HAS_ALPHA, width, height), anim(), tiny),
            "a valid animation of one small frame on a canvas that no memory is to be taken for", demux_only,
            is_small=False)
    odd("animation-5000-frames", file_of(vp8x(ANIMATED | HAS_ALPHA, 1, 1), anim(), tiny * 5000),
        "a valid animation of 5000 frames of one pixel, each of which is R 0, G 1, B 1, A 1", both, is_small=False)


# ---------------------------------------------------------------------------


def listed(entries):
    """Returns one line for each entry, sorted by name."""
    lines = ",\n".join(json.dumps(entry) for entry in sorted(entries, key=lambda entry: entry["name"]))
    return f"[\n{lines}\n]\n".encode()


def make_all():
    fixtures = Fixtures()
    add_lossy(fixtures)
    add_alpha(fixtures)
    add_lossless(fixtures)
    add_orientations(fixtures)
    add_metadata(fixtures)
    add_accepted(fixtures)
    add_animations(fixtures)
    add_bad_files(fixtures)
    add_bad_lossy(fixtures)
    add_bad_lossless(fixtures)
    add_bad_animations(fixtures)
    add_odd_files(fixtures)
    fixtures.add_file("manifest.json", listed(fixtures.manifest))
    fixtures.add_file("odd.json", listed(fixtures.odd))
    return fixtures.files


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    files = make_all()
    if arguments:
        fixture_directory.check(files, FOLDER)
    fixture_directory.write(files, FOLDER)


if __name__ == "__main__":
    main(sys.argv[1:])
