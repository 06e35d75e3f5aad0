"""Whether the sessions of a store run again as they ran."""

import json
import subprocess


def replay(program, store, folder=None):
    """Why they do not; None if they do. Graphs with a path are looked for in the folder."""
    done = subprocess.run([program, "replay", "--all", "--json", "--store", store], cwd=folder, text=True, capture_output=True,
                          timeout=240, check=False)
    reports = [json.loads(line) for line in done.stdout.splitlines()]
    different = [report for report in reports if not report["equal"]]
    if different:
        return f"{len(different)} of {len(reports)} sessions differ: {json.dumps(different[0], indent=1)}"
    if done.returncode != 0:
        return f"exit status {done.returncode}: {done.stderr}"
    return None
