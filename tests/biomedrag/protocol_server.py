"""A small server that speaks the OpenAI protocol and behaves, and misbehaves, as it is told."""

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass(frozen=True)
class Behaviour:
    """What the server does with one request.

    body (bytes): What it sends.
    status (int): HTTP status.
    headers (dict): Further headers.
    delay (float): Seconds before it sends anything.
    slow (bool): It sends nothing until it is closed.
    dribbles (bool): It sends the headers and a byte now and then, until it is closed.
    hangs_up (bool): It closes the connection without a response.
    raw (bytes): What it sends first, before any header of its own.
    drop (bytes): What it sends after that, again and again, until it is closed.
    """

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    delay: float = 0.0
    slow: bool = False
    dribbles: bool = False
    hangs_up: bool = False
    raw: bytes = b""
    drop: bytes = b""


def says(
    text: object, *, tokens: tuple[int, int] | None = (100, 10), finish: str = "stop", delay: float = 0.0
) -> Behaviour:
    """A good response with this content. tokens: of prompt and completion; None: the response does not say."""
    choice = {"index": 0, "message": {"role": "assistant", "content": text}, "text": text, "finish_reason": finish}
    body: dict[str, Any] = {"object": "chat.completion", "choices": [choice]}
    if tokens:
        body["usage"] = {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}
    return Behaviour(json.dumps(body).encode(), delay=delay)


def fails(status: int, message: str = "no luck", **headers: str) -> Behaviour:
    """An error response. headers: `Retry_After` is sent as Retry-After."""
    body = json.dumps({"error": {"message": message, "type": "error"}}).encode()
    return Behaviour(body, status, {name.replace("_", "-"): value for name, value in headers.items()})


@dataclass(frozen=True)
class Seen:
    """A request that came in."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]

    @property
    def prompt(self) -> str:
        return self.body["prompt"] if "prompt" in self.body else self.body["messages"][0]["content"]

    @property
    def context(self) -> str:
        """The text that is asked about: the last context of the prompt."""
        return self.prompt.rpartition("Context: ")[2].partition("\n")[0]


Script = Sequence[Behaviour] | Callable[[Seen], Behaviour]


class ProtocolServer(ThreadingHTTPServer):
    """Serves at `base_url`; `seen` holds the requests in the order of their arrival.

    script (Script): What it does with each request in turn (the last behaviour goes on), or a function of the request.
    """

    daemon_threads = True

    def __init__(self, script: Script) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.script = script
        self.seen: list[Seen] = []
        self.lock = threading.Lock()
        self.closing = threading.Event()

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"

    def behaviour(self, seen: Seen) -> Behaviour:
        with self.lock:
            self.seen.append(seen)
            if callable(self.script):
                return self.script(seen)
            return self.script[min(len(self.seen), len(self.script)) - 1]

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that goes away is no error of the server's."""


@contextmanager
def serving(*script: Behaviour, by: Callable[[Seen], Behaviour] | None = None) -> Iterator[ProtocolServer]:
    """Run a server in a thread while the block runs."""
    server = ProtocolServer(by or script)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        server.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: ProtocolServer

    def do_POST(self) -> None:
        data = self.rfile.read(int(self.headers["Content-Length"]))
        does = self.server.behaviour(Seen(self.path, dict(self.headers.items()), json.loads(data)))
        if does.slow or does.delay:
            self.server.closing.wait(None if does.slow else does.delay)
        if does.slow or does.hangs_up:
            self.close_connection = True
            return
        if does.drop:
            self.close_connection = True
            self.wfile.write(does.raw)
            while not self.server.closing.wait(0.02):
                self.wfile.write(does.drop)
                self.wfile.flush()
            return
        self.send_response(does.status)
        for name, value in does.headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(10_000 if does.dribbles else len(does.body)))
        self.end_headers()
        while does.dribbles and not self.server.closing.wait(0.05):
            self.wfile.write(b" ")
            self.wfile.flush()
        self.wfile.write(does.body)

    def log_message(self, format: str, *args: object) -> None:
        """Nothing is printed."""
