#!/usr/bin/env python3
"""TAP: `colloquy chat`, `run` and `tree` without a terminal: test-pipe.py COLLOQUY"""

import re
import subprocess
import sys

from fixture import Home, run

MEMORY = ["--store", "memory"]


def test_only_replies_on_stdout(home):
    for arguments in (["chat", "--plain"], ["chat"], []):
        mine = Home(home.colloquy)
        status, out, err = mine.pipe(*arguments, text="hi\n")
        assert (status, out, err) == (0, "You said: hi.\n", ""), (arguments, status, out, err)


def test_lines_one_after_the_other(home):
    status, out, err = home.pipe("chat", *MEMORY, text="one\n\nlater\n/fork idea\ntwo")
    assert status == 0 and out == "You said: one.\nHere it is.\nYou said: two.\n", out
    assert "on branch idea now" in err, err


def test_reports_are_data(home):
    status, out, _ = home.pipe("chat", *MEMORY, text="one\n/tree\n/actions\n/history\n")
    assert status == 0
    assert "● main  turn 1  ◀ here  “one”\n" in out and "\n/message  /fork" in out and "> one\nYou said: one.\n" in out, out


def test_status(home):
    cases = (("fail\n", 0, "the line is dead"), ("/stop\n", 4, "Invalid action 'stop'"), ("/nonsense\nfine\n", 2, "no command or action 'nonsense'"))
    for text, wanted, message in cases:
        status, _, err = home.pipe("chat", *MEMORY, text=text)
        assert status == wanted and message in err, (text, status, err)
    status, out, err = home.pipe("chat", "choice", *MEMORY, text="")
    assert status == 5 and out == "" and "1) tea" in err, (status, out, err)
    status, out, _ = home.pipe("chat", "choice", *MEMORY, text="2\n")
    assert (status, out) == (0, "Here you are.\n")
    assert home.pipe("chat", "nowhere", *MEMORY)[0] == 1
    assert home.pipe("chat", "--session", "x", *MEMORY)[0] == 2
    assert home.pipe("chat", "--session", "01890a5d-ac96-774b-bcce-b302099a8057", *MEMORY)[0] == 3
    assert home.pipe("chat", "-c", "--session", "01890a5d-ac96-774b-bcce-b302099a8057", *MEMORY)[0] == 2


def test_bad_bytes(home):
    done = subprocess.run([home.colloquy, "chat", *MEMORY], input=b"\xff\xfe\ngood\n", capture_output=True, env=home.env(), check=False)
    assert done.stdout == b"You said: good.\n" and b"no UTF-8" in done.stderr, done


def test_continuing(home):
    mine = Home(home.colloquy)
    assert mine.pipe("chat", text="one\n")[1] == "You said: one.\n"
    status, out, err = mine.pipe("chat", "-c", text="two\n/tree\n")
    assert status == 0 and out == "You said: two.\n● main  turns 1–2  ◀ here  “one”\n", (out, err)


def test_run_chat(home):
    for graph in ("chat", "chat-merge"):
        status, out, err = home.pipe("run", graph, "What is it?")
        assert (status, out) == (0, "You said: What is it?.\n"), (status, out, err)
        assert "DORMANT --start--> STREAMING\nSTREAMING --message--> STREAMING\n" in err, err
        assert home.pipe("run", "-q", graph, "quiet")[1:] == ("You said: quiet.\n", "")
    status, out, err = home.pipe("run", "chat", "fail")
    assert out == "" and "the line is dead" in err, (status, out, err)
    assert home.pipe("run", "echo", "no start here")[1] == "no start here\n"


def test_tree(home):
    mine = Home(home.colloquy)
    lines = "one\n/fork idea\ntwo\n/checkpoint here\n/switch main\nthree\nfour\n/rewind\nfive\n/fork second\nsix\n/switch main\n/merge idea\n"
    assert mine.pipe("chat", text=lines)[0] == 0
    session = re.search(r"[0-9a-f]{8}-[0-9a-f-]{27}", mine.pipe("sessions")[1]).group(0)
    status, out, err = mine.pipe("tree", session)
    assert status == 0, err
    assert out == ("○ turn 1  “one”\n"
                   "├─○ idea  turn 2  “two”\n"
                   "│   checkpoint here\n"
                   "○ turn 2  “three”\n"
                   "├─○ turn 3  (left)  “four”\n"
                   "○ turn 3  “five”\n"
                   "├─○ second  turn 4  “six”\n"
                   "● main  turn 4  ◀ here\n"
                   "  merged idea\n"), out
    assert mine.pipe("tree", "x")[0] == 2
    assert mine.pipe("tree", "01890a5d-ac96-774b-bcce-b302099a8057")[0] == 3


def test_help(home):
    status, out, _ = home.pipe("chat", "--help")
    assert status == 0 and "--continue" in out and "stdout gets only what is said" in out, out
    assert "started first" in home.pipe("run", "--help")[1]


TESTS = [value for name, value in list(globals().items()) if name.startswith("test_")]

if __name__ == "__main__":
    run(TESTS, Home(sys.argv[1]))
