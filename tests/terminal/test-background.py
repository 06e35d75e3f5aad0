#!/usr/bin/env python3
"""TAP: conversations that go on working, in a terminal and without one: test-background.py COLLOQUY"""

import json
import os
import re
import sys

from fixture import Home, run
from terminal import Terminal

REMIND = "remind me every day at 9 to water the plants"
SCHEDULED = r"every day at 9:00, next run \d{4}-\d\d-\d\d 09:00 UTC"


def new_home(home):
    """With the agents that ship."""
    mine = Home(home.colloquy)
    os.remove(mine.file("config/colloquy.conf"))
    return mine


def remind(home, *lines):
    return home.pipe("chat", "background", text="\n".join((REMIND, *lines, "")))


def find(home):
    """The newest session and its state."""
    words = home.pipe("sessions")[1].split()
    return words[0], words[4]


def see_times(term, text, number):
    term.until(lambda: term.all().count(text) == number, f"never saw {text!r} {number} times")


def test_archive_is_asked_for(home):
    mine = new_home(home)
    with mine.start("background") as term:
        term.see_prompt("active")
        term.enter(REMIND)
        term.see_prompt("background · " + SCHEDULED)
        term.enter("/archive")
        term.see(rf"^Work is scheduled: {SCHEDULED}[^?]*\?\n  1\) yes\n  2\) no\n")
        term.see_prompt("background")
        term.enter("perhaps")
        term.see("^expected yes or no")
        term.see_prompt("background")
        term.enter("no")
        term.see("^not archived")
        term.see_prompt("background")
        # Whatever is done instead of answering is no: what is typed then is a message again.
        for number, (instead, answer) in enumerate(((["C-c"], "Ctrl-C again leaves"), (["/why", "Enter"], "> /why")), 1):
            term.enter("/archive")
            see_times(term, "  1) yes", number + 1)
            term.see_prompt("background")
            term.keys(*instead)
            term.see(answer)
            term.enter("yes")
            see_times(term, "I cannot answer that", number)
            term.see_prompt("background")
        term.enter("/archive")
        term.see_prompt("background")
        term.enter("1")
        term.see("^this conversation has ended")
        term.see_end()
    assert find(mine)[1] == "archived"


def test_archive_in_a_pipe(home):
    mine = new_home(home)
    for lines, wanted, state in ((["/archive"], 5, "background"), (["/archive", "no"], 0, "background"), (["/archive", "yes"], 0, "archived"),
                                 (["/archive", "perhaps", "yes"], 2, "archived"), (["/do archive"], 0, "archived")):
        status, _, err = remind(mine, *lines)
        assert (status, find(mine)[1]) == (wanted, state), (lines, status, find(mine), err)
        assert bool(re.search(f"Work is scheduled: {SCHEDULED}", err)) == (lines[0] == "/archive"), err
    status, _, err = mine.pipe("chat", "background", text="/archive\n")
    assert (status, find(mine)[1], err) == (0, "archived", "this conversation has ended\n"), (status, find(mine), err)


def test_archive_command(home):
    mine = new_home(home)
    remind(mine)
    session, _ = find(mine)
    status, _, err = mine.pipe("archive", session)
    assert status == 4 and re.search(f"work is scheduled: {SCHEDULED}.*; --yes archives", err), (status, err)
    assert find(mine) == (session, "background")
    for answer, wanted, state in (("", 4, "background"), ("nonsense", 4, "background"), ("y", 0, "archived")):
        with Terminal([mine.colloquy, "archive", session], mine.env()) as term:
            term.see(rf"^Work is scheduled: {SCHEDULED}.*\n.*\[y/N\]")
            term.enter(answer)
            term.see_end(wanted)
        assert find(mine) == (session, state), answer
    remind(mine)
    session, _ = find(mine)
    assert mine.pipe("archive", "--yes", session)[0] == 0
    assert find(mine) == (session, "archived")


def test_work(home):
    """What was asked for long ago is done at once; others may look meanwhile."""
    mine = new_home(home)
    requests = json.dumps({"do": "message", "text": REMIND}) + "\n"
    assert mine.pipe("pipe", "background", "--agents", "--clock=manual", "--now", "2026-01-01T00:00:00Z", "--store", "sqlite", text=requests)[0] == 0
    session, state = find(mine)
    assert state == "background"
    with Terminal([mine.colloquy, "work"], mine.env(), columns=120) as term:
        term.see("^working; Ctrl-C stops")
        term.see("--due--> background")
        term.see(f"^{REMIND}: It is time to water the plants")
        status, out, _ = mine.pipe("notifications")
        assert status == 0 and re.search(rf"^{session}/\d+ .* new {REMIND}: It is time to water the plants", out), (status, out)
        assert find(mine) == (session, "background")
        assert re.search(SCHEDULED, mine.pipe("show", session)[1])
        for arguments in (["history", session], ["export", session], ["tree", session], ["artifacts", session], ["usage"], ["metrics", "background"],
                          ["draw", "background", "--session", session], ["replay", session]):
            status, out, err = mine.pipe(*arguments)
            assert status == 0, (arguments, status, out, err)
        for arguments in (["notifications", "--read"], ["archive", "--yes", session], ["chat", "background"]):
            status, out, err = mine.pipe(*arguments)
            assert status == 1 and "store is in use by PID" in err, (arguments, status, out, err)
        term.keys("C-c")
        term.see("stopped after 1 run$")
        term.see_end()
    for arguments in (["--poll", "soon"], ["--poll", "0s"], ["--max-concurrent=-1"]):
        status, _, err = mine.pipe("work", *arguments)
        assert status == 2 and "expected" in err, (arguments, status, err)


def test_questions(home):
    """A question stands out, and stays until it is answered."""
    ask = {"needs_input": {"type": "choice", "prompt": "Which format?", "options": ["PDF", "CSV"]}}
    mine = Home(home.colloquy, [{"match": "^report$", "reply": json.dumps(ask)}, {"match": "^CSV$", "reply": "CSV it is."}])
    with mine.start("background", "--store", "memory", columns=120) as term:
        term.see_prompt("active")
        term.enter("report")
        term.see(r"Which format\?\n  1\) PDF\n  2\) CSV\n\nwaiting_input · waiting for an answer\n\?")
        term.enter("TXT")
        term.see("'TXT' is none of the options; expected one of: PDF, CSV")
        term.see_prompt("waiting_input · waiting for an answer")
        term.enter("2")
        term.see("^CSV it is.")
        term.see_prompt("active")


def test_told_once(home):
    """Who looks at the conversation reads what it says, not also that it was said."""
    ask = {"needs_input": {"type": "confirmation", "prompt": "Too much water?"}}
    schedule = {"type": "cron", "cronExpression": "0 9 * * 1-5", "timezone": "Europe/Berlin"}
    mine = Home(home.colloquy, [
        {"match": "^remind$", "reply": json.dumps({"create_schedule": {"schedule": schedule, "task": "remind"}})},
        {"match": "^ask$", "reply": json.dumps({"create_schedule": {"schedule": schedule, "task": "ask"}})},
        {"match": "^Work on: remind", "reply": json.dumps({"complete": {"message": "It is time."}})},
        {"match": "^Work on: ask", "reply": json.dumps(ask)}])
    with mine.start("background", "--store", "memory", columns=100) as term:
        term.see_prompt("active")
        term.enter("remind")
        term.see_prompt(r"background · weekdays at 9:00 \(Europe/Berlin\), next run \d{4}-\d\d-\d\d 09:00 CES?T")
        term.enter("/run-now")
        term.see("^It is time")
        term.see_prompt("background")
        term.enter("ask")
        see_times(term, "Scheduled: weekdays", 2)
        term.see_prompt("background")
        term.enter("/run-now")
        term.see("^Too much water")
        term.see_prompt("waiting_input")
        assert term.all().count("It is time") == 1 and term.all().count("Too much water") == 1, term.all()


TESTS = [value for name, value in list(globals().items()) if name.startswith("test_")]

if __name__ == "__main__":
    run(TESTS, Home(sys.argv[1]))
