#!/usr/bin/env python3
"""TAP: due conversations while the worker is killed at random: kill-work.py COLLOQUY DRIVER [--sessions N] [--kills N] [--seed N]

`colloquy work --once` is started and killed again and again. In the end each conversation must have one event `due` and one
result in its journal: a run that was begun is taken up again, and none begins twice.
"""

import argparse
import os
import random
import signal
import subprocess
import tempfile


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("colloquy")
    parser.add_argument("driver")
    parser.add_argument("--sessions", type=int, default=10000)
    parser.add_argument("--kills", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    chance = random.Random(options.seed)
    print("1..1", flush=True)
    with tempfile.TemporaryDirectory() as folder:
        store = "sqlite:" + os.path.join(folder, "store.db")
        subprocess.run([options.driver, "make", store, str(options.sessions)], check=True)
        # How long the work takes without a kill is not known; a worker that is killed early does little.
        command = [options.colloquy, "work", "--once", "--quiet", "--store", store]
        kills = 0
        longest = 0.02 + options.sessions / 10000
        while True:
            worker = subprocess.Popen(command, stdout=subprocess.DEVNULL)
            if kills >= options.kills:
                status = worker.wait()
                break
            try:
                status = worker.wait(timeout=chance.uniform(0, longest))
                break
            except subprocess.TimeoutExpired:
                worker.send_signal(signal.SIGKILL)
                worker.wait()
                kills += 1
        answer = subprocess.run([options.driver, "check", store, str(options.sessions)], stdout=subprocess.PIPE, text=True)
        good = status == 0 and answer.returncode == 0 and kills > 0
        print(f"{'' if good else 'not '}ok 1 - {answer.stdout.strip()}; the worker was killed {kills} times, its last status was {status}")
        return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
