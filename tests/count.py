#!/usr/bin/env python3
"""Add up the tests of some build folders: count.py FOLDER=STATUS...

STATUS is the exit status of building and testing FOLDER. Every line of a TAP test counts, other tests count as one. The
JSON log is read because the JUnit file of meson 1.0 shows neither a crash after the last good line nor a time-out.
"""

import glob
import json
import os
import re
import sys

TAP_LINE = re.compile(r"(not )?ok\b[^#]*(?:#\s*(skip|todo)\b)?", re.IGNORECASE)
GOOD = ("OK", "EXPECTEDFAIL")


def tap_tests(folder):
    """Names of the tests that speak TAP."""
    with open(os.path.join(folder, "meson-info", "intro-tests.json"), encoding="utf-8") as file:
        return {test["name"] for test in json.load(file) if test["protocol"] == "tap"}


def count_tap(output):
    """Count the lines of one TAP test: passed, failed, skipped."""
    passed = failed = skipped = 0
    for line in output.splitlines():
        match = TAP_LINE.match(line)
        if match is None:
            continue
        bad, directive = match.group(1) is not None, (match.group(2) or "").lower()
        if directive == "skip" or (directive == "todo" and bad):
            skipped += 1
        elif bad or directive == "todo":
            failed += 1
        else:
            passed += 1
    return passed, failed, skipped


def count_test(test, is_tap):
    """Count one entry of the log: passed, failed, skipped."""
    result = test["result"]
    if not is_tap:
        return int(result in GOOD), int(result not in GOOD + ("SKIP",)), int(result == "SKIP")

    output = test["stdout"] or ""
    passed, failed, skipped = count_tap(output)
    if result == "SKIP" and passed + failed + skipped == 0:
        # meson takes silence for a skip; only a plan that says so is one.
        planned = re.search(r"^1\.\.0\b", output, re.MULTILINE) is not None
        return 0, int(not planned), int(planned)
    if result not in GOOD + ("SKIP",) and failed == 0:
        # It crashed, timed out or broke off after lines that were all good.
        failed = 1
    return passed, failed, skipped


def count_folder(folder, status):
    """Count one build folder: passed, failed, skipped."""
    total = [0, 0, 0]
    for log in glob.glob(os.path.join(glob.escape(folder), "meson-logs", "testlog*.json")):
        tap = tap_tests(folder)
        with open(log, encoding="utf-8") as file:
            for line in file:
                test = json.loads(line)
                # Where there are suites, the log puts them before the name.
                is_tap = test["name"] in tap or test["name"].partition(" / ")[2] in tap
                total = [sum(pair) for pair in zip(total, count_test(test, is_tap))]
    if status != 0 and total[1] == 0:
        # The build failed, or meson itself did.
        total[1] = 1
    return total


def main(arguments):
    total = [0, 0, 0]
    for argument in arguments:
        folder, _, status = argument.rpartition("=")
        total = [sum(pair) for pair in zip(total, count_folder(folder, int(status)))]
    passed, failed, skipped = total
    print(f"{passed} passed, {failed} failed" + (f", {skipped} skipped" if skipped else ""))
    return int(failed > 0 or passed == 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
