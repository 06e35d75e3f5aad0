#!/usr/bin/env python3
"""TAP: the wall clock jumps, and no timer is lost or repeated: test-clock.py COLLOQUY GRAPH (needs libfaketime)."""

import glob
import json
import os
import subprocess
import sys
import tempfile

LIBRARY = next(iter(glob.glob("/usr/lib/*/faketime/libfaketime.so.1")), None)


class Talk:
    """A conversation on the real clock, which we set."""

    def __init__(self, program, graph, folder):
        self.file = os.path.join(folder, "now")
        self.set("+0")
        environment = dict(os.environ, LD_PRELOAD=LIBRARY, FAKETIME_TIMESTAMP_FILE=self.file, FAKETIME_NO_CACHE="1",
                           FAKETIME_DONT_FAKE_MONOTONIC="1")
        self.process = subprocess.Popen([program, "pipe", graph], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True)

    def set(self, offset):
        with open(self.file, "w", encoding="ascii") as file:
            file.write(offset + "\n")

    def ask(self, request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def events(self):
        """What has happened since; a request makes the host look at the clock, the next ones tell what came of it."""
        return [transition["event"] for _ in range(5) for transition in self.ask({"do": "show"})["transitions"]]


def main(program, graph):
    if LIBRARY is None:
        print("1..0 # SKIP libfaketime is not installed")
        return 0
    print("1..1", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        talk = Talk(program, graph, folder)
        talk.ask({"do": "action", "name": "wait"})
        seen = [talk.events()]
        for offset in ("-86400", "+10", "-315360000", "+29", "+31", "-86400", "+86400", "+315360000", "+0"):
            talk.set(offset)
            seen.append(talk.events())
        talk.process.stdin.close()
        talk.process.wait(timeout=60)
    wanted = [[], [], [], [], [], ["timeout"], [], [], [], []]
    good = seen == wanted
    print(f"{'ok' if good else 'not ok'} 1 - clock/jumps" + ("" if good else f"\n# {seen}, expected {wanted}"))
    return int(not good)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
