"""Options of a call as a request to the worker, and as flags of a command."""

from __future__ import annotations

import math
import numbers
import os
from typing import Any, Mapping, Union

from ._flags import FILES, NUMBERS, PLACES, SWITCHES
from .errors import ParameterError


def request_of(options: Mapping[str, Any]) -> dict[str, Any]:
    """Returns a request of the worker: JSON values by name. The program says what each must be."""
    return {_flag(key): _json(_flag(key), value) for key, value in options.items() if value is not None}


def args_of(options: Mapping[str, Any]) -> list[str]:
    """Returns options as arguments. None, and False for a switch, mean that a flag is not given.

    False for any other option is passed on, and refused by the program: it must not mean that a
    number is not given.
    """
    return [f"--{_flag(key)}={one}" for key, value in options.items() for one in _values(_flag(key), value)]


def _flag(key: str) -> str:
    return key.rstrip("_").replace("_", "-")  # lambda_ is lambda, a keyword of Python


def _json(name: str, value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Real) and math.isfinite(value):
        return float(value)
    if isinstance(value, Mapping):
        return {str(k): _json(name if name in FILES else str(k), v) for k, v in value.items()}
    return _one(name, value)


def _values(name: str, value: Any) -> list[str]:
    if value is None or value is False and name in SWITCHES:
        return []
    if value is True and name in SWITCHES:
        return ["true"]
    # The program would read a text of digits as a number too.
    if name in NUMBERS and isinstance(value, (str, bytes)) and _is_number(value):
        from ._names import python_name  # not with the package, which should start fast

        option = python_name(name)
        raise ParameterError(
            f"{option} must be a number, got {value!r}", code=2, fields={"parameter": option, "must": "a number"}
        )
    if isinstance(value, Mapping):
        return [f"{k}={_one(name, v)}" for k, v in value.items()]
    if isinstance(value, (list, tuple)):
        return [_one(name, v) for v in value]
    return [_one(name, value)]


def _is_number(value: Union[str, bytes]) -> bool:
    try:
        float(value)
    except ValueError:
        return False  # such as the range 4:8:2, which the program reads
    return True


def _one(name: str, value: Any) -> str:
    if isinstance(value, (str, os.PathLike)):
        return str(placed(name, value))
    if isinstance(value, float):
        return repr(float(value))  # numpy's float64 is a float with another repr
    return str(value)


def placed(name: str, value: Any) -> Any:
    """Returns a path or the place of a ledger as an absolute path, and any other value as it is.

    Another name may be that of a list, a corpus or a table: the program knows, in the working
    folder that goes with the name.
    """
    if isinstance(value, os.PathLike):
        return os.path.abspath(str(os.fspath(value)))
    if isinstance(value, Mapping):
        return {key: placed(name, one) for key, one in value.items()}
    if isinstance(value, str) and _flag(name) in PLACES and value not in ("", "-") and "://" not in value:
        return os.path.abspath(value)
    return value


def shown(options: Mapping[str, Any]) -> str:
    """Returns options for a repr. The URL of a ledger may hold a password."""
    parts = []
    for name, value in options.items():
        if value is None:
            continue
        hidden = name == "ledger" and isinstance(value, str) and "://" in value
        parts.append(f"{name}=..." if hidden else f"{name}={value!r}")
    return ", ".join(parts)
