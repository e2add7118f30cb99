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
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
)

// One case per row of conflicts, in any order: settings for which that row is the first
// in conflict. The same settings without one side of the row are accepted.
func TestEverySettingInConflictIsRefusedWithItsReason(t *testing.T) {
	model, book, seed := new(autoencoder.Model), new(corpus.Corpus), uint64(1)
	rewrite := func(cfg *Config) error { return cfg.check() }
	embed := func(cfg *Config) error { return cfg.check(setting.UseVectors) }
	parts := func(cfg *Config) error { return cfg.check(setting.UseParts) }
	cases := []struct {
		row   ConflictError // without its reason
		check func(*Config) error
		cfg   Config
		mend  func(*Config)
	}{
		{ConflictError{Setting: setting.Pieces, Needs: true, Other: setting.Model}, rewrite, Config{Pieces: 2}, func(c *Config) { c.Model = model }},
		{ConflictError{Setting: setting.Beam, Needs: true, Other: setting.Model}, rewrite, Config{Beam: 2}, func(c *Config) { c.Model = model }},
		{ConflictError{Setting: setting.Raw, Needs: true, Other: setting.UseVectors}, rewrite, Config{Raw: true}, func(c *Config) { c.Raw = false }},
		{ConflictError{Setting: setting.PerUser, Needs: true, Other: setting.UnitText}, rewrite, Config{PerUser: 2}, func(c *Config) { c.Corpus = book }},
		{ConflictError{Setting: setting.DocumentDelta, Needs: true, Other: setting.DocumentEpsilon}, rewrite, Config{DocumentDelta: 1e-6}, func(c *Config) { c.DocumentEpsilon = 1 }},
		{ConflictError{Setting: setting.DocumentTokens, Needs: true, Other: setting.DocumentEpsilon}, rewrite, Config{DocumentTokens: 9}, func(c *Config) { c.DocumentEpsilon = 1 }},
		{ConflictError{Setting: setting.Over, Needs: true, Other: setting.DocumentEpsilon}, rewrite, Config{Over: Clamp}, func(c *Config) { c.DocumentEpsilon = 1 }},

		{ConflictError{Setting: setting.Model, Other: setting.UnitToken}, rewrite, Config{Unit: privacy.Token, Model: model}, func(c *Config) { c.Unit = "" }},
		{ConflictError{Setting: setting.Model, Other: setting.UnitWord}, rewrite, Config{Unit: privacy.Word, Model: model}, func(c *Config) { c.Unit = "" }},
		{ConflictError{Setting: setting.Corpus, Other: setting.UnitToken}, rewrite, Config{Unit: privacy.Token, Corpus: book}, func(c *Config) { c.Unit = "" }},
		{ConflictError{Setting: setting.Corpus, Other: setting.UnitWord}, rewrite, Config{Unit: privacy.Word, Corpus: book}, func(c *Config) { c.Unit = "" }},
		{ConflictError{Setting: setting.Corpus, Other: setting.Model}, rewrite, Config{Corpus: book, Model: model}, func(c *Config) { c.Model = nil }},
		{ConflictError{Setting: setting.PerUser, Other: setting.Model}, rewrite, Config{PerUser: 2, Model: model}, func(c *Config) { c.Model = nil; c.Corpus = book }},
		{ConflictError{Setting: setting.Scoped, Other: setting.UnitToken}, rewrite, Config{Unit: privacy.Token, Scoped: true}, func(c *Config) { c.Unit = "" }},
		{ConflictError{Setting: setting.Scoped, Other: setting.UnitText}, rewrite, Config{Model: model, Scoped: true}, func(c *Config) { c.Model = nil }},

		{ConflictError{Setting: setting.UnitWord, Other: setting.DocumentEpsilon}, rewrite, Config{Scoped: true, DocumentEpsilon: 1, DocumentTokens: 9}, func(c *Config) { c.Scoped = false }},
		{ConflictError{Setting: setting.UnitText, Other: setting.DocumentEpsilon}, rewrite, Config{Model: model, DocumentEpsilon: 1}, func(c *Config) { c.Model = nil }},
		{ConflictError{Setting: setting.Model, Other: setting.Certificate}, rewrite, Config{Model: model, Certificate: new(audit.Certificate)}, func(c *Config) { c.Model = nil }},

		{ConflictError{Setting: setting.MarkedEpsilon, Needs: true, Other: setting.Marked}, rewrite, Config{MarkedEpsilon: 1}, func(c *Config) { c.Marked = true }},
		{ConflictError{Setting: setting.MarkedEpsilon, Other: setting.Certificate}, rewrite, Config{Marked: true, MarkedEpsilon: 1, Certificate: new(audit.Certificate)}, func(c *Config) { c.MarkedEpsilon = 0 }},
		{ConflictError{Setting: setting.Marked, Other: setting.UnitText}, rewrite, Config{Model: model, Marked: true}, func(c *Config) { c.Marked = false }},
		{ConflictError{Setting: setting.Marked, Other: setting.UnitWord}, rewrite, Config{Scoped: true, Marked: true}, func(c *Config) { c.Scoped = false }},
		{ConflictError{Setting: setting.Marked, Other: setting.DocumentEpsilon}, rewrite, Config{DocumentEpsilon: 1, Marked: true}, func(c *Config) { c.DocumentEpsilon = 0 }},
		{ConflictError{Setting: setting.UseVectors, Other: setting.Marked}, embed, Config{Marked: true}, func(c *Config) { c.Marked = false }},
		{ConflictError{Setting: setting.Types, Needs: true, Other: setting.UnitMark}, rewrite, Config{Types: Types{Strict: true}}, func(c *Config) { c.Unit = privacy.Mark }},
		{ConflictError{Setting: setting.UnitMark, Other: setting.Mechanism}, rewrite, Config{Unit: privacy.Mark, Mechanism: "response"}, func(c *Config) { c.Mechanism = "" }},
		{ConflictError{Setting: setting.UnitMark, Other: setting.Marked}, rewrite, Config{Unit: privacy.Mark, Marked: true}, func(c *Config) { c.Marked = false }},
		{ConflictError{Setting: setting.UnitMark, Other: setting.Model}, rewrite, Config{Unit: privacy.Mark, Model: model}, func(c *Config) { c.Model = nil }},
		{ConflictError{Setting: setting.UnitMark, Other: setting.Corpus}, rewrite, Config{Unit: privacy.Mark, Corpus: new(corpus.Corpus)}, func(c *Config) { c.Corpus = nil }},
		{ConflictError{Setting: setting.UnitMark, Other: setting.Scoped}, rewrite, Config{Unit: privacy.Mark, Scoped: true}, func(c *Config) { c.Scoped = false }},
		{ConflictError{Setting: setting.UnitMark, Other: setting.Unknown}, rewrite, Config{Unit: privacy.Mark, Unknown: "zzz"}, func(c *Config) { c.Unknown = "" }},
		{ConflictError{Setting: setting.UnitMark, Other: setting.DocumentEpsilon}, rewrite, Config{Unit: privacy.Mark, DocumentEpsilon: 1}, func(c *Config) { c.DocumentEpsilon = 0 }},
		{ConflictError{Setting: setting.UnitMark, Other: setting.Certificate}, rewrite, Config{Unit: privacy.Mark, Certificate: new(audit.Certificate)}, func(c *Config) { c.Certificate = nil }},
		{ConflictError{Setting: setting.UseVectors, Other: setting.UnitMark}, embed, Config{Unit: privacy.Mark}, func(c *Config) { c.Unit = "" }},
		{ConflictError{Setting: setting.UseParts, Other: setting.UnitMark}, parts, Config{Unit: privacy.Mark}, func(c *Config) { c.Unit = "" }},
		{ConflictError{Setting: setting.UseParts, Other: setting.Marked}, parts, Config{Marked: true}, func(c *Config) { c.Marked = false }},
		{ConflictError{Setting: setting.Unknown, Other: setting.UnitText}, rewrite, Config{Model: model, Unknown: "zzz"}, func(c *Config) { c.Unknown = "" }},
		{ConflictError{Setting: setting.UseVectors, Other: setting.Unknown}, embed, Config{Unknown: "zzz"}, func(c *Config) { c.Unknown = "" }},
		{ConflictError{Setting: setting.UseVectors, Other: setting.UnitWord}, embed, Config{Unit: privacy.Word}, func(c *Config) { c.Unit = privacy.Token }},
		{ConflictError{Setting: setting.UseVectors, Other: setting.UnitText}, embed, Config{Model: model}, func(c *Config) { c.Model = nil }},
		{ConflictError{Setting: setting.UseVectors, Other: setting.DocumentEpsilon}, embed, Config{DocumentEpsilon: 1, InsecureSeed: &seed}, func(c *Config) { c.DocumentEpsilon = 0 }},
		{ConflictError{Setting: setting.UseVectors, Other: setting.Certificate}, embed, Config{Certificate: new(audit.Certificate)}, func(c *Config) { c.Certificate = nil }},

		{ConflictError{Setting: setting.UseParts, Other: setting.UnitWord}, parts, Config{Scoped: true}, func(c *Config) { c.Scoped = false }},
		{ConflictError{Setting: setting.UseParts, Other: setting.UnitText}, parts, Config{Model: model}, func(c *Config) { c.Model = nil }},
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
		"distinct words": {Table: lettertest.Table(t, 20), Epsilon: 1, Unit: privacy.Word},
		"a scope":        {Table: lettertest.Table(t, 20), Epsilon: 1, Scoped: true},
		"whole texts":    {Epsilon: 1, Model: lettertest.Model(t)},
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
	if _, err := Open(t.Context(), Config{Epsilon: 1, Unit: "word"}); err == nil || !strings.Contains(err.Error(), `"token", "distinct word", "mark", "distinct mark" or "text"`) {
		t.Errorf("a unit that there is not: %v", err)
	}
}
