"""Functions for what is done once: a copy, a codebook, a parameter, a bound."""

from __future__ import annotations

import json
import os
from typing import Any, Mapping, Optional, Sequence, Union

from ._attack import Texts, _file
from ._options import args_of
from ._rewriter import Rewriter
from ._worker import run
from .errors import ParameterError


def rewrite(texts: Any, epsilon: Optional[float] = None, **options: Any) -> Any:
    """Returns private copies of texts, in their shape: a list, a Series or one str.

    Options are those of :class:`Rewriter`, which opens a mechanism once for many calls and
    has the statement of what was released.

    >>> len(rewrite(["my doctor agreed", "no answer yet"], epsilon=8))
    2
    """
    return Rewriter(epsilon, **options)(texts)


def build_corpus(
    texts: Texts, output: Union[str, os.PathLike[str]], *, public: bool = False, **options: Any
) -> dict[str, Any]:
    """Builds a codebook of public texts, a file for ``corpus=``, and returns what it holds.

    ``texts`` is a path or a list of str. ``public=True`` declares them public, and without it
    nothing is built: they come out as they are. Options are those of ``sotto corpus build``.
    """
    import tempfile  # not with the package, which should start fast

    if public is not True:
        raise ParameterError("the texts of a corpus come out as they are: say public=True if they are public", code=2)
    path = os.path.abspath(os.fspath(output))
    with tempfile.TemporaryDirectory(prefix="sotto-") as folder:
        flags = args_of({"public": True, "output": path, **options})
        run(["corpus", "build", *flags, "--", _file(folder, "texts.txt", texts)])
    return dict(json.loads(run(["corpus", "info", "--json", "--", path])))


def tune(**target: Any) -> dict[str, Any]:
    """Returns the epsilon that meets a target, such as ``attack=0.05`` or ``linkage=0.1``.

    The targets and the fields of the result are those of ``sotto tune --json``.

    >>> tune(linkage=0.1)["epsilon"] > 0
    True
    """
    return _document("tune", target)


def limits(epsilon: float, **options: Any) -> dict[str, Any]:
    """Returns what no mechanism can do at an epsilon: the fields of ``sotto limits --json``.

    >>> limits(4, unit="text")["linkage_limit"] < 0.22
    True
    """
    return _document("limits", {"epsilon": epsilon, **options})


def _document(command: str, options: Mapping[str, Any]) -> dict[str, Any]:
    args: Sequence[str] = args_of(options)
    return dict(json.loads(run([command, "--json", *args])))
