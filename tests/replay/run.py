#!/usr/bin/env python3
"""TAP: `colloquy replay` as somebody would type it: run.py COLLOQUY."""

import json
import os
import subprocess
import sys
import tempfile

COLLOQUY = os.path.abspath(sys.argv[1])
GRAPHS = os.path.join(os.environ["CLQ_CONFIG_DIR"], "graphs")


class Place:
    """A store of its own."""

    def __init__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.store = f"sqlite:{self.folder.name}/sessions.db"
        self.env = dict(os.environ)

    def path(self, name):
        return os.path.join(self.folder.name, name)

    def call(self, *arguments, status=0, text=None):
        done = subprocess.run([COLLOQUY, *arguments], text=True, input=text, capture_output=True, timeout=120, env=self.env, check=False)
        if done.returncode != status:
            raise AssertionError(f"{arguments} ended with {done.returncode}, expected {status}: {done.stdout}{done.stderr}")
        return done.stdout

    def pipe(self, graph, *requests, options=("--clock=manual",)):
        """Runs a conversation; the id of its session."""
        lines = "".join(json.dumps(request) + "\n" for request in (*requests, {"do": "show"}))
        return json.loads(self.call("pipe", graph, "--store", self.store, *options, text=lines).splitlines()[-1])["session"]

    def replay(self, what, *options, status=0):
        place = () if os.path.exists(what) else ("--store", self.store)
        return json.loads(self.call("replay", what, "--json", *place, *options, status=status))

    def edited(self, graph, old, new):
        """A graph of ours with one thing changed."""
        with open(os.path.join(GRAPHS, f"{graph}.graph"), encoding="utf-8") as file:
            text = file.read()
        expect(old in text, f"{graph} has no {old!r}")
        with open(self.path(f"{graph}.graph"), "w", encoding="utf-8") as file:
            file.write(text.replace(old, new, 1))
        return self.path(f"{graph}.graph")

    def altered(self, session, alter):
        """The session in a file, altered."""
        self.call("export", session, self.path("past.json"), "--store", self.store)
        with open(self.path("past.json"), encoding="utf-8") as file:
            past = json.load(file)
        alter(past)
        with open(self.path("altered.json"), "w", encoding="utf-8") as file:
            json.dump(past, file, separators=(",", ":"), ensure_ascii=False)
        return self.path("altered.json")


def expect(condition, message):
    if not condition:
        raise AssertionError(message)


def differs(report, seq, *parts):
    """The report is of a difference at this record, and says so."""
    expect(report["equal"] is False and report["seq"] == seq, f"expected a difference at {seq}: {json.dumps(report)}")
    for part in parts:
        expect(part in report["reason"], f"expected '{part}' in: {report['reason']}")


def test_real_time_and_several_processes():
    place = Place()
    session = place.pipe("chat", {"do": "action", "name": "start"}, options=("--agents",))
    for text in ("hello", "and again"):
        place.call("say", session, text, "--store", place.store)
    place.call("act", session, "fork", "--store", place.store)
    place.call("act", session, "confirm_fork", "--store", place.store)
    place.call("say", session, "over here", "--store", place.store)
    report = place.replay(session)
    expect(report["equal"] and report["records"] > 10, json.dumps(report))


def test_a_visit_that_a_killed_host_had_open():
    place = Place()
    graph = place.path("slow.graph")
    with open(graph, "w", encoding="utf-8") as file:
        file.write("[graph]\nformat=1\nname=slow\ninitial=idle\nactions=go\n[state idle]\n[state working]\nnode=basic.pause\nlength=1h\n"
                   "[transitions]\nidle.go=working\nworking.done=idle\nworking.failed=idle\n")
    host = subprocess.Popen([COLLOQUY, "pipe", graph, "--store", place.store, "--clock=manual"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    host.stdin.write('{"do":"action","name":"go"}\n')
    host.stdin.flush()
    answer = json.loads(host.stdout.readline())
    expect(answer["status"] == "running", answer)
    host.kill()
    host.communicate()
    lines = "".join(json.dumps(request) + "\n" for request in ({"do": "advance", "seconds": 7200}, {"do": "journal"}))
    done = place.call("pipe", graph, "--store", place.store, "--session", answer["session"], "--clock=manual", text=lines)
    expect('"resume"' in done, done)
    report = place.replay(answer["session"])
    expect(report["equal"], json.dumps(report))


def test_another_way_is_found_where_it_begins():
    place = Place()
    session = place.pipe("choice", {"do": "answer", "value": "tea"})
    expect(place.replay(session)["equal"], "the session does not run again")
    expect(place.replay(session, "--graph", "choice")["equal"], "the graph is the same")
    other = place.edited("choice", 'brewing if event.value == "tea" ; pouring', 'pouring if event.value == "tea" ; brewing')
    report = place.replay(session, "--graph", other, status=1)
    differs(report, 3, "leads to pouring, not to brewing", "a rule or a guard")
    expect(report["state"] == "waiting" and '"to":"brewing"' in json.dumps(report["past"], separators=(",", ":")), json.dumps(report))


def test_another_setting_says_something_else():
    place = Place()
    session = place.pipe("choice", {"do": "answer", "value": "tea"})
    differs(place.replay(session, "--graph", place.edited("choice", "Four minutes", "Five minutes"), status=1), 5, "something else is said")


def test_an_action_that_is_refused_now():
    place = Place()
    session = place.pipe("review", {"do": "action", "name": "approve"}, {"do": "action", "name": "reject"})
    other = place.edited("review", "reviewing.reject=reviewing", "reviewing.reject=@refuse")
    differs(place.replay(session, "--graph", other, status=1), 3, "'reject' was taken and is refused now")


def test_a_timer_that_comes_too_early_now():
    place = Place()
    session = place.pipe("timer", {"do": "advance", "seconds": 90}, {"do": "message", "text": "here"}, {"do": "advance", "seconds": 120})
    expect(place.replay(session)["equal"], "the session does not run again")
    report = place.replay(session, "--graph", place.edited("timer", "idle=2min", "idle=1min"), status=1)
    differs(report, 2, "'idle' comes before 'message'")


def test_a_timer_that_does_not_come_any_more():
    place = Place()
    session = place.pipe("timer", {"do": "advance", "seconds": 130})
    report = place.replay(session, "--graph", place.edited("timer", "idle=2min", "idle=20min"), status=1)
    differs(report, 2, "nothing happens now")
    expect(report["now"] is None and report["past"]["body"]["event"] == "idle", json.dumps(report))


def test_another_outcome():
    place = Place()
    session = place.pipe("retry", {"do": "action", "name": "flaky"}, {"do": "advance", "seconds": 5})
    expect(place.replay(session)["equal"], "the session does not run again")
    report = place.replay(session, "--graph", place.edited("retry", "times=2", "times=1"), status=1)
    differs(report, 4, "'basic.fail' ends with 'done', not with 'retry'")


def test_a_call_that_was_never_made():
    place = Place()
    session = place.pipe("reply", {"do": "script", "agent": "assistant", "replies": ["well"]}, {"do": "message", "text": "hello"})
    expect(place.replay(session)["equal"], "the session does not run again")

    def alter(past):
        call = next(record for record in past["records"] if record["type"] == "call")
        call["body"]["key"] = "other"

    report = place.replay(place.altered(session, alter), status=1)
    expect(not report["equal"] and "there is no answer to it" in report["reason"], json.dumps(report))


def test_a_limit_per_day_that_stopped_a_session():
    """What others had spent that day is not in the journal of a session; that it was too much is."""
    place = Place()
    graph = place.path("panel.graph")
    with open(graph, "w", encoding="utf-8") as file:
        file.write("[graph]\nformat=1\nname=panel\ninitial=asking\nactions=message\n[state asking]\nnode.message=basic.panel\nagents=assistant\n"
                   "[state spent]\naccept=dead-end\n[transitions]\nasking.message=asking\nasking.answered=@stay\nasking.failed=@stay\n"
                   "asking.limit=spent if event.limit == \"tokens-per-day\"\n")
    with open(place.path("colloquy.conf"), "w", encoding="utf-8") as file:
        file.write("[budget]\ntokens-per-day=30\n[agent assistant]\nkind=scripted.agent\nfallback=" + 40 * "a" + "\n")
    place.env["CLQ_CONFIG_DIR"] = place.folder.name
    states = []
    for number in range(3):
        lines = "".join(json.dumps({"do": "message", "text": text}) + "\n" for text in ("hello", "again")[:1 + number % 2])
        options = ("--agents", "--clock=manual", f"--now=2026-01-01T0{number}:00:00Z")
        states.append(json.loads(place.call("pipe", graph, "--store", place.store, *options, text=lines).splitlines()[-1])["state"])
    expect(states == ["asking", "spent", "spent"], states)
    place.env["CLQ_CONFIG_DIR"] = os.environ["CLQ_CONFIG_DIR"]
    said = place.call("replay", "--all", "--store", place.store)
    expect("3 sessions: 3 equal" in said, said)


def test_fixtures():
    place = Place()
    session = place.pipe("reply", {"do": "script", "agent": "assistant", "replies": ["well"]}, {"do": "message", "text": "hello"})
    fixture = place.path("fixture.json")
    place.call("replay", session, "--store", place.store, "--promote", fixture)
    expect(place.replay(fixture)["session"] == session, "the fixture is another session")

    def alter(past):
        said = next(record for record in past["records"] if record["type"] == "message" and record["role"] == "user")
        said["body"]["text"] = "goodbye"

    expect(place.replay(place.altered(session, alter))["equal"], "what people say is sent as it stands there")

    def spoil(past):
        next(record for record in past["records"] if record["seq"] == 2)["body"]["event"] = "massage"

    altered = place.altered(session, spoil)
    place.call("replay", altered, "--promote", place.path("no.json"), status=1)
    expect(not os.path.exists(place.path("no.json")), "what differs was promoted")


def test_where_it_ends():
    place = Place()
    session = place.pipe("timer", {"do": "message", "text": "here"})
    expect(place.replay(session)["equal"], "the session does not run again")

    def name_a_place(past):
        past["marks"].append(["bookmark", 1, 2])

    report = place.replay(place.altered(session, name_a_place), status=1)
    differs(report, 0, "all records are equal, but the session's branches")


def test_what_people_see():
    """Of two records what differs; of a long text the place."""
    place = Place()
    session = place.pipe("choice", {"do": "answer", "value": "tea"})
    said = place.call("replay", session, "--store", place.store)
    expect(said == f"{session}: equal, 5 records\n", said)
    other = place.edited("choice", "Four minutes", 80 * "é" + " five minutes")
    lines = place.call("replay", session, "--store", place.store, "--graph", other, status=1).splitlines()
    expect(lines[0].startswith(f"{session}: differs at record 5, in state "), lines[0])
    expect(lines[1].startswith('  then: text: "Four minutes'), lines[1])
    expect(lines[2].startswith('  now:  text: "ééé') and lines[2].endswith("…") and len(lines[2]) < 120, lines[2])
    expect(len(lines) == 4 and "something else is said" in lines[3], lines)

    def alter(past):
        texts = [record for record in past["records"] if record["type"] == "message"]
        texts[-1]["body"]["text"] = texts[-1]["body"]["text"][:-1] + "!"
        texts[-1]["body"]["x"] = {"y": [1]}

    lines = place.call("replay", place.altered(session, alter), status=1).splitlines()
    expect([line.split(":")[1] for line in lines[1:5]] == [" text", "  text", " x", "  x"], lines)
    expect(lines[3:5] == ['  then: x: {"y":[1]}', "  now:  x: nothing"], lines)

    place = Place()
    session = place.pipe("timer", {"do": "advance", "seconds": 130})
    other = place.edited("timer", "idle=2min", "idle=20min")
    lines = place.call("replay", session, "--store", place.store, "--graph", other, status=1).splitlines()
    expect(lines[1].startswith('  then: {"type":"event"') and lines[2] == "  now:  nothing", lines)


def test_all_of_them():
    place = Place()
    for answer in ("tea", "coffee", "nothing"):
        place.pipe("choice", {"do": "answer", "value": answer}, options=("--clock=manual", f"--now=2026-01-0{len(answer)}T00:00:00Z"))
    said = place.call("replay", "--all", "--store", place.store)
    expect(said == "3 sessions: 3 equal, 0 different, 0 could not be run; 13 records\n", said)
    said = place.call("replay", "--all", "--store", place.store, "--graph", place.edited("choice", "Here you are", "There you go"), status=1)
    expect("differs at record 5" in said and "3 sessions: 2 equal, 1 different" in said, said)


def test_usage():
    place = Place()
    place.call("replay", status=2)
    place.call("replay", "--all", "x", status=2)
    place.call("replay", "--all", "--promote", "x", status=2)
    place.call("replay", "nothing-of-that-name", status=3)
    place.call("replay", "01890a5d-ac96-774b-bcce-b302099a8057", "--store", place.store, status=3)


def main():
    tests = [(name[5:].replace("_", "-"), function) for name, function in globals().items() if name.startswith("test_")]
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    for number, (name, function) in enumerate(tests, 1):
        try:
            function()
            print(f"ok {number} - replay/{name}", flush=True)
        except AssertionError as error:
            failed += 1
            print(f"not ok {number} - replay/{name}")
            for line in str(error).splitlines():
                print(f"# {line}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
