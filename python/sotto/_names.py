"""Messages of the program, with options named as in Python."""

from __future__ import annotations

import keyword
import re
from typing import Any, Sequence

# A flag, with its value where that is a number or one of the words that options take.
_FLAG = re.compile(
    r"(?<![\w-])--([a-z][a-z-]*)"
    r"(?:[ =](?:(\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(text|word|words|documents|clamp|refuted|stated|metric|pure))\b)?"
)
_UNKNOWN_FLAG = re.compile(r"unknown flag --([a-z][\w-]*)")
_CLAUSE_END = re.compile(r"([;?] )")


def python_name(flag: str) -> str:
    """Returns the name of a flag as an option: ``document-tokens`` is ``document_tokens``, ``lambda`` is ``lambda_``."""
    name = flag.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def as_options(text: str) -> str:
    """Names options as in Python: ``--document-tokens 500`` becomes ``document_tokens=500``.

    Clauses with a command line stay as they are.
    """
    text = _UNKNOWN_FLAG.sub(lambda m: f"unknown option {python_name(m[1])}", text)
    return "".join(c if "sotto " in c else _FLAG.sub(_option, c) for c in _CLAUSE_END.split(text))


def _option(m: re.Match[str]) -> str:
    name, number, word = python_name(m[1]), m[2], m[3]
    if number or word:
        return f"{name}={number}" if number else f"{name}={word!r}"
    following = m.string[m.end() : m.end() + 1]
    return name if following in ("?", ":") else name + "="


def as_listed(message: str, flags: Sequence[Any]) -> str:
    """Names the flags that a message lists as in Python."""
    listed = [str(f) for f in flags]
    return message.replace(", ".join(listed), ", ".join(map(python_name, listed)))


def meant(name: str, flags: Sequence[Any]) -> str:
    """Returns a hint at the option with the most similar name, or nothing."""
    import difflib  # not with the package, which should start fast

    near = difflib.get_close_matches(name.replace("-", "_"), [python_name(str(f)) for f in flags], n=1)
    return f"did you mean {near[0]}?" if near else ""
