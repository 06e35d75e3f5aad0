"""A home with a colloquy.conf of its own, a secret service of its own, and a way to report what was tried."""

import os
import subprocess
import sys
import tempfile

BUS = """<busconfig>
  <type>session</type>
  <listen>unix:path={path}</listen>
  <policy context="default"><allow send_destination="*" eavesdrop="true"/><allow eavesdrop="true"/><allow own="*"/></policy>
</busconfig>
"""
SERVICE = ("--session", "--dest", "org.freedesktop.secrets", "--object-path", "/org/freedesktop/secrets")


class Place:
    """Everything that is written goes below one folder; what is printed is kept."""

    def __init__(self, colloquy, config, **variables):
        self.colloquy = os.path.abspath(colloquy)
        self.keeper = tempfile.TemporaryDirectory(prefix="clq-", ignore_cleanup_errors=True)
        self.folder = self.keeper.name
        self.config = os.path.join(self.folder, "config")
        os.makedirs(self.config)
        os.symlink(os.path.join(os.environ["CLQ_CONFIG_DIR"], "graphs"), os.path.join(self.config, "graphs"))
        self.write("config/colloquy.conf", config.replace("${folder}", self.folder))
        self.environment = dict(os.environ, HOME=self.folder, CLQ_CONFIG_DIR=self.config, DBUS_SESSION_BUS_ADDRESS="unix:path=/nowhere", **variables)
        for variable in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_RUNTIME_DIR"):
            self.environment[variable] = self.folder
        self.said = []

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        return path

    def call(self, *arguments, status=0, text=None):
        done = subprocess.run([self.colloquy, *arguments], env=self.environment, text=True, input=text, capture_output=True, timeout=120, check=False)
        self.said.append(done.stdout + done.stderr)
        if done.returncode != status:
            raise AssertionError(f"{arguments} ended with {done.returncode}, expected {status}: {done.stdout}{done.stderr}")
        return done.stdout + done.stderr


class Keyring:
    """gnome-keyring on a bus that nobody else is on; place.environment knows where."""

    def __init__(self, place):
        self.environment = place.environment
        address = os.path.join(place.folder, "bus")
        config = place.write("bus.conf", BUS.format(path=address))
        self.environment["DBUS_SESSION_BUS_ADDRESS"] = f"unix:path={address}"
        self.bus = subprocess.Popen(["dbus-daemon", f"--config-file={config}", "--nofork", "--print-address"], env=self.environment,
                                    stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.bus.stdout.readline()
        self.daemon = subprocess.Popen(["gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"], env=self.environment,
                                       stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.daemon.stdin.write(b"a password")
        self.daemon.stdin.close()
        self.run("gdbus", "wait", "--session", "--timeout", "60", "org.freedesktop.secrets")

    def run(self, *command, text=None):
        subprocess.run(command, env=self.environment, input=text, text=True, stdout=subprocess.DEVNULL, timeout=120, check=True)

    def store(self, name, secret):
        self.run("secret-tool", "store", "--label=Colloquy", "application", "colloquy", "name", name, text=secret)

    def lock(self):
        self.run("gdbus", "call", *SERVICE, "--method", "org.freedesktop.Secret.Service.Lock", "[objectpath '/org/freedesktop/secrets/collection/login']")

    def __enter__(self):
        return self

    def __exit__(self, *reason):
        for process in (self.daemon, self.bus):
            process.terminate()
            process.wait()
        self.bus.stdout.close()


def has(text, *parts):
    for part in parts:
        if part not in text:
            raise AssertionError(f"expected '{part}' in:\n{text}")


def report(prefix, names):
    """TAP: runs every function whose name begins with test_."""
    tests = [(name[5:].replace("_", "-"), function) for name, function in names.items() if name.startswith("test_")]
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    for number, (name, function) in enumerate(tests, 1):
        try:
            function()
            print(f"ok {number} - {prefix}/{name}", flush=True)
        except AssertionError as error:
            failed += 1
            print(f"not ok {number} - {prefix}/{name}")
            for line in str(error).splitlines():
                print(f"# {line}", flush=True)
    sys.exit(failed > 0)
