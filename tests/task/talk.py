"""A conversation with `colloquy pipe`, one request at a time, so that it can be killed in between."""

import json
import os
import subprocess
import sys
import traceback


class Talk:
    def __init__(self, program, *arguments, env=None, clock=True):
        command = [program, "pipe", *arguments] + (["--clock=manual"] if clock else [])
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env={**os.environ, **(env or {})})

    def ask(self, request, **members):
        """The answer to a request."""
        self.process.stdin.write(json.dumps({"do": request, **members}) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, "the program has ended"
        return json.loads(line)

    def script(self, agent, *replies):
        assert self.ask("script", agent=agent, replies=list(replies))["ok"]

    def say(self, text):
        return self.ask("message", text=text)

    def act(self, name, **payload):
        return self.ask("action", name=name, payload=payload)

    def entries(self, kind="context"):
        """What is kept, or with kind="contribution" what was given to be kept."""
        bodies = [record["body"] for record in self.ask("journal")["result"] if record["type"] == kind]
        return [body["entry"] if kind == "contribution" else body for body in bodies]

    def kill(self):
        self.process.kill()
        self.process.communicate()

    def end(self):
        self.process.communicate()
        assert self.process.returncode == 0, f"exit status {self.process.returncode}"


def path_of(answer):
    """The states that the request went through."""
    return [move["to"] for move in answer["transitions"]]


def run(tests, *arguments):
    """TAP of functions; each gets the arguments."""
    print(f"1..{len(tests)}")
    failed = 0
    for number, test in enumerate(tests, 1):
        try:
            test(*arguments)
            print(f"ok {number} - {test.__name__}", flush=True)
        except Exception:  # whatever it is, it is what the test has found
            failed += 1
            print(f"not ok {number} - {test.__name__}", flush=True)
            for line in traceback.format_exc().splitlines():
                print(f"# {line}")
    sys.exit(int(failed > 0))
