"""Private copies of whole corpora."""

from __future__ import annotations

import codecs
import json
import math
import numbers
import os
import re
from typing import TYPE_CHECKING, Any, Iterable, Mapping, Optional, Sequence, Union

from ._ledger import Ledger
from ._options import args_of
from ._texts import is_missing, utf8
from ._worker import run
from .errors import ParameterError

if TYPE_CHECKING:
    import pandas as pd

_MAX_TEXT = 1 << 20  # bytes of the longest text that is counted in a cell

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
    from_model: bool = False,
    lm: Union[str, os.PathLike[str], None] = None,
    **options: Any,
) -> pd.DataFrame:
    """Returns a private copy of a whole frame of records: public texts, drawn by noisy counts.

    ``frame`` is a DataFrame or the path of a file. The result has the columns ``by`` and
    the column ``text``. ``labels`` are the labels that ``by`` may have: a list, or one per
    column by name. They must be known without the records, so they are never read from
    the frame. ``epsilon`` protects one record with its label or, with ``user`` and
    ``per_user``, all records of a user. With ``from_model`` the language model ``lm``, a
    file, writes a text in place of each public one; such texts may be false. Other options
    are named like the flags of ``sotto synthesize``, with underscores: ``weights=True``,
    ``size=1000``, ``expect=5000``.

    The statement is ``result.attrs["statement"]``. A missing text is an empty one. A label
    that is not among ``labels``, and a text that is empty, longer than 1 MiB or has a
    surrogate, is counted in no cell of the release. Values of ``user`` that are equal are
    one user, and so are a whole number and its digits: 7, 7.0 and "7". Spaces around a name
    do not count, case does. All records without
    a user are those of one user. The account is charged before the records are read, so a
    call that fails or is interrupted later may have been charged.
    """
    import tempfile  # these take long to import

    import pandas

    columns: list[Any] = [by] if isinstance(by, str) or not hasattr(by or (), "__iter__") else list(by or ())
    for name in [text, *columns, *([] if user is None else [user])]:
        if not isinstance(name, str):
            raise ParameterError(f"text=, by= and user= must name columns by str, got {name!r}", code=2, hint="rename the columns: frame.columns = frame.columns.map(str)")
    named = [c.split("=", 1)[0] for c in columns]
    if isinstance(ledger, Ledger):
        ledger = ledger.place
    public = _labels(columns, labels)
    for name in ("check", "output", "report"):
        if name in options:
            raise ParameterError(f"{name}= cannot be used here: the release and its statement are returned", code=2)
    if options.get("as", options.get("as_", "rows")) != "rows":
        raise ParameterError("as= cannot be used here: the release is returned as rows (sotto.command writes other forms)", code=2)
    if "field" in options:
        raise ParameterError("field= cannot be used here: text= names the column of the text", code=2)
    with tempfile.TemporaryDirectory(prefix="sotto-") as folder:
        flags: dict[str, Any] = {
            "field": text,
            "by": [c.replace(",", "\\,") for c in columns],
            "labels": _label_files(folder, public),
            "epsilon": epsilon,
            "corpus": corpus,
            "account": account,
            "ledger": ledger,
            "user": user,
            "per_user": per_user,
            "from_model": from_model,
            "lm": lm,
            "output": os.path.join(folder, "released.csv"),
            "report": os.path.join(folder, "report.json"),
            **options,
        }
        stdin, files = b"", []
        if isinstance(frame, (str, os.PathLike)):
            files = ["--", os.path.abspath(os.fspath(frame))]
        else:
            flags["format"] = "csv"
            stdin = _csv(frame, text, {name: public.get(name, []) for name in named}, user)
        run(["synthesize", *args_of(flags), *files], stdin)
        with open(os.path.join(folder, "released.csv"), encoding="utf-8", newline="") as f:
            written, *rows = _rows(f.read())  # the columns are in the order of the flags, whatever their names
        with open(os.path.join(folder, "report.json"), encoding="utf-8") as f:
            statement = json.load(f)
    header = [*named, text, *written[len(named) + 1 :]]
    released = pandas.DataFrame(rows, columns=header, dtype=object)
    for name, values in public.items():
        released[name] = released[name].astype(str).map({str(v): v for v in values}).infer_objects()
    for column, name in zip(columns, named):
        if name not in public and "/" not in column.split("=", 1)[1]:
            released[name] = [int(float(value)) for value in released[name]]  # 1e+06 is one
    if len(header) > len(named) + 1:
        released["weight"] = released["weight"].astype(float)
    released.attrs["statement"] = statement
    return released


# A value of CSV as the program writes it, and what ends it.
_VALUE = re.compile(r'(?:"([^"]*(?:""[^"]*)*)"|([^",\n]*))([,\n])')


def _rows(written: str) -> list[list[str]]:
    """Returns the rows of CSV. The csv module refuses long values and, before Python 3.11, a NUL."""
    rows: list[list[str]] = []
    row: list[str] = []
    for quoted, plain, end in _VALUE.findall(written):
        row.append(quoted.replace('""', '"') or plain)
        if end == "\n":
            rows.append(row)
            row = []
    return rows


def _labels(columns: Sequence[str], labels: Optional[Labels]) -> dict[str, list[Any]]:
    """Returns the labels of each column that has some."""
    open_columns = [c for c in columns if "=" not in c]
    if labels is None:
        if open_columns:
            raise ParameterError(
                "by= needs labels=, the public labels of the column",
                code=2,
                hint='such as labels=["yes", "no"]: they must be known without the records',
            )
        return {}
    if not open_columns and not (isinstance(labels, Mapping) and not labels):
        raise ParameterError(
            "labels= cannot be used: each column of by= has bins, which come after ="
            if columns
            else "labels= needs by=, the column of the labels",
            code=2,
            hint="rename a column whose name has a =" if columns else "",
        )
    if isinstance(labels, Mapping):
        if sorted(map(str, labels)) != sorted(open_columns):
            raise ParameterError("labels= must have the name of each column of by= without bins, and no other", code=2)
        return {str(name): list(values) for name, values in labels.items()}
    if isinstance(labels, str) or len(open_columns) != 1:
        raise ParameterError("labels= must be a list for the one column of by=, or a dict of lists by column", code=2)
    return {open_columns[0]: list(labels)}


def _label_files(folder: str, labels: Mapping[str, Sequence[Any]]) -> list[str]:
    """Writes public labels to files, since a label may hold a comma."""
    flags = []
    for i, (name, values) in enumerate(labels.items()):
        if len(set(map(str, values))) < len(values):
            raise ParameterError(f"two labels of column {name!r} are written alike", code=2)
        lines = []
        for value in values:
            line = utf8(str(value))
            if is_missing(value) or not line:
                raise ParameterError(f"a label of column {name!r} is empty, missing or has a surrogate", code=2)
            if b"\n" in line or b"\r" in line:
                raise ParameterError(f"a label of column {name!r} has a line break", code=2)
            lines.append(line + b"\n")
        if lines and lines[0].startswith(codecs.BOM_UTF8):  # a file of lines would lose it
            raise ParameterError(f"the first label of column {name!r} begins with a byte order mark", code=2)
        path = os.path.join(folder, f"labels{i}.txt")
        with open(path, "wb") as f:
            f.writelines(lines)
        flags.append(f"{name}={path}" if len(labels) > 1 else path)
    return flags


def _csv(frame: Any, text: str, known: Mapping[str, Sequence[Any]], user: Optional[str]) -> bytes:
    """Returns columns of a frame as CSV, whatever they hold. ``known`` has the labels of the columns by."""
    if not hasattr(frame, "columns"):
        raise ParameterError(f"frame must be a DataFrame or a path, got {type(frame).__name__}", code=2)
    names = [*known, *([user] if user else []), text]
    for name in names:
        if list(frame.columns).count(name) != 1:
            raise ParameterError(f"the frame must have one column {name!r}", code=2)
    import csv
    import io

    values = [_label_strings(frame[name], labels) for name, labels in known.items()]
    if user:
        values.append(_user_strings(frame[user]))
    values.append(_text_strings(frame[text]))
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(names)
    writer.writerows(zip(*values))
    # A text with a surrogate is then not UTF-8, and its record is counted as one without a text.
    return out.getvalue().encode("utf-8", "surrogatepass")


def _string(value: Any) -> str:
    """Returns a value as text. An error would depend on it, so there is none."""
    try:
        return "" if is_missing(value) else str(value)
    except Exception:
        return ""


def _text_strings(values: Iterable[Any]) -> list[str]:
    """Returns texts. One that is too long to be counted is left out.

    A record that is longer than 4 MiB would be read without its user.
    """
    return ["" if len(t.encode("utf-8", "surrogatepass")) > _MAX_TEXT else t for t in map(_string, values)]


def _user_strings(values: Iterable[Any]) -> list[str]:
    """Returns users as text. Users that are equal are written alike, whatever their types.

    Otherwise one user would count as several, and the claim would not hold for it.
    """
    written: dict[Any, str] = {}

    def user(value: Any) -> str:
        name = _string(value)
        try:
            if isinstance(value, numbers.Number):
                number: Any = value
                number = number.real if number == number.real else number
                if math.isfinite(number):
                    name = str(int(number) if number == int(number) else float(number))
        except Exception:
            pass  # too large: the first of those that are equal gives the name
        try:
            return written.setdefault(value, name)
        except TypeError:  # not hashable
            return name

    return ["" if is_missing(v) else user(v) for v in values]


def _label_strings(values: Iterable[Any], labels: Sequence[Any]) -> list[str]:
    """Returns labels as text. A label is written as the known one that it equals.

    A column of whole numbers that lacks a value is one of floats in pandas: 1.0 is then
    label 1.
    """
    written = {label: str(label) for label in labels}

    def label(value: Any) -> str:
        if is_missing(value):
            return ""
        try:
            if value in written:
                return written[value]
        except TypeError:  # not hashable
            pass
        return _string(int(value) if isinstance(value, float) and value.is_integer() else value)

    return [label(v) for v in values]
