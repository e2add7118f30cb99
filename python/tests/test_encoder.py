"""An encoder of the user's makes the vectors of texts."""

import sys

import pytest

import sotto

PUBLIC = ["the phone rings all day", "the parcel was lost", "the film was dull"]

PROGRAM = """
import json, sys
print(json.dumps({"dimensions": 26, "format": "json"}), flush=True)
for line in sys.stdin:
    print(json.dumps([[t.count(chr(97 + i)) for i in range(26)] for t in json.loads(line)]), flush=True)
"""


def letters(texts):
    return [[t.count(chr(97 + i)) for i in range(26)] for t in texts]


@pytest.fixture
def corpus(tmp_path, command):
    (tmp_path / "letters.py").write_text(PROGRAM)
    (tmp_path / "public.txt").write_text("\n".join(PUBLIC) + "\n")
    name = tmp_path / "letters.corpus"
    command("corpus", "build", "--public", "--encoder-program", f"{sys.executable} {tmp_path / 'letters.py'}", "-o", name, tmp_path / "public.txt")
    return name


def test_an_encoder_makes_the_vectors(corpus):
    rewrite = sotto.Rewriter(epsilon=20, corpus=corpus, encoder=letters, neighbours=1, insecure_seed=1)
    assert rewrite(["film the dull was", "lost the parcel was", "ring all day the phones"]) == [PUBLIC[2], PUBLIC[1], PUBLIC[0]]
    assert "public-encoder" in rewrite.claim["assumes"]
    assert rewrite.statement["documents"] == 3


def test_an_encoder_reads_one_text_at_a_time(corpus):
    def counting(texts):
        return [[len(texts) + x for x in v] for v in letters(texts)]

    with pytest.raises(sotto.ParameterError, match="one text at a time"):
        sotto.Rewriter(epsilon=4, corpus=corpus, encoder=counting)(["film"])
    for encoder, error in [
        (lambda texts: letters(texts)[1:], "vectors for"),
        (lambda texts: [v[1:] for v in letters(texts)], "26 components"),
        (lambda texts: [[float("nan")] * 26 for _ in texts], "not finite"),
        (lambda texts: texts, "numbers"),
    ]:
        with pytest.raises(sotto.ParameterError, match=error):
            sotto.Rewriter(epsilon=4, corpus=corpus, encoder=encoder)(["film"])


def test_an_encoder_that_changes_is_found(corpus):
    calls = []

    def drifts(texts):
        calls.append(len(texts))
        return letters(texts) if len(calls) <= 10 else letters([t + "xyz" * 9 for t in texts])  # 10 calls check it

    with pytest.raises(sotto.ParameterError, match="when it is asked again"):
        sotto.Rewriter(epsilon=4, corpus=corpus, encoder=drifts)(["film"] * 5000)
    assert len(calls) > 11


def test_an_encoder_needs_its_corpus(corpus):
    with pytest.raises(sotto.ParameterError, match="built with it"):
        sotto.Rewriter(epsilon=4, unit="text", corpus="english", encoder=letters)
    with pytest.raises(sotto.ParameterError, match="a function"):
        sotto.Rewriter(epsilon=4, corpus=corpus, encoder="letters")
    with pytest.raises(sotto.ParameterError):
        sotto.Rewriter(epsilon=4, corpus=corpus)
