package sottobeam

import (
	"bytes"
	"context"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/graph/window"

	"github.com/sotto-dp/sotto/synthesis"
)

// countUsers groups the votes of records by user and counts those of each user that count.
func countUsers(s beam.Scope, col beam.PCollection, cfg Synthesis) (beam.PCollection, error) {
	votes := beam.ParDo(s, &userVoteFn{Config: cfg, Type: beam.EncodedType{T: col.Type().Type()}}, col)
	// Votes of nobody. They refuse windows, in each of which a user would count again.
	votes, err := beam.TryFlatten(s, votes, beam.ParDo(s, noVotes, beam.Impulse(s)))
	if err != nil {
		return votes, err
	}
	// One pane: a trigger of the input would count a user several times.
	votes = beam.WindowInto(s, window.NewGlobalWindows(), votes)
	return beam.ParDo(s, &userCountFn{Config: cfg}, beam.GroupByKey(s, votes)), nil
}

// noVotes makes a collection without votes.
func noVotes(_ []byte, _ func([]byte, []byte)) {}

// userVoteFn writes the user and the vote of each record.
type userVoteFn struct {
	Config Synthesis
	Type   beam.EncodedType

	source *source
	batch  []synthesis.Record
}

func (f *userVoteFn) Setup() (err error) {
	if f.source, err = f.Config.source(f.Type.T); err != nil {
		return err
	}
	_, err = openMaker(f.Config)
	return err
}

// StartBundle begins a bundle: whatever an earlier attempt collected is forgotten.
func (f *userVoteFn) StartBundle(_ context.Context, _ func([]byte, []byte)) {
	f.batch = f.batch[:0]
}

func (f *userVoteFn) ProcessElement(_ context.Context, x beam.X, emit func(user, vote []byte)) error {
	if f.batch = append(f.batch, f.source.record(x)); len(f.batch) < votesAtOnce {
		return nil
	}
	return f.vote(emit)
}

func (f *userVoteFn) FinishBundle(_ context.Context, emit func(user, vote []byte)) error {
	if err := f.vote(emit); err != nil {
		return err
	}
	return confirm(f.Config.EncoderProgram)
}

func (f *userVoteFn) Teardown() error { return finish(f.Config.EncoderProgram) }

func (f *userVoteFn) vote(emit func(user, vote []byte)) error {
	m, err := openMaker(f.Config)
	if err != nil {
		return err
	}
	if err := m.encoded(f.batch); err != nil {
		return err
	}
	m.plan.EncodeVotes(f.batch, func(user, vote []byte) { emit(bytes.Clone(user), bytes.Clone(vote)) })
	f.batch = f.batch[:0]
	return nil
}

// userCountFn counts the users of a bundle. The claim requires that it gets all votes of a
// user together.
type userCountFn struct {
	Config Synthesis

	counts *synthesis.Counts
}

// StartBundle begins a bundle: whatever an earlier attempt counted is forgotten.
func (f *userCountFn) StartBundle(_ context.Context, _ func(counted)) error {
	m, err := openMaker(f.Config)
	if err == nil {
		f.counts = m.plan.NewUserCounts()
	}
	return err
}

func (f *userCountFn) ProcessElement(_ context.Context, _ []byte, votes func(*[]byte) bool, _ func(counted)) error {
	m, err := openMaker(f.Config)
	if err != nil {
		return err
	}
	user := m.plan.NewUserVotes()
	var vote []byte
	for votes(&vote) {
		if err := user.Add(vote); err != nil {
			return err
		}
	}
	return f.counts.AddUser(user)
}

func (f *userCountFn) FinishBundle(_ context.Context, emit func(counted)) error {
	data, err := f.counts.MarshalBinary()
	if err == nil {
		emit(counted{data})
	}
	return err
}

func init() {
	beam.RegisterFunction(noVotes)
	for _, t := range []reflect.Type{reflect.TypeFor[*userVoteFn](), reflect.TypeFor[*userCountFn]()} {
		beam.RegisterType(t)
	}
}
