package sotto

import (
	"context"
	"encoding/json"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/unit"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/release"
)

// Rewriter rewrites texts with one mechanism over one vocabulary or corpus. It is safe for
// concurrent use.
type Rewriter struct {
	loop    *release.Loop
	words   *unit.Words      // nil if texts are not rewritten word by word
	marks   *unit.Marks      // nil unless marks are replaced within their types
	corpus  *unit.Corpus     // nil if texts are not replaced by those of a corpus
	guesses *release.Guesses // of the words' channel; nil without one
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
func (r *Rewriter) Claim() privacy.Claim { return r.loop.Claim() }

// Settings returns the parameters in force, resolved defaults included.
func (r *Rewriter) Settings() []mechanism.Setting { return r.loop.Facts().Settings }

// Mechanism returns the opened mechanism for words; nil if the claim is for whole texts.
func (r *Rewriter) Mechanism() mechanism.Mechanism {
	if r.words == nil {
		return nil
	}
	return r.words.Mechanism
}

// Entry returns the mechanism's entry in the catalogue.
func (r *Rewriter) Entry() mechanism.Entry { return r.loop.Facts().Entry }

// Table returns the vocabulary, nil if texts are not cut into words.
func (r *Rewriter) Table() *embedding.Table { return r.loop.Facts().Table }

// TableDigest returns the hexadecimal SHA-256 of the vocabulary, empty if there is none.
func (r *Rewriter) TableDigest() string {
	if table := r.Table(); table != nil {
		return table.Digest()
	}
	return ""
}

// Statement returns the statement for the counted texts.
func (r *Rewriter) Statement(counts Counts) Statement { return r.loop.Facts().State(counts) }

// Verify compares a statement with the one that the rewriter makes for the statement's
// counts, certificate, version and name of the table. The rewriter must be opened with the
// configuration of [Reopened]. Verify does not recompute the certificate; package audit
// does. No statement can prove that its counts are those of the texts, or that the noise was
// drawn.
func (r *Rewriter) Verify(s *Statement) error { return s.Verify(r.loop.Facts()) }

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

// Unknown returns the share of the counted tokens that the table lacks; nil if none were
// counted or whole texts are replaced. It is as private as the texts.
func (r *Rewriter) Unknown(w *WordCounts) *float64 {
	if r.words == nil {
		return nil
	}
	return w.Unknown(r.Table())
}

// Unchanged returns the expected share of the counted tokens that do not change, or with nil
// of public words; nil if whole texts are replaced. See [release.WordCounts.Unchanged].
func (r *Rewriter) Unchanged(ctx context.Context, w *WordCounts) (share *float64, sampled bool, err error) {
	if r.words == nil {
		return nil, false, nil
	}
	return w.Unchanged(ctx, r.words.Mechanism, r.Table())
}

// Recovered returns the expected share of the counted tokens, without unknown ones, that
// the best guess from each single output names; nil if [Rewriter.Unchanged] is nil or sampled.
// The first call reads the row of every word of the table. See
// [release.WordCounts.Recovered].
func (r *Rewriter) Recovered(ctx context.Context, w *WordCounts, report progress.Func) (*float64, error) {
	if r.guesses == nil {
		return nil, nil
	}
	return w.Recovered(ctx, r.guesses, report)
}
