package sottobeam

import (
	"context"
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"

	"github.com/sotto-dp/sotto/synthesis"
)

// Row is a row of a private copy: a public text with labels.
type Row struct {
	Labels []string // a value for each of Synthesis.By
	Text   string
	Weight float64 // of Synthesis.Weights; else 1
}

// Synthesized is the output of Synthesize.
type Synthesized struct {
	Rows beam.PCollection // of Row
	// Statement holds one string, the privacy statement as JSON.
	Statement beam.PCollection
}

// Synthesize makes a private copy of a whole bounded collection of structures: public
// texts with labels, in numbers that are noisy counts of the records. Like other
// transforms it panics on a configuration error; TrySynthesize returns it.
//
// Workers count votes, and the counts of all bundles are combined over the public product
// of labels and clusters. After the last bundle, one worker charges the account and adds
// noise to every cell, seen or not. The noise follows from a secret and the counts, so
// that a retry releases the same rows again: see Synthesis.Run. The runner stores exact
// counts between the stages. They are as private as the records.
//
// Where the claim is for users, the votes of each user are grouped first. One worker has
// all of them and counts at most Synthesis.PerUser, so the counts that are combined are
// of whole users.
func Synthesize(s beam.Scope, col beam.PCollection, cfg Synthesis) Synthesized {
	r, err := TrySynthesize(s, col, cfg)
	if err != nil {
		panic(err)
	}
	return r
}

// TrySynthesize is Synthesize with an error, for a configuration that makes no plan or an
// element type without the fields.
func TrySynthesize(s beam.Scope, col beam.PCollection, cfg Synthesis) (Synthesized, error) {
	s = s.Scope("sottobeam.Synthesize")
	cfg, err := cfg.Checked()
	if err != nil {
		return Synthesized{}, err
	}
	if typex.IsKV(col.Type()) || typex.IsCoGBK(col.Type()) {
		return Synthesized{}, fmt.Errorf("sottobeam: elements must be structures, got pairs")
	}
	t := col.Type().Type()
	if _, err := cfg.source(t); err != nil {
		return Synthesized{}, err
	}
	var votes beam.PCollection
	if cfg.User == "" {
		votes = beam.ParDo(s, &voteFn{Config: cfg, Type: beam.EncodedType{T: t}}, col)
	} else if votes, err = countUsers(s, col, cfg); err != nil {
		return Synthesized{}, err
	}
	// Counts of nothing, so that an empty collection is released too. They refuse windows,
	// each of which would be a release of its own.
	all, err := beam.TryFlatten(s, votes, beam.Create(s, counted{}))
	if err != nil {
		return Synthesized{}, err
	}
	// One pane: a trigger of the input would release the counts several times.
	all = beam.WindowInto(s, window.NewGlobalWindows(), all)
	rows, statement := beam.ParDo2(s, &releaseFn{cfg}, beam.Combine(s, &mergeFn{Config: cfg}, all))
	return Synthesized{rows, statement}, nil
}

// counted are exact counts, encoded; of no records where Data is empty.
type counted struct{ Data []byte }

// none returns counts of no votes.
func (m *maker) none() *synthesis.Counts {
	if m.plan.ByUser() {
		return m.plan.NewUserCounts()
	}
	return m.plan.NewCounts()
}

// counts decodes counts.
func (m *maker) counts(c counted) (*synthesis.Counts, error) {
	counts := m.none()
	if len(c.Data) == 0 {
		return counts, nil
	}
	return counts, counts.UnmarshalBinary(c.Data)
}

// voteFn counts the records of a bundle.
type voteFn struct {
	Config Synthesis
	Type   beam.EncodedType

	source *source
	counts *synthesis.Counts
	batch  []synthesis.Record
}

// votesAtOnce is the number of records that vote together.
const votesAtOnce = 256

func (f *voteFn) Setup() (err error) {
	if f.source, err = f.Config.source(f.Type.T); err != nil {
		return err
	}
	_, err = openMaker(f.Config)
	return err
}

// StartBundle begins a bundle: whatever an earlier attempt counted is forgotten.
func (f *voteFn) StartBundle(_ context.Context, _ func(counted)) error {
	m, err := openMaker(f.Config)
	if err != nil {
		return err
	}
	f.counts, f.batch = m.plan.NewCounts(), f.batch[:0]
	return nil
}

func (f *voteFn) ProcessElement(_ context.Context, x beam.X, _ func(counted)) error {
	if f.batch = append(f.batch, f.source.record(x)); len(f.batch) < votesAtOnce {
		return nil
	}
	return f.vote()
}

func (f *voteFn) Teardown() error { return finish(f.Config.EncoderProgram) }

func (f *voteFn) FinishBundle(_ context.Context, emit func(counted)) error {
	if err := f.vote(); err != nil {
		return err
	}
	if err := confirm(f.Config.EncoderProgram); err != nil {
		return err
	}
	data, err := f.counts.MarshalBinary()
	if err == nil {
		emit(counted{data})
	}
	return err
}

func (f *voteFn) vote() error {
	m, err := openMaker(f.Config)
	if err != nil {
		return err
	}
	if err := m.encoded(f.batch); err != nil {
		return err
	}
	f.counts.Add(m.plan.Vote(f.batch))
	f.batch = f.batch[:0]
	return nil
}

// mergeFn adds counts up.
type mergeFn struct{ Config Synthesis }

func (f *mergeFn) MergeAccumulators(a, b counted) (counted, error) {
	m, err := openMaker(f.Config)
	if err != nil {
		return a, err
	}
	sum, err := m.counts(a)
	if err != nil {
		return a, err
	}
	more, err := m.counts(b)
	if err != nil {
		return a, err
	}
	if err := sum.Merge(more); err != nil {
		return a, err
	}
	a.Data, err = sum.MarshalBinary()
	return a, err
}

// releaseFn charges, adds noise, and writes rows: once, after the last bundle.
type releaseFn struct{ Config Synthesis }

func (f *releaseFn) ProcessElement(ctx context.Context, c counted, emit func(Row), stated func(string)) error {
	m, err := openMaker(f.Config)
	if err != nil {
		return err
	}
	return m.release(ctx, c, emit, stated)
}

func init() {
	for _, t := range []reflect.Type{
		reflect.TypeFor[Row](), reflect.TypeFor[counted](), reflect.TypeFor[Synthesis](),
		reflect.TypeFor[*voteFn](), reflect.TypeFor[*mergeFn](), reflect.TypeFor[*releaseFn](),
	} {
		beam.RegisterType(t)
	}
}
