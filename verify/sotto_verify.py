#!/usr/bin/env python3
"""Recomputes what a report or a certificate of sotto states.

    sotto_verify.py REPORT [--table T] [--corpus C] [--channel F] [--never L] [--values V]... [--json]

Exit code 0: everything that is stated holds. 1: something does not. 2: it cannot tell, because the document states what
this program does not know, or a file that it needs was not given. It needs Python 3.9 and nothing else. It shares no
code with sotto: it was written from docs/reference/reports.md, which describes the documents and the rules.
"""

import argparse, decimal, hashlib, itertools, json, math, re, struct, sys
from fractions import Fraction
from functools import lru_cache

BITS = 200  # of logarithms and exponentials behind the point
ONE = 1 << BITS
ENGLISH_TABLE = {"words": 20000, "dimensions": 100, "sha256": "657053f3a7a632ea00b53af5fc8817391a961eab98d8681375ea673184f75a18"}
CORPUS = ("name", "texts", "sha256", "declared_public", "encoder")
CLAIM = ("unit", "neighbouring", "notion", "distance", "epsilon", "delta", "assumes")
# The corpora that are shipped with sotto, as `sotto corpus info --json NAME` describes them.
SHIPPED = {line.split(":")[3]: dict(zip(CORPUS, (line.split(":")[0], int(line.split(":")[1]), line.split(":")[3], True, line.split(":")[2]))) for line in """
    english:33254:sif:8f7556d706586203db8148dffc4c56f4dd09e3b8ba677619d62fd3e93b718834 chat:20000:sif+lsa:82a5054e1d1383ac02236d205ac601d22dc8e7eec4bf10cd51068750737b8ead
    clinical:20000:sif+lsa:b1ca2bebeda35c30a126d9d383b8f4901cab368dcf12207e6ee986c17a829c7f german-support:20000:lsa:331ce86150faa933690512072fe598d277c97433adedc4032bc164aa7d352822
    mail:20000:sif+lsa:4d35f7c0306ac0708531e4b69985a520f662a529fef0e9dc9bbfc18b4f56bb5d news:20000:sif:790373f2df4e4308a088ffa10c0beefdc893dd38ea281416e97c48a4abd5ffa0
    reviews:20000:sif+lsa:6228a2f73f2058b50a4b322423c2cfcd90da9b272c2e50bc89e8234fe7b39535 support:20000:sif+lsa:d930e339541b405271a1ea67650179266bfd9a93f10a18a07080dbb42edb1f1c
""".split()}

class Refused(Exception): """Something that the document states does not hold."""
class Unknown(Exception): """It cannot be told whether the document holds."""

def refuse(when, why, kind=Refused):
    if when:
        raise kind(why)
def unknown(when, why):
    refuse(when, why, Unknown)

class Findings:
    """One line for each thing checked."""
    def __init__(self):
        self.lines = []
    def check(self, name, holds, detail=""):
        self.lines.append((name, bool(holds)))
        refuse(not holds, f"{name}: {detail}" if detail else name)
    def equal(self, name, stated, found):
        self.check(name, same(stated, found), f"{show(stated)} is stated, {show(found)} is found")
    def agree(self, name, stated, found):  # compares some fields of an object
        for key, value in found.items():
            self.equal(f"{name}: {key}", stated.get(key), value)
    def near(self, name, stated, found, slack=Fraction(1, 10**9)):  # compares a figure that no guarantee rests on
        good = abs(number(stated, name) - Fraction(found)) <= slack * max(abs(Fraction(found)), Fraction(1, 10**9))
        self.check(name, good, f"{show(stated)} is stated, {show(found)} is found")
    def between(self, name, low, value, high):
        self.check(name, low <= value <= high, f"{show(value)} is not from {show(low)} to {show(high)}")

def show(value):
    return f"{float(value):.12g}" if isinstance(value, (float, Fraction)) else json.dumps(value)[:200]
def same(a, b):  # equality that distinguishes true from 1, but not 1 from 1.0
    if isinstance(a, bool) or isinstance(b, bool) or a is None or b is None:
        return a is b
    if isinstance(a, dict) and isinstance(b, dict):
        return a.keys() == b.keys() and all(same(a[k], b[k]) for k in a)
    if isinstance(a, list) and isinstance(b, list):
        return len(a) == len(b) and all(map(same, a, b))
    return a == b
def number(value, name):
    refuse(isinstance(value, bool) or not isinstance(value, (int, float, Fraction)) or not math.isfinite(value), f"{name}: {show(value)} is not a number")
    return Fraction(value)
def whole(value, name, least=0, most=10**18):
    refuse(type(value) is not int or not least <= value <= most, f"{name}: {show(value)} is not a whole number from {least} to {most}")
    return value
def fields(value, name, required, optional=()):
    refuse(not isinstance(value, dict), f"{name}: not an object")
    more, less = [key for key in value if key not in (*required, *optional)], [key for key in required if key not in value]
    unknown(more, f"{name}: the field {show(more[:1])} is unknown")
    refuse(less, f"{name}: the field {show(less[:1])} is missing")
    return value

# Exponentials, logarithms and roots between bounds: whole numbers times 2^-BITS. decimal rounds exp and ln to the nearest.

WIDE, DOWN, UP = (decimal.Context(prec=100, rounding=r) for r in (decimal.ROUND_HALF_EVEN, decimal.ROUND_FLOOR, decimal.ROUND_CEILING))

def bounds(function, x):  # bounds of an increasing function at a fraction
    low, high = (function(way.divide(decimal.Decimal(x.numerator), decimal.Decimal(x.denominator)), WIDE) for way in (DOWN, UP))
    return Fraction(low.next_minus(WIDE)) * ONE // 1, -(-Fraction(high.next_plus(WIDE)) * ONE // 1)
def exp_fixed(x):
    return (0, 1) if x < -BITS else bounds(decimal.Decimal.exp, x)
def ln_fixed(q):
    return (0, 0) if q == 1 else bounds(decimal.Decimal.ln, q)
def ln_bounds(q):
    return tuple(Fraction(v, ONE) for v in ln_fixed(Fraction(q)))
def root_bounds(q):
    root = math.isqrt((q.numerator << (2 * BITS)) // q.denominator)
    return Fraction(root, ONE), Fraction(root + 1, ONE)

# Files: JSON documents, tables of words, corpora, channels.

def read(path):
    with open(path, "rb") as f:
        return f.read()

def strict_json(data, name):
    def pairs(items):
        refuse(len({k for k, _ in items}) != len(items), f"{name}: a field occurs twice")
        return dict(items)
    def plain(text):
        value = int(text) if text.lstrip("-").isdigit() else float(text)
        odd = text == "-0" or not math.isfinite(value) or isinstance(value, float) and value == int(value) and abs(value) < 1e21
        refuse(odd, f"{name}: {text[:20]} is not how a number is written")
        return value
    try:
        return json.loads(data.decode("utf-8"), object_pairs_hook=pairs, parse_constant=plain, parse_float=plain, parse_int=plain)
    except (UnicodeDecodeError, ValueError, RecursionError):
        raise Refused(f"{name}: not a JSON document in UTF-8") from None
def compact(text):  # A JSON document without white space outside of strings, and with <, > and & escaped
    text = re.sub(r'("(?:\\.|[^"\\])*")|\s+', lambda m: m[1] or "", text)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")

class Table:
    """A public table of words: whole numbers of steps on a grid."""
    def __init__(self, words, dimensions, step, rows):
        self.words, self.dimensions, self.step, self.rows, self.gone = words, dimensions, step, rows, []
    def digest(self):
        head = b"sotto table 1\0\0\0" + struct.pack("<IId", len(self.words), self.dimensions, self.step)
        rows = (struct.pack(f"<{self.dimensions}i", *row) for row in self.rows)
        gone = (word + b"\0" + struct.pack("<I", stand_in) for word, stand_in in self.gone)
        return sha256(b"".join((head, *(w + b"\0" for w in self.words), *rows, *gone)))
    def only(self, keep, read_as_nearest=False):
        """Some of the words. Those left out may be read as the nearest of the others, by lower number."""
        index = [i for i, w in enumerate(self.words) if keep(i, w)]
        out = Table([self.words[i] for i in index], self.dimensions, self.step, [self.rows[i] for i in index])
        for i in sorted(set(range(len(self.words))) - set(index)) if read_as_nearest else ():
            out.gone.append((self.words[i], min(range(len(index)), key=lambda j: (self.square(i, index[j]), j))))
        return out
    def square(self, a, b):
        return sum((p - q) ** 2 for p, q in zip(self.rows[a], self.rows[b]))
    def distance(self, a, b):
        return root_bounds(Fraction(self.square(a, b)) * Fraction(self.step) ** 2)
    def index(self, witness, kind):  # the numbers of the three words of a witness
        fields(witness, kind, ("input", "neighbour", "output"))
        refuse(any(not isinstance(w, str) or w.encode() not in self.words for w in witness.values()), f"{kind}: not three words of the table")
        return [self.words.index(witness[key].encode()) for key in ("input", "neighbour", "output")]
    def unknown_entry(self):  # the entry that stands for unknown tokens: <unk>, else the word nearest to the mean of the table
        if b"<unk>" in self.words:
            return self.words.index(b"<unk>")
        n, mean = len(self.rows), [sum(c) for c in zip(*self.rows)]
        return min(range(n), key=lambda i: (sum((n * a - b) ** 2 for a, b in zip(self.rows[i], mean)), i))

def read_table(path):
    data = read(path)
    try:
        if data[:8] == b"SOTTOTAB":
            return stored_table(data, path)
        if data[:10] == b"sottogrid1":
            words, dimensions, length, step = struct.unpack_from("<IIId", data, 10)
            names, kind, at = data[30 : 30 + length].split(b"\n")[:words], "b", 30 + length
            return Table(names, dimensions, step, list(struct.iter_unpack(f"<{dimensions}{kind}", data[at:])))
        return vector_file(data)
    except (struct.error, ValueError, IndexError):
        raise Unknown(f"{path}: " + ("compressed: decompress it first" if data.startswith((b"\x1f\x8b", b"\x28\xb5\x2f\xfd")) else "not a table that this program reads")) from None
def stored_table(data, path):
    version, _, words, dimensions, _, length, step = struct.unpack_from("<6Id", data, 8)
    rows = [tuple(map(int, row)) for row in struct.iter_unpack(f"<{dimensions}f", data[aligned(128 + length, 64) :])] if version == 1 else []
    table = Table(data[128 : 128 + length].split(b"\0")[:words], dimensions, step, rows)
    unknown(version != 1 or len(rows) != words or table.digest() != data[40:72].hex(), f"{path}: " + ("damaged" if version == 1 else "a table with counts or rules of segmentation, which this program does not read"))
    return table
def vector_file(data):
    """A text file of vectors. Components are rounded to the grid: all bits that keep squared distances exact."""
    lines = [line.split() for line in data.removeprefix(b"\xef\xbb\xbf").splitlines() if line.strip()]
    del lines[: len(lines[0]) == 2 and b"".join(lines[0]).isdigit()]  # a header
    rows = [[struct.unpack("<f", struct.pack("<f", float(p)))[0] for p in line[1:]] for line in lines]
    dimensions, names = len(rows[0]), [line[0] for line in lines]
    if any(len(r) != dimensions for r in rows) or len(set(names)) != len(names) or b"\0" in data:
        raise ValueError  # a NUL ends a word in the digest
    bits = math.floor((53 - math.log2(dimensions)) / 2) - 1
    step = math.ldexp(1.0, math.frexp(max(abs(v) for r in rows for v in r))[1] - bits)
    return Table(names, dimensions, step, [tuple(round(v / step) for v in r) for r in rows])

def aligned(n, to=8):
    return -(-n // to) * to
def sha256(data):
    return hashlib.sha256(data).hexdigest()

class Corpus:
    """A corpus file: texts, their vectors, their clusterings."""
    def __init__(self, path):
        data = read(path)
        unknown(data[:8] != b"SOTTOCRP" or len(data) < 64 or struct.unpack_from("<I", data, 8)[0] != 1, f"{path}: not a corpus of a format that this program reads")
        (count,), (size,) = struct.unpack_from("<I", data, 12), struct.unpack_from("<Q", data, 16)
        header = 64 + 64 * count
        good = size == len(data) and hashlib.sha256(data[:header]).digest() == data[header : header + 32]
        self.sections, self.sums = {}, {}
        for i in range(count if good else 0):
            kind, offset, length = struct.unpack_from("<3Q", data, 64 + 64 * i)
            self.sections[kind], self.sums[kind] = data[offset : offset + length], data[88 + 64 * i : 120 + 64 * i]
            good = good and hashlib.sha256(self.sections[kind]).digest() == self.sums[kind]
        refuse(not good, f"{path}: the corpus is damaged")
        self.info = strict_json(self.sections[0], path)
        self.texts, self.dimensions = self.info["texts"], self.info["dimensions"]
    def digest(self):
        text = self.sections[0].decode()
        start = text.index('"encoder":') + len('"encoder":')
        value, end = json.JSONDecoder().raw_decode(text, start)
        refuse(value != self.info["encoder"], "corpus: its header has two encoders")
        radius = max(127, math.isqrt(1024 * self.dimensions))
        head = f'{{"Texts":{self.texts},"Dimensions":{self.dimensions},"Radius":{radius},"Encoder":{text[start:end]}}}'
        return sha256(b"sotto-corpus 1\0" + struct.pack("<Q", len(head)) + head.encode() + b"".join(self.sums[kind] for kind in range(1, 8)))
    def clusterings(self):  # the digests of the stored clusterings by their numbers of clusters
        sizes = [self.info[k] for k in ("clusters",) if self.info.get(k)] + list(self.info.get("clusterings") or [])
        centres, members, out = self.sections.get(8, b""), self.sections.get(9, b""), {}
        for c in sizes:
            cut, size = c * self.dimensions, 4 * self.texts
            out[c] = sha256(b"sotto-index 1\0" + struct.pack("<Q", c) + centres[:cut] + members[:size])
            centres, members = centres[cut:], members[size:]
        return out
    def nearest(self, text, k):  # the k texts with the largest inner products with a text of the corpus, ties by lower index
        data, d, wide = self.sections[3], self.dimensions, 16 * aligned(self.dimensions, 4)
        place = lambda i, j: i // 16 * wide + j // 4 * 64 + i % 16 * 4 + j % 4  # 16 texts together, 4 components of each
        rows = [[data[place(i, j)] - 128 for j in range(d)] for i in range(self.texts)]
        return set(sorted(range(self.texts), key=lambda i: (-sum(map(int.__mul__, rows[i], rows[text])), i))[:k])
    def described(self):
        about = {"about": self.info["encoder"]["about"]["sha256"]} if self.info["encoder"].get("about") else {}
        return dict(zip(CORPUS[1:], (self.texts, self.digest(), self.info["declared_public"], self.info["encoder"]["kind"]))) | about

class Channel:
    """A channel file of balanced or packing: a base weight for each output, and for packing a lift of some weights."""
    def __init__(self, path):
        data = read(path)
        unknown(data[:16] != b"sotto channel 1\n" or len(data) < 288, f"{path}: not a channel file of a format that this program reads")
        self.digest = data[-32:].hex()
        refuse(sha256(data[:-32]) != self.digest, f"{path}: the channel file is damaged")
        self.mechanism, self.table = data[16:32].rstrip(b"\0").decode("latin-1"), data[32:64].hex()
        self.figures = dict(zip(("epsilon", "t", "unchanged", "limit"), struct.unpack_from("<4d", data, 64)))
        self.words, lifts, self.scale, self.floor = struct.unpack_from("<4I", data, 152)
        refuse(not 2 <= self.floor <= self.scale <= 62, f"{path}: weights of such a scale cannot be drawn from")
        self.base = [Fraction(c) for c in struct.unpack_from(f"<{self.words}f", data, 256)]
        at = aligned(256 + 4 * self.words)
        starts = struct.unpack_from(f"<{self.words + 1}I", data, at)
        at = aligned(at + 4 * (self.words + 1))
        columns = struct.unpack_from(f"<{lifts}I", data, at)
        values = struct.unpack_from(f"<{lifts}Q", data, aligned(at + 4 * lifts))
        self.lifts = {(x, columns[i]): values[i] for x in range(self.words) for i in range(starts[x], starts[x + 1])}
        refuse(min(self.base) < 0, f"{path}: a base weight is negative")

class Files:
    """The public files that were given, and what stays open."""
    def __init__(self, args, document):
        self.args, self.document, self.open, self._table, self._corpus = args, document, ["what the encoder answers for texts"] * ("encoder_probes" in document), None, None
    def listed(self):
        unknown(self.args.never is None, "the release was made without the words of a list: give it with --never")
        lines = read(self.args.never).decode("utf-8-sig").splitlines()
        return {line.strip().lower().encode() for line in lines if line.strip() and not line.startswith("#")}
    def table(self):
        if self._table is None:
            unknown(self.args.table is None, "give the table of words with --table")
            of, table, words = self.document.get("embeddings"), read_table(self.args.table), set()
            if of is None and self.args.never or of and "never" in of:
                words = self.listed()
            count = whole((of or self.document["certificate"])["words"], "words", 1)
            of_all = of["never"]["of"] if of and "never" in of else len(table.words) if words else count
            self._table = table.only(lambda i, w: i < of_all).only(lambda i, w: w.decode(errors="replace").lower().encode() not in words, True)
        return self._table
    def corpus(self, stated, f):  # the corpus, None if it is embedded and was not given
        if self.args.corpus is None:
            return unknown(stated not in SHIPPED, "give the corpus with --corpus")
        if self._corpus is None:
            self._corpus = Corpus(self.args.corpus)
            f.equal("corpus: digest of the file", stated, self._corpus.digest())
        return self._corpus
    def count(self, digest):  # the number of values of the codebook with a digest
        for path in self.args.values or ():
            lines = [line.strip().encode() for line in read(path).decode("utf-8").split("\n") if line.strip() and line.strip()[0] != "#"]
            if sha256(b"".join(line + b"\n" for line in lines)) == digest:
                return len(lines)
        raise Unknown("a codebook is not an embedded one: give its values with --values")

# Rows of two weights: neighbours, response, classes, retrieval, privunit, surrogate.

class Levels:
    """The integer weights of a row: `high` on a set of k of m outputs, `low` on the others."""
    def __init__(self, epsilon, k, m):
        refuse(not 0 <= number(epsilon, "epsilon") < 64, f"epsilon: {show(epsilon)} is not one of integer weights")
        least = exp_fixed(Fraction(epsilon))[0]
        self.k, self.m, self.e = k, m, Fraction(least, ONE)
        fits = [s for s in range(33) if k * ((least << s) >> BITS) + ((m - k) << s) < 1 << 62]
        refuse(not fits, "epsilon is too large for integer weights")
        self.low, self.high = 1 << fits[-1], max(1 << fits[-1], (least << fits[-1]) >> BITS)
        self.least = max(self.low, ((least - (least >> 46)) << fits[-1]) >> BITS)  # e^epsilon is rounded down by at most a relative 2^-46
    def inside(self):
        return Fraction(self.k * self.high, self.k * self.high + (self.m - self.k) * self.low)
    def check_loss(self, f, figures, epsilon, witnessed, attained):
        """The stated interval of the loss contains that of the weights, and is tight. Its lower end is 0 if no pair is shown."""
        most, least = ln_bounds(Fraction(self.high, self.low))[1], ln_bounds(Fraction(min(self.high, self.least), self.low))[0]
        slack, (top, bottom) = Fraction(1, 10**13), (number(figures[key], "pure_epsilon") for key in ("high", "low"))
        if witnessed and self.k == self.m:
            return f.check("loss: equal rows lose nothing", top == 0 and bottom == 0, f"{show(top)} is stated")
        f.check("loss: at most epsilon", top <= Fraction(epsilon), f"{show(top)} is above {show(epsilon)}")
        f.between("loss: that of the weights", least, top, most * (1 + slack))
        f.between("loss: its lower bound", attained * least * (1 - slack), bottom, attained * most)

def word_levels(f, c, p, asked, table, files):
    n, e, m = len(table.words), p["epsilon"], whole(p.get("outputs"), "outputs", 1, len(table.words))
    k = whole(p.get("neighbours", 1), "neighbours", 1, m)
    levels, sets = Levels(e, k, m), lambda x: set(sorted(range(m), key=lambda y: (y != x, table.square(x, y), y))[:k])
    guess = levels.inside() / k
    f.near("bayes-success", p.get("bayes-success", m * guess / n), m * guess / n)
    if c["mechanism"] == "classes":
        classes, share, outputs = class_of_words(table, m)
        f.equal("classes: digest", p["classes-sha256"], sha256(b"sotto classes 1" + struct.pack(f"<{n}I", *classes)))
        best = Fraction(levels.low, levels.high) * max(share.values())
        right = guess * sum(max(share[o], best) for o in outputs) / sum(share.values())
        f.near("bayes-success-by-rank", p["bayes-success-by-rank"], right, Fraction(1, 10**6))
        best = float((levels.e - 1) ** 2 / (1 + (Fraction(e) - 1) * levels.e))
        good = "outputs" in asked or m == min(n, max(1, math.floor(best + 0.5)))
        f.check("outputs: the most informative number", good, f"{m} is stated, {best:.3f} is found")
        sets = lambda x: {outputs[classes[x]]}
    elif "outputs" not in asked and p.get("objective") != "distance":
        f.equal("outputs: all words", m, n)
    if c["mechanism"] == "neighbours" and "neighbours" not in asked:
        set_size(f, p, asked, levels, n, files)
    certified = c["metric_epsilon"] is not None
    levels.check_loss(f, c["pure_epsilon"], e, certified, k < m)
    if not certified or k == m:
        f.check("metric_epsilon: equal rows lose nothing", not certified or all(number(v, "metric_epsilon") == 0 for v in c["metric_epsilon"].values()))
        f.agree("witnesses", c, {"metric_witness": None, "pure_witness": None})
        return levels
    unknown(p.get("objective") == "distance" or n > 1000, "witnesses: for tables of up to 1,000 words, and not for the objective distance")
    of = [frozenset(sets(x)) for x in range(n)]
    for kind in ("metric_witness", "pure_witness"):
        x, z, y = table.index(c[kind], kind)
        f.check(f"{kind}: the output is in the set of the input alone", y in of[x] and y not in of[z])
    near = min((table.square(a, b), a, b) for a in range(n) for b in range(a) if of[a] != of[b])
    unknown(near[0] == 0, "two words with equal vectors have different sets")
    figures, d, slack = c["metric_epsilon"], table.distance(*near[1:]), 1 + Fraction(1, 10**12)
    least, most = ln_bounds(Fraction(levels.least, levels.low))[0] / d[1], ln_bounds(Fraction(levels.high, levels.low))[1] / d[0]
    f.between("metric_epsilon: high", least, number(figures["high"], "high"), most * slack)
    f.between("metric_epsilon: low", least / slack, number(figures["low"], "low"), most)
    return levels

def set_size(f, p, asked, levels, words, files):
    """The size of the sets of neighbours, where it was not given. No guarantee depends on it."""
    e, m, k, least, objective = levels.e, levels.m, levels.k, 0, p.get("objective", "signal")
    if "attack" in p:
        cap = number(p["attack"], "attack") * words
        least = next((size for size in range(1, m + 1) if m * e <= cap * (size * e + m - size)), m)
        f.check("neighbours: the least at which a guess succeeds as attack allows", k == least or k > least and "objective" in asked)
    if k == least or objective != "readable":
        files.open += [f"the size of the sets, chosen for the objective {objective}"] * (k != least)
        return
    value = lambda size: sum((e if r <= size else 1) * Fraction(1, r) for r in range(1, m + 1)) / (size * e + m - size)
    unknown(m > 300, "the objective readable, for tables of more than 300 words")
    best = max(map(value, range(min(2, m) if m > 2 else 1, m + 1)))
    f.check("neighbours: the best size to read", value(k) >= best * (1 - Fraction(1, 10**9)))

def class_of_words(table, m):  # the class of each word, the shares of the words, and the output of each class
    n, unknown = len(table.words), table.unknown_entry()
    order = [unknown] + [i for i in range(n) if i != unknown]
    share = {i: Fraction(10, 10 * r + 27) for r, i in enumerate(order)}
    outputs, left, shared = sorted(order[:m]), sum(share.values()), list(order[:m])
    of = {o: i for i, o in enumerate(outputs)}
    while len(shared) > 1 and share[shared[0]] * len(shared) >= left:  # a class of its own
        left -= share[shared.pop(0)]
    load = {o: share[o] for o in shared}
    for i in order[m:]:
        free = [o for o in shared if load[o] * len(shared) < left]
        o = min(free, key=lambda o: (table.square(i, o), o))
        of[i], load[o] = of[o], load[o] + share[i]
    return [of[i] for i in range(n)], share, outputs

# Rows with a weight for each distance: tem, exponential, balanced, packing.

def word_distances(f, c, p, asked, table, files):
    name = name_of = c["mechanism"]
    e, n, t = p["epsilon"], len(table.words), number(p["t"], "t")
    f.check("t and gamma: positive", t > 0 and number(p.get("gamma", 1), "gamma") > 0)
    base, lifts, gamma, channel = [1] * n, {}, None, None
    unknown(n > (150 if name == "packing" else 1000), "this program recomputes the rows of packing for up to 150 words, of others for up to 1,000")
    if name in ("tem", "exponential"):
        f.equal("calibrate", p["calibrate"], "certified")
        unknown(p.get("metric", "euclidean") != "euclidean", f"distances of the metric {show(p.get('metric'))}")
        gamma = number(p["gamma"], "gamma") if "gamma" in p else None
    if name == "tem":
        beta = number(p["beta"], "beta")
        f.check("beta: in (0, 1), 0.001 where it was not given", 0 < beta < 1 and ("beta" in asked or p["beta"] == 0.001))
        if "gamma" not in asked:
            f.near("gamma", p["gamma"], ln_bounds((1 - beta) * (n - 1) / beta)[0] / t)
    if name in ("balanced", "packing"):
        unknown(files.args.channel is None, "give the channel with --channel; sotto compile writes it")
        channel = Channel(files.args.channel)
        stated = {"channel-sha256": channel.digest, "t": channel.figures["t"], "unchanged": channel.figures["unchanged"]}
        if name == "packing":
            stated.update(limit=channel.figures["limit"], certified=channel.figures["epsilon"])
            f.check("gap: 0.004 where it was not given", "gap" in asked or p["gap"] == 0.004)
            files.open.append("the limit of packing")
        f.agree("channel", p, stated)
        f.check("channel: of this table and mechanism", (channel.mechanism, channel.table, channel.words) == (name, c["table_sha256"], n))
        f.check("channel: epsilon", channel.figures["epsilon"] <= e)
        e = channel.figures["epsilon"] if name == "packing" else e  # which the claim states
        base, lifts = channel.base, channel.lifts
    d = {(a, b): table.distance(a, b) if table.rows[a] != table.rows[b] else (0, 0) for a in range(n) for b in range(n)}
    cut = lambda v: Fraction(v if gamma is None else min(v, gamma))
    exps = lru_cache(None)(lambda v: (exp_fixed(-t * cut(v[1]))[0], exp_fixed(-t * cut(v[0]))[1]))
    log = lambda v: (ln_fixed(Fraction(v[0], ONE))[0], ln_fixed(Fraction(v[1], ONE))[1])
    unit, floor = (1 << channel.scale, 1 << channel.floor) if channel else (1, 0)
    sums, logs, weights = [], [], []
    for x in range(n):
        row = {}
        for y in range(n):
            if base[y]:
                a, b = exps(d[x, y])
                a, b, lift = int(base[y] * a * unit), int(base[y] * b * unit) + 1, lifts.get((x, y), 0)
                row[y] = [max(v, floor * ONE) + lift * ONE for v in (a, b)]
        sums.append([sum(v[0] for v in row.values()), sum(v[1] for v in row.values())])
        wide = sums[x][1] - sums[x][0] + (sums[x][0] >> channel.floor - 2 if channel else 0)
        refuse(name == "packing" and not sums[x][0] - wide <= unit * ONE <= sums[x][1] + wide, f"channel: the row of word {x} has another sum")
        weights.append(row)
        logs.append({y: log(v) for y, v in row.items()} if lifts else log(sums[x]))
    def loss(x, z):  # without lifts at the output x, as if x were one: no output loses more, by the triangle inequality
        if lifts:
            return [max(logs[x][y][i] - logs[z][y][1 - i] for y in logs[x]) for i in (0, 1)]
        return [int(t * cut(d[x, z][i]) * ONE) + i + logs[z][i] - logs[x][1 - i] for i in (0, 1)]
    losses = {(x, z): [Fraction(v, ONE) for v in loss(x, z)] for x in range(n) for z in range(n) if d[x, z] != (0, 0)}
    per_unit = {(x, z): (v[0] / d[x, z][1], v[1] / d[x, z][0]) for (x, z), v in losses.items()}
    for kind, found in (("metric", per_unit), ("pure", losses)):
        name, w = f"{kind}_epsilon", c[f"{kind}_witness"]
        low, high = (number(c[name][key], name) for key in ("low", "high"))
        x, z, y = table.index(w, f"{kind}_witness")
        f.check(f"{kind}_witness: two words with different rows, and an output", (x, z) in losses and base[y])
        scale = d[x, z][0] if kind == "metric" else 1  # the rounding of weights moves a loss by less than 2^-10
        most, slack = max(v[0] for v in found.values()), Fraction(1, 2**10) / scale
        f.check(f"{name}: not below the largest loss", high >= most, f"{show(high)} is stated, {show(most)} is found")
        if name_of == "packing" and kind == "metric":  # bounded by epsilon where lifts reach their caps, attained by floors
            f.check(f"{name}: from t to epsilon", high <= e and t - slack <= low <= most * (1 + Fraction(1, 10**10)))
        elif name_of != "balanced":
            f.check(f"{name}: an interval no wider than rounding", 0 <= high - low <= slack)
            f.check(f"{name}: attained by its witness", found[x, z][1] >= high - 2 * (high - low) - high / 10**10)
        else:  # the bound is the triangle inequality's, which an output need not attain
            f.check(f"{name}: close to the largest loss", high <= max(v[1] for v in found.values()) + slack / 2**10)
            at = ln_bounds(Fraction(weights[x][y][0] * sums[z][0], weights[z][y][0] * sums[x][0]))[0] / scale
            f.between(f"{name}: the lower bound is that of its witness", at - slack / 2**10, low, at + slack / 2**10)
    f.check("metric_epsilon: at most epsilon", c["metric_epsilon"]["high"] <= e)

# Codebooks: retrieval over a corpus, privunit over public directions, surrogate over the values of a type.

def even(m, e):  # the size of sets among m at which about half of the draws are from the set
    return max(min(int(m / (e + 1) + Fraction(1, 2)), max(1, m - 1)), min(10, aligned(m, 3) // 3))

def codebook_member(f, c, p, asked, files):
    book, e = fields(c.get("codebook"), "codebook", ("sha256", "texts", "neighbours", "high", "low", "witness")), p["epsilon"]
    f.agree("certificate", c, {"table_sha256": "", "words": 0, "metric_epsilon": None, "metric_witness": None, "pure_witness": None})
    m = whole(book["texts"], "texts", 1)
    k, (digest, texts, settings) = whole(book["neighbours"], "neighbours", 1, m), {
        "retrieval": ("corpus-sha256", "texts", retrieval_settings), "privunit": ("codebook-sha256", "codebook", privunit_settings),
        "surrogate": (None, "values", lambda *_: lambda x, y: 0 <= y - min(max(0, x - k // 2), m - k) < k)}[c["mechanism"]]
    levels = Levels(e, k, m)
    f.equal("weights: the lower one", book["low"], levels.low)
    f.between("weights: the higher one", levels.least, whole(book["high"], "high", 1, 1 << 62), levels.high)
    levels.high = levels.least = book["high"]
    f.near("inside", p["inside"], levels.inside())
    f.agree("codebook", p, {texts: m, "neighbours": k, **({digest: book["sha256"]} if digest else {})})
    inside, witness = settings(f, p, asked, levels, files), book["witness"]
    levels.check_loss(f, c["pure_epsilon"], e, k == m and c["pure_epsilon"]["high"] == 0, witness is not None)
    if witness is not None:
        x, z, y = (whole(fields(witness, "witness", ("input", "neighbour", "output"))[key], key, 0, m - 1) for key in witness)
        files.open += ["the two texts that attain the loss"] * (inside is None)
        f.check("witness: the output is in the set of the input alone", inside is None or inside(x, y) and not inside(z, y))
    return levels

def retrieval_settings(f, p, asked, levels, files):
    m, k, e, corpus = levels.m, levels.k, levels.e, files.corpus(p["corpus-sha256"], f)
    f.equal("corpus: texts", m, corpus.texts if corpus else SHIPPED[p["corpus-sha256"]]["texts"])
    inside, outside = float(levels.inside()), float(1 - levels.inside())
    found = inside * math.log(inside * m / k) + (outside * math.log(outside * m / (m - k)) if k < m else 0)
    f.near("information", p["information"], found, Fraction(1, 10**6))
    if "neighbours" not in asked:
        share = {"signal": 0, "topic": Fraction(7, 10), "readable": Fraction(17, 20)}[p.get("objective", "signal")]
        best = next(size for size in range(1, m + 1) if size * e >= share * (size * e + m - size)) if share else even(m, e)
        f.equal("neighbours: the size for epsilon and the corpus", k, best)
    if p.get("search") == "approximate":
        f.equal("compared", p["compared"], m if 4 * (4 * k + m // 32) >= m else 4 * k + m // 32)
        f.check("index: one of the corpus", corpus is None or p["index-sha256"] in corpus.clusterings().values())
        files.open.append("that the clusters are of the corpus alone")
    else:
        f.check("search: exact", not {"compared", "index-sha256"} & p.keys() and p.get("search", "exact") == "exact")
    return corpus and (lambda x, y: y in corpus.nearest(x, k))

def privunit_settings(f, p, asked, levels, files):
    m, d, e = levels.m, whole(p["dimensions"], "dimensions", 2, 4096), float(levels.e)
    f.equal("form", p["form"], "codebook")
    f.agree("default", p, {k: v for k, v in {"average": None if "corpus" in files.document else "equal", "codebook": 8192, "codebook-seed": 1}.items() if k not in asked})
    norm, steps = math.exp(math.lgamma(d / 2) - math.lgamma((d - 1) / 2)) / math.sqrt(math.pi), 10000
    def share(height):  # of the sphere above a height: the trapezoid rule over angles
        top = math.acos(height) / steps
        values = [math.sin(top * i) ** (d - 2) for i in range(steps + 1)]
        return norm * top * (sum(values) - (values[0] + values[-1]) / 2)
    low, high = 0.0, 1.0
    for _ in range(50):  # the height at which the mean inner product of a release with its text is largest
        g = (low + high) / 2
        low, high = (g, high) if norm * (1 - g * g) ** ((d - 1) / 2) / (d - 1) > g * (share(g) + 1 / (e - 1)) else (low, g)
    good = "neighbours" in asked or abs(levels.k - share(low) * m) <= 0.5 + 1e-6 * m
    f.check("neighbours: the size for epsilon and the directions", good)
    files.open += ["the directions of privunit and their digest", "the digest of its map to unit vectors"]

# Reports.

PARAMETERS = {  # the settings that are stated, and those that may be requested
    "neighbours": ("bayes-success neighbours outputs objective? attack?", "neighbours outputs objective attack"),
    "response": ("outputs", ""),
    "classes": ("bayes-success bayes-success-by-rank classes-sha256 outputs", "outputs"),
    "tem": ("beta calibrate gamma t", "beta gamma"),
    "exponential": ("calibrate gamma? metric? t", "metric"),
    "balanced": ("channel-sha256 t unchanged", "channel"),
    "packing": ("certified channel-sha256 gap limit t unchanged", "channel gap"),
    "retrieval": ("corpus-sha256 information inside neighbours texts objective? search? compared? index-sha256?", "neighbours objective search"),
    "privunit": ("average? codebook codebook-seed codebook-sha256 dimensions form inside neighbours whitening-sha256?", "average codebook codebook-seed dimensions form neighbours"),
    "surrogate": ("inside neighbours values", "neighbours"),
}
TABLE = ("name", "words", "dimensions", "sha256")
METRIC, TEXTS = ("tem", "exponential", "balanced", "packing"), ("retrieval", "privunit", "surrogate")
REPORT = ("mechanism", "parameters", "given", "claim", "standing", "certificate", "embeddings", "documents", "tokens", "unknown_tokens",
          "document_tokens_max", "draws", "document_epsilon_max", "document_delta_max", "not_protected", "randomness", "version")

def check_certificate(f, c, files):
    """Recomputes a certificate. Returns the weights of its rows, or None where they depend on distances."""
    fields(c, "certificate", "mechanism parameters table_sha256 words metric_epsilon pure_epsilon metric_witness pure_witness version channel_format request".split(), ("codebook", "source"))
    name, p = c["mechanism"], c["parameters"]
    unknown(name not in PARAMETERS, f"the mechanism {show(name)}")
    f.equal("certificate: format of the channel", c["channel_format"], 1)
    request = fields(c["request"], "request", ("epsilon", "parameters", "published_calibration"))
    stated, may = (names.split() for names in PARAMETERS[name])
    fields(p, "parameters", ["epsilon"] + [n for n in stated if n[-1] != "?"], [n[:-1] for n in stated])
    asked = fields(request["parameters"] or {}, "request.parameters", (), may)
    f.check("certificate: source", c.get("source", "computed") in ("computed", "shipped", "cache", "file")[: None if name in METRIC else 1])
    f.agree("request", request, {"published_calibration": False, "epsilon": p["epsilon"]})
    f.check("request: settings that are stated only if given", {"objective", "attack", "search"} & p.keys() <= asked.keys())
    f.check("epsilon: positive", number(p["epsilon"], "epsilon") > 0 or name == "surrogate" and p["epsilon"] == 0)
    for key in asked.keys() - {"channel"}:
        given = p.get(key)
        form = r"[+]?[0-9]+" if isinstance(given, int) else r"[-+.0-9eE]+"
        good = asked[key] == given if isinstance(given, str) else re.fullmatch(form, asked[key]) and float(asked[key]) == given
        f.check(f"request: {key}", good, f"{show(asked[key])} was given, {show(given)} is stated")
    for figures in (c["pure_epsilon"], c["metric_epsilon"]):
        fields(figures or {"high": 0, "low": 0}, "an interval", ("high", "low"))
    if name in TEXTS:
        return codebook_member(f, c, p, asked, files)
    table = files.table()
    f.agree("certificate", c, {"table_sha256": table.digest(), "words": len(table.words), "codebook": None})
    return (word_distances if name in METRIC else word_levels)(f, c, p, asked, table, files)

def check_claim(f, name, claim, assumes, **more):
    f.agree(name, fields(claim, name, CLAIM), {"neighbouring": "replace", "notion": "pure", "distance": None, "delta": 0, "assumes": assumes, **more})
def check_statement(f, d, files):
    if "types" in d:
        return check_marks(f, d, files)
    beyond = {"rest", "spans", "spans_field", "document_epsilon_cap"} & d.keys()
    unknown(beyond, f"{', '.join(sorted(beyond))}: reports of marked tokens and of capped texts do not state enough to be verified")
    fields(d, "report", REPORT, ("corpus", "encoder_probes", "neighbours", "inside", "users", "shuffled", "bag", "placeholder", "of", "vectors", "components", "debias", "drawn"))
    f.check("randomness: secure", d["randomness"] == "secure", "the draws follow from a seed")
    unknown(d["certificate"] is None, "the report has no certificate: its mechanism has no channel that can be recomputed")
    c, p, name, users = d["certificate"], d["parameters"], d["mechanism"], d.get("users")
    f.check("certificate: source", "source" in d["certificate"])
    own, group = dict(p), 1
    if users is not None:
        group = whole(fields(users, "users", ("per_user", "padded"))["per_user"], "per_user", 1)
        f.equal("users: per-user", own.pop("per-user", None), group)
        f.check("users: padded or not", isinstance(users.get("padded", False), bool))
    f.agree("certificate", c, {"mechanism": name, "parameters": own})
    levels = check_certificate(f, c, files)
    text, metric, unit = name in TEXTS, name in METRIC, d["claim"]["unit"]
    f.agree("report", d, {"given": sorted((c["request"]["parameters"] or {}).keys() - {"channel"}), "standing": "proved", "unknown_tokens": None, "document_delta_max": 0})
    f.check("claim: unit", unit in (("user",) if users else ("text",) if text else ("token", "distinct word")), show(unit))
    brought = ["public-encoder"] * (d.get("corpus", {}).get("encoder") == "vectors")
    assumes = ["public-data"] + ["length-revealed"] * (not text) + brought
    one = number(p["certified"] if name == "packing" else p["epsilon"], "epsilon")
    check_claim(f, "claim", d["claim"], assumes, **{"notion": "metric", "distance": "euclidean"} if metric else {})
    f.between("claim: epsilon", group * one, number(d["claim"]["epsilon"], "claim.epsilon"), group * one * (1 + Fraction(group > 1, 2**50)))
    f.equal("bag", d.get("bag", ""), {"epsilon": d["claim"]["epsilon"], "distance": "euclidean", "document_tokens_cap": None} if metric and unit == "token" else "")
    f.check("placeholder: a word", isinstance(d.get("placeholder", ""), str))
    check_public(f, d, files)
    check_totals(f, d, c, text, unit, one)
    if name == "retrieval":
        f.equal("neighbours: those of the certificate", d.get("neighbours"), levels.k)
        f.near("inside: that of the certificate", d.get("inside"), levels.inside())
        if "shuffled" in d:
            check_shuffled(f, d, float(one), levels.k, levels.m, group)
    else:
        f.check("corpus: none", not {"neighbours", "inside", "users", "shuffled"} & d.keys() and (name == "privunit" or "corpus" not in d))
    if name == "privunit":
        b, size = fields(d.get("debias"), "debias", ("scale", "offset", "noise", "signal", "residual")), p["dimensions"]
        rest = fields(b["residual"], "residual", ("mean_square", "largest_square", "directions"))
        f.agree("report", d, {"of": "documents", "vectors": d["documents"], "components": size})
        f.agree("debias", {**b, **rest}, {"offset": [0] * size, "directions": 1023})
        found = number(b["noise"], "noise") * size + number(b["signal"], "signal")
        f.near("debias: the scale is that of noise and signal", number(b["scale"], "scale") ** 2, found)
        f.between("debias: residual", 0, number(rest["mean_square"], "residual"), number(rest["largest_square"], "residual"))
        files.open.append("the scale and the residual of vectors")
    else:
        f.check("vectors: none", not {"of", "vectors", "components", "debias"} & d.keys())
    check_limits(f, d, *limits(d))
    files.open += ["which texts were drawn", "the numbers of texts, tokens and draws", "names, versions, and the source of the certificate", "that the noise was drawn"]

# Marks: each is drawn from the codebook of its type. The words of the others are drawn one by one.

# The first 20 digits of the SHA-256 of "name values sha256" of each embedded codebook.
CODEBOOKS = """
    a64a51549d884dc3be91 4eca473886357da66ea5 8068bccad568b35e0ea9 1c5cbe1cfe78544b62b9 33c88033e6202f12818c 0aa9c2415cd3f268aa55 f7297c96d179f1114911 945f5cb6cdda69c96773
    ca25a86952e2bb2fb7b3 e3412ef99e91018b433d ca6069d8bb8211290af5 8ca00381a50ef2a6694c 0068ee787f116af97d33 9efb28e98fbfaab1a570 5360918bda56d9702a79 3d7064e2788c3037df21
    82099e06d8fe704a43d8 5cc627d3d2358560a113 7d12b6449e3e4b5ad44a fb1421f9bff91986ae61 e019d71f14c66462738b 6ad91067ab53ed54bbcb 1d82b070f78620a43343 2c03e0a4da1ef2c7869f
    8dc801b488b910245f43 5303248ad73b6566990a 9625b5df5ccd89840dee 9f9b835a8433e29ffe88 5b90ea8211da4ec8c098 940e38c2d20ce7fe5450 69aac23c831b452e0414 ae6a62c8d4fe92da34c9
    cfc077797ed2b4dcd90e 4dcd6c6517344f1b554c f8bf19cc27742a709dea
""".split()
IN_ORDER = "age date dollars euros number pounds time AGE DATE MONEY NUMBER TIME".split()  # embedded codebooks, and types of others

def check_marks(f, d, files):
    fields(d, "report", (*REPORT, "spans", "types"), ("untyped", "spans_field", "patterns"))
    e, rest, most = fields(d["parameters"], "parameters", ("epsilon",))["epsilon"], d.get("untyped"), max((t["epsilon"] for t in d["types"].values()), default=0)
    named = all(re.fullmatch("[A-Z0-9_]+", name) for name in d["types"]) and re.fullmatch("[0-9a-f]{64}", d.get("patterns", "0" * 64))
    f.check("epsilon: not negative; types: their names; patterns: a digest", number(e, "epsilon") >= 0 and named)
    for name, t in fields(d["types"], "types", (), tuple(d["types"])).items():
        fields(t, name, ("codebook", "sha256", "values", "epsilon", "certificate"))
        c, known = t["certificate"], sha256(f"{t['codebook']} {t['values']} {t['sha256']}".encode())[:20] in CODEBOOKS
        levels = check_certificate(f, c, files)
        f.agree(f"{name}: certificate", c, {"mechanism": "surrogate", "source": "computed"})
        f.agree(f"{name}: codebook", {**c["codebook"], **c["parameters"]}, {"sha256": t["sha256"], "texts": t["values"], "epsilon": t["epsilon"]})
        f.equal(f"{name}: values", t["values"], t["values"] if known else files.count(t["sha256"]))
        best = even(levels.m, levels.e) if t["epsilon"] and (t["codebook"] if known else name) in IN_ORDER else 1
        f.check(f"{name}: neighbours: the size for epsilon and the type", levels.k == best or c["request"]["parameters"])
    if rest is not None:
        c = fields(rest, "untyped", ("mechanism", "claim", "parameters", "tokens", "certificate"))["certificate"]
        f.agree("untyped", rest, {"mechanism": "neighbours", "parameters": c["parameters"]})
        f.check("untyped: nothing but epsilon was requested", not c["request"]["parameters"] and same(c["request"]["epsilon"], e))
        f.agree("untyped: certificate", c, {"mechanism": "neighbours", "source": "computed"})
        check_certificate(f, c, files)
        check_claim(f, "untyped: claim", rest["claim"], ["public-data", "length-revealed", "public-spans"], unit="marked token", epsilon=e)
        check_public(f, d, files)
    nothing = dict.fromkeys(("certificate", "tokens", "unknown_tokens", "document_tokens_max", "document_epsilon_max") + ("embeddings",) * (not rest))
    f.agree("report", d, {"mechanism": "surrogate", "given": [], "standing": "proved", "document_delta_max": 1, "randomness": "secure", **nothing})
    spans, words, distinct = whole(d["spans"], "spans"), whole(rest["tokens"], "tokens", 1) if rest else 0, d["claim"]["unit"] == "distinct mark"
    check_claim(f, "claim", d["claim"], ["public-data", "public-spans"], unit="distinct " * distinct + "mark", epsilon=None if rest else most)
    draws = whole(d["draws"], "draws", words) - words
    scope = distinct and "of all texts" in d["not_protected"][2]  # values that were drawn before are not drawn again
    f.check("draws: at most one for each mark, and one of each type", (0 if scope else len(d["types"])) <= draws <= spans and (d["types"] or not draws))
    f.check("draws: one for each mark that is not distinct", distinct or (draws < spans if rest else draws == spans))
    f.check("spans: of texts, and of types", whole(d["documents"], "documents", bool(spans)) >= 0 and len(d["types"]) <= spans and (not spans or d["types"] or rest))
    keys = ["copied", "unmarked", *["once", "new"] * scope, *["once-text"] * (distinct > scope), *["words"] * bool(rest), "codebooks", "file", "again" if distinct else "again-names", "who", "time"]
    keys += ["field"] * ("spans_field" in d) + ["shape"] * ("patterns" in d)
    check_limits(f, d, keys, [json.dumps(v, ensure_ascii=False) for k, v in d.items() if k == "spans_field"])
    files.open += ["the numbers of texts, marks and draws", "which types occur, and that marks are all that identifies", "that noise was drawn", "names, versions"]

def check_public(f, d, files):  # the table and the corpus that the report names
    none = d["embeddings"] is None
    table = fields(dict.fromkeys(TABLE) if none else d["embeddings"], "embeddings", TABLE, ("never",))
    if "corpus" in d:
        corpus = files.corpus(fields(d["corpus"], "corpus", CORPUS)["sha256"], f)
        f.agree("corpus", d["corpus"], corpus.described() if corpus else SHIPPED[d["corpus"]["sha256"]])
        f.agree("corpus", d["parameters"], {"corpus-sha256": d["corpus"]["sha256"], "texts": d["corpus"]["texts"]} if d["mechanism"] == "retrieval" else {})
        known = corpus.info["encoder"].get("table") or dict.fromkeys(TABLE) if corpus else ENGLISH_TABLE if d["corpus"]["encoder"] != "lsa" else dict.fromkeys(TABLE)
    else:
        found, words = files.table(), files.listed() if "never" in table else []
        known = {"words": len(found.words), "dimensions": found.dimensions, "sha256": found.digest()}
        digest = sha256(b"sotto words 1" + b"".join(b"\0" + w for w in sorted(words)))
        left = {"words": len(words), "left_out": len(found.gone), "of": len(found.words) + len(found.gone), "sha256": digest}
        f.equal("never", table.get("never", left), left)
    f.agree("embeddings", table, {key: known[key] for key in TABLE[1:]})

def check_totals(f, d, c, text, unit, one):
    total, draws = number(d["document_epsilon_max"], "document_epsilon_max"), whole(d["draws"], "draws")
    if text:
        counts = {"tokens": None, "document_tokens_max": None, "draws": whole(d["documents"], "documents")}
        return f.agree("report", d, {**counts, "document_epsilon_max": one})
    most = whole(d["document_tokens_max"], "document_tokens_max", 0, whole(d["tokens"], "tokens"))
    f.check("tokens: at most those of the longest text for each", d["tokens"] <= whole(d["documents"], "documents") * most)
    loss = number(c["pure_epsilon"]["high"], "pure_epsilon.high")
    times = most if unit == "token" else round(total / loss)
    good = draws == d["tokens"] if unit == "token" else draws <= d["tokens"] and (draws == 0) == (d["tokens"] == 0)
    f.check("draws: at most one for each token, and none only of no tokens", good)
    f.between("document_epsilon_max: words of the longest text", -(-draws // max(d["documents"], 1)), times, min(most, draws))
    f.between("document_epsilon_max: the loss of these words", loss * times, total, loss * times * (1 + Fraction(1, 2**52)))

def binomial(n, p):  # each i with its chance, in floating point with a relative error below 10^-9, but for chances below 10^-30
    spread, out = 12 * math.sqrt(n * p * (1 - p)) + 80, []
    for i in range(max(0, int(n * p - spread)), min(n, int(n * p + spread)) + 1):
        log = math.lgamma(n + 1) - math.lgamma(i + 1) - math.lgamma(n - i + 1)
        log += (i and i * math.log(p)) + (n - i and (n - i) * math.log1p(-p) if p < 1 else 0 if i == n else -100)
        if log > -69:
            out.append((i, math.exp(log)))
    return out

def blanket_delta(n, local, k, m, epsilon):
    """Balle, Bell, Gascon, Nissim 2019, Lemma 5.3, for sets of k of m texts, with the errors of the chances added."""
    e0, e, j, total = math.exp(local), math.exp(epsilon), min(k, m - k), 0.0
    z = k * e0 + m - k
    first, second, rest = (e0 - e) * m / z, (1 - e * e0) * m / z, (1 - e) * (e0 if k > m - k else 1) * m / z
    for c, chance in binomial(n - 1, m / z):
        for t, weight in binomial(c + 1, 2 * j / m):
            base = t * second + (c + 1 - t) * rest
            if base + t * (first - second) > 0:
                part = sum(w * max(0.0, base + a * (first - second)) for a, w in binomial(t, 0.5))
                total += chance * weight * part / (c + 1)
    return total * (1 + 1e-9) + 1e-28

def check_shuffled(f, d, local, k, m, group):
    s = fields(d["shuffled"], "shuffled", ("records", "epsilon", "delta", "bound"))
    unknown(0 < s["delta"] < 1e-20, "deltas below 10^-20, of which sums of floating point do not tell")
    n, stated, delta = s["records"], float(number(s["epsilon"], "shuffled")), float(number(s["delta"], "shuffled"))
    f.equal("shuffled: records", n, d["documents"])
    f.check("shuffled: delta, 0 for the local bound", delta == 0 if s["bound"] == "local" else 0 < delta < 1, show(delta))
    f.check("shuffled: epsilon is at most the local one", 0 <= stated <= group * local * (1 + 1e-9), show(stated))
    if s["bound"] == "local":
        return f.near("shuffled: epsilon", stated, group * local)
    unknown(s["bound"] != "blanket" or n > 5000, "this program computes the bound of the privacy blanket, for up to 5,000 texts")
    one, part = stated / group, delta / math.fsum(math.exp(i * stated / group) for i in range(group))
    found, closer = (blanket_delta(n, local, k, m, one * share) for share in (1, 0.995 if group == 1 else 0.9))
    f.check("shuffled: the delta of epsilon is at most the stated one", found <= part * (1 + 1e-7), f"{show(found)} is found")
    f.check("shuffled: a clearly smaller epsilon has a larger delta", closer > part)

def rounded_up(x):  # four significant digits, rounded up
    digits = 3 - math.floor(math.log10(x)) if x else 0
    return f"{-(-Fraction(x) * Fraction(10) ** digits // 1) / 10**digits if digits >= 0 else x:.4g}"

# What a claim does not cover: the first 20 digits of the SHA-256 of each sentence, its numbers and names as #.
SENTENCES = dict(line.split(":") for line in """
    again:e1c1f45d3a36c8ab29f9 again-names:894929d3bb534330a46e again-vectors:adc467546937106278d5 context:88e5b9cacfcfb58043ec corpus:130a0c59b78c7bf5f6f8
    corpus-undeclared:ecf536625a06c22086af count:7ce92cc93ff1a8f751d1 distant:62b1bc1becc93b05b8ab early:1f81223df58a7761af4b encoder:f431e03a53ef81a049ab file:eb0cede41632de73fee2
    file-texts:cc885fa919e3082a4515 kept:b3f8615978d41bd21a71 left-out:1813437f73e3c2717f67 never:02e8f3c39982c395b07f number:25660d81d4b1dca8ad59 parameters:38293eca5e848be0eabe
    person:4ea32c2b71fd9726b6e1 positions:9f91ce8f5b767ed18e4a read:87dd8d7525f5c978250a reader:cde1b298288b04d8f281 records-again:e4613b87143523ff2883
    records-corpus:9048219db2b2999a2367 records-corpus-undeclared:68d5a505cd1d7728287a records-person:8fa8fd3aeafa058a4151 records-time:81a33cab94af93e36873
    rows:4edbc8e9202cd637aac0 runs:8ee6b4329cd65035fcdf schema:89bc516cbd6e9bbb713b several:37a25055d59b55b422de sorted:89f80383276f8e6b2ba6 time:44cf8fa1a38e95f79f2d
    tokens:6113f05cb1604cb5fa10 total:aea76687e0a9b929d4d1 user-names:2d47391bdb968e23474d users:1a35a02b21e229691d1b vectors:75f707f1a57cdca42356 whole:a7755d0faf8ca356dadb
    copied:a2ea9c9b153d529fe19a unmarked:314e87f08fc9dc2f8752 once-text:053c5a762914febbbd14 once:9393d3dd32efa65f3ef4 words:09f72ca1d328c3927797 codebooks:1c3d93230dfa62a051fe
    who:715f2bc2e886e62f0e93 field:69bde45031926e554118 shape:eea23012cfbc258cf242 new:ada595a39be6406d3d27 map:b099b00de706b5d54bcd program:ddaf283942cd32a0e2d1 records-encoder:078f3ccf1d76efe0d105 map-undeclared:2d2544a77b3661a9b95c
""".split())

def check_limits(f, d, keys, values):  # the sentences about what the claim does not cover, in order, with their numbers and names
    f.check("encoder_probes: a digest, of an encoder of the caller's", "encoder_probes" not in d or re.fullmatch("[0-9a-f]{64}", d["encoder_probes"]) and "public-encoder" in d["claim"]["assumes"])
    pattern, stated = r'"(?:\\.|[^"\\])*"|(?<![-\w])\d[\d.e+]*', d["not_protected"]
    f.equal("not_protected: the sentences", [sha256(re.sub(pattern, "#", s).encode())[:20] for s in stated], [SENTENCES[key] for key in keys])
    f.equal("not_protected: their figures", [v for s in stated for v in re.findall(pattern, s)], [str(v) for v in values])
def limits(d):  # the keys of the sentences of a report, and the values in them
    if d["mechanism"] == "privunit":
        more = ["map" + "-undeclared" * (not c["declared_public"])] + ["encoder"] * (c["encoder"] == "vectors") + ["program"] * ("encoder_probes" in d) if (c := d.get("corpus")) else []
        return ["vectors", "early", "again-vectors", "person", "time"] + more, [json.dumps(c["name"], ensure_ascii=False), c["texts"]] if c else []
    if d["mechanism"] != "retrieval":
        metric, distinct = d["claim"]["notion"] == "metric", d["claim"]["unit"] == "distinct word"
        keys = ["distant"] * metric + ["never"] * (metric and "never" in d["embeddings"]) + ["whole"] + ["positions"] * distinct
        keys += ["tokens", "file", "again" if distinct else "again-names", "context", "time"]
        return keys, [rounded_up(d["document_epsilon_max"]), d["document_tokens_max"]]
    shuffled, users, corpus = "shuffled" in d, d.get("users") or {}, d["corpus"]
    padded, alone = users.get("padded", False), "shuffled" in d or users.get("padded", False)
    keys = [] if alone else ["number", "file-texts"]
    keys += [("users" if shuffled else "sorted") if padded else "total" if shuffled else "rows"] * bool(users)
    keys += ["count"] * (shuffled and not users) + ["reader"] * shuffled + ["read"] * padded + ["runs" if users else "several"]
    keys += ["corpus" if corpus["declared_public"] else "corpus-undeclared", "left-out" if alone else "kept", "early", "time"]
    keys += ["encoder"] * (corpus["encoder"] == "vectors") + ["program"] * ("encoder_probes" in d)
    return keys, [users.get("per_user")] * bool(users) + [json.dumps(corpus["name"], ensure_ascii=False), corpus["texts"]]

# Corpora: synthesize.

def laplace_width(rate, chance):  # the least w at which discrete Laplace noise is outside of -w..w with at most this chance
    return max(0, math.ceil(math.log(chance * (1 + math.exp(-rate)) / 2) / -rate - 1 - 1e-9))
def chernoff_width(rate, cells, chance):  # the same for a sum of such noise, by Chernoff's bound of both tails
    part = lambda s: math.log1p(-math.exp(s - rate))
    def exponent(w):
        low, high = 0.0, rate * (1 - 1e-12)
        value = lambda s: cells * (2 * part(0) - part(s) - part(-s)) - s * w
        for _ in range(100):  # convex in s
            a, b = low + (high - low) / 3, high - (high - low) / 3
            low, high = (a, high) if value(a) > value(b) else (low, b)
        return value(low)
    return next(w for w in range(1, 10**9) if 2 * math.exp(exponent(w)) <= chance)
def convolve(a, b, size=40):  # the convolution of two lists of whole numbers below 2^128 that sum to about 2^128, as one product of large numbers
    one, two = (int.from_bytes(b"".join(v.to_bytes(size, "little") for v in line), "little") for line in (a, b))
    data = (one * two).to_bytes((len(a) + len(b)) * size, "little")
    return [int.from_bytes(data[i * size : (i + 1) * size], "little") >> 128 for i in range(len(a) + len(b) - 1)]
def gaussian_delta(variance, cells, epsilon):  # Delta of discrete Gaussian noise on counts of which `cells` change by 1
    reach = math.isqrt(200 * variance) + 2
    line = [exp_fixed(Fraction(-k * k, 2 * variance))[0] for k in range(-reach, reach + 1)]
    line, out = [(v << 128) // sum(line) for v in line], [1 << 128]
    for bit in f"{cells:b}":
        out = convolve(convolve(out, out), line if bit == "1" else [1 << 128])
    loss = lambda i: Fraction(cells - 2 * (i - cells * reach), 2 * variance) - epsilon
    return sum(-v / (1 << 128) * math.expm1(-float(loss(i))) for i, v in enumerate(out) if v and loss(i) > 0)

def check_synthesis(f, d, files):
    fields(d, "report", "mechanism claim standing epsilons noise corpus clusters clusterings clustering_digests expected columns cells "
           "records_noisy count labels other far_share far_quantile confidence documents tokens unknown_tokens not_protected randomness version".split(), ("per_user", "counted", "encoder_probes", "drawn"))
    f.check("randomness: secure", d["randomness"] == "secure", "the noise follows from a seed")
    m, noise, claim = whole(d.get("per_user", 1), "per_user", 1), d["noise"], fields(d["claim"], "claim", CLAIM)
    e, delta, counted, unit = number(claim["epsilon"], "epsilon"), number(claim["delta"], "delta"), d["expected"] is None, 1
    f.check("claim: epsilon is positive", e > 0)
    while e * unit * 2 / m < 2**40:
        unit *= 2
    total = int(e * unit / m)
    far, histogram = Fraction(total // 32, unit), Fraction(total - total // 32 * (1 + counted), unit)
    f.equal("epsilons", d["epsilons"], {"histogram": float(m * histogram), "far": float(m * far), "count": float(m * far * counted)})
    f.check("epsilons: at most epsilon together", m * (histogram + far * (1 + counted)) <= e)
    fields(noise, "noise", ("histogram", "scale", "far_scale") + ("count_scale",) * counted)
    gauss, corpus = noise["histogram"] == "discrete-gaussian", fields(d["corpus"], "corpus", CORPUS, ("about",))
    brought = ["public-encoder"] * (corpus["encoder"] == "vectors")
    f.agree("claim", claim, {"unit": "user" if "per_user" in d else "record", "neighbouring": "add-remove", "distance": None,
                             "notion": "approximate" if gauss else "pure", "assumes": ["public-data"] + brought})
    for key in ("far_scale",) + ("count_scale",) * counted:
        f.near(f"noise: {key}", noise[key], 1 / far)
    if gauss:
        variance = round(number(noise["scale"], "noise.scale") ** 2)
        unknown(0 < delta < 1e-20, "deltas below 10^-20, of which sums of floating point do not tell")
        f.near("noise: the variance is a whole number", Fraction(noise["scale"]) ** 2, variance, Fraction(1, 10**12))
        unknown(m > 1000 or not 0 < variance * m < 1 << 20, "the delta of Gaussian noise for so many records of a user, or for so much noise")
        found, less = gaussian_delta(variance, m, m * histogram), gaussian_delta(max(1, int(variance * 0.97)), m, m * histogram)
        f.check("noise: its delta is at most the claim's", "per_user" in d and found <= delta < 1, f"{show(found)} is found")
        f.check("noise: clearly less noise has a larger delta", variance < 3 or less > delta)
        rate, widths = Fraction(math.sqrt(2 / variance)), {cells: math.ceil(math.sqrt(2 * cells * variance * math.log(40))) for cells in (1, d["clusters"])}
    else:
        f.agree("noise", noise, {"histogram": "discrete-laplace"})
        f.near("noise: scale", noise["scale"], 1 / histogram)
        rate, widths = Fraction(total, unit), {d["clusters"]: chernoff_width(float(histogram), whole(d["clusters"], "clusters", 1), 0.05), 1: laplace_width(float(histogram), 0.05)}
    labels = [list(line) for line in itertools.product(*(fields(column, "column", ("name", "values"))["values"] for column in d["columns"]))]
    f.agree("report", d, {
        "standing": "proved", "cells": len(labels) * whole(d["clusters"], "clusters", 1) + 1, "documents": None, "tokens": None, "unknown_tokens": None,
        "far_quantile": 0.05, "confidence": 0.95, **({"counted": "user-cells" if gauss else "records"} if "counted" in d else {})})  # not in earlier versions
    f.check("claim: delta", gauss or delta == 0)
    digests, sizes = {one["clusters"]: one["sha256"] for one in d["clustering_digests"]}, d["clusterings"]
    f.check("clusterings: each that was used has a digest", d["clusters"] in sizes and set(sizes) <= digests.keys())
    f.check("clustering_digests: one for a size", all(one.keys() == {"clusters", "sha256"} for one in d["clustering_digests"])
            and len(digests) == len(d["clustering_digests"]))
    found = files.corpus(corpus["sha256"], f)
    if not found:
        f.agree("corpus", corpus, SHIPPED[corpus["sha256"]])
        files.open.append("the digests of the clusters of the shipped corpus")
    else:
        stored = found.clusterings()
        f.agree("corpus", corpus, found.described())
        first = next(iter(stored), None)  # always used; a corpus that stores none is clustered by the run
        f.check("clustering_digests: those of the corpus", first in digests and all(stored.get(c) == s for c, s in digests.items()) or not stored)
        f.check("clusterings: all sizes, or the chosen one", sorted(sizes) == sorted(stored or sizes) if counted else sizes == [d["clusters"]])
        sizes = list(stored) or sizes
        files.open += ["the digests of the clusters, which the corpus does not store"] * (not stored)
    n = number(fields(d["count"], "count", ("count", "low", "high"))["count"] if counted else whole(d["expected"], "expected", 1), "number of records")
    target = max(1, min(max(rate * max(0, n) / (3 * len(labels)), 10), Fraction(corpus["texts"], 8)))
    f.check("clusters: the size nearest to the rule's", (apart := lambda size: max(size / target, target / size))(d["clusters"]) <= min(map(apart, sizes)), f"{d['clusters']} of {sizes} for {show(target)}")
    share = fields(d["far_share"], "far_share", ("near", "far", "low", "high"))
    counts = [(f"labels {one}", given, widths[d["clusters"]], {"labels": one}) for one, given in zip(labels, d["labels"])]
    counts += [("other", d["other"], widths[1], {})] + [("count", d["count"], laplace_width(float(far), 0.05), {})] * counted
    counts += [(f"far_share.{key}", share[key], laplace_width(float(far), 0.025), {}) for key in ("near", "far")]
    for name, given, width, more in counts:
        count = whole(given["count"], name, -(10**18))
        f.equal(name, given, {"count": count, "low": max(0, count - width), "high": max(0, count + width), **more})
    f.check("labels: all of them; count: only if none was expected", len(d["labels"]) == len(labels) and counted == (d["count"] is not None))
    f.equal("records_noisy", d["records_noisy"], max(0, sum(one["count"] for one in d["labels"]) + d["other"]["count"]))
    for key, x, y, none in (("low", share["far"]["low"], share["near"]["high"], 0), ("high", share["far"]["high"], share["near"]["low"], 1)):
        f.near(f"far_share: {key}", share[key], Fraction(x, x + y) if x + y else none)
    who = ["records-encoder"] * len(brought) + ["program"] * ("encoder_probes" in d) + ["user-names" if "per_user" in d else "records-person", "records-again"]
    declared = "records-corpus" + "-undeclared" * (not corpus["declared_public"])
    check_limits(f, d, [declared, "parameters", "schema", "records-time"] + who, [json.dumps(corpus["name"], ensure_ascii=False)])
    files.open += ["the noisy counts", "that the noise was drawn, and from a secure source", "the names and values of columns",
                   "that the clusters are of the corpus alone", "that the texts are those of the corpus", "the version", "which rows were drawn"]

def verify(args):  # returns the exit code, what was found, what stays open, and the reason where the code is not 0
    f, files = Findings(), None
    try:
        data = read(args.report)
        d = strict_json(data, args.report)
        files = Files(args, fields(d, args.report, (), tuple(d)))
        if "format" in d:
            unknown(d["format"] != "sotto certificate 1", f"the format {show(d['format'])}")
            fields(d, "certificate file", ("format", "certificate", "sha256"))
            text = re.fullmatch(r'\{"format":"[^"]*","certificate":(.*),"sha256":"[^"]*"\}', compact(data.decode()), re.S)
            f.check("certificate file: format, certificate, sha256, in this order", text)
            f.equal("certificate: digest", d["sha256"], sha256(text[1].encode()))
            unknown(d["certificate"]["mechanism"] == "surrogate", "a certificate of surrogate that is not of a report")
            check_certificate(f, d["certificate"], files)
        else:
            f.check("drawn: a digest", "drawn" not in d or whole(fields(d["drawn"], "drawn", ("rows", "sha256"))["rows"], "drawn.rows") >= 0 and re.fullmatch("[0-9a-f]{64}", str(d["drawn"]["sha256"])))
            (check_synthesis if d["mechanism"] == "synthesize" else check_statement)(f, d, files)
    except (Refused, Unknown, OSError) as e:
        return 1 if isinstance(e, Refused) else 2, f, files, str(e)
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, StopIteration, RecursionError, struct.error) as e:
        return 1, f, files, f"malformed: {type(e).__name__}: {e}"
    return 0, f, files, ""

def main(argv=None):
    parser = argparse.ArgumentParser(description="Recomputes what a report or a certificate of sotto states.")
    parser.add_argument("report", metavar="REPORT", help="report or certificate")
    for name, what in (("table", "table of words"), ("corpus", "corpus of texts"), ("channel", "channel of packing"), ("never", "list of words")):
        parser.add_argument("--" + name, metavar="FILE", help=what)
    parser.add_argument("--values", metavar="FILE", action="append", help="values of a codebook of marks, each on a line (repeatable)")
    parser.add_argument("--json", action="store_true", help="print one JSON document")
    args = parser.parse_args(argv)
    code, findings, files, reason = verify(args)
    verdict, left = ("holds", "does not hold", "cannot tell")[code], sorted(set(files.open)) if files and code == 0 else []
    if args.json:
        checks = {"checks": [{"check": name, "holds": good} for name, good in findings.lines], "not_verified": left}
        print(json.dumps({"verdict": verdict, "reason": reason or None, **checks}, indent=2))
        return code
    lines = [f"{'ok ' if good else 'NOT'}  {name}" for name, good in findings.lines] + [f"--   not verified: {line}" for line in left]
    print("\n".join(lines + [f"{verdict}: {reason}" if reason else verdict]))
    return code

if __name__ == "__main__":
    sys.exit(main())
