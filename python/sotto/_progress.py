"""A progress bar, if tqdm is installed."""

from __future__ import annotations

from contextlib import contextmanager
from typing import Iterator, Optional

from ._worker import Progress


@contextmanager
def bar(wanted: bool, total: int) -> Iterator[Optional[Progress]]:
    """Yields a function that moves a bar, or None."""
    if not wanted:
        yield None
        return
    try:
        from tqdm.auto import tqdm
    except ImportError:
        yield None
        return
    with tqdm(total=total, unit="text") as shown:

        def move(done: int, _: int) -> None:
            shown.update(max(0, done - shown.n))

        yield move
