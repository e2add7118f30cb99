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


def test_an_encoder_makes_private_vectors(corpus, command, tmp_path):
    numpy = pytest.importorskip("numpy")
    texts = ["film the dull was", "lost the parcel was", ""]
    embed = sotto.Embedder(epsilon=4, corpus=corpus, encoder=letters, codebook=64)
    assert embed(texts).shape == (3, 26) == (embed.statement["documents"], embed.dimensions)
    assert "public-encoder" in embed.claim["assumes"]
    (tmp_path / "report.json").write_text(embed.report())
    assert "holds" in command("audit", "--verify", tmp_path / "report.json", "--corpus", corpus)
    seeded = [sotto.embed(texts, 4, corpus=corpus, encoder=letters, codebook=64, insecure_seed=1) for _ in range(2)]
    assert numpy.array_equal(*seeded)
    for options in [{"corpus": corpus}, {"corpus": "english", "encoder": letters}, {"encoder": letters}, {"corpus": corpus, "encoder": letters, "of": "words"}]:
        with pytest.raises(sotto.ParameterError):
            sotto.Embedder(epsilon=4, **options)
    assert sotto.embed(["a text"], 4, corpus="english", codebook=64).shape == (1, 30)


def test_an_encoder_reads_one_text_at_a_time(corpus):
    def counting(texts):
        return [[len(texts) + x for x in v] for v in letters(texts)]

    with pytest.raises(sotto.ParameterError, match="one text at a time"):
        sotto.Rewriter(epsilon=4, corpus=corpus, encoder=counting)(["film"])
    for encoder, error in [
        (lambda texts: letters(texts)[1:], "returned 3 vectors for 4 texts, of which 3 are public texts that it is tried with"),
        (lambda texts: [v[::-1] for v in letters(texts)], "other vectors than the corpus has"),
        (lambda texts: [v[1:] for v in letters(texts)], "26 components"),
        (lambda texts: [[float("nan")] * 26 for _ in texts], "not finite"),
        (lambda texts: texts, "numbers"),
    ]:
        with pytest.raises(sotto.ParameterError, match=error):
            sotto.Rewriter(epsilon=4, corpus=corpus, encoder=encoder)(["film"])


def test_an_error_of_an_encoder_is_its_own(corpus):
    def failing(texts):
        for text in texts:
            raise ValueError("no memory")
            yield text

    with pytest.raises(ValueError, match="no memory") as raised:
        sotto.Rewriter(epsilon=4, corpus=corpus, encoder=failing)(["film"])
    assert not isinstance(raised.value, sotto.Error)


def test_an_encoder_that_changes_is_found(corpus):
    calls = []

    def drifts(texts):
        calls.append(len(texts))
        return letters(texts) if len(calls) <= 11 else letters([t + "xyz" * 9 for t in texts])  # 11 calls check it

    with pytest.raises(sotto.ParameterError, match="when it is asked again"):
        sotto.Rewriter(epsilon=4, corpus=corpus, encoder=drifts)(["film"] * 5000)
    assert len(calls) > 12


def failing(texts):
    raise LookupError("no model")


def test_an_encoder_that_fails_is_charged_nothing(corpus, tmp_path):
    ledger = sotto.Ledger(tmp_path / "accounts.db")
    ledger.grant("survey", epsilon=100)

    def left():
        return ledger.account("survey")["limits"][0]["remaining"]["epsilon"]

    def rewriter(encoder):
        return sotto.Rewriter(epsilon=4, corpus=corpus, encoder=encoder, account="survey", ledger=ledger)

    for encoder, error in [
        (lambda texts: [[float("nan")] * 26 for _ in texts], sotto.ParameterError),
        (lambda texts: letters(texts)[1:], sotto.ParameterError),
        (lambda texts: [v[1:] for v in letters(texts)], sotto.ParameterError),
        (lambda texts: [[len(texts) + x for x in v] for v in letters(texts)], sotto.ParameterError),
        (failing, LookupError),
    ]:
        with pytest.raises(error):
            rewriter(encoder)(["film", "parcel"])
    assert left() == 100
    rewriter(letters)(["film", "parcel"])
    assert left() == 92

    # The first texts are sent before later ones are read, so that not all must be held.
    with pytest.raises(sotto.Error, match="last texts: nothing was returned, but a charge may have been made") as raised:
        rewriter(lambda texts: letters(texts) if "last" not in texts else refuse())(["film"] * 20 + ["x" * 5_000_000] + ["last"])
    assert type(raised.value) is sotto.Error and left() == 92 - 22 * 4


def refuse():
    raise sotto.ParameterError("no last texts")


def test_an_encoder_has_another_name_than_the_flag(corpus):
    for name in ("encoder_program", "text_vectors"):
        for use in (sotto.Rewriter, sotto.Embedder):
            with pytest.raises(sotto.ParameterError, match="encoder=, a function") as raised:
                use(epsilon=4, corpus=corpus, **{name: "perl letters.pl"})
            assert len(str(raised.value)) < 200


def test_an_encoder_needs_its_corpus(corpus):
    with pytest.raises(sotto.ParameterError, match="built with it"):
        sotto.Rewriter(epsilon=4, unit="text", corpus="english", encoder=letters)
    with pytest.raises(sotto.ParameterError, match="a function"):
        sotto.Rewriter(epsilon=4, corpus=corpus, encoder="letters")
    with pytest.raises(sotto.ParameterError):
        sotto.Rewriter(epsilon=4, corpus=corpus)


MODEL2VEC = {
    "config.json": b'{"model_type": "model2vec", "hidden_dim": 3, "normalize": true}',
    "tokenizer.json": b'{"version": "1.0", "normalizer": {"type": "Lowercase"}, "pre_tokenizer": {"type": "Whitespace"}, "model": '
    b'{"type": "WordLevel", "unk_token": "[UNK]", "vocab": {"[UNK]": 0, "phone": 1, "rings": 2, "parcel": 3, "lost": 4, "film": 5, "dull": 6, "day": 7}}}',
    "model.safetensors": b"\x41" + bytes(7) + b'{"embeddings":{"dtype":"I8","shape":[8,3],"data_offsets":[0,24]}}'
    + bytes([1, 0, 0, 99, 0, 0, 99, 9, 0, 0, 99, 0, 0, 99, 9, 0, 0, 99, 9, 0, 99, 50, 0, 0]),
}


def test_an_imported_folder_makes_the_vectors(tmp_path, command, monkeypatch):
    pd = pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    (tmp_path / "small").mkdir()
    for name, data in MODEL2VEC.items():
        (tmp_path / "small" / name).write_bytes(data)
    command("embeddings", "import", "small")
    # The name is that of the table, although a folder has it too.
    built = sotto.build_corpus(PUBLIC, "small.corpus", public=True, embeddings="small", encoder="sif", clusters=2)
    assert built["table"]["name"] == "small"
    asked = ["film dull", "lost parcel", "phone rings"]
    assert sotto.rewrite(asked, 20, unit="text", corpus="small.corpus", neighbours=1, insecure_seed=1) == [PUBLIC[2], PUBLIC[1], PUBLIC[0]]
    for options in [{"embeddings": "small"}, {"corpus": "small.corpus"}]:
        assert sotto.embed(asked, 4, codebook=64, **options).shape == (3, 3)
    frame = pd.DataFrame({"text": asked[:2] * 10, "label": ["film", "parcel"] * 10})
    copy = sotto.synthesize(frame, text="text", by="label", labels=["film", "parcel"], epsilon=50, corpus="small.corpus", insecure_seed=1)
    assert copy.attrs["statement"]["corpus"]["encoder"] == "sif" and set(copy["text"]) <= set(PUBLIC)
    frame.to_csv("train.csv", index=False)
    train = str(tmp_path / "train.csv")
    learn = ["learn", "--corpus", str(tmp_path / "small.corpus"), "--field", "text", "--label", "label", "--test", train, "--json", train]
    assert '"accuracy": 1' in sotto.command(learn)
