"""Marks of texts, as detectors give them."""

from __future__ import annotations

from operator import index
from typing import Any, Callable, Mapping, Union

from .errors import ParameterError

#: What ``Rewriter(spans=...)`` takes: a function of one text, or ``"patterns"``.
Detector = Union[str, Callable[[str], Any]]

_TYPES = ("entity_type", "label", "entity_group", "type")
_LISTS = ("spans", "ents", "entities")


def marks_of(found: Any) -> list[dict[str, Any]]:
    """Returns what a detector found in a text, as the program reads it.

    That is a list of dicts with ``start``, ``end`` and a type (Presidio, GLiNER,
    transformers), of objects with these attributes (Presidio), of ``(start, end, type)``,
    or a Doc of spaCy. Nothing else of it is passed on. Marks that overlap, as those of
    Presidio may, become one mark with the type of the longest.

    An answer of another form is an error, as it is in a file of the command: taken for one
    without marks, it would release the text as it is.
    """
    if isinstance(found, Mapping):
        lists = [found[key] for key in _LISTS if key in found]
        if len(lists) != 1:
            raise _refused(found)
        found = lists[0]
    elif hasattr(found, "ents"):
        found = found.ents
    if isinstance(found, (str, bytes, bytearray, Mapping)) or not hasattr(found, "__iter__"):
        raise _refused(found)
    return _joined([_mark(one) for one in found])


def _refused(found: Any) -> ParameterError:
    return ParameterError(
        f"spans= returned a {type(found).__name__}: it must return a list of marks, or a dict or an object "
        'that has one as "spans", "ents" or "entities"',
        code=2,
        hint="for a text without marks it returns an empty list",
    )


def _joined(marks: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Returns marks without overlaps: what one of them marks, a mark of the result marks."""
    ordered = sorted(marks, key=lambda m: (m["start"], -m["end"]))
    if all(before["end"] <= after["start"] for before, after in zip(ordered, ordered[1:])) or any(m["start"] >= m["end"] for m in marks):
        return marks
    joined: list[dict[str, Any]] = []
    longest = 0  # of the marks in the last one
    for mark in ordered:
        length = mark["end"] - mark["start"]
        if not joined or joined[-1]["end"] <= mark["start"]:
            joined.append(dict(mark))
            longest = length
            continue
        joined[-1]["end"] = max(joined[-1]["end"], mark["end"])
        if length > longest:
            joined[-1]["entity_type"], longest = mark["entity_type"], length
    return joined


def _mark(one: Any) -> dict[str, Any]:
    start: Any
    end: Any
    if isinstance(one, Mapping):
        kind = next((one[key] for key in _TYPES if key in one), None)
        start, end = one.get("start"), one.get("end")
    elif hasattr(one, "start_char"):
        kind, start, end = getattr(one, "label_", None), one.start_char, getattr(one, "end_char", None)
    elif hasattr(one, "start"):
        kind, start, end = getattr(one, "entity_type", None), one.start, getattr(one, "end", None)
    elif isinstance(one, (tuple, list)) and len(one) == 3:
        start, end, kind = one
    else:
        raise ParameterError(f"spans= found a {type(one).__name__}, which has no start, end and type", code=2)
    try:
        if isinstance(start, bool) or isinstance(end, bool):
            raise TypeError
        return {"start": index(start), "end": index(end), "entity_type": kind if isinstance(kind, str) else ""}
    except TypeError:  # a part of a character is no place
        raise ParameterError("spans= found a mark without a start and an end", code=2) from None
