#!/usr/bin/env python3
"""Makes the fixtures of the tests of the whole library in the directory `Fixtures` next to this script.

    python3 make-fixtures.py            writes every fixture
    python3 make-fixtures.py --check    writes nothing; fails if a file in the
                                        directory is missing, different or unexpected

Requires Python 3.11 with Pillow 13.0, which contains Little CMS 2.19 and libjpeg-turbo
3.2. Other versions may write different, equally valid files, and differ in the last
digits.

The expected pixels come from Pillow, which reads the same file that the tests decode,
and converts its colors with ImageCms and black point compensation.

Its output:

    cmyk.jpg            a picture of four inks, 48x40, with the profile cmyk.icc of the
                        fixtures of color management; Pillow writes it like Adobe
    cmyk.rgb            the picture in sRGB by the perceptual intent: no header, rows from
                        top to bottom, R G B, 8 bits per sample
    cmyk-naive.rgb      the same without the profile: the light that each ink and black let
                        through
    icc.rgb             icc.jpg of the fixtures of the JPEG coder in sRGB, by the relative
                        colorimetric intent
"""

import io
import sys
from pathlib import Path

from PIL import Image, ImageCms

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import fixture_directory  # noqa: E402

FOLDER = Path(__file__).resolve().parent / "Fixtures"
TESTS = FOLDER.parent.parent
PROFILE = TESTS / "ColorManagement" / "Fixtures" / "cmyk.icc"
COLORS = TESTS / "JPEGCoder" / "Fixtures" / "icc.jpg"

WIDTH, HEIGHT = 48, 40


def inks(x, y):
    """Returns ramps of each ink alone, of all inks, and patches of two inks with hard edges, without symmetry."""
    ramp = 255 * x // (WIDTH - 1)
    if y < 16:
        return tuple(ramp if y // 4 == k else 0 for k in range(4))
    if y < 24:
        return (ramp, 255 - ramp, ramp // 2, (y - 16) * 20)
    patch = x // 8 + y // 8
    return (patch * 37 % 256, patch * 101 % 256, (patch * 59 + x) % 256, patch % 3 * 40)


def picture(profile):
    made = Image.new("CMYK", (WIDTH, HEIGHT))
    made.putdata([inks(x, y) for y in range(HEIGHT) for x in range(WIDTH)])
    file = io.BytesIO()
    made.save(file, "JPEG", quality=92, icc_profile=profile)
    return file.getvalue()


def converted(read, intent):
    transform = ImageCms.buildTransform(
        ImageCms.ImageCmsProfile(io.BytesIO(read.info["icc_profile"])), ImageCms.createProfile("sRGB"), read.mode,
        "RGB", renderingIntent=intent, flags=ImageCms.Flags.BLACKPOINTCOMPENSATION)
    return ImageCms.applyTransform(read, transform).tobytes()


def naive(read):
    data = read.tobytes()
    pixels = [data[place:place + 4] for place in range(0, len(data), 4)]
    # There are no ties, since 255 is odd.
    return bytes(((255 - ink) * (255 - pixel[3]) + 127) // 255 for pixel in pixels for ink in pixel[:3])


def make_all():
    profile = PROFILE.read_bytes()
    file = picture(profile)
    read = Image.open(io.BytesIO(file))
    assert read.mode == "CMYK" and read.size == (WIDTH, HEIGHT) and read.info["icc_profile"] == profile
    return {
        "cmyk.jpg": file,
        "cmyk.rgb": converted(read, ImageCms.Intent.PERCEPTUAL),
        "cmyk-naive.rgb": naive(read),
        "icc.rgb": converted(Image.open(COLORS), ImageCms.Intent.RELATIVE_COLORIMETRIC),
    }


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    files = make_all()
    if arguments:
        fixture_directory.check(files, FOLDER)
    fixture_directory.write(files, FOLDER)


if __name__ == "__main__":
    main(sys.argv[1:])
