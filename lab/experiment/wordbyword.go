package experiment

import (
	"context"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/model"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/privacy"
)

// WordByWord rewrites private texts word by word under a cap on whole texts, which
// spreads epsilon evenly over the words of the longest text, and learns from the copies
// as Learn does. longest is the number of words of that text, word_epsilon the share of
// each. Outside of a measurement the length of private texts must not choose the cap.
// Parameters: set, private, test, table, mechanism, epsilon.
func WordByWord(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	set, err := b.Set(p.Get("set"))
	if err != nil {
		return result.Outcome{}, err
	}
	table, err := b.Table(p.Get("table"))
	if err != nil {
		return result.Outcome{}, err
	}
	parts, _ := set.Train.Cut(number(p, "private"))
	secret := parts[0]
	train := dataset.Encode(table, secret)
	longest := 0
	for i := range train.Len() {
		longest = max(longest, len(train.Text(i)))
	}
	name, spec, err := private.Setting{Name: p.Get("mechanism")}.Spec()
	if err != nil {
		return result.Outcome{}, err
	}
	total, _ := p.Number("epsilon")
	r, err := sotto.Open(ctx, sotto.Words{
		Table: table, Mechanism: name, Parameters: spec.Parameters, Published: spec.Published, Accept: privacy.Refuted, Cap: sotto.Cap{Epsilon: total, Tokens: longest},
		InsecureSeed: &seed, Open: spec.Open, Cache: spec.Cache,
	})
	if err != nil {
		return leftOut(err)
	}
	written, err := rewrite(ctx, r, secret.Texts)
	if err != nil {
		return result.Outcome{}, err
	}
	claim, standing := r.Claim(), r.Entry().Standing
	values, err := taught(table, secret, dataset.Split{Texts: written, Labels: secret.Labels}, set.Test.Some(number(p, "test")), len(set.Labels))
	if err != nil {
		return result.Outcome{}, err
	}
	values["longest"], values["word_epsilon"] = float64(longest), claim.Epsilon
	return result.Outcome{Values: values, Evidence: result.Evidence{Claim: &claim, Standing: &standing}}, nil
}

// rewrite returns the private copies of texts.
func rewrite(ctx context.Context, r *sotto.Rewriter, texts []string) ([]string, error) {
	pending, err := r.Read(bytesOf(texts))
	if err != nil {
		return nil, err
	}
	drawn, err := pending.Draw(ctx)
	if err != nil {
		return nil, err
	}
	written := make([]string, len(drawn))
	for i, t := range drawn {
		written[i] = string(t)
	}
	return written, nil
}

// taught measures what copies of private texts teach a classifier of averaged vectors, on
// texts as they are, and how like the texts they are.
func taught(table *embedding.Table, secret, written, measured dataset.Split, classes int) (map[string]float64, error) {
	before, after := dataset.Encode(table, secret), dataset.Encode(table, written)
	vectors := model.VectorsOf(table)
	accuracy, err := learnt(vectors, vectors, after, dataset.Encode(table, measured), classes)
	return map[string]float64{"accuracy": accuracy, "rouge1": rouge(before, after)}, err
}
