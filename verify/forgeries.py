#!/usr/bin/env python3
"""Checks that sotto_verify.py and `sotto audit --verify` refuse forgeries that need a thought.

    forgeries.py SOTTO

agree.py alters fields at random. Each document here states a guarantee that does not hold, or is read in two ways, and is
consistent beyond that: digests are computed again, and figures follow from the forged ones. What they are made from must be
accepted. Exit code 1: a forgery was accepted, or what it was made from refused.
"""

import copy
import hashlib
import json
import os
import struct
import sys
import tempfile

import agree


def changed(document, **values):
    """A copy with other values, by paths whose parts are joined by two underscores."""
    out = copy.deepcopy(document)
    for path, value in values.items():
        *way, last = path.split("__")
        at = out
        for key in way:
            at = at[key]
        at[last] = value
    return out


def understated_channel(name, other, epsilon):
    """A channel file whose lifts reach the epsilon of another file, and that states a smaller one."""
    data = bytearray(open(name, "rb").read())
    struct.pack_into("<d", data, 64, epsilon)
    data[-32:] = hashlib.sha256(data[:-32]).digest()
    open(other, "wb").write(data)
    return data[-32:].hex()


def two_encoders(name, other):
    """A corpus file whose header names its encoder where the digest reads it, and another one where the report does."""
    data = open(name, "rb").read()
    (count,) = struct.unpack_from("<I", data, 12)
    parts = {}
    for i in range(count):
        kind, offset, length = struct.unpack_from("<3Q", data, 64 + 64 * i)
        parts[kind] = data[offset : offset + length]
    head = parts[0].decode()
    start = head.index('"encoder":') + len('"encoder":')
    encoder = head[start : json.JSONDecoder().raw_decode(head, start)[1]]
    parts[0] = head.replace('"encoder":' + encoder, f'"aside":{{"encoder":{encoder}}},"encoder":{{"kind":"vectors","version":1}}').encode()
    place, table, body = -(-(96 + 64 * count) // 64) * 64, b"", b""
    for kind, part in parts.items():
        at = place + len(body)
        table += struct.pack("<3Q", kind, at, len(part)) + hashlib.sha256(part).digest() + bytes(8)
        body += part + bytes(-len(part) % 64)
    head = (b"SOTTOCRP" + struct.pack("<IIQ", 1, count, place + len(body))).ljust(64, b"\0") + table
    open(other, "wb").write((head + hashlib.sha256(head).digest()).ljust(place, b"\0") + body)


def forgeries(lab):
    """What each forgery is, the document, and the files to verify it with. The true documents have no name."""
    words = lab.write("words.txt", "the 0.1 0.2 -0.3\ncat 0.5 0.2 0.1\ndog 0.4 0.3 0.1\ncar -0.5 0.2 0.4\n<unk> 0 0 0\n")
    private = lab.write("private.tsv", "user\ttext\nu1\tthe cat and the cat\nu2\tthe dog and the car\n")
    texts = "the parcel is late\nthe parcel never came\nnobody picks up the phone\n"
    for name, last in (("one", "the film was dull\n"), ("other", "the film was good\n")):
        lab.make("corpus", "build", "--public", "--encoder", "lsa", "-o", name + ".corpus", lab.write(name + ".txt", texts + last))
    lab.make("compile", "-m", "packing", "-e", 1, "--embeddings", words, "-o", "one.packing")

    def report(*args):
        lab.make(*args, "-q", "--field", "text", "-o", "out.tsv", private, "--report", "r.json")
        with open(os.path.join(lab.folder, "r.json"), encoding="utf-8") as f:
            return json.load(f)

    table, given = ["--embeddings", words], {"table": words}
    packed = report("rewrite", "-m", "packing", "-e", 1, *table, "--channel", "one.packing")
    digest = understated_channel(os.path.join(lab.folder, "one.packing"), os.path.join(lab.folder, "low.packing"), 0.5)
    low = {f"{at}parameters__{key}": value for at in ("", "certificate__") for key, value in (("channel-sha256", digest), ("certified", 0.5))}
    yield "", packed, [*table, "--channel", "one.packing"], {**given, "channel": "one.packing"}
    yield ("a channel that states half of its epsilon", changed(packed, **low, claim__epsilon=0.5, bag__epsilon=0.5),
           [*table, "--channel", "low.packing"], {**given, "channel": "low.packing"})
    tem = report("rewrite", "-m", "tem", "-e", 2, *table)
    yield "", tem, table, given
    yield "rows that fall with closeness", changed(tem, parameters__t=-1.5, certificate__parameters__t=-1.5), table, given
    distinct = report("rewrite", "-e", 2, "--consistent", *table)
    yield "", distinct, table, given
    loss = distinct["certificate"]["pure_epsilon"]["high"]
    for times, shown in ((0, "0"), (1, "2")):
        sentence = distinct["not_protected"][0].split(",")[0] + f", to {shown} for the longest text of {distinct['document_tokens_max']} tokens"
        forged = changed(distinct, document_epsilon_max=times * loss)
        forged["not_protected"][0] = sentence
        yield f"{distinct['draws']} draws for {distinct['documents']} texts of which none loses more than {times}", forged, table, given
    sized = report("rewrite", "-e", 2, "--neighbours", 3, *table)
    yield "", sized, table, given
    for form in ("３", " 3", "0_3", "3.0", "0x3"):
        yield f"a request for {form!r} neighbours", changed(sized, certificate__request__parameters__neighbours=form), table, given
    for path in ("document_epsilon_max", "certificate__pure_epsilon__high"):
        part, _, last = path.rpartition("__")
        value = sized["document_epsilon_max"] if not part else sized["certificate"]["pure_epsilon"]["high"]
        yield f"{path} that is less in its thirteenth digit", changed(sized, **{path: value * (1 - 9e-13)}), table, given
    yield "a claim that is less in its twelfth digit", changed(sized, claim__epsilon=2 * (1 - 9e-12)), table, given
    for key in ("epsilon", "claim__epsilon"):
        for value in (-2, 0, 10**300, 1e300, 5e-324):
            every = {key: value} if "__" in key else {"parameters__epsilon": value, "certificate__parameters__epsilon": value,
                                                     "certificate__request__epsilon": value, "claim__epsilon": value}
            yield f"epsilon {value:g} of {key}", changed(sized, **every), table, given
    corpus, texts = ["--corpus", "one.corpus"], {"corpus": "one.corpus"}
    whole = report("rewrite", "--unit", "text", "-e", 3, *corpus)
    yield "", whole, corpus, texts
    yield "a claim of texts that is less in its twelfth digit", changed(whole, claim__epsilon=3 * (1 - 9e-12)), corpus, texts
    low = whole["certificate"]["pure_epsilon"]["high"] * (1 - 9e-13)
    yield "a loss of texts that is less in its thirteenth digit", changed(whole, certificate__pure_epsilon__high=low), corpus, texts
    yield "another corpus of as many texts", whole, ["--corpus", "other.corpus"], {"corpus": "other.corpus"}
    two_encoders(os.path.join(lab.folder, "one.corpus"), os.path.join(lab.folder, "two.corpus"))
    forged = changed(whole, corpus__encoder="vectors", claim__assumes=["public-data", "public-encoder"])
    forged["not_protected"].append("the vectors of the texts: the claim assumes that the encoder that made them is public and reads one "
                                   "text at a time, which cannot be checked here")
    yield "a corpus with two encoders", forged, ["--corpus", "two.corpus"], {"corpus": "two.corpus"}
    shuffled = report("rewrite", "--unit", "text", "-e", 3, "--shuffle", *corpus)
    yield "", shuffled, corpus, texts
    yield "a shuffled loss of 0", changed(shuffled, shuffled__epsilon=0), corpus, texts
    yield "no records", changed(shuffled, documents=0, draws=0, shuffled={"records": 0, "epsilon": 0.1, "delta": 1e-6, "bound": "blanket"}), corpus, texts
    embedded = report("rewrite", "--unit", "text", "-e", 3)
    yield "", embedded, [], {}
    yield "another table of the embedded corpus", changed(embedded, embeddings__sha256="0" * 64), [], {}
    yield "fewer texts of the embedded corpus", changed(embedded, corpus__texts=10, parameters__texts=10), [], {}
    shipped = report("rewrite", "--unit", "text", "-e", 3, "--corpus", "support")
    yield "", shipped, ["--corpus", "support"], {}
    yield "another digest of a shipped corpus", changed(shipped, corpus__name="news"), ["--corpus", "support"], {}
    yield from marks(lab, report)
    counted = report("synthesize", "-e", 1, "--expect", 2, *corpus)
    yield "", counted, corpus, {**texts, "synthesize": True}
    for path, value in (("claim__epsilon", -1), ("claim__epsilon", 1e300), ("claim__delta", -1e-9), ("claim__delta", 1e-9), ("noise__scale", 0.1)):
        yield f"synthesize, {path} {value}", changed(counted, **{path: value}), corpus, {**texts, "synthesize": True}


def marks(lab, report):
    """Forgeries of reports of marks within their types."""
    place = lab.write("marks.jsonl", '[]\n[{"start":0,"end":3,"entity_type":"PERSON"},{"start":4,"end":7,"entity_type":"DATE"}]\n[]\n')
    lab.write("private.tsv", "user\ttext\nu1\tsaw nobody\nu2\tBob May went\nu3\tthe car\n")
    typed = report("rewrite", "--typed", "-e", 4, "--spans", place)
    yield "", typed, [], {}
    date, person = typed["types"]["DATE"], typed["types"]["PERSON"]
    yield "a claim of marks that is less in its twelfth digit", changed(typed, claim__epsilon=4 * (1 - 9e-12)), [], {}
    yield "dates at the epsilon of names", changed(typed, types__DATE={**date, "epsilon": 0, "certificate": person["certificate"]}, claim__epsilon=0), [], {}
    less = copy.deepcopy(date)
    less["certificate"]["codebook"]["high"] //= 2
    less["certificate"]["pure_epsilon"]["high"] -= 0.6931
    yield "half of the weight that is drawn", changed(typed, types__DATE=less), [], {}
    more = copy.deepcopy(person)
    for at, key in ((more, "values"), (more["certificate"]["parameters"], "values"), (more["certificate"]["codebook"], "texts")):
        at[key] *= 10
    more["certificate"]["parameters"]["inside"] = 1 / more["values"]
    yield "ten times as many names", changed(typed, types__PERSON=more), [], {}
    yield "a bound for whole texts", changed(typed, document_epsilon_max=8), [], {}
    quiet = copy.deepcopy(typed)
    quiet["not_protected"][1] = quiet["not_protected"][1].replace(" What it missed stays in clear", "")
    yield "nothing that was missed", quiet, [], {}
    for _ in range(2):  # the second run draws nothing: the map has the values
        scoped = report("rewrite", "--typed", "-e", 4, "--spans", place, "--keep-map", "map.jsonl")
        yield "", scoped, [], {}
    yield "a draw that nobody made", changed(scoped, spans=1), [], {}
    unknown = lab.write("unknown.jsonl", '[]\n[{"start":0,"end":3,"entity_type":"WARD"}]\n[]\n')
    words = lab.write("few.txt", "the 0.1 0.2 -0.3\ncat 0.5 0.2 0.1\n<unk> 0 0 0\n")
    table, given = ["--embeddings", words], {"table": words}
    untyped = report("rewrite", "--typed", "-e", 4, "--spans", unknown, *table)
    yield "", untyped, table, given
    yield "a claim for marks whose number of words shows", changed(untyped, claim__epsilon=4), table, given


def main():
    with tempfile.TemporaryDirectory() as folder:
        lab, wrong, count = agree.Lab(sys.argv[1], folder, 1), 0, [0, 0]
        for what, document, check, given in forgeries(lab):
            given = dict(given)
            name = "copy.json" if given.pop("synthesize", False) else "forged.json"
            lab.write(name, json.dumps(document, indent=2, ensure_ascii=False))
            audit, code, said, reason = agree.verdicts(lab, name, check, given)
            count[not what] += 1
            if audit == 0 or code == 0 if what else audit or code:
                wrong += 1
                print(f"{what or 'a true ' + document['mechanism']}: audit {audit} ({said}), verifier {code} ({reason})")
        print(f"{count[0]} forgeries of {count[1]} true documents, {wrong} wrong verdicts")
        return 1 if wrong or not count[0] else 0


if __name__ == "__main__":
    sys.exit(main())
