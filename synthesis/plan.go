package synthesis

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// Name names the mechanism in statements.
const Name = "synthesize"

// Options are the public parameters of a plan: nothing in them may be chosen by
// looking at the records.
type Options struct {
	// Corpus has the public texts of the output, their clusters, and the encoder.
	Corpus *corpus.Corpus
	// Table has the word vectors for the corpus's encoder; nil means to find the table by
	// its name.
	Table *embedding.Table
	// Brought means that each record has its own vector, from the encoder that made those
	// of the corpus. It is required for a corpus whose vectors the caller provided, and
	// refused for any other.
	Brought bool
	// Probes are those of the encoder of the records (corpus.Probes); empty for given vectors.
	Probes string
	// Epsilon is the total loss of a record or, with PerUser, of a user.
	Epsilon float64
	// Delta, if not 0, allows discrete Gaussian noise for users, which is used where it is
	// smaller. A claim for records is pure in any case.
	Delta float64
	// Columns are the columns of labels; none for texts alone.
	Columns []Column
	// Expect, if not 0, is about how many records are expected: a constant, not a count of
	// them. Without it they are counted, noisily, which costs a part of epsilon.
	Expect int
	// PerUser, if not 0, makes the claim one for users: only the first PerUser records of
	// each user vote.
	PerUser int
	// SecretRun declares that the caller's random source for a release is derived from a
	// secret of the caller: see [privacy.SecretRun].
	SecretRun bool
	// InsecureSeed, if not nil, makes releases reproducible. It is only for tests, and the
	// statement records it.
	InsecureSeed *uint64
	// Model, if not nil, writes the texts of the output from the words of each cluster. The
	// model is public, and so is ModelSeed, which determines the texts. What these texts
	// state may be false.
	Model     *language.Model
	ModelSeed uint64
	// Progress, if not nil, receives reports of what is computed from public data.
	Progress progress.Func
}

// Bounds of Options.
const (
	MaxPerUser = 1 << 20
	MaxExpect  = 1 << 50
	// maxCells bounds the cells that are counted, of all clusterings together.
	maxCells = 1 << 24
)

// Plan holds everything that is fixed before any record is read. It is immutable and safe
// for concurrent use.
type Plan struct {
	o           Options
	encoder     *corpus.Encoder // nil for brought vectors
	labels      int             // combinations of the values of all columns
	clusterings []clustering    // the candidates, ascending, and the reference if it is not one of them
	candidates  int             // how many clusterings are counted, of which one is released
	reference   int             // the clustering that decides what is far
	far         int32           // a lower score is far
	noise       scales
	drawn       drawn
}

// clustering is a division of the public texts.
type clustering struct {
	*corpus.Clusters
	texts [][]int32 // of each cluster
}

// New returns a plan. It reads only public data.
func New(ctx context.Context, o Options) (*Plan, error) {
	p := &Plan{o: o, labels: 1}
	if err := o.check(); err != nil {
		return nil, err
	}
	for i := range o.Columns {
		for _, earlier := range o.Columns[:i] {
			if earlier.name == o.Columns[i].name {
				return nil, fmt.Errorf("%s: column %q is given twice", Name, earlier.name)
			}
		}
		if p.labels *= len(o.Columns[i].values); p.labels < 1 || p.labels > MaxLabels {
			return nil, privacy.Bad(Name, "combinations of labels", p.labels, fmt.Sprintf("1 to %d", MaxLabels))
		}
	}
	p.noise = o.scales()
	p.drawn = p.noise.drawn()
	var err error
	if p.encoder, err = o.Corpus.Encoder(o.Table); err != nil {
		return nil, err
	}
	if (p.encoder == nil) != o.Brought {
		return nil, fmt.Errorf("%s: the corpus %q has %s: records bring vectors exactly where its texts did", Name, o.Corpus.Name(), o.Corpus.Card().Encoder.Kind)
	}
	return p, p.cluster(ctx)
}

func (o *Options) check() error {
	if o.Corpus == nil {
		return privacy.Missing(Name, "a corpus", "")
	}
	if err := privacy.CheckEpsilon(Name, o.Epsilon); err != nil {
		return err
	}
	switch {
	case o.Delta != 0 && privacy.CheckDelta(Name, o.Delta) != nil:
		return privacy.CheckDelta(Name, o.Delta)
	case o.Expect < 0 || o.Expect > MaxExpect:
		return privacy.Bad(Name, "expect", o.Expect, fmt.Sprintf("1 to %d, or 0 to count them", MaxExpect))
	case o.checkModel() != nil:
		return o.checkModel()
	case o.PerUser < 0 || o.PerUser > MaxPerUser:
		return privacy.Bad(Name, "per_user", o.PerUser, fmt.Sprintf("1 to %d, or 0 for a claim for records", MaxPerUser))
	}
	return nil
}

// Claim returns the claim of one release.
func (p *Plan) Claim() privacy.Claim {
	c := privacy.Claim{Unit: privacy.Record, Neighbouring: privacy.AddRemove, Notion: privacy.Pure, Epsilon: p.o.Epsilon, Assumes: privacy.PublicData}
	if p.o.PerUser > 0 {
		c.Unit = privacy.User
	}
	if p.noise.variance > 0 {
		c.Notion, c.Delta = privacy.Approximate, p.o.Delta
	}
	if p.o.Brought {
		c.Assumes |= privacy.PublicEncoder
	}
	if p.o.SecretRun {
		c.Assumes |= privacy.SecretRun
	}
	return c
}

// Columns returns the columns of labels.
func (p *Plan) Columns() []Column { return p.o.Columns }

// Corpus returns the public texts.
func (p *Plan) Corpus() *corpus.Corpus { return p.o.Corpus }

// Dim returns the number of components of a vector.
func (p *Plan) Dim() int { return p.o.Corpus.Dim() }

// ByUser reports whether the claim is for users, so that records need one.
func (p *Plan) ByUser() bool { return p.o.PerUser > 0 }

// Cells returns the number of counted cells of all clusterings that may be released.
func (p *Plan) Cells() int {
	n := 0
	for k := range p.candidates {
		n += p.cells(k)
	}
	return n
}

// cells returns the number of cells of a clustering: one for each label and cluster,
// and Other, the last.
func (p *Plan) cells(clustering int) int {
	return p.labels*p.clusterings[clustering].Len() + 1
}

// label writes the values of a combination of labels.
func (p *Plan) label(dst []string, number int) []string {
	dst = append(dst, make([]string, len(p.o.Columns))...)
	for i := len(p.o.Columns) - 1; i >= 0; i-- {
		values := p.o.Columns[i].values
		dst[len(dst)-len(p.o.Columns)+i] = values[number%len(values)]
		number /= len(values)
	}
	return dst
}
