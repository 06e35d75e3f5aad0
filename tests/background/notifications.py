#!/usr/bin/env python3
"""TAP: notifications are kept until they are read, also if nobody could be told: notifications.py COLLOQUY DRIVER"""

import json
import os
import subprocess
import sys
import tempfile

COLLOQUY, DRIVER = sys.argv[1:3]
number = 0
failed = False


def check(what, good):
    global number, failed
    number += 1
    failed = failed or not good
    print(f"{'' if good else 'not '}ok {number} - {what}", flush=True)


def run(*arguments):
    return subprocess.run([COLLOQUY, *arguments, "--store", store], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def listed(*arguments):
    return [json.loads(line) for line in run("notifications", "--json", *arguments).stdout.splitlines()]


print("1..7", flush=True)
with tempfile.TemporaryDirectory() as folder:
    store = "sqlite:" + os.path.join(folder, "store.db")
    subprocess.run([DRIVER, "make", store, "3"], check=True)
    with open("/dev/full", "w") as full:
        worker = subprocess.run([COLLOQUY, "work", "--once", "--quiet", "--store", store], stdout=full)
    check("a worker whose notifications cannot be shown does its work", worker.returncode == 0)
    new = listed()
    check("all of them are kept", len(new) == 3 and all(not one["read"] for one in new))
    check("with what they say", all(one["notification"]["text"] == "It is time to count." for one in new))
    check("one is read", run("notifications", "--read", new[0]["id"]).returncode == 0 and [one["id"] for one in listed()] == [one["id"] for one in new[1:]])
    check("one that is not there is not found", run("notifications", "--read", "nothing").returncode == 3)
    check("all are read", run("notifications", "--read").returncode == 0 and listed() == [])
    check("those that were read are still there", [one["read"] for one in listed("--all")] == [True, True, True])
sys.exit(failed)
