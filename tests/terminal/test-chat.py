#!/usr/bin/env python3
"""TAP: `colloquy chat` in a terminal: test-chat.py COLLOQUY"""

import json
import os
import re
import signal
import stat
import sys

from fixture import RULES, Home, run


def talk(home, *arguments, **options):
    """A conversation that can be typed into."""
    term = home.start(*arguments, **options)
    term.see_prompt("DORMANT · main · 0 turns")
    return term


def test_typing(home):
    with talk(home, "--store", "memory") as term:
        term.enter("hello")
        term.see_prompt("STREAMING · main · 1 turn · context")
        assert "> hello\n\nYou said: hello.\n\nSTREAMING" in term.all(), term.all()
        assert "DORMANT" not in term.all(), "the old status line stays"


def test_editing(home):
    with talk(home, "--store", "memory") as term:
        term.type("wrold")
        term.keys("Left", "Left", "Left", "C-t", "C-a")
        term.type("hello ")
        term.keys("C-e")
        term.type("!x")
        term.keys("BSpace", "Enter")
        term.see("You said: hello world!")


def test_escape_alone_does_not_block(home):
    with talk(home, "--store", "memory") as term:
        term.keys("Escape")
        term.keys("Enter")
        term.enter("after")
        term.see("You said: after")


def test_streaming_and_cancel(home):
    with talk(home, "--store", "memory") as term:
        term.enter("/configure agent=slow")
        term.see_prompt("DORMANT")
        term.enter("go")
        term.see(r"^one$")
        assert "two" not in term.all(), term.all()
        term.keys("C-c")
        term.see("cut off here")
        term.see_prompt("STREAMING · main · 1 turn")
        term.enter("/history")
        term.see(r"> /history\n\n> go\n\none\n\nSTREAMING")


def test_typing_ahead(home):
    with talk(home, "--store", "memory") as term:
        term.enter("later")
        term.type("typed ahead")
        term.see("Here it is")
        term.see_prompt("STREAMING · main · 1 turn", "typed ahead")


def test_interrupting_twice_leaves(home):
    with talk(home, "--store", "memory") as term:
        term.type("not sent")
        term.see("> not sent")
        term.keys("C-c")
        term.see_prompt("DORMANT")
        term.enter("sent")
        term.see_prompt("STREAMING")
        term.keys("C-c")
        term.see("Ctrl-C again leaves")
        term.see_prompt("STREAMING")
        term.keys("C-c")
        term.see_end()
        assert "not sent" not in term.all()
    with talk(home, "--store", "memory") as term:
        term.keys("C-d")
        term.see_end()


def test_a_failure_is_told(home):
    with talk(home, "--store", "memory") as term:
        term.enter("fail")
        term.see("the line is dead")
        term.see_prompt("STREAMING · main · 0 turns")
        term.enter("again")
        term.see_prompt("STREAMING · main · 1 turn")
        assert term.all().count("the line is dead") == 1, term.all()


def test_resize(home):
    words = " ".join(f"word{n}" for n in range(1, 21))
    line = "a line that is longer than the window is wide now"
    anyhow = "".join(re.escape(character) + r"\n?" for character in line)
    with talk(home, "--store", "memory", columns=80) as term:
        term.enter(words)
        term.see_prompt("STREAMING · main · 1 turn")
        term.resize(30, 30)
        term.see_prompt("STREAMING · main · 1 turn · .*…$")  # tmux tells the program a little later
        term.type(line)
        term.see_prompt("STREAMING", anyhow)
        assert max(len(row) for row in term.screen().splitlines()) <= 30
        term.resize(90, 30)
        term.see_prompt("STREAMING · main · 1 turn · context \\d+ %", re.escape(line))
        term.keys("Enter")
        term.see("You said: " + line)
        term.see_prompt("STREAMING · main · 2 turns")
        term.resize(36, 30)
        term.see_prompt("STREAMING · main · 2 turns · .*…$")
        term.enter(words)
        term.see_prompt("STREAMING · main · 3 turns")
        reply = term.screen().rsplit("You said:", 1)[1]
        assert max(len(row) for row in reply.splitlines()) < 36, reply
        assert term.all().count("STREAMING") == 1, term.all()


def test_wide_characters(home):
    with talk(home, "--store", "memory", columns=40) as term:
        term.enter("wide")
        term.see_prompt("STREAMING · main · 1 turn")
        assert re.search(r"^日本語のテキストは、ここで折り返される\nはずです。長い文章は二行になります。e\u0301\nend$", term.all(), re.M), term.all()
        term.type("日本語を打つと、カーソルは正しい所にある。はい")
        term.keys("Left", "Left", "BSpace", "Enter")
        term.see("^You said: 日本語を打つと、カーソル")
        assert "ある。はい" not in term.all().rsplit("You said", 1)[1]


def test_markdown(home):
    with talk(home, "--store", "memory") as term:
        term.enter("markdown")
        term.see_prompt("STREAMING · main · 1 turn")
        assert "\n\nHead\n\nSome bold text.\n\n• one\n• two\n\n  code  here\n\na  b\n─  ─\n1  2\n\nSTREAMING" in term.all(), term.all()
        assert "\x1b[1mbold" in term.screen("-e"), term.screen("-e")


def test_pasting(home):
    with talk(home, "--store", "memory") as term:
        term.paste("first\nsecond \x1b[31mred\nthird\n")
        term.see_prompt("DORMANT", "first\nsecond red\nthird")
        term.keys("Enter")
        term.see_prompt("STREAMING · main · 1 turn")
        assert "> first\n  second red\n  third\n" in term.all(), term.all()


def test_commands(home):
    with talk(home, "--store", "memory", rows=50) as term:
        term.enter("/actions")
        term.see(r"valid in DORMANT:\n/start  /configure\n")
        term.enter("one")
        term.see_prompt("STREAMING · main · 1 turn")
        term.enter("/checkpoint good")
        term.see("checkpoint good; /rewind good comes back here")
        term.enter("/fork idea")
        term.see_prompt("STREAMING · idea · 1 turn")
        term.enter("two")
        term.see_prompt("STREAMING · idea · 2 turns")
        term.enter("/switch main")
        term.see_prompt("STREAMING · main · 1 turn")
        term.enter("three")
        term.see_prompt("STREAMING · main · 2 turns")
        term.enter("/tree")
        term.see(r"^○ turn 1  “one”\n│ checkpoint good\n├─○ idea  turn 2  “two”\n● main  turn 2  ◀ here  “three”\n")
        term.enter("/merge idea")
        term.see_prompt("STREAMING · main · 3 turns")
        term.enter("/rewind 2")
        term.see_prompt("STREAMING · main · 1 turn")
        term.enter("/rewind 5")
        term.see("cannot rewind 5 turns: there are 1")
        term.enter("/rewind good")
        term.see("back at turn 1")
        term.enter("/why 2")
        term.see(r"^\d\d:\d\d:\d\d  STREAMING --rewind--> STREAMING, after")
        term.enter("/help")
        term.see(r"^/merge BRANCH \[STRATEGY\] +bring another branch")


def test_other_actions(home):
    with talk(home, "--store", "memory", rows=50) as term:
        term.enter("/configure maxTurns=1 systemPrompt='be brief'")
        term.see_prompt("DORMANT")
        term.enter('/configure {"maxTurns": 2}')
        term.see_prompt("DORMANT")
        term.enter("/configure {oops")
        term.see(r"/configure: 1:2")
        term.enter("/checkpiont")
        term.see("there is no command or action 'checkpiont'; did you mean 'checkpoint'")
        term.enter("/stop")
        term.see("Invalid action 'stop' for state DORMANT; valid: start, configure")
        term.enter("//slash")
        term.see("You said: /slash")
        term.enter("/inject_context the sky is green")
        term.see("^turn: 1$")
        term.enter("/do fork {\"name\":\"b\"}")
        term.see_prompt("BRANCHING")
        term.enter("/cancel_fork")
        term.see_prompt("STREAMING")
        term.enter("/stop")
        term.see_prompt("DRAINING")
        term.enter("/crystallize A title")
        term.see(r"^crystal:\n  title: A title\n")
        term.see_prompt("COLLAPSED · main · 1 turn · .* · done")
        term.enter("/reset")
        term.see_prompt("DORMANT")
        term.enter("anew")
        term.see_prompt("STREAMING · main · 1 turn")
        term.enter("/quit")
        term.see_end()


def test_merge_with_conflicts(home):
    """The data of two branches are made different by `put`; then the terminal goes on."""
    mine = Home(home.colloquy)
    session = "01890a5d-ac96-774b-bcce-b302099a8057"

    def pipe(*requests):
        _, out, _ = mine.pipe("pipe", "chat-merge", "--agents", "--store", "sqlite", "--session", session, text="\n".join(map(json.dumps, requests)))
        return json.loads(out.splitlines()[-1])

    for prompt, steps in (("here", ["start", "fork", "confirm_fork"]), ("there", ["checkpoint"])):
        answer = pipe(*({"do": "action", "name": name} for name in steps))
        data = dict(answer["data"], systemPrompt=prompt)
        pipe({"do": "put", "state": "STREAMING", "data": data})
        if prompt == "here":
            pipe({"do": "action", "name": "switch", "payload": {"branch": "main"}})
    with mine.start("--session", session, rows=50) as term:
        term.see_prompt("STREAMING · main")
        term.enter("/merge branch-0")
        term.see("conflict systemPrompt")
        term.see_prompt("CONVERGING")
        term.enter("/confirm_merge")
        term.see("conflict")
        term.see_prompt("CONVERGING")
        term.enter("/resolve_conflict systemPrompt branch")
        term.see_prompt("CONVERGING")
        term.enter("/confirm_merge")
        term.see_prompt("STREAMING")
        term.enter("/merge nowhere")
        term.see("there is no branch 'nowhere'")


def test_completion(home):
    with talk(home, "--store", "memory") as term:
        term.type("/chec")
        term.keys("Tab")
        term.see("^> /checkpoint")
        term.keys("C-u")
        term.type("/con")
        term.keys("Tab")
        term.see("^> /configure")
        term.keys("C-u")
        term.type("/h")
        term.keys("Tab")
        term.see("/help  /history")
        term.see_prompt("DORMANT", "/h")
        term.type("e")
        term.keys("Tab", "C-u")
        term.enter("start")
        term.see_prompt("STREAMING")
        term.enter("/fork an-idea")
        term.see_prompt("STREAMING · an-idea")
        term.type("/sw")
        term.keys("Tab")
        term.see("^> /switch")
        term.type("m")
        term.keys("Tab", "Enter")
        term.see_prompt("STREAMING · main")


def test_questions(home):
    with home.start("choice", "--store", "memory") as term:
        term.see(r"What would you like\?\n  1\) tea\n  2\) coffee\n  3\) nothing\n\nwaiting · waiting for an answer\n\?")
        term.enter("milk")
        term.see("'milk' is none of the options")
        term.enter("1")
        term.see("Four minutes, please.")
        term.see_end()
    with home.start("sure", "--store", "memory") as term:
        term.see(r"Are you sure\?\n  1\) yes\n  2\) no\n")
        term.enter("2")
        term.see("false")
        term.see_end()


def test_tools(home):
    home.set_agents([{"match": "^noted|utc", "reply": "It is late."},
                     {"match": "time", "reply": {"use": [{"tool": "clock.now"}], "text": "Let me look."}}])
    with home.start("tools", "--store", "memory", "--set", "state listening.agent=assistant") as term:
        term.enter("What time is it?")
        term.see(r"Let me look\.\n\nMay tool 'clock.now' be used with \{\}\?\n  1\) yes\n  2\) no\n")
        term.enter("yes")
        term.see(r"> yes\n\nIt is late\.\n\nlistening\n>")
        assert term.all().count("Let me look.") == 1, term.all()
    home.set_agents(RULES)


def test_export(home):
    with talk(home, "--store", "memory") as term:
        term.enter("something")
        term.see_prompt("STREAMING · main · 1 turn")
        for name in ("talk.md", "talk.json"):
            term.enter("/export " + home.file(name))
            term.see("written to .*" + name)
        term.enter("/export " + home.file("talk.md"))
        term.see("/export: Error opening file.*exists")
    with open(home.file("talk.md"), encoding="utf-8") as file:
        text = file.read()
    assert re.match(r"# chat-merge\n\n## user, \S+\n\nsomething\n\n## assistant, \S+\n\nYou said: something\.\n", text), text
    with open(home.file("talk.json"), encoding="utf-8") as file:
        data = json.load(file)
    assert [(m["role"], m["text"]) for m in data["messages"]] == [("user", "something"), ("assistant", "You said: something.")], data
    os.remove(home.file("talk.md"))
    os.remove(home.file("talk.json"))


def test_goals(home):
    """`goals` is held elsewhere, so the graph that it names is talked to; milestones are marked."""
    with home.start("goals", "--store", "memory", "--set", "state *.agent=assistant", columns=100) as term:
        term.see_prompt("greeting · 0 turns")
        term.enter("Build a kite")
        term.see("◆ understanding: the user states a goal: “Build a kite”")
        term.see_prompt("understanding · Build a kite · missing: component_type, requirements · 2 turns")
        term.enter("a web page with a picture")
        term.see_prompt("planning · Build a kite · ")
        assert "◆ planning" not in term.all(), term.all()


def test_history_file(home):
    with talk(home, "--store", "memory") as term:
        term.enter("remember me")
        term.see_prompt("STREAMING")
    path = home.file("state/colloquy/history")
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o600
    with talk(home, "--store", "memory") as term:
        term.keys("Up")
        term.see_prompt("DORMANT", "remember me")
    with talk(home, "--store", "memory") as term:
        term.keys("C-r")
        term.type("ember")
        term.see("^> remember me")


def test_no_colour(home):
    colour = re.compile(r"\x1b\[(?:[0-9]+;)*(?:3[0-8]|4[0-8]|9[0-7])(?:;[0-9]+)*m")
    for env, wanted in (({}, True), ({"NO_COLOR": "1"}, False)):
        with talk(home, "--store", "memory", env=env) as term:
            term.enter("markdown")
            term.see_prompt("STREAMING · main · 1 turn")
            assert bool(colour.search(term.screen("-e"))) == wanted, term.screen("-e")
            assert "\x1b[1m" in term.screen("-e")


def test_plain_terminal(home):
    for arguments, env in ((["--plain"], {}), ([], {"TERM": "dumb"})):
        with home.start("--store", "memory", *arguments, env=env) as term:
            term.enter("markdown")
            term.see(r"^Some \*\*bold\*\* text\.$")
            term.see(r"^\|1\|2\|$")
            assert b"\x1b" not in term.raw, term.raw
            term.keys("C-d")
            term.see_end()


def test_stopped_and_continued(home):
    with talk(home, "--store", "memory") as term:
        term.type("half a li")
        term.see("half a li")
        os.kill(term.pid(), signal.SIGSTOP)
        os.kill(term.pid(), signal.SIGCONT)
        term.type("ne")
        term.keys("Enter")
        term.see("You said: half a line")


def test_continuing(home):
    mine = Home(home.colloquy)
    with mine.start("-c") as term:
        term.see("there is no earlier conversation, so this is a new one")
        term.see_prompt("DORMANT")
        term.enter("first")
        term.see_prompt("STREAMING · main · 1 turn")
        term.enter("/quit")
        term.see_end()
        session = re.search(r"colloquy chat -c\s.*?(\S{36})", term.all(), re.S).group(1)
    with talk(mine) as term:
        term.enter("second")
        term.see_prompt("STREAMING · main · 1 turn")
        term.enter("/quit")
        term.see_end()
    with mine.start("-c") as term:
        term.see(r"> second\n\nYou said: second\.\n\nSTREAMING · main · 1 turn")
        term.keys("C-d")
        term.see_end()
    with mine.start("--session", session) as term:
        term.see(r"> first\n\nYou said: first\.\n\nSTREAMING · main · 1 turn")
        term.enter("more")
        term.see_prompt("STREAMING · main · 2 turns")


def test_killed_in_the_middle(home):
    mine = Home(home.colloquy)
    with talk(mine) as term:
        term.enter("/configure agent=slow")
        term.see_prompt("DORMANT")
        term.enter("go on")
        term.see(r"^one$")
        os.kill(term.pid(), signal.SIGKILL)
        term.until(term.is_dead, "still there")
    mine.set_agents([], slow="0s")
    with mine.start("-c") as term:
        term.see_prompt("STREAMING · main · 1 turn")
        term.enter("/history")
        term.see(r"> /history\n\n> go on\n\none two three\n\nSTREAMING · main · 1 turn")
        assert term.all().count("one two three") == 2, term.all()


TESTS = [value for name, value in list(globals().items()) if name.startswith("test_")]

if __name__ == "__main__":
    run(TESTS, Home(sys.argv[1]))
