"""A terminal for tests: tmux, driven by keys and read by looking at the screen. Nothing waits for time, only for output."""

import os
import re
import select
import shlex
import shutil
import subprocess
import tempfile
import time

DEADLINE = 60 * float(os.environ.get("CLQ_TEST_PATIENCE", "1"))


class Terminal:
    """One program in one window."""

    def __init__(self, command, env, columns=80, rows=30):
        self.folder = tempfile.mkdtemp(prefix="clq-term-")
        self.socket = os.path.join(self.folder, "tmux")
        self.raw = b""
        fifo = os.path.join(self.folder, "output")
        os.mkfifo(fifo)
        whole = dict(env, TERM=env.get("TERM", "xterm-256color"))
        outer = {name: value for name, value in os.environ.items() if name not in ("TMUX", "NO_COLOR")}
        # The program starts when somebody reads what it writes; the pane stays when it has ended.
        gate = os.path.join(self.folder, "gate")
        os.mkfifo(gate)
        self.status = os.path.join(self.folder, "status")
        self.process = os.path.join(self.folder, "pid")
        program = f"echo $$ > {self.process}; exec " + shlex.join(command)
        # tmux does not always learn how the program has ended, so a shell writes it down.
        line = f"read x < {gate}; trap : INT; sh -c {shlex.quote(program)}; echo $? > {self.status}.new; mv {self.status}.new {self.status}"
        inner = shlex.join(["env", "-i", *(f"{name}={value}" for name, value in whole.items()), "sh", "-c", line])
        subprocess.run(["tmux", "-S", self.socket, "-f", "/dev/null", "new-session", "-d", "-x", str(columns), "-y", str(rows), inner,
                        ";", "set-option", "-g", "remain-on-exit", "on", ";", "set-option", "-g", "remain-on-exit-format", "",
                        ";", "set-option", "-s", "set-clipboard", "on", ";", "set-option", "-g", "history-limit", "5000",
                        ";", "set-option", "-g", "window-size", "manual"],
                       check=True, env=outer)
        self.fifo = os.open(fifo, os.O_RDONLY | os.O_NONBLOCK)
        self.tmux("pipe-pane", "-O", f"exec cat > {shlex.quote(fifo)}")
        with open(gate, "w", encoding="utf-8") as start:
            start.write("\n")

    def tmux(self, *arguments):
        done = subprocess.run(["tmux", "-S", self.socket, *arguments], check=True, capture_output=True, text=True)
        return done.stdout

    def type(self, text):
        """Types a text as it is."""
        self.tmux("send-keys", "-l", "--", text)

    def keys(self, *names):
        """Presses keys that have names."""
        self.tmux("send-keys", *names)

    def enter(self, text):
        self.type(text)
        self.keys("Enter")

    def paste(self, text):
        subprocess.run(["tmux", "-S", self.socket, "load-buffer", "-"], input=text.encode(), check=True)
        self.tmux("paste-buffer", "-p")

    def screen(self, *options):
        return self.tmux("capture-pane", "-p", *options).rstrip("\n")

    def all(self):
        """The screen and what has left it at the top."""
        return self.screen("-S", "-")

    def ask(self, what):
        return self.tmux("display-message", "-p", "#{" + what + "}").strip()

    def pid(self):
        with open(self.process, encoding="utf-8") as file:
            return int(file.read())

    def read_output(self, seconds):
        """What the program has written meanwhile; waits for some."""
        ready, _, _ = select.select([self.fifo], [], [], seconds)
        if not ready:
            return
        try:
            chunk = os.read(self.fifo, 65536)
        except BlockingIOError:
            chunk = b""
        if not chunk:
            # The program has ended, or the pipe is not there yet; the deadline bounds this.
            select.select([], [], [], 0.01)
        self.raw += chunk

    def until(self, holds, what):
        """Waits until the screen is as it should be."""
        end = time.monotonic() + DEADLINE
        while True:
            if holds():
                return
            if time.monotonic() > end:
                raise AssertionError(f"{what}; the screen is\n{self.all()}")
            self.read_output(0.5)

    def see(self, pattern, where=None):
        """Waits for a regular expression on the screen."""
        look = where or self.all
        self.until(lambda: re.search(pattern, look(), re.MULTILINE), f"never saw {pattern!r}")

    def see_prompt(self, status, typed=""):
        """Waits until a line can be typed below a status line that begins like this."""
        self.see(rf"^{status}.*\n[>?] ?{typed}\Z")

    def is_dead(self):
        return os.path.exists(self.status)

    def see_end(self, status=0):
        self.until(self.is_dead, "the program does not end")
        with open(self.status, encoding="utf-8") as file:
            got = int(file.read())
        assert got == status, f"exit status {got}, expected {status}\n{self.all()}"

    def resize(self, columns, rows):
        self.tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def close(self):
        subprocess.run(["tmux", "-S", self.socket, "kill-server"], capture_output=True, check=False)
        os.close(self.fifo)
        shutil.rmtree(self.folder, ignore_errors=True)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
