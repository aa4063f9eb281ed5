"""Requests on their way: several at a time, each until it succeeds or has no try left, and back in order."""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, replace
from typing import NamedTuple

from .post import Posted
from .retry import may_retry, waits
from .usage import Completion

# Requests under way for each thread: a slow one then does not keep the other threads waiting.
_AHEAD = 4


class Request(NamedTuple):
    """A request. key: hash of all that its answer depends on, in hexadecimal digits; content: the body."""

    key: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Sender:
    """Sends a request, and again where that can help. Used by several threads at once.

    post (Callable[[bytes], Posted]): Sends a body once.
    retries (int), backoff (float), longest_wait (float), seed (int): See `retry.waits`. Where Retry-After asks for a
        longer wait, the request has failed.
    stopped (threading.Event): Set where the run has ended, so that no request is repeated.
    sleep (Callable[[float], object]): Waits some seconds.
    """

    post: Callable[[bytes], Posted]
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
            done, asked_for = self.post(request.content)
            done = replace(done, tries=len(failed) + 1, failed=tuple(failed))
            if wait is None or not may_retry(done.failure) or (asked_for or 0.0) > self.longest_wait:
                break
            self.sleep(max(wait, asked_for or 0.0))
            if self.stopped.is_set():
                break
            failed.append(done.failure)
        return done


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
