"""POST requests, each with a deadline for the whole of it."""

import asyncio
import threading
from collections.abc import AsyncGenerator
from contextlib import aclosing
from datetime import datetime, timezone
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, cast

from .response import read_response
from .retry import retry_after
from .usage import Completion

if TYPE_CHECKING:
    import httpx

# An answer has some hundred characters. What is longer than this is no answer, and is not read to its end.
_MOST_BYTES = 4_000_000


class Posted(NamedTuple):
    """What came of one request. wait: the seconds that the header Retry-After asks for."""

    completion: Completion
    wait: float | None = None


class Poster:
    """Posts to one address; used by several threads at once, and as a context manager.

    The requests run in an event loop, in a thread of its own: only there can one be ended that is late, wherever it
    hangs. httpx itself limits the wait for each part, so that a server that dribbles its header, or sends interim
    responses for ever, would keep us for ever.

    http (httpx.AsyncClient): The connection; closed at the end.
    url (str): Where to.
    timeout (float): Seconds until a request has failed.
    """

    def __init__(self, http: "httpx.AsyncClient", url: str, timeout: float) -> None:
        self._http, self._url, self._timeout = http, url, timeout
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)

    def __enter__(self) -> "Poster":
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._close(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def post(self, content: bytes) -> Posted:
        """Send one request and wait for what comes of it. content (bytes): The body."""
        return asyncio.run_coroutine_threadsafe(self._in_time(content), self._loop).result()

    async def _close(self) -> None:
        await self._http.aclose()
        # Responses that were not read to their end.
        await self._loop.shutdown_asyncgens()

    async def _in_time(self, content: bytes) -> Posted:
        try:
            return await asyncio.wait_for(self._post(content), self._timeout)
        except asyncio.TimeoutError:
            return Posted(Completion(None, "timeout"))

    async def _post(self, content: bytes) -> Posted:
        import httpx

        body = bytearray()
        try:
            async with (
                self._http.stream("POST", self._url, content=content) as response,
                aclosing(cast("AsyncGenerator[bytes, None]", response.aiter_bytes())) as parts,
            ):
                async for part in parts:
                    body += part
                    if len(body) > _MOST_BYTES:
                        return Posted(Completion(None, "too_large", f"more than {_MOST_BYTES} bytes"))
        except httpx.TimeoutException:
            return Posted(Completion(None, "timeout"))
        except httpx.DecodingError as error:
            return Posted(Completion(None, "bad_encoding", str(error)))
        except httpx.RequestError as error:
            return Posted(Completion(None, "connection", " ".join(str(error).split())))
        wait = retry_after(response.headers.get("Retry-After"), datetime.now(timezone.utc))
        return Posted(read_response(response.status_code, bytes(body)), wait)
