"""Finds the program."""

from __future__ import annotations

import os
import sys

from .errors import Error


def find() -> str:
    """Returns the path of the program: ``$SOTTO_BINARY``, that of the package, or ``$PATH``'s."""
    given = os.environ.get("SOTTO_BINARY")
    if given:
        return given
    name = "sotto.exe" if sys.platform == "win32" else "sotto"
    own = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", name)
    if os.path.isfile(own):
        return own
    import shutil  # not with the package, which should start fast

    found = shutil.which("sotto")
    if found:
        return found
    raise Error(
        "the program sotto is missing",
        hint="install a wheel of the package for this platform, put sotto on the PATH, "
        "or set SOTTO_BINARY to its path",
    )


def main() -> None:
    """Runs the program instead of this process: the command ``sotto``."""
    program = find()
    if sys.platform == "win32":
        import subprocess

        sys.exit(subprocess.call([program, *sys.argv[1:]]))
    os.execv(program, [program, *sys.argv[1:]])
