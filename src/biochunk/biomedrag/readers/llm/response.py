"""From the body of an endpoint's response to a completion. No body makes it raise."""

import json
from typing import Any

from .usage import Completion

# What is above this is no count of tokens; a float, for the cost, holds it exactly.
_MOST_TOKENS = 10**12


def read_response(status: int, body: bytes) -> Completion:
    """Read a response of /chat/completions or /completions.

    status (int): HTTP status.
    body (bytes): The body.
    RETURNS (Completion): With the failure "http_STATUS" for another status than 200, "bad_json" where the body is no
        JSON, "no_choices" where it holds no answer, "null_content" where the answer is no text.
    """
    if status != 200:
        return Completion(None, f"http_{status}", _message(body))
    data = _json(body)
    if data is None:
        return Completion(None, "bad_json", _excerpt(body))
    choice = _first(data.get("choices")) if isinstance(data, dict) else None
    if not isinstance(choice, dict):
        return Completion(None, "no_choices", _message(body))
    prompt_tokens, completion_tokens = _tokens(data.get("usage"))
    text = _content(choice)
    return Completion(
        text,
        "" if text is not None else "null_content",
        cut=choice.get("finish_reason") == "length",
        prompt_tokens=prompt_tokens,
        completion_tokens=completion_tokens,
    )


def _content(choice: dict[str, Any]) -> str | None:
    """The text of a choice: `message.content` (a text, or parts with texts) or, in the older protocol, `text`."""
    message = choice.get("message")
    content = message.get("content") if isinstance(message, dict) else choice.get("text")
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        texts = [part for part in parts if isinstance(part, str)]
        return "".join(texts) if texts else None
    return content if isinstance(content, str) else None


def _tokens(usage: object) -> tuple[int | None, int | None]:
    if not isinstance(usage, dict):
        return None, None
    counts = [usage.get("prompt_tokens"), usage.get("completion_tokens")]
    prompt, completion = (
        count if isinstance(count, int) and not isinstance(count, bool) and 0 <= count <= _MOST_TOKENS else None
        for count in counts
    )
    return prompt, completion


def _json(body: bytes) -> Any:
    """The JSON value of a body, or None where it is none (or null)."""
    try:
        return json.loads(body)
    # Nesting that is deeper than the stack, as well as text that is no JSON or no UTF-8.
    except (ValueError, RecursionError):
        return None


def _first(choices: object) -> Any:
    return choices[0] if isinstance(choices, list) and choices else None


def _message(body: bytes) -> str:
    """What an error body says: `error.message` where there is one."""
    data = _json(body)
    error = data.get("error", data.get("message")) if isinstance(data, dict) else None
    message = error.get("message") if isinstance(error, dict) else error
    return _short(message) if isinstance(message, str) else _excerpt(body)


def _excerpt(body: bytes) -> str:
    return _short(body[:1000].decode("utf-8", "replace"))


def _short(text: str) -> str:
    """One printable line of at most 200 characters."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text[:1000]).split())
    return line if len(line) <= 200 else line[:197] + "..."
