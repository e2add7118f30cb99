import copy
import pickle
from unittest import SkipTest

import numpy
import pandas
import pytest
from sklearn.base import clone
from sklearn.compose import ColumnTransformer
from sklearn.exceptions import NotFittedError
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks
from sklearn.utils._tags import _safe_tags

import sotto
from sotto.sklearn import PrivateText, PrivateVectors

TEXTS = ["the printer in the office fails", "a bill was paid twice"] * 60
LABELS = [0, 1] * 60


# Checks of scikit-learn that read no data.
OF_PARAMETERS = [
    "check_estimator_get_tags_default_keys",
    "check_get_params_invariance",
    "check_no_attributes_set_in_init",
    "check_parameters_default_constructible",
    "check_set_params",
    "check_transformer_n_iter",
    "check_transformers_unfitted",
]
# Others that apply. Not: those that compare draws, which differ (pipeline_consistency,
# transformer_general), and those of the validation of numbers.
OF_DATA = [
    "check_dict_unchanged",
    "check_dont_overwrite_parameters",
    "check_estimator_sparse_data",
    "check_estimators_dtypes",
    "check_estimators_fit_returns_self",
    "check_estimators_overwrite_params",
    "check_fit2d_1feature",
    "check_fit2d_1sample",
    "check_fit_check_is_fitted",
    "check_fit_score_takes_y",
]
# These compare results as numbers.
OF_NUMBERS = ["check_estimators_pickle", "check_fit_idempotent"]


class _Rows:
    """Makes a text of each row of numbers, which is what checks of scikit-learn give."""

    def fit(self, X, y=None):
        return super().fit([str(list(row)) for row in numpy.atleast_2d(X)], y)

    def transform(self, X):
        return super().transform([str(list(row)) for row in numpy.atleast_2d(X)])

    def _more_tags(self):
        return {"X_types": ["2darray"]}


class TextOfRows(_Rows, PrivateText):
    pass


class VectorsOfRows(_Rows, PrivateVectors):
    pass


def checks(estimator):
    """Returns the checks that scikit-learn has for an estimator, by name."""
    found = {}
    for check in estimator_checks._yield_all_checks(estimator):
        found.setdefault(getattr(check, "func", check).__name__, []).append(check)
    return found


# check_estimator runs nothing for estimators of strings, and says so in a warning alone.
# So each check is named here, and has to be there and to run: SkipTest is a failure.
@pytest.mark.parametrize(
    "kind, of_rows, data", [(PrivateText, TextOfRows, OF_DATA), (PrivateVectors, VectorsOfRows, OF_DATA + OF_NUMBERS)]
)
def test_estimators_follow_the_conventions(kind, of_rows, data):
    known, ran = checks(of_rows(epsilon=10)), set()
    for make, names in ((kind, OF_PARAMETERS), (of_rows, OF_PARAMETERS + data)):
        for name in names:
            assert name in known, f"scikit-learn has no {name}: name what replaced it"
            for check in known[name]:
                try:
                    check(make.__name__, make(epsilon=10, parameters={"insecure_seed": 1}))
                except SkipTest as e:
                    pytest.fail(f"{name} did not run: {e}")
                ran.add(name)
    assert ran == {*OF_PARAMETERS, *data} and len(ran) >= 17
    tags = _safe_tags(kind(epsilon=10))
    assert tags["non_deterministic"] and tags["X_types"] == ["string"]


def test_columns_of_vectors_have_names():
    names = [f"privatevectors{i}" for i in range(30)]
    vectors = PrivateVectors(epsilon=8)
    with pytest.raises(NotFittedError):
        vectors.get_feature_names_out()
    assert list(vectors.fit(TEXTS).get_feature_names_out()) == names  # also before anything is drawn
    assert list(vectors.get_feature_names_out(["text"])) == names
    assert vectors.statement["documents"] == 0
    frame = pandas.DataFrame({"text": TEXTS, "label": LABELS})
    columns = ColumnTransformer([("v", PrivateVectors(epsilon=8, parameters={"dimensions": 5}), "text")]).fit(frame)
    assert list(columns.get_feature_names_out()) == [f"v__privatevectors{i}" for i in range(5)]
    framed = PrivateVectors(epsilon=8).set_output(transform="pandas").fit_transform(frame["text"])
    assert list(framed.columns) == names and len(framed) == len(TEXTS)
    assert list(make_pipeline(PrivateText(epsilon=9), PrivateVectors(epsilon=8)).fit(TEXTS).get_feature_names_out()) == names


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
