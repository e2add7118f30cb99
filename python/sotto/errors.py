"""The errors of the package. None holds any part of a text: they give positions and counts."""

from __future__ import annotations

from typing import Any, Mapping, Optional

__all__ = ["BudgetError", "Error", "ParameterError", "StandingError"]


class Error(Exception):
    """A request failed.

    ``code`` is the exit code that the command ``sotto`` has for this failure, ``hint``
    states what to do instead (it may be empty), and ``fields`` has details by name.
    """

    def __init__(
        self,
        message: str,
        *,
        code: int = 1,
        hint: str = "",
        fields: Optional[Mapping[str, Any]] = None,
    ) -> None:
        super().__init__(f"{message} ({hint})" if hint else message)
        self.message = message
        self.code = code
        self.hint = hint
        self.fields = dict(fields or {})

    def __reduce__(self) -> Any:
        return _rebuilt, (type(self), self.message, self.code, self.hint, self.fields)


class ParameterError(Error, ValueError):
    """A parameter, an option or an argument was refused; nothing was drawn."""

    @property
    def parameter(self) -> Optional[str]:
        """The name of the parameter, if one is to blame."""
        return _text(self.fields.get("parameter"))

    @property
    def value(self) -> Any:
        """The refused value, if it is a number."""
        return self.fields.get("value")

    @property
    def must(self) -> Optional[str]:
        """What would be accepted."""
        return _text(self.fields.get("must"))


class BudgetError(Error):
    """A budget does not allow the call: that of an account, or the cap on whole texts.

    Nothing was drawn, and nothing was charged for the call.
    """

    @property
    def account(self) -> Optional[str]:
        """The exhausted account; None if a cap on whole texts was exceeded."""
        return _text(self.fields.get("account"))

    @property
    def cost(self) -> Optional[Mapping[str, float]]:
        """What the call would have cost: ``epsilon`` and ``delta``."""
        return self.fields.get("cost")

    @property
    def remaining(self) -> Optional[Mapping[str, float]]:
        """The largest cost that would be accepted."""
        return self.fields.get("remaining")


class StandingError(Error):
    """The guarantee of the mechanism is not proved; ``accept=`` opens it anyway."""

    @property
    def mechanism(self) -> Optional[str]:
        """The name of the mechanism."""
        return _text(self.fields.get("mechanism"))

    @property
    def standing(self) -> Optional[str]:
        """What is known of its guarantee: ``refuted`` or ``stated``."""
        return _text(self.fields.get("standing"))


def _text(value: Any) -> Optional[str]:
    return None if value is None else str(value)


def _rebuilt(
    kind: type[Error], message: str, code: int, hint: str, fields: Mapping[str, Any]
) -> Error:
    return kind(message, code=code, hint=hint, fields=fields)


_KINDS: dict[str, type[Error]] = {
    "parameter": ParameterError,
    "budget": BudgetError,
    "standing": StandingError,
}


def from_fault(fault: Mapping[str, Any], *, options: bool = True) -> Error:
    """Returns the error for a fault of the worker.

    Its message names options as in Python or, without ``options``, as on a command line.
    """
    from ._names import as_listed, as_options, meant, python_name  # not with the package, which should start fast

    fields = dict(fault.get("fields") or {})
    message, hint = str(fault.get("message", "")), str(fault.get("hint", ""))
    if options:
        message, hint = as_options(message), as_options(hint)
        refused = fields.get("parameter")
        if isinstance(refused, str):
            fields["parameter"] = python_name(refused)
        if isinstance(fields.get("have"), list):
            message = as_listed(message, fields["have"])
            message = message.replace(f'"{refused}"', f'"{fields["parameter"]}"')
            if not hint and (hint := meant(str(fields.get("parameter")), fields["have"])):
                message = message.partition(" (have ")[0]  # dozens of others, which fields have
            fields["have"] = [python_name(str(f)) for f in fields["have"]]
    kind = _KINDS.get(str(fault.get("kind")), Error)
    return kind(message, code=int(fault.get("code", 1)), hint=hint, fields=fields)
