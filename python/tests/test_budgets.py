import os
import pickle

import pytest

import sotto
from sotto import _texts


def spent(ledger, account="team"):
    return ledger.account(account)["limits"][0]["spent"]["epsilon"]


def test_calls_are_charged_as_a_whole_before_they_draw(tmp_path):
    ledger = sotto.Ledger(tmp_path / "budgets.db")
    ledger.grant("team", epsilon=50)
    rewriter = sotto.Rewriter(epsilon=10, account="team", ledger=ledger)
    rewriter(["the doctor", "agreed", ""])
    assert spent(ledger) == 30
    with pytest.raises(sotto.BudgetError) as e:
        rewriter(["no answer", "yesterday"])
    assert spent(ledger) == 30 and e.value.account == "team" and e.value.code == 4
    assert e.value.cost["epsilon"] == 30 and e.value.remaining["epsilon"] == 20
    assert rewriter.statement["documents"] == 3
    copied = pickle.loads(pickle.dumps(rewriter))
    copied(["no answer"])
    assert spent(ledger) == 50


def test_relative_ledger_is_that_of_the_working_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ledger = sotto.Ledger("budgets.db")
    ledger.grant("team", epsilon=50, period="30d")
    assert (tmp_path / "budgets.db").exists()
    rewriter = sotto.Rewriter(epsilon=10, account="team", ledger="budgets.db")
    rewriter(["the doctor"])
    monkeypatch.undo()
    assert spent(sotto.Ledger(tmp_path / "budgets.db")) == 20
    assert sotto.Ledger(tmp_path / "budgets.db").accounts()[0]["account"] == "team"


def test_ledger_errors(tmp_path):
    with pytest.raises(sotto.Error):
        sotto.Ledger(tmp_path / "none.db").accounts()
    ledger = sotto.Ledger(tmp_path / "budgets.db")
    ledger.grant("team", epsilon=1)
    with pytest.raises(sotto.ParameterError):
        ledger.account("other")
    with pytest.raises(sotto.ParameterError):
        sotto.Rewriter(epsilon=1, account="other", ledger=ledger)
    head = ledger.verify()
    assert head["verified"] and ledger.verify(head["head"])["entries_after_head"] == 0


def test_period_of_a_number_has_no_unit(tmp_path):
    with pytest.raises(sotto.ParameterError, match="period must be"):
        sotto.Ledger(tmp_path / "budgets.db").grant("team", epsilon=1, period=86400)


def test_ledger_file_is_not_edited_unseen(tmp_path):
    path = tmp_path / "budgets.db"
    ledger = sotto.Ledger(path)
    ledger.grant("team", epsilon=1)
    import sqlite3

    with sqlite3.connect(path) as db:
        tables = [name for (name,) in db.execute("select name from sqlite_master where type = 'table'")]
        assert tables
        for table in tables:
            columns = [c[1] for c in db.execute(f"pragma table_info({table})")]
            if "amount_epsilon" in columns or "epsilon" in columns:
                column = "amount_epsilon" if "amount_epsilon" in columns else "epsilon"
                db.execute("pragma writable_schema = 1")
                for (trigger,) in db.execute("select name from sqlite_master where type = 'trigger'").fetchall():
                    db.execute(f"drop trigger {trigger}")
                db.execute(f"update {table} set {column} = {column} + 1")
    os.utime(path)
    with pytest.raises(sotto.Error):
        ledger.verify()


def test_call_in_parts_is_charged_once_or_draws_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr(_texts, "_MOST", 3)
    ledger = sotto.Ledger(tmp_path / "budgets.db")
    ledger.grant("team", epsilon=100)
    rewriter = sotto.Rewriter(epsilon=10, account="team", ledger=ledger)
    texts = ["doctor", "office", "", "no answer", "printer", "bill", "monday", "paid"]
    assert [len(text.split()) for text in rewriter(texts)] == [len(text.split()) for text in texts]
    assert spent(ledger) == 80
    with pytest.raises(sotto.BudgetError):
        rewriter(texts)  # whose first part alone could be paid for
    assert spent(ledger) == 80 and rewriter.statement["documents"] == len(texts)
    capped = sotto.Rewriter(document_epsilon=40, document_tokens=2)
    with pytest.raises(sotto.BudgetError):
        capped(texts + ["one text that is longer"])
    assert capped.statement["documents"] == 0
    assert len(capped(texts)) == len(texts) and capped.statement["documents"] == len(texts)


def test_a_relative_ledger_is_where_it_was_named(tmp_path, monkeypatch):
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path)
    ledger = sotto.Ledger("budgets.db")
    ledger.grant("team", epsilon=100)
    rewrite = sotto.Rewriter(epsilon=4, account="team", ledger="budgets.db")
    monkeypatch.chdir(tmp_path / "other")
    assert ledger.account("team")["limits"][0]["spent"]["epsilon"] == 0
    pickle.loads(pickle.dumps(rewrite))(["one"])
    rewrite.cost(["one"])
    assert ledger.account("team")["limits"][0]["spent"]["epsilon"] == 4
    assert not (tmp_path / "other" / "budgets.db").exists()


def test_a_budget_is_of_one_account_and_a_period_of_whole_seconds(tmp_path):
    from datetime import timedelta

    ledger = sotto.Ledger(tmp_path / "budgets.db")
    assert ledger.grant("team", epsilon=1, period=timedelta(days=1.5))["limits"][0]["period_seconds"] == 129600
    for period in (timedelta(seconds=90.9), timedelta(milliseconds=500), timedelta(0), timedelta(seconds=-1)):
        with pytest.raises(sotto.ParameterError, match="period must be"):
            ledger.grant("other", epsilon=1, period=period)
    for name in ("", " ", "other"):
        with pytest.raises(sotto.ParameterError, match="account"):
            ledger.account(name)
    assert [a["account"] for a in ledger.accounts()] == ["team"]
