#!/usr/bin/env python3
"""TAP: the idle timer goes on while the program does not run: restart.py COLLOQUY"""

import json
import subprocess
import sys
import tempfile

OPENING = {"do": "message", "text": "I want to build a boat"}


def talk(place, now, *requests, session=None):
    """The answers of a process that begins at that time."""
    arguments = [sys.argv[1], "pipe", "goals", "--store", f"sqlite:{place}/store.db", "--clock=manual", "--now", now]
    lines = "".join(json.dumps(request) + "\n" for request in requests)
    done = subprocess.run(arguments + (["--session", session] if session else []), input=lines, text=True, capture_output=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def later(now, request):
    """What a request meets at that time, in another process than the one that opened the session at midnight."""
    with tempfile.TemporaryDirectory() as place:
        session = talk(place, "2026-01-01T00:00:00Z", OPENING)[0]["session"]
        return talk(place, now, request, session=session)[0]


def report(number, name, answer, good):
    print(f"{'' if good else 'not '}ok {number} - {name}\n# {answer['state']} {json.dumps(answer['transitions'])}")


def main():
    print("1..3")
    early = later("2026-01-01T00:09:59Z", {"do": "advance", "seconds": 0})
    report(1, "early", early, early["state"] == "understanding" and early["data"]["currentGoal"]["id"] == "goal-1")
    late = later("2026-01-01T00:10:00Z", {"do": "advance", "seconds": 0})
    goals = [(goal["status"], goal["completedAt"]) for goal in late["data"]["completedGoals"]]
    report(2, "late", late, late["state"] == "idle" and goals == [("abandoned", "2026-01-01T00:10:00.000Z")])
    # A late message is handled from idle, even if it is what brings the session back.
    back = later("2026-01-01T00:11:00Z", {"do": "message", "text": "sounds good"})
    report(3, "late-message", back, [(one["from"], one["to"]) for one in back["transitions"]] == [("understanding", "idle"), ("idle", "greeting")])


main()
