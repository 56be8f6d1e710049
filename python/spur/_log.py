"""Messages on standard error, each cause once."""

from __future__ import annotations

import sys
import threading

_LIMIT = 50
_lock = threading.Lock()
_logged: set[str] = set()


def once(cause: str) -> None:
    """Logs a cause unless it was logged before in this process; at most 50 causes."""
    with _lock:
        if cause in _logged or len(_logged) >= _LIMIT:
            return
        _logged.add(cause)
    print(f"spur: {cause}", file=sys.stderr, flush=True)
