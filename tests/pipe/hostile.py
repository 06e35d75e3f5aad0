#!/usr/bin/env python3
"""TAP: bad input on `colloquy pipe` gets one clear error line, and the next request works: hostile.py COLLOQUY."""

import json
import subprocess
import sys

SHOW = b'{"do":"show"}\n'
CASES = [
    ("nested-arrays", b"[" * 100_000 + b"\n", "deep"),
    ("nested-objects", b'{"a":' * 100_000 + b"\n", "deep"),
    ("nested-and-closed", b"[" * 100_000 + b"]" * 100_000 + b"\n", "deep"),
    ("invalid-utf8", b'{"do":"message","text":"\xff\xfe"}\n', "UTF-8"),
    ("lone-surrogate", b'{"do":"message","text":"\\ud800"}\n', "surrogate"),
    ("nul-byte", b'{"do":"sh\x00ow"}\n', ""),
    ("nul-escape", b'{"do":"message","text":"\\u0000"}\n', ""),
    ("line-of-50-mb", b'{"do":"message","text":"' + b"x" * 50_000_000 + b'"}\n', "longer than 16777216 bytes"),
    ("line-at-the-limit", b'{"do":"message","text":"' + b"x" * (16 * 1024 * 1024 - 26) + b'"}\n', None),
    ("unknown-request", b'{"do":"explode"}\n', "there is no request 'explode'"),
    ("two-objects", b'{"do":"show"}{"do":"show"}\n', ""),
    ("number", b"42\n", "expected an object"),
    ("huge-number", b'{"do":"advance","seconds":1e999}\n', ""),
    ("duplicate-key", b'{"do":"show","do":"show"}\n', "do"),
    ("binary", bytes(set(range(256)) - {10}) + b"\n", ""),
]


def run(program, data):
    done = subprocess.run([program, "pipe", "chat", "--clock=manual"], input=data, capture_output=True, timeout=120, check=False)
    if done.returncode != 0 or done.stderr:
        raise AssertionError(f"exit status {done.returncode}: {done.stderr[-500:]}")
    return [json.loads(line) for line in done.stdout.splitlines()]


def check(program, data, words):
    """Why a case fails; None if it passes."""
    answers = run(program, b'{"do":"action","name":"start"}\n' + data + SHOW)
    if len(answers) != 3:
        return f"{len(answers)} answers"
    if words is None:
        return None if answers[1]["ok"] else f"refused: {answers[1]['error']}"
    if answers[1]["ok"] or answers[1]["error"]["code"] != "bad-input":
        return f"taken: {json.dumps(answers[1])[:300]}"
    message = answers[1]["error"]["message"]
    if words not in message or "\n" in message or len(message) > 300:
        return f"unclear: {message[:300]}"
    if not answers[2]["ok"] or answers[2]["state"] != "STREAMING":
        return "the next request does not work"
    return None


def main(program):
    print(f"1..{len(CASES) + 1}", flush=True)
    failed = 0
    for number, (name, data, words) in enumerate(CASES, 1):
        why = check(program, data, words)
        failed += why is not None
        print(f"{'not ok' if why else 'ok'} {number} - hostile/{name}" + (f"\n# {why}" if why else ""), flush=True)
    answers = run(program, b"\n  \r\n" + SHOW.replace(b"\n", b"\r\n") + b'{"do":"show"}')
    good = len(answers) == 2 and all(answer["ok"] for answer in answers)
    failed += not good
    print(f"{'ok' if good else 'not ok'} {len(CASES) + 1} - hostile/empty-lines-and-no-last-newline")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
