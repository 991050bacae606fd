"""Writes and checks the fixture directories of the scripts `make-fixtures.py`."""

import sys


def write(files, directory):
    """Writes files into the directory. `files` contains their bytes by name."""
    directory.mkdir(exist_ok=True)
    for name, data in files.items():
        (directory / name).write_bytes(data)
    print(f"{len(files)} files, {sum(map(len, files.values()))} bytes")


def check(files, directory):
    """Exits with status 1 if a file is missing from the directory, different or unexpected, and otherwise with 0."""
    wrong = [name for name, data in files.items()
             if not (directory / name).is_file() or (directory / name).read_bytes() != data]
    stray = [path.name for path in directory.glob("*") if path.name not in files and path.name[0] != "."]
    for name in sorted(wrong):
        print(f"missing or different: {name}")
    for name in sorted(stray):
        print(f"not made by this script: {name}")
    sys.exit(1 if wrong or stray else 0)
