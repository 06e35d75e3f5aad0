#!/usr/bin/env python3
"""TAP: a person reviews results in a terminal: test-review.py COLLOQUY"""

import os
import signal
import sys

from fixture import Home, run
from terminal import Terminal

RESULT = "# Solution\n\nIt walks from both ends.\n\n```c\nvoid reverse (char *text);\n```\n\n# How to check it\n\nReverse it twice."
RULES = [
    {"match": "make it shorter", "reply": "# Shorter\n\n```c\nvoid flip (char *);\n```"},
    {"match": "string", "reply": RESULT},
]


def start(home, *arguments, store="memory"):
    return home.start("task", "--store", store, *arguments, rows=40)


def see_review(term):
    """The result, its key parts, how far to trust it, and what to do now."""
    term.see_prompt("HUMAN_REVIEW")
    term.see(r"^Solution\n\nIt walks from both ends\.\n\n  void reverse \(char \*text\);\n\nHow to check it\n\nReverse it twice\.$")
    term.see(r"^The result is there\. Confidence 60 %; earlier requests used: 0\.\nKey parts:\n• Solution\n• void reverse \(char \*text\);\n"
             r"• How to check it\nDecide with approve, reject or modify TEXT\.$")


def begin(home, **options):
    term = start(home, **options)
    term.see_prompt("IDLE")
    term.enter("Write a function that reverses a string.")
    see_review(term)
    return term


def test_key_parts_are_marked(home):
    with begin(home) as term:
        # Headings are bold, code has a colour.
        term.see(r"\x1b\[1(;4)?m\x1b\[34mSolution", lambda: term.screen("-e"))
        term.see(r"\x1b\[36mvoid reverse", lambda: term.screen("-e"))


def test_a_review_waits_for_the_next_program(home):
    store = f"sqlite:{home.file('store.db')}"
    for is_first in (True, False):
        with (begin(home, store=store) if is_first else start(home, "-c", store=store)) as term:
            see_review(term)
            os.kill(term.pid(), signal.SIGKILL)
            term.see_end(137)
    with start(home, "-c", store=store) as term:
        see_review(term)
        term.type("app")
        term.keys("Tab", "Enter")
        term.see_prompt("IDLE")
        term.see(r"^> approve\n\nApproved\.$")
    with start(home, "-c", store=store) as term:
        term.see_prompt("IDLE")
        term.see(r"^Approved\.$")


def test_metrics_have_bars(home):
    store = f"sqlite:{home.file('measured.db')}"
    with begin(home, store=store) as term:
        term.enter("approve")
        term.see_prompt("IDLE")
        term.keys("C-d")
        term.see_end()
    with Terminal([home.colloquy, "metrics", "task", "--store", store], home.env(), columns=100) as term:
        term.see_end()
        term.see(r"^approval-rate +1 of 1 +100 % +█+")
        term.see(r"^EXECUTING .*[█░]{3}")
    status, out, _ = home.pipe("metrics", "task", "--store", store)
    assert status == 0 and "█" not in out and "approval-rate" in out, out


def test_a_change_is_reviewed_again(home):
    with begin(home) as term:
        term.enter("modify make it shorter")
        term.see(r"^Shorter\n\n  void flip \(char \*\);$")
        term.see(r"^• Shorter\n• void flip \(char \*\);\nDecide with approve, reject or modify TEXT\.$")
        term.see_prompt("HUMAN_REVIEW")
        term.enter("reject it is wrong")
        term.see_prompt("IDLE")
        term.see(r"^Rejected\.$")


def test_what_is_no_decision_is_refused(home):
    with begin(home) as term:
        term.enter("looks fine to me")
        term.see("Invalid action 'message' for state HUMAN_REVIEW; valid: approve, reject,")
        term.see_prompt("HUMAN_REVIEW")
        term.enter("modify")
        term.see("modify: what is to be changed is missing")
        term.see_prompt("HUMAN_REVIEW")


def test_work_can_be_aborted(home):
    with start(home, "--set", "state EXECUTING.agent=slow") as term:
        term.see_prompt("IDLE")
        term.enter("Explain a parser.")
        term.see(r"^one$")
        term.keys("C-c")
        term.see_prompt("IDLE")
        term.see(r"^one\n\nAborted\. What was done so far is kept\.$")


TESTS = [value for name, value in list(globals().items()) if name.startswith("test_")]

if __name__ == "__main__":
    run(TESTS, Home(sys.argv[1], RULES))
