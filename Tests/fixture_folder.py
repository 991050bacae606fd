"""The folder of the fixtures that a script beside this one makes."""

import sys


def write(files, folder):
    """Writes the files, by their names, into the folder."""
    folder.mkdir(exist_ok=True)
    for name, data in files.items():
        (folder / name).write_bytes(data)
    print(f"{len(files)} files, {sum(map(len, files.values()))} bytes")


def check(files, folder):
    """Ends the script: with 1 if a file is missing from the folder, differs or is stray."""
    wrong = [name for name, data in files.items()
             if not (folder / name).is_file() or (folder / name).read_bytes() != data]
    stray = [path.name for path in folder.glob("*") if path.name not in files and path.name[0] != "."]
    for name in sorted(wrong):
        print(f"missing or different: {name}")
    for name in sorted(stray):
        print(f"not made by this script: {name}")
    sys.exit(1 if wrong or stray else 0)
