"""Vectors of texts by an encoder of the user's."""

from __future__ import annotations

import math
import sys
from array import array
from typing import Any, Callable, Mapping, Sequence

from .errors import ParameterError

Encoder = Callable[[list[str]], Any]

_ASKED = 8  # texts that are asked again
_OFTEN = 4096  # texts after which a public one is asked again
_OTHERS = ["The train leaves in the morning.", "no", "A longer sentence about nothing stands beside the others."]
_LEAST = 0.99  # cosine of a text's vector to that of the corpus: other hardware may round otherwise


class Blind:
    """Returns vectors as bytes, and refuses an encoder that reads more than one text at a time.

    The first call also refuses one whose vectors are not those of the corpus.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder, self._checked = encoder, False
        self._probe: list[int] = []  # the vector of a public text, which must stay the same
        self._since = 0  # texts since that was asked

    def __reduce__(self) -> Any:
        return Blind, (self._encoder,)  # a copy may find another corpus under its name: it is checked again

    def __call__(self, texts: list[str], corpus: Mapping[str, Any]) -> list[bytes]:
        """Returns the vectors of texts. ``corpus`` is what the worker says of it: ``components``, and ``texts`` with ``vectors``."""
        components = int(corpus["components"])
        if not self._checked and texts:
            self._check(texts[:: max(1, len(texts) // _ASKED)][:_ASKED], components)
            self._fits(corpus["texts"], corpus["vectors"], components)
            self._checked = True
        vectors = self._vectors(texts, components)
        self._since += len(texts)
        if self._since >= _OFTEN:
            self._since = 0
            if _grid(self._vectors(_OTHERS[:1], components, added=1)[0]) != self._probe:
                raise _others()
        return [_packed(v) for v in vectors]

    def _vectors(self, texts: list[str], components: int, added: int = 0) -> list[list[float]]:
        """Returns the vectors of texts, of which some were added to the caller's."""
        answer = self._encoder(texts) if texts else []
        if hasattr(answer, "__iter__"):
            answer = list(answer)  # an error of an encoder that answers as it is read is its own
        try:
            vectors = [[float(x) for x in v] for v in answer]
        except (TypeError, ValueError):
            raise ParameterError("encoder= must return a vector of numbers for each text", code=2) from None
        if len(vectors) != len(texts):
            public = f", of which {added} are public texts that it is tried with" if added else ""
            raise ParameterError(f"encoder= returned {len(vectors)} vectors for {len(texts)} texts{public}", code=2)
        for v in vectors:
            if len(v) != components:
                raise ParameterError(f"encoder= must return {components} components per text, as the corpus has, got {len(v)}", code=2)
        if not all(math.isfinite(x) for v in vectors for x in v):
            raise ParameterError("encoder= returned a component that is not finite", code=2)
        return vectors

    def _fits(self, texts: list[str], known: list[list[int]], components: int) -> None:
        for own, v in zip(self._vectors(texts, components, added=len(texts)), known):
            if _cosine(_grid(own), v) < _LEAST:
                raise ParameterError(
                    "encoder= gives other vectors than the corpus has: it must be the encoder that the corpus was built with", code=2
                )

    def _check(self, texts: list[str], components: int) -> None:
        together = self._vectors(texts + _OTHERS, components, added=len(_OTHERS))
        backwards = self._vectors((_OTHERS + texts)[::-1], components, added=len(_OTHERS))
        for text, first, again in zip(texts, together, backwards[: len(texts)][::-1]):
            if not _grid(first) == _grid(again) == _grid(self._vectors([text], components)[0]):
                raise _others()
        self._probe = _grid(together[len(texts)])


def _others() -> ParameterError:
    return ParameterError(
        "encoder= gives a text another vector beside other texts, or when it is asked again; "
        "it must read one text at a time: try lambda texts: [encode([t])[0] for t in texts]",
        code=2,
    )


def _packed(v: Sequence[float]) -> bytes:
    """Returns a vector as little-endian float32."""
    packed = array("f", v)
    if sys.byteorder == "big":
        packed.byteswap()
    return packed.tobytes()


def _grid(v: Sequence[float]) -> list[int]:
    """Returns a vector on the program's grid."""
    length = math.sqrt(math.fsum(x * x for x in v))
    if length == 0:
        return [0] * len(v)
    radius = max(127, math.isqrt(1024 * len(v)))
    return [max(-127, min(127, round(x / length * radius))) for x in v]


def _cosine(a: Sequence[int], b: Sequence[int]) -> float:
    """Returns that of two vectors on the grid; 1 if both are zero."""
    product, left, right = (sum(x * y for x, y in zip(p, q)) for p, q in ((a, b), (a, a), (b, b)))
    if left == right == 0:
        return 1
    return max(0, product) / max(left, right)
