"""Compares `sotto rewrite -m madlib` with programs that do the same in batches with numpy
and with faiss: the nearest word, by an exact search, to the vector of a word plus noise.

    apt-get install python3-numpy python3-faiss libopenblas0-pthread
    /usr/bin/python3 scripts/peers.py [--words N] [--tokens N] [--dims 100,300] [--rounds N] [--program FILE]

The programs take turns on one thread. A figure is the least processor time of the rounds.
For sotto it is that of the whole program, reading and writing text, less that of a text of
one word; for the others that of noise and search alone, with their tables in memory. The
vectors are random. The share of words that stay should be the same for all programs.
--program is a build of sotto to measure in place of this checkout's.
"""

import argparse
import os

for name in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "GOMAXPROCS"):
    os.environ[name] = "1"

import pathlib
import string
import subprocess
import tempfile
import time

import faiss
import numpy as np

BATCH = 1024


def spell(i: int) -> str:
    letters = ""
    for _ in range(5):
        i, digit = divmod(i, 26)
        letters = string.ascii_lowercase[digit] + letters
    return "w" + letters


def noise(rng, n: int, dim: int, epsilon: float) -> np.ndarray:
    direction = rng.standard_normal((n, dim), dtype=np.float32)
    norm = rng.gamma(dim, 1 / epsilon, n).astype(np.float32)
    return direction * (norm / np.linalg.norm(direction, axis=1))[:, None]


class Numpy:
    name = "numpy, OpenBLAS"

    def __init__(self, table: np.ndarray):
        self.columns = np.ascontiguousarray(table.T)
        self.half = (table * table).sum(axis=1) / 2

    def nearest(self, queries: np.ndarray) -> np.ndarray:
        scores = queries @ self.columns
        scores -= self.half
        return scores.argmax(axis=1)


class Faiss:
    name = "faiss, IndexFlatL2"

    def __init__(self, table: np.ndarray):
        faiss.omp_set_num_threads(1)
        self.index = faiss.IndexFlatL2(table.shape[1])
        self.index.add(table)

    def nearest(self, queries: np.ndarray) -> np.ndarray:
        return self.index.search(queries, 1)[1][:, 0]


def library(search, table: np.ndarray, ids: np.ndarray, epsilon: float):
    """Returns the processor time and the share of words that stay."""
    rng = np.random.default_rng()
    start, stay = time.process_time(), 0
    for at in range(0, len(ids), BATCH):
        own = ids[at : at + BATCH]
        out = search.nearest(table[own] + noise(rng, len(own), table.shape[1], epsilon))
        stay += int((out == own).sum())
    return time.process_time() - start, stay / len(ids)


def sotto(program: str, text: pathlib.Path, epsilon: float):
    """Returns the processor time of a run and what it wrote."""
    out = text.with_suffix(".out")
    process = subprocess.Popen(
        [program, "rewrite", "-m", "madlib", "-e", str(epsilon), "--accept", "refuted", "--embeddings", "random", "-q", "-o", out, text]
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode != 0:
        raise SystemExit("sotto failed")
    return usage.ru_utime + usage.ru_stime, out.read_text().lower().split()  # a line begins with a capital


def compare(args, program: str, folder: pathlib.Path, dim: int) -> None:
    rng = np.random.default_rng(dim)
    words = [spell(i) for i in range(args.words)]
    table = rng.standard_normal((args.words, dim), dtype=np.float32)
    ids = rng.integers(0, args.words, args.tokens)
    epsilon = round(dim / (2.5 * dim**0.5), 3)  # the noise is 2.5 times as long as the vectors
    vectors, one, all_words = folder / "random.txt", folder / "one.txt", folder / "all.txt"
    with vectors.open("w") as file:
        for word, row in zip(words, table):
            file.write(word + " " + " ".join(f"{v:.7g}" for v in row) + "\n")
    subprocess.run([program, "embeddings", "import", "--name", "random", vectors], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    one.write_text(words[0] + "\n")
    text = [words[i] for i in ids]
    all_words.write_text("".join(" ".join(text[at : at + 20]) + "\n" for at in range(0, len(text), 20)))
    peers = [Numpy(table), Faiss(table)]
    times = {"sotto": [], "start": [], **{p.name: [] for p in peers}}
    stays = {}
    for _ in range(args.rounds):
        times["start"].append(sotto(program, one, epsilon)[0])
        seconds, out = sotto(program, all_words, epsilon)
        times["sotto"].append(seconds)
        if len(out) != len(text):
            raise SystemExit(f"sotto wrote {len(out)} words of {len(text)}")
        stays["sotto"] = sum(a == b for a, b in zip(text, out)) / len(text)
        for peer in peers:
            seconds, stays[peer.name] = library(peer, table, ids, epsilon)
            times[peer.name].append(seconds)
    least = {name: min(seconds) for name, seconds in times.items()}
    least["sotto"] -= least["start"]
    for name in ["sotto"] + [p.name for p in peers]:
        rate, times_as_fast = args.tokens / least[name], least[name] / least["sotto"]
        print(f"| {dim} | {name} | {rate:,.0f} | {times_as_fast:.1f} | {100 * stays[name]:.1f} % |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=20_000)
    parser.add_argument("--tokens", type=int, default=20_000)
    parser.add_argument("--dims", default="100,300")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--program")
    args = parser.parse_args()
    root = pathlib.Path(__file__).resolve().parent.parent
    print("| dimensions | program | words per processor second | time, in that of sotto | words that stay |")
    print("| --- | --- | --- | --- | --- |")
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        os.environ["SOTTO_HOME"] = str(folder / "home")
        program = args.program or str(folder / "sotto")
        if not args.program:
            subprocess.run(["go", "build", "-o", program, "./cmd/sotto"], cwd=root, check=True)
        for dim in args.dims.split(","):
            compare(args, program, folder, int(dim))


if __name__ == "__main__":
    main()
