#!/usr/bin/env python3
"""Makes the GIF test fixtures in the directory `Fixtures` next to this script.

    python3 make-fixtures.py            writes every fixture
    python3 make-fixtures.py --check    writes nothing; fails if a file in the
                                        directory is missing, different or unexpected
    python3 make-fixtures.py --compare  writes nothing; compares every file with the
                                        results of other decoders, and fails if an
                                        agreement or a difference is not the one that
                                        this script expects

Written for Python 3.11. All but three files need only its standard library. The others
are written by Pillow 13.0, GraphicsMagick 1.3.40 and gifsicle 1.93, so the interpreter
must have Pillow. --compare also needs ImageMagick 6.9.11 and giftool of giflib 5.2.1
(Debian: graphicsmagick, imagemagick, gifsicle, giflib-tools). Other versions may write
different, equally valid files.

The script contains its own GIF encoder, written from the specification (CompuServe,
Graphics Interchange Format, Version 89a), block by block, with an LZW encoder that
counts the pixels after each code. It draws each picture from a formula, so it knows
every index before any GIF exists. The canvases are composed from these indices, by the
rules that browsers share, and never read back from a GIF:

    the canvas is transparent at first, and the background color has no effect
    disposal 0, 1 and 4 to 7 keep the frame; 2 clears its region; 3 restores the region
    as before the frame, which is transparent before the first
    the transparent index leaves the canvas unchanged
    frames are clipped to the canvas. A side of 0 is as long as the first frame needs
    indices beyond the palette are black (as in Chrome; browsers do not agree)
    the last of several graphic control extensions applies, regardless of the blocks
    between it and the image; so does the last loop extension, at any position

If the three engines (Blink with Wuffs, Gecko, WebKit) agree on another result, it is in
`browsers` of the manifest: they treat disposal 4 as 3, and enlarge the canvas to a first
frame that exceeds it.

Its output:

    NAME.gif            a picture or an animation
    NAME.rgba           expected pixels: no header, rows from top to bottom, R G B A, 8
                        bits per sample, straight alpha; the canvas at each frame, one
                        after another. Transparent pixels are 0 0 0 0
    NAME-browsers.rgba  the pixels in browsers, if they differ
    manifest.json       the expected results of a reader, sorted by name: `width` and
                        `height` of the canvas; `hasAlpha`: whether a frame has a
                        transparent index, or a part of the canvas is left uncovered;
                        `loopCount`: the number of playbacks, 0 for endless. It is 1
                        without a loop extension, and otherwise one more than
                        `storedLoopCount` unless that is 0; `durations` in milliseconds
                        as stored; `frames` as stored, not clipped; `pixels` names the
                        .rgba file, which files with equal pixels share; `browsers`, if
                        present, has width, height and pixels in browsers
    icc.icc, xmp.xmp    the profile in icc.gif, the same as in the PNG fixtures, and the
                        packet in xmp.gif
    cut-*.gif           truncated files, which are otherwise valid
    cuts.json           the expected results for these: `frameCount` is the number of
                        frames with at least one row, whose canvases are in the .rgba
                        file, and `wholeFrameCount` that of complete frames. `rowCount`
                        is the number of complete rows of the last frame, in their
                        stored order, `blockRowCount` the same for a reader that needs
                        complete sub-blocks, such as giflib; both are null if all frames
                        are complete. Missing rows show the canvas before the frame.
                        `pixels` is null without any frame
    bad-FAULT.gif       a file with exactly the fault in its name
    odd-*.gif           an absurd file without a fault, or with a harmless one
    odd.json            the expected results for these. Files that are too large to keep
                        have `parts`: hexadecimal bytes and their repetitions, to be
                        joined; all files have `byteCount` and `sha256`
"""

import hashlib
import io
import json
import struct
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import fixture_directory  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "Fixtures"
PROFILE = FOLDER.parent.parent / "PNGCoder" / "Fixtures" / "icc.icc"

TRAILER = b";"
CONTROL, COMMENT, PLAIN_TEXT, APPLICATION = 0xF9, 0xFE, 0x01, 0xFF

KEEP, BACKGROUND, PREVIOUS = 1, 2, 3


# ---------------------------------------------------------------------------
# LZW


def lzw(pixels, size, clears=True, starts_clear=True, ends=True, longest=None, clears_at=None):
    """Returns the codes of a picture: (code, its number of bits, the number of pixels after it).

    If `clears` is true, the dictionary is cleared once it is full; otherwise it is used unchanged to the end. `longest`
    is the number of codes after which it is cleared in any case, `clears_at` the number of pixels.
    """
    clear, end = 1 << size, (1 << size) + 1
    codes = []
    bits, free, is_first = size + 1, end + 1, True

    def put(code, done):
        """Appends a code, and follows the state of a decoder, which learns one code from each but the first."""
        nonlocal bits, free, is_first
        codes.append((code, bits, done))
        if code == clear:
            bits, free, is_first = size + 1, end + 1, True
        elif code != end:
            free += not is_first and free < 4096
            is_first = False
            if free == 1 << bits and bits < 12:
                bits += 1

    singles = {bytes([value]): value for value in range(min(clear, 256))}
    table, since = dict(singles), 0
    if starts_clear:
        put(clear, 0)
    word = b""
    for done, pixel in enumerate(pixels):
        longer = word + bytes([pixel])
        if longer in table and done != clears_at:
            word = longer
            continue
        put(table[word], done)
        since += 1
        if (free == 4096 and clears) or since == longest or done == clears_at:
            put(clear, done)
            table, since = dict(singles), 0
        elif free < 4096:
            # The decoder learns it from the next code.
            table[longer] = free
        word = bytes([pixel])
    if word:
        put(table[word], len(pixels))
    if ends:
        put(end, len(pixels))
    return codes


def packed(codes):
    """Returns the bytes of codes, the first of which has the lowest bits."""
    value = place = 0
    out = bytearray()
    for code, bits, *_ in codes:
        assert code < 1 << bits
        value |= code << place
        place += bits
        while place >= 8:
            out.append(value & 255)
            value >>= 8
            place -= 8
    if place:
        out.append(value)
    return bytes(out)


def pixels_within(codes, byte_count):
    """Returns the number of pixels in the first bytes of a stream."""
    place = done = 0
    for _, bits, pixels in codes:
        place += bits
        if place > byte_count * 8:
            break
        done = pixels
    return done


# ---------------------------------------------------------------------------
# Blocks of a file


def screen(width, height, palette=None, version=b"89a", background=0, aspect=0, is_sorted=False):
    """Returns the header, the logical screen descriptor and the global palette."""
    flags = 0x70 | is_sorted << 3
    if palette is not None:
        flags |= 0x80 | size_field(palette)
    return b"GIF" + version + struct.pack("<HHBBB", width, height, flags, background, aspect) + colors(palette)


def size_field(palette):
    bits = len(palette).bit_length() - 1
    assert len(palette) == 1 << bits and 1 <= bits <= 8
    return bits - 1


def colors(palette):
    return bytes(value for color in palette or () for value in color)


def sub_blocks(data, size=255, ends=True):
    out = b"".join(bytes([len(data[i:i + size])]) + data[i:i + size] for i in range(0, len(data), size))
    return out + (b"\0" if ends else b"")


def extension(label, *blocks):
    return bytes([0x21, label]) + b"".join(bytes([len(block)]) + block for block in blocks) + b"\0"


def control(delay=0, disposal=0, transparent=None, waits=False):
    """Returns a graphic control extension."""
    flags = disposal << 2 | waits << 1 | (transparent is not None)
    return extension(CONTROL, struct.pack("<BHB", flags, delay, transparent or 0))


def loop(count, name=b"NETSCAPE2.0"):
    return extension(APPLICATION, name, struct.pack("<BH", 1, count))


def plain_text(text=b"plain text", width=20, height=2):
    grid = struct.pack("<HHHHBBBB", 1, 1, width, height, 2, 2, 1, 0)
    return extension(PLAIN_TEXT, grid, text)


def xmp(packet):
    """Returns an XMP extension. The packet is stored unmodified and read as sub-blocks; the bytes after it end them at
    any position."""
    return b"\x21\xff\x0bXMP DataXMP" + packet + b"\x01" + bytes(range(255, -1, -1)) + b"\0"


@dataclass
class Frame:
    """An image: its indices, its position on the canvas, its disposal, and the way it is written."""

    width: int
    height: int
    pixels: bytes
    x: int = 0
    y: int = 0
    palette: list = None
    disposal: int = 0
    delay: int = 0
    transparent: int = None
    is_interlaced: bool = False
    code_size: int = None
    # The arguments of `lzw` for the pixel data.
    coding: dict = field(default_factory=dict)
    block_size: int = 255
    # Whether to write a graphic control extension; None writes one if it is needed.
    has_control: bool = None
    # Blocks before and after the graphic control extension.
    before: bytes = b""
    between: bytes = b""

    @property
    def rows(self):
        """Returns the row of the picture for each stored row."""
        if not self.is_interlaced:
            return list(range(self.height))
        return [y for start, step in ((0, 8), (4, 8), (2, 4), (1, 2)) for y in range(start, self.height, step)]

    @property
    def stored(self):
        """Returns the indices in their stored order."""
        return b"".join(self.pixels[y * self.width:(y + 1) * self.width] for y in self.rows)

    @property
    def size(self):
        return self.code_size or max(2, max(self.pixels, default=0).bit_length())

    @property
    def codes(self):
        return lzw(self.stored, self.size, **self.coding)

    @property
    def head(self):
        """Returns everything before the sub-blocks."""
        says = self.disposal or self.delay or self.transparent is not None
        out = self.before
        if says if self.has_control is None else self.has_control:
            out += control(self.delay, self.disposal, self.transparent)
        flags = self.is_interlaced << 6
        if self.palette is not None:
            flags |= 0x80 | size_field(self.palette)
        out += self.between + b"," + struct.pack("<HHHHB", self.x, self.y, self.width, self.height, flags)
        return out + colors(self.palette) + bytes([self.size])

    @property
    def data(self):
        return self.head + sub_blocks(packed(self.codes), self.block_size)


def gif(frames, width=None, height=None, palette=None, before=b"", after=b"", **form):
    """Returns a file. Its canvas has the size of the first frame by default."""
    width = frames[0].width if width is None else width
    height = frames[0].height if height is None else height
    return screen(width, height, palette, **form) + before + b"".join(frame.data for frame in frames) + after + TRAILER


# ---------------------------------------------------------------------------
# Composition


def composed(frames, width, height, palette, previous=(PREVIOUS,), row_count=None):
    """Returns the canvas at each frame. Only the first `row_count` stored rows of the last frame are present."""
    canvas = bytearray(width * height * 4)
    out = []
    for index, frame in enumerate(frames):
        table = [bytes((*color, 255)) for color in frame.palette or palette or ()]
        table += [b"\0\0\0\xff"] * (256 - len(table))
        before = bytes(canvas)
        rows = frame.rows[:row_count] if index == len(frames) - 1 else frame.rows
        for y in rows:
            for x in range(frame.width):
                value = frame.pixels[y * frame.width + x]
                if value != frame.transparent and frame.x + x < width and frame.y + y < height:
                    at = ((frame.y + y) * width + frame.x + x) * 4
                    canvas[at:at + 4] = table[value]
        out.append(bytes(canvas))
        if frame.disposal in previous:
            canvas = bytearray(before)
        elif frame.disposal == BACKGROUND:
            for y in range(frame.y, min(frame.y + frame.height, height)):
                for x in range(frame.x, min(frame.x + frame.width, width)):
                    at = (y * width + x) * 4
                    canvas[at:at + 4] = bytes(4)
    return out


def can_be_transparent(frames, width, height):
    """Returns whether a frame has a transparent index, or leaves a part of the canvas uncovered."""
    if any(frame.transparent is not None for frame in frames):
        return True
    opaque = [replace(frame, pixels=bytes(frame.width * frame.height), is_interlaced=False) for frame in frames]
    canvases = composed(opaque, width, height, [])
    return any(0 in canvas[3::4] for canvas in canvases)


# ---------------------------------------------------------------------------
# Pictures


def rainbow(count, seed=0):
    """Returns a palette of distinct colors, without the three that decoders substitute: black, white and gray."""
    return [((k * 77 + seed * 31 + 20) % 256, (k * 149 + 90 + seed * 5) % 256, (200 - k * 37 + seed) % 256)
            for k in range(count)]


def noise(count, values, seed=0):
    """Returns numbers without a pattern."""
    state, out = 12345 + seed * 7919, bytearray()
    for _ in range(count):
        state = (state * 1103515245 + 12345) % 2**31
        out.append((state >> 16) % values)
    return bytes(out)


def drawn(width, height, count, seed=0, **more):
    """Returns noise, with runs in every third row, so that both long and short codes occur."""
    jumps = noise(width * height, count, seed)
    pixels = bytearray()
    for y in range(height):
        for x in range(width):
            runs = (x // 5 + y + seed) % count
            pixels.append(runs if y % 3 == 2 else jumps[y * width + x])
    if width * height >= 2 * count:
        # Every index occurs.
        pixels[:count] = bytes((k * 5 + seed) % count if count % 5 else k for k in range(count))
        assert set(pixels) == set(range(count))
    return Frame(width, height, bytes(pixels), **more)


def pairs(count, values):
    """Returns values in which no pair occurs twice, so that an encoder cannot shorten them.

    Source: the necklaces of Fredricksen, Kessler and Maiorana, which form a de Bruijn sequence.
    """
    out = bytearray()
    for a in range(values):
        out.append(a)
        for b in range(a + 1, values):
            out += bytes((a, b))
    out.append(0)
    assert len(out) > count
    return bytes(out[:count])


# ---------------------------------------------------------------------------
# Parsing


def parsed(data):
    """Returns the parts of a valid file: the canvas, the global palette, the frames without pixels, each with its LZW
    data, and the loop extensions."""
    width, height, flags = struct.unpack_from("<HHB", data, 6)
    at = 13

    def read_palette(flags):
        nonlocal at
        if not flags & 0x80:
            return None
        start, at = at, at + (6 << (flags & 7))
        return [tuple(data[k:k + 3]) for k in range(start, at, 3)]

    def read_blocks():
        nonlocal at
        blocks = []
        while data[at]:
            blocks.append(data[at + 1:at + 1 + data[at]])
            assert len(blocks[-1]) == data[at]
            at += data[at] + 1
        at += 1
        return blocks

    palette = read_palette(flags)
    frames, loops, said = [], [], {}
    while at < len(data) and data[at] in b"!,":
        if data[at] == 0x21:
            label = data[at + 1]
            at += 2
            blocks = read_blocks()
            if label == CONTROL:
                flags, delay, index = struct.unpack("<BHB", blocks[0])
                said = {"disposal": flags >> 2 & 7, "delay": delay, "transparent": index if flags & 1 else None}
            elif label == APPLICATION and blocks[0] in (b"NETSCAPE2.0", b"ANIMEXTS1.0"):
                loops += [struct.unpack("<H", block[1:])[0] for block in blocks[1:] if block[0] & 7 == 1]
        else:
            x, y, w, h, flags = struct.unpack_from("<HHHHB", data, at + 1)
            at += 10
            local = read_palette(flags)
            frame = Frame(w, h, b"", x, y, local, is_interlaced=bool(flags & 0x40), code_size=data[at], **said)
            at += 1
            frames.append((frame, b"".join(read_blocks())))
            said = {}
    return width, height, palette, frames, loops


def stated(frame):
    return {
        "x": frame.x,
        "y": frame.y,
        "width": frame.width,
        "height": frame.height,
        "disposal": frame.disposal,
        "isInterlaced": frame.is_interlaced,
        "hasLocalPalette": frame.palette is not None,
        "transparentIndex": frame.transparent,
    }


def entry_lines(entries):
    """Returns JSON with one line for each entry."""
    lines = [json.dumps(entry, separators=(",", ":")) for entry in sorted(entries, key=lambda entry: entry["name"])]
    return ("[\n" + ",\n".join(lines) + "\n]\n").encode()


# ---------------------------------------------------------------------------
# Good files


class Fixtures:
    """All files to write, by name, and the entries of manifest.json, cuts.json and odd.json."""

    def __init__(self):
        self.files = {}
        self.manifest = []
        self.cuts = []
        self.odd = []
        self.pixels = {}

    def add_file(self, name, data):
        assert name not in self.files, name
        self.files[name] = data

    def add_pixels(self, name, width, height, canvases):
        """Returns the name of the .rgba file, which may be that of an earlier picture."""
        expected = b"".join(canvases)
        assert len(expected) == width * height * 4 * len(canvases)
        shared = self.pixels.setdefault((width, height, expected), name)
        if shared == name:
            self.add_file(name + ".rgba", expected)
        return shared

    def add(self, name, frames, width=None, height=None, palette=None, loops=None, browsers=None, canvas=None,
            data=None, canvases=None, **form):
        """Adds a file. `loops` is the value of the effective loop extension. `canvas` is the size that a reader
        determines. `data` is the file if it is not written from the frames. For a file from another program, `canvases`
        are given instead of the frames."""
        if data is None:
            data = gif(frames, width, height, palette, **form)
        stored_width, stored_height, palette_found, found, loops_found = parsed(data)
        width, height = canvas or (stored_width, stored_height)
        found = [frame for frame, _ in found]
        assert palette_found == palette or frames is None, name
        assert loops == (loops_found[-1] if loops_found else None), name
        if frames is None:
            frames = found
        else:
            canvases = composed(frames, width, height, palette)
        assert [(stated(frame), frame.delay) for frame in frames] == [(stated(frame), frame.delay) for frame in found]
        has_alpha = can_be_transparent(frames, width, height)
        assert len(canvases) == len(frames)
        assert has_alpha or all(set(canvas[3::4]) == {255} for canvas in canvases)
        self.add_file(name + ".gif", data)
        if browsers:
            (browser_width, browser_height), browser_canvases = browsers
            browsers = {
                "width": browser_width,
                "height": browser_height,
                "pixels": self.add_pixels(name + "-browsers", browser_width, browser_height, browser_canvases),
            }
        self.manifest.append({
            "name": name,
            "width": width,
            "height": height,
            "version": data[3:6].decode(),
            "hasAlpha": has_alpha,
            "frameCount": len(frames),
            "loopCount": 1 if loops is None else loops + 1 if loops else 0,
            **({} if loops is None else {"storedLoopCount": loops}),
            "durations": [frame.delay * 10 for frame in frames],
            "frames": [stated(frame) for frame in frames],
            "pixels": self.add_pixels(name, width, height, canvases),
            **({"browsers": browsers} if browsers else {}),
        })


SMALL = (13, 9)
SIXTEEN = rainbow(16)
FOUR = rainbow(4)


def add_versions_and_sizes(fixtures):
    small = drawn(*SMALL, 16)
    fixtures.add("version-87a", [small], palette=SIXTEEN, version=b"87a")
    fixtures.add("version-89a", [small], palette=SIXTEEN)
    # The extensions of 89a have an effect in 87a as well.
    shown = replace(small, transparent=3, delay=7, disposal=BACKGROUND)
    fixtures.add("version-87a-control", [shown], palette=SIXTEEN, version=b"87a")
    # Gecko and WebKit use the first frame of 87a as the canvas; Blink does not.
    fixtures.add("version-87a-smaller-frame", [drawn(9, 7, 16, x=3, y=2)], 16, 12, SIXTEEN, version=b"87a")
    for width, height in ((1, 1), (3, 5), (1, 17), (17, 1), (17, 33), (64, 48)):
        frame = drawn(width, height, 16, seed=width + height)
        fixtures.add(f"size-{width}x{height}", [frame], palette=SIXTEEN)
    interlaced = drawn(64, 48, 16, seed=64 + 48, is_interlaced=True)
    fixtures.add("size-64x48-interlaced", [interlaced], palette=SIXTEEN)
    fixtures.add("aspect-ratio", [small], palette=SIXTEEN, aspect=17)
    fixtures.add("sorted", [small], palette=SIXTEEN, is_sorted=True)


def add_lzw(fixtures):
    """Adds the choices of an encoder, and the positions at which codes grow."""
    # With a code for each pixel, codes grow after the 3rd and the 11th for size 2, and after the 255th and the 767th
    # for size 8.
    for size, counts in ((2, (2, 3, 4, 10, 11, 12)), (8, (254, 255, 256, 768))):
        palette = FOUR if size == 2 else rainbow(128)
        for count in counts:
            frame = Frame(count, 1, pairs(count, 4 if size == 2 else 100), code_size=size)
            assert len(frame.codes) == count + 2
            fixtures.add(f"edge-{size}-{count}", [frame], palette=palette)

    # The dictionary becomes full and is cleared, or is used to the end without a clear.
    grain = Frame(300, 200, noise(60000, 2))
    assert [code for code, *_ in grain.codes].count(4) == 2
    fixtures.add("noise-300x200", [grain], palette=FOUR)
    deferred = replace(grain, coding={"clears": False})
    assert [code for code, *_ in deferred.codes].count(4) == 1
    fixtures.add("noise-300x200-deferred", [deferred], palette=FOUR)
    # Or the code that fills it is followed only by the end code: the 4091st.

    def rest(at):
        return len(lzw(grain.pixels[at:], 2, clears=False, starts_clear=False, ends=False))

    low, high = 0, 60000
    while low < high:
        at = (low + high) // 2
        low, high = (at + 1, high) if rest(at) > 4091 else (low, at)
    # More pixels do not always need more codes.
    at = next(at for at in range(low - 100, low + 100) if rest(at) == 4091)
    full = replace(grain, coding={"clears_at": at})
    assert [code for code, *_ in full.codes[-4092:]].count(4) == 0 and full.codes[-4093][0] == 4
    assert [bits for _, bits, _ in full.codes[-2:]] == [12, 12]
    fixtures.add("noise-300x200-full-at-end", [full], palette=FOUR)

    for count in (2, 4, 8, 16, 32, 64, 128, 256):
        frame = drawn(max(13, count // 8), 17, count, seed=count)
        assert frame.size == max(2, (count - 1).bit_length())
        fixtures.add(f"colors-{count}", [frame], palette=rainbow(count))
    # Larger than the palette requires.
    for size in (3, 8):
        fixtures.add(f"code-size-{size}-of-4-colors", [drawn(13, 17, 4, code_size=size)], palette=FOUR)

    small = drawn(*SMALL, 16)

    def add(name, **coding):
        fixtures.add(f"lzw-{name}", [replace(small, coding=coding)], palette=SIXTEEN)

    def add_stream(name, stream, after=b"", size=255):
        data = screen(*SMALL, SIXTEEN) + small.head + sub_blocks(stream, size) + after + TRAILER
        fixtures.add(f"lzw-{name}", [small], palette=SIXTEEN, data=data)

    add("no-first-clear", starts_clear=False)
    add("no-end", ends=False)
    add("often-cleared", longest=20)
    # Each code is a single pixel, as written by encoders while LZW was patented.
    add("uncompressed", longest=1)
    codes, stream = small.codes, packed(small.codes)
    add_stream("one-byte-blocks", stream, size=1)
    add_stream("block-254", stream, size=254)
    assert len(stream) < 255
    add_stream("codes-after-end", packed(codes + [(code, codes[-1][1]) for code in (3, 7, 2, 1, 3, 16)]))
    add_stream("bytes-after-end", stream + noise(600, 256))
    assert codes[0] == (16, 5, 0)
    add_stream("cleared-twice", packed(codes[:1] * 3 + codes[1:]))
    add_stream("cleared-before-end", packed(codes[:-1] + [(16, codes[-1][1]), (17, 5)]))
    # As written by old versions of gifsicle: the end code has the code length before the last code.
    narrow = Frame(11, 1, pairs(11, 4))
    codes = narrow.codes
    assert codes[-1][1] == 5 and codes[-2][1] == 4
    data = screen(11, 1, FOUR) + narrow.head + sub_blocks(packed(codes[:-1] + [(5, 4)])) + TRAILER
    fixtures.add("lzw-narrow-end", [narrow], palette=FOUR, data=data)
    # Twice as many pixels as fit.
    twice = lzw(small.pixels + noise(13 * 9, 16, seed=9), 4)
    add_stream("too-long", packed(twice))
    # More empty sub-blocks after the one that ends the data. To a decoder they are an unknown block.
    add_stream("empty-blocks-after", stream, after=bytes(3))


def add_interlaced(fixtures):
    for height in (*range(1, 18), 64):
        frame = drawn(5, height, 16, seed=height, is_interlaced=True)
        fixtures.add(f"interlaced-{height}", [frame], palette=SIXTEEN)
    frame = drawn(15, 13, 16, seed=3, is_interlaced=True, transparent=5)
    fixtures.add("interlaced-transparent", [frame], palette=SIXTEEN)
    frames = [drawn(14, 11, 16), drawn(9, 7, 16, seed=2, x=4, y=3, is_interlaced=True, transparent=1, disposal=KEEP),
              drawn(14, 11, 16, seed=4, is_interlaced=True, transparent=2, disposal=KEEP)]
    fixtures.add("interlaced-frames", frames, palette=SIXTEEN)
    frames = [drawn(14, 11, 16), drawn(13, 17, 16, seed=2, x=4, y=3, is_interlaced=True)]
    fixtures.add("interlaced-exceeding", frames, palette=SIXTEEN)


def add_palettes(fixtures):
    frame = drawn(15, 13, 8, seed=1)
    other = rainbow(8, seed=9)
    fixtures.add("palette-global", [frame], palette=other)
    fixtures.add("palette-local", [replace(frame, palette=other)])
    fixtures.add("palette-both", [replace(frame, palette=other)], palette=rainbow(32))
    frames = [drawn(12, 10, count, seed=count, palette=rainbow(count, seed=count)) for count in (2, 16, 64)]
    fixtures.add("palette-each-local", frames)
    frames = [drawn(12, 10, 4), drawn(12, 10, 16, seed=2, palette=SIXTEEN), drawn(12, 10, 4, seed=3, x=2, y=1)]
    fixtures.add("palette-mixed", frames, 14, 11, palette=FOUR)
    # Browsers differ: black, transparent, or the lower bits of the index.
    beyond = drawn(15, 13, 16, seed=6)
    fixtures.add("palette-beyond", [beyond], palette=FOUR)
    fixtures.add("palette-beyond-local", [replace(beyond, palette=FOUR)], palette=rainbow(32))
    # Here they agree.
    pixels = bytes(value if value < 4 else 9 for value in beyond.pixels)
    fixtures.add("palette-beyond-transparent", [replace(beyond, pixels=pixels, transparent=9)], palette=FOUR)
    fixtures.add("background-index", [drawn(9, 7, 16, x=3, y=2)], 16, 12, SIXTEEN, background=2)
    fixtures.add("background-beyond", [drawn(9, 7, 4, x=3, y=2)], 16, 12, FOUR, background=200)


def add_transparency(fixtures):
    frame = drawn(15, 13, 16, seed=4)
    fixtures.add("transparent", [replace(frame, transparent=6)], palette=SIXTEEN)
    fixtures.add("transparent-0", [replace(frame, transparent=0)], palette=SIXTEEN)
    last = bytes(255 if value > 200 else value for value in noise(13 * 9, 256))
    fixtures.add("transparent-255", [Frame(*SMALL, last, transparent=255)], palette=rainbow(256))
    unused = drawn(15, 13, 8, seed=4)
    fixtures.add("transparent-unused", [replace(unused, transparent=15)], palette=SIXTEEN)
    fixtures.add("transparent-all", [Frame(15, 13, bytes(15 * 13), transparent=0)], palette=FOUR)
    # There is an index, but the flag is not set.
    flagless = extension(CONTROL, struct.pack("<BHB", 0, 0, 6))
    fixtures.add("transparent-flag-missing", [replace(frame, between=flagless)], palette=SIXTEEN)
    local = replace(frame, transparent=6, palette=rainbow(16, seed=3))
    fixtures.add("transparent-local", [local], palette=rainbow(32))


def film(count=3, **more):
    """Returns a short animation with easily distinguishable frames."""
    return [drawn(9, 7, 4, seed=k, delay=5 + k, **more) for k in range(count)]


def add_extensions(fixtures):
    profile = PROFILE.read_bytes()
    packet = (b'<?xpacket begin="\xef\xbb\xbf" id="W5M0MpCehiHzreSzNTczkc9d"?>'
              b'<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">'
              b'<rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:source>caf\xc3\xa9'
              b'</dc:source></rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>')
    fixtures.add_file("icc.icc", profile)
    fixtures.add_file("xmp.xmp", packet)
    small = drawn(*SMALL, 16)
    icc = b"\x21\xff\x0bICCRGBG1012" + sub_blocks(profile)
    long_comment = b"\x21\xfe" + sub_blocks(b"A comment that takes more than one sub-block. " * 14)
    pictures = {
        "comment": extension(COMMENT, b"A comment"),
        "comment-long": long_comment,
        "comment-empty": extension(COMMENT),
        "icc": icc,
        "xmp": xmp(packet),
        "icc-xmp-comment": icc + xmp(packet) + extension(COMMENT, b"A comment"),
        "extension-unknown": extension(0x42, b"who knows", b"\0\1\2;,!") + extension(0x99),
        "application-unknown": extension(APPLICATION, b"CALOTYPE1.0", b"data", b"more"),
        "application-short": extension(APPLICATION, b"SHORT", b"data"),
        "plain-text": control(9, BACKGROUND, 1) + plain_text(),
    }
    for name, blocks in pictures.items():
        fixtures.add(name, [replace(small, before=blocks, has_control=True)], palette=SIXTEEN)
    fixtures.add("comment-after", [small], palette=SIXTEEN, after=extension(COMMENT, b"The end"))
    # By the specification the control belongs to the text. Browsers ignore text and apply it to the image.
    shown = replace(small, between=plain_text() + extension(COMMENT, b"between"), transparent=3, delay=8)
    fixtures.add("plain-text-control", [shown], palette=SIXTEEN)
    user = replace(small, between=control(4, KEEP, 2, waits=True), delay=4, disposal=KEEP, transparent=2)
    fixtures.add("control-waits", [replace(user, has_control=False)], palette=SIXTEEN)
    several = replace(small, before=control(50, BACKGROUND, 0) + control(9, PREVIOUS, 4), delay=7, disposal=KEEP)
    fixtures.add("controls-several", [several, drawn(5, 4, 16, x=3, y=2)], palette=SIXTEEN)
    fixtures.add("control-at-end", film(), palette=FOUR, after=control(77, BACKGROUND, 1))
    controlled = [replace(small, disposal=KEEP, delay=3, transparent=1), drawn(*SMALL, 16, seed=3)]
    # The control of the first frame does not apply to the second.
    fixtures.add("control-first-only", controlled, palette=SIXTEEN)


def add_loops(fixtures):
    for count in (0, 1, 3, 65535):
        fixtures.add(f"loop-{count}", film(), palette=FOUR, before=loop(count), loops=count)
    fixtures.add("loop-none", film(), palette=FOUR)
    fixtures.add("loop-animexts", film(), palette=FOUR, before=loop(4, b"ANIMEXTS1.0"), loops=4)
    fixtures.add("loop-twice", film(), palette=FOUR, before=loop(3) + loop(5), loops=5)
    late = film()
    late[1] = replace(late[1], before=loop(6))
    fixtures.add("loop-after-frame", late, palette=FOUR, loops=6)
    fixtures.add("loop-at-end", film(), palette=FOUR, after=loop(7), loops=7)
    fixtures.add("loop-still", [drawn(*SMALL, 16)], palette=SIXTEEN, before=loop(0), loops=0)
    # Netscape's other sub-block: the number of bytes to buffer before playback.
    buffering = extension(APPLICATION, b"NETSCAPE2.0", struct.pack("<BI", 2, 1000))
    fixtures.add("loop-buffering", film(), palette=FOUR, before=buffering)
    delayed = [replace(frame, delay=delay) for frame, delay in zip(film(5), (0, 1, 2, 10, 65535))]
    fixtures.add("delays", delayed, palette=FOUR, before=loop(0), loops=0)


def add_disposals(fixtures):
    whole = drawn(9, 8, 16, seed=1, delay=10)
    places = ((5, 4, 1, 1), (3, 6, 5, 1), (9, 3, 0, 4))

    def frames(disposal, transparent=3):
        """Returns frames of which the first stays, so that the disposal of the others is visible."""
        out = [replace(whole, disposal=KEEP, transparent=transparent)]
        for k, (w, h, x, y) in enumerate(places):
            out.append(drawn(w, h, 16, seed=k + 2, x=x, y=y, disposal=disposal, transparent=transparent, delay=10))
        return out

    assert len({b"".join(composed(frames(disposal), 9, 8, SIXTEEN)) for disposal in range(8)}) == 3

    for disposal in range(8):
        browsers = None
        if disposal == 4:
            # Some decoders treat it like 3.
            browsers = ((9, 8), composed(frames(4), 9, 8, SIXTEEN, previous=(PREVIOUS, 4)))
        fixtures.add(f"disposal-{disposal}", frames(disposal), palette=SIXTEEN, browsers=browsers)
    # The background color is ignored.
    opaque = frames(BACKGROUND, transparent=None)
    fixtures.add("disposal-2-opaque", opaque, palette=SIXTEEN, background=4)

    def mixed(*disposals):
        out = []
        for k, disposal in enumerate(disposals):
            w, h, x, y = (9, 8, 0, 0) if k == 0 else places[k % 3]
            out.append(drawn(w, h, 16, seed=k, x=x, y=y, disposal=disposal, transparent=k % 3 or None))
        return out

    fixtures.add("disposal-mixed", mixed(1, 3, 3, 2, 1, 3, 2, 2, 0, 3, 1, 3), palette=SIXTEEN)
    fixtures.add("disposal-3-first", mixed(3, 1, 3, 1), palette=SIXTEEN)
    fixtures.add("disposal-2-first", mixed(2, 1, 2, 3, 1), palette=SIXTEEN)
    # Disposal 3 restores the canvas of the previous frame, which was to be cleared: transparent.
    fixtures.add("disposal-2-3", mixed(1, 2, 3, 2, 3, 0), palette=SIXTEEN)
    # The canvas is always covered, regardless of disposal.
    covered = [replace(frame, disposal=disposal) for frame, disposal in zip(film(4), (2, 3, 2, 3))]
    fixtures.add("disposal-covered", covered, palette=FOUR)


def add_places(fixtures):
    whole = drawn(10, 8, 16, seed=1)
    smaller = [drawn(6, 5, 16, x=2, y=1, delay=1), drawn(3, 3, 16, seed=2, x=6, y=4, delay=2)]
    fixtures.add("frame-first-smaller", smaller, 10, 8, SIXTEEN)
    fixtures.add("frame-smaller", [whole, *smaller], palette=SIXTEEN)
    # The first frame is at the lower right.
    corner = [drawn(3, 3, 16, seed=2, x=7, y=5, delay=2), drawn(6, 5, 16, seed=3, delay=1)]
    fixtures.add("frame-first-corner", corner, 10, 8, SIXTEEN)
    last = drawn(3, 3, 16, seed=6, x=1, y=1)
    for disposal in (KEEP, BACKGROUND, PREVIOUS):
        partly = [whole, drawn(6, 5, 16, seed=3, x=7, y=5, disposal=disposal, transparent=2),
                  drawn(14, 3, 16, seed=4, y=3, disposal=disposal), drawn(3, 20, 16, seed=5, x=2, disposal=disposal)]
        fixtures.add(f"frame-exceeding-{disposal}", [*partly, last], palette=SIXTEEN)
        wholly = [whole, drawn(6, 5, 16, seed=3, x=10, y=3, disposal=disposal),
                  drawn(3, 3, 16, seed=5, x=2, y=40, disposal=disposal),
                  drawn(3, 3, 16, seed=6, x=65535, y=65535, disposal=disposal)]
        fixtures.add(f"frame-outside-{disposal}", [*wholly, last], palette=SIXTEEN)
    first = drawn(14, 11, 16, seed=7)
    grown = ((14, 11), composed([first, smaller[1]], 14, 11, SIXTEEN))
    fixtures.add("frame-first-exceeding", [first, smaller[1]], 10, 8, SIXTEEN, browsers=grown)
    # Blink enlarges the canvas. Gecko and WebKit do not, since the frame alone would fit.
    fixtures.add("frame-first-shifted", [replace(whole, x=4, y=2), smaller[1]], 10, 8, SIXTEEN)

    frames = [drawn(6, 5, 16, x=2, y=1), drawn(7, 3, 16, seed=2, x=3, y=4)]
    fixtures.add("screen-0x0", frames, 0, 0, SIXTEEN, canvas=(8, 6))
    fixtures.add("screen-0x12", frames, 0, 12, SIXTEEN, canvas=(8, 12))
    fixtures.add("screen-12x0", frames, 12, 0, SIXTEEN, canvas=(12, 6))
    fixtures.add("screen-0x0-still", [drawn(*SMALL, 16)], 0, 0, SIXTEEN, canvas=SMALL)


def add_accepted(fixtures):
    """Adds files that are unusual, but unambiguous."""
    small = drawn(*SMALL, 16)
    data = gif([small], palette=SIXTEEN)
    fixtures.add("missing-trailer", [small], palette=SIXTEEN, data=data[:-1])
    frames = film()
    fixtures.add("missing-trailer-frames", frames, palette=FOUR, data=gif(frames, palette=FOUR)[:-1])
    # More frames, and noise.
    trailing = drawn(*SMALL, 16, seed=9).data + noise(100, 256)
    fixtures.add("bytes-after-trailer", [small], palette=SIXTEEN, data=data + trailing)


def add_animations(fixtures):
    """Adds longer animations."""

    def moving(count, covering=None):
        frames = [drawn(6, 5, 8, seed=50)]
        for k in range(1, count):
            w, h = 1 + k * 5 % 4, 1 + k * 3 % 4
            frames.append(drawn(
                w, h, 8, seed=k, x=k * 7 % (7 - w), y=k * 5 % (6 - h), delay=2 + k % 3,
                disposal=(KEEP, BACKGROUND, PREVIOUS, KEEP)[k % 4], transparent=(None, 1, 7)[k % 3]))
        if covering is not None:
            frames[covering] = drawn(6, 5, 8, seed=99, delay=4, disposal=KEEP)
        return frames

    fixtures.add("animation-12", moving(12, covering=9), palette=rainbow(8), before=loop(0), loops=0)
    fixtures.add("animation-44", moving(44), palette=rainbow(8), before=loop(2), loops=2)
    # The smallest canvas: one pixel.
    frames = [Frame(1, 1, bytes([k]), delay=k) for k in range(4)]
    fixtures.add("animation-1x1", frames, palette=FOUR, before=loop(0), loops=0)


# ---------------------------------------------------------------------------
# Files made by other programs


def run(*command, data=b""):
    return subprocess.run(command, input=data, capture_output=True, check=True).stdout


def scenes():
    """Returns pictures in few colors, with moving and transparent parts."""
    out = []
    for k in range(5):
        pixels = bytearray(18 * 12)
        for y in range(12):
            for x in range(18):
                inside = 3 * k <= x < 3 * k + 5 and 2 + k <= y < 7 + k
                pixels[y * 18 + x] = 5 + (x + y) % 2 if inside else 0 if y < 2 and x > 3 * k else 1 + x * y // 16 % 4
        out.append(Frame(18, 12, bytes(pixels), transparent=0, disposal=BACKGROUND, delay=6 + k))
    return out


def add_made_by_others(fixtures):
    from PIL import Image

    palette = rainbow(8)
    frames = scenes()
    canvases = composed(frames, 18, 12, palette)
    data = gif(frames, palette=palette, before=loop(0))

    made = run("gifsicle", "--no-warnings", "-O3", data=data)
    assert made != data
    fixtures.add("made-by-gifsicle", None, data=made, loops=0, canvases=canvases)

    pictures = [Image.frombytes("RGBA", (18, 12), canvas) for canvas in canvases]
    out = io.BytesIO()
    pictures[0].save(out, "GIF", save_all=True, append_images=pictures[1:], duration=[60, 70, 80, 90, 100], loop=4,
                     disposal=2)
    fixtures.add("made-by-pillow", None, data=out.getvalue(), loops=4, canvases=canvases)

    # Its interlaced output is no longer the same picture; this output is.
    made = run("gm", "convert", "gif:-", "gif:-", data=data)
    assert made != data
    fixtures.add("made-by-graphicsmagick", None, data=made, loops=0, canvases=canvases)


# ---------------------------------------------------------------------------
# Partial files


def add_cuts(fixtures):
    def add(name, data, frames, whole_frame_count, row_count=None, block_row_count=None, width=None, height=None,
            palette=SIXTEEN):
        """Adds a truncated file. `frames` are those with at least one row. The last one has `row_count` rows."""
        width, height = width or frames[0].width, height or frames[0].height
        canvases = composed(frames, width, height, palette, row_count=row_count)
        fixtures.add_file(f"cut-{name}.gif", data)
        fixtures.cuts.append({
            "name": f"cut-{name}",
            "width": width,
            "height": height,
            "version": data[3:6].decode(),
            "frameCount": len(frames),
            "wholeFrameCount": whole_frame_count,
            "rowCount": row_count,
            "blockRowCount": block_row_count,
            "durations": [frame.delay * 10 for frame in frames],
            "frames": [stated(frame) for frame in frames],
            "pixels": fixtures.add_pixels(f"cut-{name}", width, height, canvases) if frames else None,
        })

    def cut_in_data(name, frames, index, part, palette=SIXTEEN, width=None, height=None):
        """Truncates a file so that `part` of the LZW data of a frame is present."""
        frame = frames[index]
        stream = packed(frame.codes)
        blocks = sub_blocks(stream, frame.block_size, ends=False)
        there = int(len(blocks) * part)
        head = screen(width or frames[0].width, height or frames[0].height, palette)
        head += b"".join(one.data for one in frames[:index]) + frame.head
        whole, rest = divmod(there, frame.block_size + 1)
        in_blocks = whole * frame.block_size
        row_count = pixels_within(frame.codes, in_blocks + max(0, rest - 1)) // frame.width
        block_row_count = pixels_within(frame.codes, in_blocks) // frame.width
        assert 0 < row_count < frame.height
        add(name, head + blocks[:there], frames[:index + 1], index, row_count, block_row_count, width, height, palette)

    large = drawn(23, 25, 16, seed=2)
    cut_in_data("plain", [large], 0, 0.85)
    still = drawn(15, 17, 16, seed=2, block_size=40)
    cut_in_data("interlaced", [replace(still, is_interlaced=True)], 0, 0.55)
    cut_in_data("interlaced-first-pass", [replace(still, is_interlaced=True)], 0, 0.15)
    cut_in_data("transparent", [replace(still, transparent=4)], 0, 0.7)
    five = [drawn(13, 11, 4, seed=k, delay=4 + k) for k in range(2)]
    five += [drawn(10, 8, 4, seed=k, x=2, y=3, delay=4 + k, disposal=KEEP, transparent=2) for k in range(2, 5)]
    cut_in_data("frame-3", five, 2, 0.6, FOUR)
    cut_in_data("frame-3-interlaced", [replace(frame, is_interlaced=True) for frame in five], 2, 0.6, FOUR)
    # All rows are present, but not the end of the data; or only the last byte, with the end code, is missing.
    data, stream = gif([still], palette=SIXTEEN), packed(still.codes)
    add("before-terminator", data[:-2], [still], 0, 17, 17)
    assert pixels_within(still.codes, len(stream) - 1) == 15 * 17
    whole = len(stream) // 40 * 40
    add("last-byte", data[:-3], [still], 0, 17, pixels_within(still.codes, whole) // 15)

    # All present frames are complete.
    two = gif(five, palette=FOUR)
    head = len(screen(13, 11, FOUR)) + len(five[0].data) + len(five[1].data)
    add("frame-descriptor", two[:head + 8 + 6], five[:2], 2, palette=FOUR)
    add("control", two[:head + 5], five[:2], 2, palette=FOUR)
    small = [drawn(15, 13, 16, seed=k, delay=3) for k in range(2)]
    commented = [small[0], replace(small[1], before=extension(COMMENT, b"A comment that is cut"))]
    start = len(screen(15, 13, SIXTEEN)) + len(small[0].data)
    add("extension", gif(commented, palette=SIXTEEN)[:start + 12], small[:1], 1)
    local = [small[0], replace(small[1], palette=rainbow(16, seed=4))]
    end_of_palette = start + len(local[1].head) - 1
    add("local-palette", gif(local, palette=SIXTEEN)[:end_of_palette - 20], small[:1], 1)
    # No frame is present.
    only = gif(small[:1], palette=SIXTEEN, before=extension(COMMENT, b"A comment that is cut"))
    add("global-palette", only[:13 + 30], [], 0, width=15, height=13)
    add("extension-before-frame", only[:13 + 48 + 12], [], 0, width=15, height=13)
    add("code-size", gif(small[:1], palette=SIXTEEN)[:start - len(small[0].data) + len(small[0].head)], [], 0,
        width=15, height=13)


# ---------------------------------------------------------------------------
# Bad files


def add_bad_files(fixtures):
    """Adds files with one fault each, which are otherwise valid. The behavior of browsers is known from their sources;
    for Blink, Wuffs was used."""

    def bad(name, data):
        fixtures.add_file(f"bad-{name}.gif", data)

    small = drawn(*SMALL, 16)
    top = screen(*SMALL, SIXTEEN)
    good = gif([small], palette=SIXTEEN)
    codes, stream = small.codes, packed(small.codes)

    bad("empty", b"")
    bad("signature-only", good[:6])
    # No browser accepts it; giflib checks only the first three letters.
    bad("version", b"GIF88b" + good[6:])
    bad("header-cut", good[:10])
    bad("no-image", top + TRAILER)
    bad("no-image-but-control", top + control(7, KEEP, 2) + TRAILER)
    # Black in Blink, white in Gecko, transparent in WebKit, gray levels in Pillow. giflib decodes it without a palette.
    bad("no-palette", gif([small]))
    # Empty in Blink. In Gecko and WebKit it has the size of the canvas, for which the data is too short.
    empty = Frame(0, 0, b"", code_size=4)
    bad("frame-0x0", gif([empty], *SMALL, SIXTEEN))
    bad("frame-0x9", gif([replace(empty, height=9)], *SMALL, SIXTEEN))
    bad("descriptor-cut", top + small.head[:6])

    # Two colors would need 1, but the specification requires 2, since with 1 codes would grow before anything is
    # learned. Blink and giflib support it, Gecko and WebKit do not.
    two = drawn(*SMALL, 2)
    bad("code-size-1", gif([replace(two, code_size=1)], palette=rainbow(2)))
    # Codes of ten bits, all of them valid. Gecko and WebKit accept up to 11, Blink and giflib up to 8.
    bad("code-size-9", gif([replace(small, code_size=9)], palette=SIXTEEN))
    for size in (0, 12, 255):
        bad(f"code-size-{size}", top + small.head[:-1] + bytes([size]) + sub_blocks(stream) + TRAILER)

    def with_codes(codes):
        return top + small.head + sub_blocks(packed(codes)) + TRAILER

    # Each code adds one to the dictionary, and this one is far beyond it, just after codes have grown. Blink stops
    # there. Gecko, WebKit and giflib treat it as the next code to be learned, and the rest is garbled.
    at = [bits for _, bits, _ in codes].index(7) + 1
    assert 64 <= 17 + at < 70
    bad("code-beyond", with_codes(codes[:at] + [(120, *codes[at][1:])] + codes[at + 1:]))
    # After a clear code only plain indices are known.
    assert codes[1][1] == 5
    bad("first-code", with_codes(codes[:1] + [(20, 5)] + codes[2:]))
    # Blink shows the present rows.
    bad("end-too-early", with_codes(codes[:at] + [(17, codes[at][1])]))
    bad("data-too-short", with_codes(codes[:at]))
    bad("no-data", with_codes([]))

    # Blink and Gecko treat it as the end. Others search for the next known block.
    second = drawn(*SMALL, 16, seed=2).data
    bad("introducer", top + b"\x55" + small.data + TRAILER)
    bad("introducer-after-frame", top + small.data + b"\x55" + second + TRAILER)
    bad("introducer-0-after-frame", top + small.data + b"\0" + second + TRAILER)
    blocks = sub_blocks(stream)
    assert len(stream) < 255 and blocks[0] == len(stream)
    # The whole picture is present.
    bad("block-beyond-end", top + small.head + b"\xff" + blocks[1:] + TRAILER)
    bad("extension-beyond-end", top + b"\x21\xfe\xffA comment\0" + small.data[:100])
    # Blink refuses the file; Gecko and WebKit use the first four bytes.
    bad("control-size", top + extension(CONTROL, struct.pack("<BHBB", 0, 7, 0, 0)) + small.data + TRAILER)


# ---------------------------------------------------------------------------
# Absurd files


def add_odd_files(fixtures):
    def add(name, parts, width, height, frame_count, keeps=True):
        data = b"".join(part * count for part, count in parts)
        entry = {
            "name": f"odd-{name}",
            "width": width,
            "height": height,
            "frameCount": frame_count,
            "byteCount": len(data),
            "sha256": hashlib.sha256(data).hexdigest(),
            "parts": None,
        }
        if keeps:
            fixtures.add_file(f"odd-{name}.gif", data)
        else:
            entry["parts"] = [{"hex": part.hex(), "count": count} for part, count in parts]
        fixtures.odd.append(entry)

    dot = Frame(1, 1, b"\1", delay=2)
    add("huge-canvas", [(gif([dot], 65535, 65535, FOUR), 1)], 65535, 65535, 1)
    four = b"".join(replace(dot, pixels=bytes([k]), has_control=False).data for k in range(4))
    add("many-frames", [(screen(1, 1, FOUR) + loop(0), 1), (four, 5000), (TRAILER, 1)], 1, 1, 20000, keeps=False)
    add("many-comments", [(screen(1, 1, FOUR), 1), (extension(COMMENT), 100000), (dot.data + TRAILER, 1)], 1, 1, 1,
        keeps=False)

    # A picture of a single index: each code is one pixel longer than the previous one.
    codes = lzw(bytes(1400 * 1401 // 2), 2, ends=False)
    assert len(codes) == 1 + 1400
    head = Frame(65535, 65535, b"", code_size=2).head
    start = head + sub_blocks(packed(codes)) + TRAILER
    # 14 rows from 1.7 kB. The others are missing.
    add("bomb", [(screen(65535, 65535, FOUR) + start, 1)], 65535, 65535, 1)
    # An 8x8 canvas shows eight of the rows.
    add("huge-frame", [(screen(8, 8, FOUR) + drawn(8, 8, 4).data + start, 1)], 8, 8, 2)


# ---------------------------------------------------------------------------
# Other decoders


def unpacked(stream, size):
    """Decodes valid LZW data, independently of `lzw`."""
    clear, end = 1 << size, (1 << size) + 1
    words, bits, last, out = {}, size + 1, None, bytearray()
    value, place = int.from_bytes(stream, "little"), 0
    while place + bits <= len(stream) * 8:
        code = value >> place & (1 << bits) - 1
        place += bits
        if code == end:
            break
        if code == clear:
            words, bits, last = {}, size + 1, None
            continue
        if code < clear:
            word = bytes([code])
        elif code in words:
            word = words[code]
        else:
            assert last is not None and code == end + 1 + len(words) < 4096, "a code that is not known"
            word = last + last[:1]
        out += word
        if last is not None and end + 1 + len(words) < 4096:
            words[end + 1 + len(words)] = last + word[:1]
            if end + 1 + len(words) == 1 << bits and bits < 12:
                bits += 1
        last = word
    return bytes(out)


def recomposed(data, said=None):
    """Returns the canvases of a file that another program has rewritten. `said` is the file with the graphic control
    extensions, if the rewritten one lacks them."""
    width, height, palette, frames, _ = parsed(data)
    told = parsed(said)[3] if said else frames
    full = []
    for (frame, stream), (source, _) in zip(frames, told, strict=True):
        stored = unpacked(stream, frame.code_size)
        assert len(stored) == frame.width * frame.height
        pixels = bytearray(len(stored))
        for k, y in enumerate(frame.rows):
            pixels[y * frame.width:(y + 1) * frame.width] = stored[k * frame.width:(k + 1) * frame.width]
        full.append(replace(
            frame, pixels=bytes(pixels), disposal=source.disposal, transparent=source.transparent))
    return (width, height), composed(full, width, height, palette)


def cleaned(pixels):
    """Returns the pixels with transparent ones set to zero."""
    out = bytearray(pixels)
    for at in range(3, len(out), 4):
        if out[at] == 0:
            out[at - 3:at] = bytes(3)
    return bytes(out)


def asked(*command, data):
    """Returns a tool's output for a file, and its messages."""
    made = subprocess.run(command, input=data, capture_output=True, check=False, timeout=60)
    return made.stdout, made.stderr.decode(errors="replace").strip() or ("failed" if made.returncode else "")


def read_pillow(data):
    from PIL import Image

    out, size = [], None
    try:
        with Image.open(io.BytesIO(data)) as picture:
            while True:
                picture.seek(len(out))
                out.append(cleaned(picture.convert("RGBA").tobytes()))
                size = picture.size
    except EOFError as error:
        return size, out, "" if out else str(error)
    except Exception as error:
        return size, out, f"{type(error).__name__}: {error}"


def read_pam(made):
    out, size = [], None
    while made:
        head, made = made.split(b"ENDHDR\n", 1)
        fields = dict(line.split(b" ", 1) for line in head.split(b"\n") if b" " in line)
        size = int(fields[b"WIDTH"]), int(fields[b"HEIGHT"])
        count = size[0] * size[1] * 4
        assert fields[b"TUPLTYPE"] == b"RGB_ALPHA", fields
        out.append(cleaned(made[:count]))
        made = made[count:]
    return size, out


def read_graphicsmagick(data):
    form = ("-depth", "8", "-type", "TrueColorMatte", "pam:-")
    made, says = asked("gm", "convert", "gif:-", "-coalesce", *form, data=data)
    if "Image sequence is required" in says:
        # There is only one image.
        made, says = asked("gm", "convert", "gif:-", *form, data=data)
    return *read_pam(made), says


def read_imagemagick(data):
    made, says = asked("convert", "gif:-", "-coalesce", "-depth", "8", "-alpha", "on", "-type", "TrueColorAlpha",
                       "pam:-", data=data)
    return *read_pam(made), says


def read_gifsicle(data):
    made, says = asked("gifsicle", "--no-warnings", "--unoptimize", data=data)
    return *(recomposed(made) if made else (None, [])), says


def read_giflib(data):
    """Returns the canvases of a file by giftool, which reads with DGifSlurp, and rewrites a file without extensions."""
    made, says = asked("giftool", data=data)
    return *(recomposed(made, said=data) if made else (None, [])), says


READERS = {
    "pillow": read_pillow,
    "graphicsmagick": read_graphicsmagick,
    "imagemagick": read_imagemagick,
    "gifsicle": read_gifsicle,
    "giflib": read_giflib,
}

# The canvases of good files that other decoders produce differently or refuse, with the reason. They agree on all other
# files. So does Wuffs, Chrome's decoder: version 0.4 was found to differ only in disposal-4, frame-first-exceeding and
# frame-first-shifted.
DIFFERENCES = {
    "pillow": {
        "what is uncovered is the background color, if there is no transparent index":
            "animation-12 animation-44 background-beyond background-index disposal-2-3 disposal-2-first "
            "disposal-2-opaque disposal-3-first disposal-mixed frame-first-corner frame-first-smaller palette-mixed "
            "version-87a-smaller-frame",
        "disposal 4 to 7 is 3": "disposal-4 disposal-5 disposal-6 disposal-7",
        "the canvas grows with each frame":
            "frame-exceeding-1 frame-exceeding-2 frame-exceeding-3 frame-first-exceeding frame-first-shifted "
            "frame-outside-1 frame-outside-2 frame-outside-3 interlaced-exceeding screen-0x0 screen-0x12 screen-12x0",
        "a control does not take back transparency and disposal that one before it asked for":
            "controls-several plain-text",
        "of an extension without sub-blocks it reads on": "extension-unknown",
    },
    "graphicsmagick": {
        "disposal 2 concerns the whole canvas, or leaves the background color":
            "animation-12 animation-44 disposal-2 disposal-2-3 disposal-2-first disposal-2-opaque disposal-3-first "
            "disposal-mixed frame-exceeding-2 frame-outside-2",
        "disposal 4 to 7 is 3": "disposal-4 disposal-5 disposal-6 disposal-7",
        "a transparent index holds for later frames, too": "control-first-only frame-exceeding-1 frame-exceeding-3",
        "the canvas is the first frame":
            "background-beyond background-index frame-first-corner frame-first-exceeding frame-first-smaller "
            "palette-mixed screen-0x0 screen-0x12 screen-12x0 version-87a-smaller-frame",
        "the first frame is moved to the corner": "frame-first-shifted",
        "indices beyond the palette are an error": "palette-beyond palette-beyond-local palette-beyond-transparent",
        "a control does not take back transparency that one before it asked for": "controls-several plain-text",
        "it cannot read so few interlaced rows": "interlaced-2 interlaced-3 interlaced-4",
    },
    "imagemagick": {
        "a control does not take back transparency that one before it asked for": "controls-several plain-text",
        "one transparent pixel is the background color": "disposal-3-first",
        "it makes the canvases, but complains of places it cannot reach":
            "frame-outside-1 frame-outside-2 frame-outside-3",
        "indices beyond the palette are index 0": "palette-beyond palette-beyond-local palette-beyond-transparent",
        "a missing side is that of the first frame, wherever it lies": "screen-0x0 screen-0x12 screen-12x0",
    },
    "gifsicle": {
        "what is uncovered is the background color, if there is no transparent index":
            "animation-12 animation-44 background-index disposal-2-3 disposal-2-first disposal-2-opaque "
            "disposal-3-first disposal-mixed frame-first-corner frame-first-smaller version-87a-smaller-frame",
        "the canvas grows with each frame":
            "frame-exceeding-1 frame-exceeding-2 frame-exceeding-3 frame-first-exceeding frame-first-shifted "
            "interlaced-exceeding screen-0x0 screen-0x12 screen-12x0",
        "there are limits to places": "frame-outside-1 frame-outside-2 frame-outside-3",
        "indices beyond the palette are index 0": "palette-beyond palette-beyond-local",
        "it makes the canvases, but complains": "loop-buffering lzw-empty-blocks-after",
    },
    # giflib does not compose frames: these are its pixels, composed here.
    "giflib": {
        "DGifSlurp reads on behind an extension without sub-blocks": "comment-empty extension-unknown",
        "DGifSlurp wants a trailer": "lzw-empty-blocks-after missing-trailer missing-trailer-frames",
        "giftool writes indices beyond the palette as it can":
            "palette-beyond palette-beyond-local palette-beyond-transparent",
        "it leaves the canvas as it is said to be": "screen-0x0 screen-0x0-still screen-0x12 screen-12x0",
    },
}

# The decoders that accept each of these bad or truncated files without an error. No decoder accepts the other files.
ACCEPTED = {
    "bad-block-beyond-end": "gifsicle",
    "bad-code-beyond": "graphicsmagick imagemagick giflib",
    "bad-code-size-0": "pillow",
    "bad-code-size-1": "giflib",
    "bad-code-size-9": "pillow imagemagick gifsicle",
    "bad-control-size": "pillow graphicsmagick imagemagick giflib",
    "bad-first-code": "graphicsmagick",
    "bad-introducer": "pillow graphicsmagick imagemagick",
    "bad-introducer-0-after-frame": "pillow graphicsmagick imagemagick",
    "bad-introducer-after-frame": "pillow graphicsmagick imagemagick",
    "bad-no-palette": "pillow gifsicle giflib",
    "bad-version": "gifsicle giflib",
    "cut-before-terminator": "pillow graphicsmagick imagemagick gifsicle",
    "cut-control": "graphicsmagick imagemagick gifsicle",
    "cut-extension": "pillow graphicsmagick imagemagick gifsicle",
    "cut-last-byte": "gifsicle",
}


def compare(fixtures):
    """Compares every file except the absurd ones with the results of other decoders."""
    tasks = [(name, tool) for name in sorted(fixtures.files) if name.endswith(".gif") and not name.startswith("odd-")
             for tool in READERS]

    def read(task):
        name, tool = task
        try:
            return READERS[tool](fixtures.files[name])
        except (AssertionError, IndexError, ValueError, struct.error):
            # The decoder has read the file, but its output cannot be read.
            return None, [b""], ""

    with ThreadPoolExecutor() as pool:
        results = dict(zip(tasks, pool.map(read, tasks)))
    differing = {tool: set() for tool in READERS}
    for entry in fixtures.manifest:
        expected = fixtures.files[entry["pixels"] + ".rgba"]
        for tool in READERS:
            size, canvases, says = results[entry["name"] + ".gif", tool]
            if size != (entry["width"], entry["height"]) or b"".join(canvases) != expected or says:
                differing[tool].add(entry["name"])
    accepted = {}
    for (name, tool), (_, canvases, says) in results.items():
        if name.startswith(("bad-", "cut-")) and canvases and not says:
            accepted.setdefault(name.removesuffix(".gif"), []).append(tool)

    is_wrong = False
    for tool, reasons in DIFFERENCES.items():
        stated_names = [name for names in reasons.values() for name in names.split()]
        assert len(set(stated_names)) == len(stated_names)
        for name in sorted(differing[tool] ^ set(stated_names)):
            is_wrong = True
            print(f"{name}: {tool} {'differs' if name in differing[tool] else 'agrees'}, which is not what was found")
        print(f"{tool} agrees in {len(fixtures.manifest) - len(differing[tool])} of {len(fixtures.manifest)}")
    for name in sorted(accepted.keys() | ACCEPTED.keys()):
        if " ".join(accepted.get(name, [])) != ACCEPTED.get(name):
            is_wrong = True
            print(f'    "{name}": "{" ".join(accepted.get(name, []))}",')
    sys.exit(is_wrong)


def make_all():
    fixtures = Fixtures()
    add_versions_and_sizes(fixtures)
    add_lzw(fixtures)
    add_interlaced(fixtures)
    add_palettes(fixtures)
    add_transparency(fixtures)
    add_extensions(fixtures)
    add_loops(fixtures)
    add_disposals(fixtures)
    add_places(fixtures)
    add_accepted(fixtures)
    add_animations(fixtures)
    add_made_by_others(fixtures)
    add_cuts(fixtures)
    add_bad_files(fixtures)
    add_odd_files(fixtures)
    for name, entries in (("manifest", fixtures.manifest), ("cuts", fixtures.cuts), ("odd", fixtures.odd)):
        fixtures.add_file(name + ".json", entry_lines(entries))
    return fixtures


def main(arguments):
    if arguments not in ([], ["--check"], ["--compare"]):
        sys.exit(__doc__)
    fixtures = make_all()
    files = fixtures.files
    if arguments == ["--compare"]:
        compare(fixtures)
    if arguments == ["--check"]:
        fixture_directory.check(files, FOLDER)
    fixture_directory.write(files, FOLDER)


if __name__ == "__main__":
    main(sys.argv[1:])
