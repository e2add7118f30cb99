"""Messages to the logger ``sotto``.

Importing logging takes longer than importing the package. Nobody can have requested
messages in a program that has not imported it.
"""

from __future__ import annotations

import sys
from typing import Any


def debug(message: str, *args: Any) -> None:
    """Logs a message at level DEBUG."""
    _log(10, message, args)


def warning(message: str, *args: Any) -> None:
    """Logs a message at level WARNING."""
    _log(30, message, args)


def _log(level: int, message: str, args: tuple[Any, ...]) -> None:
    if "logging" not in sys.modules:
        return
    import logging

    log = logging.getLogger("sotto")
    if not log.handlers:
        log.addHandler(logging.NullHandler())  # otherwise warnings go to standard error
    log.log(level, message, *args, stacklevel=3)
