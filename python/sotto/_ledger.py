"""Budgets."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, Any, Optional, Union

from ._options import args_of, placed, shown
from ._worker import run
from .errors import ParameterError

if TYPE_CHECKING:
    from datetime import timedelta


class Ledger:
    """The budgets of accounts, in a file or a PostgreSQL database.

    ``place`` is the path of an SQLite file or a URL ``postgres://user@host/database``.

    >>> import tempfile, os
    >>> ledger = Ledger(os.path.join(tempfile.mkdtemp(), "budgets.db"))
    >>> _ = ledger.grant("team", epsilon=100)
    >>> ledger.account("team")["limits"][0]["remaining"]["epsilon"]
    100
    """

    def __init__(self, place: Union[str, os.PathLike[str]]) -> None:
        self.place = str(placed("ledger", os.fspath(place)))

    def __repr__(self) -> str:
        return f"Ledger({shown({'ledger': self.place})})"

    def grant(
        self,
        account: str,
        epsilon: float,
        *,
        delta: Optional[float] = None,
        period: Union[str, timedelta, None] = None,
        **options: Any,
    ) -> dict[str, Any]:
        """Raises the budget of an account, or opens the account, and returns it.

        ``period`` is the length of the periods that each have this budget, such as
        ``"24h"``, ``"30d"`` or a timedelta.
        """
        if period is not None and not isinstance(period, str):
            if not hasattr(period, "total_seconds"):
                raise ParameterError(f'period must be a str such as "24h" or a timedelta, got {period!r}', code=2)
            seconds = period.total_seconds()
            if seconds != int(seconds):  # a shorter period would allow more
                raise ParameterError(f"period must be whole seconds, got {period!r}", code=2)
            period = f"{int(seconds)}s"
        return dict(self._json("grant", account, epsilon=epsilon, delta=delta, period=period, **options))

    def accounts(self) -> list[dict[str, Any]]:
        """Returns all accounts: what was granted, spent and is left."""
        return list(self._json("show")["accounts"])

    def account(self, name: str) -> dict[str, Any]:
        """Returns one account."""
        return dict(self._json("show", name)["accounts"][0])

    def verify(self, head: Optional[str] = None) -> dict[str, Any]:
        """Recomputes the whole ledger; raises Error if it was edited.

        ``head`` is a head that an earlier call returned: the ledger must still hold it.
        """
        return dict(self._json("verify", head=head))

    def _json(self, command: str, *names: str, **options: Any) -> Any:
        args = ["ledger", command, "--json", *args_of({"ledger": self.place, **options}), "--", *names]
        return json.loads(run(args))
