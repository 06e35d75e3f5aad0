"""aimock, a server for tests that nobody here has written: installed with npm into a folder, started on loopback."""

import json
import os
import shutil
import subprocess
import urllib.request

HERE = os.path.dirname(os.path.abspath(__file__))
NEEDED = (20, 15)  # the oldest Node that aimock runs on
NODE = "node@22.23.3"  # brings a Node of its own where that of the system is older
PATIENCE = 60 * float(os.environ.get("CLQ_TEST_PATIENCE", "1"))


class Unreachable(Exception):
    """There is no npm, or it cannot reach its registry."""


def npm(folder, *arguments):
    try:
        done = subprocess.run(["npm", *arguments, "--no-audit", "--no-fund", "--ignore-scripts=false"], cwd=folder, capture_output=True, text=True, check=False, timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unreachable(str(error)) from error
    if done.returncode != 0:
        lines = [line for line in done.stderr.splitlines() if "ERR" in line or "error" in line]
        text = "; ".join(lines[:3]) or f"npm {arguments[0]} ended with {done.returncode}"
        if any(word in done.stderr for word in ("ENOTFOUND", "ECONNREFUSED", "ETIMEDOUT", "EAI_AGAIN", "ECONNRESET", "ENETUNREACH", "network")):
            raise Unreachable(text)
        raise RuntimeError(text)


def find_node(folder):
    """A Node that is new enough: of the system, or one from npm."""
    own = os.path.join(folder, "node_modules", "node", "bin", "node")
    for node in filter(None, [shutil.which("node"), own]):
        try:
            version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout.strip().lstrip("v")
        except (OSError, subprocess.CalledProcessError):
            continue
        if tuple(int(part) for part in version.split(".")[:2]) >= NEEDED:
            return node
    return None


def install(folder):
    """Puts aimock into the folder, once; what exactly is said by package-lock.json."""
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(HERE, "package-lock.json"), encoding="utf-8") as file:
        wanted = file.read()
    stamp = os.path.join(folder, "installed")
    if not os.path.exists(stamp) or open(stamp, encoding="utf-8").read() != wanted:
        for name in ("package.json", "package-lock.json"):
            shutil.copy(os.path.join(HERE, name), folder)
        npm(folder, "ci")
        with open(stamp, "w", encoding="utf-8") as file:
            file.write(wanted)
    node = find_node(folder)
    if node is None:
        npm(folder, "install", "--no-save", "--no-package-lock", NODE)
        node = find_node(folder)
    if node is None:
        raise RuntimeError(f"no Node from {NEEDED[0]}.{NEEDED[1]} on")
    return node, os.path.join(folder, "node_modules", "@copilotkit", "aimock", "dist", "cli.js")


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
