"""Texts in and out: lists, tuples, one text, pandas Series, numpy arrays."""

from __future__ import annotations

import sys
from typing import Any, Callable, Iterable, Optional

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


def encoded(values: Iterable[Any], *, any_text: bool = False) -> list[bytes]:
    """Returns texts as UTF-8. A missing value is the empty text.

    An empty text is rewritten like any other: so which values are missing shows as
    little as the claim allows. A text with a surrogate is refused or, with ``any_text``,
    encoded anyway: a refusal would depend on the text.
    """
    values = list(values)
    try:
        return list(map(str.encode, values))
    except (TypeError, UnicodeEncodeError):
        pass  # not all are texts
    return [_encoded(i, v, any_text) for i, v in enumerate(values)]


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


def taken_apart(texts: Any) -> tuple[list[Any], Callable[[list[str]], Any]]:
    """Returns the values of texts, and a function that gives new values the shape of texts."""
    if isinstance(texts, str):
        return [texts], lambda new: new[0]
    if isinstance(texts, (list, tuple)):
        return list(texts), type(texts) if type(texts) in (list, tuple) else list
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
    return list(texts), list
