#!/usr/bin/env python3
"""TAP: every conversation of the pipe tests is kept in SQLite and runs again with the same records.

pipe.py COLLOQUY PLUGINS FILE...
"""

import json
import os
import subprocess
import sys
import tempfile

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "pipe"))
from run import parse  # noqa: E402

# What a session cannot be run again without: the graph alone, or sessions that are not kept.
LEFT_OUT = ("--bare", "--store")


def replay(program, folder, store):
    """Why the sessions of a store do not run again as they ran; None if they do."""
    done = subprocess.run([program, "replay", "--all", "--json", "--store", store], cwd=folder, text=True, capture_output=True,
                          timeout=120, check=False)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    different = [report for report in reports if not report["equal"]]
    if different:
        return json.dumps(different[0], indent=1)
    if done.returncode != 0:
        return f"exit status {done.returncode}: {done.stderr}"
    return None


def run(program, folder, arguments, steps):
    """Why the conversation does not run again as it ran; None if it does."""
    with tempfile.TemporaryDirectory() as place:
        store = f"sqlite:{place}/sessions.db"
        requests = "".join(request + "\n" for _, request, _ in steps)
        done = subprocess.run([program, "pipe", *arguments, "--store", store], input=requests, cwd=folder, text=True,
                              capture_output=True, timeout=120, check=False)
        if done.returncode != 0:
            return f"pipe: exit status {done.returncode}: {done.stderr}"
        return replay(program, folder, store)


def main():
    program, plugins = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
    os.environ["CLQ_PLUGIN_PATH"] = os.environ["CLQ_PLUGIN_PATH"] + ":" + plugins
    number = failed = 0
    for path in sys.argv[3:]:
        for name, arguments, steps in parse(path):
            if any(argument.startswith(LEFT_OUT) for argument in arguments):
                continue
            number += 1
            case = f"{os.path.splitext(os.path.basename(path))[0]}/{name}"
            why = run(program, os.path.dirname(os.path.abspath(path)), arguments, steps)
            if why is None:
                print(f"ok {number} - {case}", flush=True)
                continue
            failed += 1
            print(f"not ok {number} - {case}", flush=True)
            for line in why.splitlines():
                print(f"# {line}", flush=True)
    print(f"1..{number}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
