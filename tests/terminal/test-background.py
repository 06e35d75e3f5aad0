#!/usr/bin/env python3
"""TAP: conversations that go on working, in a terminal and without one: test-background.py COLLOQUY"""

import os
import re
import sys

from fixture import Home, run
from terminal import Terminal

REMIND = "remind me every day at 9 to water the plants"
SCHEDULED = r"every day at 9:00, next run \d{4}-\d\d-\d\d.09:00"


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


TESTS = [value for name, value in list(globals().items()) if name.startswith("test_")]

if __name__ == "__main__":
    run(TESTS, Home(sys.argv[1]))
