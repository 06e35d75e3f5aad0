#!/usr/bin/env python3
"""TAP: what is measured of the request workflow, and when it raises an alert: metrics.py COLLOQUY FOLDER-WITH-PROMTOOL"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile

from talk import Talk, run

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "replay"))
from again import replay  # noqa: E402

CODE = "Here it is.\n\n```c\nint x;\n```"


class Watched(Talk):
    """Counts the alerts about one thing."""

    def __init__(self, about, program, *arguments):
        super().__init__(program, "task", *arguments)
        self.about = about
        self.alerts = []
        self.notifications = []

    def ask(self, request, **members):
        answer = super().ask(request, **members)
        self.alerts += [alert for alert in answer["alerts"] if self.about in (alert.get("metric"), alert.get("state"))]
        self.notifications += [text for text in answer["notifications"] if self.about in (text.get("metric"), text.get("state"))]
        return answer

    def request(self, text="Explain the parser for dates.", reply=CODE, decision="approve"):
        self.script("assistant", reply)
        answer = self.say(text)
        if answer["state"] == "HUMAN_REVIEW":
            self.act(decision)


def crossings(talk, good, bad, bound):
    """Down below the bound, up again, down again: one alert each time it goes down, none besides."""
    history = []

    def step(is_good):
        (good if is_good else bad)()
        history.append(is_good)
        rate = sum(history) / len(history)
        is_bad = len(history) >= 3 and rate < bound
        step.expected += is_bad and not step.was_bad
        step.was_bad = is_bad
        assert len(talk.alerts) == step.expected, (history, talk.alerts)

    step.expected, step.was_bad = 0, False
    for is_good in [False] * 4:
        step(is_good)
    assert step.expected == 1
    while step.was_bad:
        step(True)
    step(True)
    while not step.was_bad:
        step(False)
    assert step.expected == 2 and len(history) < 50
    assert [{key: value for key, value in text.items() if key != "type"} for text in talk.notifications] == talk.alerts
    alert = talk.alerts[1]
    assert alert["graph"] == "task" and alert["of"] == len(history) and abs(alert["rate"] - sum(history) / len(history)) < 1e-9
    talk.end()


def success_rate(program):
    talk = Watched("success-rate", program)
    crossings(talk, talk.request, lambda: talk.request(reply={"error": "critical", "message": "broken"}), 0.6)
    assert talk.alerts[0]["target"] == "> 80%" and talk.alerts[0]["alert"] == "< 60%"


def approval_rate(program):
    talk = Watched("approval-rate", program)
    crossings(talk, talk.request, lambda: talk.request(decision="reject"), 0.5)
    assert talk.alerts[0]["target"] == "> 75%" and talk.alerts[0]["alert"] == "< 50%"


def store_success(program):
    talk = Watched("store-success", program)

    def fail():
        talk.ask("fault", what="search", on=True)
        talk.request()
        talk.ask("fault", what="search", on=False)

    crossings(talk, talk.request, fail, 0.8)
    assert talk.alerts[0]["target"] == "> 95%" and talk.alerts[0]["alert"] == "< 80%"


def result_count(program):
    talk = Watched("result-count", program)
    numbers = iter(range(1000, 2000))
    # The first one has nothing to find.
    crossings(talk, lambda: talk.request("Explain zebra1000."), lambda: talk.request(f"Explain zebra{next(numbers)}."), 0.5)
    assert talk.alerts[0]["alert"] == "< 50%"


def stays(program, state, limit, script, *arguments):
    talk = Watched(state, program, *arguments)
    expected = 0
    for seconds, is_late in [(limit, False), (limit + 0.001, True), (limit + 5, True), (0.5, False), (limit + 1, True), (1, False)]:
        was = len(talk.alerts)
        script(talk, seconds)
        talk.say("Explain the parser for dates.")
        for _ in range(4):
            answer = talk.ask("advance", seconds=seconds)
        if answer["state"] == "HUMAN_REVIEW":
            talk.act("approve")
        expected += is_late and not (seconds == limit + 5)
        assert len(talk.alerts) == expected, (seconds, was, talk.alerts)
    assert talk.alerts[0]["ms"] == limit * 1000 + 1 and talk.alerts[0]["alert"] == limit * 1000
    talk.end()


def analyst(*before):
    def script(talk, seconds):
        talk.script("analyst", *before, {"after": seconds, "reply": "{}" if not before else "[]"}, *["[]"] * (2 - len(before)))
        talk.script("assistant", CODE)
    return script


def parse_time(program):
    stays(program, "REQUEST_RECEIVED", 5, analyst(), "--set", "state REQUEST_RECEIVED.timeout=20s")


def search_time(program):
    stays(program, "CONTEXT_SEARCH", 5, analyst("{}"), "--set", "state CONTEXT_SEARCH.timeout=20s")


def completion_time(program):
    stays(program, "EXECUTING", 300, lambda talk, seconds: talk.script("assistant", {"after": seconds, "reply": CODE}))


def an_alert_is_logged(program):
    """One line per crossing, for those who want to see it."""
    lines = [{"do": "script", "agent": "assistant", "replies": [CODE] * 4}]
    for number in range(4):
        lines += [{"do": "message", "text": f"Explain zebra{number}."}, {"do": "action", "name": "reject"}]
    done = subprocess.run([program, "pipe", "task", "--clock=manual"], input="\n".join(json.dumps(line) for line in lines), capture_output=True, text=True,
                          env={**os.environ, "G_MESSAGES_DEBUG": "clq-metrics"}, check=True)
    logged = (done.stdout + done.stderr).count('alert: {"graph":"task","metric":"approval-rate","count":0,"of":3,')
    assert logged == 1, done.stderr


def an_alert_comes_during_the_stay(program):
    """When it becomes too long, not a millisecond before, and not again at its end."""
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:{folder}/store.db"
        long_stays(Watched("EXECUTING", program, "--store", store))
        assert replay(program, store) is None, replay(program, store)


def long_stays(talk):
    for number in (1, 2):
        talk.script("assistant", {"after": 400, "reply": CODE})
        assert talk.say("Explain the parser for dates.")["state"] == "EXECUTING"
        talk.ask("advance", seconds=300)
        assert len(talk.alerts) == number - 1, talk.alerts
        assert talk.ask("advance", seconds=0.001)["state"] == "EXECUTING"
        assert len(talk.alerts) == number and talk.alerts[-1]["ms"] == 300001, talk.alerts
        assert len(talk.notifications) == number
        assert talk.ask("advance", seconds=99.999)["state"] == "HUMAN_REVIEW"
        talk.act("approve")
        assert len(talk.alerts) == number, talk.alerts
        # A request that takes no time is on the other side of the bound.
        talk.request()
        assert len(talk.alerts) == number, talk.alerts
    talk.end()


def a_deadline_comes_before_an_alert(program):
    """Nobody was there when the work took too long, nor when its time was over."""
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:{folder}/store.db"
        arguments = ["--store", store, "--session", "019a0000-0000-7000-8000-000000000001", "--now"]
        talk = Watched("EXECUTING", program, *arguments, "2026-01-02T00:00:00Z")
        talk.script("assistant", {"after": 700, "reply": CODE})
        talk.say("Explain the parser for dates.")
        talk.ask("advance", seconds=200)
        talk.kill()
        talk = Watched("EXECUTING", program, *arguments, "2026-01-02T00:15:00Z")
        assert talk.ask("state")["state"] == "HUMAN_REVIEW"
        assert "alert" not in [record["body"].get("event") for record in talk.ask("journal")["result"]]
        talk.end()
        done = subprocess.run([program, "metrics", "task", "--json", "--store", store], capture_output=True, text=True, check=True)
        stays_of = json.loads(done.stdout)["states"]["EXECUTING"]
        assert stays_of["maxMs"] == 900000 and stays_of["alerted"] is True, stays_of
        assert replay(program, store) is None, replay(program, store)


def reviewer(program, folder, session, seconds):
    """Somebody should decide within a minute."""
    return Watched("HUMAN_REVIEW", program, "--store", f"sqlite:{folder}/store.db", "--session", f"019a0000-0000-7000-8000-{session:012}",
                   "--now", f"2026-01-02T00:{seconds // 60:02}:{seconds % 60:02}Z", "--set", "state HUMAN_REVIEW.alert=1min")


def an_alert_of_a_stay_survives_restarts(program):
    """Raised by the host that runs when the stay becomes too long, or by the next one; never by two, and not at the end of the stay."""
    with tempfile.TemporaryDirectory() as folder:
        numbers = iter(range(1000, 2000))  # nobody finds what others have done

        def alerts_of(session, seconds, *requests, kill=False):
            talk = reviewer(program, folder, session, seconds)
            for request in requests:
                request(talk)
            talk.ask("state")
            (talk.kill if kill else talk.end)()
            return len(talk.alerts)

        def begin(talk):
            talk.script("assistant", CODE)
            assert talk.say(f"Explain zebra{next(numbers)}.")["state"] == "HUMAN_REVIEW"

        def wait(seconds):
            return lambda talk: talk.ask("advance", seconds=seconds)

        def approve(talk):
            assert talk.act("approve")["state"] == "IDLE"

        assert alerts_of(1, 0, begin, wait(60), kill=True) == 0
        assert alerts_of(1, 70, wait(1), kill=True) == 1  # nobody was there at the time
        assert alerts_of(1, 80, wait(100), kill=True) == 0
        assert alerts_of(2, 200, begin, approve) == 0  # another session is fast
        assert alerts_of(1, 210, wait(1), approve) == 0  # what is over now was told of
        assert alerts_of(3, 220, begin, wait(61), kill=True) == 1
        done = subprocess.run([program, "metrics", "task", "--json", "--store", f"sqlite:{folder}/store.db"], capture_output=True, text=True, check=True)
        assert json.loads(done.stdout)["states"]["HUMAN_REVIEW"]["count"] == 2, done.stdout
        assert alerts_of(3, 300, approve) == 0
        assert alerts_of(4, 310, begin, wait(61), approve) == 0  # still too long
        assert alerts_of(5, 400, begin, approve) == 0
        assert alerts_of(6, 410, begin, wait(60.001), approve) == 1
        assert replay(program, f"sqlite:{folder}/store.db") is None, replay(program, f"sqlite:{folder}/store.db")


def a_restart_raises_nothing_twice(program):
    """Over several sessions and hosts the same alert is raised once, until it has recovered."""
    with tempfile.TemporaryDirectory() as folder:
        alerts = []
        for number, decision in enumerate(["reject", "reject", "reject", "reject", *["approve"] * 5, *["reject"] * 3]):
            talk = Watched("approval-rate", program, "--store", f"sqlite:{folder}/store.db", "--session", f"019a0000-0000-7000-8000-{number // 2:012}",
                           "--now", f"2026-01-02T00:00:{number:02}Z")
            talk.request(decision=decision)
            alerts.append(len(talk.alerts))
            talk.end()
        assert alerts == [0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 1, 0], alerts
        done = subprocess.run([program, "metrics", "task", "--json", "--store", f"sqlite:{folder}/store.db"], capture_output=True, text=True, check=True)
        report = json.loads(done.stdout)
        approval = report["metrics"]["approval-rate"]
        assert approval["count"] == 5 and approval["of"] == 12 and approval["alerted"] is True, approval
        assert report["states"]["EXECUTING"]["count"] == 12 and report["states"]["EXECUTING"]["alert"] == 300000
        check_table(program, folder)
        check_prometheus(program, folder)


def check_table(program, folder):
    done = subprocess.run([program, "metrics", "task", "--store", f"sqlite:{folder}/store.db"], capture_output=True, text=True, check=True)
    assert re.search(r"^approval-rate +5 of 12 +42 % .*> 75% +< 50% +ALERT$", done.stdout, re.MULTILINE), done.stdout
    assert re.search(r"^EXECUTING +12 ", done.stdout, re.MULTILINE), done.stdout
    done = subprocess.run([program, "metrics", "--store", f"sqlite:{folder}/store.db"], capture_output=True, text=True, check=True)
    assert "approval-rate" in done.stdout, done.stdout


def check_prometheus(program, folder):
    done = subprocess.run([program, "metrics", "task", "--prometheus", "--store", f"sqlite:{folder}/store.db"], capture_output=True, text=True, check=True)
    typed = set()
    for line in done.stdout.splitlines():
        if line.startswith("# TYPE "):
            typed.add(line.split()[2])
        elif not line.startswith("# HELP "):
            match = re.fullmatch(r'([a-z0-9_]+)\{graph="task",(state|metric)="[\w-]+"\} (\d+(\.\d+)?)', line)
            assert match and match[1] in typed, line
    assert 'colloquy_metric_alert{graph="task",metric="approval-rate"} 1' in done.stdout
    promtool = shutil.which("promtool", path=f"{os.environ['PATH']}:{sys.argv[2]}")
    assert promtool, "promtool is missing; ./test fetches it"
    checked = subprocess.run([promtool, "check", "metrics"], input=done.stdout, capture_output=True, text=True, check=False)
    assert checked.returncode == 0 and checked.stdout + checked.stderr == "", checked.stdout + checked.stderr


if __name__ == "__main__":
    run([success_rate, approval_rate, store_success, result_count, parse_time, search_time, completion_time, an_alert_is_logged, an_alert_comes_during_the_stay, a_deadline_comes_before_an_alert,
         an_alert_of_a_stay_survives_restarts, a_restart_raises_nothing_twice], sys.argv[1])
