#!/usr/bin/env python3
"""TAP: what was acknowledged survives: run.py COLLOQUY DRIVER KILLER STORE [--kills N] [--sessions N] [--seed N] GRAPH...

Many sessions of all graphs run in one host. The host is killed at a random step (CLQ_KILL_AT) or at a random moment and
started again on the same store; what was sent and not answered is sent again under the same key. At every start the
journal of every session must hold each acknowledged key once, in order, without gaps, and a key that was sent but not
acknowledged at most once. What agents have used must be the sum of what the records of their calls say. In the end COLLOQUY
replays all of it, kills included. STORE is the name of a store's plugin, which gets a file of its own; a new store or flow joins
by its name on the command line. KILLER may be `-`: then all kills come at random moments.
"""

import argparse
import json
import os
import random
import selectors
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import uuid

sys.dont_write_bytecode = True  # the source tree stays as it is
sys.path.append(os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "replay"))
from again import replay  # noqa: E402

# Runs with the same sessions.
ROUND = 100


class Session:
    """What the outside world knows of one session."""

    def __init__(self, number, graph, chance):
        self.id = str(uuid.UUID(int=(0x7 << 76) | (0x8 << 60) | number | chance.getrandbits(32) << 80, version=4))
        self.graph = graph
        self.acked = []
        self.pending = None
        self.is_open = False
        self.actions = ""
        self.count = 0

    def next_request(self, chance):
        """What to send next; the same again if the answer to it was lost."""
        if self.pending is None:
            self.count += 1
            key = f"k{self.count}"
            if not self.is_open:
                self.pending = {"do": "open", "id": self.id, "graph": self.graph, "key": key}
            else:
                actions = [action for action in self.actions.split() if action != "answer"] or ["none"]
                action = chance.choice(actions)
                self.pending = {"do": "send", "id": self.id, "key": key}
                self.pending["text" if action == "message" else "action"] = action
        return self.pending

    def take(self, answer):
        """An answer has come."""
        if self.pending is None or answer.get("key") != self.pending["key"]:
            raise AssertionError(f"an answer that nobody waits for: {answer}")
        if answer["ok"]:
            self.acked.append(answer["key"])
            self.is_open = True
        elif self.pending["do"] == "open" and "already" in answer["error"]:
            self.is_open = True
        self.actions = answer.get("actions", self.actions)
        self.pending = None

    def check(self, events):
        """The journal must tell the same story as the answers."""
        keys = [event["key"] for event in events if "key" in event]
        if len(keys) != len(set(keys)):
            raise AssertionError(f"{self.id}: a key was taken twice: {keys}")
        seqs = [event["seq"] for event in events]
        if seqs != sorted(set(seqs)):
            raise AssertionError(f"{self.id}: records are out of order: {seqs}")
        state = None
        for event in events:
            if "from" in event:
                if state is not None and event["from"] != state:
                    raise AssertionError(f"{self.id}: {event} does not continue from {state}")
                state = event["to"]
        known = set(self.acked) | ({self.pending["key"]} if self.pending else set())
        if [key for key in keys if key in self.acked] != self.acked:
            raise AssertionError(f"{self.id}: acknowledged {self.acked}, found {keys}")
        if set(keys) - known:
            raise AssertionError(f"{self.id}: nobody sent {set(keys) - known}")
        if self.pending and self.pending["do"] == "open" and events:
            self.is_open = True


class Host:
    """One run of the driver."""

    def __init__(self, options, kill_at=None):
        environment = dict(os.environ)
        if kill_at is not None:
            environment["LD_PRELOAD"] = " ".join(filter(None, [os.environ.get("LD_PRELOAD"), options.killer]))
            environment["CLQ_KILL_AT"] = str(kill_at)
        self.errors = tempfile.TemporaryFile()
        self.process = subprocess.Popen([options.driver, options.store, *options.graphs], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, stderr=self.errors, env=environment)
        os.set_blocking(self.process.stdout.fileno(), False)
        self.rest = b""
        self.selector = selectors.DefaultSelector()
        self.selector.register(self.process.stdout, selectors.EVENT_READ)

    def complaints(self):
        self.errors.seek(0)
        return self.errors.read().decode(errors="replace").strip()

    def send(self, request):
        try:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()
        except BrokenPipeError:
            pass

    def answers(self, timeout):
        """The answers that are there; None at the end."""
        if not self.selector.select(timeout):
            return []
        data = self.process.stdout.read()
        if not data:
            return None
        lines = (self.rest + data).split(b"\n")
        self.rest = lines.pop()
        return [json.loads(line) for line in lines]

    def stop(self):
        try:
            self.process.stdin.close()
        except BrokenPipeError:
            pass
        self.process.stdout.close()
        return self.process.wait(timeout=60)


def check_all(options, sessions):
    """Reads every journal in a host of its own."""
    host = Host(options)
    left = {session.id: session for session in sessions}
    for session in sessions:
        host.send({"do": "events", "id": session.id})
    deadline = time.monotonic() + 60
    while left:
        answers = host.answers(max(deadline - time.monotonic(), 0))
        if answers is None or time.monotonic() >= deadline:
            raise AssertionError(f"the host does not start again on this store, status {host.process.poll()}: {host.complaints()}")
        for answer in answers:
            if "events" in answer and answer["id"] in left:
                if "error" in answer:
                    raise AssertionError(answer["error"])
                left.pop(answer["id"]).check(answer["events"])
    status = host.stop()
    if status != 0:
        raise AssertionError(f"the host ended with {status}")


def check_sums(store, path):
    """What was added up is what the records of calls say, one by one. Returns how many calls there were."""
    if store != "sqlite":
        return 0
    database = sqlite3.connect(path)
    found = database.execute("SELECT agent, sum(calls), sum(tokens_in), sum(tokens_out) FROM usage GROUP BY agent ORDER BY agent").fetchall()
    records = database.execute(
        "SELECT json_extract(body, '$.agent') AS agent, count(*), sum(json_extract(body, '$.tokensIn')), sum(json_extract(body, '$.tokensOut'))"
        " FROM journal WHERE type = 6 AND agent IS NOT NULL GROUP BY agent ORDER BY agent"
    ).fetchall()
    database.close()
    if found != records:
        raise AssertionError(f"agents have used {found}, their records say {records}")
    return sum(row[1] for row in found)


def run_until_killed(options, sessions, chance):
    """Drives all sessions until the host is gone; the kill comes at a step or at a moment."""
    by_moment = options.killer == "-" or chance.random() < 0.2
    host = Host(options, None if by_moment else int(chance.expovariate(1 / 150)) + 1)
    by_id = {session.id: session for session in sessions}
    deadline = time.monotonic() + (chance.uniform(0, options.moment) if by_moment else 20)
    for session in sessions:
        host.send(session.next_request(chance))
    while True:
        answers = host.answers(max(deadline - time.monotonic(), 0))
        if answers is None:
            break
        for answer in answers:
            session = by_id[answer["id"]]
            session.take(answer)
            host.send(session.next_request(chance))
        if time.monotonic() >= deadline:
            host.process.send_signal(signal.SIGKILL)
            break
    host.process.stdout.close()
    try:
        host.process.stdin.close()
    except BrokenPipeError:
        pass
    return host.process.wait(timeout=60) == -signal.SIGKILL


def tell_replay(options, number, store):
    """Whether all sessions run again as they ran."""
    why = replay(options.colloquy, options.store)
    print(f"{'ok' if why is None else 'not ok'} {number} - replay/{store}", flush=True)
    for line in (why or "").splitlines():
        print(f"# {line}", flush=True)
    return why is None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("colloquy")
    parser.add_argument("driver")
    parser.add_argument("killer")
    parser.add_argument("store")
    parser.add_argument("graphs", nargs="+")
    parser.add_argument("--kills", type=int, default=500)
    parser.add_argument("--sessions", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--moment", type=float, default=0.1, help="seconds within which a kill at a random moment comes")
    options = parser.parse_args()
    folder = tempfile.TemporaryDirectory()
    store, options.store = options.store, f"{options.store}:{folder.name}/crash.db"
    chance = random.Random(options.seed)
    print("1..2", flush=True)
    kills = runs = acked = calls = 0
    sessions = []
    try:
        while kills < options.kills:
            if runs % ROUND == 0:
                # Journals grow with every run; new sessions keep a long run from reading ever longer ones.
                acked += sum(len(session.acked) for session in sessions)
                sessions = [Session(number, number % len(options.graphs), chance) for number in range(options.sessions)]
            kills += run_until_killed(options, sessions, chance)
            runs += 1
            check_all(options, sessions)
            calls = check_sums(store, f"{folder.name}/crash.db") if runs % 10 == 0 or kills >= options.kills else calls
            if sys.stderr.isatty() or kills % 1000 == 999:
                print(f"\r{kills} kills", end="", file=sys.stderr, flush=True)
    except AssertionError as error:
        print(f"not ok 1 - crash/{store}\n# after {kills} kills: {error}")
        return 1
    acked += sum(len(session.acked) for session in sessions)
    print(f"ok 1 - crash/{store}\n# {kills} kills, {acked} acknowledged, 0 lost, 0 repeated, 0 out of order, {calls} calls added up")
    good = acked >= kills and (store != "sqlite" or calls > 0)
    return int(not tell_replay(options, 2, store) or not good)


if __name__ == "__main__":
    sys.exit(main())
