#!/usr/bin/env python3
"""TAP: the request workflow as people use it, without a model: terminal.py COLLOQUY"""

import json
import subprocess
import sys
import tempfile

from talk import run


def colloquy(program, *arguments, text="", status=0):
    done = subprocess.run([program, *arguments], input=text, text=True, capture_output=True, timeout=60, check=False)
    assert done.returncode == status, (done.returncode, done.stdout, done.stderr)
    return done.stdout, done.stderr


def chat(program):
    lines = "Write a function that reverses a string.\nmodify make it shorter\nApprove thank you\nfix it\n"
    out, talk = colloquy(program, "chat", "task", "--store", "memory", text=lines)
    assert "For “Write a function that reverses a string.”" in out and "Here is the changed version." in out, out
    assert "What is it about?" in out, out
    assert talk.count("Decide with approve, reject or modify TEXT.") == 2 and "Confidence 60 %" in talk and "Key parts:\n• Solution" in talk, talk
    assert talk.count("Approved.") == 1, talk


def what_is_no_action_is_refused(program):
    lines = "Write a function that reverses a string.\napproved, I think\n"
    _, talk = colloquy(program, "chat", "task", "--store", "memory", text=lines, status=4)
    assert "Invalid action 'message' for state HUMAN_REVIEW; valid: approve, reject, modify, abort" in talk, talk


def a_review_can_wait_for_another_program(program):
    with tempfile.TemporaryDirectory() as folder:
        store = ["--store", f"sqlite:{folder}/store.db"]
        out, _ = colloquy(program, "run", "task", "Write a function that reverses a string.", *store)
        assert "## Solution" in out, out
        session = json.loads(colloquy(program, "sessions", "--json", *store)[0])
        assert session["state"] == "HUMAN_REVIEW", session
        colloquy(program, "act", session["session"], "modify", '{"text":"make it shorter"}', *store)
        colloquy(program, "act", session["session"], "approve", '{"feedback":"good"}', *store)
        colloquy(program, "act", session["session"], "approve", *store, status=4)
        session = json.loads(colloquy(program, "sessions", "--json", *store)[0])
        assert session["state"] == "IDLE", session
        report = json.loads(colloquy(program, "metrics", "task", "--json", *store)[0])
        assert report["metrics"]["approval-rate"]["count"] == 1 and report["metrics"]["approval-rate"]["of"] == 2, report


if __name__ == "__main__":
    run([chat, what_is_no_action_is_refused, a_review_can_wait_for_another_program], sys.argv[1])
