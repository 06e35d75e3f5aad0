#!/usr/bin/env python3
"""TAP: `colloquy work` on a wall clock that jumps: jumps.py COLLOQUY COUNTER (needs libfaketime).

Three conversations have the same monthly schedule and each another policy for what was missed. After each jump the worker must
have made the runs that are listed, none of them twice, and its main loop must not have turned more often than there was reason to.
"""

import datetime
import glob
import json
import os
import re
import select
import subprocess
import sys
import tempfile
import time

LIBRARY = next(iter(glob.glob("/usr/lib/*/faketime/libfaketime.so.1")), None)
PATIENCE = 60 * float(os.environ.get("CLQ_TEST_PATIENCE", "1"))
POLICIES = ("once", "skip", "all")
POLL = 0.05  # seconds, how often the worker looks at its store
TURNS = 20  # of the main loop for one look or one run, generously

# Where the clock jumps to, and how many runs (once, skip, all) come of it.
BASE = "2031-03-15T12:00:00"
JUMPS = [
    ("2031-03-15T12:00:01", (0, 0, 0)), ("2031-03-15T12:00:00", (0, 0, 0)), ("2031-03-15T12:01:00", (0, 0, 0)), ("2031-03-15T11:00:00", (0, 0, 0)),
    ("2031-03-14T12:00:00", (0, 0, 0)), ("2031-02-03T12:00:00", (0, 0, 0)), ("2021-03-15T12:00:00", (0, 0, 0)), (BASE, (0, 0, 0)),
    # Due, and not missed: the next one is a month away.
    ("2031-04-01T00:00:01", (1, 1, 1)), ("2031-03-31T23:00:00", (0, 0, 0)), ("2031-04-01T06:00:00", (0, 0, 0)),
    # Four were missed.
    ("2031-08-15T00:00:00", (1, 0, 4)), ("2031-06-15T00:00:00", (0, 0, 0)), ("2031-08-16T00:00:00", (0, 0, 0)),
    # Ten years of them were.
    ("2041-08-15T00:00:00", (1, 0, 120)), ("2031-08-15T00:00:00", (0, 0, 0)), ("2041-08-16T00:00:00", (0, 0, 0)),
    ("2041-09-01T01:00:00", (1, 1, 1)),
]


class Worker:
    """`colloquy work` with a clock that we set, and a counter of the turns of its main loop."""

    def __init__(self, program, counter, folder, store):
        self.clock = os.path.join(folder, "clock")
        fifo = os.path.join(folder, "turns")
        os.mkfifo(fifo)
        self.turns_fd = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        self.n_turns = 0
        self.lines = []
        self.rest = b""
        self.set(BASE)
        env = dict(os.environ, LD_PRELOAD=f"{counter}:{LIBRARY}", COUNT_POLLS=fifo, FAKETIME_TIMESTAMP_FILE=self.clock,
                   FAKETIME_NO_CACHE="1", FAKETIME_DONT_FAKE_MONOTONIC="1")
        self.started = time.monotonic()
        self.process = subprocess.Popen([program, "work", "--json", "--quiet", "--poll", f"{int(POLL * 1000)}ms", "--store", store],
                                        stdout=subprocess.PIPE, env=env)

    def set(self, when):
        target = datetime.datetime.fromisoformat(when).replace(tzinfo=datetime.timezone.utc).timestamp()
        with open(self.clock + ".new", "w", encoding="ascii") as file:
            file.write(f"{target - time.time():+.0f}\n")
        os.rename(self.clock + ".new", self.clock)

    def read(self):
        """Waits until there is something to read, of either kind."""
        out = self.process.stdout.fileno()
        ready, _, _ = select.select([out, self.turns_fd], [], [], PATIENCE)
        if not ready:
            raise AssertionError("the worker has stopped")
        if self.turns_fd in ready:
            self.n_turns += len(os.read(self.turns_fd, 1 << 16))
        if out in ready:
            data = self.rest + os.read(out, 1 << 16)
            *lines, self.rest = data.split(b"\n")
            self.lines += [json.loads(line) for line in lines]

    def watch(self, n_lines):
        """Until so many notifications have come, or the worker had every opportunity; then until it has looked at its store some times more."""
        end = self.n_turns + TURNS * (10 + n_lines - len(self.lines))
        while len(self.lines) < n_lines and self.n_turns < end:
            self.read()
        end = self.n_turns + 20
        while self.n_turns < end:
            self.read()

    def allowed_turns(self):
        return TURNS * ((time.monotonic() - self.started) / POLL + len(self.lines) + len(JUMPS) + 10)

    def stop(self):
        self.process.terminate()
        return self.process.wait(timeout=PATIENCE)


def place(program, store):
    """One conversation for each policy; their ids in that order."""
    ids = []
    for policy in POLICIES:
        put = {"do": "put", "state": "background", "schedule": {"type": "cron", "cronExpression": "0 0 1 * *"}, "nextRunAt": "2031-04-01T00:00:00Z",
               "data": {"state_context": {"task": policy}, "state_step": None, "state_data": {}, "failures": 0}}
        done = subprocess.run([program, "pipe", "background", "--agents", "--clock=manual", "--now", "2031-03-01T00:00:00Z", "--store", store,
                               "--session", f"01890a5d-ac96-774b-bcce-b302099a805{len(ids)}", "--set", f"modality.catch-up={policy}"],
                              input=json.dumps(put) + "\n", stdout=subprocess.PIPE, text=True, check=True)
        ids.append(json.loads(done.stdout)["session"])
    return ids


def count(worker, ids):
    return tuple(sum(line["session"] == one for line in worker.lines) for one in ids)


def starts(program, store, session):
    """The times of the runs that were started, as the journal has them."""
    done = subprocess.run([program, "history", session, "--store", store], stdout=subprocess.PIPE, text=True, check=True)
    return re.findall(r"--due--> \w+  \(due at (\S+)\)", done.stdout)


def check(program, counter, folder):
    """What is wrong, and the numbers."""
    store = "sqlite:" + os.path.join(folder, "store.db")
    ids = place(program, store)
    worker = Worker(program, counter, folder, store)
    wanted = (0, 0, 0)
    problems = []
    worker.watch(0)
    for when, more in JUMPS:
        worker.set(when)
        wanted = tuple(a + b for a, b in zip(wanted, more))
        worker.watch(sum(wanted))
        if count(worker, ids) != wanted:
            problems.append(f"at {when}: {count(worker, ids)} runs, expected {wanted}")
            wanted = count(worker, ids)
    if worker.n_turns > worker.allowed_turns():
        problems.append(f"the main loop has turned {worker.n_turns} times, {worker.allowed_turns():.0f} would be a lot")
    if worker.stop() != 0:
        problems.append("the worker did not stop well")
    for one, policy in zip(ids, POLICIES):
        times = starts(program, store, one)
        if len(set(times)) != len(times):
            problems.append(f"{policy}: a run was started twice: {times}")
    return problems, f"{wanted} runs, {worker.n_turns} turns of the main loop"


def main(program, counter):
    if LIBRARY is None:
        print("1..0 # SKIP libfaketime is not installed")
        return 0
    print("1..1", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        problems, numbers = check(program, counter, folder)
    for problem in problems:
        print(f"# {problem}")
    print(f"{'not ' if problems else ''}ok 1 - worker/jumps: {numbers}", flush=True)
    return int(bool(problems))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
