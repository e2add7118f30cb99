package auditing

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/progress"
)

// WholeTexts is a report of whole texts over a corpus that was verified.
type WholeTexts struct {
	Report      *sotto.Statement
	Entry       mechanism.Entry
	Spec        mechanism.Spec // of one text, if the claim is for users
	Retriever   mechanism.Retriever
	NotVerified func(rows bool) []string // rows: those of a file are the stated ones
}

// VerifyTexts verifies a report of whole texts over a corpus, from the file of that name.
func VerifyTexts(ctx context.Context, data []byte, name string, book *corpus.Corpus, report progress.Func) (*WholeTexts, error) {
	v, entry, r, err := claimOfTexts(ctx, data, name, book)
	if err != nil {
		return nil, err
	}
	if err := v.Certificate.VerifyTexts(ctx, r, book, report); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &WholeTexts{v.report, entry, v.Request.Spec(), r, v.unverified}, nil
}

// VerifyClaimOfTexts is VerifyTexts where the claim is printed and no other figure: the
// certificate is not computed again, and fields may have another order or others beside them.
func VerifyClaimOfTexts(ctx context.Context, data []byte, name string, book *corpus.Corpus) error {
	var s sotto.Statement
	err := json.Unmarshal(data, &s)
	if err == nil {
		data, err = json.Marshal(s)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	_, _, _, err = claimOfTexts(ctx, data, name, book)
	return err
}

// claimOfTexts opens what a report of whole texts states, and compares all but the certificate.
func claimOfTexts(ctx context.Context, data []byte, name string, book *corpus.Corpus) (v *verified, entry mechanism.Entry, r mechanism.Retriever, err error) {
	if v, err = readVerified(data); err != nil {
		return v, entry, nil, fmt.Errorf("%s: %w", name, err)
	}
	if v.report == nil || v.report.Corpus == nil {
		return v, entry, nil, cli.WrongUsage("give what synthesize or rewrite --unit text wrote with --report", "%s: it is not the report of a release of texts of a corpus", name)
	}
	entry, ok := catalog.Find(v.Mechanism)
	if !ok || entry.NewRetriever == nil {
		return v, entry, nil, fmt.Errorf("%s: no mechanism %q for whole texts is in the catalogue", name, v.Mechanism)
	}
	r, err = v.over(ctx, entry, book, name)
	return v, entry, r, err
}
