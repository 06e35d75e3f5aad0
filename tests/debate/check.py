#!/usr/bin/env python3
"""TAP: what `colloquy check` finds in a debate: check.py COLLOQUY PROMPTS"""

import os
import re
import shutil
import subprocess
import sys
import tempfile

# Lines of [modality], what is done to a copy of the prompts, what is found.
CASES = [
    ("good", "agents=alice:architect;bob:testing;eve:simplicity\njudge=omar:judge", None, None),
    ("own-prompts", "prompts=${folder:own}", None, None),
    ("one-agent", "agents=architect", None, "agents names 1; expected 2 to 8"),
    ("nine-agents", "agents=" + ";".join(f"a{n}:testing" for n in range(9)), None, "agents names 9; expected 2 to 8"),
    ("same-name", "agents=security;security:testing", None, "'security' takes part twice; expected every name once, the judge's too"),
    ("judge-takes-part", "agents=security;judge:testing", None, "'judge' takes part twice; expected every name once, the judge's too"),
    ("bad-name", "agents=security;Mr. X:testing", None, "'Mr. X:testing' is no agent; expected NAME or NAME:ROLE"),
    ("unknown-role", "agents=security;bob:tsting", None, r"mine\.graph:6: \[modality\] agents: .*agent 'bob': there is no role 'tsting' among the prompts; did you mean 'testing'\?"),
    ("unknown-setting", "round=3", None, r"unknown setting of debate\.debate; did you mean 'rounds'\?"),
    ("unknown-condition", "terminationCondition.type=converged", None, r"'converged' is no choice; did you mean 'convergence'\?"),
    ("threshold", "terminationCondition.threshold=101", None, "101 is out of range; expected 0 to 100"),
    ("no-prompts", "prompts=${folder:nowhere}", None, "prompts: there is no folder 'nowhere'; expected it beside this file, or beside the graphs"),
    ("path-for-prompts", "prompts=own", None, "prompts: 1:1: unexpected 'own'; expected a value"),
    ("missing-prompt", "prompts=${folder:own}", lambda own: os.unlink(f"{own}/quality.txt"), r"there is no quality\.txt among the prompts"),
    ("placeholder", "prompts=${folder:own}", lambda own: append(f"{own}/proposal.txt", "{{critiques}}"), r"proposal\.txt: line \d+: there is nothing to put in the place of {{critiques}}"),
    ("open-condition", "prompts=${folder:own}", lambda own: append(f"{own}/roles/judge.txt", "{{#if role}}"), r"judge\.txt: line \d+: {{#if}} without {{/if}}"),
]


def append(path, text):
    with open(path, "a", encoding="utf-8") as file:
        file.write(text)


def find(program, prompts, settings, change):
    """What check says of a graph beside which there are prompts."""
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(prompts, f"{folder}/own")
        if change is not None:
            change(f"{folder}/own")
        append(f"{folder}/mine.graph", f"[graph]\nformat=1\nname=mine\nextends=debate\n[modality]\n{settings}\n")
        done = subprocess.run([program, "check", f"{folder}/mine.graph"], text=True, capture_output=True, timeout=60, check=False)
    return done.returncode, done.stdout


def main(program, prompts):
    print(f"1..{len(CASES)}", flush=True)
    failed = 0
    for number, (name, settings, change, wanted) in enumerate(CASES, 1):
        status, found = find(program, prompts, settings, change)
        good = status == 0 and ": ok," in found if wanted is None else status == 1 and len(re.findall(wanted, found)) == 1
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - debate-check/{name}", flush=True)
        if not good:
            print(f"# {status}: {found.strip()}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
