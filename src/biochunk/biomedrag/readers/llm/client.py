"""A language model behind an endpoint that speaks the OpenAI protocol."""

import hashlib
import json
import os
import threading
from collections.abc import Callable, Generator, Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import urlsplit

from ....errors import BiochunkError, MissingExtraError, UsageError
from .cache import Cache
from .prompt import STOP
from .send import Request, Sender, in_order
from .usage import Completion

if TYPE_CHECKING:
    import httpx

Api = Literal["chat", "completions"]
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
    timeout (float): Seconds until a request counts as failed.
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
        parts = urlsplit(base_url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise UsageError(f"found base_url {_shown(base_url)!r}, expected one like 'http://localhost:8000/v1'")
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
        if not timeout > 0:
            raise UsageError(f"found timeout {timeout}, expected seconds above 0")
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
        with Cache(self.cache) as cache, self._client(key) as http, ThreadPoolExecutor(self.concurrency) as pool:
            sender = Sender(
                http,
                self.url,
                self.timeout,
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
                    failed_in_a_row = failed_in_a_row + 1 if done.failure else 0
                    yield done
                    if failed_in_a_row >= self.patience:
                        raise self._gave_up(failed_in_a_row, done, key)
            finally:
                # What has not begun never does, and what waits for a retry gives up.
                stopped.set()
                pool.shutdown(wait=False, cancel_futures=True)

    def _request(self, prompt: str) -> Request:
        # ASCII, so that a lone surrogate in a text does not make the request impossible.
        content = json.dumps(self.body(prompt), sort_keys=True).encode("ascii")
        address = self.url.encode("utf-8", "surrogatepass")
        return Request(hashlib.sha256(address + b"\n" + content).hexdigest(), content)

    def _client(self, key: str | None) -> "httpx.Client":
        try:
            import httpx
        except ImportError:
            raise MissingExtraError("httpx", "llm", "A language model behind an endpoint") from None
        headers = {"Content-Type": "application/json", "Accept": "application/json"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        limits = httpx.Limits(max_connections=self.concurrency, max_keepalive_connections=self.concurrency)
        # To load the certificates takes longer than many a request; plain HTTP needs none.
        verify = self.base_url.startswith("https:")
        return httpx.Client(headers=headers, timeout=self.timeout, limits=limits, verify=verify)

    def _gave_up(self, count: int, last: Completion, key: str | None) -> BiochunkError:
        said = f" ({last.detail.replace(key, '***') if key else last.detail})" if last.detail else ""
        kept = f" Answers so far are kept in '{self.cache}'." if self.cache else ""
        return BiochunkError(
            f"{_shown(self.url)}: {count} requests in a row failed, the last with {last.failure}{said}; expected an "
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


def _shown(url: str) -> str:
    """An address for a message: without a user's name, password and query, which may be secret."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}" if parts.netloc else url
