package sotto

import (
	"context"
	"encoding/json"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
)

// Rewriter rewrites texts with one mechanism over one vocabulary. It is safe for
// concurrent use.
type Rewriter struct {
	entry      mechanism.Entry
	plan       plan
	mechanism  mechanism.Mechanism // nil if texts are not rewritten word by word
	vocabulary *vocabulary         // nil if texts are not cut into words
	seeded     bool
	ordered    bool  // parts of one text must be read in order
	noParts    error // why texts cannot be parts of one document; nil if they can
	best       bestGuesses
}

// Release is one private text with its guarantee. It holds nothing of the original.
type Release struct {
	Text      string
	Claim     privacy.Claim
	Statement Statement
}

// Rewrite makes a private copy of one text.
func (r *Rewriter) Rewrite(ctx context.Context, input string) (Release, error) {
	if err := ctx.Err(); err != nil {
		return Release{}, err
	}
	p, err := r.Read([][]byte{[]byte(input)})
	if err != nil {
		return Release{}, err
	}
	out, err := p.Draw(ctx)
	if err != nil {
		return Release{}, err
	}
	return Release{Text: string(out[0]), Claim: r.Claim(), Statement: r.Statement(p.Counts())}, nil
}

// Claim returns the guarantee per drawn unit.
func (r *Rewriter) Claim() privacy.Claim { return r.plan.Claim() }

// Settings returns the parameters in force, resolved defaults included.
func (r *Rewriter) Settings() []mechanism.Setting { return r.plan.Settings() }

// Mechanism returns the opened mechanism for words; nil if the claim is for whole texts.
func (r *Rewriter) Mechanism() mechanism.Mechanism { return r.mechanism }

// Entry returns the mechanism's entry in the catalogue.
func (r *Rewriter) Entry() mechanism.Entry { return r.entry }

// Table returns the vocabulary, nil if texts are not cut into words.
func (r *Rewriter) Table() *embedding.Table {
	if r.vocabulary == nil {
		return nil
	}
	return r.vocabulary.table
}

// TableDigest returns the hexadecimal SHA-256 of the vocabulary, empty if there is none.
func (r *Rewriter) TableDigest() string {
	if r.vocabulary == nil {
		return ""
	}
	return r.vocabulary.table.Digest()
}

// Statement returns the statement for the counted texts.
func (r *Rewriter) Statement(counts Counts) Statement {
	s := newStatement(r.entry, r.plan, r.Table(), counts, r.seeded)
	r.plan.state(&s, counts)
	return s
}

// RunSettings returns, as JSON, what a statement says before anything is drawn: all that the
// draws of a run depend on but its inputs. It leaves out where figures come from, and whom to
// trust for that: an interrupted run finds in the cache what it has computed before.
func (r *Rewriter) RunSettings() ([]byte, error) {
	s := r.Statement(Counts{})
	s.NotProtected = nil
	if c := s.Certificate; c != nil && c.Source == mechanism.Cached {
		known := *c
		known.Source = mechanism.Computed
		s.Certificate = &known
	}
	return json.Marshal(s)
}
