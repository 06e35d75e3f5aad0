#!/usr/bin/env python3
"""TAP: conversations with `colloquy pipe`, written down in files: run.py COLLOQUY PLUGINS FILE...

PLUGINS is a folder whose plugins may be used beside those of CLQ_PLUGIN_PATH.

A file holds one or more cases. Lines:

    # a comment
    = NAME: ARGUMENTS       begins a case: `colloquy pipe ARGUMENTS`; relative paths are beside the file
    > JSON                  a request
    < JSON                  what its answer must have; members that are not named may be anything

In an expectation an object may leave members out, a list must have as many items as the answer's, and a text that begins
with "~" is a regular expression that must match the whole text. A request without an expectation must be answered with ok.
"""

import json
import os
import re
import shlex
import subprocess
import sys


def parse(path):
    """The cases of a file: [name, arguments, [(line number, request, expectation or None)]]."""
    cases = []
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if not line.strip() or line.startswith("#"):
                continue
            mark, _, rest = line.partition(" ")
            if mark == "=":
                name, _, arguments = rest.partition(": ")
                cases.append([name, shlex.split(arguments), []])
            elif mark == ">":
                cases[-1][2].append([number, rest, None])
            elif mark == "<":
                cases[-1][2][-1][2] = json.loads(rest)
            else:
                raise SystemExit(f"{path}:{number}: a line begins with =, > or <")
    return cases


def differs(wanted, got, where="answer"):
    """Why the answer is not what was wanted; None if it is."""
    if isinstance(wanted, dict) and isinstance(got, dict):
        for key, value in wanted.items():
            if key not in got:
                return f"{where}.{key} is missing"
            why = differs(value, got[key], f"{where}.{key}")
            if why:
                return why
        return None
    if isinstance(wanted, list) and isinstance(got, list):
        if len(wanted) != len(got):
            return f"{where} has {len(got)} items, expected {len(wanted)}: {json.dumps(got)}"
        for index, pair in enumerate(zip(wanted, got)):
            why = differs(*pair, f"{where}[{index}]")
            if why:
                return why
        return None
    if isinstance(wanted, str) and wanted.startswith("~") and isinstance(got, str):
        return None if re.fullmatch(wanted[1:], got, re.DOTALL) else f"{where} is {got!r}, expected to match {wanted[1:]!r}"
    if type(wanted) is type(got) and wanted == got:
        return None
    return f"{where} is {json.dumps(got)}, expected {json.dumps(wanted)}"


def run(program, folder, arguments, steps):
    """Why a case fails; None if it passes."""
    requests = "".join(request + "\n" for _, request, _ in steps)
    done = subprocess.run([program, "pipe", *arguments], input=requests, cwd=folder, text=True, capture_output=True,
                          timeout=120, check=False)
    if done.returncode != 0:
        return f"exit status {done.returncode}: {done.stderr}"
    answers = done.stdout.splitlines()
    if len(answers) != len(steps):
        return f"{len(answers)} answers to {len(steps)} requests: {done.stderr}"
    for (number, request, wanted), line in zip(steps, answers):
        why = differs({"ok": True} if wanted is None else wanted, json.loads(line))
        if why:
            return f"line {number}: {request}\n  {why}\n  {line}"
    return f"stderr: {done.stderr}" if done.stderr else None


def main(program, paths):
    cases = [(path, case) for path in paths for case in parse(path)]
    print(f"1..{len(cases)}", flush=True)
    failed = 0
    for index, (path, (name, arguments, steps)) in enumerate(cases, 1):
        why = run(program, os.path.dirname(os.path.abspath(path)), arguments, steps)
        failed += why is not None
        title = f"{os.path.splitext(os.path.basename(path))[0]}/{name}"
        print(f"{'not ok' if why else 'ok'} {index} - {title}", flush=True)
        for line in (why or "").splitlines():
            print(f"# {line}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    os.environ["CLQ_PLUGIN_PATH"] = os.pathsep.join([os.environ["CLQ_PLUGIN_PATH"], os.path.abspath(sys.argv[2])])
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[3:]))
