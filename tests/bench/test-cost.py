#!/usr/bin/env python3
"""An event costs the same late in a journal as early: test-cost.py PROGRAM [VALGRIND], TAP.

Without VALGRIND nothing can be counted and the test is skipped.
"""

import glob
import os
import re
import subprocess
import sys
import tempfile

# What may be added for blocks that are full just then.
LIMIT = 1.2


def read_instructions(folder):
    """Instructions by the name of the measurement."""
    found = {}
    for path in glob.glob(os.path.join(folder, "out.*")):
        with open(path, encoding="utf-8", errors="replace") as file:
            text = file.read()
        name = re.search(r"^desc: Trigger: Client Request: (\w+)$", text, re.MULTILINE)
        total = re.search(r"^(?:totals|summary): (\d+)", text, re.MULTILINE)
        if name is not None and total is not None:
            found[name.group(1)] = int(total.group(1))
    return found


def check(number, what, early, late):
    good = 0 < late <= early * LIMIT
    print(f"# {what}: {early} early, {late} late")
    print(f"{'' if good else 'not '}ok {number} - {what} of an event late in a journal")
    return good


def main(arguments):
    if len(arguments) < 2:
        print("1..0 # SKIP instructions can only be counted by valgrind and in a build without sanitizers")
        return 0
    program, valgrind = arguments
    with tempfile.TemporaryDirectory() as folder:
        command = [valgrind, "--quiet", "--tool=callgrind", "--collect-atstart=no",
                   "--callgrind-out-file=" + os.path.join(folder, "out"), program]
        output = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout
        instructions = read_instructions(folder)
    lines = {line.split()[0]: line.split()[1:] for line in output.splitlines() if line.startswith(("early ", "late "))}
    for name, (length, _) in lines.items():
        print(f"# {name}: {length} records")
    print("1..2")
    good = check(1, "instructions", instructions["early"], instructions["late"])
    good &= check(2, "bytes", int(lines["early"][1]), int(lines["late"][1]))
    return int(not good)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
