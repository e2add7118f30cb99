"""Texts in and out: lists, tuples, one text, pandas Series, numpy arrays."""

from __future__ import annotations

import sys
from typing import Any, Callable, Iterable, Iterator, Optional, Sequence

from .errors import ParameterError


def is_missing(value: Any) -> bool:
    """Reports whether a value is None, NaN, NA or NaT."""
    if value is None or type(value).__name__ in ("NAType", "NaTType"):
        return True
    if isinstance(value, str):
        return False
    try:
        return bool(value != value)  # of NaN of any type
    except Exception:  # an error would depend on the value
        return False


def utf8(text: str) -> Optional[bytes]:
    """Returns a text as UTF-8, or None if it has a surrogate.

    The error of Python for this holds the text. Here it ends, so that it becomes the
    context of no other error.
    """
    try:
        return str.encode(text)
    except UnicodeEncodeError:
        return None


# Texts and characters that are encoded at once: what a call needs beside the texts that
# the caller has and those that it gets.
_MOST = 1 << 14
_SIZE = 1 << 22


def encoded(values: Iterable[Any], *, any_text: bool = False, first: int = 0) -> list[bytes]:
    """Returns texts as UTF-8. A missing value is the empty text.

    An empty text is rewritten like any other: so which values are missing shows as
    little as the claim allows. A text with a surrogate is refused or, with ``any_text``,
    encoded anyway: a refusal would depend on the text. ``first`` is the number of the first.
    """
    values = list(values)
    try:
        return list(map(str.encode, values))
    except (TypeError, UnicodeEncodeError):
        pass  # not all are texts
    return [_encoded(i, v, any_text) for i, v in enumerate(values, first)]


def batches(values: Sequence[Any], *, any_text: bool = False) -> Iterator[list[bytes]]:
    """Yields texts as UTF-8, of bounded number and size, at least one batch.

    A text that is larger than the bound is a batch of its own.
    """
    for first in range(0, max(1, len(values)), _MOST):
        yield from _halved(values[first : first + _MOST], first, any_text)


def _halved(values: Sequence[Any], first: int, any_text: bool) -> Iterator[list[bytes]]:
    if len(values) > 1 and sum(str.__len__(v) for v in values if isinstance(v, str)) > _SIZE:
        middle = len(values) // 2
        yield from _halved(values[:middle], first, any_text)
        yield from _halved(values[middle:], first + middle, any_text)
        return
    yield encoded(values, any_text=any_text, first=first)


def _encoded(i: int, value: Any, any_text: bool) -> bytes:
    if is_missing(value):
        return b""
    if not isinstance(value, str):
        raise ParameterError(f"text {i} must be a str, got {type(value).__name__}", code=2)
    data = utf8(value)
    if data is None and any_text:
        return value.encode("utf-8", "surrogatepass")  # the program takes bytes that are not UTF-8
    if data is None:
        raise ParameterError(f"text {i} has a surrogate, which is not a character", code=2)
    return data


def _as_list(new: list[str]) -> list[str]:
    return new


def taken_apart(texts: Any) -> tuple[list[Any], Callable[[list[str]], Any]]:
    """Returns the values of texts, and a function that gives new values the shape of texts."""
    if isinstance(texts, str):
        return [texts], lambda new: new[0]
    if isinstance(texts, (list, tuple)):
        if type(texts) is tuple:
            return list(texts), tuple
        return list(texts), _as_list
    pandas: Any = sys.modules.get("pandas")  # of none of its types if it is not imported
    if pandas is not None and isinstance(texts, pandas.Series):
        series = texts
        return list(series), lambda new: pandas.Series(new, index=series.index, name=series.name, dtype=object)
    if pandas is not None and isinstance(texts, pandas.DataFrame):
        raise ParameterError(
            "texts must be one column, got a DataFrame: use frame['text'] or frame.private.rewrite('text', ...)", code=2
        )
    numpy: Any = sys.modules.get("numpy")
    if numpy is not None and isinstance(texts, numpy.ndarray):
        shape = texts.shape

        def array(new: list[str]) -> Any:
            flat = numpy.empty(len(new), dtype=object)
            flat[:] = new
            return flat.reshape(shape)

        return list(texts.ravel().tolist()), array
    if isinstance(texts, (bytes, dict, set, frozenset)) or not hasattr(texts, "__iter__"):
        raise ParameterError(
            f"texts must be a list of str, a Series, an array or one str, got {type(texts).__name__}", code=2
        )
    return list(texts), _as_list
