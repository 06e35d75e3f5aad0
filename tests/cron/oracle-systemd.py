#!/usr/bin/env python3
"""Lists runs as list-runs.c does, with `systemd-analyze calendar`; what its calendars cannot say is refused."""

import re
import subprocess
import sys
from datetime import datetime, timezone

DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
LOW = [0, 0, 1, 1, 0]
HIGH = [59, 23, 31, 12, 6]


def convert_field(text, part):
    if text == "*":
        return "*"
    parts = []
    for element in text.split(","):
        span, _, step = element.partition("/")
        if span == "*":
            span = str(LOW[part]) if step else "*"
        first, _, last = span.partition("-")
        if last and step:
            parts.append(",".join(str(value) for value in range(int(first), int(last) + 1, int(step))))
        else:
            parts.append(first + (f"..{last}" if last else "") + (f"/{step}" if step else ""))
    return ",".join(parts)


def convert_weekdays(text):
    values = set()
    for element in text.split(","):
        span, _, step = element.partition("/")
        first, _, last = ("0", "", "6") if span == "*" else span.partition("-")
        values.update(range(int(first), int(last or first) + 1, int(step or 1)))
    return ",".join(DAYS[value] for value in sorted(values))


def convert(expression, zone):
    minute, hour, day, month, weekday = expression.split()
    if day != "*" and weekday != "*":
        raise ValueError("a calendar has no either-or")
    days = "" if weekday == "*" else convert_weekdays(weekday) + " "
    return f"{days}*-{convert_field(month, 3)}-{convert_field(day, 2)} {convert_field(hour, 1)}:{convert_field(minute, 0)}:00 {zone}"


def list_runs(expression, zone, start, end):
    """Up to 64 runs at a time, from the last one on."""
    runs = []
    calendar = convert(expression, zone)
    time = start
    while True:
        command = ["systemd-analyze", "calendar", "--iterations=64", f"--base-time=@{time}", calendar]
        output = subprocess.run(command, env={"TZ": "UTC", "LC_ALL": "C", "PATH": "/usr/bin:/bin"}, stdout=subprocess.PIPE,
                                stderr=subprocess.DEVNULL, text=True, check=True).stdout
        # In another zone each time is said twice, the second time in UTC.
        found = re.findall(r"(?:\(in UTC\)|Next elapse|Iter(?:ation|\.) #\d+|Iteration): \w+ (\d+-\d+-\d+ \d+:\d+:\d+) UTC", output)
        times = sorted({int(datetime.fromisoformat(text).replace(tzinfo=timezone.utc).timestamp()) for text in found})
        for time in times:
            if time >= end:
                return runs
            runs.append(time)
        if len(times) < 64:
            return runs


for line in sys.stdin:
    expression, zone, start, end = line.rstrip("\n").split("\t")
    try:
        print(*list_runs(expression, zone, int(start), int(end)), flush=True)
    except (ValueError, subprocess.CalledProcessError):
        print("refused", flush=True)
