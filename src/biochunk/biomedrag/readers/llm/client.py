"""A language model behind an endpoint that speaks the OpenAI protocol."""

import hashlib
import json
import os
import threading
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from ....errors import BiochunkError, MissingExtraError, UsageError
from .cache import Cache
from .post import Poster
from .prompt import STOP
from .send import Request, Sender, in_order
from .usage import Completion

if TYPE_CHECKING:
    import httpx

Api = Literal["chat", "completions"]
# A day. Longer waits help nobody, and no clock holds the longest floats.
_LONGEST = 86_400
_PATHS: Mapping[Api, str] = {"chat": "/chat/completions", "completions": "/completions"}


class EndpointLanguageModel:
    """Asks an OpenAI-compatible endpoint: POST {base_url}/chat/completions, temperature 0.

    Timeouts, lost connections, HTTP 429 (its Retry-After is honoured) and 5xx are tried again, anything else is not.
    The API key is read from the environment when requests are sent; it stands in no message and no file.

    base_url (str): Such as "http://localhost:8000/v1".
    model (str): The model's name there.
    api (str): "chat", or "completions" for the older protocol of plain text.
    key_variable (str | None): Environment variable that holds the API key; None: no key is sent.
    max_tokens (int): Most tokens of an answer.
    timeout (float): Seconds until a request counts as failed, from its first byte to its last.
    retries (int): Most retries of a request.
    backoff (float): Seconds before the first retry (`retry.waits`).
    longest_wait (float): Most seconds before a retry. Where Retry-After asks for more the request has failed.
    patience (int): So many failed prompts in a row end the run.
    concurrency (int): Requests at a time.
    cache (str | Path | None): File that keeps the answers (`Cache`).
    extra (Mapping[str, Any] | None): Further fields of the request's body; None as a value removes a field.
    seed (int): Of the random part of waits.
    sleep (Callable[[float], object] | None): Waits some seconds, for tests.
    RAISES (UsageError): If an option makes no sense.
    """

    def __init__(
        self,
        base_url: str,
        model: str,
        *,
        api: Api = "chat",
        key_variable: str | None = None,
        max_tokens: int = 256,
        timeout: float = 60.0,
        retries: int = 4,
        backoff: float = 1.0,
        longest_wait: float = 60.0,
        patience: int = 10,
        concurrency: int = 4,
        cache: str | Path | None = None,
        extra: Mapping[str, Any] | None = None,
        seed: int = 0,
        sleep: Callable[[float], object] | None = None,
    ) -> None:
        _check_address(base_url)
        for name, value, least in (
            ("max_tokens", max_tokens, 1),
            ("retries", retries, 0),
            ("patience", patience, 1),
            ("concurrency", concurrency, 1),
            ("backoff", backoff, 0),
            ("longest_wait", longest_wait, 0),
        ):
            if not value >= least:
                raise UsageError(f"found {name} {value}, expected at least {least}")
        if not 0 < timeout <= _LONGEST:
            raise UsageError(f"found timeout {timeout}, expected seconds above 0 and at most {_LONGEST}")
        if longest_wait > _LONGEST:
            raise UsageError(f"found longest_wait {longest_wait}, expected seconds, at most {_LONGEST}")
        self.base_url, self.model, self.api = base_url.rstrip("/"), model, api
        self.key_variable, self.max_tokens, self.timeout = key_variable, max_tokens, timeout
        self.retries, self.backoff, self.longest_wait = retries, backoff, longest_wait
        self.patience, self.concurrency, self.cache = patience, concurrency, cache
        self.extra = dict(extra or {})
        self.seed = seed
        self._sleep = sleep

    @property
    def url(self) -> str:
        """Where requests go."""
        return self.base_url + _PATHS[self.api]

    def body(self, prompt: str) -> dict[str, Any]:
        """The request's body for a prompt."""
        asked: dict[str, Any] = {"messages": [{"role": "user", "content": prompt}]}
        if self.api == "completions":
            asked = {"prompt": prompt, "stop": [STOP]}
        whole = {"model": self.model, **asked, "temperature": 0, "max_tokens": self.max_tokens, **self.extra}
        return {name: value for name, value in whole.items() if value is not None}

    def complete(self, prompts: Iterable[str]) -> Generator[Completion, None, None]:
        """Ask all prompts, several at a time; see `LanguageModel`. A prompt that is asked twice is sent once.

        RAISES (MissingExtraError): If httpx is not installed.
        RAISES (UsageError): If the API key's variable is not set.
        RAISES (BiochunkError): If `patience` prompts in a row failed, or the cache cannot be written.
        """
        key = _api_key(self.key_variable)
        stopped = threading.Event()
        failed_in_a_row = 0
        http = self._client(key)
        with (
            Cache(self.cache) as cache,
            Poster(http, self.url, self.timeout) as poster,
            ThreadPoolExecutor(self.concurrency) as pool,
        ):
            sender = Sender(
                poster.post,
                self.retries,
                self.backoff,
                self.longest_wait,
                self.seed,
                stopped,
                self._sleep or stopped.wait,
            )
            requests = map(self._request, prompts)
            try:
                for request, done in in_order(requests, sender.send, cache.get, pool, concurrency=self.concurrency):
                    if done.tries and done.text is not None:
                        cache.put(request.key, done)
                    if key:
                        # A server may repeat the key in what it says.
                        done = replace(done, detail=done.detail.replace(key, "***"))
                    failed_in_a_row = failed_in_a_row + 1 if done.failure else 0
                    yield done
                    if failed_in_a_row >= self.patience:
                        raise self.no_answer(f"{failed_in_a_row} requests in a row failed", done.reason)
            finally:
                # What has not begun never does, and what waits for a retry gives up.
                stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)

    def _request(self, prompt: str) -> Request:
        # ASCII, so that a lone surrogate in a text does not make the request impossible.
        content = json.dumps(self.body(prompt), sort_keys=True).encode("ascii")
        address = self.url.encode("utf-8", "surrogatepass")
        return Request(hashlib.sha256(address + b"\n" + content).hexdigest(), content)

    def _client(self, key: str | None) -> "httpx.AsyncClient":
        try:
            import httpx
        except ImportError:
            raise MissingExtraError("httpx", "llm", "A language model behind an endpoint") from None
        try:
            httpx.URL(self.url)
        except httpx.InvalidURL as error:
            raise _bad_address(self.base_url, str(error)) from None
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        limits = httpx.Limits(max_connections=self.concurrency, max_keepalive_connections=self.concurrency)
        # To load the certificates takes longer than many a request; plain HTTP needs none.
        verify = self.base_url.startswith("https:")
        return httpx.AsyncClient(headers=headers, timeout=self.timeout, limits=limits, verify=verify)

    def no_answer(self, found: str, reason: str) -> BiochunkError:
        """The error of an endpoint that does not answer.

        found (str): How many requests failed.
        reason (str): Why the last one did (`Completion.reason`).
        """
        kept = f" Answers so far are kept in '{self.cache}'." if self.cache else ""
        return BiochunkError(
            f"{_shown(self.url)}: {found}, the last with {reason}; expected an "
            f"OpenAI-compatible endpoint that answers. Check base_url, model and the API key "
            f"({f'from {self.key_variable}' if self.key_variable else 'none is sent'}).{kept}"
        )


def _api_key(variable: str | None) -> str | None:
    if variable is None:
        return None
    key = os.environ.get(variable, "").strip()
    if not key or not key.isascii() or not key.isprintable():
        found = "no key" if not key else "characters that no key can have"
        raise UsageError(f"found {found} in the environment variable {variable!r}, expected the endpoint's API key")
    return key


def _check_address(base_url: str) -> None:
    """RAISES (UsageError): If no request can be sent there, whatever answers."""
    try:
        if not base_url.isprintable() or " " in base_url:
            raise ValueError("white space, or characters that cannot be printed")
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("no http:// or https:// with a host")
        # Both raise what is wrong with them: a port that is no number, and a name that cannot be looked up.
        _ = parts.port
        if ":" in parts.hostname:
            ip_address(parts.hostname)
        else:
            parts.hostname.encode("idna")
    except ValueError as error:
        raise _bad_address(base_url, str(error)) from None


def _bad_address(base_url: str, problem: str) -> UsageError:
    return UsageError(f"found base_url {_shown(base_url)!r} ({problem}), expected one like 'http://localhost:8000/v1'")


def _shown(url: str) -> str:
    """An address for a message: without a user's name, password and query, which may be secret."""
    try:
        parts = urlsplit(url)
    except ValueError:
        # It cannot be taken apart; what may be secret stands before the last @ and behind the first ?.
        scheme, mark, rest = url.partition("://")
        return scheme + mark + rest.rpartition("@")[2].partition("?")[0]
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.netloc else url
