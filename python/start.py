"""Prints what `import sotto` and the first result take: processor time beside Python's own.

    python3 start.py [REPEATS]

The time of the worker counts. Waiting does not, so other programs change the figures little.
It needs Linux or macOS. Exit code 1 means that the import took more than 20 ms, or the first
result more than 50 ms after it.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys

IMPORT, RESULT = 20, 50  # ms at most

PROGRAMS = ("pass", "import sotto", "import sotto; sotto.Rewriter(epsilon=10)(['one text'])")


def milliseconds(program: str) -> float:
    """Returns the processor time of a program and of what it starts."""
    compiled = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}  # as after an installation
    begin = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, "-c", program], check=True, env=compiled)
    end = resource.getrusage(resource.RUSAGE_CHILDREN)
    return 1000 * (end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime)


def main() -> int:
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 11
    rounds = [[milliseconds(p) for p in PROGRAMS] for _ in range(repeats)]
    bare, imported, drawn = (sorted(column)[repeats // 2] for column in zip(*rounds))
    print(f"import: {imported - bare:.0f} ms, first result: {drawn - imported:.0f} ms after it, Python itself: {bare:.0f} ms")
    return int(imported - bare > IMPORT or drawn - imported > RESULT)


if __name__ == "__main__":
    sys.exit(main())
