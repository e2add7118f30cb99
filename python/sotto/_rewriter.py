"""Private copies of texts."""

from __future__ import annotations

import json
import math
import numbers
import os
import threading
import weakref
from itertools import chain, islice
from typing import Any, Callable, Iterable, Iterator, Mapping, Optional, Sequence, Union, overload

from . import _frames, _log
from ._encoder import Blind, Encoder
from ._ledger import Ledger
from ._marks import Detector, marks_of
from ._options import args_of, placed, request_of, shown
from ._progress import bar
from ._texts import batches, encoded, taken_apart
from ._worker import Progress, Session, release_with, run, worker, working_folder
from .errors import Error, ParameterError

Counts = dict[str, Any]

# A text that may lose more nats is warned of, as the command does.
_LARGE_LOSS = 50


# Those whose locks a forked process replaces, since another thread may hold them.
_drawings: weakref.WeakSet[_Drawing] = weakref.WeakSet()


def _forked() -> None:
    for drawing in list(_drawings):
        drawing._lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forked)


class _Drawing:
    """What rewriters and embedders share: options, a session, counts."""

    _command = ""

    def __init__(self, options: Mapping[str, Any], progress: bool, encoder: Optional[Encoder] = None) -> None:
        if encoder is not None:
            if not callable(encoder):
                raise ParameterError(f"encoder= must be a function of a list of texts, got {encoder!r}", code=2)
            options = {**options, "brought": True}
        self._encoder = Blind(encoder) if encoder is not None else None
        self._options = {k: placed(k, v) for k, v in options.items() if v is not None}
        self._folder = working_folder()
        self.progress = progress
        self._begin()

    def _begin(self) -> None:
        self._lock = threading.Lock()
        _drawings.add(self)
        self._calls = 0
        self._counts: Counts = {}
        self._session = Session(self._command, request_of(self._options), self._folder)
        worker.open(self._session)
        release_with(self, self._session)

    # A pickled object holds its options, and the folder in which they name files. It opens a
    # session of its own, and has drawn nothing.
    def __getstate__(self) -> dict[str, Any]:
        return {"options": self._options, "folder": self._folder, "progress": self.progress, "encoder": self._encoder}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self._options, self._folder = dict(state["options"]), state["folder"]
        self.progress, self._encoder = state["progress"], state["encoder"]
        self._begin()

    def __repr__(self) -> str:
        return f"{type(self).__name__}({shown(self._options)})"

    @property
    def mechanism(self) -> str:
        """The name of the mechanism."""
        return str(worker.open(self._session)["mechanism"])

    @property
    def claim(self) -> dict[str, Any]:
        """The guarantee of one draw."""
        return dict(worker.open(self._session)["claim"])

    @property
    def statement(self) -> dict[str, Any]:
        """The privacy statement for all texts of the calls of this object that returned."""
        return dict(json.loads(self.report()))

    def report(self) -> str:
        """Returns the statement as ``--report`` writes it, which ``sotto audit --verify`` reads."""
        _, data = worker.call("statement", session=self._session, options={"counts": self._drawn()})
        return data.decode()

    def _drawn(self) -> Counts:
        """Returns the public counts of what was drawn."""
        with self._lock:
            return dict(self._counts)

    def _drew(self, counts: Counts) -> None:
        """Sets the counts of an object that has drawn nothing."""
        with self._lock:
            self._counts = self._counts or dict(counts)

    def __call__(self, texts: Any) -> Any:
        raise NotImplementedError

    def cost(self, texts: Any, *, fast: bool = False) -> dict[str, Any]:
        """Returns what a call would spend, and draws and charges nothing.

        The result has the fields of ``sotto cost --json``: ``units``, ``epsilon_each``,
        ``epsilon_longest``, ``epsilon_total``, ``account_left`` (a dict), an estimate of the
        ``seconds`` that drawing takes, and the expected shares of words that stay as they are
        and that the best guess recovers. ``fast`` leaves out the latter. It depends on the
        texts and is as private as they are.
        """
        if self._encoder is not None:
            raise ParameterError("with encoder= each text costs epsilon: there is nothing else to compute", code=2)
        values, _ = taken_apart(texts)
        texts = self._encoded(values)
        records: list[dict[str, Any]] = [{"text": t.decode(errors="replace")} for t in texts]
        options = {k: v for k, v in self._options.items() if k not in ("insecure_seed", "require_certificate", "raw", "marked")}
        for record, spans in zip(records, self._beside(texts).get("spans", ())):
            record["spans"] = spans
            options["spans_field"] = "spans"
        lines = [json.dumps(record, ensure_ascii=False) + "\n" for record in records]
        if self._command == "embed":
            options.setdefault("of", "documents")
        else:
            options["fast"] = fast
        args = ["cost", "--json", "--format=jsonl", "--field=text", *args_of(options)]
        return dict(json.loads(run(args, "".join(lines).encode(), folder=self._folder)))

    def _beside(self, texts: list[bytes]) -> dict[str, Any]:
        """Returns what goes with texts to the worker."""
        return {}

    def _sent(self, texts: list[bytes]) -> list[bytes]:
        """Returns what goes to the worker for texts: their vectors, with an encoder."""
        if self._encoder is None:
            return texts
        return self._encoder([t.decode(errors="replace") for t in texts], self._session.opened["brought"])

    def _sent_later(self, texts: list[bytes]) -> list[bytes]:
        """Returns what goes to the worker after it was charged or drew."""
        try:
            return self._sent(texts)
        except ParameterError as e:
            raise Error(f"{e.message}: nothing was returned, but a charge may have been made", code=e.code) from None

    def _counted(self, texts: list[bytes]) -> list[bytes]:
        """Returns what goes to the worker to count texts."""
        return texts if self._encoder is None else [b""] * len(texts)

    def _encoded(self, values: Sequence[Any]) -> list[bytes]:
        """Returns texts as bytes. With unit text every text is drawn for."""
        return encoded(values, any_text=self.claim["unit"] == "text")

    def _draw(self, op: str, values: Sequence[Any], take: Callable[[dict[str, Any], bytearray], None]) -> dict[str, Any]:
        """Draws for texts in several requests, gives each answer to ``take``, and returns the sum of results.

        An account is charged for all texts together before the first is drawn for. What
        ``take`` got is of no use if this raises.
        """
        any_text = self.claim["unit"] == "text"
        for _ in batches(values, any_text=any_text):
            pass  # refuses what is no text before anything is counted
        with self._lock:  # also on the number of the call
            call, self._calls = self._calls, self._calls + 1
        whole: dict[str, Any] = {"counts": {}, "longest": 0.0}
        with bar(self.progress, len(values)) as progress, worker.several(self._session) as request:
            ahead: Optional[list[bytes]] = None
            if self._encoder is not None:  # it may fail, and is checked, before anything is charged
                ahead = self._sent(next(batches(values, any_text=any_text)))
            if self._session.opened["pays"]:
                for first, texts in _numbered(batches(values, any_text=any_text)):
                    request("count", self._counted(texts), {"call": call, "from": first})
                request("pay", (), {"call": call})
            for first, texts in _numbered(batches(values, any_text=any_text)):
                options = {"call": call, "from": first, **self._beside(texts)}
                sent, ahead = ahead if ahead is not None else self._sent_later(texts), None
                answer, data = request(op, sent, options, _beyond(progress, first, len(values)))
                take(answer, data)
                _add(whole["counts"], answer["result"]["counts"])
                longest = answer["result"].get("longest")
                if longest is None or whole["longest"] is None:
                    whole["longest"] = None  # infinitely many
                else:
                    whole["longest"] = max(whole["longest"], longest)
        with self._lock:
            _add(self._counts, whole["counts"])
        _log.debug("%s: %d texts by %s", op, len(values), self._session.opened.get("mechanism"))
        return whole


def _numbered(parts: Iterable[list[bytes]]) -> Iterator[tuple[int, list[bytes]]]:
    """Yields batches, each with the number of its first text."""
    first = 0
    for texts in parts:
        yield first, texts
        first += len(texts)


def _beyond(progress: Optional[Progress], first: int, total: int) -> Optional[Progress]:
    """Returns what reports the progress of a batch as that of the whole."""
    if progress is None:
        return None
    whole = progress
    return lambda done, _: whole(first + done, total)


def _add(counts: Counts, more: Counts) -> None:
    if more.get("documents"):
        drawn = _together(counts.pop("drawn", None), more.get("drawn")) if counts.get("documents") else more.get("drawn")
        counts.update({"drawn": drawn} if drawn else {})
    for name, n in more.items():
        if name == "drawn":
            continue
        old = counts.get(name, 0)
        if name.endswith("_bits"):
            counts[name] = old | n
        else:
            counts[name] = max(old, n) if name.endswith("_max") else old + n


def _together(one: Any, other: Any) -> Any:
    """Returns what identifies the rows of two parts, None if those of one are not identified."""
    if not one or not other:
        return None
    places = range(0, 64, 16)
    sums = ((int(one["sha256"][i : i + 16], 16) + int(other["sha256"][i : i + 16], 16)) % 2**64 for i in places)
    return {"rows": one["rows"] + other["rows"], "sha256": "".join(f"{n:016x}" for n in sums)}


class Rewriter(_Drawing):
    """Makes private copies of texts by one mechanism.

    ``epsilon`` is the loss per unit in nats; ``unit`` is ``"word"`` (each token at its
    position, the default) or ``"text"`` (a whole text with all its words, which becomes a
    public text of ``corpus``). ``mechanism`` is a name of the catalogue. Other parameters
    are named like the flags of ``sotto rewrite``, with underscores: ``neighbours=20``,
    ``document_epsilon=40``, ``consistent=True``, ``accept="stated"``. ``lambda_`` is
    ``--lambda``.

    ``spans`` is a detector: a function that returns the marks of a text, such as Presidio's
    ``lambda text: analyzer.analyze(text, language="en")`` or spaCy's ``nlp``, or
    ``"patterns"`` for what has a shape, which finds no names. Each mark is then replaced within
    its type, a name by a name, and the rest is copied: what the detector missed stays in
    clear. ``typed=False`` draws the words of the marks instead.

    ``encoder`` is a function that returns the vectors of a list of texts, such as
    ``model.encode`` of sentence-transformers, for a ``corpus`` that was built with it. The
    claim assumes that it is public and reads one text at a time: some texts of the first call
    are asked again, alone, and some of the corpus are compared with its vectors. Another answer
    is an error before anything is charged or drawn.

    With ``account`` and ``ledger`` (a path, a URL or a :class:`Ledger`), each call is
    charged as a whole before anything is drawn.

    Raises :class:`ParameterError` and :class:`StandingError` when it is made, and
    :class:`BudgetError` when it is called. It may be used by several threads, pickled,
    and used after a fork: a copy opens its own session and draws its own noise.

    >>> rewrite = Rewriter(epsilon=4, unit="text")
    >>> rewrite(["my doctor in Boston agreed"])  # doctest: +SKIP
    ['the public health service said on Monday that ...']
    """

    _command = "rewrite"

    def __init__(
        self,
        epsilon: Optional[float] = None,
        *,
        unit: Optional[str] = None,
        mechanism: Optional[str] = None,
        corpus: Union[str, os.PathLike[str], None] = None,
        spans: Optional[Detector] = None,
        encoder: Optional[Encoder] = None,
        account: Optional[str] = None,
        ledger: Union[str, os.PathLike[str], Ledger, None] = None,
        progress: bool = False,
        **parameters: Any,
    ) -> None:
        if isinstance(ledger, Ledger):
            ledger = ledger.place
        options = {
            "epsilon": epsilon,
            "unit": unit,
            "mechanism": mechanism,
            "corpus": corpus,
            "account": account,
            "ledger": ledger,
            **parameters,
        }
        if spans is not None:
            options.setdefault("typed", True)
            options["mark_patterns" if spans == "patterns" else "marked"] = True
            if spans != "patterns" and not callable(spans):
                raise ParameterError(f'spans= must be a function of a text, or "patterns", got {spans!r}', code=2)
        self._spans = spans
        super().__init__(options, progress, encoder)

    def __getstate__(self) -> dict[str, Any]:
        return {**super().__getstate__(), "spans": self._spans}

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        self._spans = state["spans"]
        super().__setstate__(state)

    def _beside(self, texts: list[bytes]) -> dict[str, Any]:
        if self._spans is None or isinstance(self._spans, str):
            return {}
        return {"spans": [marks_of(self._spans(t.decode(errors="replace"))) for t in texts]}

    @overload
    def __call__(self, texts: str) -> str: ...

    @overload
    def __call__(self, texts: list[str]) -> list[str]: ...

    @overload
    def __call__(self, texts: Any) -> Any: ...

    def __call__(self, texts: Any) -> Any:
        """Returns a private copy of each text, in the shape of ``texts``.

        ``texts`` is a list or tuple of str, a pandas Series (index and name are kept), a
        numpy array, or one str. A missing value (None, NaN, NA) is the empty text, which
        is rewritten like any other, so the result has no missing values.

        Each call makes new draws and is charged again. If it raises :class:`Error` itself or an
        error of your ``encoder``, or is interrupted, the charge may have been made. An encoder that
        fails with the first texts, up to 16,384, is charged nothing.
        """
        return self._each([texts])[0]

    def _each(self, columns: Sequence[Any]) -> list[Any]:
        """Returns a private copy of each column of texts. All of them are one call with one charge."""
        parts = [taken_apart(texts) for texts in columns]
        values = parts[0][0] if len(parts) == 1 else list(chain.from_iterable(part for part, _ in parts))
        drawn: list[str] = []
        longest = self._draw(
            "rewrite", values, lambda answer, data: drawn.extend(_frames.split_texts(data, answer.get("texts", 0)))
        )["longest"]
        if values and self._spans is None and (longest is None or longest > _LARGE_LOSS):
            _log.warning(
                "the longest text loses up to %s nats, which hides little of it as a whole: unit='text' "
                "protects whole texts, document_epsilon caps their loss",
                "infinitely many" if longest is None else math.ceil(longest),
            )
        if len(parts) == 1:
            return [parts[0][1](drawn)]
        left = iter(drawn)
        return [shaped(list(islice(left, len(part)))) for part, shaped in parts]

    def explain(self, text: str, top: int = 10) -> dict[str, Any]:
        """Returns the exact output distribution of a word or, with unit text, of a text.

        It draws nothing. ``top`` is the number of outputs; 0 means all. The result has
        the fields of ``sotto explain --json``. It is as private as the text.
        """
        if isinstance(top, bool) or not isinstance(top, numbers.Integral):
            raise ParameterError(f"top= must be a whole number, got {top!r}", code=2)
        _, data = worker.call(
            "explain",
            session=self._session,
            texts=1,
            payload=_frames.join_texts(self._encoded([text])),
            options={"top": int(top)},
        )
        return dict(json.loads(data))

    def batched(self, *columns: str) -> BatchRewriter:
        """Returns a function for ``datasets.map(..., batched=True)``: see BatchRewriter."""
        return BatchRewriter(self, columns)


class BatchRewriter:
    """Rewrites columns of batches: a dict of lists in, a dict of lists out.

    Other columns stay as they are, and are not protected.

    >>> batch = {"text": ["the doctor called"], "label": [1]}
    >>> sorted(Rewriter(epsilon=10).batched("text")(batch))
    ['label', 'text']
    """

    def __init__(self, rewriter: Rewriter, columns: Sequence[str]) -> None:
        if not columns:
            raise ParameterError("batched needs the name of a column", code=2)
        self.rewriter = rewriter
        self.columns = tuple(dict.fromkeys(columns))  # a column that is named twice is drawn once

    def __call__(self, batch: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the batch with private copies in the columns.

        Each call makes new draws. It is charged for all columns together.
        """
        for column in self.columns:
            if column not in batch:
                raise ParameterError(f"the batch has no column {column!r}", code=2)
        released = self.rewriter._each([batch[column] for column in self.columns])
        return {**batch, **dict(zip(self.columns, released))}
