"""Pages of documentation as data: blocks of code and tables."""

import os
import re

BLOCK = re.compile(r"^```(\w+)(?: +(\w+)=(\S+))?\s*$")
CELL = re.compile(r"(?<!\\)\|")


def find_pages(root):
    """All pages of the repository, as paths below root."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "build")))
        for name in sorted(files):
            if name.endswith(".md"):
                yield os.path.relpath(os.path.join(folder, name), root)


def read_lines(path):
    with open(path, encoding="utf-8") as file:
        return file.read().splitlines()


def find_blocks(lines):
    """The blocks of code: (line number, language, mark or None, value, lines)."""
    blocks, start = [], None
    for number, line in enumerate(lines, 1):
        if start is None and line.startswith("```"):
            match = BLOCK.match(line)
            if match is None:
                raise ValueError(f"line {number}: expected ```LANGUAGE or ```LANGUAGE MARK=VALUE")
            start, body = (number, *match.groups()), []
        elif start is not None and line == "```":
            blocks.append((*start, body))
            start = None
        elif start is not None:
            body.append(line)
    return blocks


def find_tables(lines):
    """The tables: (heading above it, names of the columns, rows), cells as text."""
    tables, heading, table = [], "", None
    for line in lines:
        if line.startswith("#"):
            heading = line.lstrip("#").strip()
        cells = [cell.strip() for cell in CELL.split(line.strip())[1:-1]] if line.startswith("|") else None
        if cells is None:
            table = None
        elif table is None:
            table = (heading, cells, [])
            tables.append(table)
        elif not all(set(cell) <= set(":-") for cell in cells) or not "".join(cells):
            table[2].append(cells)
    return tables


def words(cell):
    """What stands in backticks."""
    return re.findall(r"`([^`]+)`", cell)


def report(cases):
    """Runs (name, function) and speaks TAP; a function gives the list of what is wrong."""
    print(f"1..{len(cases)}", flush=True)
    failed = 0
    for number, (name, run) in enumerate(cases, 1):
        wrong = run()
        failed += bool(wrong)
        print(f"{'not ok' if wrong else 'ok'} {number} - {name}", flush=True)
        for text in wrong:
            for line in text.splitlines():
                print(f"# {line}", flush=True)
    return int(failed > 0)
