package sotto

import (
	"errors"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
)

// One case per row of conflicts, in any order: settings for which that row is the first
// in conflict. The same settings without one side of the row are accepted.
func TestEverySettingInConflictIsRefusedWithItsReason(t *testing.T) {
	model, book, seed := new(autoencoder.Model), new(corpus.Corpus), uint64(1)
	rewrite := func(cfg *Config) error { return cfg.check() }
	embed := func(cfg *Config) error { return cfg.check(UseVectors) }
	parts := func(cfg *Config) error { return cfg.check(UseParts) }
	cases := []struct {
		row   ConflictError // without its reason
		check func(*Config) error
		cfg   Config
		mend  func(*Config)
	}{
		{ConflictError{Setting: SettingPieces, Needs: true, Other: SettingModel}, rewrite, Config{Pieces: 2}, func(c *Config) { c.Model = model }},
		{ConflictError{Setting: SettingBeam, Needs: true, Other: SettingModel}, rewrite, Config{Beam: 2}, func(c *Config) { c.Model = model }},
		{ConflictError{Setting: SettingRaw, Needs: true, Other: UseVectors}, rewrite, Config{Raw: true}, func(c *Config) { c.Raw = false }},
		{ConflictError{Setting: SettingPerUser, Needs: true, Other: UnitText}, rewrite, Config{PerUser: 2}, func(c *Config) { c.Corpus = book }},
		{ConflictError{Setting: SettingDocumentDelta, Needs: true, Other: SettingDocumentEpsilon}, rewrite, Config{DocumentDelta: 1e-6}, func(c *Config) { c.DocumentEpsilon = 1 }},
		{ConflictError{Setting: SettingDocumentTokens, Needs: true, Other: SettingDocumentEpsilon}, rewrite, Config{DocumentTokens: 9}, func(c *Config) { c.DocumentEpsilon = 1 }},
		{ConflictError{Setting: SettingOver, Needs: true, Other: SettingDocumentEpsilon}, rewrite, Config{Over: Clamp}, func(c *Config) { c.DocumentEpsilon = 1 }},

		{ConflictError{Setting: SettingModel, Other: UnitToken}, rewrite, Config{Unit: privacy.Token, Model: model}, func(c *Config) { c.Unit = "" }},
		{ConflictError{Setting: SettingModel, Other: UnitWord}, rewrite, Config{Unit: privacy.Word, Model: model}, func(c *Config) { c.Unit = "" }},
		{ConflictError{Setting: SettingCorpus, Other: UnitToken}, rewrite, Config{Unit: privacy.Token, Corpus: book}, func(c *Config) { c.Unit = "" }},
		{ConflictError{Setting: SettingCorpus, Other: UnitWord}, rewrite, Config{Unit: privacy.Word, Corpus: book}, func(c *Config) { c.Unit = "" }},
		{ConflictError{Setting: SettingCorpus, Other: SettingModel}, rewrite, Config{Corpus: book, Model: model}, func(c *Config) { c.Model = nil }},
		{ConflictError{Setting: SettingPerUser, Other: SettingModel}, rewrite, Config{PerUser: 2, Model: model}, func(c *Config) { c.Model = nil; c.Corpus = book }},
		{ConflictError{Setting: SettingScoped, Other: UnitToken}, rewrite, Config{Unit: privacy.Token, Scoped: true}, func(c *Config) { c.Unit = "" }},
		{ConflictError{Setting: SettingScoped, Other: UnitText}, rewrite, Config{Model: model, Scoped: true}, func(c *Config) { c.Model = nil }},

		{ConflictError{Setting: UnitWord, Other: SettingDocumentEpsilon}, rewrite, Config{Scoped: true, DocumentEpsilon: 1, DocumentTokens: 9}, func(c *Config) { c.Scoped = false }},
		{ConflictError{Setting: UnitText, Other: SettingDocumentEpsilon}, rewrite, Config{Model: model, DocumentEpsilon: 1}, func(c *Config) { c.Model = nil }},
		{ConflictError{Setting: SettingModel, Other: SettingCertificate}, rewrite, Config{Model: model, Certificate: new(audit.Certificate)}, func(c *Config) { c.Model = nil }},

		{ConflictError{Setting: SettingMarkedEpsilon, Needs: true, Other: SettingMarked}, rewrite, Config{MarkedEpsilon: 1}, func(c *Config) { c.Marked = true }},
		{ConflictError{Setting: SettingMarkedEpsilon, Other: SettingCertificate}, rewrite, Config{Marked: true, MarkedEpsilon: 1, Certificate: new(audit.Certificate)}, func(c *Config) { c.MarkedEpsilon = 0 }},
		{ConflictError{Setting: SettingMarked, Other: UnitText}, rewrite, Config{Model: model, Marked: true}, func(c *Config) { c.Marked = false }},
		{ConflictError{Setting: SettingMarked, Other: UnitWord}, rewrite, Config{Scoped: true, Marked: true}, func(c *Config) { c.Scoped = false }},
		{ConflictError{Setting: SettingMarked, Other: SettingDocumentEpsilon}, rewrite, Config{DocumentEpsilon: 1, Marked: true}, func(c *Config) { c.DocumentEpsilon = 0 }},
		{ConflictError{Setting: UseVectors, Other: SettingMarked}, embed, Config{Marked: true}, func(c *Config) { c.Marked = false }},
		{ConflictError{Setting: UseParts, Other: SettingMarked}, parts, Config{Marked: true}, func(c *Config) { c.Marked = false }},
		{ConflictError{Setting: SettingUnknown, Other: UnitText}, rewrite, Config{Model: model, Unknown: "zzz"}, func(c *Config) { c.Unknown = "" }},
		{ConflictError{Setting: UseVectors, Other: SettingUnknown}, embed, Config{Unknown: "zzz"}, func(c *Config) { c.Unknown = "" }},
		{ConflictError{Setting: UseVectors, Other: UnitWord}, embed, Config{Unit: privacy.Word}, func(c *Config) { c.Unit = privacy.Token }},
		{ConflictError{Setting: UseVectors, Other: UnitText}, embed, Config{Model: model}, func(c *Config) { c.Model = nil }},
		{ConflictError{Setting: UseVectors, Other: SettingDocumentEpsilon}, embed, Config{DocumentEpsilon: 1, InsecureSeed: &seed}, func(c *Config) { c.DocumentEpsilon = 0 }},
		{ConflictError{Setting: UseVectors, Other: SettingCertificate}, embed, Config{Certificate: new(audit.Certificate)}, func(c *Config) { c.Certificate = nil }},

		{ConflictError{Setting: UseParts, Other: UnitWord}, parts, Config{Scoped: true}, func(c *Config) { c.Scoped = false }},
		{ConflictError{Setting: UseParts, Other: UnitText}, parts, Config{Model: model}, func(c *Config) { c.Model = nil }},
	}
	covered := map[ConflictError]bool{}
	for _, c := range cases {
		var got *ConflictError
		err := c.check(&c.cfg)
		if !errors.As(err, &got) {
			t.Errorf("%s and %s: %v", c.row.Setting, c.row.Other, err)
			continue
		}
		row := *got
		row.Reason = ""
		if row != c.row || got.Reason == "" || !strings.HasSuffix(err.Error(), ": "+got.Reason) {
			t.Errorf("%s and %s: %v", c.row.Setting, c.row.Other, err)
		}
		covered[row] = true
		c.mend(&c.cfg)
		if err := c.check(&c.cfg); err != nil {
			t.Errorf("%s and %s: mended, and still: %v", c.row.Setting, c.row.Other, err)
		}
	}
	for _, row := range conflicts {
		if !covered[ConflictError{Setting: row.setting, Needs: row.needs, Other: row.other}] {
			t.Errorf("%s and %s: the row has no case", row.setting, row.other)
		}
	}
	if len(cases) != len(conflicts) {
		t.Errorf("%d cases for %d rows", len(cases), len(conflicts))
	}
}

// Each constructor refuses the settings in conflict for its use before it opens anything.
func TestOpeningRefusesSettingsInConflict(t *testing.T) {
	var conflict *ConflictError
	if r, err := Open(t.Context(), Config{Epsilon: 1, Over: Clamp}); !errors.As(err, &conflict) || r != nil {
		t.Errorf("Open: %v", err)
	}
	if e, err := OpenEmbedder(t.Context(), Config{Epsilon: 1, DocumentEpsilon: 1, DocumentTokens: 1}, Documents); !errors.As(err, &conflict) || e != nil {
		t.Errorf("OpenEmbedder: %v", err)
	}
	for name, cfg := range map[string]Config{
		"distinct words": {Table: letters(t, 20), Epsilon: 1, Unit: privacy.Word},
		"a scope":        {Table: letters(t, 20), Epsilon: 1, Scoped: true},
		"whole texts":    {Epsilon: 1, Model: trained(t)},
	} {
		r, err := Open(t.Context(), cfg)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if _, err := r.ReadAt([][]byte{[]byte("a b")}, Position{Of: new(release.Parts)}); !errors.As(err, &conflict) || conflict.Setting != UseParts {
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
