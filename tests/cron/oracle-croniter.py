#!/usr/bin/python3
"""Lists runs as list-runs.c does, with python3-croniter of Debian.

After the last run that it could find stands `stuck` if the next one is not later.
"""

import sys
from datetime import datetime

import pytz
from croniter import croniter, CroniterBadDateError


def list_runs(expression, zone, start, end):
    """Each run is looked for anew: walking on over a setting of the clock goes astray."""
    runs = []
    time = start
    while True:
        after = time
        time = int(croniter(expression, datetime.fromtimestamp(time, zone)).get_next(datetime).timestamp())
        if time >= end:
            return runs
        if time <= after:
            return runs + ["stuck"]
        runs.append(time)


for line in sys.stdin:
    expression, zone, start, end = line.rstrip("\n").split("\t")
    if not croniter.is_valid(expression):
        print("refused")
        continue
    try:
        print(*list_runs(expression, pytz.timezone(zone), int(start), int(end)))
    except CroniterBadDateError:
        print("refused")
