#!/usr/bin/env python3
"""TAP: every event in every state of task.graph: table.py COLLOQUY

What may be taken leads where the table says; everything else is refused, or stops the session if no rule takes an outcome. A
target of "" is `@stay`; two targets are alternatives, which the class of a failure decides.
"""

import json
import subprocess
import sys

ACTIONS = ["message", "approve", "reject", "modify", "abort"]
OTHERS = ["valid", "invalid", "ambiguous", "found", "completed", "stored", "analysed", "presented", "failed", "timeout", "drain", "limit"]
TABLE = {
    "IDLE": {"message": "REQUEST_RECEIVED", "stored": "", "analysed": "", "failed": "", "timeout": "", "drain": "", "limit": ""},
    "REQUEST_RECEIVED": {"valid": "CONTEXT_SEARCH", "invalid": "IDLE", "ambiguous": "IDLE", "failed": "IDLE", "timeout": "IDLE",
                         "abort": "IDLE", "drain": "", "limit": "IDLE"},
    "CONTEXT_SEARCH": {"found": "EXECUTING", "timeout": "EXECUTING", "failed": ["EXECUTING", "IDLE"], "abort": "IDLE", "drain": "", "limit": "IDLE"},
    "EXECUTING": {"completed": "CONTEXT_UPDATE", "timeout": "CONTEXT_UPDATE", "failed": "IDLE", "abort": "IDLE", "drain": "", "limit": "IDLE"},
    "CONTEXT_UPDATE": {"stored": "HUMAN_REVIEW", "timeout": "HUMAN_REVIEW", "failed": ["HUMAN_REVIEW", "IDLE"], "abort": "IDLE", "drain": "",
                       "limit": "IDLE"},
    "HUMAN_REVIEW": {"approve": "IDLE", "reject": "IDLE", "modify": "REQUEST_RECEIVED", "abort": "IDLE", "presented": "", "failed": "",
                     "drain": "", "limit": "IDLE"},
}


def ask(program, state, event, target):
    request = {"do": "event", "name": event}
    if target:
        request["to"] = target
    lines = json.dumps({"do": "put", "state": state}) + "\n" + json.dumps(request) + "\n"
    done = subprocess.run([program, "pipe", "task", "--bare", "--clock=manual"], input=lines, text=True, capture_output=True, timeout=60, check=True)
    return json.loads(done.stdout.splitlines()[1])


def check(program, state, event):
    """What is wrong; None if nothing is."""
    if event not in TABLE[state]:
        answer = ask(program, state, event, None)
        if answer["state"] != state or answer["transitions"]:
            return f"it leads to {answer['state']}"
        if event in ACTIONS and (answer["ok"] or answer["error"]["code"] != "refused"):
            return f"it is not refused: {answer}"
        if event not in ACTIONS and answer.get("error", {}).get("code") not in ("unhandled", "failed", "limit"):
            return f"the session does not stop: {answer}"
        return None
    targets = TABLE[state][event]
    for target in targets if isinstance(targets, list) else [targets]:
        answer = ask(program, state, event, target if isinstance(targets, list) else None)
        moves = [(move["from"], move["event"], move["to"]) for move in answer["transitions"]]
        if not answer["ok"] or answer["state"] != (target or state) or moves != ([(state, event, target)] if target else []):
            return f"expected {target or 'no transition'}: {answer}"
    return None


def main(program):
    cases = [(state, event) for state in TABLE for event in ACTIONS + OTHERS]
    print(f"1..{len(cases)}")
    failed = 0
    for number, (state, event) in enumerate(cases, 1):
        why = check(program, state, event)
        failed += why is not None
        print(f"{'not ok' if why else 'ok'} {number} - {state}.{event}", flush=True)
        if why:
            print(f"# {why}")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
