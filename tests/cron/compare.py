#!/usr/bin/env python3
"""TAP: our cron against other programs: compare.py LIST-RUNS FOLDER [--expressions N] [--zones N] [--seed N] [--table]

Random expressions, around every setting of the clock in three years, in many zones. Where a program lists other runs
than we do, each run that only one of the two has must belong to a class of CLASSES; sdk/README.md says what these are.
One that belongs to none fails the test. The libraries of npm are installed in FOLDER, as package-lock.json says; a program that
is not there is skipped, and the test says so.
"""

import argparse
import collections
import os
import random
import shutil
import subprocess
import sys
from datetime import datetime, timezone
from zoneinfo import ZoneInfo

HERE = os.path.dirname(os.path.abspath(__file__))
YEARS = range(2024, 2027)
HOUR = 3600
# What is looked at around a setting of the clock.
BEFORE = 6 * HOUR
AFTER = 27 * HOUR
ZONES = [
    "Europe/Berlin", "America/New_York", "Australia/Lord_Howe", "UTC", "Europe/London", "America/St_Johns", "Pacific/Chatham",
    "Africa/Cairo", "America/Havana", "Africa/Casablanca", "Europe/Dublin", "America/Los_Angeles", "America/Santiago",
    "Asia/Beirut", "Asia/Kathmandu", "Asia/Jerusalem", "Australia/Adelaide", "Pacific/Auckland", "Antarctica/Troll",
    "America/Nuuk",
]
RANGES = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 6)]
STARS = [0.03, 0.35, 0.75, 0.9, 0.6]

# Each is a word and what the program does, for the table.
CLASSES = {
    "gap-dropped": "does not run what the clock jumps over",
    "gap-shifted": "runs it as if the clock had not jumped, so many minutes later",
    "gap-early": "runs it before the clock jumps",
    "fold-again": "runs a fixed time again when it comes again",
    "fold-later": "runs a fixed time only when it comes again",
    "fold-once": "runs an asterisk hour only once where the hour comes twice",
    "loses-way": "leaves out a run that plainly matches, within a day of the jump",
    "astray": "runs at a time that does not match, within a day of the jump",
    "whole-range": "takes 1-31 or 0-6 for an asterisk when it joins the two fields of days",
    "never": "takes a date that never comes, which we refuse",
    "refused": "does not read the expression",
}


# ---- expressions ----


def make_field(chance, part):
    """A value, a list, a range or a step; values that come twice are not read by all programs."""
    low, high = RANGES[part]
    first = chance.randint(low, high)
    last = chance.randint(first, high)
    step = chance.randint(2, min(12, high - low))
    values = ",".join(str(value) for value in sorted(chance.sample(range(low, high + 1), 3)))
    return chance.choice([f"*/{step}", f"{first}-{last}", f"{first}-{last}/{step}", values, str(first), str(first), str(first)])


def make_expression(chance):
    fields = ["*" if chance.random() < STARS[part] else make_field(chance, part) for part in range(5)]
    # Most settings of a clock are at night.
    if chance.random() < 0.5 and fields[1] != "*":
        fields[1] = chance.choice(["0", "1", "2", "3", "0-3", "1,2", "*/2", "23"])
    return " ".join(fields)


def read_field(text, part):
    low, high = RANGES[part]
    values = set()
    for element in text.split(","):
        span, _, step = element.partition("/")
        first, _, last = span.partition("-")
        if span == "*":
            first, last = low, high
        elif not last:
            last = first
        values.update(range(int(first), int(last) + 1, int(step or 1)))
    return values


class Expression:
    def __init__(self, text):
        self.text = text
        self.fields = [read_field(field, part) for part, field in enumerate(text.split())]
        self.stars = [field == "*" for field in text.split()]

    def matches(self, time, offset):
        """Whether a clock with this offset shows a time that is allowed."""
        wall = datetime.fromtimestamp(time + offset, timezone.utc)
        by_day = wall.day in self.fields[2]
        by_weekday = wall.isoweekday() % 7 in self.fields[4]
        either = not self.stars[2] and not self.stars[4]
        return (wall.second == 0 and wall.minute in self.fields[0] and wall.hour in self.fields[1] and wall.month in self.fields[3]
                and (by_day or by_weekday if either else by_day and by_weekday))

    def has_whole_range(self):
        return ((not self.stars[2] and len(self.fields[2]) == 31) or (not self.stars[4] and len(self.fields[4]) == 7))


# ---- zones ----


def offset_of(zone, time):
    return int(datetime.fromtimestamp(time, zone).utcoffset().total_seconds())


def find_jumps(name):
    """The times at which the zone's clock is set, with both offsets."""
    zone = ZoneInfo(name)
    time = int(datetime(YEARS[0], 1, 1, tzinfo=timezone.utc).timestamp())
    end = int(datetime(YEARS[-1] + 1, 1, 1, tzinfo=timezone.utc).timestamp())
    jumps = []
    while time < end:
        before = offset_of(zone, time)
        if offset_of(zone, time + 86400) != before:
            low, high = time, time + 86400
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if offset_of(zone, middle) == before else (low, middle)
            jumps.append((high, before, offset_of(zone, high)))
        time += 86400
    return jumps or [(int(datetime(YEARS[0], 3, 31, 1, tzinfo=timezone.utc).timestamp()), 0, 0)]


# ---- classes ----


def classify(expression, jump, time, is_ours, theirs):
    """The class of a run that only one of the two has, or None."""
    at, before, after = jump
    size = abs(after - before)
    in_gap = after > before
    fixed = not expression.stars[1]
    if in_gap:
        if is_ours and fixed and time == at:
            return "gap-dropped"
        if not is_ours and at <= time < at + size and expression.matches(time, before):
            return "gap-shifted"
        if not is_ours and at - size <= time < at and expression.matches(time, after):
            return "gap-early"
    elif size > 0:
        if not is_ours and fixed and at <= time < at + size and expression.matches(time, after):
            return "fold-again"
        if is_ours and fixed and at - size <= time < at and time + size in theirs:
            return "fold-later"
        if is_ours and not fixed and at - size <= time < at + size:
            return "fold-once"
    # Away from the jump a run is right if the clock shows a time that is allowed.
    if size > 0 and expression.matches(time, before if time < at else after) == is_ours:
        return "loses-way" if is_ours else "astray"
    if expression.has_whole_range():
        return "whole-range"
    return None


# ---- programs ----


def install(folder):
    """Installs the libraries of npm; returns whether they are there."""
    os.makedirs(folder, exist_ok=True)
    if os.path.isdir(os.path.join(folder, "node_modules", "cron-parser")):
        return True
    if shutil.which("npm") is None:
        return False
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(HERE, name), folder)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0", "--fetch-timeout=20000"]
    try:
        return subprocess.run(command, cwd=folder, stdout=sys.stderr, timeout=100).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def find_programs(folder):
    programs = {}
    for library in ("croner", "cron-parser"):
        programs[library] = ["node", os.path.join(HERE, "oracle.mjs"), library, folder] if install(folder) else None
    has_croniter = subprocess.run(["/usr/bin/python3", "-c", "import croniter"], stderr=subprocess.DEVNULL).returncode == 0
    programs["croniter"] = ["/usr/bin/python3", os.path.join(HERE, "oracle-croniter.py")] if has_croniter else None
    has_systemd = shutil.which("systemd-analyze") is not None
    programs["systemd"] = [sys.executable, os.path.join(HERE, "oracle-systemd.py")] if has_systemd else None
    return programs


def list_runs(command, windows):
    text = "".join(f"{expression.text}\t{zone}\t{jump[0] - BEFORE}\t{jump[0] + AFTER}\n" for expression, zone, jump in windows)
    lines = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    assert len(lines) == len(windows), f"{command[0]} has answered {len(lines)} of {len(windows)} lines"
    return [None if line == "refused" else [int(time) for time in line.split()] for line in lines]


def compare(windows, ours, theirs):
    """How often each class was seen, in windows, and what has none."""
    seen = collections.Counter()
    unexplained = []
    for (expression, zone, jump), a, b in zip(windows, ours, theirs):
        if a is None or b is None:
            if a is not None or b is not None:
                seen["never" if a is None else "refused"] += 1
            continue
        a, b = set(a), set(b)
        classes = set()
        for time in a ^ b:
            word = classify(expression, jump, time, time in a, b)
            if word is None:
                unexplained.append((expression.text, zone, jump, "ours" if time in a else "theirs", time))
            else:
                classes.add(word)
        seen.update(classes)
        seen["same" if a == b else "different"] += 1
    return seen, unexplained


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list_runs")
    parser.add_argument("folder")
    parser.add_argument("--expressions", type=int, default=1000)
    parser.add_argument("--zones", type=int, default=len(ZONES))
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    expressions = [Expression(make_expression(chance)) for _ in range(options.expressions)]
    zones = ZONES[:options.zones]
    windows = [(expression, zone, jump) for zone in zones for jump in find_jumps(zone) for expression in expressions]
    ours = list_runs([options.list_runs], windows)
    programs = find_programs(options.folder)
    print(f"1..{len(programs)}")
    print(f"# {len(expressions)} expressions, {len(zones)} zones, {len(windows)} windows, {sum(len(runs or ()) for runs in ours)} runs")
    failed = False
    for number, (name, command) in enumerate(programs.items(), 1):
        if command is None:
            print(f"ok {number} - {name} # SKIP NOT COMPARED: {name} is not there and could not be installed")
            continue
        # A process per window is slow: systemd gets every tenth expression.
        some = [index for index in range(len(windows)) if name != "systemd" or index % len(expressions) % 10 == 0]
        chosen = [windows[index] for index in some]
        seen, unexplained = compare(chosen, [ours[index] for index in some], list_runs(command, chosen))
        failed = failed or bool(unexplained)
        print(f"{'not ' if unexplained else ''}ok {number} - {name}: {seen['same']} windows are the same, {seen['different']} differ, "
              f"{len(unexplained)} runs unexplained")
        for word in CLASSES:
            if seen[word]:
                print(f"#   {seen[word]:7} {word}: {name} {CLASSES[word]}")
        for case in unexplained[:12]:
            print(f"#   unexplained: {case}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
