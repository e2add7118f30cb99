import copy
import hashlib
import json
import logging
import pickle
import struct
import subprocess
import sys
from collections.abc import Mapping, MutableMapping

import numpy
import pandas
import pytest

import sotto
from sotto._worker import worker

TEXTS = ["my doctor in Boston agreed", "no answer from the office yesterday", "", "ünïcödé — 文字"]


@pytest.mark.parametrize(
    "options",
    [
        {"epsilon": 8},
        {"epsilon": 8, "consistent": True, "neighbours": 20},
        {"epsilon": 4, "unit": "text"},
        {"epsilon": 8, "never": "default", "unknown": "zzzq"},
        {"epsilon": 20, "mechanism": "exponential", "words": 500, "lambda_": None},
    ],
)
def test_draws_and_states_what_the_command_does(command, tmp_path, options):
    rewriter = sotto.Rewriter(insecure_seed=7, **options)
    flags = [f"--{k.rstrip('_').replace('_', '-')}={str(v).lower()}" for k, v in options.items() if v is not None]
    report = tmp_path / "report.json"
    out = command("rewrite", "--insecure-seed=7", "--report", report, *flags, stdin="\n".join(TEXTS) + "\n")
    assert "\n".join(rewriter(TEXTS)) + "\n" == out
    assert rewriter.report() == report.read_text()
    assert rewriter.statement == json.loads(report.read_text())


def test_statement_identifies_the_texts_of_all_calls():
    rewriter = sotto.Rewriter(epsilon=4)
    drawn = rewriter(TEXTS) + rewriter([]) + rewriter([""]) + rewriter(["my doctor"] * 100)
    words = [" ".join(text.split()) for text in reversed(drawn)]
    rows = [bytes(8) + struct.pack(">d", 1) + text.encode() + b" " for text in words if text]
    digests = [struct.unpack(">4Q", hashlib.sha256(row).digest()) for row in rows]
    sums = "".join(f"{sum(column) % 2**64:016x}" for column in zip(*digests))
    assert rewriter.statement["drawn"] == {"rows": len(rows), "sha256": sums}


def test_statement_is_verified_by_audit(command, tmp_path):
    rewriter = sotto.Rewriter(epsilon=4, unit="text")
    rewriter(TEXTS)
    rewriter(TEXTS[:2])
    assert rewriter.statement["documents"] == 6
    (tmp_path / "report.json").write_text(rewriter.report())
    command("audit", "--verify", tmp_path / "report.json")


def test_commands_read_what_they_are_given():
    rewriter = sotto.Rewriter(epsilon=4, unit="text")
    rewriter(TEXTS)
    for stdin in ("-", "/dev/stdin"):
        assert json.loads(sotto.command(["audit", "--json", "--verify", stdin], stdin=rewriter.report()))["holds"]
    with pytest.raises(sotto.Error):
        sotto.command(["audit", "--verify", "-"], stdin="{}")


def test_every_call_draws_anew():
    # At epsilon 1 a token stays with probability below 0.01 for all tokens here, and any
    # output of 20,000 words has probability below 0.01. Two draws of 70 tokens are equal
    # with probability below 0.01^70, far below 1e-9.
    rewriter = sotto.Rewriter(epsilon=1)
    text = " ".join(["doctor"] * 70)
    assert rewriter(text) != rewriter(text)
    seeded = sotto.Rewriter(epsilon=1, insecure_seed=3)
    assert seeded([text]) != seeded([text])


def test_result_has_the_shape_of_the_texts():
    rewriter = sotto.Rewriter(epsilon=10)
    assert isinstance(rewriter("one text"), str)
    assert isinstance(rewriter(("a", "b")), tuple) and len(rewriter(["a", "b", "c"])) == 3
    assert rewriter([]) == [] and rewriter.statement["documents"] == 6
    series = pandas.Series(["the doctor", None, float("nan"), pandas.NA, "no"], index=list("edcba"), name="text")
    released = rewriter(series)
    assert list(released.index) == list("edcba") and released.name == "text"
    assert list(released[1:4]) == ["", "", ""]
    assert list(rewriter(series.astype("string")).index) == list("edcba")
    assert list(rewriter(series.astype("category")).index) == list("edcba")
    array = rewriter(numpy.array([["the doctor", "no"], ["a", "b"]], dtype=object))
    assert array.shape == (2, 2) and all(isinstance(t, str) for t in array.ravel())
    assert len(rewriter(t for t in ["a", "b"])) == 2


def test_missing_texts_are_drawn_for_with_unit_text():
    released = sotto.Rewriter(epsilon=4, unit="text")([None, "the doctor agreed", float("nan")])
    assert len(released) == 3 and all(isinstance(t, str) and t for t in released)


def test_any_text_is_drawn_for_with_unit_text():
    # Whether a text has a surrogate must not show, not even by an error.
    texts = ["the doctor agreed", "lone surrogate \ud800 \udc00", "\udfff"]
    rewriter = sotto.Rewriter(epsilon=4, unit="text")
    released = rewriter(texts)
    assert len(released) == 3 and all(t and t.isprintable() for t in released)
    assert isinstance(rewriter("\ud800"), str) and rewriter.statement["documents"] == 4
    assert rewriter.cost(texts)["units"] == 3
    assert len(rewriter.explain(texts[1])["texts"][0]["outputs"]) == 10
    assert sotto.Embedder(epsilon=4)(texts).shape[0] == 3
    with pytest.raises(sotto.ParameterError, match="text 1 has a surrogate"):
        sotto.Embedder(epsilon=8, of="words")(texts)


@pytest.mark.parametrize("bad", [7, b"bytes", ["nested"], "lone surrogate \ud800", 3.5])
def test_refused_texts_are_named_by_position_alone(bad):
    rewriter = sotto.Rewriter(epsilon=10)
    with pytest.raises(sotto.ParameterError, match="text 1 ") as e:
        rewriter(["secretword", bad])
    assert repr(bad) not in str(e.value)
    error = e.value
    seen = set()
    while error is not None and error not in seen:  # nor does what caused it hold a text
        seen.add(error)
        assert "secretword" not in repr(error) and "surrogate \\ud800" not in repr(error)
        assert not isinstance(error, UnicodeEncodeError)
        error = error.__cause__ or error.__context__
    assert rewriter.statement["documents"] == 0


def test_what_is_no_texts_is_refused():
    rewriter = sotto.Rewriter(epsilon=10)
    for bad in (7, None, b"bytes", {"text": ["a"]}):
        with pytest.raises(sotto.ParameterError, match="must be a list"):
            rewriter(bad)


def test_errors_have_fields():
    with pytest.raises(sotto.ParameterError, match="epsilon must be positive and finite, got -1") as e:
        sotto.Rewriter(epsilon=-1)
    assert (e.value.parameter, e.value.value, e.value.code) == ("epsilon", -1, 2)
    assert isinstance(e.value, ValueError) and e.value.must == "positive and finite"
    with pytest.raises(sotto.ParameterError) as e:
        sotto.Rewriter(epsilon=4, code_sead=3)
    assert e.value.parameter == "code_sead"
    with pytest.raises(sotto.ParameterError, match="needs epsilon"):
        sotto.Rewriter()
    with pytest.raises(sotto.ParameterError):
        sotto.Rewriter(epsilon=float("nan"))
    with pytest.raises(sotto.StandingError) as e:
        sotto.Rewriter(epsilon=4, mechanism="trlaplace-published")
    assert (e.value.mechanism, e.value.standing) == ("trlaplace-published", "refuted")
    copied = pickle.loads(pickle.dumps(e.value))
    assert (str(copied), copied.standing, type(copied)) == (str(e.value), "refuted", sotto.StandingError)
    assert sotto.Rewriter(epsilon=4, mechanism="trlaplace-published", accept="refuted").mechanism == "trlaplace-published"
    with pytest.raises(sotto.BudgetError) as e:
        sotto.Rewriter(document_epsilon=40, document_tokens=2)(["a", "a b c secretword"])
    assert e.value.code == 4 and e.value.fields["allowed"] == 2 and "secretword" not in str(e.value)
    for kind in (sotto.ParameterError, sotto.BudgetError, sotto.StandingError):
        assert issubclass(kind, sotto.Error)


def test_options_that_name_files_are_refused():
    for name in ("output", "report", "field", "format", "resume"):
        with pytest.raises(sotto.ParameterError):
            sotto.Rewriter(epsilon=4, **{name: "x"})


def test_explain_gives_the_distribution():
    word = sotto.Rewriter(epsilon=8).explain("doctor", top=0)["words"][0]
    assert abs(sum(o["probability"] for o in word["outputs"]) - 1) < 1e-9
    text = sotto.Rewriter(epsilon=4, unit="text").explain("the doctor agreed", top=5)
    assert len(text["texts"][0]["outputs"]) == 5 and text["claim"]["unit"] == "text"
    with pytest.raises(sotto.ParameterError):
        sotto.Rewriter(epsilon=8).explain("")


def test_cost_is_known_before_and_nothing_is_drawn(tmp_path):
    ledger = sotto.Ledger(tmp_path / "budgets.db")
    ledger.grant("team", epsilon=50)
    rewriter = sotto.Rewriter(epsilon=10, account="team", ledger=ledger, insecure_seed=None)
    cost = rewriter.cost(["the doctor \u2028 agreed", None, 'quote " and \\ line\nbreak'], fast=True)
    assert cost["texts"] == 3 and cost["epsilon_each"] == 10 and cost["account_left"] == {"epsilon": 50, "delta": 0}
    assert cost["epsilon_total"] == 10 * cost["units"] and cost["units"] >= 7 and cost["recovered"] is None
    assert rewriter.statement["documents"] == 0 and ledger.account("team")["limits"][0]["spent"]["epsilon"] == 0
    rewriter(["the doctor \u2028 agreed"])
    assert ledger.account("team")["limits"][0]["spent"]["epsilon"] == rewriter.cost("the doctor \u2028 agreed")["epsilon_total"]
    dear = rewriter.cost("the doctor agreed again", fast=True)  # an answer, not an error
    assert dear["epsilon_total"] == 40 and dear["account_suffices"] is False
    assert sotto.Rewriter(epsilon=4, unit="text", insecure_seed=1).cost(["a", "b"])["epsilon_total"] == 8
    assert sotto.Embedder(epsilon=4).cost(["a", "b"])["units"] == 2


def test_messages_name_options_as_python_does():
    def refused(**options):
        with pytest.raises(sotto.Error) as e:
            sotto.Rewriter(**options)
        return e.value

    assert "try epsilon=8" in str(refused())
    assert "needs document_tokens" in str(refused(document_epsilon=20))
    assert "accept='refuted'" in str(refused(epsilon=4, mechanism="trlaplace-published"))
    assert "unit='text'" in str(refused(epsilon=4, unit="text", consistent=True))
    typo = refused(epsilon=4, neighbors=20)
    assert typo.hint == "did you mean neighbours?" and typo.parameter == "neighbors"
    assert "document_tokens" in typo.fields["have"] and "lambda_" in typo.fields["have"]
    for error in (typo, refused(document_epsilon=20), refused(epsilon=4, account="a")):
        assert "--" not in str(error) and "document-" not in str(error) and "insecure-" not in str(error)
    assert "sotto.Rewriter(epsilon=8).explain('doctor') shows" in str(refused())
    assert "see sotto.command(['mechanisms'])" in str(refused(epsilon=4, mechanism="none"))
    assert "see sotto.command(['corpus', 'list'])" in str(refused(epsilon=4, unit="text", corpus="none"))
    assert '"marked_epsilon"' in refused(epsilon=4, marked_epsilon=2).message
    with pytest.raises(sotto.ParameterError, match="unknown option per_userr .*did you mean per_user="):
        sotto.synthesize("x.csv", epsilon=1, per_userr=1)
    with pytest.raises(sotto.ParameterError, match="--epsilon"):  # these are flags
        sotto.command(["rewrite"], "a")


def test_booleans_are_not_numbers(tmp_path):
    for value in (True, False):
        for options in ({"epsilon": value}, {"epsilon": 4, "neighbours": value}, {"epsilon": 4, "insecure_seed": value}):
            with pytest.raises(sotto.ParameterError, match=f"{list(options)[-1]}.* must be a .*number.*, got {str(value).lower()}"):
                sotto.Rewriter(**options)
        with pytest.raises(sotto.ParameterError, match=f"top= must be a whole number, got {value}"):
            sotto.Rewriter(epsilon=4).explain("doctor", top=value)
        with pytest.raises(sotto.ParameterError, match=f'among must be a whole number, got "{value}"'):
            sotto.attack(["a b", "c"], corpus=["a"], epsilon=4, among=value)
        with pytest.raises(sotto.ParameterError, match=f"epsilon must be a .*number.*, got {value}"):
            sotto.Ledger(tmp_path / "ledger.db").grant("a", value)
    assert sotto.Rewriter(epsilon=4, consistent=False)(["a"]) != []


def test_texts_are_not_numbers(tmp_path):
    with pytest.raises(sotto.ParameterError, match='^epsilon must be a number, got "4"$') as e:
        sotto.Rewriter(epsilon="4")
    assert e.value.parameter == "epsilon" and e.value.must == "a number" and e.value.code == 2
    with pytest.raises(sotto.ParameterError, match='^document_tokens must be a whole number, got "500"$'):
        sotto.Rewriter(document_epsilon=20, document_tokens="500")
    with pytest.raises(sotto.ParameterError, match="^epsilon must be a number, got '1e2'$"):
        sotto.Ledger(tmp_path / "ledger.db").grant("a", "1e2")
    with pytest.raises(sotto.ParameterError, match="^per_user must be a number, got '3'$"):
        sotto.synthesize("x.csv", epsilon=1, user="u", per_user="3")


def test_command_takes_a_list():
    with pytest.raises(sotto.ParameterError, match=r"^args must be a list of str, such as \['corpus', 'list'\], got a str$"):
        sotto.command("version")


def test_command_takes_paths_and_bytes_and_repeats_no_text(tmp_path):
    (tmp_path / "public.txt").write_text("one\ntwo\nthree\n")
    assert "public.txt" not in sotto.command(["corpus", "build", "--public", "-o", tmp_path / "own.corpus", tmp_path / "public.txt"])
    assert '"texts": 3' in sotto.command(["corpus", "info", "--json", tmp_path / "own.corpus"])
    assert sotto.command(["rewrite", "-e", "8"], b"one two").strip()
    for args, stdin in (["rewrite", "-e", "8"], "my secret \ud83d"), (["rewrite", 8], ""), (["rewrite", "-e", "8"], 5):
        with pytest.raises(sotto.ParameterError) as caught:
            sotto.command(args, stdin)
        assert "secret" not in str(caught.value) and caught.value.__cause__ is None


def test_marks_that_overlap_are_joined():
    from sotto._marks import marks_of

    def spans(*found):
        return [(m["start"], m["end"], m["entity_type"]) for m in marks_of(list(found))]

    assert spans((3, 9, "CITY"), (0, 5, "PERSON"), (20, 22, "A"), (9, 12, "B")) == [(0, 9, "CITY"), (9, 12, "B"), (20, 22, "A")]
    assert spans((0, 5, "PERSON"), (0, 5, "CITY")) == [(0, 5, "PERSON")]
    assert spans((0, 9, "A"), (2, 4, "B"), (8, 12, "C")) == [(0, 12, "A")]
    assert spans((5, 7, "B"), (0, 5, "A")) == [(5, 7, "B"), (0, 5, "A")]  # the program puts them in order
    released = sotto.Rewriter(epsilon=4, spans=lambda text: [(0, 4, "PERSON"), (2, 10, "PERSON")])(["Anna Smith calls"])
    assert released[0].endswith(" calls")


def test_codebooks_of_types_are_of_the_working_folder(tmp_path, monkeypatch):
    for folder in "old", "new":
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "names.txt").write_text("".join(f"{folder}{i}\n" for i in range(20)))
    monkeypatch.chdir(tmp_path / "old")
    worker.stop()
    sotto.Rewriter(epsilon=8)
    monkeypatch.chdir(tmp_path / "new")
    marks = lambda text: [(0, 4, "PERSON")]  # noqa: E731
    assert sotto.Rewriter(epsilon=4, spans=marks, typed=True, type_codebook={"PERSON": "names.txt"})(["Anna calls"])[0].startswith("new")


def test_copies_open_their_own_session_and_hold_no_text():
    rewriter = sotto.Rewriter(epsilon=10, neighbours=20)
    rewriter(["secretword"])
    data = pickle.dumps(rewriter)
    assert b"secretword" not in data
    for other in (pickle.loads(data), copy.copy(rewriter), copy.deepcopy(rewriter)):
        assert repr(other) == repr(rewriter) == "Rewriter(epsilon=10, neighbours=20)"
        assert other.statement["documents"] == 0
        assert len(other(["a", "b"])) == 2
    assert rewriter.statement["documents"] == 1


def test_the_import_leaves_out_what_takes_long():
    program = (
        "import sys\nbefore = set(sys.modules)\nimport sotto\nsotto.Rewriter(epsilon=10)('a')\n"
        "late = {'ast', 'datetime', 'difflib', 'logging', 'numpy', 'pandas', 'shutil', 'tempfile'}\n"
        "print(sorted(late & set(sys.modules) - before))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout.strip() == "[]", done.stderr


def test_password_of_a_ledger_is_not_shown():
    assert "hunter2" not in repr(sotto.Ledger("postgres://user:hunter2@host/db"))


def test_logs_hold_no_text(caplog):
    caplog.set_level(logging.DEBUG)
    rewriter = sotto.Rewriter(epsilon=10)
    rewriter(["secretword"])
    assert "1 texts" in caplog.text and "secretword" not in caplog.text


def test_large_losses_are_warned_of(caplog):
    caplog.set_level(logging.WARNING)
    sotto.Rewriter(epsilon=10)(["five tokens lose fifty nats"])
    sotto.Rewriter(epsilon=4, unit="text")(["a whole text of any length loses epsilon alone, however long it may be"])
    sotto.Rewriter(epsilon=30)([])
    assert not caplog.records
    sotto.Rewriter(epsilon=10)(["six tokens lose more than that"])
    assert "up to 60 nats" in caplog.text
    sotto.Rewriter(epsilon=40, mechanism="gaussian-analytic")(["secretword"])
    assert "secretword" not in caplog.text


def test_batches_are_dicts_of_lists():
    batch = {"text": ["the doctor", None], "label": [1, 2]}
    rewrite = sotto.Rewriter(epsilon=10).batched("text")
    for released in (rewrite(batch), pickle.loads(pickle.dumps(rewrite))(batch)):
        assert list(released) == ["text", "label"] and released["label"] == [1, 2]
        assert len(released["text"]) == 2
    with pytest.raises(sotto.ParameterError, match="no column"):
        rewrite({"label": [1]})


class LazyBatch(MutableMapping):
    """What datasets.map gives to a function: columns that are made when they are read."""

    def __init__(self, columns):
        self.columns = columns
        self.made = {}

    def __getitem__(self, name):
        return self.made.setdefault(name, list(self.columns[name]))

    def __setitem__(self, name, values):
        raise AssertionError("the batch is changed")

    def __delitem__(self, name):
        raise AssertionError("the batch is changed")

    def __iter__(self):
        return iter(self.columns)

    def __len__(self):
        return len(self.columns)


def test_batches_of_datasets_are_mapped():
    """The rules of datasets.map(batched=True).

    A batch is a mapping. The answer is a mapping of lists with as many values as the
    batch. The function is pickled, for processes and as the key of stored results.
    """
    rewrite = sotto.Rewriter(epsilon=10, neighbours=20).batched("text")
    key = pickle.dumps(rewrite)
    batch = LazyBatch({"text": ("the doctor", None, "no answer"), "label": (1, 0, 1)})
    released = rewrite(batch)
    assert isinstance(released, Mapping) and list(released) == ["text", "label"]
    assert all(type(values) is list and len(values) == 3 for values in released.values())
    assert released["label"] == [1, 0, 1] and batch["text"] == ["the doctor", None, "no answer"]
    assert pickle.dumps(rewrite) == key == pickle.dumps(sotto.Rewriter(epsilon=10, neighbours=20).batched("text"))
    assert pickle.dumps(sotto.Rewriter(epsilon=10, neighbours=21).batched("text")) != key
    assert rewrite({"text": [], "label": []}) == {"text": [], "label": []}


def test_progress_is_shown_by_tqdm(capsys):
    sotto.Rewriter(epsilon=10, progress=True)(["the doctor agreed"] * 1000)
    assert "1000/1000" in capsys.readouterr().err


class Result:
    """A result as Presidio's analyzer returns it."""

    def __init__(self, start, end, entity_type):
        self.start, self.end, self.entity_type, self.score = start, end, entity_type, 0.85


def names(text):
    return [Result(i, i + len(n), "PERSON") for n in ("Anna Miller", "Bob") for i in [text.find(n)] if i >= 0]


def test_marks_are_replaced_within_their_types():
    rewrite = sotto.Rewriter(epsilon=4, spans=names, strict_types=True, insecure_seed=3)
    out = rewrite(["Call Anna Miller now.", "nobody", "Bob left."])
    assert out[1] == "nobody" and out[0].startswith("Call ") and out[0].endswith(" now.") and out[2].endswith(" left.")
    assert "Anna Miller" not in out[0] and "Bob" not in out[2]
    statement = rewrite.statement
    assert rewrite.claim["unit"] == statement["claim"]["unit"] == "mark"
    assert statement["spans"] == statement["draws"] == 2 and list(statement["types"]) == ["PERSON"]
    assert statement["document_epsilon_max"] is None
    cost = rewrite.cost(["Call Anna Miller now."])
    assert cost["units"] == 1 and cost["epsilon_total"] is None


def test_marks_come_in_the_forms_of_detectors():
    class Span:
        start_char, end_char, label_ = 0, 4, "PERSON"

    class Doc:
        ents = (Span(),)

    forms = [[{"start": 0, "end": 4, "label": "person"}], {"ents": [{"start": 0, "end": 4, "label": "PERSON"}]}, Doc(), [(0, 4, "PER")]]
    for found in forms:
        rewrite = sotto.Rewriter(epsilon=4, spans=lambda text, found=found: found, strict_types=True)
        assert rewrite("Anna left.").endswith(" left.")
        assert list(rewrite.statement["types"]) == ["PERSON"]
    rewrite = sotto.Rewriter(epsilon=0, spans="patterns")
    assert rewrite("Anna, a@b.example").startswith("Anna, ") and "a@b.example" not in rewrite("Anna, a@b.example")


MARK = {"start": 0, "end": 4, "label": "PERSON"}

# What a detector may answer that is a value of JSON. The command reads each as a file.
ANSWERS = [
    [], [MARK], [{"start": 0, "end": 4}], [{**MARK, "label": 7}], [{**MARK, "end": 40}], [{**MARK, "start": -1}], [{**MARK, "end": 0}],
    {"spans": []}, {"ents": [MARK]}, {"entities": [MARK], "model": "x"}, {"ents": [], "spans": [MARK]}, {"spans": None},
    {"spans": {}}, {"entities": "none"}, {"spans": 0}, {}, None, "", "none", 0, False, {"error": "model is loading"},
    {"Entities": [MARK]}, {"results": [MARK]}, {"start": 0, "end": 4}, [[]], [[MARK]], [None], ["PERSON"], [0], [{}], [{"error": 1}],
    [{"start": 0}], [{"Start": 0, "End": 4}], [{"start": "0", "end": "4"}], [{"start": 0.0, "end": 4.0}],
    [{"start": True, "end": 4}], [{"start": None, "end": 4}], [{"spans": []}],
]


def test_an_answer_that_is_no_list_of_marks_is_refused_as_in_a_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "text.txt").write_text("Anna left.\n")
    for found in ANSWERS:
        (tmp_path / "spans.jsonl").write_text(json.dumps(found) + "\n")
        try:
            sotto.command(["rewrite", "-e", "4", "--typed", "--spans", tmp_path / "spans.jsonl", tmp_path / "text.txt"])
            refused = False
        except sotto.Error:
            refused = True
        rewrite = sotto.Rewriter(epsilon=4, spans=lambda text, found=found: found)
        for call in rewrite, rewrite.cost:
            try:
                call(["Anna left."])
                assert not refused, found
            except sotto.Error as e:
                assert refused, found
                assert "Anna" not in str(e)


def test_an_answer_of_python_that_is_no_list_of_marks_is_refused():
    class Nothing:
        ents = None

    for found in [lambda text: 7, lambda text: Nothing(), lambda text: b"", lambda text: [slice(0, 4)], lambda text: [range(4)]]:
        with pytest.raises(sotto.ParameterError, match="spans= (returned|found)"):
            sotto.Rewriter(epsilon=4, spans=found)(["Anna left."])
    for found in [lambda text: iter([(0, 4, "PERSON")]), lambda text: ((0, 4, "PERSON"),)]:
        assert sotto.Rewriter(epsilon=4, spans=found)(["Anna left."])[0].endswith(" left.")


def test_marks_that_do_not_fit_are_refused_without_their_text():
    for found, error in [([(0, 99, "PERSON")], "outside the text"), ([(0, 4, "BADGE")], "without a codebook")]:
        with pytest.raises(sotto.Error, match=error) as raised:
            sotto.Rewriter(epsilon=4, spans=lambda text, found=found: found, strict_types=True)("Anna left.")
        assert "Anna" not in str(raised.value)
    with pytest.raises(sotto.ParameterError, match="no start"):
        sotto.Rewriter(epsilon=4, spans=lambda text: [7])("Anna left.")
    for place in (0.5, float("inf"), "0", None):
        with pytest.raises(sotto.ParameterError, match="without a start"):
            sotto.Rewriter(epsilon=4, spans=lambda text, place=place: [(place, 4, "PERSON")])("Anna left.")
    with pytest.raises(sotto.ParameterError):
        sotto.Rewriter(epsilon=4, typed=True)
    with pytest.raises(sotto.ParameterError):
        sotto.Rewriter(epsilon=4, spans="names")


def test_one_call_is_that_of_an_object():
    texts = ["my doctor agreed", "no answer yet"]
    assert sotto.rewrite(texts, epsilon=8, insecure_seed=1) == sotto.Rewriter(epsilon=8, insecure_seed=1)(texts)


@pytest.mark.parametrize("slip, meant", [("eps", "epsilon"), ("seed", "insecure_seed")])
def test_slips_of_names_are_hinted_at(slip, meant):
    with pytest.raises(sotto.ParameterError, match=rf"did you mean {meant}\?") as e:
        sotto.Rewriter(**{"epsilon": 8, slip: 1})
    assert "(have" not in str(e.value) and meant in e.value.fields["have"]


def test_corpus_is_built_of_public_texts_alone(tmp_path):
    with pytest.raises(sotto.ParameterError, match="public=True"):
        sotto.build_corpus(["one"], tmp_path / "none.corpus")
    assert not (tmp_path / "none.corpus").exists()
    built = sotto.build_corpus(["My order is late.", "The phone is broken."], tmp_path / "own.corpus", public=True)
    assert built["texts"] == 2 and built["declared_public"]
    out = sotto.rewrite(["Where is it?"], epsilon=1, unit="text", corpus=tmp_path / "own.corpus")
    assert out[0] in ("My order is late.", "The phone is broken.")


def test_bounds_and_targets_are_those_of_the_commands(command):
    assert sotto.limits(4, unit="text") == json.loads(command("limits", "--unit", "text", "-e", "4", "--json"))
    assert sotto.tune(linkage=0.1) == json.loads(command("tune", "--linkage", "0.1", "--json"))
