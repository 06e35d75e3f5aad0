#!/usr/bin/env python3
"""TAP: what the request workflow keeps, finds again and learns: flow.py COLLOQUY"""

import os
import re
import sys
import tempfile

from talk import Talk, path_of, run

UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
ISO = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z")
ALL = ["REQUEST_RECEIVED", "CONTEXT_SEARCH", "EXECUTING", "CONTEXT_UPDATE", "HUMAN_REVIEW"]
STAGES = ["request", "context_search", "execution", "execution_result", "review_result"]
CODE = "Here it is.\n\n```c\nint x;\n```"


def fits(value, shape, where="entry"):
    """Compares a record with the shape of its stage: the same members, in the same order, each of its type."""
    if isinstance(shape, dict):
        assert isinstance(value, dict) and list(value) == list(shape), f"{where}: {list(value)}, expected {list(shape)}"
        for name, inner in shape.items():
            fits(value[name], inner, f"{where}.{name}")
    elif isinstance(shape, list):
        assert isinstance(value, list), where
        for item in value:
            fits(item, shape[0], f"{where}[]")
    elif isinstance(shape, re.Pattern):
        assert isinstance(value, str) and shape.fullmatch(value), f"{where}: {value!r}"
    elif isinstance(shape, set):
        assert value in shape, f"{where}: {value!r}"
    else:
        assert isinstance(value, shape) and isinstance(value, bool) == (shape is bool), f"{where}: {value!r}"


SHAPES = {
    "request": {"type": {"request"}, "request_id": UUID, "content": str, "metadata": {
        "estimated_complexity": {"simple", "medium", "complex"}, "request_type": {"code", "docs", "refactor", "query"}, "timestamp": ISO}},
    "context_search": {"type": {"context_search"}, "request_id": UUID, "queries": [str], "results_count": int,
                       "relevance_scores": [(int, float)], "search_duration_ms": int},
    "execution": {"type": {"execution"}, "request_id": UUID, "status": {"in_progress", "completed", "failed"}, "progress_updates": [str],
                  "patterns_applied": [str], "execution_duration_ms": int, "result_preview": str},
    "execution_result": {"type": {"execution_result"}, "request_id": UUID, "result": {
        "output": str, "success": bool, "patterns_discovered": [str], "metrics": {
            "tokens_used": int, "execution_time_ms": int, "context_relevance": (int, float)}},
        "storage_status": {"success", "failed"}, "context_links": [UUID]},
    "review_result": {"type": {"review_result"}, "request_id": UUID, "decision": {"approved", "rejected", "modify"}, "feedback": str,
                      "review_duration_ms": int, "modifications_requested": [str]},
}


OTHER_SHAPES = {
    "abort": {"type": {"abort"}, "request_id": UUID, "state": set(ALL), "reason": str, "partial_result": (str, type(None)), "tags": [str]},
    "error": {"type": {"error"}, "request_id": UUID, "state": set(ALL), "class": {"recoverable", "critical", "user", "auth"}, "message": str,
              "content": str, "partial_result": (str, type(None)), "tags": [str]},
    "pattern": {"type": {"pattern"}, "request_id": UUID, "name": str, "seen": int, "confidence": (int, float), "tags": [str], "links": [UUID]},
}


def check_cycle(entries):
    assert [entry["type"] for entry in entries] == STAGES, [entry["type"] for entry in entries]
    assert len({entry["request_id"] for entry in entries}) == 1
    for entry in entries:
        fits(entry, SHAPES[entry["type"]])


def records_of_a_cycle(program):
    talk = Talk(program, "task")
    talk.script("assistant", {"after": 12, "reply": CODE + "x" * 600})
    talk.script("analyst", {"after": 0.5, "reply": "{}"}, {"after": 2, "reply": '["date parser"]'}, "[]")
    talk.say("Write a parser for dates.")
    talk.ask("advance", seconds=0.5)
    talk.ask("advance", seconds=2)
    talk.ask("advance", seconds=12)
    talk.ask("advance", seconds=45)
    talk.act("approve", feedback="good")
    entries = talk.entries()
    check_cycle(entries)
    request, search, execution, result, review = entries
    assert request["content"] == "Write a parser for dates."
    assert request["metadata"] == {"estimated_complexity": "simple", "request_type": "code", "timestamp": "2026-01-01T00:00:00.000Z"}
    assert search["queries"] == ["parser dates", "date parser"] and search["search_duration_ms"] == 2000
    assert search["results_count"] == 0 and search["relevance_scores"] == []
    assert execution["status"] == "completed" and execution["execution_duration_ms"] == 12000
    assert execution["result_preview"] == (CODE + "x" * 600)[:500]
    assert len(execution["progress_updates"]) == 4, execution["progress_updates"]
    assert result["result"]["output"] == CODE + "x" * 600 and result["result"]["success"] is True
    assert result["result"]["metrics"]["execution_time_ms"] == 12000 and result["result"]["metrics"]["tokens_used"] > 0
    assert result["storage_status"] == "success"
    assert review["decision"] == "approved" and review["feedback"] == "good" and review["review_duration_ms"] == 45000
    talk.end()


def a_change_is_recorded(program):
    talk = Talk(program, "task")
    talk.script("assistant", CODE, CODE)
    talk.say("Write a parser for dates.")
    talk.act("modify", text="shorter")
    talk.act("reject", feedback="worse")
    entries = talk.entries()
    check_cycle(entries[:5])
    check_cycle(entries[5:])
    assert entries[4]["decision"] == "modify" and entries[4]["modifications_requested"] == ["shorter"]
    assert entries[5]["content"] == "Write a parser for dates.\n\nChange: shorter"
    assert entries[9]["decision"] == "rejected" and entries[0]["request_id"] != entries[5]["request_id"]
    talk.end()


def begin(program, stage):
    """A request that stands still in one of the stages."""
    talk = Talk(program, "task")
    talk.script("analyst", *[{"after": 3 if number == stage else 0, "reply": reply} for number, reply in zip([0, 1, 3], ["{}", "[]", "[]"])])
    talk.script("assistant", {"after": 3 if stage == 2 else 0, "reply": CODE})
    answer = talk.say("Write a parser for dates.")
    assert answer["state"] == ALL[stage], answer
    return talk


def an_abort_is_recorded_in_each_state(program):
    for stage, state in enumerate(ALL):
        talk = begin(program, stage)
        answer = talk.act("abort", reason=f"enough of {stage}")
        assert answer["state"] == "IDLE" and answer["status"] == "resting", answer
        entries = talk.entries()
        fits(entries[-1], OTHER_SHAPES["abort"])
        assert entries[-1]["state"] == state and entries[-1]["reason"] == f"enough of {stage}" and entries[-1]["tags"] == ["abort"]
        # What was done before stays: the result, once there is one.
        assert [entry["type"] for entry in entries[:-1]] == STAGES[:[0, 1, 3, 4, 4][stage]], entries
        talk.ask("advance", seconds=100)
        assert talk.entries() == entries  # what comes too late is dropped
        talk.end()


def an_error_is_recorded(program):
    talk = Talk(program, "task")
    talk.script("assistant", {"error": "critical", "message": "it broke"})
    answer = talk.say("Write a parser for dates.")
    assert answer["state"] == "IDLE" and answer["data"]["error"]["suggestion"], answer
    entry = talk.entries()[-1]
    fits(entry, OTHER_SHAPES["error"])
    assert entry["state"] == "EXECUTING" and entry["class"] == "critical" and entry["message"] == "it broke" and entry["tags"] == ["error", "critical"]
    talk.end()


def learns(program):
    """The fourth request finds the first three, best first, and uses what they have in common."""
    talk = Talk(program, "task")
    talk.script("assistant", *[CODE] * 5)
    for text in ["Write a parser for calendar dates.", "Write a parser for mail headers.", "Write a parser for big numbers."]:
        talk.say(text)
        talk.act("approve")
    answer = talk.say("Write a parser for calendar dates in mail.")
    assert path_of(answer) == ALL
    context = answer["data"]["context"]
    requests = [entry for entry in talk.entries() if entry["type"] == "request"]
    assert context["results_count"] == 3
    assert context["links"][0] == requests[0]["request_id"] and set(context["links"]) == {entry["request_id"] for entry in requests[:3]}
    assert "code:parser" in context["patterns_applied"], context
    entries = {entry["type"]: entry for entry in talk.entries() if entry["request_id"] == requests[3]["request_id"]}
    scores = entries["context_search"]["relevance_scores"]
    assert len(scores) == 3 and scores == sorted(scores, reverse=True) and all(0 < score <= 1 for score in scores)
    assert entries["execution"]["patterns_applied"] == context["patterns_applied"]
    assert entries["execution_result"]["context_links"] == context["links"]
    assert "code:parser" in entries["execution_result"]["result"]["patterns_discovered"]
    assert entries["execution_result"]["result"]["metrics"]["context_relevance"] == scores[0]
    seen = {pattern["name"]: pattern for pattern in answer["data"]["patterns"]}
    assert seen["code:parser"]["seen"] == 4 and seen["code:parser"]["confidence"] > 0.7
    before = seen["code:parser"]["confidence"]
    after = {pattern["name"]: pattern for pattern in talk.act("reject")["data"]["patterns"]}["code:parser"]["confidence"]
    assert abs(after - 0.7 * before) < 1e-9
    patterns = [entry for entry in talk.entries() if entry["type"] == "pattern"]
    assert patterns and patterns[0]["seen"] == 3 and patterns[0]["tags"] == ["pattern", "code"]
    for pattern in patterns:
        fits(pattern, OTHER_SHAPES["pattern"])
    talk.end()


GRAPH = os.path.join(os.environ["CLQ_CONFIG_DIR"], "graphs", "task.graph")


def configure(folder, lines):
    """The agents of `colloquy pipe --agents`; gives the environment."""
    with open(f"{folder}/colloquy.conf", "w", encoding="utf-8") as file:
        file.write("[agent assistant]\nkind=scripted.agent\n" + lines)
    return {"CLQ_CONFIG_DIR": folder}


def the_agent_sees_what_was_found(program):
    with tempfile.TemporaryDirectory() as folder:
        store = f"sqlite:{folder}/store.db"
        talk = Talk(program, "task", "--store", store)
        talk.script("assistant", "```py\nimport zoneinfo\n```")
        talk.say("Write a parser for calendar dates.")
        talk.act("approve")
        talk.end()
        # Another session, another host; the agent answers with what it was asked.
        env = configure(folder, 'rules=[{"match":"(?s)(.+)","reply":"Asked: \\\\\\\\1"}]\n')
        talk = Talk(program, GRAPH, "--store", store, "--agents", "--session", "019a0000-0000-7000-8000-000000000001", env=env)
        answer = talk.say("Explain the parser for calendar dates.")
        assert path_of(answer) == ALL, answer
        asked = answer["said"][0]["text"]
        assert "import zoneinfo" in asked and "approved" in asked and "Write a parser for calendar dates." in asked, asked
        talk.end()


def patterns_reach_other_sessions(program):
    with tempfile.TemporaryDirectory() as folder:
        arguments = ["task", "--store", f"sqlite:{folder}/store.db", "--session"]
        talk = Talk(program, *arguments, "019a0000-0000-7000-8000-000000000001")
        talk.script("assistant", *[CODE] * 3)
        for text in ["Write a parser for dates.", "Write a parser for mail.", "Write a parser for numbers."]:
            talk.say(text)
            talk.act("approve")
        talk.end()
        talk = Talk(program, *arguments, "019a0000-0000-7000-8000-000000000002")
        talk.script("assistant", CODE)
        answer = talk.say("Write a parser for colours.")
        assert answer["data"]["context"]["patterns_applied"] == ["code:parser"], answer["data"]
        talk.end()


def patterns_fade_and_are_forgotten(program):
    talk = Talk(program, "task")
    patterns = [{"name": "code:old", "seen": 9, "confidence": 0.5, "at": "2025-10-01T00:00:00.000Z"},
                {"name": "code:new", "seen": 9, "confidence": 0.5, "at": "2025-12-31T00:00:00.000Z"}]
    talk.ask("put", state="IDLE", data={"patterns": patterns})
    answer = talk.ask("advance", seconds=300)
    assert [pattern["name"] for pattern in answer["data"]["patterns"]] == ["code:new"], answer["data"]
    assert 0.48 < answer["data"]["patterns"][0]["confidence"] < 0.4901
    talk.end()


def rejections_make_a_pattern_go(program):
    talk = Talk(program, "task")
    talk.script("assistant", *[CODE] * 9)
    for text in ["dates", "mail", "numbers"]:
        talk.say(f"Write a parser for {text}.")
        talk.act("approve")
    names = []
    for text in ["colours", "names", "places", "times", "words"]:
        talk.say(f"Write a parser for {text}.")
        talk.script("assistant", CODE)
        names = [pattern["name"] for pattern in talk.act("reject").get("data").get("patterns", [])]
        talk.ask("put", state="HUMAN_REVIEW")
        for _ in range(2):
            names = [pattern["name"] for pattern in talk.act("reject")["data"].get("patterns", [])]
            talk.ask("put", state="HUMAN_REVIEW")
        talk.act("abort")
    assert "code:parser" not in names, names
    talk.end()


def the_analysis_finds_what_was_put_off(program):
    talk = Talk(program, "task")
    talk.script("assistant", *[CODE] * 3)
    talk.ask("fault", what="search", on=True)
    for text in ["dates", "mail", "numbers"]:
        talk.say(f"Write a parser for {text}.")
        answer = talk.act("approve")
    assert "patterns" not in answer["data"], answer["data"]
    talk.ask("fault", what="search", on=False)
    answer = talk.ask("advance", seconds=300)
    assert [(pattern["name"], pattern["seen"]) for pattern in answer["data"]["patterns"]] == [("code:parser", 3)]
    talk.end()


# ---- while the context manager is away ----

def goes_on_without(program):
    talk = Talk(program, "task")
    talk.script("assistant", CODE, CODE)
    talk.ask("fault", what="search", on=True)
    answer = talk.say("Write a parser for dates.")
    assert path_of(answer) == ALL and [move["event"] for move in answer["transitions"]] == ["message", "valid", "failed", "completed", "failed"]
    assert len(answer["warnings"]) == 2 and "without context" in answer["warnings"][0] and "waits to be stored" in answer["warnings"][1]
    assert answer["data"]["result"]["storage_status"] == "failed" and answer["data"]["queue"]["count"] == 4
    assert "It waits to be stored." in answer["said"][-1]["text"]
    answer = talk.act("approve")
    assert answer["state"] == "IDLE" and answer["data"]["queue"]["count"] == 5 and talk.entries() == []
    # Tried again after 30 s, then after a minute.
    answer = talk.ask("advance", seconds=30)
    assert answer["data"]["queue"] == {"count": 5, "attempts": 2} and talk.entries() == []
    talk.ask("fault", what="search", on=False)
    assert talk.ask("advance", seconds=59.999)["data"]["queue"]["count"] == 5
    assert "queue" not in talk.ask("advance", seconds=0.001)["data"]
    check_cycle(talk.entries())
    talk.say("Write a parser for mail.")
    talk.act("approve")
    check_cycle(talk.entries()[5:])
    talk.end()


def progress_is_kept_while_it_is_away(program):
    updates = []
    for is_away in (False, True):
        talk = Talk(program, "task")
        talk.script("assistant", {"after": 12, "reply": CODE})
        talk.ask("fault", what="search", on=is_away)
        talk.say("Write a parser for dates.")
        assert talk.ask("advance", seconds=12)["state"] == "HUMAN_REVIEW"
        assert bool(talk.entries()) != is_away
        talk.ask("fault", what="search", on=False)
        talk.act("approve")
        entries = talk.entries()
        check_cycle(entries)
        updates.append(entries[2]["progress_updates"])
        talk.end()
    assert updates[0] == updates[1] and len(updates[0]) == 4, updates


def away_at_each_stage(program):
    """It goes away, or comes back, before each event: everything is kept, in order, once."""
    for gone in range(6):
        for back in range(gone + 1, 7):
            talk = Talk(program, "task")
            talk.script("analyst", *[{"after": 1, "reply": reply} for reply in ["{}", "[]", "[]"] * 2])
            talk.script("assistant", {"after": 1, "reply": CODE}, {"after": 1, "reply": CODE})
            steps = [lambda: talk.say("Write a parser for dates."), *[lambda: talk.ask("advance", seconds=1)] * 4, lambda: talk.act("approve")]
            for number, step in enumerate(steps):
                if number == gone:
                    talk.ask("fault", what="search", on=True)
                if number == back:
                    talk.ask("fault", what="search", on=False)
                answer = step()
            assert answer["state"] == "IDLE", (gone, back, answer)
            talk.ask("fault", what="search", on=False)
            talk.ask("advance", seconds=30)
            check_cycle(talk.entries())
            talk.end()


def killed_while_it_is_away(program):
    """Whatever has been acknowledged is kept, wherever the host is killed."""
    for last in range(6):
        with tempfile.TemporaryDirectory() as folder:
            arguments = ["task", "--store", f"sqlite:{folder}/store.db", "--session", "019a0000-0000-7000-8000-000000000001"]
            talk = Talk(program, *arguments)
            talk.ask("fault", what="search", on=True)
            talk.script("analyst", *[{"after": 1, "reply": reply} for reply in ["{}", "[]", "[]"]])
            talk.script("assistant", {"after": 1, "reply": CODE})
            steps = [lambda: talk.say("Write a parser for dates."), *[lambda: talk.ask("advance", seconds=1)] * 4, lambda: talk.act("approve")]
            for step in steps[:last + 1]:
                answer = step()
            waiting = talk.entries("contribution")
            talk.kill()
            # What ran is entered again, or a deadline that has passed meanwhile comes first.
            env = configure(folder, "fallback=Here it is.\n")
            talk = Talk(program, GRAPH, *arguments[1:], "--agents", "--now", "2026-01-01T00:00:07Z", env=env)
            answer = talk.ask("advance", seconds=1)
            if answer["state"] == "HUMAN_REVIEW":
                answer = talk.act("approve")
            answer = talk.ask("advance", seconds=3600)
            assert answer["state"] == "IDLE" and "queue" not in answer["data"], (last, answer)
            kept = talk.entries()
            assert [entry for entry in kept if entry["type"] in STAGES[:3]][:len(waiting)] == waiting[:3], (last, kept, waiting)
            if last == 0:
                assert [entry["type"] for entry in kept] == ["error"], kept
            else:
                check_cycle(kept)
            talk.end()


# ---- partial results ----

def slow(program, folder):
    env = configure(folder, "fallback=one two three four\npiece-delay=4min\n")
    talk = Talk(program, GRAPH, "--agents", env=env)
    talk.say("Explain the parser for dates.")
    return talk


def a_time_out_keeps_what_is_there(program):
    with tempfile.TemporaryDirectory() as folder:
        talk = slow(program, folder)
        answer = talk.ask("advance", seconds=600)
        assert answer["state"] == "HUMAN_REVIEW" and answer["data"]["result"]["partial"] is True
        assert answer["said"][0]["text"].split() == ["one", "two", "three"], answer["said"]
        talk.act("approve")
        entries = talk.entries()
        check_cycle(entries)
        assert entries[2]["status"] == "failed" and entries[3]["result"]["success"] is False
        assert entries[3]["result"]["output"].split() == ["one", "two", "three"]
        assert entries[2]["progress_updates"] == [f"stopped with {len(entries[3]['result']['output'])} characters after 600 s"]
        talk.end()


def an_abort_keeps_what_is_there(program):
    with tempfile.TemporaryDirectory() as folder:
        talk = slow(program, folder)
        talk.ask("advance", seconds=250)
        answer = talk.act("abort", reason="too slow")
        assert answer["state"] == "IDLE" and answer["data"]["result"]["preview"].split() == ["one", "two"], answer
        assert [message["text"].split()[0] for message in answer["said"]] == ["one", "Aborted."]
        entries = talk.entries()
        assert [entry["type"] for entry in entries] == ["request", "context_search", "execution", "execution_result", "abort"]
        assert entries[4]["state"] == "EXECUTING" and entries[4]["reason"] == "too slow"
        talk.end()


if __name__ == "__main__":
    run([records_of_a_cycle, a_change_is_recorded, an_abort_is_recorded_in_each_state, an_error_is_recorded, learns, the_agent_sees_what_was_found, patterns_reach_other_sessions,
         patterns_fade_and_are_forgotten, rejections_make_a_pattern_go, the_analysis_finds_what_was_put_off, goes_on_without,
         progress_is_kept_while_it_is_away, away_at_each_stage,
         killed_while_it_is_away, a_time_out_keeps_what_is_there, an_abort_keeps_what_is_there], sys.argv[1])
