"""The endpoint client against a server that misbehaves in every way that is known."""

import gzip
import json
import socket
import sys
from collections import Counter
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest
from tests.biomedrag.protocol_server import Behaviour, Seen, fails, says, serving

from biochunk.biomedrag.readers.llm.client import EndpointLanguageModel
from biochunk.biomedrag.readers.llm.retry import retry_after, waits
from biochunk.biomedrag.readers.llm.usage import Completion, LanguageModel, Prices, Report
from biochunk.errors import BiochunkError, MissingExtraError, UsageError


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """The server is on this machine, whatever proxy the environment names."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")


def model(base_url: str, **options: Any) -> EndpointLanguageModel:
    return EndpointLanguageModel(base_url, "tiny", **{"retries": 2, "sleep": [].append, "timeout": 20.0, **options})


def ask(endpoint: EndpointLanguageModel, *prompts: str) -> list[Completion]:
    return list(endpoint.complete(prompts))


def test_request_has_the_protocols_shape():
    with serving(says("None")) as server:
        ask(model(server.base_url, max_tokens=7), "Say None.")
    (seen,) = server.seen
    assert seen.path == "/v1/chat/completions"
    assert seen.body == {
        "model": "tiny",
        "messages": [{"role": "user", "content": "Say None."}],
        "temperature": 0,
        "max_tokens": 7,
    }
    assert "Authorization" not in seen.headers


def test_older_protocol():
    with serving(says("None")) as server:
        (done,) = ask(model(server.base_url, api="completions"), "Say None.")
    assert server.seen[0].path == "/v1/completions"
    assert server.seen[0].body["prompt"] == "Say None."
    assert done.text == "None"


def test_extra_fields_are_sent_and_none_removes():
    with serving(says("None")) as server:
        ask(model(server.base_url, extra={"max_tokens": None, "max_completion_tokens": 9}), "x")
    assert server.seen[0].body["max_completion_tokens"] == 9
    assert "max_tokens" not in server.seen[0].body


def test_good_response_with_tokens():
    with serving(says("a|R|b", tokens=(12, 3))) as server:
        (done,) = ask(model(server.base_url), "x")
    assert done == Completion("a|R|b", prompt_tokens=12, completion_tokens=3)


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (fails(400), "http_400"),
        (fails(401), "http_401"),
        (fails(404), "http_404"),
        (Behaviour(status=307, headers={"Location": "http://127.0.0.1:1/"}), "http_307"),
        (Behaviour(b"not json"), "bad_json"),
        (Behaviour(b""), "bad_json"),
        (Behaviour(b"\xff\xfe{"), "bad_json"),
        (Behaviour(b"[" * 100_000), "bad_json"),
        (Behaviour(b'{"choices": [{"message": {"content": "a|R'), "bad_json"),
        (Behaviour(b"[]"), "no_choices"),
        (Behaviour(b"{}"), "no_choices"),
        (Behaviour(b'{"choices": null}'), "no_choices"),
        (Behaviour(b'{"choices": []}'), "no_choices"),
        (Behaviour(b'{"choices": [1]}'), "no_choices"),
        (Behaviour(b'{"choices": [{}]}'), "null_content"),
        (Behaviour(b'{"choices": [{"message": 5}]}'), "null_content"),
        (says(None), "null_content"),
        (says({"a": 1}), "null_content"),
        (says([]), "null_content"),
        (Behaviour(b"plain", headers={"Content-Encoding": "gzip"}), "bad_encoding"),
        (says("x" * 5_000_000), "too_large"),
    ],
)
def test_failure_that_no_retry_can_mend_is_counted_once(behaviour: Behaviour, kind: str):
    with serving(behaviour) as server:
        (done,) = ask(model(server.base_url), "x")
    assert (done.text, done.failure, done.tries) == (None, kind, 1)
    assert len(server.seen) == 1


@pytest.mark.parametrize(
    ("behaviour", "kind"),
    [
        (fails(429), "http_429"),
        (fails(500), "http_500"),
        (fails(503), "http_503"),
        (Behaviour(hangs_up=True), "connection"),
    ],
)
@pytest.mark.parametrize("mended", [True, False])
def test_passing_failure_is_tried_again(behaviour: Behaviour, kind: str, mended: bool):
    with serving(behaviour, says("None") if mended else behaviour) as server:
        (done,) = ask(model(server.base_url), "x")
    assert done.failed == ((kind,) if mended else (kind, kind))
    assert done.tries == len(server.seen) == (2 if mended else 3)
    assert (done.text, done.failure) == (("None", "") if mended else (None, kind))


OK = b"HTTP/1.1 200 OK\r\n"
GZIP = OK + b"Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n"
# A header of gzip with a file's name that never ends.
NAMED = b"b\r\n\x1f\x8b\x08\x08\x00\x00\x00\x00\x00\x03x\r\n"


@pytest.mark.parametrize(
    "behaviour",
    [
        Behaviour(slow=True),
        Behaviour(dribbles=True),
        Behaviour(raw=OK + b"X: ", drop=b"x"),
        Behaviour(drop=b"HTTP/1.1 102 Processing\r\n\r\n"),
        Behaviour(raw=GZIP + NAMED, drop=b"1\r\nx\r\n"),
    ],
    ids=["nothing", "body", "header", "interim", "gzip header"],
)
def test_slow_response_is_a_timeout(behaviour: Behaviour):
    with serving(behaviour) as server:
        (done,) = ask(model(server.base_url, timeout=0.1, retries=1), "x")
    assert (done.failure, done.failed, done.tries) == ("timeout", ("timeout",), 2)


def test_after_a_timeout_the_run_goes_on():
    with serving(Behaviour(slow=True), says("None")) as server:
        (done,) = ask(model(server.base_url, timeout=1.0, retries=1), "x")
    assert (done.text, done.failed) == ("None", ("timeout",))


def test_nobody_listens():
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    (done,) = ask(model(address, retries=1), "x")
    assert (done.failure, done.tries) == ("connection", 2)


def test_gzip_is_read():
    good = says("None")
    with serving(Behaviour(gzip.compress(good.body), headers={"Content-Encoding": "gzip"})) as server:
        assert ask(model(server.base_url), "x")[0].text == "None"


def test_text_in_parts_is_joined():
    with serving(says([{"type": "text", "text": "a|R"}, {"type": "text", "text": "|b"}])) as server:
        assert ask(model(server.base_url), "x")[0].text == "a|R|b"


@pytest.mark.parametrize(
    "usage",
    [None, 5, {}, {"prompt_tokens": "9"}, {"prompt_tokens": -1}, {"prompt_tokens": True}, {"prompt_tokens": 10**400}],
)
def test_missing_counts_of_tokens_are_counted(usage: object):
    body = json.dumps({"choices": [{"message": {"content": "None"}}], "usage": usage}).encode()
    with serving(Behaviour(body)) as server:
        (done,) = ask(model(server.base_url), "x")
    report = Report(prices=Prices(1.0, 1.0))
    report.add(done)
    assert report.cost == 0
    assert (done.text, report.unmetered, report.prompt_tokens) == ("None", 1, 0)


def test_unicode_goes_both_ways():
    with serving(says("β‑TrCP|R|💊 ﬁ")) as server:
        (done,) = ask(model(server.base_url), "β‑TrCP 💊 \ud83e")
    assert done.text == "β‑TrCP|R|💊 ﬁ"
    assert server.seen[0].prompt == "β‑TrCP 💊 \ud83e"


def test_lone_surrogate_in_a_response_can_be_cached(tmp_path: Path):
    cache = tmp_path / "answers.jsonl"
    with serving(says("a \ud83e")) as server:
        first = ask(model(server.base_url, cache=cache), "x")
        again = ask(model(server.base_url, cache=cache), "x")
    assert first[0].text == again[0].text == "a \ud83e"
    assert len(server.seen) == 1


def test_retry_after_is_waited_for():
    waited: list[float] = []
    with serving(fails(429, Retry_After="7"), says("None")) as server:
        ask(model(server.base_url, sleep=waited.append, backoff=0.1), "x")
    assert waited == [7.0]


def test_retry_after_beyond_the_longest_wait_ends_the_request():
    waited: list[float] = []
    with serving(fails(429, Retry_After="3600")) as server:
        (done,) = ask(model(server.base_url, sleep=waited.append, longest_wait=60), "x")
    assert (done.failure, done.tries, waited) == ("http_429", 1, [])


def test_waits_double_up_to_the_longest():
    waited: list[float] = []
    with serving(fails(500)) as server:
        ask(model(server.base_url, sleep=waited.append, retries=4, longest_wait=5), "x")
    assert len(waited) == 4
    assert all(min(5, 2**i) <= wait <= min(5, 1.5 * 2**i) for i, wait in enumerate(waited)), waited


def test_waits_are_the_same_in_every_run_and_other_for_other_requests():
    options = {"retries": 3, "backoff": 1.0, "longest": 60.0}
    one = waits("00ff" * 16, seed=3, **options)
    assert one == waits("00ff" * 16, seed=3, **options)
    assert one != waits("00fe" * 16, seed=3, **options)
    assert one != waits("00ff" * 16, seed=4, **options)
    assert waits("00ff" * 16, retries=2000, backoff=1.0, longest=60.0)[-1] == 60


NOON = datetime(2024, 5, 1, 12, tzinfo=timezone.utc)


@pytest.mark.parametrize(
    ("header", "seconds"),
    [
        (None, None),
        ("", None),
        ("soon", None),
        ("3", 3.0),
        ("1.5", 1.5),
        ("-4", 0.0),
        ("nan", None),
        ("inf", None),
        ("Wed, 01 May 2024 12:00:30 GMT", 30.0),
        ("Wed, 01 May 2024 11:00:00 GMT", 0.0),
        ("Wed, 01 May 2024 12:00:30", 30.0),
        ("Wed, 99 May 2024 12:00:30 GMT", None),
    ],
)
def test_retry_after_is_seconds_or_a_date(header: str | None, seconds: float | None):
    assert retry_after(header, NOON) == seconds


def test_key_is_sent_and_shown_nowhere(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    monkeypatch.setenv("OUR_KEY", "sk-secret-1")
    cache = tmp_path / "answers.jsonl"
    with serving(says("None"), fails(401, "Bad key sk-secret-1")) as server:
        endpoint = model(server.base_url, key_variable="OUR_KEY", cache=cache, patience=1)
        ask(endpoint, "x")
        with pytest.raises(BiochunkError) as caught:
            ask(endpoint, "y")
    assert server.seen[0].headers["Authorization"] == "Bearer sk-secret-1"
    everything = f"{caught.value} {vars(endpoint)} {endpoint!r} {cache.read_text()}"
    assert "sk-secret" not in everything
    assert "OUR_KEY" in str(caught.value)
    assert "http_401" in str(caught.value)


@pytest.mark.parametrize("value", [None, "", " ", "schlüssel", "a\nb"])
def test_key_that_is_none(monkeypatch: pytest.MonkeyPatch, value: str | None):
    monkeypatch.delenv("OUR_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("OUR_KEY", value)
    with pytest.raises(UsageError, match="OUR_KEY"):
        ask(model("http://127.0.0.1:1/v1", key_variable="OUR_KEY"), "x")


def test_endpoint_that_is_down_ends_the_run():
    with serving(fails(401, "Unknown model")) as server:
        done = []
        with pytest.raises(BiochunkError, match=r"5 requests in a row failed.*http_401 \(Unknown model\)"):
            for completion in model(server.base_url, patience=5, concurrency=2).complete(f"x{i}" for i in range(1000)):
                done.append(completion)
    assert len(done) == 5
    assert len(server.seen) < 30


def test_failures_between_answers_do_not_end_the_run():
    with serving(by=lambda seen: fails(400) if int(seen.prompt) % 3 else says("None")) as server:
        done = ask(model(server.base_url, patience=3), *map(str, range(30)))
    assert sum(d.failure == "http_400" for d in done) == 20


def test_message_hides_what_an_address_may_hold():
    with serving(fails(404)) as server:
        address = server.base_url.replace("http://", "http://me:pass@")
        with pytest.raises(BiochunkError) as caught:
            ask(model(address, patience=1), "x")
    assert "pass" not in str(caught.value)


def test_results_are_in_order_with_many_threads():
    def answer(seen: Seen) -> Behaviour:
        return says(seen.prompt, delay=0.5 if seen.prompt == "0" else 0)

    prompts = [str(i) for i in range(40)]
    with serving(by=answer) as server:
        stream = model(server.base_url, concurrency=4).complete(prompts)
        first = next(stream)
        # Others were asked while the first was waited for.
        assert len(server.seen) > 1
        assert [d.text for d in (first, *stream)] == prompts


def test_requests_go_out_together():
    with serving(Behaviour(slow=True)) as server:
        endpoint = model(server.base_url, concurrency=3, timeout=0.3, retries=0)
        ask(endpoint, *"abc")
        assert len(server.seen) == 3


def test_prompts_are_read_only_as_far_as_needed():
    read = []

    def prompts():
        for i in range(1000):
            read.append(i)
            yield str(i)

    with serving(by=lambda seen: says(seen.prompt)) as server:
        stream = model(server.base_url, concurrency=2).complete(prompts())
        assert next(stream).text == "0"
        stream.close()
    assert len(read) < 20


def test_same_prompt_is_sent_once():
    with serving(by=lambda seen: says(seen.prompt)) as server:
        done = ask(model(server.base_url), "x", "y", "x", "x")
    assert [d.text for d in done] == ["x", "y", "x", "x"]
    assert [d.tries for d in done] == [1, 1, 0, 0]
    assert len(server.seen) == 2


def test_same_prompt_that_fails_is_counted_for_each():
    with serving(fails(400)) as server:
        done = ask(model(server.base_url), "x", "x")
    assert [(d.failure, d.tries) for d in done] == [("http_400", 1), ("http_400", 0)]


def test_interrupted_run_goes_on_where_it_stopped(tmp_path: Path):
    cache = tmp_path / "kept" / "answers.jsonl"
    with serving(by=lambda seen: says(seen.prompt.upper())) as server:
        endpoint = model(server.base_url, cache=cache, concurrency=1)
        stream = endpoint.complete("abcdef")
        first = [next(stream).text, next(stream).text]
        stream.close()
        del server.seen[:]
        done = ask(endpoint, *"abcdef")
    assert first == ["A", "B"]
    assert [d.text for d in done] == list("ABCDEF")
    assert [d.tries for d in done][:2] == [0, 0]
    assert sum(d.tries for d in done) == len(server.seen)


def test_half_written_line_of_the_cache_is_asked_anew(tmp_path: Path):
    cache = tmp_path / "answers.jsonl"
    with serving(by=lambda seen: says(seen.prompt)) as server:
        ask(model(server.base_url, cache=cache), "a", "b")
        whole = cache.read_text()
        cache.write_text(whole[:-20])
        done = ask(model(server.base_url, cache=cache), "a", "b")
        again = ask(model(server.base_url, cache=cache), "a", "b")
    assert [d.tries for d in done] == [0, 1]
    assert [d.tries for d in again] == [0, 0]
    assert [d.text for d in again] == ["a", "b"]


def test_failures_are_not_kept(tmp_path: Path):
    cache = tmp_path / "answers.jsonl"
    with serving(fails(400), says("None")) as server:
        ask(model(server.base_url, cache=cache), "x")
        (done,) = ask(model(server.base_url, cache=cache), "x")
    assert (done.text, done.tries) == ("None", 1)


@pytest.mark.parametrize("change", [{"max_tokens": 9}, {"extra": {"top_p": 1}}, {"api": "completions"}])
def test_other_request_is_another_answer(tmp_path: Path, change: dict[str, Any]):
    cache = tmp_path / "answers.jsonl"
    with serving(says("None")) as server:
        ask(model(server.base_url, cache=cache), "x")
        ask(model(server.base_url, cache=cache, **change), "x")
    assert len(server.seen) == 2


def test_cache_that_cannot_be_used(tmp_path: Path):
    (tmp_path / "file").write_text("")
    with pytest.raises(BiochunkError, match="answers"):
        ask(model("http://127.0.0.1:1/v1", cache=tmp_path / "file" / "answers.jsonl"), "x")
    (tmp_path / "bytes").write_bytes(b"\xff\xff\n")
    with pytest.raises(BiochunkError, match="UTF-8"):
        ask(model("http://127.0.0.1:1/v1", cache=tmp_path / "bytes"), "x")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"base_url": "localhost:8000"}, "base_url"),
        ({"base_url": "ftp://host/v1"}, "base_url"),
        ({"base_url": "http://"}, "base_url"),
        ({"base_url": "http://[::1/v1"}, "base_url"),
        ({"base_url": "http://[::zz]/v1"}, "base_url"),
        ({"base_url": "http://x:y/v1"}, "base_url"),
        ({"base_url": "http://x:99999/v1"}, "base_url"),
        ({"base_url": "http://é..x/v1"}, "base_url"),
        ({"base_url": f"http://{'x' * 70}/v1"}, "base_url"),
        ({"base_url": "http://x/v1\0"}, "base_url"),
        ({"base_url": "http://x\t/v1"}, "base_url"),
        ({"max_tokens": 0}, "max_tokens"),
        ({"retries": -1}, "retries"),
        ({"patience": 0}, "patience"),
        ({"concurrency": 0}, "concurrency"),
        ({"timeout": 0}, "timeout"),
        ({"timeout": float("nan")}, "timeout"),
        ({"timeout": float("inf")}, "timeout"),
        ({"timeout": 1e30}, "timeout"),
        ({"longest_wait": float("inf")}, "longest_wait"),
        ({"backoff": -1}, "backoff"),
    ],
)
def test_wrong_option(options: dict[str, Any], message: str):
    with pytest.raises(UsageError, match=message):
        EndpointLanguageModel(**{"base_url": "http://localhost/v1", "model": "tiny", **options})


def test_secret_of_a_broken_address_is_not_shown():
    with pytest.raises(UsageError) as caught:
        model("http://me:pass@[::1/v1?token=word")
    assert "pass" not in str(caught.value) and "word" not in str(caught.value)


def test_host_that_only_httpx_refuses():
    with pytest.raises(UsageError, match="base_url"):
        ask(model("http://☃☃.example/v1"), "x")


def test_httpx_that_is_not_installed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setitem(sys.modules, "httpx", None)
    with pytest.raises(MissingExtraError, match=r"biochunk\[llm\]"):
        ask(model("http://localhost/v1"), "x")


def test_it_is_a_language_model():
    assert isinstance(model("http://localhost/v1"), LanguageModel)


def test_everything_at_once_is_counted_and_nothing_raised():
    behaviours = {
        "a": [says("a|R|b", tokens=(10, 2))],
        "b": [fails(500), says("None", tokens=(10, 1))],
        "c": [fails(500)],
        "d": [fails(429, Retry_After="0"), fails(503), says("None", tokens=None)],
        "e": [Behaviour(b"<html>")],
        "f": [fails(400)],
        "g": [Behaviour(hangs_up=True), says("None", tokens=(5, 5))],
    }
    times: Counter[str] = Counter()

    def answer(seen: Seen) -> Behaviour:
        times[seen.prompt] += 1
        mine = behaviours[seen.prompt]
        return mine[min(times[seen.prompt], len(mine)) - 1]

    report = Report()
    with serving(by=answer) as server:
        for done in model(server.base_url).complete("abcdefg"):
            report.add(done)
    assert report.prompts == 7
    assert report.requests == len(server.seen) == 13
    assert report.retries == 6
    assert report.failures == {"http_500": 1, "bad_json": 1, "http_400": 1}
    assert report.failed_tries == {"http_500": 3, "http_429": 1, "http_503": 1, "connection": 1}
    assert (report.prompt_tokens, report.completion_tokens, report.unmetered) == (25, 8, 1)
