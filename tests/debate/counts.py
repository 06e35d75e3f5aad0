#!/usr/bin/env python3
"""TAP: how many calls a debate makes: counts.py COLLOQUY

With n agents and r rounds there are n fresh proposals, and in every round n (n - 1) critiques and n refinements; the judge writes
one solution and, unless the number of rounds is fixed, one verdict per round.
"""

import collections
import json
import subprocess
import sys


def debate(program, agents, rounds, termination):
    """The calls of a debate whose judge is never content: {kind: count}, and the transitions."""
    names = [f"a{index}" for index in range(agents)]
    lines = [{"do": "script", "agent": name, "replies": ["x"] * (1 + rounds * agents)} for name in names]
    verdicts = [] if termination == "fixed" else [{"confidence": 1}] * rounds
    lines += [{"do": "script", "agent": "judge", "replies": verdicts + ["the end"]}, {"do": "open", "input": "How?"}, {"do": "calls"}]
    settings = {"agents": ";".join(f"{name}:generalist" for name in names), "rounds": rounds, "terminationCondition.type": termination}
    arguments = [argument for key, value in settings.items() for argument in ("--set", f"modality.{key}={value}")]
    done = subprocess.run([program, "pipe", "debate", "--clock=manual", *arguments], input="".join(json.dumps(line) + "\n" for line in lines),
                          text=True, capture_output=True, timeout=120, check=True)
    end, calls = [json.loads(line) for line in done.stdout.splitlines()[-2:]]
    assert end["state"] == "Complete", end
    counts = collections.Counter(call["key"].split("/")[0] for call in calls["result"])
    assert end["data"]["calls"] == sum(counts.values()), (end["data"], counts)
    assert len({call["key"] for call in calls["result"]}) == len(calls["result"])
    return dict(counts), collections.Counter(transition["event"] for transition in end["transitions"])


def check(program, agents, rounds, termination):
    counts, events = debate(program, agents, rounds, termination)
    wanted = {"proposal": agents, "critique": rounds * agents * (agents - 1), "refinement": rounds * agents, "synthesis": 1}
    if termination != "fixed":
        wanted["evaluation"] = rounds
    assert counts == wanted, f"{counts}, expected {wanted}"
    assert events["BEGIN_ROUND"] == rounds, events
    continued = rounds - 1 if termination == "fixed" else rounds
    assert (events["CONTINUE"], events["MAX_ROUNDS_REACHED"]) == (continued, 1), events


def main(program):
    cases = [(agents, rounds, "fixed") for agents in range(2, 9) for rounds in range(1, 6)]
    cases += [(agents, 2, termination) for agents in (2, 8) for termination in ("convergence", "quality")]
    print(f"1..{len(cases)}", flush=True)
    failed = 0
    for number, case in enumerate(cases, 1):
        try:
            check(program, *case)
            print(f"ok {number} - counts/{'-'.join(map(str, case))}", flush=True)
        except (AssertionError, subprocess.SubprocessError) as error:
            failed += 1
            print(f"not ok {number} - counts/{'-'.join(map(str, case))}\n# {error}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
