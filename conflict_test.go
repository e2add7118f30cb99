package sotto

import (
	"errors"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/internal/lettertest"
	"github.com/sotto-dp/sotto/internal/setting"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
)

// One case per row of the tables, in any order: a configuration for which that row is the first
// in conflict. The same one without one side of the row is accepted, as far as its own settings go.
func TestEverySettingInConflictIsRefusedWithItsReason(t *testing.T) {
	model, book, cap := new(autoencoder.Model), new(corpus.Corpus), Cap{Epsilon: 1, Tokens: 9}
	certificate := new(audit.Certificate)
	rows := 0
	check := func(table []conflict, row conflict, given, mended map[string]bool) {
		t.Helper()
		rows++
		err := refuse(table, given)
		var got *ConflictError
		if !errors.As(err, &got) || got.Setting != row.setting || got.Needs != row.needs || got.Other != row.other || got.Reason == "" || !strings.HasSuffix(err.Error(), ": "+got.Reason) {
			t.Errorf("%s and %s: %v", row.setting, row.other, err)
		}
		if err := refuse(table, mended); err != nil {
			t.Errorf("%s and %s: mended, and still: %v", row.setting, row.other, err)
		}
	}
	for _, c := range []struct {
		row      conflict
		w, mends Words
	}{
		{conflict{setting: setting.Scoped, other: setting.UnitToken}, Words{Unit: privacy.Token, Scoped: true}, Words{Scoped: true}},
		{conflict{setting: setting.UnitWord, other: setting.DocumentEpsilon}, Words{Scoped: true, Cap: cap}, Words{Cap: cap}},
		{conflict{setting: setting.MarkedEpsilon, needs: true, other: setting.Marked}, Words{MarkedEpsilon: 1}, Words{MarkedEpsilon: 1, Marked: true}},
		{conflict{setting: setting.MarkedEpsilon, other: setting.Certificate}, Words{Marked: true, MarkedEpsilon: 1, Certificate: certificate}, Words{Marked: true, Certificate: certificate}},
		{conflict{setting: setting.Marked, other: setting.UnitWord}, Words{Unit: privacy.Word, Marked: true}, Words{Marked: true}},
		{conflict{setting: setting.Marked, other: setting.DocumentEpsilon}, Words{Marked: true, Cap: cap}, Words{Marked: true}},
	} {
		check(wordConflicts, c.row, c.w.given(), c.mends.given())
	}
	for _, c := range []struct {
		row      conflict
		w, mends Words
	}{
		{conflict{setting: setting.UseParts, other: setting.UnitWord}, Words{Scoped: true}, Words{}},
		{conflict{setting: setting.UseParts, other: setting.Marked}, Words{Marked: true}, Words{}},
	} {
		check(wordParts, c.row, c.w.given(), c.mends.given())
	}
	for _, c := range []struct {
		row      conflict
		t, mends Texts
	}{
		{conflict{setting: setting.Pieces, needs: true, other: setting.Model}, Texts{Pieces: 2}, Texts{Pieces: 2, Model: model}},
		{conflict{setting: setting.Beam, needs: true, other: setting.Model}, Texts{Beam: 2}, Texts{Beam: 2, Model: model}},
		{conflict{setting: setting.Corpus, other: setting.Model}, Texts{Corpus: book, Model: model}, Texts{Corpus: book}},
		{conflict{setting: setting.PerUser, other: setting.Model}, Texts{PerUser: 2, Model: model}, Texts{PerUser: 2}},
		{conflict{setting: setting.Model, other: setting.Certificate}, Texts{Model: model, Certificate: certificate}, Texts{Certificate: certificate}},
	} {
		check(textConflicts, c.row, c.t.given(), c.mends.given())
	}
	if all := len(wordConflicts) + len(wordParts) + len(textConflicts); rows != all {
		t.Errorf("%d cases for %d rows", rows, all)
	}
	for _, unit := range []privacy.Unit{privacy.Token, privacy.Word} {
		var got *ConflictError
		if _, err := Open(t.Context(), Config{Epsilon: 1, Unit: unit, Corpus: book}); !errors.As(err, &got) || got.Setting != setting.Corpus {
			t.Errorf("a corpus for unit %s: %v", unit, err)
		}
	}
}

// Settings in conflict are refused before anything is opened.
func TestOpeningRefusesSettingsInConflict(t *testing.T) {
	stage.Unraced(t)
	var conflict *ConflictError
	if r, err := Open(t.Context(), Words{Epsilon: 1, Unit: privacy.Word, Cap: Cap{Epsilon: 1, Tokens: 1}}); !errors.As(err, &conflict) || r != nil {
		t.Errorf("Open: %v", err)
	}
	for name, cfg := range map[string]Configuration{
		"distinct words": Config{Table: lettertest.Table(t, 20), Epsilon: 1, Unit: privacy.Word},
		"a scope":        Words{Table: lettertest.Table(t, 20), Epsilon: 1, Scoped: true},
		"whole texts":    Texts{Epsilon: 1, Model: lettertest.Model(t)},
	} {
		r, err := Open(t.Context(), cfg)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := r.ReadAt([][]byte{[]byte("a b")}, Position{Of: new(release.Parts)}); !errors.As(err, &conflict) || conflict.Setting != setting.UseParts {
			t.Errorf("%s: parts of one text: %v", name, err)
		}
		if _, err := r.ReadAt([][]byte{[]byte("a b")}, Position{}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := Open(t.Context(), Config{Epsilon: 1, Unit: "word"}); err == nil || !strings.Contains(err.Error(), `"token", "distinct word" or "text"`) {
		t.Errorf("a unit that there is not: %v", err)
	}
}
