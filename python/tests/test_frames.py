"""DataFrames, arrays, synthetic corpora, attacks."""

import json

import numpy
import pandas
import pytest

import sotto
import sotto.pandas  # noqa: F401

PUBLIC = [
    f"{who} {did} {what}"
    for who in ("the doctor", "a printer", "our office", "the team")
    for did in ("lost", "found", "moved", "fixed")
    for what in ("the report", "a key", "the paper", "an answer", "a game")
]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    """A small public corpus."""
    from sotto._worker import run

    folder = tmp_path_factory.mktemp("corpus")
    (folder / "public.txt").write_text("\n".join(PUBLIC) + "\n")
    path = folder / "public.corpus"
    run(["corpus", "build", "--public", "-o", str(path), str(folder / "public.txt")])
    return path


def frame(n=200):
    return pandas.DataFrame({"text": [PUBLIC[i % len(PUBLIC)] for i in range(n)], "label": [i % 3 for i in range(n)]})


def test_frames_and_sets_are_not_lists_of_texts():
    """Iterating a frame gives its column names; a set has no order to give results in."""
    rewriter = sotto.Rewriter(epsilon=10)
    for texts in (frame(3), {"a", "b"}, frozenset("ab")):
        for call in (rewriter, rewriter.cost, sotto.Embedder(epsilon=4)):
            with pytest.raises(sotto.ParameterError):
                call(texts)
    assert rewriter.statement["documents"] == 0


def test_accessor_rewrites_columns():
    tickets = frame(5)
    tickets.index = list("abcde")
    tickets.loc["c", "text"] = None
    released = tickets.private.rewrite("text", epsilon=10)
    assert list(released.index) == list("abcde") and list(released["label"]) == list(tickets["label"])
    assert released["text"].map(type).eq(str).all() and released.attrs["statement"]["documents"] == 5
    assert tickets.loc["c", "text"] is None and "statement" not in tickets.attrs
    with pytest.raises(sotto.ParameterError, match="must have one column"):
        tickets.private.rewrite("texts", epsilon=10)
    with pytest.raises(sotto.ParameterError):
        tickets.private.rewrite("text")


def test_columns_may_have_any_name_but_those_of_synthesize():
    frame = pandas.DataFrame({0: ["the printer fails"], ("a", "x"): ["no answer"]})
    assert list(frame.private.rewrite(0, epsilon=10).columns) == list(frame.columns)
    nested = pandas.DataFrame({("a", "x"): ["no answer"], ("a", "y"): [1]})
    assert nested.private.rewrite(("a", "x"), epsilon=10)[("a", "y")].tolist() == [1]
    with pytest.raises(sotto.ParameterError, match="must name columns by str, got 3"):
        sotto.synthesize(frame, text="text", by=3, labels=[1, 2], epsilon=1)


def test_accessor_charges_all_columns_or_none(tmp_path):
    ledger = sotto.Ledger(tmp_path / "budgets.db")
    ledger.grant("team", epsilon=50)
    spent = lambda: ledger.account("team")["limits"][0]["spent"]["epsilon"]  # noqa: E731
    tickets = pandas.DataFrame({"title": ["the doctor", None], "text": ["no answer", "my bill"], "label": [1, 2]})
    options = {"epsilon": 10, "account": "team", "ledger": ledger}
    with pytest.raises(sotto.BudgetError) as e:
        tickets.private.rewrite(["title", "text"], **options)  # title alone would cost 20
    assert e.value.cost["epsilon"] == 60 and spent() == 0
    with pytest.raises(sotto.BudgetError):
        sotto.Rewriter(**options).batched("title", "text")(tickets.to_dict("list"))
    assert spent() == 0
    ledger.grant("team", epsilon=10)
    released = tickets.private.rewrite(["title", "text", "title"], **options)
    assert spent() == 60 and released.attrs["statement"]["documents"] == 4


def test_accessor_gives_each_column_its_texts():
    def seeded():
        return sotto.Rewriter(epsilon=20, insecure_seed=4)

    tickets = pandas.DataFrame({"a": ["the doctor", None], "b": ["the office", "yesterday"], "c": [1, 2]}, index=[7, 7])
    drawn = seeded()(["the office", "yesterday", "the doctor", ""])
    assert len(set(drawn)) == 4
    released = tickets.private.rewrite(["b", "a"], epsilon=20, insecure_seed=4)
    pandas.testing.assert_frame_equal(released, tickets.assign(b=drawn[:2], a=drawn[2:]))
    batch = seeded().batched("b", "a")({"a": ["the doctor", None], "b": ("the office", "yesterday"), "c": [1, 2]})
    assert batch == {"a": drawn[2:], "b": tuple(drawn[:2]), "c": [1, 2]}


def test_accessor_uses_the_corpus(corpus):
    released = frame(20).private.rewrite("text", epsilon=4, corpus=corpus)
    assert set(released["text"]) <= set(PUBLIC)
    assert released.attrs["statement"]["claim"]["unit"] == "text"


def test_vectors_are_those_of_the_command(command, tmp_path):
    texts = ["the doctor agreed", "no answer", ""]
    out = tmp_path / "v.npy"
    command("embed", "-e", 8, "--insecure-seed", 3, "-o", out, stdin="\n".join(texts) + "\n")
    vectors = sotto.embed([texts[0], texts[1], None], epsilon=8, insecure_seed=3)
    assert vectors.dtype == numpy.float32 and numpy.array_equal(vectors, numpy.load(out))
    embedder = sotto.Embedder(epsilon=8)
    assert embedder(pandas.Series(texts)).shape == vectors.shape
    assert embedder.statement["documents"] == 3 and "debias" in embedder.statement
    words = sotto.Embedder(epsilon=8, of="words", progress=True)(["the doctor agreed", "no"])
    assert words.shape[0] == 4


def test_synthesize_returns_a_frame_with_its_statement(corpus, tmp_path, command):
    records = frame()
    records.loc[3, "text"] = None
    released = sotto.synthesize(records, text="text", by="label", labels=[0, 1, 2], epsilon=2, corpus=corpus)
    assert list(released.columns) == ["label", "text"] and set(released["text"]) <= set(PUBLIC)
    assert set(released["label"]) <= {0, 1, 2}
    statement = released.attrs["statement"]
    assert statement["claim"]["unit"] == "record" and statement["documents"] is None
    weighted = records.private.synthesize(by="label", labels={"label": [0, 1, 2]}, epsilon=2, corpus=corpus, weights=True)
    assert weighted["weight"].dtype == float and len(weighted) == 3 * len(PUBLIC)
    records.to_csv(tmp_path / "records.csv", index=False)
    path = sotto.synthesize(
        tmp_path / "records.csv", by="label", labels=["0", "1", "2"], epsilon=2, corpus=corpus, insecure_seed=5
    )
    again = sotto.synthesize(records, by="label", labels=["0", "1", "2"], epsilon=2, corpus=corpus, insecure_seed=5)
    pandas.testing.assert_frame_equal(path, again)


def test_synthesize_takes_the_texts_of_a_model(corpus, tmp_path, command, monkeypatch):
    (tmp_path / "public.txt").write_text("\n".join(PUBLIC) + "\n")
    command("train", "language-model", "--corpus", tmp_path / "public.txt", "--public", "-o", tmp_path / "public.lm")
    monkeypatch.chdir(tmp_path)
    options = {"by": "label", "labels": [0, 1, 2], "epsilon": 2, "corpus": corpus, "size": 50, "from_model": True}
    released = sotto.synthesize(frame(), lm="public.lm", model_seed=3, **options)
    assert len(released) == 50 and not set(released["text"]) <= set(PUBLIC)
    assert released.attrs["statement"]["written"]["seed"] == 3
    with pytest.raises(sotto.ParameterError, match="give both from_model= and lm="):
        sotto.synthesize(frame(), **options)


def test_synthesize_takes_awkward_labels_and_bins(corpus):
    records = frame(60)
    records["stars"] = [1 + i % 5 for i in range(60)]
    records["label"] = ["a, b" if i % 2 else "c=d" for i in range(60)]
    released = sotto.synthesize(
        records, by=["label", "stars=1..5"], labels=["a, b", "c=d"], epsilon=5, corpus=corpus, size=100
    )
    assert set(released["label"]) <= {"a, b", "c=d"} and set(released["stars"]) <= {1, 2, 3, 4, 5}
    assert len(released) == 100


def test_labels_are_matched_by_value(corpus):
    # The noise has scale 1/20 in each of at most 400 cells. To take 999 records away it
    # must exceed 2.4 in one of them: probability at most 400 e^-48, below 1e-18.
    records = frame(3000)
    for column in ([1] * 2999 + [None], ["1"] * 3000, [1.0] * 3000, [True] * 3000):
        records["label"] = column
        labels = ["1", "0"] if column[0] == "1" else [1, 0]
        released = sotto.synthesize(records, by="label", labels=labels, epsilon=20, corpus=corpus)
        assert (released["label"] == labels[0]).sum() > 2000
    records["label"] = [3.0] * 2999 + [None]
    assert (sotto.synthesize(records, by="label=1..5", epsilon=20, corpus=corpus)["label"] == 3).sum() > 2000
    with pytest.raises(sotto.ParameterError, match="alike"):
        sotto.synthesize(records, by="label", labels=[1, "1"], epsilon=20, corpus=corpus)


def test_frames_with_two_columns_of_a_name_are_refused(corpus):
    twice = pandas.DataFrame([["a", "b"]], columns=["text", "text"])
    with pytest.raises(sotto.ParameterError, match="must have one column"):
        sotto.synthesize(twice, epsilon=1, corpus=corpus)
    with pytest.raises(sotto.ParameterError, match="must have one column"):
        twice.private.rewrite("text", epsilon=10)


def test_synthesize_never_takes_labels_from_the_frame(corpus):
    with pytest.raises(sotto.ParameterError, match="labels"):
        sotto.synthesize(frame(), by="label", epsilon=2, corpus=corpus)
    with pytest.raises(sotto.ParameterError, match="must have one column"):
        sotto.synthesize(frame(), text="body", epsilon=2, corpus=corpus)
    with pytest.raises(sotto.ParameterError):
        sotto.synthesize(frame(), epsilon=None, corpus=corpus)


def test_labels_without_a_column_of_labels_are_refused_by_what_is_wrong():
    for by, error in (("label=1", "bins, which come after = .rename a column"), (None, "labels= needs by=")):
        for labels in ([0, 1], {"label=1": [0, 1]}):
            with pytest.raises(sotto.ParameterError, match=error):
                sotto.synthesize(frame(), by=by, labels=labels, epsilon=1)


def test_equal_users_are_written_alike():
    from decimal import Decimal
    from fractions import Fraction

    from sotto._corpora import _user_strings

    sevens = [7, 7.0, numpy.float32(7), numpy.int8(7), Decimal("7.00"), Fraction(7), "7", 7 + 0j]
    for users in (sevens, sevens[::-2]):
        assert set(_user_strings(users)) == {"7"}
    moment = pandas.Timestamp("2020-01-01", tz="UTC")
    for users in ([True, 1, 1.0, numpy.True_], [2.5, Decimal("2.5"), numpy.float32(2.5)], [(1, 2), (1.0, 2.0)],
                  [moment, moment.tz_convert("Asia/Tokyo")], [1e300, int(1e300)], [float("inf"), Decimal("inf")]):
        assert len(set(users)) == 1
        for order in (users, users[::-1]):
            assert len(set(_user_strings(order))) == 1
    assert len(set(_user_strings([1, 2, 2.5, "a", "b", (1,), 2**60, 2**60 + 1]))) == 8
    missing = [None, float("nan"), numpy.float32("nan"), numpy.float16("nan"), Decimal("nan"), pandas.NA, pandas.NaT]
    assert set(_user_strings(missing)) == {""}
    _user_strings([[1], 10**5000, Decimal("snan"), Decimal("1e999999999"), 1j, "\ud800"])  # any value is a user


def test_synthesize_takes_any_values(corpus):
    records = frame(8)
    records["text"] = ["\ud800 office", "the\0doctor", None, 7, ["list"], 10**5000, '"' * (3 << 20), "the doctor"]
    records["label"] = ["\udfff", [1], {}, 1, numpy.float32(1), None, "x", 2]
    records["user"] = ["\ud800", [1], 1, 1.0, None, "a,b", '"', "\r\n"]
    options = {"by": "label", "labels": [1, 2], "corpus": corpus, "epsilon": 1, "user": "user", "per_user": 2}
    released = sotto.synthesize(records, **options)
    assert list(released.columns) == ["label", "text"] and released.attrs["statement"]["claim"]["unit"] == "user"


def test_records_are_never_too_long_to_be_read(corpus):
    from sotto._corpora import _csv

    records = pandas.DataFrame({"text": ["a" * (1 << 20), "é" * (1 << 20)], "user": ["u", "v"]})
    assert _csv(records, "text", {}, "user").decode() == "user,text\nu," + "a" * (1 << 20) + "\nv,\n"


def test_synthesize_refuses_what_would_fail_after_the_charge(corpus, tmp_path):
    ledger = sotto.Ledger(tmp_path / "budgets.db")
    ledger.grant("corpus", epsilon=5)
    options = {"epsilon": 1, "corpus": corpus, "account": "corpus", "ledger": ledger, "by": "label"}
    for labels in ([0, ""], ["\ufeff0", 1], [0, None], ["\ud800"], ["a\nb"], {"lable": [0, 1]}):
        with pytest.raises(sotto.ParameterError, match="label"):
            sotto.synthesize(frame(), labels=labels, **options)
    for name in ("output", "report", "check"):
        with pytest.raises(sotto.ParameterError, match=name):
            sotto.synthesize(frame(), labels=[0, 1], **options, **{name: "file"})
    assert ledger.account("corpus")["limits"][0]["spent"]["epsilon"] == 0
    sotto.synthesize(frame(), labels=[0, "\ufeff1"], **options)
    million = frame().assign(label=1_000_000)
    released = sotto.synthesize(million, **{**options, "by": "label=1000000..1000001"}, size=50)
    assert set(released["label"]) <= {1_000_000, 1_000_001}


def test_synthesize_takes_columns_of_any_name(corpus, tmp_path):
    ledger = sotto.Ledger(tmp_path / "budgets.db")
    ledger.grant("corpus", epsilon=10_000)
    spent = lambda: ledger.account("corpus")["limits"][0]["spent"]["epsilon"]  # noqa: E731
    options = {"epsilon": 20, "corpus": corpus, "size": 5, "account": "corpus", "ledger": ledger}
    names = ["ticket.text", "a[0]", "k[*]", "[*]", ".", "a.", "a\\.b", "a\\", "te,xt", "te\nxt", 'k"q', " text", "k ", "-x", "\0", "n/a"]
    for name in names:
        records = frame().rename(columns={"text": name, "label": f"{name}.kind"})
        for by, labels in ((f"{name}.kind", [0, 1, 2]), (f"{name}.kind=0..2", None)):
            released = sotto.synthesize(records, text=name, by=by, labels=labels, **options)
            assert list(released.columns) == [f"{name}.kind", name] and len(released) == 5
            assert set(released[name]) <= set(PUBLIC) and set(released[f"{name}.kind"]) <= {0, 1, 2}
    before = spent()
    assert before == 40 * len(names)
    for name in ("", "\ufeffx", "a\rb", "\ud800"):  # which CSV cannot hold
        with pytest.raises(sotto.Error):
            sotto.synthesize(frame().rename(columns={"text": name}), text=name, **options)
    for by in (["label", "label"], "text"):
        with pytest.raises(sotto.ParameterError):
            sotto.synthesize(frame(), by=by, labels={"label": [0], "text": [0]} if by == "label" else [0], **options)
    assert spent() == before


def test_synthesize_reads_nested_files(corpus, tmp_path):
    path = tmp_path / "records.jsonl"
    lines = [{"ticket": {"text": PUBLIC[i % 80]}, "meta": {"stars": i % 3}, "tags": [f"t{i % 2}"]} for i in range(200)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    options = {"text": "ticket.text", "by": ["meta.stars=0..2", "tags[0]"], "labels": ["t0", "t1"], "corpus": corpus, "epsilon": 20}
    released = sotto.synthesize(path, size=50, **options)
    assert list(released.columns) == ["meta.stars", "tags[0]", "ticket.text"] and set(released["ticket.text"]) <= set(PUBLIC)
    assert set(released["meta.stars"]) == {0, 1, 2} and set(released["tags[0]"]) == {"t0", "t1"}
    assert sotto.synthesize(path, weights=True, **options)["weight"].dtype == float


def test_rows_are_read_as_csv_has_them():
    from sotto._corpora import _rows

    long = 'a "quote", ' + "x" * (1 << 20)
    assert _rows('a,"b\n"\n"",c d\n,"\0\r\n"\n' + f'"{long}",\n'.replace('"quote"', '""quote""')) == [
        ["a", "b\n"], ["", "c d"], ["", "\0\r\n"], [long, ""]
    ]


def test_synthesize_charges_once(corpus, tmp_path):
    ledger = sotto.Ledger(tmp_path / "budgets.db")
    ledger.grant("corpus", epsilon=3)
    sotto.synthesize(frame(), epsilon=2, corpus=corpus, account="corpus", ledger=ledger)
    with pytest.raises(sotto.BudgetError):
        sotto.synthesize(frame(), epsilon=2, corpus=corpus, account="corpus", ledger=ledger)
    assert ledger.account("corpus")["limits"][0]["spent"]["epsilon"] == 2


def test_attack_has_a_row_per_epsilon():
    rows = sotto.attack(PUBLIC[:40], corpus=PUBLIC, epsilon=[4, "8:12:4"], public=True, among=10)
    assert [r["epsilon"] for r in rows] == [4, 8, 12]
    assert all(0 <= r["recovered"] <= 1 for r in rows) and json.dumps(rows)
    with pytest.raises(sotto.ParameterError):
        sotto.attack(PUBLIC[:40], corpus=PUBLIC, epsilon=[])


def test_series_keeps_its_index_and_name():
    texts = pandas.Series(["my doctor agreed", None], index=[7, 3], name="note")
    released = texts.private.rewrite(epsilon=8, insecure_seed=1)
    assert list(released.index) == [7, 3] and released.name == "note"
    assert released.attrs["statement"]["documents"] == 2


def test_synthesize_returns_rows_alone(corpus):
    frame = pandas.DataFrame({"text": PUBLIC[:3]})
    with pytest.raises(sotto.ParameterError, match="^as= cannot be used here"):
        sotto.synthesize(frame, text="text", epsilon=4, corpus=str(corpus), **{"as": "few-shot"})
