"""What the tests of the terminal share: a home of their own, agents, and TAP."""

import json
import os
import subprocess
import sys
import tempfile

from terminal import Terminal

CONFIRM = """[graph]
format=1
name=sure
initial=asking
actions=message;answer

[state asking]
node=basic.ask
prompt=Are you sure?
type=confirmation

[state waiting]
wait=answer

[state said]
node=basic.say

[state gone]
final=true

[transitions]
asking.asked=waiting
waiting.answer=said
said.done=gone
"""

RULES = [
    {"match": "^markdown$", "reply": "# Head\n\nSome **bold** text.\n\n- one\n- two\n\n```\ncode  here\n```\n\n|a|b|\n|---|---|\n|1|2|"},
    {"match": "^wide$", "reply": "日本語のテキストは、ここで折り返されるはずです。長い文章は二行になります。e\u0301 end"},
    {"match": "^fail$", "reply": {"error": "critical", "message": "the line is dead"}},
    {"match": "^later$", "reply": {"after": 0.5, "reply": "Here it is."}},
    {"match": r"^([\s\S]*)$", "reply": "You said: \\1."},
]


class Home:
    """A folder with configuration and places for state; it goes with the test."""

    def __init__(self, colloquy, rules=None):
        self.colloquy = colloquy
        self.folder = tempfile.TemporaryDirectory(prefix="clq-home-")
        self.path = self.folder.name
        os.makedirs(self.file("config/graphs"))
        self.write("config/graphs/sure.graph", CONFIRM)
        self.set_agents(rules or RULES)

    def file(self, name):
        return os.path.join(self.path, name)

    def write(self, name, text):
        with open(self.file(name), "w", encoding="utf-8") as file:
            file.write(text)

    def set_agents(self, rules, slow="1h"):
        """`assistant` follows rules; `slow` needs an hour between two words."""
        self.write("config/rules.json", json.dumps({"rules": rules}))
        self.write("config/colloquy.conf", "[agent assistant]\nkind=scripted.agent\nscript=${here}/rules.json\n"
                   f"[agent slow]\nkind=scripted.agent\npiece-delay={slow}\nfallback=one two three\n")

    def env(self, **more):
        keep = ("PATH", "LD_LIBRARY_PATH", "CLQ_PLUGIN_PATH", "ASAN_OPTIONS", "UBSAN_OPTIONS", "LSAN_OPTIONS", "G_SLICE", "G_DEBUG", "USER", "LOGNAME")
        env = {name: os.environ[name] for name in keep if name in os.environ}
        env.update(HOME=self.path, XDG_STATE_HOME=self.file("state"), XDG_DATA_HOME=self.file("data"), TZ="UTC", LC_ALL="C.UTF-8",
                   CLQ_CONFIG_DIR=self.file("config") + ":" + os.environ["CLQ_CONFIG_DIR"])
        env.update(more)
        return env

    def start(self, *arguments, env=None, columns=80, rows=30):
        return Terminal([self.colloquy, "chat", *arguments], self.env(**(env or {})), columns, rows)

    def pipe(self, *arguments, text="", env=None):
        """Runs the program without a terminal: status, stdout, stderr."""
        done = subprocess.run([self.colloquy, *arguments], input=text.encode(), capture_output=True, env=self.env(**(env or {})), check=False, timeout=300)
        return done.returncode, done.stdout.decode(), done.stderr.decode()


def run(tests, *arguments):
    """Runs functions as TAP."""
    failed = 0
    print(f"1..{len(tests)}", flush=True)
    for number, test in enumerate(tests, 1):
        name = test.__name__.removeprefix("test_").replace("_", "-")
        try:
            test(*arguments)
            print(f"ok {number} - {name}", flush=True)
        except Exception as error:  # pylint: disable=broad-except
            failed += 1
            print(f"not ok {number} - {name}", flush=True)
            for line in f"{type(error).__name__}: {error}".splitlines():
                print(f"# {line}", flush=True)
    sys.exit(failed > 0)
