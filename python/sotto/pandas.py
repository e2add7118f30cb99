"""The accessor ``private`` of DataFrames and Series. ``import sotto`` registers it if pandas is imported.

>>> import pandas, sotto.pandas
>>> tickets = pandas.DataFrame({"text": ["the printer fails", None], "label": [1, 2]})
>>> released = tickets.private.rewrite("text", epsilon=10)
>>> list(released.columns), released.attrs["statement"]["documents"]
(['text', 'label'], 2)
"""

from __future__ import annotations

from typing import Any, Sequence, Union

import pandas

from ._corpora import synthesize
from ._rewriter import Rewriter
from .errors import ParameterError

__all__ = ["PrivateAccessor", "PrivateSeries"]


@pandas.api.extensions.register_series_accessor("private")
class PrivateSeries:
    """Private copies of a column of texts: ``series.private``."""

    def __init__(self, series: pandas.Series) -> None:
        self._series = series

    def rewrite(self, epsilon: Any = None, **options: Any) -> pandas.Series:
        """Returns private copies of the texts, with the index and the name of the Series.

        Options are those of Rewriter. The statement is ``result.attrs["statement"]``.
        """
        rewriter = Rewriter(epsilon, **options)
        released = rewriter(self._series)
        released.attrs["statement"] = rewriter.statement
        return released


@pandas.api.extensions.register_dataframe_accessor("private")
class PrivateAccessor:
    """Private copies of a frame: ``frame.private``."""

    def __init__(self, frame: pandas.DataFrame) -> None:
        self._frame = frame

    def rewrite(self, columns: Union[str, Sequence[str]], epsilon: Any = None, **options: Any) -> pandas.DataFrame:
        """Returns a copy of the frame with private copies of the texts of some columns.

        Other columns stay as they are, and are not protected. Options are those of
        Rewriter. An account is charged once, for the texts of all columns together. The
        statement is ``result.attrs["statement"]``.
        """
        one = not pandas.api.types.is_list_like(columns) or isinstance(columns, tuple) and columns in self._frame.columns
        names = [columns] if one else list(dict.fromkeys(columns))
        for name in names:
            if list(self._frame.columns).count(name) != 1:
                raise ParameterError(f"the frame must have one column {name!r}", code=2)
        rewriter = Rewriter(epsilon, **options)
        released = self._frame.copy()
        for name, texts in zip(names, rewriter._each([self._frame[name] for name in names])):
            released[name] = texts
        released.attrs["statement"] = rewriter.statement
        return released

    def synthesize(self, **options: Any) -> pandas.DataFrame:
        """Returns a private copy of the whole frame: see sotto.synthesize."""
        return synthesize(self._frame, **options)
