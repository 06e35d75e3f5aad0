#!/usr/bin/env python3
"""TAP: due conversations while the worker is killed at random: kill-work.py COLLOQUY DRIVER [--sessions N] [--kills N] [--seed N]

`colloquy work --once` is started and killed again and again, now at a random moment after its start, now after a random number
of results. In the end each conversation must have one event `due` and one result in its journal: a run that was begun is taken up
again, and none begins twice. Not every kill may come at once: a run that was lost three times counts as failed.
"""

import argparse
import os
import random
import signal
import subprocess
import tempfile


def wait_for_time(worker, seconds):
    try:
        worker.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        pass


def wait_for_results(worker, number):
    for _ in range(number):
        if not worker.stdout.readline():
            worker.wait()
            return


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
        command = [options.colloquy, "work", "--once", "--quiet", "--store", store]
        kills = 0
        while True:
            worker = subprocess.Popen(command, stdout=subprocess.PIPE)
            if kills < options.kills and kills % 2 == 0:
                wait_for_time(worker, chance.uniform(0, 0.06))
            elif kills < options.kills:
                wait_for_results(worker, chance.randint(20, max(20, 2 * options.sessions // options.kills)))
            if kills >= options.kills or worker.poll() is not None:
                worker.stdout.read()
                status = worker.wait()
                break
            worker.send_signal(signal.SIGKILL)
            worker.wait()
            worker.stdout.close()
            kills += 1
        answer = subprocess.run([options.driver, "check", store, str(options.sessions)], stdout=subprocess.PIPE, text=True)
        good = status == 0 and answer.returncode == 0 and kills > 0
        print(f"{'' if good else 'not '}ok 1 - {answer.stdout.strip()}; the worker was killed {kills} times, its last status was {status}")
        return 0 if good else 1


if __name__ == "__main__":
    raise SystemExit(main())
