#!/usr/bin/env python3
"""TAP: counterexamples are played to their end: replay.py COLLOQUY FILE...

`check` says how the invariants of the files are broken. Each counterexample is given to `pipe --bare` as it stands, which must take
every event but the last one, if that is to be refused; what happened must break the invariant. Where the graph is broken from the
start, nothing is played.
"""

import json
import os
import re
import subprocess
import sys


def run(command, **options):
    done = subprocess.run(command, text=True, capture_output=True, timeout=600, check=False, **options)
    return done.returncode, done.stdout, done.stderr


def names(text):
    return [name.strip() for name in text.split(",")]


def is_broken(text, steps, states):
    """Whether the last of what happened breaks an invariant. A step is (from, event, to), with to None if it was refused."""
    last = steps[-1] if steps else (None, None, None)
    before, event, after = last
    moved = after is not None and before != after
    if match := re.fullmatch(r"(\S+) leads to (\S+)( by (\S+))?", text):
        if match[4] is None:
            return states[-1] == match[1]
        return before == match[1] and event == match[4] and after != match[2]
    if match := re.fullmatch(r"only (.*) enter (.*)", text):
        return moved and after in names(match[2]) and before not in names(match[1])
    if match := re.fullmatch(r"(\S+) is left only by (.*)", text):
        return moved and before == match[1] and event not in names(match[2])
    if match := re.fullmatch(r"(\S+) is never left", text):
        return moved and before == match[1]
    if match := re.fullmatch(r"every state has an exit(?: except (.*))?", text):
        return states[-1] not in names(match[1] or "")
    if match := re.fullmatch(r"every state (?:except (.*) )?accepts (.*)", text):
        return after is None and event in names(match[2]) and before not in names(match[1] or "")
    if match := re.fullmatch(r"(.*) keep the state", text):
        return moved and event in names(match[1])
    if match := re.fullmatch(r"never (\S+) before (\S+)", text):
        return states[-1] == match[1] and match[2] not in states
    if match := re.fullmatch(r"(\S+) (\S+) then (\S+) returns", text):
        out = steps[-2] if after is not None or event != match[2] or before != match[1] else last
        if out is last:
            return True
        return out[0] == match[1] and out[1] == match[2] and event == match[3] and after != match[1]
    raise RuntimeError(f"no form of an invariant: {text}")


def play(program, path, finding):
    """Plays the counterexample of a finding of `check --json`. Why it is none; None if it is one."""
    requests = finding["counterexample"]
    lines = "".join(json.dumps(request) + "\n" for request in [{"do": "open"}, *requests])
    status, out, _ = run([program, "pipe", "--bare", "--clock=manual", path], input=lines)
    if status != 0:
        return f"pipe: exit status {status}"
    answers = [json.loads(line) for line in out.splitlines()]
    states, steps = [answers[0]["state"]], []
    for request, answer in zip(requests, answers[1:]):
        refused = request["to"] == "@refuse"
        if answer["ok"] == refused and not (refused and not answer["transitions"]):
            return f"{request}: {answer}"
        if not refused and answer["state"] != (states[-1] if request["to"] == "@stay" else request["to"]):
            return f"{request}: the state is {answer['state']}"
        steps.append((states[-1], request["name"], None if refused else answer["state"]))
        states.append(answer["state"])
    text = re.search(r"^\[invariants\] \S+: '(.*)' does not hold", finding["message"])[1]
    return None if is_broken(text, steps, states) else f"it ends as {steps[-2:]} in {states[-1]}, which breaks nothing of '{text}'"


def main(program, paths):
    cases = []
    for path in paths:
        _, out, _ = run([program, "check", "--json", path])
        answer = json.loads(out)
        cases += [(path, finding) for finding in answer["findings"] if "invariant" in finding]
        if answer["ok"]:
            raise SystemExit(f"{path}: it loads")
    print(f"1..{len(cases) + 1}", flush=True)
    print(f"{'ok' if len(cases) >= len(paths) else 'not ok'} 1 - {len(cases)} counterexamples", flush=True)
    failed = len(cases) < len(paths)
    for number, (path, finding) in enumerate(cases, 2):
        why = play(program, path, finding) or print_differs(program, path, finding)
        failed += why is not None
        print(f"{'not ok' if why else 'ok'} {number} - {os.path.basename(path)}: {finding['invariant']}", flush=True)
        if why:
            print(f"# {why}", flush=True)
    return int(failed > 0)


def print_differs(program, path, finding):
    """Whether `check --counterexample` prints other requests; None if it prints the same."""
    status, out, _ = run([program, "check", "--counterexample", finding["invariant"], path])
    printed = [json.loads(line) for line in out.splitlines()]
    wanted = finding["counterexample"] or [{"do": "show"}]
    return None if status == 1 and printed == wanted else f"--counterexample: exit status {status}, {printed}"


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:]))
