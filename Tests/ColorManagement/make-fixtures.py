#!/usr/bin/env python3
"""Makes the fixtures of color management in the directory `Fixtures` next to this script.

    python3 make-fixtures.py            writes every fixture
    python3 make-fixtures.py --check    writes nothing; fails if a file in the
                                        directory is missing, different or unexpected

Requires Python 3.11 with Pillow 13.0, which contains Little CMS 2.19, and the tool
`transicc` of Little CMS 2.14 (Debian: liblcms2-utils). Other versions may differ in the
last digits.

The profiles are written by this script, from ICC.1:2022 (version 4.4) and, for those of
version 2, ICC.1:2001-04. None is copied. The expected colors come from two programs that
use Little CMS in different ways: transicc converts each color separately in double
precision, and Pillow's ImageCms converts 8-bit pictures by an optimized transform. For a
profile of a matrix and curves, the formula is computed here as well, and must agree with
transicc.

Its output:

    NAME.icc        a profile
    colors8         pixels to convert, four channels of 8 bits: red, green, blue and
                    alpha, or four inks. Gray is the first channel
    colors16        the same in 16 bits, little-endian
    beyond          the same in 32-bit floating point, some of them below 0 or above 1
    NAME-8          colors8 as converted by transicc: red, green and blue in 32-bit
                    floating point, 0 to 1, or beyond, since it does not clamp
    NAME-16         the same for colors16
    NAME-beyond     the same for beyond; only for matrix profiles
    NAME-pillow     colors8 as converted by Pillow: red, green and blue in 8 bits

All of them are converted to sRGB with the intent of NAME in the list below, and with
black point compensation.
"""

import io
import itertools
import random
import struct
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageCms

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import fixture_directory  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "Fixtures"

PERCEPTUAL, RELATIVE = 0, 1

# ---------------------------------------------------------------------------
# Colors

D50 = (0.9642, 1.0, 0.8249)
D65 = (0.3127, 0.3290)
SRGB = ((0.64, 0.33), (0.30, 0.60), (0.15, 0.06))
P3 = ((0.680, 0.320), (0.265, 0.690), (0.150, 0.060))
ADOBE = ((0.64, 0.33), (0.21, 0.71), (0.15, 0.06))
BRADFORD = ((0.8951, 0.2664, -0.1614), (-0.7502, 1.7135, 0.0367), (0.0389, -0.0685, 1.0296))


def times(matrix, vector):
    return tuple(sum(a * b for a, b in zip(row, vector)) for row in matrix)


def product(one, other):
    columns = [times(one, column) for column in zip(*other)]
    return tuple(zip(*columns))


def inverse(matrix):
    (a, b, c), (d, e, f), (g, h, i) = matrix
    determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g)
    rows = ((e * i - f * h, c * h - b * i, b * f - c * e),
            (f * g - d * i, a * i - c * g, c * d - a * f),
            (d * h - e * g, b * g - a * h, a * e - b * d))
    return tuple(tuple(value / determinant for value in row) for row in rows)


def xyz(chromaticity):
    x, y = chromaticity
    return (x / y, 1.0, (1 - x - y) / y)


def adaptation():
    """Returns Bradford's matrix from D65 to D50."""
    gains = [to / of for to, of in zip(times(BRADFORD, D50), times(BRADFORD, xyz(D65)))]
    scaled = tuple(tuple(gain * value for value in row) for gain, row in zip(gains, BRADFORD))
    return product(inverse(BRADFORD), scaled)


def colorants(primaries):
    """Returns the matrix from linear red, green and blue, with a D65 white, to XYZ relative to D50."""
    columns = tuple(zip(*(xyz(primary) for primary in primaries)))
    amounts = times(inverse(columns), xyz(D65))
    return product(adaptation(), tuple(tuple(a * b for a, b in zip(row, amounts)) for row in columns))


def srgb_light(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def srgb_level(light):
    return light * 12.92 if light <= 0.0031308 else 1.055 * light ** (1 / 2.4) - 0.055


def lab(color):
    def root(ratio):
        return ratio ** (1 / 3) if ratio > (6 / 29) ** 3 else ratio / (3 * (6 / 29) ** 2) + 4 / 29
    x, y, z = (root(value / white) for value, white in zip(color, D50))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


# ---------------------------------------------------------------------------
# Profiles

# A gamma of 2.2, rounded to eight binary places as in Adobe RGB (1998).
GAMMA = 563 / 256


def fixed(*values):
    return b"".join(struct.pack(">i", round(value * 65536)) for value in values)


def element(kind, content):
    data = kind + bytes(4) + content
    return data + bytes(-len(data) % 4)


def curve(*numbers):
    return element(b"curv", struct.pack(f">I{len(numbers)}H", len(numbers), *numbers))


def table_curve(function, count):
    return curve(*(round(function(index / (count - 1)) * 65535) for index in range(count)))


GAMMA_CURVE = curve(563)
SRGB_CURVE = element(b"para", struct.pack(">HH", 3, 0) + fixed(2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045))


def text_of(name, version):
    if version == 4:
        text = name.encode("utf-16-be")
        return element(b"mluc", struct.pack(">II4sII", 1, 12, b"enUS", len(text), 28) + text)
    text = name.encode() + b"\0"
    return element(b"desc", struct.pack(">I", len(text)) + text + bytes(8 + 3 + 67))


def profile(name, version, device_class, space, connection, tags):
    copyright_tag = text_of("Public domain", 4) if version == 4 else element(b"text", b"Public domain\0")
    tags = {b"desc": text_of(f"Calotype test {name}", version), b"cprt": copyright_tag,
            b"wtpt": element(b"XYZ ", fixed(*D50)), **tags}
    place = 128 + 4 + 12 * len(tags)
    table, bodies, places = struct.pack(">I", len(tags)), b"", {}
    for signature, body in tags.items():
        if body not in places:
            places[body] = place + len(bodies)
            bodies += body
        table += struct.pack(">4sII", signature, places[body], len(body))
    date = struct.pack(">6H", 2024, 1, 1, 0, 0, 0)
    header = struct.pack(
        ">I4sI4s4s4s12s4s4sIIIQI", place + len(bodies), bytes(4), 0x04400000 if version == 4 else 0x02400000,
        device_class, space, connection, date, b"acsp", bytes(4), 0, 0, 0, 0, 0)
    header += fixed(*D50)
    return header + bytes(128 - len(header)) + table + bodies


def matrix_profile(name, version, primaries, tone):
    columns = list(zip(*colorants(primaries)))
    tags = {key: element(b"XYZ ", fixed(*column)) for key, column in zip((b"rXYZ", b"gXYZ", b"bXYZ"), columns)}
    tags |= dict.fromkeys((b"rTRC", b"gTRC", b"bTRC"), tone)
    if version == 4:
        tags[b"chad"] = element(b"sf32", fixed(*itertools.chain(*adaptation())))
    return profile(name, version, b"mntr", b"RGB ", b"XYZ ", tags)


def gray_profile(name, version, tone):
    return profile(name, version, b"mntr", b"GRAY", b"XYZ ", {b"kTRC": tone})


def grid(count, dimensions):
    """Returns the points of a table in the order of the profile format: the last channel changes fastest."""
    return itertools.product([index / (count - 1) for index in range(count)], repeat=dimensions)


def clamped(values, full=65535):
    return [min(max(round(value), 0), full) for value in values]


def inks_seen(inks, darkest):
    """Returns the light that four inks on paper let through. Each ink absorbs most of one color and some of the others.
    """
    passing = ((0.05, 0.55, 0.85), (0.80, 0.07, 0.50), (0.97, 0.85, 0.06), (0.03, 0.03, 0.03))
    light = [1.0, 1.0, 1.0]
    for amount, ink in zip(inks, passing):
        light = [value * (1 - amount * (1 - part)) for value, part in zip(light, ink)]
    return lab(times(colorants(ADOBE), [darkest + (1 - darkest) * value for value in light]))


def cmyk_table(darkest):
    """Returns a lut16 element with a curve for each ink, and Lab values of version 2."""
    points = []
    for inks in grid(5, 4):
        lightness, a, b = inks_seen(inks, darkest)
        points += clamped((lightness * 652.8, (a + 128) * 256, (b + 128) * 256))
    dots = [round((index / 255) ** 0.8 * 65535) for index in range(256)]
    content = struct.pack(">BBBB", 4, 3, 5, 0) + fixed(1, 0, 0, 0, 1, 0, 0, 0, 1) + struct.pack(">HH", 256, 2)
    numbers = dots * 4 + points + [0, 65535] * 3
    return element(b"mft2", content + struct.pack(f">{len(numbers)}H", *numbers))


def rgb_table(darkest):
    """Returns a lutAToB element with curves before and after the table, and Lab values of version 4."""
    def part(data):
        return data + bytes(-len(data) % 4)
    points = []
    for levels in grid(9, 3):
        light = [darkest + (1 - darkest) * level ** 2 for level in levels]
        lightness, a, b = lab(times(colorants(P3), light))
        points += clamped((lightness * 655.35, (a + 128) * 257, (b + 128) * 257))
    straight = part(curve())
    bent = part(element(b"para", struct.pack(">HH", 0, 0) + fixed(1.1)))
    table = part(bytes([9, 9, 9] + [0] * 13) + bytes([2, 0, 0, 0]) + struct.pack(f">{len(points)}H", *points))
    b_place = 32
    table_place = b_place + 3 * len(straight)
    a_place = table_place + len(table)
    places = struct.pack(">BBxxIIIII", 3, 3, b_place, 0, 0, table_place, a_place)
    return element(b"mAB ", places + straight * 3 + table + bent * 3)


def tables(make):
    """Returns both tables. The second one, of the other intent, has clearly different values."""
    return {b"A2B0": make(0.01), b"A2B1": make(0.2)}


PROFILES = {
    # As in files of current phones.
    "p3": (RELATIVE, matrix_profile("p3", 4, P3, SRGB_CURVE)),
    # As in files of cameras.
    "adobe": (RELATIVE, matrix_profile("adobe", 2, ADOBE, GAMMA_CURVE)),
    # The primaries of sRGB with another curve, so not sRGB.
    "gamma": (RELATIVE, matrix_profile("gamma", 2, SRGB, GAMMA_CURVE)),
    "rgb-tables": (PERCEPTUAL, profile("rgb-tables", 4, b"scnr", b"RGB ", b"Lab ", tables(rgb_table))),
    "gray-gamma": (RELATIVE, gray_profile("gray-gamma", 2, GAMMA_CURVE)),
    # Gray for paper with dot gain.
    "gray-dots": (RELATIVE, gray_profile("gray-dots", 2, table_curve(lambda level: level ** 1.7, 64))),
    "cmyk": (PERCEPTUAL, profile("cmyk", 2, b"prtr", b"CMYK", b"Lab ", tables(cmyk_table))),
}

# Three profiles that are equivalent to sRGB.
SAME = {
    "srgb-formula": matrix_profile("srgb-formula", 4, SRGB, SRGB_CURVE),
    "srgb-table": matrix_profile("srgb-table", 2, SRGB, table_curve(srgb_light, 1024)),
    "gray-srgb": gray_profile("gray-srgb", 2, table_curve(srgb_light, 1024)),
}

FORMULAS = {
    "p3": (P3, srgb_light),
    "adobe": (ADOBE, lambda level: level ** GAMMA),
    "gamma": (SRGB, lambda level: level ** GAMMA),
    "gray-gamma": (None, lambda level: level ** GAMMA),
}

# ---------------------------------------------------------------------------
# Colors to convert


def colors(full, seed):
    """Returns all grays of a ramp, the corners, the middle, and colors from all parts of the space, with various
    alphas."""
    numbers = random.Random(seed)
    pixels = [(full * index // 31,) * 3 for index in range(32)]
    pixels += itertools.product((0, full // 2, full), repeat=3)
    pixels += [tuple(numbers.randint(0, full) for _ in range(3)) for _ in range(201)]
    return [pixel + (numbers.randint(0, full),) for pixel in pixels]


COLORS8 = colors(255, 8)
COLORS16 = colors(65535, 16)
# In steps that are exact in 32 bits.
BEYOND = [tuple(value / 4096 - 0.25 for value in pixel) for pixel in colors(7168, 32)]


# ---------------------------------------------------------------------------
# The expected results


def run_transicc(path, intent, lines):
    done = subprocess.run(
        ("transicc", "-n", "-b", f"-t{intent}", f"-i{path}", "-o*sRGB"), input="".join(lines).encode(),
        capture_output=True, check=True)
    return [tuple(float(word) / 255 for word in line.split()) for line in done.stdout.decode().splitlines() if line]


def exact(name, pixels):
    """Returns the conversion of pixels by transicc, with channels from 0 to 1."""
    intent, data = PROFILES[name]
    space = data[16:20]
    count, full = {b"RGB ": (3, 255), b"GRAY": (1, 255), b"CMYK": (4, 100)}[space]
    lines = [" ".join(f"{value * full:.9f}" for value in pixel[:count]) + "\n" for pixel in pixels]
    with tempfile.NamedTemporaryFile(suffix=".icc") as file:
        file.write(data)
        file.flush()
        made = run_transicc(file.name, intent, lines)
    assert len(made) == len(pixels), f"transicc made {len(made)} colors of {len(pixels)} for {name}"
    return made


def agree_with_formula(name, pixels, made):
    if name not in FORMULAS:
        return
    primaries, light = FORMULAS[name]
    matrix = product(inverse(colorants(SRGB)), colorants(primaries or SRGB))
    for pixel, color in zip(pixels, made):
        lights = [light(value) for value in (pixel[:3] if primaries else pixel[:1] * 3)]
        for linear, value in zip(times(matrix, lights), color):
            # The chromaticities of sRGB in Little CMS, and thus its matrix, have fewer digits.
            wrong = abs(srgb_level(max(linear, 0)) - max(value, 0))
            assert wrong < 0.2 / 255, f"{name}: {pixel} is {value}, {wrong * 255} levels off"


def pillow(name, pixels):
    intent, data = PROFILES[name]
    mode = {b"RGB ": "RGB", b"GRAY": "L", b"CMYK": "CMYK"}[data[16:20]]
    count = len(Image.new(mode, (1, 1)).getbands())
    picture = Image.frombytes(mode, (len(pixels), 1), bytes(itertools.chain(*(pixel[:count] for pixel in pixels))))
    transform = ImageCms.buildTransform(
        ImageCms.ImageCmsProfile(io.BytesIO(data)), ImageCms.createProfile("sRGB"), mode, "RGB",
        renderingIntent=ImageCms.Intent(intent), flags=ImageCms.Flags.BLACKPOINTCOMPENSATION)
    return ImageCms.applyTransform(picture, transform).tobytes()


def floats(values):
    values = list(itertools.chain(*values))
    return struct.pack(f"<{len(values)}f", *values)


def make_all():
    files = {f"{name}.icc": data for name, (_, data) in PROFILES.items()}
    files |= {f"{name}.icc": data for name, data in SAME.items()}
    files["colors8"] = bytes(itertools.chain(*COLORS8))
    files["colors16"] = b"".join(struct.pack("<4H", *pixel) for pixel in COLORS16)
    files["beyond"] = floats(BEYOND)
    for name in PROFILES:
        for depth, pixels, full in (("8", COLORS8, 255), ("16", COLORS16, 65535)):
            shares = [tuple(value / full for value in pixel) for pixel in pixels]
            made = exact(name, shares)
            agree_with_formula(name, shares, made)
            files[f"{name}-{depth}"] = floats(made)
        files[f"{name}-pillow"] = pillow(name, COLORS8)
        if name in FORMULAS:
            files[f"{name}-beyond"] = floats(exact(name, BEYOND))
    return files


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    files = make_all()
    if arguments:
        fixture_directory.check(files, FOLDER)
    fixture_directory.write(files, FOLDER)


if __name__ == "__main__":
    main(sys.argv[1:])
