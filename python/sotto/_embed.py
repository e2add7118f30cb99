"""Private vectors of texts."""

from __future__ import annotations

import os
import struct
from typing import TYPE_CHECKING, Any, Optional, Union

from ._encoder import Encoder
from ._rewriter import _Drawing
from ._texts import taken_apart
from ._worker import worker
from .errors import Error

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


class Embedder(_Drawing):
    """Releases private vectors of texts by one mechanism.

    ``epsilon`` is the loss per vector in nats. Parameters are named like the flags of
    ``sotto embed``, with underscores; ``of="words"`` gives each token a vector. It needs
    numpy. No ledger counts vectors.

    With ``corpus`` the vectors of whole texts are those of its encoder, and with ``encoder``
    those that a function returns for a list of texts: see Rewriter.
    """

    _command = "embed"

    def __init__(
        self,
        epsilon: Optional[float] = None,
        *,
        mechanism: Optional[str] = None,
        corpus: Union[str, os.PathLike[str], None] = None,
        encoder: Optional[Encoder] = None,
        progress: bool = False,
        **parameters: Any,
    ) -> None:
        super().__init__({"epsilon": epsilon, "mechanism": mechanism, "corpus": corpus, **parameters}, progress, encoder)

    @property
    def dimensions(self) -> int:
        """The number of components of a vector."""
        return int(worker.open(self._session)["components"])

    def __call__(self, texts: Any) -> npt.NDArray[np.float32]:
        """Returns an array of float32 with a row per text, or per token with ``of="words"``.

        A missing value (None, NaN, NA) is the empty text, which has a vector like any
        other. Each call makes new draws.
        """
        try:
            import numpy  # before anything is drawn
        except ImportError:
            raise Error("vectors need numpy", hint="pip install numpy") from None
        import ast

        values, _ = taken_apart(texts)
        rows, columns = bytearray(), 0

        def take(_: dict[str, Any], data: bytearray) -> None:
            # The array of an .npy frame of version 1.
            nonlocal rows, columns
            (length,) = struct.unpack_from("<H", data, 8)
            header = ast.literal_eval(data[10 : 10 + length].decode("latin-1"))
            columns = header["shape"][1]
            with memoryview(data) as view:
                rows += view[10 + length :]

        self._draw("embed", values, take)
        return numpy.frombuffer(rows, dtype="<f4").reshape(-1, columns)  # it shares the memory


def embed(
    texts: Any, epsilon: Optional[float] = None, *, mechanism: Optional[str] = None, **parameters: Any
) -> npt.NDArray[np.float32]:
    """Returns private vectors of texts: see Embedder, which also has the statement.

    >>> embed(["the doctor agreed", "no answer"], epsilon=8).shape
    (2, 30)
    """
    return Embedder(epsilon, mechanism=mechanism, **parameters)(texts)

