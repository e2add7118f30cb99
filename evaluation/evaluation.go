package evaluation

import (
	"context"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/internal/interval"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/synthesis"
)

// Evaluation is everything that is said of a release.
type Evaluation struct {
	Release   string    `json:"release"` // "corpus" or "texts"
	Guarantee Guarantee `json:"guarantee"`
	Copy      Copy      `json:"copy"`
	// Stated is the number of rows of the report, of which the copy may be a part; 0 for a
	// synthetic corpus, whose rows were compared.
	Stated int  `json:"stated_rows,omitempty"`
	Corpus Copy `json:"corpus"` // the public texts
	// Coverage is the noisy share of private records that are far from every public text;
	// nil for whole texts, where nothing was paid for it.
	Coverage *Coverage `json:"coverage,omitempty"`
	// Inside is the probability that a copy is one of the Neighbours public texts nearest
	// to its text; nil for a synthetic corpus.
	Inside     *float64 `json:"inside,omitempty"`
	Neighbours *int     `json:"neighbours,omitempty"`
	// Bits bound what the copy of one text carries about it, on average; nil for a
	// synthetic corpus.
	Bits    *float64     `json:"information_limit_bits,omitempty"`
	Labels  []LabelShare `json:"labels,omitempty"`
	Learned *Learned     `json:"learned,omitempty"`
	Risks   []Risk       `json:"risks"`
	First   Rows         `json:"first"`
	Privacy string       `json:"privacy"` // what the evaluation itself reveals
}

// Guarantee is the claim of a verified report, in words.
type Guarantee struct {
	Claim        privacy.Claim    `json:"claim"`
	Text         string           `json:"text"`
	Meaning      string           `json:"meaning"`
	Neighbours   string           `json:"neighbours"`
	Assumes      []string         `json:"assumes"`
	NotProtected []string         `json:"not_protected"`
	NotVerified  []string         `json:"not_verified"`
	Mechanism    string           `json:"mechanism"`
	Standing     privacy.Standing `json:"standing"`
	Corpus       string           `json:"corpus"`
	SHA256       string           `json:"sha256"` // of the corpus
	Version      string           `json:"version"`
}

// Coverage is the far share of a synthetic corpus, with the share of the public texts that are
// as far from their own centre, and the share of records like them that is expected to be.
type Coverage struct {
	synthesis.Share
	Public   float64 `json:"public"`
	Expected float64 `json:"expected"`
}

// LabelShare is the noisy share of a label among the private records, with its interval, and
// its share in the copy.
type LabelShare struct {
	synthesis.LabelShare
	Copy float64 `json:"copy"`
}

// Learned is what a classifier gains from the copy, on labelled test texts.
type Learned struct {
	Label    string    `json:"label"`
	Accuracy Accuracy  `json:"accuracy"`
	Public   *Accuracy `json:"public_knowledge,omitempty"` // words for labels alone
	Blind    Accuracy  `json:"most_frequent"`
	Privacy  string    `json:"privacy"`
}

// Accuracy is a share of test texts, with the exact interval for texts sampled independently.
type Accuracy struct {
	Share float64 `json:"share"`
	Low   float64 `json:"low"`
	High  float64 `json:"high"`
	Of    int     `json:"of"`
}

// Confidence is that of the intervals.
const Confidence = synthesis.Confidence

// NewAccuracy returns the accuracy of this many right answers.
func NewAccuracy(right, of int) Accuracy {
	const alpha = (1 - Confidence) / 2
	return Accuracy{float64(right) / float64(max(1, of)), interval.AtLeast(right, of, alpha), interval.AtMost(right, of, alpha), of}
}

// Rows are the first rows of the copy.
type Rows struct {
	Columns []string   `json:"columns"`
	Rows    [][]string `json:"rows"`
}

// Released is a release to evaluate: its texts, its first rows, and the corpus of its report.
type Released struct {
	Texts  []Text
	Labels [][]string // of each text, as in the report's columns; nil for whole texts
	First  Rows
	Corpus *corpus.Corpus
}

// public describes the texts of the corpus.
func (r Released) public() Copy {
	texts := make([]Text, r.Corpus.Len())
	for i := range texts {
		texts[i] = Text{r.Corpus.AppendText(nil, i), 1}
	}
	return Describe(texts)
}

// OfCorpus evaluates a synthetic corpus. The caller has verified the statement.
func OfCorpus(ctx context.Context, s *synthesis.Statement, r Released, report progress.Func) (*Evaluation, error) {
	e := &Evaluation{Release: "corpus", Copy: Describe(r.Texts), Corpus: r.public(), First: r.First}
	expected, err := synthesis.ExpectedFar(ctx, r.Corpus)
	if err != nil {
		return nil, err
	}
	e.Coverage = &Coverage{s.FarShare, s.FarQuantile, expected}
	e.Guarantee = guarantee(s.Claim)
	e.Guarantee.Mechanism, e.Guarantee.Standing, e.Guarantee.NotProtected, e.Guarantee.NotVerified = s.Mechanism, s.Standing, s.NotProtected, s.NotVerified(true, s.Drawn != nil)
	e.Guarantee.Corpus, e.Guarantee.SHA256, e.Guarantee.Version = s.Corpus.Name, s.Corpus.SHA256, s.Version
	for _, share := range s.LabelShares() {
		if len(s.Columns) > 0 {
			e.Labels = append(e.Labels, LabelShare{share, r.share(share.Labels)})
		}
	}
	e.Risks, err = ofRecords(ctx, s, r.Corpus, report)
	return e, err
}

// share returns the share of the texts with these labels.
func (r Released) share(labels []string) float64 {
	with, all := 0.0, 0.0
	for i, t := range r.Texts {
		all += t.Weight
		if labels != nil && equal(r.Labels[i], labels) {
			with += t.Weight
		}
	}
	if all == 0 {
		return 0
	}
	return with / all
}

func equal(a, b []string) bool {
	for i := range b {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}

// OfTexts evaluates whole texts. The caller has verified the statement.
func OfTexts(ctx context.Context, t WholeTexts, r Released, report progress.Func) (*Evaluation, error) {
	s := t.Statement
	e := &Evaluation{Release: "texts", Copy: Describe(r.Texts), Corpus: r.public(), Stated: s.Documents, First: r.First, Inside: s.Inside, Neighbours: s.Neighbours}
	e.Guarantee = guarantee(s.Claim)
	e.Guarantee.Mechanism, e.Guarantee.Standing, e.Guarantee.NotProtected, e.Guarantee.NotVerified = s.Mechanism, s.Standing, s.NotProtected, t.NotVerified
	e.Guarantee.Corpus, e.Guarantee.SHA256, e.Guarantee.Version = r.Corpus.Name(), r.Corpus.Digest(), s.Version
	most, err := bits(t.Retriever.Claim().Epsilon)
	if err != nil {
		return nil, err
	}
	e.Bits = &most
	e.Risks, err = ofTexts(ctx, t, r.Corpus, report)
	return e, err
}

func guarantee(c privacy.Claim) Guarantee {
	return Guarantee{Claim: c, Text: c.String(), Meaning: c.Meaning(), Neighbours: c.Neighbours(), Assumes: c.Assumes.Names()}
}
