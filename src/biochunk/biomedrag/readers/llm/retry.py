"""When a failed request is worth another try, and how long to wait before it."""

import math
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime

import numpy as np

# A wait of 2 ** 60 seconds is as good as any longer one, and a float still holds it.
_MOST_DOUBLINGS = 60


def may_retry(failure: str) -> bool:
    """Whether the same request can succeed later: after a timeout, a lost connection, HTTP 429 or 5xx."""
    return failure in ("timeout", "connection", "http_429") or failure.startswith("http_5")


def waits(key: str, *, retries: int, backoff: float, longest: float, seed: int = 0) -> list[float]:
    """Seconds to wait before each retry: doubled each time, plus up to half of it at random, so that requests that
    failed together do not come back together.

    key (str): The request's hash, in hexadecimal digits: each request has waits of its own, the same in every run.
    retries (int): How many.
    backoff (float): Seconds before the first one.
    longest (float): No wait is longer.
    seed (int): Of the random part.
    """
    jitter = np.random.default_rng([seed, int(key[:8], 16)]).uniform(0, 0.5, retries)
    return [min(longest, backoff * 2 ** min(i, _MOST_DOUBLINGS) * (1 + float(jitter[i]))) for i in range(retries)]


def retry_after(header: str | None, now: datetime) -> float | None:
    """Seconds that an HTTP header Retry-After asks for (RFC 9110, section 10.2.3: seconds or a date); None where there
    is none or it cannot be read.
    """
    if not header:
        return None
    try:
        seconds = float(header)
    except ValueError:
        try:
            date = parsedate_to_datetime(header)
        except (ValueError, TypeError, OverflowError):
            return None
        aware = date if date.tzinfo else date.replace(tzinfo=timezone.utc)
        seconds = (aware - now).total_seconds()
    return max(seconds, 0.0) if math.isfinite(seconds) else None
