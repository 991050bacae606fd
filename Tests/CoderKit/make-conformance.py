#!/usr/bin/env python3
"""Makes the directories `Conformance` of the tests of GIF, WebP and HEIF.

    python3 make-conformance.py GIFLIB LIBWEBP LIBHEIF

The arguments are the directories of the sources of giflib 5.2.1, libwebp 1.2.4 and libheif
1.15.1, as unpacked by `apt-get source giflib libwebp libheif` of Debian 12. Each output
directory contains the example pictures of the project, and a manifest of their decoding by
another decoder: Pillow 13.0 for GIF, `dwebp` 1.2.4 for WebP, `heif-convert` 1.15.1 for HEIF
(Debian: webp and libheif-examples). Other files of these sources are not used: they are
designed to crash a decoder, and have other licenses than the examples.

    manifest.json   the files by name: `width`, `height`, and for GIF and WebP `digests`,
                    the SHA-256 of each frame's pixels: rows from top to bottom, R G B A
                    with straight alpha, 8 bits per sample, and 0 0 0 0 for transparent
                    pixels
    COPYING         the license, for GIF and WebP. The examples of libheif have the MIT License
    *.samples       for HEIF, whose decoders differ by a level: each 16th pixel of each
                    16th row, beginning with the first
"""

import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from PIL import Image, ImageSequence

TESTS = Path(__file__).resolve().parent.parent
STEP = 16


def pixels(image):
    """Returns the bytes of a picture, with transparent pixels set to zero."""
    data = bytearray(image.convert("RGBA").tobytes())
    for start in range(0, len(data), 4):
        if data[start + 3] == 0:
            data[start:start + 4] = bytes(4)
    return bytes(data)


def converted(program, path):
    """Returns the PNG that a program makes from a file."""
    with tempfile.TemporaryDirectory() as directory:
        png = Path(directory, "picture.png")
        words = [program, path, "-o", png] if program == "dwebp" else [program, path, png]
        subprocess.run(words, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # A file with several pictures has several PNGs; the first picture is the displayed one.
        image = Image.open(png if png.exists() else png.with_stem("picture-1"))
        image.load()
        return image


def exact(path, image):
    frames = [pixels(frame) for frame in ImageSequence.Iterator(image)]
    return {"digests": [hashlib.sha256(frame).hexdigest() for frame in frames]}


def sampled(path, image):
    columns, rows = -(-image.width // STEP), -(-image.height // STEP)
    grid = Image.new("RGBA", (columns, rows))
    whole = image.convert("RGBA")
    for y in range(rows):
        for x in range(columns):
            grid.putpixel((x, y), whole.getpixel((x * STEP, y * STEP)))
    path.with_name(f"{path.name}.samples").write_bytes(grid.tobytes())
    return {}


def make(directory, files, read, describe):
    directory = TESTS / directory / "Conformance"
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir()
    manifest = []
    for file in sorted(files, key=lambda file: file.name):
        path = directory / file.name
        shutil.copyfile(file, path)
        image = read(path)
        manifest.append(
            {"name": file.name, "width": image.width, "height": image.height, **describe(path, image)})
    (directory / "manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")


def main():
    giflib, libwebp, libheif = (Path(argument) for argument in sys.argv[1:])
    make("GIFCoder", [*giflib.glob("pic/*.gif"), giflib / "tests/wedge.gif"], Image.open, exact)
    make("WebPCoder", [libwebp / "examples/test.webp"], lambda path: converted("dwebp", path), exact)
    for directory, source in (("GIFCoder", giflib), ("WebPCoder", libwebp)):
        shutil.copyfile(source / "COPYING", TESTS / directory / "Conformance/COPYING")
    make("HEIFCoder", libheif.glob("examples/example.*"), lambda path: converted("heif-convert", path), sampled)


if __name__ == "__main__":
    main()
