import copy
import pickle

import numpy
import pandas
import pytest
from sklearn.base import clone
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks
from sklearn.utils._tags import _safe_tags

import sotto
from sotto.sklearn import PrivateText, PrivateVectors

TEXTS = ["the printer in the office fails", "a bill was paid twice"] * 60
LABELS = [0, 1] * 60


@pytest.mark.parametrize("estimator", [PrivateText(epsilon=10), PrivateVectors(epsilon=8)])
def test_estimators_follow_the_conventions(estimator):
    # check_estimator runs the checks that apply to estimators of strings.
    estimator_checks.check_estimator(estimator)
    name = type(estimator).__name__
    for check in (
        estimator_checks.check_parameters_default_constructible,
        estimator_checks.check_no_attributes_set_in_init,
        estimator_checks.check_get_params_invariance,
        estimator_checks.check_set_params,
    ):
        check(name, clone(estimator))
    tags = _safe_tags(estimator)
    assert tags["non_deterministic"] and tags["X_types"] == ["string"]


def test_pipeline_learns_from_private_texts():
    # Seeded, so that it cannot fail by chance.
    private = PrivateText(epsilon=20, parameters={"insecure_seed": 1})
    model = make_pipeline(private, TfidfVectorizer(), LogisticRegression())
    assert (model.fit(TEXTS, LABELS).predict(TEXTS) == LABELS).sum() >= 110
    assert model[0].statement["documents"] == 240  # fit and predict both drew


def test_pipeline_learns_from_private_vectors():
    model = make_pipeline(PrivateVectors(epsilon=20), LogisticRegression())
    assert model.fit(pandas.Series(TEXTS), LABELS).predict(TEXTS).shape == (120,)
    assert PrivateVectors(epsilon=8).fit_transform(TEXTS).dtype == numpy.float32


def test_transforms_draw_anew_and_are_charged(tmp_path):
    ledger = sotto.Ledger(tmp_path / "budgets.db")
    ledger.grant("team", epsilon=100)
    private = PrivateText(epsilon=10, account="team", ledger=ledger.place).fit(["not drawn"])
    spent = lambda: ledger.account("team")["limits"][0]["spent"]["epsilon"]  # noqa: E731
    assert spent() == 0
    private.transform(["the doctor"])
    private.transform(["the doctor"])
    assert spent() == 40


def test_copies_open_their_own():
    private = PrivateText(epsilon=10, parameters={"neighbours": 20}).fit(TEXTS)
    private.transform(["secretword"])
    cloned = clone(private)
    assert cloned.get_params() == private.get_params() and not hasattr(cloned, "drawing_")
    data = pickle.dumps(private)
    assert b"secretword" not in data
    copied = pickle.loads(data)
    assert copied.drawing_._session is not private.drawing_._session
    assert len(copied.transform(["a", "b"])) == 2 and private.statement["documents"] == 1


@pytest.mark.parametrize("kind", [PrivateText, PrivateVectors])
def test_statements_of_copies_count_what_was_drawn_before(kind):
    private = kind(epsilon=10).fit(TEXTS)
    assert pickle.loads(pickle.dumps(private)).statement["documents"] == 0
    private.transform(["the doctor", "no answer"])
    for copied in (pickle.loads(pickle.dumps(private)), copy.deepcopy(private)):
        assert copied.statement == private.statement and copied.statement["documents"] == 2
        copied.transform(["a", "b", "c"])
        assert copied.statement["documents"] == 5 and private.statement["documents"] == 2
    copy.copy(private).transform(["a"])  # which draws with its original
    assert private.statement["documents"] == 3
    assert pickle.loads(pickle.dumps(clone(private))).get_params() == private.get_params()
    assert private.fit(TEXTS).statement["documents"] == 0


def test_columns_are_taken_from_frames_and_arrays():
    private = PrivateText(epsilon=10).fit(["a"])
    frame = pandas.DataFrame({"text": ["a", None, "b"]})
    for X in (frame, frame["text"], frame.to_numpy(), ["a", None, "b"], ("a", "b", "c")):
        assert private.transform(X).shape == (3,)
    for X in (numpy.array([["a", "b"]], dtype=object), numpy.array("a", dtype=object)):
        with pytest.raises(sotto.ParameterError):
            private.transform(X)
    with pytest.raises(sotto.ParameterError):
        PrivateText(epsilon=-1).fit(["a"])
