#!/usr/bin/env python3
"""TAP: every conversation of the pipe tests is kept in SQLite and runs again with the same records.

pipe.py COLLOQUY PLUGINS FILE...
"""

import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "pipe"))
from again import replay  # noqa: E402
from run import parse  # noqa: E402

# What a session cannot be run again without: the graph alone, or sessions that are not kept.
LEFT_OUT = ("--bare", "--store")


def run(program, folder, arguments, steps):
    """Why the conversation does not run again as it ran; None if it does."""
    with tempfile.TemporaryDirectory() as place:
        store = f"sqlite:{place}/sessions.db"
        requests = "".join(request + "\n" for _, request, _ in steps)
        done = subprocess.run([program, "pipe", *arguments, "--store", store], input=requests, cwd=folder, text=True,
                              capture_output=True, timeout=120, check=False)
        if done.returncode != 0:
            return f"pipe: exit status {done.returncode}: {done.stderr}"
        return replay(program, store, folder)


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
