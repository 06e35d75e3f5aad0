#!/usr/bin/env python3
"""TAP: what stands in README files and example graphs works: run-examples.py SOURCE-ROOT BUILD-ROOT COMPILER [FLAG...]

tests/README.md says how blocks are marked. Each page gets a scratch folder that looks like the repository after ./run, with
BUILD-ROOT as its build folder. COMPILER with FLAGs is what `cc` means there.
"""

import glob
import os
import re
import shlex
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree stays as it is
import pages  # noqa: E402

ROOT, BUILD = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
COMPILER = sys.argv[3:]
CHECKED = ("ini", "c", "console", "sh", "bash")  # languages of blocks that may not go unchecked
OWN_ENV = ("CLQ_PLUGIN_PATH", "CLQ_CONFIG_DIR", "LD_LIBRARY_PATH")

# As ./run, but never builds.
RUN = """#!/bin/sh
root=$(cd "$(dirname "$0")" && pwd)
export CLQ_PLUGIN_PATH="${CLQ_PLUGIN_PATH-$root/build/plugins}" CLQ_CONFIG_DIR="${CLQ_CONFIG_DIR-$root/config}"
exec "$root/build/host/cli/colloquy" "$@"
"""

# A file is named: a path, or a name that ends like one. Capitals are placeholders.
FILE_NAME = re.compile(r"[a-z0-9_./][a-z0-9_./-]*\.(?:c|h|py|sh|graph|pipe|conf|build|md)")
LINK = re.compile(r"\[[^\]]+\]\(([^)#]*)(?:#([^)]*))?\)")


def make_program(path, text):
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    os.chmod(path, 0o755)


class Scratch:
    """A folder in which commands run, one after the other in the same environment."""

    def __init__(self):
        self.holder = tempfile.TemporaryDirectory(prefix="colloquy-docs-")
        self.folder = os.path.join(self.holder.name, "colloquy")
        tools = os.path.join(self.holder.name, "bin")
        os.makedirs(self.folder)
        os.makedirs(tools)
        for name in os.listdir(ROOT):
            if not name.startswith((".", "build")) and name not in ("run", "test"):
                os.symlink(os.path.join(ROOT, name), os.path.join(self.folder, name))
        os.symlink(BUILD, os.path.join(self.folder, "build"))
        make_program(os.path.join(self.folder, "run"), RUN)
        # The path that was, so that a compiler named cc is not this one.
        make_program(os.path.join(tools, "cc"), f'#!/bin/sh\nPATH={shlex.quote(os.environ["PATH"])}\nexec {shlex.join(COMPILER)} "$@"\n')
        self.env = {name: value for name, value in os.environ.items() if name not in OWN_ENV}
        self.env["PATH"] = tools + os.pathsep + self.env["PATH"]

    def write(self, name, lines):
        with open(os.path.join(self.folder, name), "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

    def run(self, command):
        """Status and output of a command; what it exports is kept."""
        env_file = os.path.join(self.holder.name, "env")
        script = f"{command}\nstatus=$?; env -0 > {shlex.quote(env_file)}; exit $status"
        done = subprocess.run(["bash", "-c", script], cwd=self.folder, env=self.env, text=True, timeout=120, check=False,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        with open(env_file, encoding="utf-8") as file:
            self.env = dict(entry.split("=", 1) for entry in file.read().split("\0") if "=" in entry)
        return done.returncode, done.stdout


def split_commands(lines):
    """The commands of a console block with the output that belongs to each."""
    commands, end = [], None
    for line in lines:
        if end is not None:
            commands[-1][0] += "\n" + line
            end = None if line == end else end
        elif line.startswith("$ "):
            commands.append([line[2:], []])
            here = re.search(r"<<\s*(\w+)", line)
            end = here[1] if here else None
        else:
            commands[-1][1].append(line)
    return commands


def matches(wanted, got):
    """Whether the output is as written; … stands for anything."""
    pattern = "".join(f"{re.escape(line)}\n" for line in wanted).replace("…", ".*")
    return re.fullmatch(pattern, got) is not None


def run_console(scratch, lines):
    for command, wanted in split_commands(lines):
        status, got = scratch.run(command)
        if status != 0:
            return [f"$ {command}", f"status {status}", got]
        if not matches(wanted, got):
            return [f"$ {command}", "gives", got, "expected", "\n".join(wanted)]
    return []


def check_c(scratch, name):
    flags = "-Wall -Wextra -Wno-unused-parameter -Wno-missing-field-initializers -Werror -fsyntax-only"
    modules = "colloquy-host-1 colloquy-testing-1"
    status, got = scratch.run(f"cc {flags} {shlex.quote(name)} "
                              f"$(PKG_CONFIG_PATH={shlex.quote(BUILD)}/meson-uninstalled pkg-config --cflags {modules})")
    return [got] if status != 0 else []


def check_graphs(scratch, names):
    """All graphs of a page, with the plugins that the page has built."""
    status, got = scratch.run(f"CLQ_PLUGIN_PATH=$PWD/build/plugins:$PWD ./run check {shlex.join(names)}")
    return [got] if status != 0 else []


def check_quote(path, lines):
    try:
        text = "\n" + "\n".join(pages.read_lines(os.path.join(ROOT, path))) + "\n"
    except OSError as error:
        return [str(error)]
    return [] if "\n" + "\n".join(lines) + "\n" in text else [f"{path} does not have these lines one after the other"]


def check_block(scratch, language, mark, value, lines):
    if language == "console" and mark is None:
        return run_console(scratch, lines)
    if language in ("ini", "c") and mark == "file":
        scratch.write(value, lines)
        return check_c(scratch, value) if language == "c" else []
    if language in ("ini", "c") and mark == "from":
        return check_quote(value, lines)
    if language in CHECKED or mark is not None:
        return ["nothing checks this block; tests/README.md lists the marks"]
    return []


def anchors(path):
    """What links to a heading may say, as hosting sites make it of the heading."""
    lines = pages.read_lines(path)
    headings = [line.lstrip("#").strip().lower() for line in lines if line.startswith("#")]
    return [re.sub(r"[^\w\- ]", "", heading).replace(" ", "-") for heading in headings]


def check_links(page, made):
    """Links lead somewhere, and files that are named are there."""
    folder = os.path.dirname(os.path.join(ROOT, page))
    lines = pages.read_lines(os.path.join(ROOT, page))
    text = re.sub(r"^```.*?^```", "", "\n".join(lines), flags=re.DOTALL | re.MULTILINE)
    wrong = []
    for target, anchor in LINK.findall(text):
        path = os.path.normpath(os.path.join(folder, target)) if target else os.path.join(ROOT, page)
        if not os.path.exists(path):
            wrong.append(f"there is no {target}")
        elif anchor and anchor not in anchors(path):
            wrong.append(f"{target} has no heading #{anchor}")
    for name in pages.words(text):
        if FILE_NAME.fullmatch(name) and name not in made and not any(
                os.path.exists(os.path.join(start, name)) for start in (folder, ROOT)) and not glob.glob(
                    os.path.join(ROOT, "[!b.]*", "**", os.path.basename(name)), recursive=True):
            wrong.append(f"there is no {name}")
    return wrong


def page_cases(page):
    scratch = Scratch()
    blocks = pages.find_blocks(pages.read_lines(os.path.join(ROOT, page)))
    made = {value for _, _, mark, value, _ in blocks if mark == "file"}
    cases = [(f"{page}: links", lambda: check_links(page, made))]
    for number, language, mark, value, lines in blocks:
        def run(language=language, mark=mark, value=value, lines=lines):
            return check_block(scratch, language, mark, value, lines)
        if language in CHECKED or mark is not None:
            cases.append((f"{page}:{number}: {language} {value or ''}".rstrip(), run))
    graphs = sorted(name for name in made if name.endswith(".graph"))
    if graphs:
        cases.append((f"{page}: graphs", lambda: check_graphs(scratch, graphs)))
    return cases


def try_graph(path):
    """Runs what the first lines of a graph say; 5 is a session that waits."""
    commands = []
    for line in pages.read_lines(path):
        if not line.startswith("#"):
            break
        if line.startswith("#     "):
            commands[-1] += "\n" + line[1:].strip()
        elif line.startswith("#   "):
            commands.append(line[1:].strip())
    if not commands:
        return ["the first lines do not say what to try"]
    scratch = Scratch()
    wrong = []
    for command in commands:
        status, got = scratch.run(command)
        if status not in (0, 5) or not got:
            wrong += [f"$ {command}", f"status {status}", got]
    return wrong


def main():
    os.umask(0o022)
    cases = [case for page in pages.find_pages(ROOT) for case in page_cases(page)]
    for path in sorted(glob.glob(os.path.join(ROOT, "config/graphs/*.graph"))):
        cases.append((f"{os.path.relpath(path, ROOT)}: what to try", lambda path=path: try_graph(path)))
    return pages.report(cases)


if __name__ == "__main__":
    sys.exit(main())
