#!/usr/bin/env python3
"""TAP: `colloquy agents`, as somebody would type it: agents.py COLLOQUY"""

import json
import os
import re
import socket
import sys

sys.dont_write_bytecode = True  # the source tree stays as it is
from place import Keyring, Place, has, report  # noqa: E402

AGENTS = """
[agent porter]
kind=keyed.agent
endpoint=http://127.0.0.1:1/v1
api-key=env:PORTER_KEY
max-tokens=7

[agent guard]
kind=keyed.agent
api-key=file:${here}/none

[agent talker]
kind=scripted.agent
fallback=Good morning.
"""
SECRET = "[agent porter]\nkind=keyed.agent\napi-key=secret:the porter's key\n"


def place(config=AGENTS, **variables):
    return Place(sys.argv[1], config, **variables)


def test_list():
    said = place(PORTER_KEY="right").call("agents")
    lines = {line.split()[0]: line for line in said.splitlines()}
    if list(lines) != ["guard", "porter", "talker"]:
        raise AssertionError(said)
    has(lines["porter"], "keyed.agent", "ready", "endpoint=http://127.0.0.1:1/v1", "max-tokens=7", "api-key=(set)")
    has(lines["guard"], "api-key: the secret's file", "cannot be read: No such file or directory")


def test_json():
    agents = [json.loads(line) for line in place(PORTER_KEY="right").call("agents", "--json").splitlines()]
    expected = {"name": "porter", "kind": "keyed.agent", "ready": True, "problem": None,
                "settings": {"endpoint": "http://127.0.0.1:1/v1", "max-tokens": "7", "api-key": "(set)"}}
    del agents[1]["settings"]["right"]
    if agents[1] != expected or agents[0]["ready"]:
        raise AssertionError(agents)


def test_reply():
    home = place(PORTER_KEY="right")
    has(home.call("agents", "test", "porter"), "let in\n", "porter answers after", "does not say how many tokens")
    has(home.call("agents", "test", "talker", "hello"), "Good morning.\n", "tokens in", "cost 0")
    answer = json.loads(home.call("agents", "test", "talker", "hello", "--json"))
    if not answer["ok"] or answer["text"] != "Good morning." or answer["tokensOut"] < 1 or answer["cost"] != 0:
        raise AssertionError(answer)


def test_failure():
    home = place(PORTER_KEY="wrong")
    has(home.call("agents", "test", "porter", status=1), "porter does not answer: wrong key", "the key is missing or not accepted")
    answer = json.loads(home.call("agents", "test", "porter", "--json", status=1))
    if answer["ok"] or answer["error"] != {"code": "auth", "message": "wrong key"}:
        raise AssertionError(answer)
    has(home.call("agents", "test", "guard", status=1), "guard does not answer: agent 'guard': api-key:", "No such file or directory")
    has(place().call("agents", "test", "porter", status=1), "the environment has no variable 'PORTER_KEY'")


def test_usage():
    home = place()
    has(home.call("agents", "test", "prter", status=3), "there is no agent 'prter'; did you mean 'porter'?")
    has(home.call("agents", "tset", "porter", status=2), "expected [test NAME [TEXT]]")
    has(home.call("agents", "test", status=2), "expected [test NAME [TEXT]]")
    has(place("[agent x]\nkind=keyed.agent\nmodle=x\n").call("agents", status=1), "colloquy.conf:3: [agent x] modle: 'keyed.agent' has no such setting")
    has(place("").call("agents"), "there are no agents")


def test_others_still_work():
    """A key that is not there stops nobody who does not ask for it."""
    home = place()
    has(home.call("run", "reply", "hello", "--set", "state listening.agent=talker"), "Good morning.")


def test_examples_that_ship():
    """What stands behind a # in the file that ships works when the # is taken away."""
    with open(f"{os.environ['CLQ_CONFIG_DIR']}/colloquy.conf", encoding="utf-8") as file:
        examples = re.findall(r"^#([\[a-z].*)$", file.read(), re.MULTILINE)
    home = place("\n".join(examples), OPENAI_API_KEY="none")
    agents = {agent["name"]: agent for agent in map(json.loads, home.call("agents", "--json").splitlines())}
    if [name for name in agents if agents[name]["ready"]] != ["gpt", "ollama", "terse"] or len(agents) != sum("[" in line for line in examples):
        raise AssertionError(agents)


def test_secret_service():
    home = place(SECRET)
    with Keyring(home) as keyring:
        has(home.call("agents"), "the secret service has no secret 'the porter's key'",
            "secret-tool store --label=Colloquy application colloquy name 'the porter'\\''s key'")
        keyring.store("the porter's key", "right")
        has(home.call("agents"), "ready", "api-key=(set)")
        has(home.call("agents", "test", "porter"), "let in")
        keyring.lock()
        has(home.call("agents"), "the secret 'the porter's key' is locked; unlock the keyring that it is in")


def test_no_secret_service():
    home = place(SECRET)
    has(home.call("agents"), "the secret service cannot be asked: Could not connect: No such file or directory")


def test_silent_bus():
    """A bus that takes connections and says nothing does not hold the program up for ever."""
    home = place(SECRET)
    with socket.socket(socket.AF_UNIX) as bus:
        bus.bind(f"{home.folder}/bus")
        bus.listen()
        home.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={home.folder}/bus"
        has(home.call("agents"), "the secret service did not answer within 3 seconds")


if __name__ == "__main__":
    report("agents", globals())
