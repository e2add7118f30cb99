"""Private copies of whole corpora."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Sequence, Union

from ._ledger import Ledger
from ._options import args_of
from ._texts import is_missing, utf8
from ._worker import run
from .errors import ParameterError

if TYPE_CHECKING:
    import pandas as pd

Labels = Union[Sequence[Any], Mapping[str, Sequence[Any]]]


def synthesize(
    frame: Union[pd.DataFrame, str, os.PathLike[str]],
    *,
    text: str = "text",
    by: Union[str, Sequence[str], None] = None,
    labels: Optional[Labels] = None,
    epsilon: Optional[float] = None,
    corpus: Union[str, os.PathLike[str], None] = None,
    account: Optional[str] = None,
    ledger: Union[str, os.PathLike[str], Ledger, None] = None,
    user: Optional[str] = None,
    per_user: Optional[int] = None,
    **options: Any,
) -> pd.DataFrame:
    """Returns a private copy of a whole frame of records: public texts, drawn by noisy counts.

    ``frame`` is a DataFrame or the path of a file. The result has the columns ``by`` and
    the column ``text``. ``labels`` are the labels that ``by`` may have: a list, or one per
    column by name. They must be known without the records, so they are never read from
    the frame. ``epsilon`` protects one record with its label or, with ``user`` and
    ``per_user``, all records of a user. Other options are named like the flags of ``sotto
    synthesize``, with underscores: ``weights=True``, ``size=1000``, ``expect=5000``.

    The statement is ``result.attrs["statement"]``. A missing text is an empty one. A label
    that is not among ``labels`` is counted nowhere. The account is charged before the
    records are read, so a call that fails or is interrupted later may have been charged.
    """
    import tempfile  # these take long to import

    import pandas

    columns = [by] if isinstance(by, str) else list(by or [])
    named = [c.split("=", 1)[0] for c in columns]
    if isinstance(ledger, Ledger):
        ledger = ledger.place
    public = _labels(columns, labels)
    with tempfile.TemporaryDirectory(prefix="sotto-") as folder:
        flags: dict[str, Any] = {
            "field": text,
            "by": columns,
            "labels": _label_files(folder, public),
            "epsilon": epsilon,
            "corpus": corpus,
            "account": account,
            "ledger": ledger,
            "user": user,
            "per_user": per_user,
            "output": os.path.join(folder, "released.jsonl"),
            "report": os.path.join(folder, "report.json"),
            **options,
        }
        stdin, files = b"", []
        if isinstance(frame, (str, os.PathLike)):
            files = ["--", os.path.abspath(os.fspath(frame))]
        else:
            flags["format"] = "csv"
            known = {name: public.get(name, []) for name in named}
            stdin = _csv(frame, [*named, *([user] if user else []), text], known)
        run(["synthesize", *args_of(flags), *files], stdin)
        with open(os.path.join(folder, "released.jsonl"), encoding="utf-8", newline="\n") as f:
            rows = [json.loads(line) for line in f]
        with open(os.path.join(folder, "report.json"), encoding="utf-8") as f:
            statement = json.load(f)
    header = [*named, text, *(["weight"] if options.get("weights") else [])]
    released = pandas.DataFrame(rows, columns=header, dtype=object)
    for name, values in public.items():
        released[name] = released[name].astype(str).map({str(v): v for v in values}).infer_objects()
    for column, name in zip(columns, named):
        if name not in public and "/" not in column:
            released[name] = released[name].astype(int)
    if options.get("weights"):
        released["weight"] = released["weight"].astype(float)
    released.attrs["statement"] = statement
    return released


def _labels(columns: Sequence[str], labels: Optional[Labels]) -> dict[str, list[Any]]:
    """Returns the labels of each column that has some."""
    open_columns = [c for c in columns if "=" not in c]
    if labels is None:
        return {}
    if isinstance(labels, Mapping):
        return {str(name): list(values) for name, values in labels.items()}
    if isinstance(labels, str) or len(open_columns) != 1:
        raise ParameterError("labels must be a list for the one column by, or a dict of lists by column", code=2)
    return {open_columns[0]: list(labels)}


def _label_files(folder: str, labels: Mapping[str, Sequence[Any]]) -> list[str]:
    """Writes public labels to files, since a label may hold a comma."""
    flags = []
    for i, (name, values) in enumerate(labels.items()):
        if len(set(map(str, values))) < len(values):
            raise ParameterError(f"two labels of column {name!r} are written alike", code=2)
        path = os.path.join(folder, f"labels{i}.txt")
        with open(path, "w", encoding="utf-8", newline="\n") as f:
            for value in map(str, values):
                if "\n" in value or "\r" in value:
                    raise ParameterError(f"a label of column {name!r} has a line break", code=2)
                f.write(value + "\n")
        flags.append(f"{name}={path}" if len(labels) > 1 else path)
    return flags


def _csv(frame: Any, columns: Sequence[str], known: Mapping[str, Sequence[Any]]) -> bytes:
    """Returns columns of a frame as CSV. ``known`` has the labels of the columns by."""
    if not hasattr(frame, "columns"):
        raise ParameterError(f"frame is of type {type(frame).__name__}, must be a DataFrame or a path", code=2)
    for column in columns:
        if list(frame.columns).count(column) != 1:
            raise ParameterError(f"the frame must have one column {column!r}", code=2)
    import csv
    import io

    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*(_strings(frame[column], known.get(column)) for column in columns)))
    data = utf8(out.getvalue())
    if data is None:
        raise ParameterError("a text has a surrogate, which is not a character", code=2)
    return data


def _strings(values: Iterable[Any], labels: Optional[Sequence[Any]]) -> list[str]:
    """Returns values as text. A label is written as the known one that it equals.

    A column of whole numbers that lacks a value is one of floats in pandas: 1.0 is then
    label 1.
    """
    if labels is None:
        return ["" if is_missing(v) else str(v) for v in values]
    written = {label: str(label) for label in labels}

    def label(value: Any) -> str:
        if is_missing(value):
            return ""
        if value in written:
            return written[value]
        return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)

    return [label(v) for v in values]
