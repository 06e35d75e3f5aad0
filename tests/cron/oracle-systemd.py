#!/usr/bin/env python3
"""Lists runs as list-runs.c does, with `systemd-analyze calendar`; what its calendars cannot say is refused.

One call is asked for many expressions of a window. It runs in the zone of the window: for other zones systemd starts a process
for each run. After the last run that it could find stands `stuck` if it gives up.
"""

import calendar
import itertools
import re
import subprocess
import sys

DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
FIRST = [0, 0, 1, 1, 0]
LAST = [59, 23, 31, 12, 6]
# So many runs are asked for, and then all that a window can have.
FEW = 40
ALL = 33 * 60
AT_ONCE = 50
TIME = re.compile(r"(Next elapse|Iter\. #\d+|\(in UTC\)): \w+ (\d+)-(\d+)-(\d+) (\d+):(\d+):(\d+) (\S+)")


def read_field(text, part):
    """The values of a field: systemd refuses 5..5, and its weekdays have no steps."""
    values = set()
    for element in text.split(","):
        span, _, step = element.partition("/")
        first, _, last = span.partition("-")
        if span == "*":
            first, last = FIRST[part], LAST[part]
        values.update(range(int(first), int(last or first) + 1, int(step or 1)))
    return sorted(values)


def convert(expression):
    """The calendar that says the same, or None: a calendar has no either-or of days."""
    fields = expression.split()
    if fields[2] != "*" and fields[4] != "*":
        return None
    minute, hour, day, month = ("*" if text == "*" else ",".join(str(value) for value in read_field(text, part))
                                for part, text in enumerate(fields[:4]))
    weekdays = "" if fields[4] == "*" else ",".join(DAYS[value] for value in read_field(fields[4], 4)) + " "
    return f"{weekdays}*-{month}-{day} {hour}:{minute}:00"


def read_times(block):
    """The times of one calendar. In another zone than UTC each is said twice, the second time in UTC."""
    times = []
    for word, *numbers, zone in TIME.findall(block):
        if zone == "UTC" or word == "(in UTC)":
            times.append(calendar.timegm(tuple(int(number) for number in numbers)))
    return times


def ask(calendars, zone, start, count):
    """The next runs of each calendar, or None: systemd has failed for one of them."""
    command = ["systemd-analyze", "calendar", f"--iterations={count}", f"--base-time=@{start}", *calendars]
    environment = {"TZ": zone, "LC_ALL": "C", "PATH": "/usr/bin:/bin"}
    answer = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    if answer.returncode != 0:
        return None
    blocks = answer.stdout.rstrip("\n").split("\n\n")
    assert len(blocks) == len(calendars), f"{len(blocks)} answers to {len(calendars)} calendars"
    return [read_times(block) for block in blocks]


def ask_one(text, zone, start, count):
    """The next runs of one calendar; if systemd fails for so many, as many as it can find, and `stuck`."""
    answer = ask([text], zone, start, count)
    if answer is not None:
        return answer[0]
    low, runs = 0, []
    while count - low > 1:
        middle = (low + count) // 2
        answer = ask([text], zone, start, middle)
        low, count, runs = (middle, count, answer[0]) if answer is not None else (low, middle, runs)
    return runs + ["stuck"]


def list_runs(calendars, zone, start, end):
    """The runs of each calendar up to the end of the window, and `stuck` behind them if there should be more."""
    answer = ask(calendars, zone, start, FEW) or [ask_one(text, zone, start, FEW) for text in calendars]
    for text, times in zip(calendars, answer):
        if len(times) == FEW and times[-1] != "stuck" and times[-1] < end:
            times = ask_one(text, zone, start, ALL)
        yield [time for time in times if time == "stuck" or time < end]


def list_group(expressions, zone, start, end):
    calendars = [convert(expression) for expression in expressions]
    known = [text for text in calendars if text is not None]
    runs = {}
    for first in range(0, len(known), AT_ONCE):
        some = known[first:first + AT_ONCE]
        runs.update(zip(some, list_runs(some, zone, start, end)))
    for text in calendars:
        print(*("refused",) if text is None else runs[text])


lines = (line.rstrip("\n").split("\t") for line in sys.stdin)
for (zone, start, end), group in itertools.groupby(lines, lambda columns: tuple(columns[1:])):
    list_group([columns[0] for columns in group], zone, int(start), int(end))
