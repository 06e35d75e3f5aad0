#!/usr/bin/env python3
"""TAP: what people say, and what comes of it: sentences.py COLLOQUY FILE [SCORE]

sentences.txt explains the format. With SCORE, that many sentences must be understood; without it, all of them.
"""

import json
import re
import subprocess
import sys

HEAD = re.compile(r"\[(user|assistant) (\w+) -> (\w+)(?: (\w+))?((?: \+\w+)*)\]$")
FILLER = ("The weather was fine and the road was long. " * 250)[:10000]
MISSING = ("greeting", "idle", "completed")


def read(path):
    """[line number, role, phase, wanted phase, wanted type, wanted fields, text]"""
    cases, head = [], None
    with open(path, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            line = line.rstrip("\n")
            if not line or line.startswith("#"):
                continue
            found = HEAD.match(line)
            if found:
                head = (*found.groups()[:4], found[5].replace("+", " ").split())
            elif head is None or line.startswith("["):
                raise SystemExit(f"{path}:{number}: expected [ROLE PHASE -> PHASE ...]")
            else:
                cases.append((number, *head, line.replace("\\n", "\n").replace("{10kB}", FILLER)))
    return cases


def goal(phase):
    """The goal of a session that is in that phase."""
    if phase in MISSING:
        return None
    known = {"status": "unknown", "value": None} if phase == "understanding" else {"status": "provided", "value": "known"}
    info = [{"name": name, "description": name, **known} for name in ("component_type", "requirements")]
    return {"id": "goal-1", "type": "artifact_creation", "description": "Build something", "status": "active",
            "requiredInfo": info, "createdAt": "2026-01-01T00:00:00Z", "completedAt": None}


def requests(cases):
    for _, role, phase, _, _, _, text in cases:
        yield {"do": "put", "state": phase, "data": {"currentGoal": goal(phase), "completedGoals": [], "turnCount": 1, "understandingTurns": 1}}
        yield {"do": "message", "role": role, "text": text}


def judge(case, answer):
    """What is wrong with the answer; empty if nothing is."""
    _, _, _, phase, kind, fields, _ = case
    if not answer["ok"]:
        return answer["error"]["message"]
    current = answer["data"].get("currentGoal")
    got = current["type"] if current else "none"
    known = [info["name"] for info in current["requiredInfo"] if info["status"] == "provided"] if current else []
    if answer["state"] != phase:
        return f"{answer['state']}, expected {phase}; heard {json.dumps(answer['data']['signals'], ensure_ascii=False)}"
    if kind and got != kind:
        return f"goal {got}, expected {kind}"
    if fields and sorted(known) != sorted(fields):
        return f"known {known}, expected {fields}"
    return ""


def main():
    colloquy, path = sys.argv[1:3]
    cases = read(path)
    lines = "".join(json.dumps(request) + "\n" for request in requests(cases))
    done = subprocess.run([colloquy, "pipe", "goals", "--clock=manual"], input=lines, text=True, capture_output=True, check=False)
    answers = [json.loads(line) for line in done.stdout.splitlines()][1::2]
    if len(answers) != len(cases):
        raise SystemExit(f"Bail out! {len(answers)} answers to {len(cases)} sentences: {done.stderr}")
    wrong = [(case, why) for case, answer in zip(cases, answers) for why in [judge(case, answer)] if why]
    wanted = int(sys.argv[3]) if len(sys.argv) > 3 else len(cases)
    for case, why in wrong:
        print(f"# {path.rsplit('/', 1)[-1]}:{case[0]}: {case[1]} in {case[2]}: {case[6][-80:]!r}: {why}")
    print(f"# {len(cases) - len(wrong)} of {len(cases)} understood")
    print("1..1")
    print("ok 1 - sentences" if len(cases) - len(wrong) >= wanted else "not ok 1 - sentences")


main()
