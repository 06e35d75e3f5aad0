#!/usr/bin/env python3
"""TAP: what `check` proves, asked once more of spin: mutants.py [--all] COLLOQUY FOLDER...

For each graph of the folders every mutant is made that differs in one alternative of one rule: it is missing, or it leads to another
state. Of each of them, and of the graph itself,

 * spin, which gets one model of all mutants from `draw --format=promela`, and `check` must agree on the states that can be reached
   and on the invariants that hold;
 * no mutant may load that breaks an invariant or has a state that cannot be reached and is not accepted;
 * the counterexample of each broken invariant is played in `pipe --bare` and must end where the invariant is broken. Of a large
   graph only some are played unless --all is given.

Without spin or a C compiler nothing is compared.
"""

import glob
import json
import os
import re
import shutil
import sys
import tempfile

sys.dont_write_bytecode = True  # nothing is to appear beside the sources
from replay import play, run  # noqa: E402

PLAYED = 60  # mutants of each graph whose counterexamples are played
RULE = re.compile(r"/\* rule (\d+): (.*):(\d+) alternative (\d+) \*/")


def demand(command, **options):
    status, out, err = run(command, **options)
    if status != 0:
        raise RuntimeError(f"{' '.join(command)}: exit status {status}\n{out}{err}")
    return out


# ---- the files ----


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read().split("\n")


def chain(path):
    """The file of a graph and those that it extends, as {path: lines}."""
    files = {path: read(path)}
    for line in files[path]:
        if line.startswith("extends="):
            files.update(chain(os.path.join(os.path.dirname(path), line.partition("=")[2].strip() + ".graph")))
    return files


def split(value):
    """The alternatives of a rule; a `;` in quotes separates nothing."""
    return [part.strip() for part in re.findall(r'(?:[^;"]|"(?:\\.|[^"\\])*")+', value)]


def mutate(files, place, state):
    """Writes the files with one alternative missing or leading elsewhere; None if the format has no way to say that."""
    path, line, index = place
    key, _, value = files[path][line - 1].partition("=")
    parts = split(value)
    if state is None:
        del parts[index]
    else:
        parts[index] = re.sub(r"^\S+", state, parts[index])
    if not parts and sum(other.startswith(key + "=") for lines in files.values() for other in lines) > 1:
        return None  # the rule of the graph that is extended would come back
    changed = {name: list(lines) for name, lines in files.items()}
    changed[path][line - 1] = f"{key}={' ; '.join(parts)}" if parts else ""
    return changed


def write(folder, files):
    os.makedirs(folder)
    for path, lines in files.items():
        with open(os.path.join(folder, os.path.basename(path)), "w", encoding="utf-8") as file:
            file.write("\n".join(lines))


# ---- the two answers ----


def ask_spin(program, path, folder):
    """{(rule, state): (reached, broken)} of all mutants, {rule: (file, line, alternative)} and the names of the states."""
    model = demand([program, "draw", "--format=promela", path])
    os.makedirs(folder)
    with open(os.path.join(folder, "model.pml"), "w", encoding="utf-8") as file:
        file.write(model)
    demand(["spin", "-DMUTANTS", "-a", "model.pml"], cwd=folder)
    demand(["cc", "-w", "-DSAFETY", "-DNOREDUCE", "-o", "pan", "pan.c"], cwd=folder)
    out = demand(["./pan", "-m1000000", "-w20"], cwd=folder)
    if "errors: 0" not in out or "max search depth too small" in out:
        raise RuntimeError(out)
    verdicts = {}
    for line in out.splitlines():
        words = line.split()
        if words[:1] == ["verdict"]:
            _, reached, broken = line.split("|")
            verdicts[int(words[1]), int(words[2])] = (set(reached.split()), set(broken.split()))
    rules = {int(rule): (file, int(at), int(index)) for rule, file, at, index in RULE.findall(model)}
    states = re.search(r"state_names\[\] = \{ (.*)0 \}", model)[1]
    return verdicts, rules, re.findall(r'"(.*?)"', states)


def ask_check(program, paths):
    """One answer of `check --json` for each file."""
    answers = []
    for start in range(0, len(paths), 500):
        _, out, err = run([program, "check", "--json", *paths[start:start + 500]])
        if err:
            raise RuntimeError(err)
        answers += [json.loads(line) for line in out.splitlines()]
    if len(answers) != len(paths):
        raise RuntimeError(f"{len(answers)} answers for {len(paths)} graphs")
    return answers


def unreachable(answer):
    """The states that cannot be reached: all, and those of them that are not accepted."""
    found = [re.match(r"state (\S+) cannot be reached from .*?(\(accepted\))?$", finding["message"]) for finding in answer["findings"]]
    return {match[1] for match in found if match}, {match[1] for match in found if match and not match[2]}


# ---- one graph ----


def compare(name, verdict, answer, states):
    """What spin and check say of one mutant: the differences."""
    reached, broken = verdict
    missing, unaccepted = unreachable(answer)
    ours = {finding["invariant"] for finding in answer["findings"] if "invariant" in finding}
    if states - reached != missing:
        yield f"{name}: check cannot reach {sorted(missing)}, spin cannot reach {sorted(states - reached)}"
    if ours != broken:
        yield f"{name}: check breaks {sorted(ours)}, spin breaks {sorted(broken)}"
    if answer["ok"] and (broken or unaccepted):
        yield f"{name}: it loads"


def check_graph(program, path, folder, play_all):
    """The differences, and how much was compared."""
    files = chain(path)
    verdicts, rules, states = ask_spin(program, path, os.path.join(folder, "model"))
    mutants = {}
    for rule, state in verdicts:
        changed = files if rule < 0 else mutate(files, rules[rule], None if state < 0 else states[state])
        if changed is None:
            continue
        place = os.path.join(folder, f"{rule}_{state}")
        write(place, changed)
        mutants[rule, state] = os.path.join(place, os.path.basename(path))
    answers = dict(zip(mutants, ask_check(program, list(mutants.values()))))
    problems = [] if answers[-1, -1]["ok"] else [f"{path}: the graph itself does not load"]
    for mutant, answer in answers.items():
        problems += compare(f"{os.path.basename(path)}, rule {mutant[0]} to {mutant[1]}", verdicts[mutant], answer, set(states))
    broken = [mutant for mutant, answer in answers.items() if any("invariant" in finding for finding in answer["findings"])]
    step = 1 if play_all else max(1, len(broken) // PLAYED)
    played = 0
    for mutant in broken[::step]:
        for finding in answers[mutant]["findings"]:
            if "invariant" in finding:
                why = play(program, mutants[mutant], finding)
                played += 1
                problems += [f"{mutants[mutant]}: {finding['invariant']}: {why}"] if why else []
    unsafe = sum(bool(verdicts[mutant][1]) or bool(unreachable(answer)[1]) for mutant, answer in answers.items())
    return problems, f"{len(mutants)} mutants, {unsafe} of them unsafe, {played} counterexamples played"


def main(arguments):
    play_all = "--all" in arguments
    program, *folders = (argument for argument in arguments if argument != "--all")
    graphs = sorted(path for folder in folders for path in glob.glob(os.path.join(glob.escape(folder), "*.graph")))
    if shutil.which("spin") is None or shutil.which("cc") is None:
        print("1..0 # SKIP spin or a C compiler is not installed")
        return 0
    print(f"1..{len(graphs)}", flush=True)
    failed = 0
    for number, path in enumerate(graphs, 1):
        with tempfile.TemporaryDirectory(prefix="colloquy-mutants-") as place:
            problems, count = check_graph(os.path.abspath(program), path, place, play_all)
        failed += bool(problems)
        print(f"{'not ok' if problems else 'ok'} {number} - {os.path.basename(path)}: {count}", flush=True)
        for problem in problems[:20]:
            print(f"# {problem}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
