"""The directory of the fixtures that a script beside this one makes."""

import sys


def write(files, directory):
    """Writes the files, by their names, into the directory."""
    directory.mkdir(exist_ok=True)
    for name, data in files.items():
        (directory / name).write_bytes(data)
    print(f"{len(files)} files, {sum(map(len, files.values()))} bytes")


def check(files, directory):
    """Ends the script: with 1 if a file is missing from the directory, differs or is stray."""
    wrong = [name for name, data in files.items()
             if not (directory / name).is_file() or (directory / name).read_bytes() != data]
    stray = [path.name for path in directory.glob("*") if path.name not in files and path.name[0] != "."]
    for name in sorted(wrong):
        print(f"missing or different: {name}")
    for name in sorted(stray):
        print(f"not made by this script: {name}")
    sys.exit(1 if wrong or stray else 0)
