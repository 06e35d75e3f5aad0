#!/usr/bin/env python3
"""TAP: `colloquy chat` with a model that streams: test-chat.py COLLOQUY"""

import os
import sys
import time

sys.dont_write_bytecode = True  # the source tree stays as it is
sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, "terminal"))
from fixture import Home, run  # noqa: E402
from held import PATIENCE, Held  # noqa: E402


def talk(colloquy, server):
    """A conversation with the server behind it that can be typed into."""
    home = Home(colloquy)
    home.write("config/colloquy.conf", f"[agent assistant]\nkind=openai.chat\nendpoint={server.url}\nmodel=tiny\n")
    term = home.start("--store", "memory")
    term.home = home
    term.see_prompt("DORMANT · main · 0 turns")
    return term


def spoken(request):
    return [(message["role"], message["content"]) for message in request["messages"] if message["role"] != "system"]


def test_pieces_come_as_they_are_sent(colloquy):
    """The second piece is sent when the first one is on the screen, so nothing that collects pieces passes. A word is drawn when
    it is whole, so each piece ends with a space."""
    with Held() as server, talk(colloquy, server) as term:
        term.enter("hello")
        assert spoken(server.request()) == [("user", "hello")]
        for piece in ("first ", "second ", "third "):
            server.say(piece)
            term.see(piece.strip())
        assert "STREAMING · main · 1 turn" not in term.all(), term.all()
        server.end()
        term.see_prompt("STREAMING · main · 1 turn")
        assert "first second third" in term.all(), term.all()


def cancel(term, server):
    """Ctrl-C: how long until the server sees that nobody listens."""
    start = time.monotonic()
    term.keys("C-c")
    print(f"# the connection was closed {1000 * (server.closed.get(timeout=PATIENCE) - start):.0f} ms after Ctrl-C", flush=True)


def test_cancel_in_the_middle(colloquy):
    with Held() as server, talk(colloquy, server) as term:
        term.enter("hello")
        server.request()
        server.say("half of it ")
        term.see("half of")
        cancel(term, server)
        term.see("cut off here")
        term.see_prompt("STREAMING · main · 1 turn")
        # The conversation goes on, and knows what was heard.
        term.enter("and now?")
        assert spoken(server.request()) == [("user", "hello"), ("assistant", "half of it "), ("user", "and now?")]
        server.say("all of it")
        server.end()
        term.see_prompt("STREAMING · main · 2 turns")
        assert "all of it" in term.all(), term.all()


def test_cancel_before_anything(colloquy):
    """Nothing was heard, so nothing is there: no turn without a reply."""
    with Held() as server, talk(colloquy, server) as term:
        term.enter("hello")
        server.request()
        cancel(term, server)
        term.see_prompt("STREAMING · main · 0 turns")
        term.enter("again")
        assert spoken(server.request()) == [("user", "again")]
        server.say("here I am")
        server.end()
        term.see("here I am")
        term.see_prompt("STREAMING · main · 1 turn")


run([test_pieces_come_as_they_are_sent, test_cancel_in_the_middle, test_cancel_before_anything], os.path.abspath(sys.argv[1]))
