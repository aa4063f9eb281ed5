"""Requests on their way: several at a time, each until it succeeds or has no try left, and back in order."""

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING, NamedTuple

from .response import read_response
from .retry import may_retry, retry_after, waits
from .usage import Completion

if TYPE_CHECKING:
    import httpx

# An answer has some hundred characters. What is longer than this is no answer, and is not read to its end.
_MOST_BYTES = 4_000_000
# Requests under way for each thread: a slow one then does not keep the other threads waiting.
_AHEAD = 4


class Request(NamedTuple):
    """A request. key: hash of all that its answer depends on, in hexadecimal digits; content: the body."""

    key: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends a request, and again where that can help. Used by several threads at once.

    http (httpx.Client): The connection.
    url (str): Where to.
    timeout (float): Seconds until a try has failed.
    retries (int), backoff (float), longest_wait (float), seed (int): See `retry.waits`. Where Retry-After asks for a
        longer wait, the request has failed.
    stopped (threading.Event): Set where the run has ended, so that no request is repeated.
    sleep (Callable[[float], object]): Waits some seconds.
    """

    http: "httpx.Client"
    url: str
    timeout: float
    retries: int
    backoff: float
    longest_wait: float
    seed: int
    stopped: threading.Event
    sleep: Callable[[float], object]

    def send(self, request: Request) -> Completion:
        """What came of a request in the end."""
        planned = waits(
            request.key, retries=self.retries, backoff=self.backoff, longest=self.longest_wait, seed=self.seed
        )
        failed: list[str] = []
        for wait in [*planned, None]:
            done, asked_for = self._try(request.content)
            done = replace(done, tries=len(failed) + 1, failed=tuple(failed))
            if wait is None or not may_retry(done.failure) or (asked_for or 0.0) > self.longest_wait:
                break
            self.sleep(max(wait, asked_for or 0.0))
            if self.stopped.is_set():
                break
            failed.append(done.failure)
        return done

    def _try(self, content: bytes) -> tuple[Completion, float | None]:
        """One request. RETURNS: What came of it, and the seconds that Retry-After asks for."""
        import httpx

        until = time.monotonic() + self.timeout
        body = bytearray()
        try:
            with self.http.stream("POST", self.url, content=content) as response:
                for part in response.iter_bytes():
                    body += part
                    if len(body) > _MOST_BYTES:
                        return Completion(None, "too_large", f"more than {_MOST_BYTES} bytes"), None
                    # httpx limits the wait for each part; a server that dribbles would keep us for ever.
                    if time.monotonic() > until:
                        return Completion(None, "timeout"), None
        except httpx.TimeoutException:
            return Completion(None, "timeout"), None
        except httpx.DecodingError as error:
            return Completion(None, "bad_encoding", str(error)), None
        except httpx.RequestError as error:
            return Completion(None, "connection", " ".join(str(error).split())), None
        done = read_response(response.status_code, bytes(body))
        return done, retry_after(response.headers.get("Retry-After"), datetime.now(timezone.utc))


def in_order(
    requests: Iterable[Request],
    send: Callable[[Request], Completion],
    known: Callable[[str], Completion | None],
    pool: ThreadPoolExecutor,
    *,
    concurrency: int,
) -> Iterator[tuple[Request, Completion]]:
    """Each request with its completion, in order, while some that follow are under way.

    A request whose key is under way already is not sent again, and its completion counts no try.

    requests (Iterable[Request]): Read as far ahead as is needed.
    send (Callable[[Request], Completion]): Runs in the pool.
    known (Callable[[str], Completion | None]): The completion of a key that needs no sending.
    pool (ThreadPoolExecutor): Threads.
    concurrency (int): How many these are.
    """
    waiting: deque[tuple[Request, Future[Completion] | None]] = deque()
    under_way: dict[str, Future[Completion]] = {}

    def first() -> tuple[Request, Completion]:
        request, future = waiting.popleft()
        if future is not None and under_way.get(request.key) is future:
            del under_way[request.key]
            return request, future.result()
        found = known(request.key)
        if found is None and future is not None:
            found = replace(future.result(), tries=0, failed=())
        if found is None:
            raise KeyError(request.key)
        return request, found

    for request in requests:
        future = under_way.get(request.key)
        if future is None and known(request.key) is None:
            future = under_way[request.key] = pool.submit(send, request)
        waiting.append((request, future))
        if len(waiting) >= _AHEAD * concurrency:
            yield first()
    while waiting:
        yield first()
