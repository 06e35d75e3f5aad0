#!/usr/bin/env python3
"""TAP: kill and resume one session again and again: resume.py COLLOQUY DRIVER KILLER STORE GRAPH [--kills N] [--seed N]

The node of GRAPH uses a tool twenty times in a row; the tool writes to a file that it was used. A use whose result is in
the journal when the host starts again must never be made again, and neither must a visit that has finished. In the end all of it
is replayed, kills included, and the tool is not used.
"""

import argparse
import os
import random
import sys
import tempfile
import time
import uuid

from run import Host, tell_replay


def ask(options, what, session):
    """The records of the session, from a host that is left alone."""
    host = Host(options)
    host.send({"do": what, "id": session})
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        for answer in host.answers(1) or []:
            if "events" in answer:
                host.stop()
                return answer["events"]
    raise AssertionError(f"no answer: {host.complaints()}")


def uses(log):
    """How often each use was made."""
    counts = {}
    if os.path.exists(log):
        with open(log, encoding="utf-8") as file:
            for line in file:
                counts[line.strip()] = counts.get(line.strip(), 0) + 1
    return counts


def drive(options, session, chance):
    """Opens the session or lets it work until the host is killed."""
    host = Host(options, int(chance.expovariate(1 / 120)) + 1)
    host.send({"do": "open", "id": session, "graph": 0, "key": "open"})
    count = 0
    while True:
        answers = host.answers(30)
        if answers is None:
            break
        for answer in answers:
            count += 1
            host.send({"do": "send", "id": session, "key": f"{chance.getrandbits(64):x}", "action": "work"})
        if not answers:
            host.process.kill()
    host.process.stdout.close()
    try:
        host.process.stdin.close()
    except BrokenPipeError:
        pass
    host.process.wait(timeout=60)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("colloquy")
    parser.add_argument("driver")
    parser.add_argument("killer")
    parser.add_argument("store")
    parser.add_argument("graph")
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    folder = tempfile.TemporaryDirectory()
    name, options.store, options.graphs = options.store, f"{options.store}:{folder.name}/resume.db", [options.graph]
    log = os.environ["CLQ_PROBE_LOG"] = os.path.join(folder.name, "log")
    chance = random.Random(options.seed)
    session = str(uuid.UUID(int=chance.getrandbits(128), version=4))
    print("1..2", flush=True)
    recorded, again = set(), 0
    for _ in range(options.kills):
        before = uses(log)
        drive(options, session, chance)
        after = uses(log)
        again += sum(after[key] - before.get(key, 0) for key in recorded if key in after)
        os.environ["CLQ_PROBE_LOG"] = os.path.join(folder.name, "unwatched")
        recorded = {f"{session}/{call['visit']}/{call['key']}" for call in ask(options, "calls", session) if "text" in call or "said" in call}
        os.environ["CLQ_PROBE_LOG"] = log
    made = sum(uses(log).values())
    good = again == 0 and len(recorded) > options.kills
    print(f"{'ok' if good else 'not ok'} 1 - resume/{name}\n# {options.kills} kills, {made} uses, {len(recorded)} recorded, {again} made again")
    is_equal = tell_replay(options, 2, name)
    if sum(uses(log).values()) != made:
        print("# the tool was used by the replay")
        is_equal = False
    return int(not good or not is_equal)


if __name__ == "__main__":
    sys.exit(main())
