#!/usr/bin/env python3
"""TAP: the reference says what the program knows, no more and no less: check-reference.py COLLOQUY SOURCE-ROOT

What there is comes from the program itself: asked for a name that is unlike all others, it lists those it has. Types and
defaults come from the tables in the source, whose keys must be the same.
"""

import glob
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree stays as it is
import pages  # noqa: E402

COLLOQUY, ROOT = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
UNLIKELY = "qqzzqqzzqq"
ROW = re.compile(r"CLQ_([A-Z]+) \(\w+, (\w+)(?:, (\"[^\"]*\"|[\w.]+))?,")

GRAPH = f"""[graph]
format=1
name=probe
initial=a
modality=basic.notes
{UNLIKELY}=1
[{UNLIKELY}]
[state a]
{UNLIKELY}=1
[metric m]
of=failed
{UNLIKELY}=1
[transitions]
a.{UNLIKELY}=a
a.failed=a if {UNLIKELY}
a.limit=a if {UNLIKELY}()
"""


def read(path):
    with open(os.path.join(ROOT, path), encoding="utf-8") as file:
        return file.read()


def ask(*arguments, text=None):
    """What the program prints; findings and refusals are no failure here."""
    done = subprocess.run([COLLOQUY, *arguments], input=text, text=True, capture_output=True, timeout=60, check=False)
    return done.stdout + done.stderr


def ask_names():
    """What the program expects in each place of GRAPH, by the place."""
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "probe.graph")
        with open(path, "w", encoding="utf-8") as file:
            file.write(GRAPH)
        found = re.findall(r"^\S+?:\d+: (.*?) unknown .*expected one of: (.*)$", ask("check", path), re.MULTILINE)
    return {place.split(":")[0]: names.split(", ") for place, names in found}


def ask_requests():
    """The requests of pipe, with the members of each."""
    listed = json.loads(ask("pipe", "hello", text=json.dumps({"do": UNLIKELY})))["error"]["message"]
    requests = {}
    for name in listed.split("expected one of: ")[1].split(", "):
        message = json.loads(ask("pipe", "hello", text=json.dumps({"do": name, UNLIKELY: 1})))["error"]["message"]
        members = re.search(r"; expected (?:one of: )?(.*)$", message)[1].split(", ")
        requests[name] = [member for member in members if member != "do"]
    return requests


def read_table(path, name):
    """The rows of a table of settings: key → (type, default or "")."""
    body = re.search(rf"ClqSetting {name}\[\] = \{{(.*?)\n\}};", read(path), re.DOTALL)[1]
    rows = {}
    for kind, member, standard in ROW.findall(body):
        standard = "" if kind == "LIST" or standard == "NULL" else standard.strip('"')
        rows[member.replace("_", "-")] = (kind.lower(), standard)
    return rows


def read_strings(path, pattern):
    """All strings in the part of a source file that a pattern finds."""
    return re.findall(r'"([^"]+)"', re.search(pattern, read(path), re.DOTALL)[1])


def tables_of(page):
    return pages.find_tables(pages.read_lines(os.path.join(ROOT, page)))


def find_table(page, first, heading=""):
    """The rows of the one table whose first column has a name, below a heading that begins so."""
    found = [rows for above, columns, rows in tables_of(page) if columns[0] == first and above.startswith(heading)]
    if len(found) != 1:
        raise SystemExit(f"{page}: {len(found)} tables begin with '{first}' below '{heading}', expected one")
    return found[0]


def first_words(rows):
    return [word for row in rows for word in pages.words(row[0])]


def differ(what, documented, real):
    """Names on one side only."""
    wrong = [f"{what} '{name}' is missing in the reference" for name in real if name not in documented]
    return wrong + [f"{what} '{name}' stands in the reference, but the program has none" for name in documented if name not in real]


NAMES = ask_names()
CONFIG, PROGRAM = "config/README.md", "host/cli/README.md"


def check_groups():
    headings = [line for line in pages.read_lines(os.path.join(ROOT, CONFIG)) if line.startswith("## ")]
    documented = [word.strip("[]") for line in headings for word in pages.words(line) if word.startswith("[")]
    return differ("group", documented, NAMES[f"[{UNLIKELY}]"])


def check_keys(heading, place, path, table):
    def run():
        rows = find_table(CONFIG, "key", f"`[{heading}")
        real = read_table(path, table)
        plain = {pages.words(row[0])[0]: row for row in rows if not row[0].endswith(".EVENT`")}
        wrong = differ("key", plain, NAMES[f"{place} {UNLIKELY}"]) + differ("key", list(real), NAMES[f"{place} {UNLIKELY}"])
        for key, (kind, standard) in real.items():
            row = plain.get(key, ["", kind, f"`{standard}`"])
            if row[1] != kind:
                wrong.append(f"'{key}' is of type {kind}, not {row[1]}")
            if row[2].strip("`") != standard:
                wrong.append(f"the default of '{key}' is '{standard}', not '{row[2]}'")
        return wrong
    return run


def check_events():
    return differ("event", first_words(find_table(CONFIG, "event")), NAMES["[transitions] a." + UNLIKELY])


def check_guard_names():
    modality = json.loads(ask("inspect", "basic.notes", "--json"))
    own = modality["fields"] + [predicate["name"] for predicate in modality["predicates"]]
    documented = {word.split(".")[0] for word in first_words(find_table(CONFIG, "name"))}
    return differ("name", documented, [name for name in NAMES["[transitions] a.failed"] if name not in own])


def check_event_parts():
    parts = read_strings("host/graph/clq-guard-parse.c", r"\} parts\[\] = \{(.*?)\n\};")
    return differ("part of an event", first_words(find_table(CONFIG, "part of the event")), parts)


def check_functions():
    documented = [word.split("(")[0] for row in find_table(CONFIG, "function") for word in pages.words(row[0])]
    return differ("function", documented, NAMES["[transitions] a.limit"])


def check_types():
    types = read_strings("sdk/clq-setting.c", r"type_names\[\] = \{(.*?)\n\};")
    documented = [name for row in find_table(CONFIG, "type", "The file") for name in row[0].split(", ")]
    return differ("type", documented, types)


def check_words(key, path, pattern):
    """The words that a key takes stand in its row."""
    def run():
        row = next(row for row in find_table(CONFIG, "key", "`[state") if row[0] == f"`{key}`")
        return [f"'{word}' is missing in the row of '{key}'" for word in read_strings(path, pattern) if word not in pages.words(row[3])]
    return run


def check_findings():
    words = read_strings("host/graph/clq-graph-states.c", r"\} accepts\[\] = \{(.*?)\n\};")
    return differ("finding", first_words(find_table(CONFIG, "word")), words)


def check_requests():
    documented = {pages.words(row[0])[0]: pages.words(row[1]) for row in find_table(PROGRAM, "request")}
    real = ask_requests()
    wrong = differ("request", documented, real)
    for name in real:
        wrong += differ(f"member of '{name}':", documented.get(name, []), real[name])
    return wrong


def check_answer():
    answer = json.loads(ask("pipe", "hello", text='{"do":"show"}'))
    return differ("member of an answer", [word for word in first_words(find_table(PROGRAM, "member of an answer")) if word != "error"], answer)


def check_codes():
    codes = read_strings("sdk/clq-error.c", r"input_words\[\] = \{(.*?)\n\};")
    return differ("code", first_words(find_table(PROGRAM, "code")), codes)


def check_commands():
    real = re.findall(r"^  ([\w-]+) .*", ask("--help"), re.MULTILINE)
    return differ("command", [word.split()[0] for word in first_words(find_table(PROGRAM, "command"))], real)


def check_graphs():
    """Every graph that ships is in the list, passes, and has a conversation."""
    names = sorted(os.path.basename(path)[: -len(".graph")] for path in glob.glob(os.path.join(ROOT, "config/graphs/*.graph")))
    wrong = differ("graph", first_words(find_table(CONFIG, "graph")), names)
    talks = "\n".join(read(path) for path in glob.glob(os.path.join(ROOT, "tests/pipe/*.pipe")))
    for name in names:
        said = ask("check", name)
        if f"{name}: ok" not in said:
            wrong.append(said)
        if not re.search(rf"^= .*: {name}(?: |$)", talks, re.MULTILINE):
            wrong.append(f"{name} has no conversation in tests/pipe")
    return wrong


def check_plugins():
    """Every plugin is in the list, and its page names its features and their settings."""
    real = [json.loads(line) for line in ask("plugins", "--json").splitlines()]
    wrong = differ("plugin", [name for row in find_table("plugins/README.md", "plugin") for name in re.findall(r"\[([\w-]+)\]", row[0])],
                   [plugin["id"] for plugin in real])
    for plugin in real:
        page = f"plugins/{plugin['id']}/README.md"
        known = set(pages.words(re.sub(r"```.*?```", "", read(page), flags=re.DOTALL)))
        for line in ask("inspect", plugin["id"], "--json").splitlines():
            feature = json.loads(line)
            for name in [feature["kind"], *(setting["key"] for setting in feature["settings"])]:
                if name not in known:
                    wrong.append(f"'{name}' is missing in {page}")
    return wrong


def check_documented():
    """Every function that plugins and applications can call has a doc comment."""
    headers = [path for path in glob.glob(os.path.join(ROOT, "sdk/**/*.h"), recursive=True) if "private" not in path]
    headers += [os.path.join(ROOT, "host", name) for name in ("clq-host.h", "clq-session.h", "graph/clq-finding.h", "graph/clq-graph-handle.h",
                                                              "plugins/clq-registry.h")]
    code = "".join(read(path) for folder in ("sdk", "host") for path in glob.glob(os.path.join(ROOT, folder, "**/*.c"), recursive=True))
    names = [name for path in headers for name in re.findall(r"^CLQ_API [^;(]*?(clq_\w+) \(", read(path), re.MULTILINE)]
    usual = re.compile(r"_get_type$|_quark$|^clq_test_node_check_")
    wrong = [f"{name} has no doc comment" for name in names if not usual.search(name) and f"/**\n * {name}:" not in code]
    return wrong if len(names) > 300 else [f"only {len(names)} functions were found"]


if __name__ == "__main__":
    sys.exit(pages.report([
        ("doc comments", check_documented),
        ("groups", check_groups),
        ("keys of [graph]", check_keys("graph]", "[graph]", "host/graph/clq-graph-compile.c", "graph_settings")),
        ("keys of [state]", check_keys("state", "[state a]", "host/graph/clq-graph-states.c", "state_settings")),
        ("keys of [metric]", check_keys("metric", "[metric m]", "host/graph/clq-graph-metrics.c", "metric_settings")),
        ("words of wait", check_words("wait", "host/graph/clq-graph-states.c", r"StateValues, wait, NULL, CLQ_CHOICES \((.*?)\)")),
        ("words of busy", check_words("busy", "host/graph/clq-graph-states.c", r"StateValues, busy, \"queue\", CLQ_CHOICES \((.*?)\)")),
        ("words of accept", check_words("accept", "host/graph/clq-graph-states.c", r"\} accepts\[\] = \{(.*?)\n\};")),
        ("findings that can be accepted", check_findings),
        ("types", check_types),
        ("events of the engine", check_events),
        ("names in guards", check_guard_names),
        ("parts of an event in guards", check_event_parts),
        ("functions in guards", check_functions),
        ("graphs that ship", check_graphs),
        ("commands", check_commands),
        ("requests of pipe", check_requests),
        ("members of an answer of pipe", check_answer),
        ("error codes", check_codes),
        ("plugins", check_plugins),
    ]))
