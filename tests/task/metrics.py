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
    run([success_rate, approval_rate, store_success, result_count, parse_time, search_time, completion_time, a_restart_raises_nothing_twice], sys.argv[1])
