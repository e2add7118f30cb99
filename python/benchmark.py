"""Prints the speed of the package beside that of the command. It asserts nothing.

    python3 benchmark.py [REPEATS]

The texts are made up: 50,000 texts of 24 words of the embedded table's commonest 5,000.
"""

import os
import random
import subprocess
import sys
import tempfile
import time

import pandas

import sotto
import sotto.pandas  # noqa: F401
from sotto import _binary


def seconds(do):
    """Returns how long a call takes."""
    begin = time.perf_counter()
    do()
    return time.perf_counter() - begin


def words():
    """Returns common words, as the outputs of one word."""
    explained = sotto.Rewriter(epsilon=1, words=5000).explain("the", top=0)["words"][0]
    return sorted(o["word"] for o in explained["outputs"] if o["word"].isalpha())


def main():
    repeats = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    choice = random.Random(1)
    known = words()
    frame = pandas.DataFrame({"text": [" ".join(choice.choices(known, k=24)) for _ in range(50_000)]})
    rewriter = sotto.Rewriter(epsilon=10)
    rewriter(frame["text"])
    tokens = rewriter.statement["tokens"]
    program = _binary.find()
    with tempfile.TemporaryDirectory() as folder:
        given, released = os.path.join(folder, "given.txt"), os.path.join(folder, "released.txt")
        frame["text"].to_csv(given, index=False, header=False)
        command = [program, "rewrite", "--quiet", "-e", "10", "-o", released, given]
        ratios = []
        for _ in range(repeats):  # in turns, since other programs share the processors
            in_frame = seconds(lambda: frame.private.rewrite("text", epsilon=10))
            in_series = seconds(lambda: rewriter(frame["text"]))
            outside = seconds(lambda: subprocess.run(command, check=True))
            ratios.append(outside / in_frame)
            print(
                f"{tokens:,} tokens: DataFrame {tokens / in_frame:,.0f}/s, Series {tokens / in_series:,.0f}/s, "
                f"command {tokens / outside:,.0f}/s, ratio {ratios[-1]:.2f}"
            )
        print(f"median ratio of DataFrame to command: {sorted(ratios)[repeats // 2]:.2f}")


if __name__ == "__main__":
    main()
