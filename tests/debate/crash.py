#!/usr/bin/env python3
"""TAP: a debate that is killed goes on: crash.py COLLOQUY KILLER [--step N]

A debate of three agents and three rounds is killed before and after every write (KILLER and CLQ_KILL_AT), every N-th of them with
--step, and goes on in another process. The agents write down every call they get. A call whose answer is in the journal must not be
made again, and in the end everything is as if nothing had happened.
"""

import argparse
import collections
import json
import os
import signal
import subprocess
import sys
import tempfile

OPEN = {"do": "open", "input": "How?"}
ASK = ["--set", "modality.interactiveClarifications=true"]


class Place:
    """A store and a ledger of their own."""

    def __init__(self, program, folder, name):
        self.program = program
        self.store = f"sqlite:{folder}/{name}.db"
        self.ledger = f"{folder}/{name}.ledger"
        self.environment = dict(os.environ, CLQ_LEDGER=self.ledger)

    def start(self, more=(), environment=None):
        return subprocess.Popen([self.program, "pipe", "debate", "--agents", "--clock=manual", "--store", self.store, *more], text=True,
                                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment or self.environment)

    def pipe(self, requests, more=(), environment=None):
        process = self.start(more, environment)
        out, error = process.communicate("".join(json.dumps(request) + "\n" for request in requests), timeout=120)
        return process.returncode, [json.loads(line) for line in out.splitlines() if line.endswith("}")], error

    def calls_made(self):
        if not os.path.exists(self.ledger):
            return collections.Counter()
        with open(self.ledger, encoding="utf-8") as file:
            return collections.Counter(line.strip() for line in file)

    def calls_recorded(self, session):
        """What is in the journal, looked at without going on."""
        done = subprocess.run([self.program, "export", session, "--store", self.store], text=True, capture_output=True, timeout=120,
                              env=self.environment, check=False)
        if done.returncode == 3 or not done.stdout:
            return None
        records = json.loads(done.stdout)["records"]
        return {f"{session}/{body['visit']}/{body['key']}" for body in (record["body"] for record in records if record["type"] == "call")
                if "text" in body or "said" in body}


def result_of(answer, calls):
    """What a debate has come to."""
    return {"state": answer["state"], "data": answer["data"], "calls": {call["key"]: call.get("text") for call in calls["result"]}}


def undisturbed(program, folder):
    place = Place(program, folder, "undisturbed")
    _, (answer, calls), _ = place.pipe([OPEN, {"do": "calls"}])
    assert answer["state"] == "Complete" and len(calls["result"]) == 31, answer
    assert set(place.calls_made().values()) == {1}
    return answer["session"], result_of(answer, calls)


def killed(program, killer, folder, step, session, wanted):
    """Whether the process ended by itself before it came to the step."""
    place = Place(program, folder, f"step{step}")
    environment = dict(place.environment, CLQ_KILL_AT=str(step), LD_PRELOAD=killer)
    status, _, _ = place.pipe([OPEN], environment=environment)
    if status == 0:
        return True
    assert status == -signal.SIGKILL, status
    recorded, before = place.calls_recorded(session), place.calls_made()
    requests = [OPEN] if recorded is None else [{"do": "show"}]
    _, answers, error = place.pipe(requests + [{"do": "calls"}], [] if recorded is None else ["--session", session])
    assert len(answers) == 2, error
    made = place.calls_made()
    again = [key for key in recorded or () if made[key] != before[key]]
    assert not again, f"step {step}: made again: {again}"
    got = result_of(*answers)
    assert got == wanted, f"step {step}: {got}, expected {wanted}"
    for suffix in (".db", ".db-wal", ".db-shm", ".ledger"):
        if os.path.exists(f"{folder}/step{step}{suffix}"):
            os.unlink(f"{folder}/step{step}{suffix}")
    return False


def every_step(options, folder):
    session, wanted = undisturbed(options.program, folder)
    step = 1
    while not killed(options.program, options.killer, folder, step, session, wanted):
        step += options.step
    assert step > 100 * options.step or options.step > 1, f"only {step} steps"
    return f"{step} steps"


def suspended(options, folder):
    """Killed while it waits for answers; another process asks nothing twice."""
    place = Place(options.program, folder, "suspended")
    process = place.start(ASK)
    process.stdin.write(json.dumps(OPEN) + "\n")
    process.stdin.flush()
    answer = json.loads(process.stdout.readline())
    assert answer["status"] == "waiting" and len(answer["questions"]) == 3, answer
    process.kill()
    process.communicate()
    keys = [question["key"] for question in answer["questions"]]
    session = ["--session", answer["session"]]
    _, (partial,), _ = place.pipe([{"do": "answer", "values": {keys[0]: "NA"}}], session)
    assert [question["key"] for question in partial["questions"]] == keys[1:], partial
    _, (end, calls), error = place.pipe([{"do": "answer", "values": {key: "soon" for key in keys[1:]}}, {"do": "calls"}], session)
    assert end["state"] == "Complete", (end, error)
    assert len(calls["result"]) == 31 + 6 and set(place.calls_made().values()) == {1}, place.calls_made()
    return "nothing was asked twice"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("killer")
    parser.add_argument("--step", type=int, default=1)
    options = parser.parse_args()
    tests = [suspended] if options.killer == "-" else [suspended, every_step]
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    for number, test in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                print(f"ok {number} - debate-crash/{test.__name__}\n# {test(options, folder)}", flush=True)
            except (AssertionError, ValueError, subprocess.SubprocessError) as error:
                failed += 1
                print(f"not ok {number} - debate-crash/{test.__name__}\n# {error}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
