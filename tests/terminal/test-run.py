#!/usr/bin/env python3
"""TAP: `colloquy run`, `answer` and `report` of a debate, in a terminal and without one: test-run.py COLLOQUY"""

import json
import os
import re
import sys

from fixture import Home, run
from terminal import Terminal

AGENTS = ("architect", "performance", "security", "judge")
ASK = ["--set", "modality.interactiveClarifications=true"]
SHORT = ["--set", "modality.rounds=1"]


def with_experts(home, **replies):
    """The experts that ship; those that are named have other replies."""
    scripts = os.path.join(os.environ["CLQ_CONFIG_DIR"], "scripts", "debate")
    conf = ""
    for name in AGENTS:
        conf += f"[agent {name}]\nkind=scripted.agent\n"
        conf += f"replies={json.dumps(replies[name])}\n" if name in replies else f"script={scripts}/{name}.json\n"
    home.write("config/colloquy.conf", conf)
    return home


def test_solution_on_stdout(home):
    status, out, err = with_experts(home).pipe("run", "debate", "How shall we do it?", *SHORT)
    assert status == 0 and out.startswith('**Recommendation.** For "How shall we do it?"'), (status, out)
    assert "RoundManager --BEGIN_ROUND--> Summarization (round 1 of 1)\n" in err, err
    assert re.search(r"^100% critique/1/security/performance: \d+ \+ \d+ tokens, \d+\.\d s$", err, re.MULTILINE), err
    assert re.search(r"^performance +4 calls +\d+ \+ \d+ tokens", err, re.MULTILINE), err
    assert "answered" not in err and err.count("refinement/1/") == 3, err
    assert home.pipe("run", "debate", "How?", "--quiet", *SHORT)[2] == ""


def test_files_and_report(home):
    with_experts(home).write("problem", "How do we store it?\n")
    home.write("around", "There is a disk.")
    report = home.file("report.md")
    status, out, err = home.pipe("run", "debate", "--file", home.file("problem"), "--context", home.file("around"), "--report", report, "--set",
                                 "modality.terminationCondition.type=convergence")
    assert status == 0 and "How do we store it?" in out, (status, err)
    with open(report, encoding="utf-8") as file:
        text = file.read()
    headings = re.findall(r"^## .*", text, re.MULTILINE)
    assert headings == ["## Problem", "## Context", "## Solution", "## Round 1", "## Round 2", "## Who did how much"], headings
    for part in ("There is a disk.", "### Critique of security: the proposal of architect", "### Refinement of performance", "### Evaluation by judge"):
        assert part in text, part
    assert home.pipe("run", "debate", "x", "--file", report)[0] == 2
    assert home.pipe("run", "debate", "--file", home.file("nowhere"))[0] == 1


def test_waiting_and_answer(home):
    status, out, err = with_experts(home).pipe("run", "debate", "How?", *SHORT, *ASK)
    assert (status, out) == (5, "") and "security/q1: Which of the data are personal" in err, (status, out, err)
    session = re.search(r"session (\S+) waits for an answer; give it with: colloquy answer \1 KEY=TEXT...", err).group(1)
    assert home.pipe("answer", session, "nobody/q1=x")[0] == 1
    status, out, _ = home.pipe("answer", session, "architect/q1=we", "security/q1=NA")
    assert status == 5 and "question performance/q1" in out and "security/q1" not in out, (status, out)
    status, out, err = home.pipe("answer", session, "performance/q1=ten")
    assert status == 0 and "**Recommendation.**" in out and "state: Complete (done)" in out, (status, out, err)
    status, out, _ = home.pipe("report", session)
    assert status == 0 and "Question of performance: How many requests per second are expected at the busiest time?\nAnswer: ten" in out, out
    assert home.pipe("report", session, home.file("again.md"))[0] == 0 and os.path.exists(home.file("again.md"))
    status, _, err = home.pipe("answer", session, "more")
    assert status == 1 and "waits for no answer" in err, (status, err)
    assert home.pipe("report", "0" * 8 + "-0000-7000-8000-" + "0" * 12)[0] == 3


def test_failure(home):
    with_experts(home, security=[{"error": "critical", "message": "the line is dead"}])
    status, out, err = home.pipe("run", "debate", "How?", *SHORT)
    assert (status, out) == (1, "") and "colloquy: the line is dead" in err, (status, out, err)


def test_events_as_json(home):
    status, out, _ = with_experts(home).pipe("run", "debate", "How?", "--json", *SHORT)
    news = [json.loads(line) for line in out.splitlines()]
    calls = [item["call"] for item in news if item["news"] == "calling"]
    answers = [item for item in news if item["news"] == "answered"]
    assert status == 0 and len(calls) == len(set(calls)) == len(answers) == 13, calls
    assert all(item["target"] in AGENTS and item["tokensIn"] > 0 and item["tokensOut"] > 0 and item["ms"] >= 0 for item in answers), answers
    assert [item["transition"]["to"] for item in news if item["news"] == "taken" and "transition" in item][-1] == "Complete"


def test_report_of_what_was_said(home):
    store = f"sqlite:{home.file('said.db')}"
    status, out, err = home.pipe("run", "reply", "hello", "--store", store, "--report", home.file("said.md"))
    assert (status, out) == (0, "You said: hello.\n") and "tokens" not in err, (status, out, err)
    session = home.pipe("sessions", "--store", store, "--json")[1]
    status, out, _ = home.pipe("report", json.loads(session.splitlines()[0])["session"], "--store", store)
    assert status == 0 and out == "**user**\n\nhello\n\n**assistant**\n\nYou said: hello.\n", out
    with open(home.file("said.md"), encoding="utf-8") as file:
        assert file.read() == out


CLUMSY = """[graph]
format=1
name=clumsy
initial=listening
actions=message

[state listening]

[state answering]
node=basic.reply
agent=assistant
tools=clock.now

[state sorry]
node=basic.say
text=Sorry, that did not work.

[transitions]
listening.message=answering
answering.message=answering
answering.replied=listening
answering.silent=listening
answering.failed=sorry
sorry.message=answering
sorry.done=listening
"""


def test_what_is_broken_off(home):
    """What was said before a failure is nothing that a program may take for said; people see where it ends."""
    home.write("clumsy.graph", CLUMSY)
    graph = home.file("clumsy.graph")
    replies = [{"text": "Let me see.", "use": [{"tool": "clock.now", "arguments": {}}]}, {"error": "critical", "message": "gone"}]
    home.write("config/colloquy.conf", f"[agent assistant]\nkind=scripted.agent\nreplies={json.dumps(replies)}\n")
    store = ["--store", f"sqlite:{home.file('clumsy.db')}"]
    status, out, err = home.pipe("run", graph, "What time is it?", *store)
    assert (status, out) == (0, "Let me see.\nSorry, that did not work.\n"), (status, out, err)
    session = json.loads(home.pipe("sessions", "--json", *store)[1].splitlines()[0])["session"]
    status, out, err = home.pipe("say", session, "And now?", *store)
    assert (status, out) == (0, "Sorry, that did not work.\n"), (status, out, err)


def test_questions_in_the_terminal(home):
    with_experts(home)
    with Terminal([home.colloquy, "run", "debate", "How?", *SHORT, *ASK], home.env(), 100, 50) as term:
        for agent, answer in (("architect", "we do"), ("performance", ""), ("performance", "ten"), ("security", "NA")):
            term.see(rf"{agent} asks: [^>]*\n(> *\n)*> ?\Z")
            term.enter(answer)
        term.see("Recommendation")
        term.see_end()
        assert "waits for an answer" not in term.all(), term.all()


def test_answers_in_the_terminal(home):
    """Whoever answers sees how it goes on, as with run."""
    _, _, err = with_experts(home).pipe("run", "debate", "How?", *SHORT, *ASK, "--set", "modality.clarificationsMaxIterations=1")
    session = re.search(r"session (\S+) waits", err).group(1)
    with_experts(home, performance=[{"after": 3600, "reply": "At last."}])
    with Terminal([home.colloquy, "answer", session, "architect/q1=we", "performance/q1=ten", "security/q1=NA"], home.env(), 100, 20) as term:
        term.see(r"^Round 1 of 1, Proposal: How\?  █+░+  67 %$")
        term.see(r"^  performance +0 calls .* thinking, ")


def test_interrupted(home):
    """What was answered before Ctrl-C is not asked for again."""
    with_experts(home, performance=[{"after": 3600, "reply": "At last."}])
    with Terminal([home.colloquy, "run", "debate", "How?", *SHORT], home.env(), 200, 20) as term:
        term.see(r"^Round 1 of 1, Proposal: How\?  █+░+  67 %$")
        term.keys("C-c")
        term.see_end(128 + 2)
        session = re.search(r"interrupted; session (\S+) is kept, go on with: colloquy resume \1", term.all()).group(1)
    with_experts(home)
    status, out, err = home.pipe("resume", session)
    assert status == 0 and out.startswith("**Recommendation.**") and out.endswith("state: Complete (done)\n"), (status, out, err)
    calls = [record["body"]["key"] for record in json.loads(home.pipe("export", session)[1])["records"] if record["type"] == "call"]
    assert len(calls) == len(set(calls)) == 13, calls
    status, out, err = home.pipe("resume", session)
    assert (status, out) == (4, "") and "was not interrupted: it is done in state Complete" in err, (status, out, err)
    _, _, err = home.pipe("run", "debate", "How?", *SHORT, *ASK)
    session = re.search(r"session (\S+) waits", err).group(1)
    status, out, err = home.pipe("resume", session)
    assert (status, out) == (4, "") and f"give it with: colloquy answer {session}" in err, (status, out, err)


def test_live_view(home):
    with_experts(home, performance=[{"after": 3600, "reply": "At last."}])
    with Terminal([home.colloquy, "run", "debate", "How?", "--store", "memory"], home.env(), 100, 20) as term:
        term.see(r"^Round 1 of 3, Proposal: How\?  █+░+  67 %$")
        term.see(r"^  architect +1 call .* tokens  0\.0 s$")
        term.see(r"^  performance +0 calls .* thinking, [1-9]\d* s$")
        assert "-->" not in term.all() and len(term.screen().splitlines()) == 4, term.all()


def test_live_view_in_a_narrow_window(home):
    with_experts(home, performance=[{"after": 3600, "reply": "At last."}])
    with Terminal([home.colloquy, "run", "debate", "How shall we do it in the end?", "--store", "memory"], home.env(), 60, 20) as term:
        term.see(r"^Round 1 of 3, Proposal: \S.*…  █+░+  67 %$")


def test_solution_in_the_terminal(home):
    with_experts(home)
    with Terminal([home.colloquy, "run", "debate", "How?", *SHORT], home.env(), 60, 50) as term:
        term.see(r"^judge +1 call ")
        term.see_end()
        lines = term.all().splitlines()
        assert "**" not in term.all() and "Round" not in term.all() and lines[0].startswith('Recommendation. For "How?": give every fact'), lines
        assert all(len(line) < 60 for line in lines) and "   of access per operation." in lines, lines


def fresh(test):
    """The test in a home that nobody has used."""
    def inner(colloquy):
        test(Home(colloquy))
    inner.__name__ = test.__name__
    return inner


if __name__ == "__main__":
    run([fresh(value) for name, value in list(globals().items()) if name.startswith("test_")], sys.argv[1])
