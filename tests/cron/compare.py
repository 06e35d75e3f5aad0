#!/usr/bin/env python3
"""TAP: our cron against other programs: compare.py LIST-RUNS FOLDER [--expressions N] [--zones N] [--seed N] [--jobs N] [--only PROGRAM]...

Where a program lists other runs than we do, each run that only one of the two has must belong to a class of classes.py. One that
belongs to none fails the test. The libraries of npm are installed in FOLDER, as package-lock.json says; a program that is not there
is skipped, and the test says so.
"""

import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import subprocess
import sys

from cases import SPECIAL, ZONES, Expression, find_jumps, make_expression
from classes import CLASSES, HOUR, SEEN, Window

HERE = os.path.dirname(os.path.abspath(__file__))
# What is looked at around a setting of the clock.
BEFORE = 6 * HOUR
AFTER = 27 * HOUR


def install(folder):
    """Installs the libraries of npm; returns whether they are there."""
    os.makedirs(folder, exist_ok=True)
    if os.path.isdir(os.path.join(folder, "node_modules", "cron-parser")):
        return True
    if shutil.which("npm") is None:
        return False
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(HERE, name), folder)
    command = ["npm", "ci", "--no-audit", "--no-fund", "--ignore-scripts", "--fetch-retries=0", "--fetch-timeout=20000"]
    try:
        return subprocess.run(command, cwd=folder, stdout=sys.stderr, timeout=100).returncode == 0
    except subprocess.TimeoutExpired:
        return False


def find_programs(folder):
    programs = {}
    for library in ("croner", "cron-parser"):
        programs[library] = ["node", os.path.join(HERE, "oracle.mjs"), library, folder] if install(folder) else None
    has_croniter = subprocess.run(["/usr/bin/python3", "-c", "import croniter"], stderr=subprocess.DEVNULL).returncode == 0
    programs["croniter"] = ["/usr/bin/python3", os.path.join(HERE, "oracle-croniter.py")] if has_croniter else None
    has_systemd = shutil.which("systemd-analyze") is not None
    programs["systemd"] = [sys.executable, os.path.join(HERE, "oracle-systemd.py")] if has_systemd else None
    return programs


def list_runs(command, expressions, zone, jump):
    """For each expression the runs around one jump and whether the program got stuck, or None if it does not read it."""
    text = "".join(f"{expression.text}\t{zone}\t{jump[0] - BEFORE}\t{jump[0] + AFTER}\n" for expression in expressions)
    lines = subprocess.run(command, input=text, stdout=subprocess.PIPE, text=True, check=True).stdout.splitlines()
    assert len(lines) == len(expressions), f"{command[0]} has answered {len(lines)} of {len(expressions)} lines"
    answers = []
    for line in lines:
        words = line.split()
        answers.append(None if words == ["refused"] else ([int(word) for word in words if word != "stuck"], "stuck" in words))
    return answers


def compare(expressions, jump, ours, theirs, known):
    """How often each class was seen, in windows, and what has none."""
    seen = collections.Counter()
    unexplained = []
    for expression, a, b in zip(expressions, ours, theirs):
        if a is None or b is None:
            word = "same" if a == b else "never" if a is None else "refused"
            seen[word] += 1
            unexplained += [(expression.text, word, 0)] if word not in known | {"same"} else []
            continue
        window = Window(expression, jump, a[0], b[0], b[1])
        words = {time: window.classify(time, known) for time in window.ours ^ window.theirs}
        seen.update(set(words.values()) - {None})
        seen["different" if words else "same"] += 1
        unexplained += [(expression.text, "ours" if time in window.ours else "theirs", time - jump[0])
                        for time, word in words.items() if word is None]
    return seen, unexplained


def compare_all(name, command, expressions, places, ours, jobs):
    """One process for each jump, some at a time."""
    seen = collections.Counter()
    unexplained = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        answers = pool.map(lambda place: list_runs(command, expressions, *place), places)
        for (zone, jump), mine, theirs in zip(places, ours, answers):
            some, strange = compare(expressions, jump, mine, theirs, SEEN[name])
            seen.update(some)
            unexplained += [(zone, jump, *case) for case in strange]
    return seen, unexplained


def report(number, name, seen, unexplained):
    print(f"{'not ' if unexplained else ''}ok {number} - {name}: {seen['same']} windows are the same, {seen['different']} differ, "
          f"{len(unexplained)} runs unexplained")
    for word, meaning in CLASSES.items():
        if seen[word]:
            print(f"#   {seen[word]:7} {word}: {name} {meaning}")
    for case in unexplained[:12]:
        print(f"#   unexplained: {case}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("list_runs")
    parser.add_argument("folder")
    parser.add_argument("--expressions", type=int, default=1000)
    parser.add_argument("--zones", type=int, default=len(ZONES))
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", action="append", choices=list(SEEN))
    options = parser.parse_args()
    chance = random.Random(options.seed)
    expressions = [Expression(make_expression(chance)) for _ in range(options.expressions)] + [Expression(text) for text in SPECIAL]
    places = [(zone, jump) for zone in ZONES[:options.zones] for jump in find_jumps(zone)]
    ours = [list_runs([options.list_runs], expressions, *place) for place in places]
    programs = {name: command for name, command in find_programs(options.folder).items() if name in (options.only or [name])}
    print(f"1..{len(programs)}")
    print(f"# {len(expressions)} expressions, {options.zones} zones, {len(places)} jumps, {len(expressions) * len(places)} windows, "
          f"{sum(len(answer[0]) for answers in ours for answer in answers if answer)} runs", flush=True)
    failed = False
    for number, (name, command) in enumerate(programs.items(), 1):
        if command is None:
            print(f"ok {number} - {name} # SKIP NOT COMPARED: {name} is not there and could not be installed")
            continue
        seen, unexplained = compare_all(name, command, expressions, places, ours, options.jobs)
        report(number, name, seen, unexplained)
        failed = failed or bool(unexplained)
    return failed


if __name__ == "__main__":
    sys.exit(main())
