#!/usr/bin/env python3
"""TAP: whatever an agent says, the terminal shows it as plain text: test-hostile.py COLLOQUY

Each payload stands between two words in a reply; the screen must be the same as for the reply without it.
"""

import json
import re
import sys

from fixture import Home, run
from terminal import Terminal

ESC = "\x1b"

# What is sent, and what may be seen of it.
PAYLOADS = [
    (ESC + "[31m", ""), (ESC + "[0;1;4;7;38;5;196m", ""), (ESC + "[2J", ""), (ESC + "[3J", ""), (ESC + "[H", ""),
    (ESC + "[10;10H", ""), (ESC + "[5A", ""), (ESC + "[99B", ""), (ESC + "[2K", ""), (ESC + "[1;5r", ""),
    (ESC + "[?1049h", ""), (ESC + "[?25l", ""), (ESC + "[?1000h", ""), (ESC + "[?2004l", ""), (ESC + "[?1006;1003h", ""),
    (ESC + "[6n", ""), (ESC + "[c", ""), (ESC + "[>c", ""), (ESC + "[21t", ""), (ESC + "[8;10;20t", ""),
    (ESC + "]0;hacked\a", ""), (ESC + "]2;hacked" + ESC + "\\", ""), (ESC + "]52;c;aGFja2Vk\a", ""), (ESC + "]52;p;aGFja2Vk" + ESC + "\\", ""),
    (ESC + "]8;;http://evil.example" + ESC + "\\click" + ESC + "]8;;" + ESC + "\\", "click"),
    (ESC + "]4;1;rgb:00/00/00\a", ""), (ESC + "]10;?\a", ""), (ESC + "]1337;File=:AAAA\a", ""), (ESC + "]7;file:///etc\a", ""),
    (ESC + "P$q\"p" + ESC + "\\", ""), (ESC + "P0;1|17/ab" + ESC + "\\", ""), (ESC + "_Gf=24;AAAA" + ESC + "\\", ""),
    (ESC + "^private" + ESC + "\\", ""), (ESC + "Xstring" + ESC + "\\", ""), (ESC + "ktitle" + ESC + "\\", "title"),
    (ESC + "c", ""), (ESC + "(0", ""), (ESC + ")B", ""), (ESC + "#8", ""), (ESC + "7" + ESC + "[H" + ESC + "8", ""),
    (ESC + "D" + ESC + "M" + ESC + "E", ""), (ESC + "=" + ESC + ">", ""), (ESC + "%@", ""), (ESC + "[" + "1;" * 500 + "1m", ""),
    ("\x9b31m", ""), ("\x9b2J", ""), ("\x9d0;hacked\x9c", ""), ("\x90q\x9c", ""), ("\x84\x85\x8d", "\n"),
    ("\a\a\a", ""), ("\b\b\b\b\b\b", ""), ("\r", ""), ("\x0e\x0f", ""), ("\x7f\x7f", ""), ("\x0b\x0c", ""), ("\x01@G\x01AA", "@GAA"), ("\x18\x1a\x05", ""),
    (ESC + "\n", "\n"), (ESC + ESC + ESC + "[31m", ""), ("\u202e\u2066\u200f", "\u200f"), ("&#27;[31m", "&#91;31m"), ("&#x9b;31m", "31m"),
    ("`" + ESC + "[31m`", "``"), ("\ufeff\u00ad\U000e0041", ""), ("a" + "\u0300" * 60, "a" + "\u0300" * 8),
]

# What the program itself may send to a terminal: colours, erasing, going up and to a column, and what libedit uses to edit.
OWN = re.compile(rb"\x1b\[[0-9;]*m|\x1b\[[0-9]*[ABCDJKP@GX]|\x1b\[\?2004[hl]|\x1b\[[0-9;]*H|\x1b\[4[hl]|\x1b\[\?1[hl]|\x1b=|\x1b>|\x1b\(B")


def rules():
    for number, (payload, visible) in enumerate(PAYLOADS):
        yield {"match": f"^hostile {number}$", "reply": escape(f"left {payload}right\n\nand more")}
        yield {"match": f"^plain {number}$", "reply": escape(f"left {visible}right\n\nand more")}


def escape(text):
    return text.replace("\\", "\\\\")


def reply_to(term, text, turn):
    term.enter(text)
    term.see_prompt(rf"STREAMING · main · {turn} turns?\b", "")
    screen = term.screen()
    return screen[screen.rindex("> " + text) + 2 + len(text):screen.rindex("\nSTREAMING")]


def modes(term):
    return [term.ask(name) for name in ("pane_title", "alternate_on", "cursor_flag", "insert_flag", "keypad_flag", "mouse_any_flag", "origin_flag",
                                        "scroll_region_upper", "scroll_region_lower", "wrap_flag", "pane_width", "pane_height")]


def test_50_payloads(home):
    assert len(PAYLOADS) >= 50
    wrong = []
    with home.start("--store", "memory", rows=40) as term:
        term.see_prompt("DORMANT")
        before = modes(term)
        for number, (payload, _) in enumerate(PAYLOADS):
            hostile = reply_to(term, f"hostile {number}", 2 * number + 1)
            plain = reply_to(term, f"plain {number}", 2 * number + 2)
            if hostile != plain:
                wrong.append(f"{payload!r}: {hostile!r}, expected {plain!r}")
            if modes(term) != before:
                wrong.append(f"{payload!r}: the terminal has changed: {modes(term)}, before {before}")
        assert term.tmux("list-buffers") == "", "something was copied"
        term.enter("/history 200")
        term.see(r"> /history 200[\s\S]*STREAMING")
        assert modes(term) == before
        rest = OWN.sub(b"", term.raw)
        assert b"\x1b" not in rest and b"hacked" not in rest, rest[:2000]
    assert not wrong, "\n".join(wrong)


def test_without_a_terminal(home):
    for arguments in (["chat", "--plain", "--store", "memory"], ["chat", "--store", "memory"]):
        text = "\n".join(f"hostile {number}" for number in range(len(PAYLOADS)))
        status, out, err = home.pipe(*arguments, text=text)
        assert status == 0, err
        assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", out), ascii(out)
        assert "hacked" not in out


def test_run_and_errors(home):
    for payload in (ESC + "[31m", "\x9b2J", ESC + "]0;hacked\a"):
        home.set_agents([{"match": "bad", "reply": {"error": "critical", "message": f"gone {payload}wrong"}}, {"match": "", "reply": escape(f"left {payload}right")}])
        for arguments in (["run", "chat-merge", "hello"], ["run", "chat-merge", "bad"], ["run", "reply", "bad"]):
            _, out, err = home.pipe(*arguments)
            assert not re.search(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]", out + err), ascii(out + err)
    home.set_agents(list(rules()))


def test_stored_sessions(home):
    """What is stored is as harmless when it is looked at again, and when the session goes on."""
    text = f"left {ESC}]0;hacked\a{ESC}[31mright\x9b2J"
    home.set_agents([{"match": "", "reply": escape(text)}])
    store = ["--store", f"sqlite:{home.file('hostile.db')}"]
    home.pipe("run", "reply", text, *store)
    session = json.loads(home.pipe("sessions", "--json", *store)[1].splitlines()[0])["session"]
    for arguments in (["say", session, text], ["show", session], ["history", session], ["sessions"], ["tree", session], ["report", session]):
        with Terminal([home.colloquy, *arguments, *store], home.env(), 100, 40) as term:
            term.see_end()
            rest = OWN.sub(b"", term.raw)
            assert b"\x1b" not in rest and b"\xc2\x9b" not in rest and b"hacked" not in rest, (arguments, rest)
            assert arguments[0] not in ("say", "report") or "left right" in term.all(), (arguments, term.all())


def test_names_and_text_of_the_user(home):
    """What is typed, pasted and named comes back on the screen, too."""
    home.set_agents([{"match": "^([\\s\\S]*)$", "reply": "You said: \\1"}])
    with home.start("--store", "memory") as term:
        term.see_prompt("DORMANT")
        term.paste(f"a{ESC}[31mb{ESC}]0;hacked\ac")
        term.keys("Enter")
        term.see("You said: abc")
        term.enter('/fork {"name":"x\\u202ey"}')
        term.see_prompt("STREAMING")
        term.enter('/inject_context {"text":"\\u001b[31m"}')
        term.see_prompt("STREAMING")
        for command in ("/tree", "/history", "/why"):
            term.enter(command)
            term.see_prompt("STREAMING")
        assert b"hacked" not in term.raw and b"\x1b[31m" not in term.raw, term.raw


TESTS = [value for name, value in list(globals().items()) if name.startswith("test_")]

if __name__ == "__main__":
    run(TESTS, Home(sys.argv[1], list(rules())))
