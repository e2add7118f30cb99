"""Transformers for scikit-learn.

Every ``transform`` makes new draws and is charged again, that of ``predict`` included: the
transformers are tagged as non-deterministic.

>>> from sklearn.pipeline import make_pipeline
>>> from sklearn.feature_extraction.text import CountVectorizer
>>> model = make_pipeline(PrivateText(epsilon=10), CountVectorizer())
>>> model.fit_transform(["the printer fails", "no answer yet"]).shape[0]
2
"""

from __future__ import annotations

from typing import Any, Mapping, Optional, Sequence

import numpy
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ._embed import Embedder
from ._rewriter import Rewriter, _Drawing
from .errors import ParameterError

__all__ = ["PrivateText", "PrivateVectors"]


class _Private(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """A transformer whose parameters open a drawing."""

    def fit(self, X: Any, y: Any = None) -> Any:
        """Opens the mechanism. It reads nothing of ``X`` but its shape."""
        _column(X)
        self.drawing_ = self._opened()
        self.n_features_in_ = 1
        return self

    def _opened(self) -> _Drawing:
        raise NotImplementedError

    def _draw(self, X: Any) -> Any:
        check_is_fitted(self, "drawing_")
        return self.drawing_(_column(X))

    @property
    def statement(self) -> dict[str, Any]:
        """The privacy statement for all texts of this transformer since ``fit``.

        A copy, such as an unpickled transformer, counts what its original had drawn when
        the copy was made, and its own draws. Draws of one are not counted by the other.
        """
        check_is_fitted(self, "drawing_")
        return dict(self.drawing_.statement)

    # A drawing is pickled without its counts, which are public.
    def __getstate__(self) -> dict[str, Any]:
        state = dict(super().__getstate__())
        if "drawing_" in state:
            state["_drawn"] = state["drawing_"]._drawn()
        return state

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        own = dict(state)
        drawn = own.pop("_drawn", None)
        super().__setstate__(own)
        if drawn is not None:
            self.drawing_._drew(drawn)

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "drawing_")

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"non_deterministic": True, "X_types": ["string"], "no_validation": True, "preserves_dtype": []}

    def __sklearn_tags__(self) -> Any:  # since 1.6
        tags = super().__sklearn_tags__()
        tags.non_deterministic = True
        tags.no_validation = True
        tags.transformer_tags.preserves_dtype = []
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        tags.input_tags.one_d_array = True
        return tags


def _others(parameters: Optional[Mapping[str, Any]], own: Sequence[str]) -> dict[str, Any]:
    """Returns the other parameters of a transformer."""
    for name in own:
        if name in (parameters or {}):
            raise ParameterError(f"{name} must be given as {name}=, not in parameters=", code=2)
    return dict(parameters or {})


class PrivateText(_Private):
    """Rewrites texts: a column of str in, an array of str out.

    The parameters are those of Rewriter, others in ``parameters``.
    """

    def __init__(
        self,
        epsilon: Optional[float] = None,
        *,
        unit: Optional[str] = None,
        mechanism: Optional[str] = None,
        corpus: Any = None,
        account: Optional[str] = None,
        ledger: Any = None,
        parameters: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self.epsilon = epsilon
        self.unit = unit
        self.mechanism = mechanism
        self.corpus = corpus
        self.account = account
        self.ledger = ledger
        self.parameters = parameters

    def _opened(self) -> Rewriter:
        return Rewriter(
            self.epsilon,
            unit=self.unit,
            mechanism=self.mechanism,
            corpus=self.corpus,
            account=self.account,
            ledger=self.ledger,
            **_others(self.parameters, ("epsilon", "unit", "mechanism", "corpus", "account", "ledger")),
        )

    def transform(self, X: Any) -> Any:
        """Returns private copies of the texts, in an array of one dimension."""
        return self._draw(X)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Returns the name of the one column."""
        if input_features is not None and len(input_features) == 1:
            return numpy.asarray(input_features, dtype=object)
        return numpy.asarray(["text"], dtype=object)


class PrivateVectors(_Private):
    """Releases private vectors of texts: a column of str in, an array of float32 out.

    The parameters are those of Embedder, others in ``parameters``.
    """

    drawing_: Embedder

    def __init__(
        self,
        epsilon: Optional[float] = None,
        *,
        mechanism: Optional[str] = None,
        parameters: Optional[Mapping[str, Any]] = None,
    ) -> None:
        self.epsilon = epsilon
        self.mechanism = mechanism
        self.parameters = parameters

    def _opened(self) -> Embedder:
        return Embedder(self.epsilon, mechanism=self.mechanism, **_others(self.parameters, ("epsilon", "mechanism")))

    def transform(self, X: Any) -> Any:
        """Returns an array with a row per text."""
        return self._draw(X)

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Returns the names of the columns: ``privatevectors0`` and so on.

        It ignores ``input_features``: each column is of the whole text.
        """
        check_is_fitted(self, "drawing_")
        names = [f"privatevectors{i}" for i in range(self.drawing_.dimensions)]
        return numpy.asarray(names, dtype=object)


def _column(X: Any) -> Any:
    """Returns the texts of a column, a frame or an array of one column, in one dimension."""
    if isinstance(X, (list, tuple)):
        X = numpy.array(X, dtype=object)
    elif hasattr(X, "to_numpy"):
        X = X.to_numpy(dtype=object)
    X = numpy.asarray(X, dtype=object)
    if X.ndim == 2 and X.shape[1] == 1:
        X = X[:, 0]
    if X.ndim != 1:
        raise ParameterError(f"X must be one column of texts, got {X.ndim} dimensions", code=2)
    return X
