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
# A command line, up to its first word that is no argument.
_COMMAND = re.compile(
    r"\bsotto ((?:corpus|embeddings|key|ledger|train) [a-z]+|help(?: mechanisms NAME| environment)?"
    r"|attack|audit|compare|cost|embed|explain|limits|mechanisms|rewrite|synthesize|tune)\b"
    r"((?: --[a-z-]+(?: [\d.]+)?)*)( doctor\b)?"
)
# What does in Python what a command does, by the first word of the command.
_FUNCTIONS = {
    "attack": "attack",
    "cost": "Rewriter.cost",
    "embed": "Embedder",
    "explain": "Rewriter.explain",
    "ledger": "Ledger",
    "limits": "limits",
    "rewrite": "Rewriter",
    "synthesize": "synthesize",
    "tune": "tune",
}
_NUMBER = re.compile(r"(?<![\w-])--([a-z][\w-]*) must be a (number|whole number)\b")
_UNKNOWN_FLAG = re.compile(r"unknown flag --([a-z][\w-]*)")
# What a function does in Python, which in a command is a program or a file, by its flag.
_GIVEN = {
    "encoder_program": "encoder=, a function that returns the vectors of a list of texts",
    "text_vectors": "encoder=, a function that returns the vectors of a list of texts",
    "spans_field": "spans=, a function that returns the marks of a text",
}
_CLAUSE_END = re.compile(r"([;?] )")


def python_name(flag: str) -> str:
    """Returns the name of a flag as an option: ``document-tokens`` is ``document_tokens``, ``lambda`` is ``lambda_``."""
    name = flag.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


def as_options(text: str) -> str:
    """Names options and functions as in Python.

    ``--document-tokens 500`` becomes ``document_tokens=500``, and ``sotto corpus list`` becomes
    ``sotto.command(['corpus', 'list'])``.
    """
    text = _UNKNOWN_FLAG.sub(lambda m: f"unknown option {python_name(m[1])}", text)
    text = _NUMBER.sub(lambda m: f"{python_name(m[1])} must be a {m[2]}", text)
    parts, at = [], 0
    for m in _COMMAND.finditer(text):
        parts += [_flags(text[at : m.start()]), _call(m)]
        at = m.end()
    return "".join([*parts, _flags(text[at:])])


def _flags(text: str) -> str:
    return "".join(_FLAG.sub(_option, clause) for clause in _CLAUSE_END.split(text))


def _call(m: re.Match[str]) -> str:
    words, flags = m[1].split(), m[2].split()
    if words[0] == "explain" and m[3]:
        options = ", ".join(_FLAG.sub(_option, flag) for flag in re.findall(r"--[a-z-]+ [\d.]+", m[2]))
        return f"sotto.Rewriter({options}).explain('doctor')"
    if words[0] in _FUNCTIONS and flags in ([], ["--help"]):
        named = f"sotto.{_FUNCTIONS[words[0]]}"
        return f"help({named})" if flags else named
    return f"sotto.command({[*words, *flags]!r})"


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

    names = [python_name(str(f)) for f in flags]
    if "brought" in names and (given := _GIVEN.get(name.replace("-", "_"))):
        return f"give {given}"
    others = {"eps": "epsilon", "seed": "insecure_seed", "random_state": "insecure_seed", "k": "neighbours"}
    if others.get(name) in names:
        return f"did you mean {others[name]}?"
    near = difflib.get_close_matches(name.replace("-", "_"), names, n=1)
    return f"did you mean {near[0]}?" if near else ""
