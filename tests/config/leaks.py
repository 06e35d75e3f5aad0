#!/usr/bin/env python3
"""TAP: no key is ever written down: leaks.py COLLOQUY

Keys that can be recognised come from a variable, a file and a secret service, are used in conversations that work and in ones that
fail, with everything logged; then everything that was printed or written is searched for them.
"""

import hashlib
import http.server
import json
import os
import secrets
import subprocess
import sys
import threading

sys.dont_write_bytecode = True  # the source tree stays as it is
import canary  # noqa: E402
from place import Keyring, Place, has, report  # noqa: E402

# ./test writes one into a file, whose name it exports, and looks for it in everything that all tests leave behind.
KEY = canary.read(os.environ["CLQ_CANARY_FILE"]) if "CLQ_CANARY_FILE" in os.environ else f"clq-canary-{secrets.token_hex(16)}"
SUM = hashlib.sha256(KEY.encode()).hexdigest()
SOURCES = {"variable": "env:CLQ_TEST_CANARY", "file": "file:${here}/key", "ring": "secret:canary"}


def agent(name, kind, source, *settings):
    return "\n".join([f"[agent {name}]", f"kind={kind}", f"api-key={source}", *settings]) + "\n"


class Search(Place):
    """A place where everything is logged and kept; only `config/key` may have the key."""

    def __init__(self, config):
        super().__init__(sys.argv[1], config, G_MESSAGES_DEBUG="all", CLQ_TEST_CANARY=KEY)
        self.write("config/key", KEY + "\n")
        self.store = f"sqlite:{self.folder}/sessions.db"

    def search(self, *allowed):
        """Everything below the folder, and everything that was printed."""
        self.write("printed", "\n".join(self.said))
        hits, n_files = canary.find_in_files(KEY, [self.folder])
        expected = [os.path.join(self.folder, name) for name in ("config/key", *allowed)]
        if sorted(hits) != sorted(expected):
            raise AssertionError(f"{n_files} files; the key stands in {hits}, expected only in {expected}")

    def talk(self, name, status):
        """A conversation with one agent, and everything that shows it afterwards."""
        self.call("run", "reply", "hello", "--store", self.store, "--set", f"state listening.agent={name}", status=status)
        self.call("run", "reply", "hello", "--json", "--set", f"state listening.agent={name}", status=status)
        self.call("agents", "test", name, status=status)
        self.call("agents", "test", name, "hello", "--json", status=status)
        wants = [{"do": "message", "text": "hello"}, *({"do": what} for what in ("journal", "calls", "history", "summary", "metrics", "show"))]
        lines = "".join(json.dumps(want) + "\n" for want in wants)
        self.call("pipe", "reply", "--agents", "--store", self.store, "--set", f"state listening.agent={name}", text=lines)

    def look(self, kind):
        """What can be said of agents, kinds and stored sessions."""
        for arguments in (("agents",), ("agents", "--json"), ("inspect", kind), ("inspect", kind, "--json"), ("plugins", "--json"), ("store", "check"),
                          ("store", "stats"), ("store", "backup", f"{self.folder}/backup.db")):
            self.call(*arguments, *(("--store", self.store) if arguments[0] == "store" else ()))
        sessions = subprocess.run([self.colloquy, "sessions", "--json", "--store", self.store], env=dict(self.environment, G_MESSAGES_DEBUG=""), text=True,
                                  capture_output=True, check=True).stdout.splitlines()
        for session in (json.loads(line)["session"] for line in sessions):
            for command in ("show", "history", "tree"):
                self.call(command, session, "--store", self.store)
            self.call("export", session, f"{self.folder}/{session}.json", "--store", self.store)
        if len(sessions) == 0:
            raise AssertionError("nothing was stored")


def test_the_search_finds_it():
    """Otherwise to find nothing would mean nothing."""
    place = Search("")
    place.search()
    for name, text in (("whole", KEY), ("half", KEY[len(KEY) // 2:]), ("hex", KEY.encode().hex()), ("log", f"Authorization: Bearer {KEY}\n")):
        place.write(name, text)
    for shift in range(3):
        place.write(f"base64-{shift}", canary.base64.b64encode(b"user:"[:shift] + KEY.encode() + b"@somewhere").decode())
    place.search("whole", "half", "hex", "log", "base64-0", "base64-1", "base64-2")
    place = Search("")
    place.said.append(f"the key is {KEY}")
    place.search("printed")


def test_agents_with_a_key():
    config = "".join(agent(name, "keyed.agent", source, f"right={SUM}") + agent(f"{name}-denied", "keyed.agent", source) for name, source in SOURCES.items())
    place = Search(config)
    with Keyring(place) as keyring:
        keyring.store("canary", KEY)
        for name in SOURCES:
            has(place.call("agents", "test", name), "let in")  # so the key has come to the agent
            place.talk(name, 0)
            has(place.call("agents", "test", f"{name}-denied", status=1), "wrong key")
            place.talk(f"{name}-denied", 1)
        place.call("chat", "reply", "--store", place.store, "--set", "state listening.agent=ring", text="hello\n/help\n/tree\n")
        place.look("keyed.agent")
        place.search()


def test_while_it_runs():
    """The files that a store has only while it is open."""
    place = Search(agent("assistant", "keyed.agent", SOURCES["variable"], f"right={SUM}"))
    with subprocess.Popen([place.colloquy, "pipe", "reply", "--agents", "--store", place.store], env=place.environment, text=True, stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as program:
        program.stdin.write('{"do":"message","text":"hello"}\n')
        program.stdin.flush()
        while True:
            place.said.append(program.stdout.readline())
            if place.said[-1].startswith('{"ok":true'):
                break
        if not any(name.endswith("-wal") for name in os.listdir(place.folder)):
            raise AssertionError(os.listdir(place.folder))
        place.search()
        program.stdin.close()
        place.said.append(program.stdout.read())
    place.search()


def test_written_into_the_file():
    """Whoever writes the key itself by mistake does not find it anywhere else."""
    place = Search(agent("assistant", "keyed.agent", KEY))
    has(place.call("agents", status=1), "a secret is not written into the file")
    place.call("run", "reply", "hello", status=1)
    place.search("config/colloquy.conf")


def test_nowhere_to_be_found():
    place = Search("".join(agent(name, "keyed.agent", source) for name, source in SOURCES.items()))
    os.remove(f"{place.folder}/config/key")
    del place.environment["CLQ_TEST_CANARY"]
    for name in SOURCES:
        place.talk(name, 1)
    place.look("keyed.agent")
    place.write("config/key", KEY)
    place.search()


class Server(http.server.ThreadingHTTPServer):
    """Takes any key, remembers it, and answers as the model's name says."""

    def __init__(self):
        super().__init__(("127.0.0.1", 0), Handler)
        self.keys = []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def __exit__(self, *reason):
        self.shutdown()
        super().__exit__(*reason)


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *words):
        pass

    def answer(self, status, kind, text, **headers):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(text)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = self.headers.get("Authorization", "")
        self.server.keys.append(key)
        if request["model"] == "denies":
            self.answer(401, "application/json", json.dumps({"error": {"message": f"Incorrect API key provided: {key}", "code": KEY}}))
        elif request["model"] == "moves":
            self.answer(302, "text/html", f"<a>{key}</a>", Location=f"http://127.0.0.1:1/?key={KEY}")
        elif request["model"] == "babbles":
            self.answer(200, f"text/{KEY}", f"<html>{key}")
        elif request["model"] == "refuses":
            self.answer(200, "application/json", json.dumps({"choices": [{"index": 0, "message": {"refusal": f"not with {key}"}, "finish_reason": "stop"}]}))
        elif request["model"] == "breaks":
            self.answer(200, "application/json", f'{{"{key}')
        elif request["model"] == "stumbles":
            self.answer(500, "application/json", json.dumps({"error": {"message": f"no {key}", "type": key}}))
        elif request.get("stream"):
            piece = {"choices": [{"index": 0, "delta": {"content": "let in"}, "finish_reason": "stop"}]}
            self.answer(200, "text/event-stream", f"data: {json.dumps(piece)}\n\ndata: [DONE]\n\n")
        else:
            message = {"role": "assistant", "content": "let in"}
            self.answer(200, "application/json", json.dumps({"choices": [{"index": 0, "message": message, "finish_reason": "stop"}]}))


def test_over_http():
    with Server() as server:
        where = f"endpoint=http://127.0.0.1:{server.server_port}/v1"
        models = ("denies", "moves", "babbles", "breaks", "stumbles", "refuses")
        config = "".join(agent(name, "openai.chat", source, where, "model=works") for name, source in SOURCES.items())
        config += "".join(agent(model, "openai.chat", SOURCES["variable"], where, f"model={model}") for model in models)
        config += agent("alone", "openai.chat", SOURCES["variable"], "endpoint=http://127.0.0.1:1/v1", "model=works")
        place = Search(config)
        with Keyring(place) as keyring:
            keyring.store("canary", KEY)
            for name in SOURCES:
                has(place.call("agents", "test", name), "let in")
                place.talk(name, 0)
            for name in (*models, "alone"):
                place.talk(name, 1)
            place.look("openai.chat")
        if set(server.keys) != {f"Bearer {KEY}"}:
            raise AssertionError("the server did not get the key")
        place.search()


if __name__ == "__main__":
    report("leaks", globals())
