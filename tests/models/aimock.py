"""aimock, a server for tests that nobody here has written: installed with npm into a folder, started on loopback."""

import glob
import json
import os
import shutil
import subprocess
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
NEEDED = (20, 15)  # the oldest Node that aimock runs on
PATIENCE = 60 * float(os.environ.get("CLQ_TEST_PATIENCE", "1"))


class Unreachable(Exception):
    """There is no npm, or it cannot reach its registry."""


def npm(folder, *arguments):
    try:
        done = subprocess.run(["npm", *arguments, "--no-audit", "--no-fund", "--ignore-scripts"], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unreachable(str(error)) from error
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "ERR" in line or "error" in line]
        text = "; ".join(lines[:3]) or f"npm {arguments[0]} ended with {done.returncode}"
        if any(word in done.stderr for word in ("ENOTFOUND", "ECONNREFUSED", "ETIMEDOUT", "EAI_AGAIN", "ECONNRESET", "ENETUNREACH", "network")):
            raise Unreachable(text)
        raise RuntimeError(text)


def put(source, folder, program):
    """Installs into the folder, once, what the package-lock.json in source says: where the program is that comes with it."""
    os.makedirs(folder, exist_ok=True)
    pattern = os.path.join(glob.escape(folder), "node_modules", program)
    stamp = os.path.join(folder, "installed")
    with open(os.path.join(source, "package-lock.json"), encoding="utf-8") as file:
        wanted = file.read()
    if os.path.exists(stamp):
        with open(stamp, encoding="utf-8") as file:
            if file.read() == wanted:
                return glob.glob(pattern)[0]
    for name in ("package.json", "package-lock.json"):
        shutil.copy(os.path.join(source, name), folder)
    npm(folder, "ci")
    found = glob.glob(pattern)
    if not found:  # npm is content without a package for this machine that it cannot fetch
        raise Unreachable(f"it has not brought {program}")
    with open(stamp, "w", encoding="utf-8") as file:
        file.write(wanted)
    return found[0]


def is_new_enough(node):
    done = subprocess.run([node, "--version"], capture_output=True, text=True, check=True)
    return tuple(int(part) for part in done.stdout.strip().lstrip("v").split(".")[:2]) >= NEEDED


def install(folder):
    """aimock and a Node that it runs on: that of the system, or, as that of Debian 12 is too old, one from npm."""
    program = put(HERE, folder, "@copilotkit/aimock/dist/cli.js")
    node = shutil.which("node")
    if node is None or not is_new_enough(node):
        node = put(os.path.join(HERE, "node"), os.path.join(folder, "node"), "node-linux-*/bin/node")
    return node, program


class Aimock:
    """A server with its replies; options are those of its command line."""

    def __init__(self, folder, scratch, fixtures, *options):
        node, program = install(folder)
        path = os.path.join(scratch, "fixtures.json")
        with open(path, "w", encoding="utf-8") as file:
            json.dump({"fixtures": fixtures}, file)
        self.log = open(os.path.join(scratch, "aimock.log"), "w+", encoding="utf-8")
        self.process = subprocess.Popen([node, program, "-p", "0", "-f", path, "--journal-max", "0", *options], stdout=subprocess.PIPE,
                                        stderr=self.log, text=True)
        self.url = self.read_url()

    def read_url(self):
        """It says where it listens, on the port that it was given."""
        for line in self.process.stdout:
            for word in line.split():
                if word.startswith("http://127.0.0.1:"):
                    return word.rstrip("/.,")
        self.log.seek(0)
        raise RuntimeError("aimock did not start: " + self.log.read())

    def ask(self, path, method="GET", body=None):
        data = json.dumps(body).encode() if body is not None else None
        request = urllib.request.Request(self.url + path, data=data, method=method, headers={"Content-Type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as reply:
            return json.loads(reply.read() or b"null")

    def journal(self):
        """Every request that it got, with what it did about it."""
        return self.ask("/__aimock/journal")

    def close(self):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()
        self.log.close()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
