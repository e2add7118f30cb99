"""Private copies of text under differential privacy, with a privacy statement.

>>> import sotto
>>> rewrite = sotto.Rewriter(epsilon=10)
>>> released = rewrite(["my doctor in Boston agreed", "no answer yet"])
>>> len(released)
2
>>> rewrite.statement["claim"]["unit"], rewrite.statement["documents"]
('token', 2)

Each call makes new draws and costs again: nothing is cached by input. The work is done by the
program ``sotto``, which the package starts as one process and talks to over pipes.
"""

import sys as _sys

from ._attack import attack
from ._corpora import synthesize
from ._embed import Embedder, embed
from ._ledger import Ledger
from ._rewriter import BatchRewriter, Rewriter
from ._short import build_corpus, limits, rewrite, tune
from ._version import __version__
from ._worker import command
from .errors import BudgetError, Error, ParameterError, StandingError

__all__ = [
    "BatchRewriter",
    "BudgetError",
    "Embedder",
    "Error",
    "Ledger",
    "ParameterError",
    "Rewriter",
    "StandingError",
    "__version__",
    "attack",
    "build_corpus",
    "command",
    "embed",
    "limits",
    "rewrite",
    "synthesize",
    "tune",
]

if "pandas" in _sys.modules:  # importing pandas here would cost those who do not use it
    from . import pandas as _pandas  # noqa: F401
