package evaluation

import (
	"context"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/synthesis"
	"github.com/sotto-dp/sotto/tune"
)

// Risk is how often a reader's best guess among some candidates is right.
type Risk struct {
	Guess  string  `json:"guess"`
	Among  int     `json:"among"`
	Chance float64 `json:"chance"` // without the release
	// Attack is the chance that an attack finds, exact over all draws and computed from
	// public data; nil if there is none.
	Attack *float64 `json:"attack"`
	// Limit is what no attack exceeds, whatever the reader knows.
	Limit float64 `json:"limit"`
}

// candidates of a whole text.
const among = 200

// WholeTexts is a statement of whole texts with its mechanism, as the statement opens it.
type WholeTexts struct {
	Statement   *statement.Statement
	NotVerified []string // what of the statement could not be verified
	Entry       mechanism.Entry
	Spec        mechanism.Spec // of one text, if the claim is for users
	Retriever   mechanism.Retriever
	// Sample has the vectors of public texts to attack beside those of the corpus; nil for
	// none.
	Sample []int8
}

// ofTexts returns the risk of one text and, if the claim is for users, of one user.
func ofTexts(ctx context.Context, o WholeTexts, book *corpus.Corpus, report progress.Func) ([]Risk, error) {
	claim, sample := o.Statement.Claim, o.Sample
	spec := o.Spec
	spec.Progress = report
	row, err := tune.CompareTexts(ctx, o.Entry, tune.Texts{Codebook: book}, spec)
	if err != nil {
		return nil, err
	}
	risks := []Risk{{"which text of the corpus a copy came from", row.Among, 1 / float64(row.Among), &row.Linkage, row.LinkageLimit}}
	if len(sample) > 0 {
		found, err := attack.OfTexts(ctx, o.Retriever, book, sample, attack.Options{Among: among})
		if err != nil {
			return nil, err
		}
		limit, err := audit.LinkageLimit(o.Retriever.Claim().Epsilon, found.Among)
		if err != nil {
			return nil, err
		}
		risks = append(risks, Risk{"which text of the public sample a copy came from", found.Among, 1 / float64(found.Among), &found.Linked.Share, limit})
	}
	if claim.Unit == privacy.User {
		limit, err := audit.LinkageLimit(claim.Epsilon, among)
		if err != nil {
			return nil, err
		}
		risks = append(risks, Risk{Guess: "which user all copies of one user came from", Among: among, Chance: 1. / among, Limit: limit})
	}
	return risks, nil
}

// ofRecords returns the risk of a record, or of a user: whether it took part.
func ofRecords(ctx context.Context, s *synthesis.Statement, book *corpus.Corpus, report progress.Func) ([]Risk, error) {
	limit, err := audit.UnchangedLimit(s.Claim.Epsilon, s.Claim.Delta, 2)
	if err != nil {
		return nil, err
	}
	risk := Risk{Guess: "whether one " + string(s.Claim.Unit) + " took part, by a reader who knows all others", Among: 2, Chance: .5, Limit: limit}
	if s.Claim.Notion == privacy.Pure { // of Laplace noise: the chance is computed for it alone
		o, err := options(s, book)
		if err != nil {
			return nil, err
		}
		o.Progress = report
		plan, err := synthesis.New(ctx, o)
		if err != nil {
			return nil, err
		}
		guess, err := plan.Guess()
		if err != nil {
			return nil, err
		}
		risk.Attack = &guess
	}
	return []Risk{risk}, nil
}

// options returns those of a release with this statement.
func options(s *synthesis.Statement, book *corpus.Corpus) (synthesis.Options, error) {
	o := synthesis.Options{Corpus: book, Brought: book.Card().Encoder.Kind == corpus.Brought, Epsilon: s.Claim.Epsilon, Delta: s.Claim.Delta}
	if s.Expected != nil {
		o.Expect = *s.Expected
	}
	if s.PerUser != nil {
		o.PerUser = *s.PerUser
	}
	for _, c := range s.Columns {
		column, err := synthesis.Labels(c.Name, slices.Clone(c.Values)...)
		if err != nil {
			return o, err
		}
		o.Columns = append(o.Columns, column)
	}
	return o, nil
}

// bits is the information that a text's copy carries about it at most, on average.
func bits(epsilon float64) (float64, error) {
	nats, err := audit.InformationLimit(epsilon)
	return nats / math.Ln2, err
}
