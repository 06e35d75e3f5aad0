#!/usr/bin/env python3
"""TAP: conversations with models that aimock plays: test-aimock.py COLLOQUY FOLDER

aimock is a server that nobody here has written, so what it understands is what others mean by OpenAI's interface. FOLDER is
where npm puts it.
"""

import concurrent.futures
import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True  # the source tree stays as it is
from aimock import PATIENCE, Aimock, Unreachable, install  # noqa: E402

COLLOQUY, FOLDER = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
SECRET = "sk-aimock-test-key"
LONG = " ".join(f"Sentence {n} of a reply that comes in many pieces." for n in range(1, 21))
RETRY = 20
TALKS, TURNS = 10, 100

FIXTURES = [
    {"match": {"userMessage": "what time", "hasToolResult": False}, "response": {"toolCalls": [{"name": "clock_now", "arguments": {"timezone": "Europe/Berlin"}}]}},
    {"match": {"userMessage": "what time", "hasToolResult": True}, "response": {"content": "It is late."}},
    {"match": {"userMessage": "cut off"}, "response": {"content": LONG}, "truncateAfterChunks": 4},
    {"match": {"userMessage": "slowly"}, "response": {"content": LONG}, "latency": 5, "chunkSize": 50},
    {"match": {"userMessage": "stumble", "sequenceIndex": 0}, "response": {"error": {"message": "not now", "type": "server_error"}, "status": 503}},
    {"match": {"userMessage": "stumble"}, "response": {"content": "Here I am again."}},
    {"match": {"userMessage": "hello"}, "response": {"content": LONG}},
]

GRAPH = f"""[graph]
format=1
name=model
initial=talking
actions=message

[state talking]
node.message=basic.reply
retry={RETRY}
backoff=1ms..20ms
tools=clock.now

[transitions]
talking.message=@stay
talking.replied=@stay
talking.silent=@stay
talking.failed=@stay
"""


class Talk:
    """A conversation over `colloquy pipe`."""

    def __init__(self, server, *options, store="memory"):
        self.folder = tempfile.TemporaryDirectory(prefix="clq-models-")
        os.makedirs(os.path.join(self.folder.name, "graphs"))
        self.write("graphs/model.graph", GRAPH)
        agent = f"kind=openai.chat\nendpoint={server.url}/v1\nmodel=gpt-4o-mini\napi-key=env:AIMOCK_KEY\n"
        self.write("colloquy.conf", f"[agent assistant]\n{agent}[agent plain]\nstream=false\n{agent}")
        self.env = dict(os.environ, CLQ_CONFIG_DIR=self.folder.name, AIMOCK_KEY=SECRET)
        self.process = subprocess.Popen([COLLOQUY, "pipe", "model", "--store", store, "--agents", *options], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                        text=True, env=self.env)

    def write(self, name, text):
        with open(os.path.join(self.folder.name, name), "w", encoding="utf-8") as file:
            file.write(text)

    def ask(self, **request):
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        assert line, f"colloquy has ended with {self.process.wait()}"
        assert SECRET not in line, line
        return json.loads(line)

    def say(self, text):
        return self.ask(do="message", text=text)

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        assert self.process.wait(PATIENCE) == 0

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()
        self.folder.cleanup()


def said(answer):
    return [message["text"] for message in answer["said"]]


def events(answer):
    return [step["event"] for step in answer["transitions"]]


def once(*options):
    """A conversation in which nothing is tried again."""
    return ["--set", "state talking.retry=0", *options]


def last_failure(talk):
    """Why the last visit has failed, from the journal."""
    records = talk.ask(do="journal")["result"]
    return json.dumps([record for record in records if "failed" in json.dumps(record)][-1])


def check_whole(server, *options):
    before = len(server.journal())
    with Talk(server, *once(*options)) as talk:
        assert said(talk.say("hello")) == [LONG]
    assert len(server.journal()) == before + 1
    return server.journal()[-1]


def test_plain(server):
    request = check_whole(server, "--set", "state talking.agent=plain")
    assert "stream" not in request["body"], request


def test_streamed(server):
    request = check_whole(server)
    assert request["body"]["stream"] is True and request["body"]["stream_options"] == {"include_usage": True}, request


def test_latency(server):
    with Talk(server, *once()) as talk:
        assert said(talk.say("slowly")) == [LONG]


def test_tools(server):
    before = len(server.journal())
    with Talk(server, *once()) as talk:
        assert said(talk.say("what time is it?")) == ["It is late."]
    first, second = (request["body"] for request in server.journal()[before:])
    assert [tool["function"]["name"] for tool in first["tools"]] == ["clock_now"], first
    asked, given = second["messages"][-2:]
    assert asked["tool_calls"][0]["function"]["name"] == "clock_now", asked
    assert json.loads(asked["tool_calls"][0]["function"]["arguments"]) == {"timezone": "Europe/Berlin"}, asked
    assert given["role"] == "tool" and given["tool_call_id"] == asked["tool_calls"][0]["id"] and "Europe/Berlin" in given["content"], given


def test_usage(server):
    """What the server says it was, not our own guess."""
    told = server.ask("/v1/chat/completions", "POST", {"model": "gpt-4o-mini", "messages": [{"role": "user", "content": "hello"}]})["usage"]
    for agent in ("assistant", "plain"):
        with Talk(server, *once("--set", f"state talking.agent={agent}")) as talk:
            talk.say("hello")
            call = talk.ask(do="calls")["result"][-1]
            assert (call["tokensIn"], call["tokensOut"]) == (told["prompt_tokens"], told["completion_tokens"]), (call, told)


def test_rate_limit(server):
    """The server says a second, the graph a millisecond: the longer one counts."""
    with Talk(server, "--clock=manual") as talk:
        server.ask("/__aimock/chaos", "POST", {"rateLimitRate": 1})
        before = len(server.journal())
        answer = talk.say("hello")
        assert answer["status"] == "running" and said(answer) == [], answer
        assert said(talk.ask(do="advance", seconds=0.999)) == []
        assert len(server.journal()) == before + 1, "asked again too early"
        server.ask("/__aimock/chaos", "DELETE")
        assert said(talk.ask(do="advance", seconds=0.001)) == [LONG]
        assert len(server.journal()) == before + 2


def check_failure(server, text, chaos, *words):
    if chaos:
        server.ask("/__aimock/chaos", "POST", chaos)
    try:
        with Talk(server, *once()) as talk:
            answer = talk.say(text)
            assert said(answer) == [], answer
            failure = last_failure(talk)
            assert all(word in failure for word in words), failure
    finally:
        server.ask("/__aimock/chaos", "DELETE")


def test_malformed(server):
    check_failure(server, "hello", {"malformedRate": 1}, "recoverable", "no JSON")


def test_disconnected(server):
    check_failure(server, "hello", {"disconnectRate": 1}, "recoverable", "connection")


def test_broken(server):
    check_failure(server, "hello", {"dropRate": 1}, "recoverable", "a problem of its own, status 500")


def test_cut_off(server):
    """What has come of a reply is not a reply."""
    check_failure(server, "cut off", None, "recoverable")


def test_unknown(server):
    check_failure(server, "nobody has an answer to this", None, "critical", "check model and endpoint of agent 'assistant'")


def converse(server):
    """One conversation through the storm: how many retries it took. The clock is moved whenever an attempt waits for it."""
    retries = 0
    with Talk(server, "--clock=manual") as talk:
        for _ in range(TURNS):
            answer = talk.say("hello")
            happened = events(answer)
            while answer["status"] == "running":
                answer = talk.ask(do="advance", seconds=1)
                happened += events(answer)
            assert said(answer) == [LONG], answer
            assert happened.count("retry") <= RETRY, happened
            retries += happened.count("retry")
    return retries


def test_storm(server):
    before = len(server.journal())
    server.ask("/__aimock/chaos", "POST", {"dropRate": 0.12, "malformedRate": 0.1, "disconnectRate": 0.08, "rateLimitRate": 0.04})
    try:
        with concurrent.futures.ThreadPoolExecutor(TALKS) as pool:
            retries = sum(pool.map(lambda _: converse(server), range(TALKS)))
    finally:
        server.ask("/__aimock/chaos", "DELETE")
    requests = len(server.journal()) - before
    print(f"# {TALKS * TURNS} replies, {requests} requests, {retries} retries, {100 * retries / requests:.0f} % faults", flush=True)
    # An attempt is a request, and a second one if the connection that was kept for it broke before anything came back.
    attempts = TALKS * TURNS + retries
    assert attempts <= requests <= 2 * attempts, (requests, retries)
    assert retries / requests > 0.2, "aimock was too kind"


def run(talk, *arguments, status=0):
    done = subprocess.run([COLLOQUY, *arguments], text=True, capture_output=True, timeout=PATIENCE, env=talk.env, check=False)
    assert done.returncode == status, f"{arguments} ended with {done.returncode}: {done.stdout}{done.stderr}"
    return done.stdout


def check_altered(talk, fixture, where, old, new, seq, reason):
    """One byte of the record at @where is changed: that is seen at @seq, and said."""
    with open(fixture, encoding="utf-8") as file:
        lines = file.read().split("\n")
    number = next(number for number, line in enumerate(lines) if line.startswith(f'{{"seq":{where},'))
    assert lines[number].count(old) == 1 and sum(a != b for a, b in zip(old, new)) == 1, (old, lines[number])
    lines[number] = lines[number].replace(old, new)
    with open(fixture + ".altered", "w", encoding="utf-8") as file:
        file.write("\n".join(lines))
    report = json.loads(run(talk, "replay", fixture + ".altered", "--json", status=1))
    assert report["equal"] is False and report["seq"] == seq and reason in report["reason"], report


def test_replay(_):
    """What was recorded in real time from a server runs again without it: streamed, with a tool and with a failure."""
    with tempfile.TemporaryDirectory(prefix="clq-replay-") as scratch:
        store, fixture = f"sqlite:{scratch}/sessions.db", os.path.join(scratch, "fixture.json")
        with Aimock(FOLDER, scratch, FIXTURES) as server, Talk(server, store=store) as talk:
            assert said(talk.say("hello")) == [LONG]
            answer = talk.say("what time is it?")
            assert said(answer) == ["It is late."]
            talk.close()
            assert "Here I am again." in run(talk, "say", answer["session"], "stumble", "--store", store)
            server.close()
            report = json.loads(run(talk, "replay", answer["session"], "--store", store, "--json", "--promote", fixture))
            assert report["equal"], report
            check_altered(talk, fixture, 11, '"replied"', '"replies"', 11, "ends with 'replied', not with 'replies'")
            check_altered(talk, fixture, 5, '"tokensOut":248', '"tokensOut":249', 0, "the session's tokensOut")
            check_altered(talk, fixture, 9, '"clock.now', '"clock.non', 10, "something else is asked")
            check_altered(talk, fixture, 17, "not now", "not new", 16, "'retry' has another reason")


TESTS = [test_plain, test_streamed, test_usage, test_latency, test_tools, test_rate_limit, test_malformed, test_disconnected, test_broken, test_cut_off,
         test_unknown, test_replay, test_storm]


def main():
    try:
        install(FOLDER)
    except Unreachable as reason:
        print(f"1..0 # SKIP npm cannot be reached: {reason}")
        return 0
    failed = 0
    print(f"1..{len(TESTS)}", flush=True)
    with tempfile.TemporaryDirectory(prefix="clq-aimock-") as scratch, Aimock(FOLDER, scratch, FIXTURES) as server:
        for number, test in enumerate(TESTS, 1):
            name = test.__name__.removeprefix("test_").replace("_", "-")
            try:
                test(server)
                print(f"ok {number} - {name}", flush=True)
            except Exception as error:  # pylint: disable=broad-except
                failed += 1
                print(f"not ok {number} - {name}", flush=True)
                for line in f"{type(error).__name__}: {error}".splitlines():
                    print(f"# {line[:2000]}", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
