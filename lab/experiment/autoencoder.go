package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/privacy"
)

// random is the start of words' vectors that are drawn.
const random = "random"

// autoencoder trains a model on the training part of a set, taken as public; each
// model is made once, and kept as a file named by all it depends on. Parameters:
// set, start (a table whose vectors the words begin with, or random), lessons (number
// of texts, 0 or none for all), batch, epochs, hidden, latent, tokens.
func (b *Bench) autoencoder(ctx context.Context, p result.Params) (*autoencoder.Model, error) {
	set, err := b.Set(p.Get("set"))
	if err != nil {
		return nil, err
	}
	lesson := autoencoder.Lesson{Public: true, Threads: runtime.GOMAXPROCS(0), Options: autoencoder.Options{
		Epochs: number(p, "epochs"), Patience: number(p, "epochs"), Hidden: number(p, "hidden"), Latent: number(p, "latent"), Tokens: number(p, "tokens"), Batch: number(p, "batch"), Rate: 0.0015, Seed: 1,
	}}
	from := set.SHA256
	if start := p.Get("start"); start != random {
		if lesson.Table, err = b.Table(start); err != nil {
			return nil, err
		}
		from += lesson.Table.Digest()
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %d %+v %s", from, number(p, "lessons"), lesson.Options, sotto.Version))
	name := hex.EncodeToString(sum[:16])
	return b.autoencoders.get(name, func() (*autoencoder.Model, error) {
		return kept(b, name+".model", readModel, writeModel, func() (*autoencoder.Model, error) {
			var texts [][]byte
			for _, t := range set.Train.Some(number(p, "lessons")).Texts {
				texts = append(texts, []byte(t))
			}
			return autoencoder.Train(ctx, texts, lesson)
		})
	})
}

func readModel(file string) (*autoencoder.Model, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	return autoencoder.Read(data)
}

func writeModel(file string, m *autoencoder.Model) error {
	return atomicfile.WriteFile(file, m.Marshal())
}

// readable is at most n texts of the test part that a model reads whole; 0 is all.
func (b *Bench) readable(m *autoencoder.Model, set string, n int) (dataset.Corpus, error) {
	whole, err := b.Corpus(set, "test", n, m.Table())
	if err != nil {
		return dataset.Corpus{}, err
	}
	var out dataset.Corpus
	for i := range whole.Len() {
		if t := whole.Text(i); len(t) <= m.Tokens() {
			out.Words, out.Labels = append(out.Words, t...), append(out.Labels, whole.Labels[i])
			out.Ends = append(out.Ends, len(out.Words))
		}
	}
	return out, nil
}

// corpusOf is sentences with the labels of c.
func corpusOf(sentences [][]embedding.ID, c dataset.Corpus) dataset.Corpus {
	out := dataset.Corpus{Labels: c.Labels}
	for _, s := range sentences {
		out.Words = append(out.Words, s...)
		out.Ends = append(out.Ends, len(out.Words))
	}
	return out
}

// likeness compares what was written with what was read: means over texts. unchanged
// (N_w) is over all words read, by place: a text may come out shorter or longer.
func likeness(unit *metric.Unit, read dataset.Corpus, written [][]embedding.ID) map[string]float64 {
	v := map[string]float64{}
	same := 0
	n := float64(read.Len())
	for i, out := range written {
		in := read.Text(i)
		for k := range min(len(in), len(out)) {
			if in[k] == out[k] {
				same++
			}
		}
		v["rouge1"] += metric.Rouge1(in, out) / n
		v["bleu"] += metric.BLEU(in, out) / n
		v["token_match"] += metric.TokenMatch(unit, in, out) / n
	}
	v["unchanged"] = float64(same) / float64(max(1, len(read.Words)))
	return v
}

// LatentTexts rewrites the private texts of a codebook through a noisy latent vector of a
// model of its public texts, and learns from the copies as Learn does. Private texts
// that the model cannot read whole end the trial. Parameters: those of a codebook,
// mechanism ("none": the model without noise), epsilon, epochs, hidden, latent, tokens.
func LatentTexts(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error) {
	c, err := b.codebook(ctx, p)
	if err != nil {
		return result.Outcome{}, err
	}
	m, err := b.modelOf(ctx, c, p)
	if err != nil {
		return result.Outcome{}, err
	}
	if p.Get("mechanism") == "none" {
		values, err := c.taught(c.retell(m))
		return result.Outcome{Values: values}, err
	}
	epsilon, _ := p.Number("epsilon")
	name, spec, err := private.Setting{Name: p.Get("mechanism"), Epsilon: epsilon}.Spec()
	if err != nil {
		return result.Outcome{}, err
	}
	r, err := sotto.Open(ctx, sotto.Texts{
		Model: m, Mechanism: name, Epsilon: spec.Epsilon, Parameters: spec.Parameters, Published: spec.Published, Accept: privacy.Refuted, InsecureSeed: &seed, Open: spec.Open, Cache: spec.Cache,
	})
	if err != nil {
		return leftOut(err)
	}
	written, err := rewrite(ctx, r, c.private.Texts)
	if err != nil {
		return result.Outcome{}, err
	}
	claim, standing := r.Claim(), r.Entry().Standing
	values, err := c.taught(written)
	return result.Outcome{Values: values, Evidence: result.Evidence{Claim: &claim, Standing: &standing}}, err
}

// modelOf returns an auto-encoder of the public texts, trained once in a run.
func (b *Bench) modelOf(ctx context.Context, c *codebook, p result.Params) (*autoencoder.Model, error) {
	o := autoencoder.Options{Epochs: number(p, "epochs"), Patience: number(p, "epochs"), Hidden: number(p, "hidden"), Latent: number(p, "latent"), Tokens: number(p, "tokens"), Batch: 16, Rate: 0.0015, Seed: 1}
	key := c.corpus.Digest()
	for _, name := range []string{"epochs", "hidden", "latent", "tokens"} {
		key += " " + p.Get(name)
	}
	return b.autoencoders.get(key, func() (*autoencoder.Model, error) {
		texts := make([][]byte, c.corpus.Len())
		for i := range texts {
			texts[i] = []byte(c.corpus.Text(i))
		}
		return autoencoder.Train(ctx, texts, autoencoder.Lesson{Options: o, Public: true, Table: c.table, Threads: runtime.GOMAXPROCS(0)})
	})
}

// retell returns the private texts as the model writes them without noise.
func (c *codebook) retell(m *autoencoder.Model) []string {
	read := dataset.Encode(m.Table(), c.private)
	var written []string
	for _, words := range m.Decode(m.Encode(nil, read.Texts()), 1) {
		written = append(written, spelt(m.Table(), words))
	}
	return written
}

func spelt(table *embedding.Table, words []embedding.ID) string {
	list := make([]string, len(words))
	for i, w := range words {
		list[i] = table.Word(w)
	}
	return strings.Join(list, " ")
}

// taught measures what copies of the private texts teach.
func (c *codebook) taught(written []string) (map[string]float64, error) {
	return taught(c.table, c.private, dataset.Split{Texts: written, Labels: c.private.Labels}, c.measured, len(c.labels))
}
