"""Prints the memory that one call over many texts takes, in this process and in the worker.

    python3 memory.py [TEXTS]
    python3 memory.py TEXTS "sotto.Rewriter(epsilon=4, unit='text')"

The second prints both figures of another call. The texts are short: six common words. The
list of them and the list of the results are the caller's own, so they are not counted; the
figure of Python is what the process took at most beside both. That of the worker is all of
it. It needs Linux. Exit code 1 means that a call took more than 200 MB.
"""

from __future__ import annotations

import os
import random
import subprocess
import sys

MOST = 200  # MB

CALLS = {
    "rewrite": "sotto.Rewriter(epsilon=10)",
    "rewrite, with an account": "sotto.Rewriter(epsilon=10, account='team', ledger=ledger)",
    "embed": "sotto.Embedder(epsilon=4)",
}


def megabytes(field: str, pid: object = "self") -> float:
    """Returns a field of the status of a process."""
    with open(f"/proc/{pid}/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith(field + ":")) / 1000


def measure(call: str, texts: int) -> None:
    """Makes one call, in this process, and prints both figures."""
    import tempfile

    import numpy  # noqa: F401  so that its own memory does not count

    import sotto
    from sotto._worker import worker

    choice = random.Random(1)
    known = "the doctor in office said that no answer came on monday because printer was out of order".split()
    given = [" ".join(choice.choices(known, k=6)) for _ in range(texts)]
    with tempfile.TemporaryDirectory() as folder:
        ledger = sotto.Ledger(os.path.join(folder, "budgets.db"))
        ledger.grant("team", epsilon=1e9)
        draw = eval(call, {"sotto": sotto, "ledger": ledger})
        draw(given[:100])
        before = megabytes("VmRSS")
        with open("/proc/self/clear_refs", "w") as peak:
            peak.write("5")  # begins VmHWM again
        result = draw(given)
        most = megabytes("VmHWM")
        assert len(result) == texts
        # Of the result alone: what goes when it does would hide what the allocator keeps.
        size = result.nbytes if hasattr(result, "nbytes") else sys.getsizeof(result) + sum(map(sys.getsizeof, result))
        print(most - before - size / 1e6, megabytes("VmHWM", worker.pid()))


def main() -> int:
    texts = int(sys.argv[1]) if len(sys.argv) > 1 else 3_000_000
    over = False
    for name, call in CALLS.items():
        done = subprocess.run([sys.executable, __file__, str(texts), call], check=True, capture_output=True, text=True)
        python, worker = map(float, done.stdout.split())
        over = over or python > MOST or worker > MOST
        print(f"{name}: {texts:,} texts take {python:.0f} MB in Python beside input and result, {worker:.0f} MB in the worker", flush=True)
    return int(over)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        measure(sys.argv[2], int(sys.argv[1]))
    else:
        sys.exit(main())
