#!/usr/bin/env python3
"""TAP: what other programs make of drawings: draw.py COLLOQUY FILE...

Each file is drawn in every format. Graphviz, xmllint and spin read the result.
"""

import os
import re
import subprocess
import sys
import tempfile


def run(command, **options):
    done = subprocess.run(command, text=True, capture_output=True, timeout=120, check=False, **options)
    return done.returncode, done.stdout, done.stderr


def reads(command, text):
    """Why a program cannot read a text; None if it can."""
    with tempfile.TemporaryDirectory(prefix="colloquy-draw-") as folder:
        with open(os.path.join(folder, "drawing"), "w", encoding="utf-8") as file:
            file.write(text)
        status, out, err = run(command + ["drawing"], cwd=folder)
    return None if status == 0 and not err else f"{command[0]}: exit status {status}: {out}{err}"


def check_file(program, path):
    """What is wrong with the drawings of a graph."""
    drawings = {}
    for form in ("mermaid", "dot", "scxml", "promela"):
        status, drawings[form], err = run([program, "draw", f"--format={form}", path])
        if status != 0 or err:
            yield f"{form}: exit status {status}: {err}"
    yield reads(["dot", "-Tcanon", "-o", "out"], drawings["dot"])
    yield reads(["xmllint", "--noout"], drawings["scxml"])
    yield reads(["spin", "-a"], drawings["promela"])
    if run([program, "draw", path])[1] != drawings["mermaid"]:
        yield "Mermaid is not the default"
    if not re.match(r"stateDiagram-v2\n(    state .*\n|    \w+\n)*    \[\*\] --> \w+\n", drawings["mermaid"]):
        yield f"mermaid: {drawings['mermaid'][:200]}"
    for line in drawings["mermaid"].splitlines()[1:]:
        if not re.fullmatch(r'|    (%% .*|state ".*" as \w+|\w+|(\[\*\]|\w+) --> (\[\*\]|\w+)(: [^;:{}<>]*(#\d+;[^;:{}<>]*)*)?)', line):
            yield f"mermaid: {line}"
    status, svg, err = run([program, "draw", "--format=svg", path])
    if status != 0 or err or "<svg" not in svg:
        yield f"svg: exit status {status}: {err}"
    yield reads(["xmllint", "--nonet", "--noout"], svg)


def check_mistakes(program, path):
    with tempfile.TemporaryDirectory(prefix="colloquy-draw-") as empty:
        wanted = [
            (["--format=svgg", path], 2, "draw: there is no format 'svgg'; did you mean 'svg'?", {}),
            ([], 2, "draw: expected GRAPH", {}),
            ([path + "x"], 1, "not found", {}),
            (["--format=svg", path], 1, "draw: --format=svg needs Graphviz: 'dot' is not in PATH", {"PATH": empty}),
        ]
        for arguments, status, text, variables in wanted:
            got, out, err = run([program, "draw", *arguments], env={**os.environ, **variables})
            if got != status or out or text not in err:
                yield f"{arguments}: exit status {got}: {out}{err}"


def main(program, paths):
    print(f"1..{len(paths) + 1}", flush=True)
    cases = [(os.path.basename(path), check_file(program, path)) for path in paths]
    cases.append(("mistakes", check_mistakes(program, paths[0])))
    failed = 0
    for number, (name, problems) in enumerate(cases, 1):
        problems = [problem for problem in problems if problem]
        failed += bool(problems)
        print(f"{'not ok' if problems else 'ok'} {number} - {name}", flush=True)
        for problem in problems:
            print("\n".join(f"# {line}" for line in problem.splitlines()), flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(os.path.abspath(sys.argv[1]), sys.argv[2:]))
