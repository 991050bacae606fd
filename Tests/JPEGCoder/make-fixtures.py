#!/usr/bin/env python3
"""Makes the JPEG test fixtures in the directory `Fixtures` next to this script.

    python3 make-fixtures.py            writes every fixture
    python3 make-fixtures.py --check    writes nothing; fails if a file in the
                                        directory is missing, different or unexpected

Requires Python 3.11 with its standard library, and the tools `cjpeg`, `djpeg` and
`jpegtran` of libjpeg-turbo 2.1.5 (Debian: libjpeg-turbo-progs). Other versions may
write different, equally valid files.

The expected pixels are the output of `djpeg -dct int`, libjpeg-turbo's own tool, for
the same file that the tests decode. Only those of CMYK without an Adobe marker are
computed here, since `djpeg` treats every CMYK file as one by Adobe, which stores inks
inverted. `djpeg` must also detect the fault of each bad file, except an excessive size.

Its output:

    NAME.jpg            a picture
    NAME.rgb            expected pixels: no header, rows from top to bottom in the
                        orientation stored in the file, R G B, 8 bits per sample; the
                        whole picture, then the picture reduced by 2, by 4 and by 8
                        while decoding, whose sides are rounded up
    NAME-upright.rgb    for the EXIF orientations: the expected pixels of the whole
                        picture turned upright
    bad-FAULT.jpg       a file with exactly the fault in its name
    source*.rgb         pictures to encode, 33x31
    plain-NAME.jpg      1000x1000 pixels of the gray 128
    partial-NAME-N.rgb  the expected pixels, reduced as above, of the first N scans of a
                        picture
    encoded-*.rgb       the expected pixels after encoding: `-444-50` was written with
                        4:4:4 and quality 50
    icc.icc             the ICC profile in icc.jpg, the same as in the PNG fixtures
    manifest.json       the expected results of a reader for each good picture, sorted by
                        name. `width` and `height` are those stored in the file. `pixels`
                        names the .rgb file, which pictures with equal pixels share
"""

import json
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import fixture_directory  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "Fixtures"
PROFILE = FOLDER.parent.parent / "PNGCoder" / "Fixtures" / "icc.icc"

REDUCTIONS = (1, 2, 4, 8)

SOF0, SOF2, SOF3, DHT, SOI, EOI, SOS, DQT, DRI = 0xC0, 0xC2, 0xC3, 0xC4, 0xD8, 0xD9, 0xDA, 0xDB, 0xDD
APP0, APP1, APP2, APP14 = 0xE0, 0xE1, 0xE2, 0xEE

SAMPLINGS = {
    "444": "1x1",
    "422": "2x1",
    "420": "2x2",
    "440": "1x2",
    "411": "4x1",
    # Different unusual factors for each component.
    "uneven": "2x2,1x2,2x1",
}

# The combinations that are allowed in one scan: at most ten blocks at once.
ODD_SAMPLINGS = {
    "444": "1x1",
    "422": "2x1",
    "440": "1x2",
    "420": "2x2",
    "411": "4x1",
    "441": "1x4",
    "410": "4x2",
    "3x1": "3x1",
    "1x3": "1x3",
    "3x2": "3x2",
}

# Like cjpeg's own script, but luma comes first: there is no color for some time.
SCRIPT = """
0: 0-0, 0, 2;
0: 1-5, 0, 2;
1,2: 0-0, 0, 1;
0: 0-0, 2, 1;
1: 1-63, 0, 1;
2: 1-63, 0, 1;
0: 6-63, 0, 2;
0: 0-0, 1, 0;
1,2: 0-0, 1, 0;
0: 1-63, 2, 1;
0: 1-63, 1, 0;
1: 1-63, 1, 0;
2: 1-63, 1, 0;
"""


# ---------------------------------------------------------------------------
# Pictures


@dataclass
class Picture:
    """Rows of pixels: tuples of three for color, of one for gray."""

    width: int
    height: int
    rows: list

    @property
    def data(self):
        return bytes(value for row in self.rows for pixel in row for value in pixel)

    @property
    def rgb(self):
        """Returns the bytes of an .rgb file, for pictures in color or gray."""
        return bytes(value for row in self.rows for pixel in row for value in (pixel * 3)[:3])

    @property
    def pnm(self):
        kind = b"P6" if len(self.rows[0][0]) == 3 else b"P5"
        return kind + b"\n%d %d\n255\n" % (self.width, self.height) + self.data

    def mapped(self, function):
        return Picture(self.width, self.height, [[function(*pixel) for pixel in row] for row in self.rows])


def read_pnm(data):
    kind, size, top, rest = data.split(b"\n", 3)
    width, height = map(int, size.split())
    channels = {b"P6": 3, b"P5": 1}[kind]
    assert top == b"255" and len(rest) == width * height * channels
    pixels = [tuple(rest[i:i + channels]) for i in range(0, len(rest), channels)]
    return Picture(width, height, [pixels[i:i + width] for i in range(0, len(pixels), width)])


def landscape(width, height):
    """Returns smooth parts, hard edges, texture and strong colors, without symmetry."""

    def pixel(x, y):
        # The position as a fraction in 1024ths, so that all sizes show the same picture.
        u, v = (2 * x + 1) * 512 // width, (2 * y + 1) * 512 // height
        if (u - 700) ** 2 + (v - 280) ** 2 < 190**2:
            return (250, 214, 48)
        ridge = 560 + abs((u * 3) % 1024 - 512) // 3
        if v > ridge:
            grain = (x * 7 + y * 13 + x * y) % 17 * 3
            return (20 + grain, 130 - (v - ridge) // 8 + grain // 2, 34 + grain // 3)
        if 120 < u < 330 and v > 330:
            return (196, 30, 42) if (x // 3 + y // 3) % 2 else (236, 222, 214)
        return (60 + v // 8, 110 + u // 16 + v // 10, 235 - u // 9)

    return Picture(width, height, [[pixel(x, y) for x in range(width)] for y in range(height)])


def in_gray(picture):
    return picture.mapped(lambda r, g, b: ((77 * r + 150 * g + 29 * b) // 256,))


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


# ---------------------------------------------------------------------------
# libjpeg-turbo's tools


def run(*command, data):
    made = subprocess.run(command, input=data, capture_output=True, check=False)
    # 2 means that there were warnings.
    assert made.returncode in (0, 2), (command, made.stderr)
    return made.stdout


def run_with_script(*command, data, script):
    """Runs a tool that reads its script of scans from a file."""
    with tempfile.NamedTemporaryFile("w", suffix=".scans") as file:
        file.write(script)
        file.flush()
        return run(*command, "-scans", file.name, data=data)


def cjpeg(picture, *options, quality=85, script=None):
    command = ("cjpeg", "-quality", str(quality), "-dct", "int", *options)
    return run_with_script(*command, data=picture.pnm, script=script) if script else run(*command, data=picture.pnm)


def jpegtran(data, *options):
    return run("jpegtran", "-copy", "all", *options, data=data)


def djpeg(data, reduction=1):
    return read_pnm(run("djpeg", "-dct", "int", "-pnm", "-scale", f"1/{reduction}", data=data))


def complaint(data):
    """Returns djpeg's message about a file."""
    made = subprocess.run(("djpeg", "-dct", "int"), input=data, capture_output=True, check=False)
    assert made.returncode != 0, "djpeg finds no fault"
    return made.stderr.decode()


# ---------------------------------------------------------------------------
# Segments of a file


@dataclass
class Segment:
    """A marker, the body of its segment, and the entropy-coded data after it."""

    marker: int
    body: bytes = b""
    scan: bytes = b""

    @property
    def data(self):
        out = bytes([0xFF, self.marker])
        if self.marker not in (SOI, EOI):
            out += struct.pack(">H", len(self.body) + 2) + self.body
        return out + self.scan


def segments(data):
    """Returns the segments of a valid file."""
    out, at = [], 0
    while at < len(data):
        assert data[at] == 0xFF
        marker = data[at + 1]
        at += 2
        body = scan = b""
        if marker not in (SOI, EOI):
            length = struct.unpack_from(">H", data, at)[0]
            body = data[at + 2:at + length]
            at += length
        if marker == SOS:
            start = at
            # The only markers within entropy-coded data are restart markers; another 0xFF is followed by 0.
            while not (data[at] == 0xFF and data[at + 1] not in (0, *range(0xD0, 0xD8))):
                at += 1
            scan = data[start:at]
        out.append(Segment(marker, body, scan))
    return out


def file_of(parts):
    return b"".join(part.data for part in parts)


def without(data, *markers):
    return file_of(part for part in segments(data) if part.marker not in markers)


def inserted(data, *parts, after=SOI):
    """Returns a file with additional segments after the first one of a kind."""
    out, waiting = [], list(parts)
    for part in segments(data):
        out.append(part)
        if part.marker == after and waiting:
            out += waiting
            waiting = []
    assert not waiting
    return file_of(out)


def changed(data, marker, change, index=0):
    """Returns a file in which one segment of a kind has another body."""
    parts = segments(data)
    part = [part for part in parts if part.marker == marker][index]
    part.body = change(part.body)
    return file_of(parts)


def patched(at, *values):
    """Returns a function that replaces bytes of a body."""
    return lambda body: body[:at] + bytes(values) + body[at + len(values):]


def frame(width, height, components, precision=8):
    """Returns the body of a SOF segment; components are (identifier, sampling factors, quantization table)."""
    out = struct.pack(">BHHB", precision, height, width, len(components))
    return out + b"".join(struct.pack("BBB", *component) for component in components)


def scan_header(*identifiers, table=0, spectrum=(0, 63), bits=(0, 0)):
    """Returns the body of a SOS segment."""
    out = bytes([len(identifiers)])
    for identifier in identifiers:
        out += bytes([identifier, table << 4 | table])
    return out + bytes([*spectrum, bits[0] << 4 | bits[1]])


def adobe(transform):
    """Returns Adobe's segment with the meaning of the components: 0 unconverted, 1 YCbCr, 2 YCCK."""
    return Segment(APP14, b"Adobe" + struct.pack(">HHHB", 100, 0, 0, transform))


def exif(orientation, thumbnail=b""):
    """Returns a TIFF structure with Make and Orientation, and a thumbnail in a second directory."""
    # Both byte orders occur in practice; the orientation's parity selects one.
    order, mark = ("<", b"II") if orientation % 2 else (">", b"MM")
    make = b"Calotype\0\0"
    values_at = 8 + 2 + 2 * 12 + 4
    second_at = values_at + len(make)
    out = mark + struct.pack(order + "HI", 42, 8)
    out += struct.pack(order + "H", 2)
    # Make comes first, so that a reader has to walk the directory, and is too long to fit into its entry.
    out += struct.pack(order + "HHII", 0x010F, 2, len(make), values_at)
    # A SHORT lies in the first two of the four bytes, in either byte order.
    out += struct.pack(order + "HHIHH", 0x0112, 3, 1, orientation, 0)
    out += struct.pack(order + "I", second_at if thumbnail else 0)
    assert len(out) == values_at
    out += make
    if thumbnail:
        thumbnail_at = second_at + 2 + 3 * 12 + 4
        out += struct.pack(order + "H", 3)
        out += struct.pack(order + "HHIHH", 0x0103, 3, 1, 6, 0)
        out += struct.pack(order + "HHII", 0x0201, 4, 1, thumbnail_at)
        out += struct.pack(order + "HHII", 0x0202, 4, 1, len(thumbnail))
        out += struct.pack(order + "I", 0) + thumbnail
    return Segment(APP1, b"Exif\0\0" + out)


def profile_parts(profile, count):
    """Returns a profile in several segments, numbered from 1. Source: ICC.1:2022, annex B.4."""
    size = -(-len(profile) // count)
    return [
        Segment(APP2, b"ICC_PROFILE\0" + bytes([k + 1, count]) + profile[k * size:(k + 1) * size])
        for k in range(count)
    ]


# ---------------------------------------------------------------------------
# Good files


class Fixtures:
    """All files to write, by name, and the entries of the manifest."""

    def __init__(self):
        self.files = {}
        self.manifest = []
        self.pixels = {}

    def add_file(self, name, data):
        assert name not in self.files
        self.files[name] = data

    def add(self, name, data, model="ycbcr", orientation=1, has_profile=False, decode=djpeg):
        pictures = [decode(data, reduction) for reduction in REDUCTIONS]
        expected = b"".join(picture.rgb for picture in pictures)
        self.add_file(name + ".jpg", data)
        shared = self.pixels.setdefault((pictures[0].width, expected), name)
        if shared == name:
            self.add_file(name + ".rgb", expected)
        self.manifest.append({
            "name": name,
            "width": pictures[0].width,
            "height": pictures[0].height,
            "colorModel": model,
            "orientation": orientation,
            "hasICCProfile": has_profile,
            "pixels": shared,
        })
        return pictures[0]


def add_kinds(fixtures):
    """Adds every subsampling with every coding method."""
    picture = landscape(61, 47)
    for name, sampling in SAMPLINGS.items():
        fixtures.add(f"baseline-{name}", cjpeg(picture, "-sample", sampling))
        progressive = cjpeg(picture, "-sample", sampling, "-progressive")
        assert_improves(progressive)
        fixtures.add(f"progressive-{name}", progressive)
    gray = in_gray(picture)
    fixtures.add("gray", cjpeg(gray), "gray")
    fixtures.add("gray-progressive", cjpeg(gray, "-progressive"), "gray")
    script = cjpeg(picture, script=SCRIPT)
    assert_improves(script)
    fixtures.add("progressive-script", script)
    fixtures.add("separate-scans", cjpeg(picture, script="0; 1; 2;"))

    fixtures.add("restart-rows", cjpeg(picture, "-restart", "1"))
    fixtures.add("restart-blocks", cjpeg(picture, "-sample", "2x1", "-restart", "3B"))
    fixtures.add("restart-progressive", cjpeg(picture, "-restart", "5B", "-progressive"))
    fixtures.add("arithmetic", cjpeg(picture, "-arithmetic"))
    fixtures.add("arithmetic-progressive", cjpeg(picture, "-arithmetic", "-progressive"))
    fixtures.add("arithmetic-restart", cjpeg(picture, "-arithmetic", "-restart", "1"))
    fixtures.add(
        "arithmetic-restart-blocks", cjpeg(picture, "-arithmetic", "-sample", "2x1", "-restart", "3B"))
    fixtures.add(
        "arithmetic-restart-progressive", cjpeg(picture, "-arithmetic", "-progressive", "-restart", "5B"))
    # Some data of these is zeros, which the encoder omits.
    margin = Picture(61, 47, picture.rows[:16] + [[(255, 255, 255)] * 61] * 31)
    fixtures.add("margin", cjpeg(margin))
    fixtures.add("margin-arithmetic", cjpeg(margin, "-arithmetic"))
    fixtures.add("margin-arithmetic-progressive", cjpeg(margin, "-arithmetic", "-progressive"))
    fixtures.add("margin-arithmetic-restart", cjpeg(margin, "-arithmetic", "-restart", "2B"))
    fixtures.add(
        "margin-arithmetic-restart-progressive",
        cjpeg(margin, "-arithmetic", "-progressive", "-restart", "1"))
    plain = Picture(1000, 1000, [[(128,)] * 1000] * 1000)
    fixtures.add_file("plain-arithmetic.jpg", cjpeg(plain, "-arithmetic"))
    fixtures.add_file("plain-arithmetic-progressive.jpg", cjpeg(plain, "-arithmetic", "-progressive"))
    # Steps of more than 255 need 16 bits, and an extended sequential frame.
    extended = cjpeg(landscape(33, 31), quality=8)
    assert any(part.marker == 0xC1 for part in segments(extended))
    fixtures.add("extended", extended)


def assert_improves(data):
    """Asserts that each scan brings the picture clearly closer to the last one."""
    final = djpeg(data).rgb
    parts = segments(data)
    errors = []
    for index, part in enumerate(parts):
        if part.marker == SOS:
            shown = djpeg(file_of(parts[:index + 1] + [Segment(EOI)])).rgb
            errors.append(sum((a - b) ** 2 for a, b in zip(shown, final)) / len(final))
    assert len(errors) > 5 and errors[-1] == 0
    assert all(after <= before for before, after in zip(errors, errors[1:])), errors


def add_color_spaces(fixtures):
    picture = landscape(33, 31)
    small = cjpeg(picture)
    fixtures.add("small", small)
    fixtures.add("small-progressive", cjpeg(picture, "-progressive"))

    rgb = cjpeg(picture, "-rgb")
    fixtures.add("rgb", rgb, "rgb")
    # The identifiers are R, G and B.
    fixtures.add("rgb-without-adobe", without(rgb, APP14), "rgb")
    plain = without(small, APP0)
    fixtures.add("ycbcr-without-markers", plain)
    fixtures.add("adobe-transform-1", inserted(plain, adobe(1)))
    # YCbCr data that must be interpreted as RGB, which gives strange colors.
    fixtures.add("adobe-transform-0", inserted(plain, adobe(0)), "rgb")
    fixtures.add("adobe-transform-9", inserted(plain, adobe(9)))
    # JFIF allows only YCbCr, and takes precedence.
    fixtures.add("jfif-adobe-transform-0", inserted(small, adobe(0), after=APP0))

    inks = picture.mapped(separated)
    planes = [inks.mapped(lambda *ink, k=k: (ink[k],)) for k in range(4)]
    cmyk = four_components(planes, [0x11] * 4, b"CMYK", [adobe(0)])
    fixtures.add("cmyk-separate-scans", cmyk, "cmyk")
    fixtures.add("cmyk", jpegtran(cmyk), "cmyk")
    fixtures.add("cmyk-progressive", jpegtran(cmyk, "-progressive"), "cmyk")
    plain = [plane.mapped(lambda ink: (255 - ink,)) for plane in planes]
    plain = jpegtran(four_components(plain, [0x11] * 4, b"CMYK", []))
    fixtures.add("cmyk-without-adobe", without(plain, APP14), "cmyk", decode=decode_plain_inks)

    planes = ycck(inks)
    fixtures.add("ycck", jpegtran(four_components(planes, [0x11] * 4, bytes([1, 2, 3, 4]), [adobe(2)])), "cmyk")
    planes[1:3] = [halved(plane) for plane in planes[1:3]]
    subsampled = four_components(planes, [0x22, 0x11, 0x11, 0x22], bytes([1, 2, 3, 4]), [adobe(2)])
    fixtures.add("ycck-420", jpegtran(subsampled), "cmyk")
    fixtures.add("ycck-420-progressive", jpegtran(subsampled, "-progressive"), "cmyk")


def separated(r, g, b):
    """Returns a color as four inks, inverted as Adobe stores them: 0 is full ink."""
    key = max(r, g, b, 1)
    return (*(value * 255 // key for value in (r, g, b)), key)


def ycck(inks):
    """Returns the planes of YCCK. Cyan, magenta and yellow are the complements of red, green and blue."""

    def pixel(c, m, y, k):
        r, g, b = 255 - c, 255 - m, 255 - y
        luma = (299 * r + 587 * g + 114 * b) // 1000
        chroma = [128 + (b - luma) * 1000 // 1772, 128 + (r - luma) * 1000 // 1402]
        return (luma, *(min(max(value, 0), 255) for value in chroma), k)

    converted = inks.mapped(pixel)
    return [converted.mapped(lambda *values, k=k: (values[k],)) for k in range(4)]


def halved(plane):
    """Returns every second pixel of every second row."""
    rows = [row[::2] for row in plane.rows[::2]]
    return Picture(len(rows[0]), len(rows), rows)


def four_components(planes, samplings, identifiers, before):
    """Returns a file with a scan for each component, merged from four gray files, since `cjpeg` cannot write four
    components."""
    pictures = [segments(cjpeg(plane)) for plane in planes]
    tables = [part for part in pictures[0] if part.marker in (DQT, DHT)]
    components = [(identifier, sampling, 0) for identifier, sampling in zip(identifiers, samplings)]
    header = frame(planes[0].width, planes[0].height, components)
    scans = []
    for identifier, picture in zip(identifiers, pictures):
        assert [part for part in picture if part.marker in (DQT, DHT)] == tables
        data = [part.scan for part in picture if part.marker == SOS]
        scans.append(Segment(SOS, scan_header(identifier), data[0]))
    return file_of([Segment(SOI), *before, *tables, Segment(SOF0, header), *scans, Segment(EOI)])


def decode_plain_inks(data, reduction):
    """Decodes the pixels of four inks that are not inverted: 255 is full ink."""
    # The computation for Adobe's inks must match djpeg.
    assert inks_to_rgb(data, reduction, lambda ink: ink) == djpeg(data, reduction)
    return inks_to_rgb(data, reduction, lambda ink: 255 - ink)


def inks_to_rgb(data, reduction, light):
    planes = ink_planes(data, reduction)
    rows = []
    for row in zip(*(plane.rows for plane in planes)):
        pixels = [[light(value) for value, in pixel] for pixel in zip(*row)]
        rows.append([tuple((2 * value * k + 255) // 510 for value in (c, m, y)) for c, m, y, k in pixels])
    return Picture(planes[0].width, planes[0].height, rows)


def ink_planes(data, reduction):
    """Returns each component as decoded by djpeg from a gray picture with the same data."""
    # Scans of single components can be copied unchanged.
    parts = segments(run_with_script("jpegtran", "-copy", "none", data=data, script="0; 1; 2; 3;"))
    tables = [part for part in parts if part.marker in (DQT, DHT)]
    size = struct.unpack_from(">HH", next(part for part in parts if part.marker == SOF0).body, 1)
    planes = []
    for part in parts:
        if part.marker == SOS:
            tables_used = part.body[2]
            header = frame(size[1], size[0], [(1, 0x11, 0)])
            scan = bytes([1, 1, tables_used, 0, 63, 0])
            gray = file_of([Segment(SOI), *tables, Segment(SOF0, header), Segment(SOS, scan, part.scan), Segment(EOI)])
            planes.append(djpeg(gray, reduction))
    assert len(planes) == 4
    return planes


def add_sizes(fixtures):
    for width, height in ((1, 1), (1, 17), (17, 1), (8, 8), (9, 9), (16, 16)):
        picture = landscape(width, height)
        fixtures.add(f"size-{width}x{height}", cjpeg(picture))
        fixtures.add(f"size-{width}x{height}-progressive", cjpeg(picture, "-progressive"))
    fixtures.add("size-1x1-gray", cjpeg(in_gray(landscape(1, 1))), "gray")
    fixtures.add("size-17x1-411", cjpeg(landscape(17, 1), "-sample", "4x1"))
    fixtures.add("size-1x17-440", cjpeg(landscape(1, 17), "-sample", "1x2"))


def add_odd_sizes(fixtures):
    """Adds every subsampling in sizes that are not multiples of its blocks."""
    for width, height in ((7, 5), (35, 19)):
        for name, sampling in ODD_SAMPLINGS.items():
            fixtures.add(f"odd-{name}-{width}x{height}", cjpeg(landscape(width, height), "-sample", sampling))


def add_partial(fixtures):
    """Adds the partial pictures of files that are truncated after a scan, which equal those of files that end there."""
    for name, counts in (
        ("progressive-420", (1, 4, 7)),
        ("progressive-script", (2, 6)),
        ("gray-progressive", (2,)),
        ("cmyk-progressive", (3,)),
        ("ycck-420-progressive", (3,)),
        ("separate-scans", (1, 2)),
    ):
        parts = segments(fixtures.files[name + ".jpg"])
        scans = [index for index, part in enumerate(parts) if part.marker == SOS]
        for count in counts:
            cut = file_of(parts[:scans[count - 1] + 1] + [Segment(EOI)])
            expected = b"".join(djpeg(cut, reduction).rgb for reduction in REDUCTIONS)
            fixtures.add_file(f"partial-{name}-{count}.rgb", expected)


def add_orientations(fixtures):
    # Both sides are multiples of eight, so that jpegtran rotates whole blocks without loss.
    upright = cjpeg(landscape(32, 24), "-sample", "1x1")
    turns = {
        2: ("-flip", "horizontal"),
        3: ("-rotate", "180"),
        4: ("-flip", "vertical"),
        5: ("-transpose",),
        6: ("-rotate", "270"),
        7: ("-transverse",),
        8: ("-rotate", "90"),
    }
    for orientation in range(1, 9):
        stored = jpegtran(upright, "-perfect", *turns[orientation]) if orientation > 1 else upright
        data = inserted(stored, exif(orientation), after=APP0)
        picture = turned(fixtures.add(f"orientation-{orientation}", data, orientation=orientation), orientation)
        assert (picture.width, picture.height) == (32, 24)
        # The pixels are rounded as stored, so they may differ slightly between orientations.
        difference = max(abs(a - b) for a, b in zip(picture.rgb, djpeg(upright).rgb))
        assert difference <= 4, difference
        fixtures.add_file(f"orientation-{orientation}-upright.rgb", picture.rgb)

    small = cjpeg(landscape(33, 31))
    fixtures.add("exif-after-frame", inserted(small, exif(6), after=SOF0), orientation=6)
    # A reader that searches for markers byte by byte finds a whole file with many scans in it.
    thumbnail = cjpeg(landscape(16, 16), "-progressive")
    fixtures.add("exif-thumbnail", inserted(small, exif(3, thumbnail), after=APP0), orientation=3)


def add_profiles(fixtures):
    profile = PROFILE.read_bytes()
    fixtures.add_file("icc.icc", profile)
    small = cjpeg(landscape(33, 31))
    parts = profile_parts(profile, 4)
    fixtures.add("icc", inserted(small, *profile_parts(profile, 1), after=APP0), has_profile=True)
    fixtures.add("icc-split", inserted(small, *parts, after=APP0), has_profile=True)
    reordered = [parts[k] for k in (2, 0, 3, 1)]
    fixtures.add("icc-reordered", inserted(small, *reordered, after=APP0), has_profile=True)
    fixtures.add("icc-after-frame", inserted(small, *parts, after=SOF0), has_profile=True)
    # As in Pillow's icc-after-SOF.jpg: complete before the frame's header, and once more after it.
    twice = inserted(inserted(small, *parts, after=SOF0), *parts, after=APP0)
    fixtures.add("icc-twice", twice, has_profile=True)
    # Damaged profiles, which do not affect the picture.
    fixtures.add("icc-part-missing", inserted(small, *parts[:2], parts[3], after=APP0))
    fixtures.add("icc-part-twice", inserted(small, *parts[:2], *parts[1:], after=APP0))


def add_accepted(fixtures):
    """Adds files that are unusual, but unambiguous."""
    small = cjpeg(landscape(33, 31))
    fixtures.add("missing-end", small[:-2])
    garbage = bytes((k * 89 + 7) % 256 for k in range(300))
    # An end marker, another picture, and noise.
    fixtures.add("garbage-after-end", small + cjpeg(landscape(8, 8)) + garbage)
    at = small.index(bytes([0xFF, DHT]))
    fixtures.add("extraneous-bytes", small[:at] + b"\1\2\3\0\4" + small[at:])
    fixtures.add("extraneous-bytes-before-end", small[:-2] + b"\1\2\3\4" * 9 + small[-2:])
    # Any number of 0xFF may precede a marker.
    fixtures.add("fill-bytes", small[:at] + b"\xff" * 5 + small[at:-2] + b"\xff" * 3 + small[-2:])
    # As in video formats: missing tables are those of annex K.3.
    fixtures.add("missing-huffman-tables", without(small, DHT))


# ---------------------------------------------------------------------------
# Bad files


def add_bad_files(fixtures):
    """Adds files with one fault each, which are otherwise valid."""

    def bad(name, data, say):
        """Adds a bad file. `say` is a part of djpeg's message; None if djpeg cannot be used."""
        if say is not None:
            assert say in complaint(data), (name, complaint(data))
        fixtures.add_file(f"bad-{name}.jpg", data)

    small = cjpeg(landscape(33, 31))
    progressive = cjpeg(landscape(33, 31), "-progressive")
    parts = segments(small)
    header = [part.body for part in parts if part.marker == SOF0][0]
    components = [(1, 0x22, 0), (2, 0x11, 1), (3, 0x11, 1)]
    assert header == frame(33, 31, components)

    def with_frame(width=33, height=31, components=components, precision=8, data=small, marker=SOF0):
        return changed(data, marker, lambda body: frame(width, height, components, precision))

    bad("empty", b"", "Empty input file")
    bad("start-only", small[:2], "Premature end")
    bad("signature-only", small[:3], "Premature end")
    bad("png", b"\x89PNG\r\n\x1a\n" + bytes(60), "Not a JPEG file")
    bad("end-at-once", small[:2] + small[-2:], "no image")
    tables = [part for part in parts if part.marker in (SOI, DQT, DHT, EOI)]
    bad("tables-only", file_of(tables), "no image")
    bad("no-scan", file_of(part for part in parts if part.marker != SOS), "Invalid JPEG file structure")
    bad("no-frame", without(small, SOF0), "SOS before SOF")
    bad("two-frames", inserted(small, Segment(SOF0, header), after=SOF0), "two SOF markers")

    bad("zero-width", with_frame(width=0), "Empty JPEG image")
    # Legal if a DNL segment follows the first scan, which libjpeg-turbo does not support.
    dnl = Segment(0xDC, struct.pack(">H", 31))
    bad("zero-height", inserted(with_frame(height=0), dnl, after=SOS), "DNL not supported")
    bad("huge-dimensions", with_frame(width=65500, height=65500)[:-len(parts[-2].scan)], None)
    bad("beyond-dimensions", with_frame(width=65501), "Maximum supported image dimension")
    # 400 MB for coefficients must not be allocated on the claim of a header.
    large = with_frame(8000, 8000, data=progressive, marker=SOF2)
    bad("large-and-short", large[:large.index(bytes([0xFF, SOS])) + 60], None)
    bad("precision-12", with_frame(precision=12), "Unsupported JPEG data precision 12")
    bad("precision-0", with_frame(precision=0), "Unsupported JPEG data precision 0")
    for name, marker in (("lossless", SOF3), ("hierarchical", 0xC5)):
        other = [Segment(marker, part.body) if part.marker == SOF0 else part for part in parts]
        bad(name, file_of(other), f"SOF type 0x{marker:02x}")
    # The frame marker of JPEG-LS.
    other = [Segment(0xF7, part.body) if part.marker == SOF0 else part for part in parts]
    bad("jpeg-ls", file_of(other), "Unsupported marker type 0xf7")

    bad("no-components", with_frame(components=[]), "Empty JPEG image")
    two = changed(with_frame(components=[(1, 0x11, 0), (2, 0x11, 0)]), SOS, lambda body: scan_header(1, 2))
    bad("two-components", two, "PPM output must be grayscale or RGB")
    bad("eleven-components", with_frame(components=[(k, 0x11, 0) for k in range(11)]), "Too many color components")
    bad("component-count", changed(small, SOF0, patched(5, 4)), "Bogus marker length")
    bad("sampling-zero", with_frame(components=[(1, 0x20, 0), *components[1:]]), "Bogus sampling factors")
    bad("sampling-five", with_frame(components=[(1, 0x52, 0), *components[1:]]), "Bogus sampling factors")
    bad("scan-component", changed(small, SOS, patched(3, 9)), "Invalid component ID 9")
    bad("scan-components", changed(small, SOS, lambda body: scan_header(1, 2, 3, 1, 2)), "Bogus marker length")
    bad("spectral-range", changed(progressive, SOS, patched(3, 9, 5), index=1), "Invalid progressive parameters")

    bad("missing-quantization", without(small, DQT), "Quantization table 0x00 was not defined")
    first_table_gone = segments(progressive)
    first_table_gone.remove(next(part for part in first_table_gone if part.marker == DHT))
    bad("missing-huffman-progressive", file_of(first_table_gone), "Huffman table 0x00 was not defined")
    bad("quantization-index", changed(small, DQT, patched(0, 7)), "Bogus DQT index 7")
    bad("huffman-index", changed(small, DHT, patched(0, 0x17)), "Bogus DHT index 7")
    bad("huffman-counts", changed(small, DHT, patched(1, *[255] * 16)), "Bogus Huffman table definition")
    # Three codes of one bit.
    bad("huffman-tree", changed(small, DHT, patched(1, 3, 2)), "Bogus Huffman table definition")
    length = small.index(bytes([0xFF, DHT])) + 2
    bad("segment-length", small[:length] + b"\0\1" + small[length + 2:], "Bogus marker length")

    scan = parts[-2].scan
    at = len(small) - 2 - len(scan) // 2
    bad("truncated-data", small[:at], "Premature end")
    bad("truncated-header", small[:length + 30], "Premature end")
    # Codes of sixteen ones do not exist.
    damaged = small[:at] + b"\xff\0\xff\0\xff\0" + small[at + 6:]
    bad("huffman-data", damaged, "Corrupt JPEG data")
    scans = [index for index, part in enumerate(segments(progressive)) if part.marker == SOS]
    bad("between-scans", file_of(segments(progressive)[:scans[3] + 1]), "Premature end")
    restarts = cjpeg(landscape(33, 31), "-restart", "1")
    at = restarts.index(b"\xff\xd0")
    bad("restart-missing", restarts[:at] + restarts[at + 2:], "Corrupt JPEG data")
    bad("thousand-scans", thousand_scans(), None)


def thousand_scans():
    """Returns a valid file, except for the number of its scans: each has one bit of one coefficient of one component.
    """
    # One code of one bit in each table: no difference from the previous DC, or only zero AC to the end.
    tables = [Segment(DQT, bytes([0]) + bytes([1] * 64))]
    tables += [Segment(DHT, bytes([kind, 1, *[0] * 15, 0])) for kind in (0x00, 0x10)]
    components = [(identifier, 0x11, 0) for identifier in (1, 2, 3)]
    scans = []
    for bit in range(13, -1, -1):
        bits = (0 if bit == 13 else bit + 1, bit)
        scans.append(Segment(SOS, scan_header(1, 2, 3, spectrum=(0, 0), bits=bits), b"\x1f"))
    for identifier in (1, 2, 3):
        for k in range(1, 64):
            for bit in range(13, -1, -1):
                bits = (0 if bit == 13 else bit + 1, bit)
                scans.append(Segment(SOS, scan_header(identifier, spectrum=(k, k), bits=bits), b"\x7f"))
    data = file_of([Segment(SOI), *tables, Segment(SOF2, frame(8, 8, components)), *scans[:1000], Segment(EOI)])
    # A uniform gray, without any warning.
    assert subprocess.run(("djpeg",), input=data, capture_output=True, check=True).stderr == b""
    assert djpeg(data).rgb == bytes([128] * 192)
    return data


# ---------------------------------------------------------------------------
# Pictures to be encoded


def add_encoded(fixtures):
    picture = landscape(33, 31)
    gray = in_gray(picture)
    fixtures.add_file("source.rgb", picture.rgb)
    fixtures.add_file("source-gray.rgb", gray.rgb)
    for quality in (50, 90):
        for name in ("444", "422", "420", "440"):
            written = cjpeg(picture, "-sample", SAMPLINGS[name], quality=quality)
            fixtures.add_file(f"encoded-{name}-{quality}.rgb", djpeg(written).rgb)
            progressive = cjpeg(picture, "-sample", SAMPLINGS[name], "-progressive", quality=quality)
            assert djpeg(progressive) == djpeg(written)
        fixtures.add_file(f"encoded-gray-{quality}.rgb", djpeg(cjpeg(gray, quality=quality)).rgb)


# ---------------------------------------------------------------------------


def make_all():
    fixtures = Fixtures()
    add_kinds(fixtures)
    add_color_spaces(fixtures)
    add_sizes(fixtures)
    add_odd_sizes(fixtures)
    add_partial(fixtures)
    add_orientations(fixtures)
    add_profiles(fixtures)
    add_accepted(fixtures)
    add_bad_files(fixtures)
    add_encoded(fixtures)
    manifest = sorted(fixtures.manifest, key=lambda entry: entry["name"])
    fixtures.add_file("manifest.json", (json.dumps(manifest, indent=2) + "\n").encode())
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
