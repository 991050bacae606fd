#!/usr/bin/env python3
"""Makes the PNG test fixtures in the directory `Fixtures` next to this script.

    python3 make-fixtures.py            writes every fixture
    python3 make-fixtures.py --check    writes nothing; fails if a file in the
                                        directory is missing, different or unexpected
    python3 make-fixtures.py --compare  writes nothing; prints the differences of
                                        another tool's animations from these
                                        (needs apngdis and Pillow)

Written for Python 3.11; needs only the standard library, except for --compare.

The script contains its own PNG encoder, written from the PNG specification
(ISO/IEC 15948, W3C PNG third edition). It draws each picture from a formula, so
it knows every sample before any PNG exists. The expected pixels are computed
from the formula and never read back from a PNG, so a decoder that agrees with
them agrees with the specification and not merely with another decoder.

Its output:

    NAME.png        a picture
    NAME.rgba16     the expected pixels of NAME.png: no header, rows from top to
                    bottom in the orientation stored in the file, R G B A with
                    straight alpha, 16 bits little-endian per sample, so
                    width * height * 8 bytes
    bad-FAULT.png   a file with exactly the fault in its name, without expected
                    pixels
    icc.icc         the ICC profile embedded in icc.png; gray.icc is that of
                    gray-icc.png
    color-*.png     a picture with chunks that describe its colors. Its expected
                    pixels are in sRGB, computed from the meaning of the chunks,
                    without any ICC profile
    colors.json     the expected kind of profile for each color-*.png, by name:
                    "rgb", "gray", or null for sRGB; and the matrix from XYZ
                    under D50 to linear sRGB
    animated-*.png  an animation. Its .rgba16 file has the canvas at each frame,
                    composed by the rules of the specification, one after
                    another, and its .frames file the pixels of each frame alone
    animations.json the expected results of a reader for each of these
    manifest.json   the expected results of a reader for each good picture, sorted
                    by name. `width` and `height` are those stored in the file (not
                    turned by the EXIF orientation), `colorType` is the number
                    in IHDR, and `hasAlpha` is true for the color types with an
                    alpha channel and for pictures with a tRNS chunk

Except for color-*.png, the expected pixels are the samples of the file scaled linearly
to 16 bits, without color conversion. Fully transparent pixels keep their color. The EXIF
orientation is not applied: each of orientation-1 to orientation-8 has the pixels of
upright.rgba16 when it is turned upright.

The output is deterministic. The compressed bytes come from Python's zlib, so an
interpreter built with another deflate implementation may write different, equally
valid PNG files with the same pixels.
"""

import json
import math
import struct
import sys
import zlib
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import fixture_directory  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "Fixtures"

SIGNATURE = b"\x89PNG\r\n\x1a\n"

GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA = 0, 2, 3, 4, 6

CHANNELS = {GRAY: 1, RGB: 3, PALETTE: 1, GRAY_ALPHA: 2, RGBA: 4}

KINDS = {
    "gray": (GRAY, (1, 2, 4, 8, 16)),
    "rgb": (RGB, (8, 16)),
    "palette": (PALETTE, (1, 2, 4, 8)),
    "grayalpha": (GRAY_ALPHA, (8, 16)),
    "rgba": (RGBA, (8, 16)),
}


# ---------------------------------------------------------------------------
# Pictures and their expected pixels


@dataclass
class Picture:
    """Samples as stored: `rows[y][x]` is a tuple with one value for each channel."""

    width: int
    height: int
    color_type: int
    depth: int
    rows: list
    palette: list = field(default_factory=list)
    # For gray and RGB the transparent color, for palettes one alpha for each leading entry.
    transparency: tuple = ()

    @property
    def has_alpha(self):
        return self.color_type in (GRAY_ALPHA, RGBA) or bool(self.transparency)


def expected_pixels(picture):
    """Returns the contents of the .rgba16 file."""
    # A palette has 8-bit colors for any depth of its indices. The division is exact for every legal depth, so nothing
    # is rounded.
    depth = 8 if picture.color_type == PALETTE else picture.depth
    scale = 65535 // (2**depth - 1)
    assert scale * (2**depth - 1) == 65535
    opaque = 2**depth - 1

    out = bytearray()
    for row in picture.rows:
        for pixel in row:
            if picture.color_type == PALETTE:
                index = pixel[0]
                alphas = picture.transparency
                # Entries beyond the end of tRNS are opaque.
                rgba = (*picture.palette[index], alphas[index] if index < len(alphas) else opaque)
            elif picture.color_type in (GRAY, RGB):
                # The color of a transparent pixel stays; only its alpha changes. The comparison includes all bits of
                # the sample.
                alpha = 0 if pixel == picture.transparency else opaque
                rgba = (*pixel * (3 if picture.color_type == GRAY else 1), alpha)
            elif picture.color_type == GRAY_ALPHA:
                rgba = (pixel[0], pixel[0], pixel[0], pixel[1])
            else:
                rgba = pixel
            out += struct.pack("<4H", *(value * scale for value in rgba))
    assert len(out) == picture.width * picture.height * 8
    return bytes(out)


# ---------------------------------------------------------------------------
# PNG encoder


def chunk(kind, data=b""):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def header(width, height, depth, color_type, interlaced=False):
    return chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, color_type, 0, 0, interlaced))


def packed_row(pixels, depth):
    """Returns the bytes of a row before filtering."""
    samples = [sample for pixel in pixels for sample in pixel]
    if depth == 16:
        return struct.pack(">%dH" % len(samples), *samples)
    per_byte = 8 // depth
    # The specification does not define the unused low bits of a row's last byte. They are set to ones here: a decoder
    # must not read pixels (or check palette indices) there.
    samples += [2**depth - 1] * (-len(samples) % per_byte)
    out = bytearray()
    for start in range(0, len(samples), per_byte):
        byte = 0
        for sample in samples[start:start + per_byte]:
            byte = byte << depth | sample
        out.append(byte)
    return bytes(out)


def paeth(a, b, c):
    p = a + b - c
    pa, pb, pc = abs(p - a), abs(p - b), abs(p - c)
    # The order of these comparisons resolves ties and is part of the format.
    if pa <= pb and pa <= pc:
        return a
    return b if pb <= pc else c


def filtered_row(kind, row, prior, distance):
    """Returns a row with its filter type byte. `distance` is the size of a pixel in bytes, at least 1."""
    out = bytearray([kind])
    for i, x in enumerate(row):
        a = row[i - distance] if i >= distance else 0
        b = prior[i]
        c = prior[i - distance] if i >= distance else 0
        predicted = (0, a, b, (a + b) // 2, paeth(a, b, c))[kind]
        out.append((x - predicted) % 256)
    return bytes(out)


# x start, y start, x step, y step
ADAM7 = ((0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2))


def filtered_rows(picture, interlaced, first_filter):
    """Returns all rows in file order, filtered. The filter type changes from row to row."""
    distance = max(1, CHANNELS[picture.color_type] * picture.depth // 8)
    filter_type = first_filter
    out = []
    for x0, y0, dx, dy in ADAM7 if interlaced else ((0, 0, 1, 1),):
        prior = None
        for row in picture.rows[y0::dy]:
            pixels = row[x0::dx]
            # A pass without columns has no rows either, not even filter bytes.
            if not pixels:
                continue
            packed = packed_row(pixels, picture.depth)
            # Each pass starts like a separate picture, above which all bytes are zero.
            if prior is None:
                prior = bytes(len(packed))
            # The filter types continue across passes, so that each type also occurs in the first row of a pass.
            out.append(filtered_row(filter_type, packed, prior, distance))
            filter_type = (filter_type + 1) % 5
            prior = packed
    return out


def deflated(rows, method):
    """Returns a zlib stream, written in one of several ways."""
    level, window, strategy = (
        (9, 15, zlib.Z_DEFAULT_STRATEGY),  # dynamic Huffman codes
        (0, 15, zlib.Z_DEFAULT_STRATEGY),  # stored blocks
        (9, 9, zlib.Z_FIXED),  # fixed Huffman codes, a window of 512 bytes
        (9, 12, zlib.Z_HUFFMAN_ONLY),  # no matches, and several blocks (see below)
    )[method]
    compressor = zlib.compressobj(level, zlib.DEFLATED, window, 8, strategy)
    half = len(rows) // 2
    out = compressor.compress(b"".join(rows[:half]))
    if method == 3:
        out += compressor.flush(zlib.Z_SYNC_FLUSH)
    return out + compressor.compress(b"".join(rows[half:])) + compressor.flush()


def image_data(stream, split):
    """Returns the IDAT chunks. Their boundaries have no meaning, so they are placed at awkward positions."""
    if split == 0:
        parts = [stream]
    elif split == 1:
        # Between the two bytes of the zlib header, then an empty chunk.
        parts = [stream[:1], b"", stream[1:8], stream[8:21], stream[21:]]
    else:
        # Empty chunks at both ends, and the final checksum split in two.
        body = stream[:-3]
        parts = [b""] + [body[i:i + 97] for i in range(0, len(body), 97)] + [stream[-3:], b""]
    return b"".join(chunk(b"IDAT", part) for part in parts)


def encoded(picture, interlaced=False, variant=0, before_palette=b"", before_data=b"", after_data=b""):
    """Returns a PNG file. `variant` selects one of the encodings that must all decode to the same pixels."""
    # 5, 4 and 3 are coprime: 60 consecutive variants cover every combination.
    rows = filtered_rows(picture, interlaced, first_filter=variant % 5)
    data = image_data(deflated(rows, method=variant % 4), split=variant % 3)
    out = SIGNATURE + header(picture.width, picture.height, picture.depth, picture.color_type, interlaced)
    out += before_palette
    if picture.palette:
        out += chunk(b"PLTE", bytes(value for color in picture.palette for value in color))
    if picture.transparency:
        layout = "%dB" if picture.color_type == PALETTE else ">%dH"
        out += chunk(b"tRNS", struct.pack(layout % len(picture.transparency), *picture.transparency))
    return out + before_data + data + after_data + chunk(b"IEND")


# ---------------------------------------------------------------------------
# Formulas


# The first NOISY pixels of a picture vary strongly, which exercises all branches of the filters; the rest is smooth,
# which gives deflate something to match.
NOISY = 256

# Values that reveal errors in byte order, sign, carry or precision.
TELLING = (0, 65535, 1, 65534, 0x00FF, 0xFF00, 0x0100, 0x7FFF, 0x8000, 0x80FF, 0xFEFF, 0x0080)


def noise(i, channel, bits):
    # a*i + b*i*i + c with odd a and even b is a permutation modulo a power of two, so any 256 consecutive pixels
    # contain every 8-bit value exactly once.
    a = (77, 149, 203, 37)[channel] + 256 * 90
    b = (34, 58, 22, 46)[channel] + 256 * 52
    c = (0, 19, 101, 5)[channel]
    return (a * i + b * i * i + c) % 2**bits


def sample(i, x, y, channel, depth):
    if i >= NOISY:
        return (x * 1999 + y * 911 + channel * 18000) % 65536 >> 16 - depth
    if depth < 16:
        return noise(i, channel, 8) >> 8 - depth
    if (i + 2 * channel) % 5 == 0:
        return TELLING[(i // 5 + 5 * channel) % len(TELLING)]
    return noise(i, channel, 16)


def near_misses(key, depth):
    """Returns the transparent color, and colors that only an incorrect comparison confuses with it."""
    colors = [key]
    for bit in (1, 256) if depth == 16 else (1,):
        for channel in range(len(key)):
            colors.append(tuple(v ^ bit if c == channel else v for c, v in enumerate(key)))
    return colors


def draw(width, height, color_type, depth, entries=0, transparency=()):
    """Draws the picture for a color type and a depth, and asserts its coverage."""
    palette = [tuple(noise(k + 3, channel, 8) for channel in range(3)) for k in range(entries)]
    keyed = near_misses(transparency, depth) if transparency and color_type != PALETTE and depth >= 8 else []
    rows = []
    for y in range(height):
        row = []
        for x in range(width):
            i = y * width + x
            pixel = tuple(sample(i, x, y, channel, depth) for channel in range(CHANNELS[color_type]))
            if color_type == PALETTE:
                pixel = (pixel[0] % entries,)
            elif keyed and i >= NOISY and i % 2:
                # Only where the picture is smooth, so that no value disappears from the rest.
                pixel = keyed[i // 2 % len(keyed)]
            row.append(pixel)
        rows.append(row)
    picture = Picture(width, height, color_type, depth, rows, palette, transparency)
    assert_coverage(picture)
    return picture


def assert_coverage(picture):
    pixels = [pixel for row in picture.rows for pixel in row]
    top = 2**picture.depth - 1
    for channel in range(CHANNELS[picture.color_type]):
        values = {pixel[channel] for pixel in pixels}
        if picture.color_type == PALETTE:
            assert values == set(range(len(picture.palette)))
            assert len(set(picture.palette)) == len(picture.palette)
        elif picture.depth == 16:
            assert values >= set(TELLING)
        else:
            assert values == set(range(top + 1))
    if picture.color_type in (GRAY_ALPHA, RGBA):
        # A decoder that premultiplies would lose these colors.
        assert any(pixel[-1] == 0 and any(pixel[:-1]) for pixel in pixels)
        assert any(pixel[-1] == top for pixel in pixels)
    elif picture.transparency and picture.color_type != PALETTE:
        for color in near_misses(picture.transparency, picture.depth):
            assert color in pixels


def drawn(kind, depth, with_transparency=False):
    color_type = KINDS[kind][0]
    # Odd, so that rows with less than a byte per pixel end within a byte, and large enough for every value of the
    # depth.
    width, height = (13, 9) if depth < 8 else (33, 17) if depth == 8 else (19, 17)
    if color_type == PALETTE:
        if not with_transparency:
            return draw(width, height, color_type, depth, entries=2**depth)
        # Palettes that do not use the whole index range, and an even shorter tRNS.
        entries, alphas = {1: (2, 1), 2: (3, 2), 4: (13, 7), 8: (201, 97)}[depth]
        transparency = tuple((0, 127, 255, 1)[k] if k < 4 else noise(k, 3, 8) for k in range(alphas))
        return draw(width, height, color_type, depth, entries, transparency)
    transparency = ()
    if with_transparency:
        transparency = {
            (GRAY, 1): (1,),
            (GRAY, 2): (1,),
            (GRAY, 4): (11,),
            (GRAY, 8): (0xA5,),
            (GRAY, 16): (0x1234,),
            (RGB, 8): (0x12, 0xAB, 0x7F),
            (RGB, 16): (0x1234, 0xABCD, 0x7F80),
        }[color_type, depth]
    return draw(width, height, color_type, depth, transparency=transparency)


def small(width, height, kind="rgb", depth=8):
    """Returns a picture for the tiny sizes, which is too small for full coverage."""
    color_type = KINDS[kind][0]
    # Every pixel of the RGB pictures differs from all others, which reveals a pixel at the wrong position.
    rows = [
        [
            (x * 19, y * 19, 255 - noise(y * width + x, 2, 8))
            if color_type == RGB
            else (noise(y * width + x + 1, 0, 8) >> 8 - depth,)
            for x in range(width)
        ]
        for y in range(height)
    ]
    palette = []
    if color_type == PALETTE:
        palette = [tuple(noise(k + 3, channel, 8) for channel in range(3)) for k in range(2**depth)]
    return Picture(width, height, color_type, depth, rows, palette)


# ---------------------------------------------------------------------------
# EXIF orientation


def upright_picture():
    """Returns a letter F, which has no symmetry, on a gradient."""

    def is_ink(x, y):
        stem = 6 <= x < 9 and 2 <= y < 14
        top_bar = 6 <= x < 18 and 2 <= y < 5
        middle_bar = 6 <= x < 15 and 7 <= y < 10
        return stem or top_bar or middle_bar

    rows = [[(x * 11, y * 17, 0 if is_ink(x, y) else 230) for x in range(24)] for y in range(16)]
    return Picture(24, 16, RGB, 8, rows)


# The positions of the first stored row and column in the upright picture, in the terms of the TIFF and EXIF
# specifications.
FIRST_ROW_AND_COLUMN = {
    1: ("top", "left"),
    2: ("top", "right"),
    3: ("bottom", "right"),
    4: ("bottom", "left"),
    5: ("left", "top"),
    6: ("right", "top"),
    7: ("right", "bottom"),
    8: ("left", "bottom"),
}


def stored_for(upright, orientation):
    """Returns the picture to store so that a reader that applies `orientation` displays `upright`."""
    first_row, first_column = FIRST_ROW_AND_COLUMN[orientation]
    turned = first_row in ("left", "right")
    width, height = (upright.height, upright.width) if turned else (upright.width, upright.height)
    rows = []
    for r in range(height):
        row = []
        for c in range(width):
            place = {}
            for side, steps in ((first_row, r), (first_column, c)):
                # The distance of `steps` from a side of the upright picture, as a coordinate.
                place["x" if side in ("left", "right") else "y"] = {
                    "left": steps,
                    "right": upright.width - 1 - steps,
                    "top": steps,
                    "bottom": upright.height - 1 - steps,
                }[side]
            row.append(upright.rows[place["y"]][place["x"]])
        rows.append(row)
    return Picture(width, height, upright.color_type, upright.depth, rows)


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


# ---------------------------------------------------------------------------
# Color

# White, red, green and blue as in cHRM: x and y of each times 100,000.
SRGB = (31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
P3 = (31270, 32900, 68000, 32000, 26500, 69000, 15000, 6000)
DCI = (31400, 35100, 68000, 32000, 26500, 69000, 15000, 6000)
BT601_525 = (31270, 32900, 63000, 34000, 31000, 59500, 15500, 7000)
BT601_625 = (31270, 32900, 64000, 33000, 29000, 60000, 15000, 6000)
BT2020 = (31270, 32900, 70800, 29200, 17000, 79700, 13100, 4600)
ADOBE = (31270, 32900, 64000, 33000, 21000, 71000, 15000, 6000)
PROPHOTO = (34570, 35850, 73470, 26530, 15960, 84040, 3660, 10)
ACES = (32168, 33767, 73470, 26530, 0, 100000, 10, -7700)


def inverse(m):
    """Returns the inverse of a 3x3 matrix of fractions."""
    (a, b, c), (d, e, f), (g, h, i) = m
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    adjugate = (
        (e * i - f * h, c * h - b * i, b * f - c * e),
        (f * g - d * i, a * i - c * g, c * d - a * f),
        (d * h - e * g, b * g - a * h, a * e - b * d),
    )
    return [[value / determinant for value in row] for row in adjugate]


def product(m, v):
    return [sum(m[row][k] * v[k] for k in range(3)) for row in range(3)]


def xyz(x, y):
    """Returns the XYZ color of the chromaticity (x, y) with a luminance of 1."""
    return [x / y, Fraction(1), (1 - x - y) / y]


def fixed(value):
    """Returns an s15Fixed16Number, rounded to the nearest."""
    return math.floor(value * 65536 + Fraction(1, 2))


# The illuminant of the profile connection space, as every ICC profile writes it.
D50 = (0xF6D6, 0x10000, 0xD32D)


def columns(vectors):
    return [[vector[row] for vector in vectors] for row in range(3)]


def colorants(chromaticities, illuminant=None):
    """Returns the XYZ of red, green and blue that add up to white, adapted to an illuminant (default: sRGB's white)."""
    # Fractions make the result exact, and thus platform-independent.
    points = [Fraction(value, 100000) for value in chromaticities]
    white, *primaries = [xyz(*points[k:k + 2]) for k in (0, 2, 4, 6)]
    luminances = product(inverse(columns(primaries)), white)
    bradford = [
        [Fraction(value, 10000) for value in row]
        for row in ((8951, 2664, -1614), (-7502, 17135, 367), (389, -685, 10296))
    ]
    source = product(bradford, white)
    destination = product(bradford, illuminant or xyz(Fraction(SRGB[0], 100000), Fraction(SRGB[1], 100000)))
    adapted = []
    for primary, luminance in zip(primaries, luminances):
        cone = product(bradford, [value * luminance for value in primary])
        cone = [value * to / of for value, to, of in zip(cone, destination, source)]
        adapted.append(product(inverse(bradford), cone))
    return adapted


def power(exponent):
    return lambda value: value**exponent


def srgb_light(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def bt709_light(value):
    # alpha and beta of ITU-T H.273.
    alpha, beta = 1.09929682680944, 0.018053968510807
    return value / 4.5 if value < 4.5 * beta else ((value + alpha - 1) / alpha) ** (1 / 0.45)


def srgb_value(light):
    light = min(max(light, 0.0), 1.0)
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def converted(pixels, chromaticities, curve):
    """Returns the contents of a .rgba16 file converted to sRGB. Alpha is unchanged, and colors outside sRGB are
    clipped."""
    from_xyz = inverse(columns(colorants(SRGB)))
    matrix = columns([[float(value) for value in product(from_xyz, one)] for one in colorants(chromaticities)])
    out = bytearray()
    for *color, alpha in struct.iter_unpack("<4H", pixels):
        light = product(matrix, [curve(value / 65535) for value in color])
        out += struct.pack("<4H", *(math.floor(srgb_value(value) * 65535 + 0.5) for value in light), alpha)
    return bytes(out)


# ---------------------------------------------------------------------------
# ICC profiles


def icc_profile(is_gray=False):
    """Returns a minimal display profile of ICC version 2: P3 colorants and a gamma of 2.2, or a gamma of 1.8 for gray.
    """

    def xyz_tag(values):
        return b"XYZ \0\0\0\0" + struct.pack(">3i", *values)

    name = b"Calotype gray test\0" if is_gray else b"Calotype wide gamut test\0"
    description = b"desc\0\0\0\0" + struct.pack(">I", len(name)) + name
    # Version 2 requires the Unicode and Macintosh forms too; both are empty.
    description += struct.pack(">IIHB", 0, 0, 0, 0) + bytes(67)
    # A count of 1 means a gamma in u8Fixed8, here the nearest value.
    curve = b"curv\0\0\0\0" + struct.pack(">IH", 1, 0x01CD if is_gray else 0x0233)
    tags = [
        (b"desc", description),
        (b"cprt", b"text\0\0\0\0" + b"Public domain\0"),
        (b"wtpt", xyz_tag(D50)),
    ]
    if is_gray:
        tags.append((b"kTRC", curve))
    else:
        illuminant = [Fraction(value, 65536) for value in D50]
        for letter, colorant in zip((b"r", b"g", b"b"), colorants(P3, illuminant)):
            tags.append((letter + b"XYZ", xyz_tag([fixed(value) for value in colorant])))
        tags += [(b"rTRC", curve), (b"gTRC", curve), (b"bTRC", curve)]

    table = struct.pack(">I", len(tags))
    body = b""
    body_at = 128 + 4 + 12 * len(tags)
    placed = {}
    for signature, data in tags:
        # Equal tags share their data, as the ICC specification allows and profiles commonly do.
        if data not in placed:
            placed[data] = body_at + len(body)
            body += data + bytes(-len(data) % 4)
        table += signature + struct.pack(">II", placed[data], len(data))

    head = struct.pack(">I4sI", body_at + len(body), b"\0\0\0\0", 0x02400000)
    head += b"mntrGRAYXYZ " if is_gray else b"mntrRGB XYZ "
    head += struct.pack(">6H", 2024, 1, 1, 0, 0, 0)  # fixed: the profile must not change from day to day
    head += b"acsp" + bytes(4)  # no primary platform
    head += bytes(4 + 4 + 4 + 8)  # flags, manufacturer, model, attributes
    head += struct.pack(">I", 0)  # perceptual
    head += struct.pack(">3i", *D50)
    head += bytes(128 - len(head))
    return head + table + body


# ---------------------------------------------------------------------------
# Good files


class Fixtures:
    """All files to write, by name, the entries of the manifest, and the kinds of profile in colors.json."""

    def __init__(self):
        self.files = {}
        self.manifest = []
        self.profiles = {}

    def add_file(self, name, data):
        assert name not in self.files
        self.files[name] = data

    def add(self, name, picture, interlaced=False, orientation=1, has_profile=False, trailing=b"", **chunks):
        # Counting up gives each file the next combination of first filter, deflate method and IDAT boundaries.
        png = encoded(picture, interlaced, variant=len(self.manifest), **chunks)
        self.add_file(name + ".png", png + trailing)
        self.add_file(name + ".rgba16", expected_pixels(picture))
        self.manifest.append({
            "name": name,
            "width": picture.width,
            "height": picture.height,
            "colorType": picture.color_type,
            "bitDepth": picture.depth,
            "interlaced": interlaced,
            "hasAlpha": picture.has_alpha,
            "orientation": orientation,
            "hasICCProfile": has_profile,
        })


def add_color_types(fixtures):
    for kind, (color_type, depths) in KINDS.items():
        for depth in depths:
            picture = drawn(kind, depth)
            fixtures.add(f"{kind}{depth}", picture)
            fixtures.add(f"{kind}{depth}-interlaced", picture, interlaced=True)


def add_transparency(fixtures):
    for kind in ("gray", "rgb", "palette"):
        for depth in KINDS[kind][1]:
            fixtures.add(f"{kind}{depth}-trns", drawn(kind, depth, with_transparency=True))
    for kind, depth in (("gray", 2), ("gray", 16), ("rgb", 8), ("rgb", 16), ("palette", 4), ("palette", 8)):
        picture = drawn(kind, depth, with_transparency=True)
        fixtures.add(f"{kind}{depth}-interlaced-trns", picture, interlaced=True)


def add_sizes(fixtures):
    for width, height in ((1, 1), (1, 7), (7, 1), (2, 2), (3, 3)):
        fixtures.add(f"size-{width}x{height}", small(width, height))
    # Together these leave each of the passes 2 to 7 empty: the even ones without columns, the odd ones without rows.
    for width, height in (
        (1, 1), (1, 2), (2, 1), (1, 5), (5, 1), (1, 7), (7, 1), (2, 2), (3, 3), (3, 5), (5, 3), (4, 4), (5, 5),
        (8, 8), (9, 9),
    ):
        fixtures.add(f"size-{width}x{height}-interlaced", small(width, height), interlaced=True)
    # The same for passes less than a byte wide.
    for width, height, kind, depth in ((1, 1, "gray", 1), (5, 3, "gray", 2), (3, 5, "palette", 4)):
        name = f"size-{width}x{height}-{kind}{depth}-interlaced"
        fixtures.add(name, small(width, height, kind, depth), interlaced=True)


def add_orientations(fixtures):
    upright = upright_picture()
    fixtures.add("upright", upright)
    for orientation in range(1, 9):
        fixtures.add(
            f"orientation-{orientation}",
            stored_for(upright, orientation),
            orientation=orientation,
            before_data=chunk(b"eXIf", exif(orientation)),
        )


def add_color_spaces(fixtures):
    picture = upright_picture()
    profile = icc_profile()
    fixtures.add_file("icc.icc", profile)
    embedded = chunk(b"iCCP", b"Calotype wide gamut test\0" + b"\0" + zlib.compress(profile, 9))
    fixtures.add("icc", picture, has_profile=True, before_palette=embedded)
    # Perceptual intent, without gAMA and cHRM, so that sRGB itself has to be read.
    fixtures.add("srgb", picture, before_palette=chunk(b"sRGB", b"\0"))
    gamma = chunk(b"gAMA", struct.pack(">I", 45455))
    gamma += chunk(b"cHRM", struct.pack(">8i", *SRGB))
    fixtures.add("gamma", picture, before_palette=gamma)
    profile = icc_profile(is_gray=True)
    embedded = chunk(b"iCCP", b"Calotype gray test\0" + b"\0" + zlib.compress(profile, 9))
    fixtures.add_file("gray.icc", profile)
    fixtures.add_file("gray-icc.png", encoded(drawn("gray", 8), before_palette=embedded))


def color_picture(kind):
    """Returns a few pixels that together cover all parts of a curve and all corners of a gamut."""
    if kind == "rgb":
        levels = (0, 64, 160, 255)
        rows = [[(red, green, blue) for green in levels for blue in levels] for red in levels]
        return Picture(16, 4, RGB, 8, rows)
    if kind == "rgb16":
        return Picture(18, 1, RGB, 16, [[(i * 3855, 65535 - i * 3855, 1000 * i) for i in range(18)]])
    if kind == "gray":
        return Picture(18, 1, GRAY, 8, [[(i * 15,) for i in range(18)]])
    if kind == "grayalpha":
        return Picture(18, 1, GRAY_ALPHA, 16, [[(i * 3855, 65535 - i) for i in range(18)]])
    palette = [(i * 17, 255 - i * 17, i % 4 * 85) for i in range(16)]
    return Picture(16, 1, PALETTE, 4, [[(i,) for i in range(16)]], palette)


def add_told_colors(fixtures):
    def add(name, chunks, chromaticities=SRGB, curve=srgb_light, profile=None, kind="rgb", behind_palette=False):
        """Adds a picture. `profile` is the kind of profile that a reader should create; None if all chunks together
        mean sRGB."""
        picture = color_picture(kind)
        place = {"before_data": chunks} if behind_palette else {"before_palette": chunks}
        fixtures.add_file(f"color-{name}.png", encoded(picture, **place))
        fixtures.add_file(f"color-{name}.rgba16", converted(expected_pixels(picture), chromaticities, curve))
        fixtures.profiles[f"color-{name}"] = profile

    def cicp(primaries, transfer, matrix=0, full_range=1):
        return chunk(b"cICP", bytes((primaries, transfer, matrix, full_range)))

    def gama(value):
        return chunk(b"gAMA", struct.pack(">I", value))

    def chrm(chromaticities):
        return chunk(b"cHRM", struct.pack(">8i", *chromaticities))

    srgb = chunk(b"sRGB", b"\0")
    linear = power(1)

    # Numbers of ITU-T H.273: table 2 for primaries, table 3 for curves.
    add("cicp-1-13", cicp(1, 13))
    add("cicp-1-1", cicp(1, 1), SRGB, bt709_light, "rgb")
    add("cicp-5-5", cicp(5, 5), BT601_625, power(2.8), "rgb")
    add("cicp-6-6", cicp(6, 6), BT601_525, bt709_light, "rgb")
    add("cicp-9-14", cicp(9, 14), BT2020, bt709_light, "rgb")
    add("cicp-9-15", cicp(9, 15), BT2020, bt709_light, "rgb")
    add("cicp-11-8", cicp(11, 8), DCI, linear, "rgb")
    add("cicp-12-4", cicp(12, 4), P3, power(2.2), "rgb")
    add("cicp-12-13", cicp(12, 13), P3, srgb_light, "rgb")
    # For unsupported values the next chunk counts, or none.
    add("cicp-pq", cicp(9, 16))
    add("cicp-hlg", cicp(9, 18))
    add("cicp-unknown", cicp(2, 2))
    add("cicp-narrow", cicp(12, 13, full_range=0))
    add("cicp-matrix", cicp(12, 13, matrix=1))
    add("cicp-pq-gama-chrm", cicp(9, 16) + gama(100000) + chrm(P3), P3, linear, "rgb")

    # 45,455 means sRGB, and so do similar values.
    add("gama-45455", gama(45455))
    add("gama-43300", gama(43300))
    add("gama-47800", gama(47800))
    add("gama-43200", gama(43200), SRGB, power(100000 / 43200), "rgb")
    add("gama-47900", gama(47900), SRGB, power(100000 / 47900), "rgb")
    add("gama-100000", gama(100000), SRGB, linear, "rgb")
    add("gama-10000", gama(10000), SRGB, power(10), "rgb")
    add("gama-55556-16-bit", gama(55556), SRGB, power(100000 / 55556), "rgb", kind="rgb16")
    add("chrm-p3", chrm(P3), P3, srgb_light, "rgb")
    # Rounded to two digits.
    add("chrm-rounded", chrm((31000, 33000, 64000, 33000, 30000, 60000, 15000, 6000)))
    add("gama-45455-chrm-rounded", gama(45455) + chrm((31000, 33000, 64000, 33000, 30000, 60000, 15000, 6000)))
    add("chrm-far", chrm(SRGB[:4] + (28999,) + SRGB[5:]), SRGB[:4] + (28999,) + SRGB[5:], srgb_light, "rgb")
    # With other primaries it is a plain power function.
    add("gama-45455-chrm-adobe", gama(45455) + chrm(ADOBE), ADOBE, power(100000 / 45455), "rgb")
    add("gama-55556-chrm-prophoto", gama(55556) + chrm(PROPHOTO), PROPHOTO, power(100000 / 55556), "rgb")
    add("gama-100000-chrm-aces", gama(100000) + chrm(ACES), ACES, linear, "rgb")
    add("chrm-gama", chrm(P3) + gama(100000), P3, linear, "rgb")
    # Invalid values are ignored.
    flat = SRGB[:2] + (10000, 10000, 30000, 30000, 50000, 50000)
    outside = (60000, 60000) + SRGB[2:]
    add("gama-0", gama(0))
    add("gama-1", gama(1))
    add("gama-highest", gama(0xFFFFFFFF))
    add("chrm-zero", chrm((0,) * 8))
    add("chrm-flat", chrm(flat))
    add("chrm-white-outside", chrm(outside))
    add("chrm-lowest", chrm((-0x80000000,) * 8))
    add("gama-0-chrm-p3", gama(0) + chrm(P3), P3, srgb_light, "rgb")
    add("gama-100000-chrm-flat", gama(100000) + chrm(flat), SRGB, linear, "rgb")
    add("gama-45455-chrm-flat", gama(45455) + chrm(flat))

    # The precedence of chunks.
    add("srgb-gama-chrm", gama(100000) + chrm(P3) + srgb)
    add("cicp-srgb-gama-chrm", srgb + gama(100000) + chrm(SRGB) + cicp(12, 13), P3, srgb_light, "rgb")

    # Other kinds of pictures.
    add("palette-gama", gama(100000), SRGB, linear, "rgb", kind="palette")
    add("palette-gama-behind", gama(100000), kind="palette", behind_palette=True)
    add("gray-gama", gama(100000), SRGB, linear, "gray", kind="gray")
    add("gray-gama-45455-chrm", gama(45455) + chrm(P3), kind="gray")
    add("gray-chrm", chrm(P3), kind="gray")
    add("gray-cicp-9-1", cicp(9, 1), SRGB, bt709_light, "gray", kind="gray")
    add("gray-cicp-12-13", cicp(12, 13), kind="gray")
    add("grayalpha-gama", gama(55556), SRGB, power(100000 / 55556), "gray", kind="grayalpha")

    from_xyz = inverse(columns(colorants(SRGB, [Fraction(value, 65536) for value in D50])))
    colors = {"matrix": [float(value) for row in from_xyz for value in row], "profiles": fixtures.profiles}
    fixtures.add_file("colors.json", (json.dumps(colors, indent=2) + "\n").encode())


def add_extra_chunks(fixtures):
    # Ancillary, private and safe to copy, according to the case of the letters.
    unknown = chunk(b"caLo", b"a chunk that no decoder knows")
    text = chunk(b"tEXt", b"Title\0A picture with chunks to skip")
    empty = chunk(b"caLo")
    # Appears as more image data to a decoder that continues after IEND.
    trailing = chunk(b"IDAT", b"not image data") + b"trailing garbage\xff\xff\xff\xff"
    fixtures.add(
        "extra-chunks",
        upright_picture(),
        before_palette=unknown,
        before_data=text + empty,
        after_data=empty + text,
        trailing=trailing,
    )


# ---------------------------------------------------------------------------
# Bad files


def add_bad_files(fixtures):
    """Adds files with one fault each, which are otherwise valid: every CRC and length that is not named is correct."""

    def bad(name, data):
        fixtures.add_file(f"bad-{name}.png", data)

    picture = small(13, 9)
    rows = filtered_rows(picture, interlaced=False, first_filter=0)
    stream = zlib.compress(b"".join(rows), 9)
    ihdr = header(13, 9, 8, RGB)
    idat = chunk(b"IDAT", stream)
    iend = chunk(b"IEND")
    good = SIGNATURE + ihdr + idat + iend

    bad("empty", b"")
    bad("signature-only", SIGNATURE)
    # The signature contains both kinds of line end to reveal exactly these conversions.
    bad("signature-crlf-to-lf", good.replace(b"\r\n", b"\n"))
    bad("signature-lf-to-crlf", good.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
    bad("gif", b"GIF89a\x01\0\x01\0\x80\0\0\xff\xff\xff\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;")

    bad("zero-width", SIGNATURE + header(0, 9, 8, RGB) + idat + iend)
    bad("zero-height", SIGNATURE + header(13, 0, 8, RGB) + idat + iend)
    bad("illegal-depth", SIGNATURE + header(13, 9, 4, RGB) + idat + iend)
    bad("illegal-color-type", SIGNATURE + header(13, 9, 8, 5) + idat + iend)
    bad("illegal-interlace", SIGNATURE + header(13, 9, 8, RGB, interlaced=2) + idat + iend)
    # One byte too many, with a CRC that includes it.
    bad("ihdr-length", SIGNATURE + chunk(b"IHDR", ihdr[8:-4] + b"\0") + idat + iend)
    # Memory for 16 GiB of pixels must not be allocated on the claim of a header.
    bad("huge-dimensions", SIGNATURE + header(65535, 65535, 8, RGBA) + chunk(b"IDAT", stream[:9]) + iend)

    def with_wrong_crc(data):
        return data[:-1] + bytes([data[-1] ^ 1])

    bad("ihdr-crc", SIGNATURE + with_wrong_crc(ihdr) + idat + iend)
    bad("idat-crc", SIGNATURE + ihdr + with_wrong_crc(idat) + iend)
    bad("chunk-length", SIGNATURE + ihdr + b"\xff\xff\xff\xff" + idat[4:] + iend)
    bad("truncated-idat", SIGNATURE + ihdr + idat[:len(idat) // 2])
    # All pixels are present.
    bad("missing-iend", SIGNATURE + ihdr + idat)

    # A full flush ends on a byte boundary, so the next byte starts a block: 7 makes it the last block, of the reserved
    # type. The rows before it are complete.
    compressor = zlib.compressobj(9)
    damaged = compressor.compress(b"".join(rows[:5])) + compressor.flush(zlib.Z_FULL_FLUSH)
    rest = compressor.compress(b"".join(rows[5:])) + compressor.flush()
    bad("damaged-zlib", SIGNATURE + ihdr + chunk(b"IDAT", damaged + b"\x07" + rest[1:]) + iend)
    too_few = zlib.compress(b"".join(rows[:-3]), 9)
    bad("too-few-rows", SIGNATURE + ihdr + chunk(b"IDAT", too_few) + iend)
    wrong_filter = zlib.compress(b"".join(rows[:4]) + b"\x05" + rows[4][1:] + b"".join(rows[5:]), 9)
    bad("filter-type", SIGNATURE + ihdr + chunk(b"IDAT", wrong_filter) + iend)

    indexed = draw(13, 9, PALETTE, 4, entries=13)
    without_palette = Picture(13, 9, PALETTE, 4, indexed.rows)
    bad("missing-plte", encoded(without_palette))
    indexed.rows[4][6] = (13,)
    bad("palette-index", encoded(indexed))


# ---------------------------------------------------------------------------
# Animations


@dataclass
class Frame:
    """A frame: its picture, its position on the canvas, and its blend and disposal."""

    picture: Picture
    x: int = 0
    y: int = 0
    delay: tuple = (1, 10)
    disposal: str = "keep"
    blend: str = "source"


DISPOSALS = ("keep", "background", "previous")
BLENDS = ("source", "over")


def frame_picture(width, height, kind="rgba", depth=8, seed=0, palette=(), transparency=()):
    """Returns noise. With alpha, a third of it is transparent and a third is opaque."""
    color_type = KINDS[kind][0]
    rows = []
    for y in range(height):
        row = []
        for x in range(width):
            i = y * width + x
            pixel = [noise(i + 91 * seed + 1, channel, 16) >> 16 - depth for channel in range(CHANNELS[color_type])]
            if color_type == PALETTE:
                pixel = [pixel[0] % len(palette)]
            elif color_type in (GRAY_ALPHA, RGBA) and (i + seed) % 3 < 2:
                pixel[-1] = ((i + seed) % 3) * (2**depth - 1)
            row.append(tuple(pixel))
        rows.append(row)
    return Picture(width, height, color_type, depth, rows, list(palette), transparency)


def animated(frames, canvas=None, hidden=None, plays=0, interlaced=False, pieces=None, between=b""):
    """Returns an animated PNG. `hidden` is a default image that is not a frame; `pieces` splits the data of each frame.
    """
    first = hidden or frames[0].picture
    width, height = canvas or (first.width, first.height)
    out = SIGNATURE + header(width, height, first.depth, first.color_type, interlaced)
    out += chunk(b"acTL", struct.pack(">II", len(frames), plays))
    if first.palette:
        out += chunk(b"PLTE", bytes(value for color in first.palette for value in color))
    if first.transparency:
        layout = "%dB" if first.color_type == PALETTE else ">%dH"
        out += chunk(b"tRNS", struct.pack(layout % len(first.transparency), *first.transparency))

    sequence = 0

    def cut(stream):
        return [stream] if pieces is None else [stream[:1], b"", stream[1:pieces], stream[pieces:-3], stream[-3:]]

    def stream(picture, variant):
        return cut(deflated(filtered_rows(picture, interlaced, first_filter=variant % 5), method=variant % 4))

    if hidden:
        out += b"".join(chunk(b"IDAT", part) for part in stream(hidden, 1))
    for index, frame in enumerate(frames):
        out += chunk(b"fcTL", struct.pack(
            ">IIIIIHHBB", sequence, frame.picture.width, frame.picture.height, frame.x, frame.y, *frame.delay,
            DISPOSALS.index(frame.disposal), BLENDS.index(frame.blend)))
        sequence += 1
        for part in stream(frame.picture, index):
            if index == 0 and not hidden:
                out += chunk(b"IDAT", part)
            else:
                out += between + chunk(b"fdAT", struct.pack(">I", sequence) + part)
                sequence += 1
    return out + chunk(b"IEND")


def composed(frames, width, height):
    """Returns the canvas at each frame, as .rgba16, by the rules of the specification and without intermediate
    rounding."""
    clear = (0.0, 0.0, 0.0, 0.0)
    canvas = [[clear] * width for _ in range(height)]
    out = []
    for index, frame in enumerate(frames):
        picture = frame.picture
        before = [list(row) for row in canvas]
        pixels = [tuple(value / 65535 for value in pixel)
                  for pixel in struct.iter_unpack("<4H", expected_pixels(picture))]
        for y in range(picture.height):
            for x in range(picture.width):
                *color, alpha = pixels[y * picture.width + x]
                *below, alpha_below = canvas[frame.y + y][frame.x + x]
                if frame.blend == "over":
                    rest = alpha_below * (1 - alpha)
                    total = alpha + rest
                    color = [(a * alpha + b * rest) / total if total else 0.0 for a, b in zip(color, below)]
                    alpha = total
                canvas[frame.y + y][frame.x + x] = (*color, alpha)
        out.append(b"".join(struct.pack("<4H", *(math.floor(value * 65535 + 0.5) for value in pixel))
                            for row in canvas for pixel in row))
        if frame.disposal == "previous":
            # Before the first frame the canvas is empty.
            canvas = before
        elif frame.disposal == "background":
            for y in range(picture.height):
                for x in range(picture.width):
                    canvas[frame.y + y][frame.x + x] = clear
    return out


def add_animations(fixtures):
    """Adds the files animated-*.png. Each has a .rgba16 file with the canvas at each frame, one after another, and a
    .frames file with the pixels of each frame alone, in the same form. animations.json has the expected results of a
    reader."""
    manifest = []

    def add(name, frames, canvas=None, hidden=None, plays=0, has_alpha=True, is_still=False, **form):
        first = hidden or frames[0].picture
        width, height = canvas or (first.width, first.height)
        fixtures.add_file(f"animated-{name}.png", animated(frames, canvas, hidden, plays, **form))
        canvases = composed(frames, width, height)
        fixtures.add_file(f"animated-{name}.rgba16", b"".join(canvases))
        fixtures.add_file(f"animated-{name}.frames", b"".join(expected_pixels(frame.picture) for frame in frames))
        # hasAlpha may be true without a transparent pixel, but a transparent pixel requires it.
        transparent = any(alpha < 65535 for data in canvases for *_, alpha in struct.iter_unpack("<4H", data))
        assert has_alpha or not transparent
        manifest.append({
            "name": f"animated-{name}",
            "width": width,
            "height": height,
            "bitDepth": first.depth,
            "hasAlpha": has_alpha,
            "loopCount": 1 if is_still else plays,
            "isStill": is_still,
            "frames": [
                {
                    "x": frame.x,
                    "y": frame.y,
                    "width": frame.picture.width,
                    "height": frame.picture.height,
                    "nanoseconds": shown(*frame.delay),
                    "disposal": frame.disposal,
                    "blend": frame.blend,
                }
                for frame in frames
            ],
        })

    def shown(numerator, denominator):
        """Returns the duration of a frame. A denominator of 0 means 100, and durations that are too short for browsers
        become 100 ms."""
        duration = Fraction(numerator, denominator or 100)
        return 100_000_000 if duration < Fraction(11, 1000) else int(duration * 10**9)

    pairs = [(blend, disposal) for disposal in DISPOSALS for blend in BLENDS]

    def paired(kind, depth, width, height, sizes, **extra):
        """Returns all pairs of blend and disposal, twice and in two orders, after a first frame that fills the canvas.
        """
        frames = [Frame(frame_picture(width, height, kind, depth, seed=0, **extra))]
        for index, (blend, disposal) in enumerate(pairs + pairs[::-1]):
            w, h = sizes[index % len(sizes)]
            x, y = (index * 5 + 1) % (width - w + 1), (index * 3 + 2) % (height - h + 1)
            frames.append(Frame(
                frame_picture(w, h, kind, depth, seed=index + 1, **extra), x, y, (index + 2, 50), disposal, blend))
        return frames

    sizes = [(7, 5), (4, 8), (12, 3), (1, 10), (12, 10)]
    add("pairs", paired("rgba", 8, 12, 10, sizes), plays=2)
    add("pairs-interlaced", paired("rgba", 8, 12, 10, sizes), interlaced=True)
    add("pairs-16", paired("rgba", 16, 12, 10, sizes), plays=1)
    add("pairs-gray", paired("grayalpha", 8, 12, 10, sizes))
    palette = [tuple(noise(k + 3, channel, 8) for channel in range(3)) for k in range(13)]
    add("palette", paired("palette", 4, 12, 10, sizes, palette=palette, transparency=(0, 127, 255, 1, 200)))
    add("gray-keyed", paired("gray", 2, 12, 10, sizes, transparency=(1,)))
    add("rgb16-keyed", paired("rgb", 16, 12, 10, sizes, transparency=(0x1234, 0xABCD, 0x7F80)))
    add("pieces", paired("rgba", 8, 12, 10, sizes), pieces=9, between=chunk(b"caLo", b"between the pixels"))
    tiny = [(1, 1), (2, 1), (1, 5), (3, 2), (5, 5), (4, 1), (6, 9)]
    add("tiny-interlaced", paired("rgb", 8, 9, 9, tiny), interlaced=True, pieces=2)

    # Without alpha in the file the canvas is opaque unless a frame is disposed without being covered.
    def opaque(frames, **more):
        return [Frame(frame_picture(w, h, "rgb", 8, seed=index), x, y, **more)
                for index, (w, h, x, y) in enumerate(frames)]

    whole, part = (8, 6, 0, 0), (3, 4, 2, 1)
    add("opaque", opaque([whole, part, (8, 1, 0, 5)]), has_alpha=False)
    restored = opaque([whole, part, (2, 2, 6, 4)])
    restored[1].disposal = "previous"
    add("opaque-previous", restored, has_alpha=False)
    filled = opaque([whole, part, part, whole, whole])
    filled[1].disposal = filled[3].disposal = "background"
    add("opaque-filled", filled, has_alpha=False)
    open_ = opaque([whole, part, (2, 2, 6, 4)])
    open_[1].disposal = "background"
    add("gap", open_)
    undone = opaque([whole, part, (2, 2, 6, 4)])
    undone[0].disposal = "previous"
    add("first-previous", undone)

    # The default image is not a frame.
    hidden = frame_picture(8, 6, "rgb", 8, seed=77)
    add("hidden", opaque([part, (8, 6, 0, 0), (2, 2, 6, 4)]), canvas=(8, 6), hidden=hidden, plays=3)
    add("hidden-opaque", opaque([whole, part]), hidden=hidden, has_alpha=False)
    add("hidden-one", opaque([part]), canvas=(8, 6), hidden=hidden, plays=7)
    add("hidden-interlaced", opaque([part, whole]), canvas=(8, 6), hidden=hidden, interlaced=True)
    add("still", opaque([whole]), plays=5, has_alpha=False, is_still=True)

    delays = [(0, 1), (10, 1000), (1, 0), (2, 0), (11, 1000), (1, 3), (10_999, 1_000), (65535, 1), (1, 65535), (0, 0)]
    timed = opaque([whole] * len(delays))
    for frame, delay in zip(timed, delays):
        frame.delay = delay
    add("delays", timed, plays=2**31 - 1, has_alpha=False)
    fixtures.add_file("animations.json", (json.dumps(manifest, indent=2) + "\n").encode())


def compare_animations(files):
    """Compares the canvases with those of `apngdis`, a tool by one of the authors of the format. Requires it, and
    Pillow to read its output. Version 2.9 agrees in all of them within two levels of 255, which is its rounding.

    Pillow's own canvases, in version 13.0, do not follow the specification: frames are blended as if everything below
    them were opaque, the background of the first frame is black, and only the first of several interlaced frames is
    read.
    """
    import subprocess
    import tempfile
    from PIL import Image

    for entry in json.loads(files["animations.json"]):
        name = entry["name"]
        with tempfile.TemporaryDirectory() as directory:
            path = Path(directory) / "a.png"
            path.write_bytes(files[name + ".png"])
            subprocess.run(["apngdis", str(path)], check=True, stdout=subprocess.DEVNULL)
            found = sorted(Path(directory).glob("apngframe*.png"))
            frames = entry["frames"]
            # A default image that is not a frame comes first, and is incorrectly drawn below the frames. There is
            # nothing to compare until a frame fills the canvas.
            is_hidden = len(found) > len(frames)
            skipped = 0
            while is_hidden and skipped < len(frames):
                frame = frames[skipped]
                if (frame["width"], frame["height"]) == (entry["width"], entry["height"]):
                    break
                skipped += 1
            found = found[is_hidden + skipped:]
            theirs = [pixel for path in found for pixel in Image.open(path).convert("RGBA").get_flattened_data()]
        assert len(found) == len(frames) - skipped
        pixels = list(struct.iter_unpack("<4H", files[name + ".rgba16"]))
        worst = 0
        for ours, pixel in zip(pixels[skipped * entry["width"] * entry["height"]:], theirs, strict=True):
            # As displayed: the color of transparent pixels does not count.
            alpha = ours[3] / 257
            worst = max([worst, abs(alpha - pixel[3])] + [
                abs(a / 257 * alpha - b * pixel[3]) / 255 for a, b in zip(ours[:3], pixel[:3])])
        print(f"{name}: at most {worst:.2f} of 255 apart")
        assert worst < 2


# ---------------------------------------------------------------------------


def make_all():
    fixtures = Fixtures()
    add_color_types(fixtures)
    add_transparency(fixtures)
    add_sizes(fixtures)
    add_orientations(fixtures)
    add_color_spaces(fixtures)
    add_told_colors(fixtures)
    add_extra_chunks(fixtures)
    add_bad_files(fixtures)
    add_animations(fixtures)
    manifest = sorted(fixtures.manifest, key=lambda entry: entry["name"])
    fixtures.add_file("manifest.json", (json.dumps(manifest, indent=2) + "\n").encode())
    return fixtures.files


def main(arguments):
    if arguments not in ([], ["--check"], ["--compare"]):
        sys.exit(__doc__)
    files = make_all()
    if arguments == ["--compare"]:
        compare_animations(files)
        return
    if arguments:
        fixture_directory.check(files, FOLDER)
    fixture_directory.write(files, FOLDER)


if __name__ == "__main__":
    main(sys.argv[1:])
