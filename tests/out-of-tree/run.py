#!/usr/bin/env python3
"""TAP: a stranger's path: run.py BUILD PREFIX LIBDIR

Colloquy is installed into an empty folder; `colloquy new-plugin` makes one plugin of each type; each is built with
pkg-config alone, its own tests pass, and the installed program opens it.
"""

import os
import subprocess
import sys
import tempfile

TYPES = ["node", "modality", "agent", "store", "tool", "service"]


def call(arguments, environment, folder):
    done = subprocess.run(arguments, env=environment, cwd=folder, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          timeout=300, check=False)
    if done.returncode != 0:
        raise AssertionError(f"{' '.join(arguments)} ended with {done.returncode}:\n{done.stdout}")
    return done.stdout


def try_type(kind, place, environment):
    """Makes, builds and opens one plugin."""
    name = f"my-{kind}"
    call(["colloquy", "new-plugin", name, "--type", kind], environment, place)
    folder = os.path.join(place, name)
    call(["meson", "setup", "build", "--werror"], environment, folder)
    said = call(["meson", "test", "-C", "build", "--print-errorlogs"], environment, folder)
    if "Ok:" not in said or "Fail:               0" not in said:
        raise AssertionError(said)
    inside = dict(environment, CLQ_PLUGIN_PATH=os.pathsep.join([os.path.join(folder, "build"), environment["CLQ_PLUGIN_PATH"]]))
    if f"of plugin {name} 0.1" not in call(["colloquy", "inspect", name], inside, folder):
        raise AssertionError("inspect does not know it")
    if kind in ("node", "modality", "agent"):
        call(["colloquy", "check", f"{name}.graph"], inside, folder)
    if kind == "node" and "hello!" not in call(["colloquy", "run", f"{name}.graph", "hello"], inside, folder):
        raise AssertionError("it does not say hello!")


def main(build, prefix, libdir):
    print(f"1..{len(TYPES)}", flush=True)
    failed = 0
    with tempfile.TemporaryDirectory() as place:
        root = os.path.join(place, "root")
        environment = dict(os.environ)
        call(["meson", "install", "-C", build, "--no-rebuild", "--quiet", "--destdir", root], environment, place)
        libraries = root + os.path.join(prefix, libdir)
        environment["PKG_CONFIG_PATH"] = os.path.join(libraries, "pkgconfig")
        environment["LD_LIBRARY_PATH"] = libraries
        environment["PATH"] = root + os.path.join(prefix, "bin") + os.pathsep + environment["PATH"]
        environment["CLQ_PLUGIN_PATH"] = os.path.join(libraries, "colloquy-1")
        environment["CLQ_CONFIG_DIR"] = root + os.path.join(prefix, "share", "colloquy")
        for number, kind in enumerate(TYPES, 1):
            try:
                try_type(kind, place, environment)
                print(f"ok {number} - out-of-tree/{kind}", flush=True)
            except AssertionError as error:
                failed += 1
                print(f"not ok {number} - out-of-tree/{kind}")
                for line in str(error).splitlines():
                    print(f"# {line}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
