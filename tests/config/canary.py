#!/usr/bin/env python3
"""Looks for a secret that nobody should have written down: canary.py FILE FOLDER...

The secret stands in FILE. It is looked for in parts, and also in base64, hexadecimal, percent encoding and UTF-16. Exit status 1 if
something in a folder has it, or if there is nothing at all to look at; the secret is not repeated.
"""

import base64
import os
import sys
import urllib.parse


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read().strip()


def needles(value):
    """What gives the value away: each half of it, and what encodings make of the whole."""
    data = value.encode()
    half = len(data) // 2
    found = {data[:half], data[half:], data.hex().encode(), data.hex().upper().encode()}
    found.add(urllib.parse.quote(value, safe="").encode())
    found.update({value.encode("utf-16-le"), value.encode("utf-16-be")})
    for shift in range(3):  # base64 looks different with 0, 1 or 2 bytes before it; the ends depend on what is around
        found.add(base64.b64encode(b"\0" * shift + data)[4 * (shift > 0):-4])
    return found


def is_in(value, data):
    return any(needle in data for needle in needles(value))


def find_in_files(value, paths):
    """The files below the paths that have it, and how many were looked at."""
    hits, n_files = [], 0
    for top in paths:
        for folder, _, names in os.walk(top):
            for name in names:
                path = os.path.join(folder, name)
                if os.path.islink(path) or not os.path.isfile(path):
                    continue
                n_files += 1
                with open(path, "rb") as file:
                    if is_in(value, file.read()):
                        hits.append(path)
    return hits, n_files


def main():
    hits, n_files = find_in_files(read(sys.argv[1]), sys.argv[2:])
    for path in hits:
        print(f"canary: a secret stands in {path}", file=sys.stderr)
    if n_files == 0:
        print("canary: there was nothing to look at", file=sys.stderr)
    return int(len(hits) > 0 or n_files == 0)


if __name__ == "__main__":
    sys.exit(main())
