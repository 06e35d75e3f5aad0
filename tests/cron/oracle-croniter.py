#!/usr/bin/python3
"""Lists runs as list-runs.c does, with python3-croniter of Debian."""

import sys
from datetime import datetime

import pytz
from croniter import croniter


def list_runs(expression, zone, start, end):
    """Each run is looked for anew: walking on over a setting of the clock goes astray."""
    runs = []
    zone = pytz.timezone(zone)
    time = start
    while len(runs) <= 5000:
        after = time
        time = int(croniter(expression, datetime.fromtimestamp(time, zone)).get_next(datetime).timestamp())
        if time >= end or time <= after:
            break
        runs.append(time)
    return runs


for line in sys.stdin:
    expression, zone, start, end = line.rstrip("\n").split("\t")
    try:
        print(*list_runs(expression, zone, int(start), int(end)), flush=True)
    except Exception:
        print("refused", flush=True)
