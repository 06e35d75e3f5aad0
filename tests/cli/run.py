#!/usr/bin/env python3
"""TAP: the commands on stored sessions, tried as somebody would type them: run.py COLLOQUY MAN COMPLETION."""

import json
import os
import subprocess
import sys
import tempfile

COLLOQUY, MAN, COMPLETION = (os.path.abspath(path) for path in sys.argv[1:4])


class Place:
    """A new home with a store of its own."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.environment = dict(os.environ, XDG_DATA_HOME=self.folder.name, XDG_STATE_HOME=self.folder.name)

    def call(self, *arguments, status=0, text=None):
        done = subprocess.run([COLLOQUY, *arguments], env=self.environment, text=True, input=text, capture_output=True, timeout=120, check=False)
        if done.returncode != status:
            raise AssertionError(f"{arguments} ended with {done.returncode}, expected {status}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def open(self, graph, *requests):
        lines = "".join(json.dumps(request) + "\n" for request in ({"do": "show"}, *requests))
        return json.loads(self.call("pipe", graph, "--store", "sqlite", "--agents", text=lines).splitlines()[0])["session"]


def has(text, *parts):
    for part in parts:
        if part not in text:
            raise AssertionError(f"expected '{part}' in:\n{text}")


def test_sessions():
    place = Place()
    if place.call("sessions") != "":
        raise AssertionError("a new store has sessions")
    one, other = place.open("ask"), place.open("notes")
    has(place.call("sessions"), one, other, "ask", "notes")
    only = place.call("sessions", "--graph", "notes", "--json").splitlines()
    if [json.loads(line)["session"] for line in only] != [other]:
        raise AssertionError(only)


def test_show_and_history():
    place = Place()
    session = place.open("notes", {"do": "message", "text": "milk"}, {"do": "message", "text": "please stop"})
    has(place.call("show", session), "graph: notes", "milk", "actions:")
    has(place.call("history", session), "--message-->")
    has(place.call("show", "nonsense", status=2), "is no id")
    has(place.call("show", "01890a5d-ac96-774b-bcce-b302099a8057", status=3), "there is no session")


def test_check_of_agents():
    """Who answers is checked like a graph, without running anything."""
    place = Place()
    path = os.path.join(place.folder.name, "colloquy.conf")
    with open(path, "w", encoding="utf-8") as file:
        file.write("[agent one]\nkind=scripted.agent\nfallback=yes\n[agent two]\nkind=openai.chat\nendpoint=http://127.0.0.1:9/v1\nmodel=small\n")
    has(place.call("check", path), f"{path}: ok\n")
    with open(path, "a", encoding="utf-8") as file:
        file.write("[agent three]\nkind=scripted.agent\nfalback=no\n[agent four]\nkind=nobody.here\n")
    found = place.call("check", path, "debate", status=1)
    has(found, f"{path}:10: ", "did you mean 'fallback'?", f"{path}:12: ", "debate: ok")
    if json.loads(place.call("check", "--json", path, status=1))["ok"] is not False:
        raise AssertionError("a broken file is ok")


def test_say_act_answer():
    place = Place()
    session = place.open("chat")
    has(place.call("say", session, "hi", status=4), "Invalid action 'message' for state DORMANT; valid: start, configure")
    has(place.call("act", session, "start"), "state: STREAMING")
    if place.call("say", session, "what can you do?").strip() == "":
        raise AssertionError("no reply")
    has(place.call("act", session, "checkpoint", '{"name":"here"}', "--key", "once"), "result:")
    has(place.call("act", session, "checkpoint", '{"name":"here"}', "--key", "once", "--json"), '"transitions":[]')
    has(place.call("tree", session), "main")
    question = place.open("ask")
    has(place.call("show", question), "waiting", "question ")
    has(place.call("answer", question, "purple-ish nonsense", "--json", status=place_status(place, question)), "{")


def place_status(place, session):
    """An input question takes any text, a choice does not: the status tells which one `ask` has."""
    return 0 if '"type":"input"' in place.call("show", session, "--json") else 1


def test_delete():
    place = Place()
    session = place.open("notes")
    place.call("delete", session)
    has(place.call("show", session, status=3), "there is no session")
    has(place.call("delete", session, status=3), "there is no such session")


def test_export_and_import():
    place, other = Place(), Place()
    session = place.open("chat", {"do": "action", "name": "start"})
    for text in ("hello", "what can you do?"):
        place.call("say", session, text)
    place.call("act", session, "fork", '{"name":"idea"}')
    place.call("act", session, "confirm_fork")
    place.call("say", session, "bye")
    path = os.path.join(place.folder.name, "session.json")
    place.call("export", session, path)
    if other.call("import", path).strip() != session:
        raise AssertionError("another id")
    for command in (("show", session, "--json"), ("history", session), ("tree", session), ("export", session)):
        if place.call(*command) != other.call(*command):
            raise AssertionError(f"{command} differs:\n{place.call(*command)}\n{other.call(*command)}")
    has(other.call("store", "check", "--json"), '"ok":true')
    if other.call("say", session, "hello").strip() == "":
        raise AssertionError("it does not go on")
    has(place.call("import", path, status=4), "already")
    if place.call("import", path, "--new-id").strip() == session:
        raise AssertionError("the same id")
    with open(path, encoding="utf-8") as file:
        text = file.read()
    for broken in (text[:-20], text.replace('"seq":3', '"seq":4', 1), "{}", text.replace("STREAMING.message", "STREAMING.massage", 1)):
        with open(path, "w", encoding="utf-8") as file:
            file.write(broken)
        place.call("import", path, "--new-id", status=1)


def test_artifacts():
    place = Place()
    result = '<artifact type="html" title="../../etc/.x y.html">\n```html\n<b>%s</b>\n```\n</artifact>'
    session = place.open("goals", {"do": "message", "text": "Build a page"}, {"do": "message", "text": "sounds good"}, {"do": "message", "text": "go ahead"},
                         {"do": "message", "role": "assistant", "text": result % 1 + "<artifact type='react'>\x1b[2Jcode</artifact>"},
                         {"do": "message", "role": "assistant", "text": result % 2})
    listed = place.call("artifacts", session).splitlines()
    if [line.split()[0] for line in listed] != ["1", "2", "3"] or not listed[1].endswith("  artifact-2.jsx"):
        raise AssertionError(listed)
    if place.call("artifacts", session, "3") != "<b>2</b>\n":
        raise AssertionError("the third artifact is another text")
    told = [json.loads(line) for line in place.call("artifacts", session, "--json").splitlines()]
    if [(one["number"], one["type"], one["goal"]) for one in told] != [(1, "html", "goal-1"), (2, "react", "goal-1"), (3, "html", "goal-1")]:
        raise AssertionError(told)
    folder = os.path.join(place.folder.name, "made", "here")
    place.call("artifacts", session, "--output", folder)
    # A title leads to no other folder, hides nothing, and of two with the same name the newer one counts.
    if sorted(os.listdir(folder)) != ["artifact-2.jsx", "etc-.x-y.html"]:
        raise AssertionError(os.listdir(folder))
    with open(os.path.join(folder, "etc-.x-y.html"), encoding="utf-8") as file:
        has(file.read(), "<b>2</b>")
    has(place.call("artifacts", session, "--output", folder, status=1), "is there already; --force replaces it")
    has(place.call("artifacts", session, "1", "--output", folder, "--force"), "etc-.x-y.html")
    with open(os.path.join(folder, "etc-.x-y.html"), encoding="utf-8") as file:
        has(file.read(), "<b>1</b>")
    has(place.call("artifacts", session, "4", status=3), "there is no artifact 4; the session has 3")
    has(place.call("artifacts", session, "x", status=2), "is no number")
    has(place.call("artifacts", "x", status=2), "is no id")
    has(place.call("artifacts", "01890a5d-ac96-774b-bcce-b302099a8057", status=3), "there is no such session")


def test_store():
    place = Place()
    place.open("notes", {"do": "message", "text": "milk"})
    has(place.call("store", "stats"), "sessions: 1")
    has(place.call("store", "check", "--json"), '"ok":true')
    copy = os.path.join(place.folder.name, "copy.db")
    place.call("store", "backup", copy)
    has(place.call("sessions", "--store", f"sqlite:{copy}"), "notes")
    place.call("store", "backup", copy, status=1)
    place.call("store", "polish", status=3)


def test_looking_changes_nothing():
    place = Place()
    session = place.open("notes", {"do": "message", "text": "milk"})
    before = place.call("show", session, "--json")
    for _ in range(5):
        place.call("history", session)
    if place.call("show", session, "--json") != before:
        raise AssertionError("looking at it has changed it")


def test_draw_session():
    place = Place()
    session = place.open("chat", {"do": "action", "name": "start"}, {"do": "action", "name": "fork"})
    plain, marked = place.call("draw", "chat"), place.call("draw", "chat", "--session", session)
    if plain == marked:
        raise AssertionError("nothing is marked")
    has(marked, "BRANCHING")
    has(place.call("draw", "chat", "--session", "01890a5d-ac96-774b-bcce-b302099a8057", status=3), "there is no such session")


def test_simulate():
    place = Place()
    has(place.call("simulate", "limits", "--runs", "20", "--seed", "3"), "runs: 20, requests: 600, failed: 0", "states: 5 of 5")
    if place.call("simulate", "notes", "--runs", "5") != place.call("simulate", "notes", "--runs", "5"):
        raise AssertionError("the same seed gives another walk")
    with open(os.path.join(place.folder.name, "odd.graph"), "w", encoding="utf-8") as file:
        file.write("[graph]\nformat=1\nname=odd\ninitial=one\nactions=go\n\n[state one]\n\n[state two]\nnode=basic.fail\nclass=critical\n"
                   "\n[transitions]\none.go=two\ntwo.done=one\n")
    graph = os.path.join(place.folder.name, "odd.graph")
    said = place.call("simulate", graph, "--runs", "1", status=1)
    script = "".join(line + "\n" for line in said.splitlines() if line.startswith("{"))
    has(place.call("pipe", graph, "--clock=manual", text=script).splitlines()[-1], '"status":"failed"')


def test_usage():
    place = Place()
    os.symlink(os.path.join(os.environ["CLQ_CONFIG_DIR"], "graphs"), os.path.join(place.folder.name, "graphs"))
    place.environment["CLQ_CONFIG_DIR"] = place.folder.name
    with open(os.path.join(place.folder.name, "colloquy.conf"), "w", encoding="utf-8") as file:
        file.write("[budget]\ntokens-per-day=1000\n")
        file.write("[agent assistant]\nkind=scripted.agent\nfallback=fine\nprice-out=1000\ncost-per-day=0.002\n")
        for name in ("optimist", "pessimist"):
            file.write(f"[agent {name}]\nkind=scripted.agent\nfallback={name}\n")
    has(place.call("usage"), "tokens-per-day", "0 %")
    for _ in range(2):
        has(place.call("run", "reply", "hello", "--store", "sqlite"), "fine")
    refused = place.call("run", "reply", "hello", "--store", "sqlite", status=1)
    has(refused, "agent 'assistant': cost-per-day=0.002 is used up: 0.002 was spent today")
    place.call("run", "panel", "hello", "--store", "sqlite")
    rows = [json.loads(line) for line in place.call("usage", "--by", "agent", "--json").splitlines()]
    counts = [(row.get("agent"), row["calls"], row["tokensOut"]) for row in rows if "calls" in row]
    if counts != [("assistant", 2, 2), ("optimist", 1, 2), ("pessimist", 1, 3), (None, 4, 7)]:
        raise AssertionError(rows)
    limits = [(row["limit"], row["agent"], row["used"], row["allowed"]) for row in rows if "limit" in row]
    if limits != [("tokens-per-day", None, 7 + 4 * 12, 1000), ("cost-per-day", "assistant", 0.002, 0.002)]:
        raise AssertionError(rows)
    days = [json.loads(line) for line in place.call("usage", "--json", "--days", "2").splitlines()]
    if sum(row["calls"] for row in days if "day" in row) != 4:
        raise AssertionError(days)
    by_session = [json.loads(line) for line in place.call("usage", "--by", "session", "--json", "-n", "2").splitlines()]
    if [row["cost"] for row in by_session if "session" in row] != [0.001, 0.001]:
        raise AssertionError(by_session)
    has(place.call("usage"), "total", "100 %")
    has(place.call("usage", "--by", "week", status=2), "expected day, agent or session")
    # What was spent was spent, and only once.
    path = os.path.join(place.folder.name, "session.json")
    place.call("export", by_session[0]["session"], path)
    place.call("delete", by_session[0]["session"])
    place.call("import", path, "--new-id")
    rows = [json.loads(line) for line in place.call("usage", "--by", "agent", "--json").splitlines()]
    if rows[3]["calls"] != 4:
        raise AssertionError(rows)


def test_cron():
    place = Place()
    from_noon = ("--from", "2026-03-27T12:00:00Z")
    whole = place.call("cron", "0 9 * * 1-5", "--next", "2", "--tz", "Europe/Berlin", *from_noon, "--json")
    if json.loads(whole) != {"next": ["2026-03-30T07:00:00.000Z", "2026-03-31T07:00:00.000Z"], "text": "weekdays at 9:00"}:
        raise AssertionError(whole)
    lines = place.call("cron", "0 9 * * 1-5", "--next", "1", "--tz", "Europe/Berlin", *from_noon).splitlines()
    if lines != ["weekdays at 9:00", "Mon 2026-03-30 09:00 CEST (+02:00)"]:
        raise AssertionError(lines)
    has(place.call("cron", "0 25 * * *", status=2), "position 3: the hour 25 is out of range; expected 0 to 23")
    has(place.call("cron", "0", "9", "*", "*", "1-5", status=2), "found 5 arguments; expected one expression, in quotes")
    has(place.call("cron", "@daily", "--tz", "Europe/Berln", status=2), "did you mean 'Europe/Berlin'?")
    has(place.call("cron", "@daily", "--from", "noon", status=2), "'noon' is no time; expected one like 2026")
    has(place.call("cron", "@daily", "--next", "-1", status=2), "-1 is out of range; expected 0 to 100000")


def test_pages():
    with open(MAN, encoding="utf-8") as file:
        has(file.read(), ".SH COMMANDS", ".B pipe", ".B sessions")
    said = subprocess.run(["bash", "-c", f"source {COMPLETION}; COMP_WORDS=(colloquy pi) COMP_CWORD=1; _colloquy; echo ${{COMPREPLY[@]}}; "
                           "COMP_WORDS=(colloquy run ch) COMP_CWORD=2; _colloquy; echo ${COMPREPLY[@]}"], text=True, capture_output=True, check=True).stdout
    has(said, "pipe", "chat", "chat-merge")


def test_help():
    place = Place()
    has(place.call("--help"), "colloquy COMMAND", "sessions")
    for line in place.call("--help").splitlines():
        if line.startswith("  "):
            has(place.call(line.split()[0], "--help"), f"colloquy {line.split()[0]}")
    has(place.call("sesions", status=2), "did you mean 'sessions'?")
    has(place.call("show", status=2), "expected ID")


def main():
    tests = [(name[5:].replace("_", "-"), function) for name, function in globals().items() if name.startswith("test_")]
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    for number, (name, function) in enumerate(tests, 1):
        try:
            function()
            print(f"ok {number} - cli/{name}", flush=True)
        except AssertionError as error:
            failed += 1
            print(f"not ok {number} - cli/{name}")
            for line in str(error).splitlines():
                print(f"# {line}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
