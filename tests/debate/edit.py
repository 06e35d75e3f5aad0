#!/usr/bin/env python3
"""TAP: prompts that are edited change new debates, and not those that go on: edit.py COLLOQUY PROMPTS"""

import json
import os
import shutil
import subprocess
import sys
import tempfile

GRAPH = """[graph]
format=1
name=mine
extends=debate

[modality]
interactiveClarifications=true
clarificationsMaxIterations=1
rounds=1
prompts=${folder:own}
"""

# The judge says whether it was asked with the prompt that was edited.
AGENTS = """
[agent architect]
kind=scripted.agent
rules=[{"match":"questions","reply":{"questions":["Why?"]}}]
fallback=Because.

[agent performance]
kind=scripted.agent
rules=[{"match":"questions","reply":{"questions":[]}}]
fallback=Because.

[agent security]
kind=scripted.agent
rules=[{"match":"questions","reply":{"questions":[]}}]
fallback=Because.

[agent judge]
kind=scripted.agent
rules=[{"match":"EDITED","reply":"as it is now"}]
fallback=as it was
"""


class Debates:
    def __init__(self, program, prompts, folder):
        self.program = program
        self.folder = folder
        self.environment = dict(os.environ, CLQ_CONFIG_DIR=f"{folder}:{os.environ['CLQ_CONFIG_DIR']}")
        shutil.copytree(prompts, f"{folder}/own")
        for name, text in ("mine.graph", GRAPH), ("colloquy.conf", AGENTS):
            with open(f"{folder}/{name}", "w", encoding="utf-8") as file:
                file.write(text)

    def run(self, *words):
        return subprocess.run([self.program, *words, "--store", f"sqlite:{self.folder}/store.db"], text=True, capture_output=True, timeout=60,
                              env=self.environment, check=False)

    def open(self):
        done = self.run("run", f"{self.folder}/mine.graph", "How?")
        assert done.returncode == 5, done
        return json.loads(self.run("sessions", "--json").stdout.splitlines()[0])["session"]

    def solve(self, session):
        done = self.run("answer", session, "So.")
        assert done.returncode == 0, done
        return done.stdout.splitlines()[0]

    def edit(self, name, text):
        with open(f"{self.folder}/own/{name}", "a", encoding="utf-8") as file:
            file.write(text)


def edited(debates):
    old = debates.open()
    debates.edit("synthesis.txt", "\nEDITED\n")
    new = debates.open()
    assert new != old
    found = debates.solve(old), debates.solve(new)
    assert found == ("as it was", "as it is now"), found


def broken(debates):
    old = debates.open()
    debates.edit("synthesis.txt", "\n{{nonsense}} EDITED\n")
    refused = debates.run("run", f"{debates.folder}/mine.graph", "How?")
    assert refused.returncode == 1 and "synthesis.txt" in refused.stderr, refused
    found = debates.solve(old)
    assert found == "as it was", found


def main(program, prompts):
    tests = [edited, broken]
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    for number, test in enumerate(tests, 1):
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(Debates(program, prompts, folder))
                print(f"ok {number} - debate-edit/{test.__name__}", flush=True)
            except (AssertionError, ValueError, subprocess.SubprocessError) as error:
                failed += 1
                print(f"not ok {number} - debate-edit/{test.__name__}\n# {error}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
