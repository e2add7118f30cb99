"""What a reader recovers from a release."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Optional, Sequence, Union

from ._options import args_of
from ._texts import encoded
from ._worker import run

Texts = Union[str, os.PathLike[str], Sequence[str]]


def attack(
    texts: Texts,
    *,
    corpus: Texts,
    epsilon: Union[float, str, Sequence[Union[float, str]]],
    mechanism: Union[str, Sequence[str], None] = None,
    public: bool = False,
    among: Optional[int] = None,
    parameters: Optional[Mapping[str, Any]] = None,
    **options: Any,
) -> list[dict[str, Any]]:
    """Attacks releases of sample texts, and returns a row per mechanism and epsilon.

    A row has the share of words that a reader with a language model recovers, of those that
    the table knows, and the share of texts linked to their originals among ``among``: the
    fields of ``sotto attack --json``. ``corpus`` holds the texts on which the reader's model
    is trained, ``texts`` the sample. Both are paths or lists of str. ``public=True`` declares
    them public: without it the figures are as private as the texts. ``epsilon`` is a number,
    a range such as ``"4:8:2"``, or several.
    """
    import tempfile  # not with the package, which should start fast

    with tempfile.TemporaryDirectory(prefix="sotto-") as folder:
        flags = {
            "corpus": _file(folder, "corpus.txt", corpus),
            "texts": _file(folder, "texts.txt", texts),
            "epsilon": epsilon,
            "mechanism": mechanism,
            "public": public,
            "among": among,
            "param": parameters,
            **options,
        }
        document = json.loads(run(["attack", "--json", *args_of(flags)]))
    return list(document["rows"])


def _file(folder: str, name: str, texts: Texts) -> str:
    """Returns the path of texts. Lists are written to the folder, which is its owner's alone."""
    if isinstance(texts, (str, os.PathLike)):
        return os.path.abspath(os.fspath(texts))
    path = os.path.join(folder, name)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as f:
        for text in encoded(texts):
            f.write(b" ".join(text.split()) + b"\n")
    return path
