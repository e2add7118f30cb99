// Package sottobeam rewrites Apache Beam collections of texts under
// differential privacy.
//
// [Rewrite] takes strings, or structures with private fields, and gives their
// private copies, the elements that could not be rewritten, and the privacy
// statement. The table and the ledger are opened once a worker process.
//
// # Retries
//
// A runner may process an element more than once. Without a ledger each attempt
// draws again. One result is kept, as far as the runner commits one, and a sink
// that shows the results of attempts that were not kept has shown a second
// release, whose loss adds to the first.
//
// With a ledger each element is charged once and answered once: the charge has a
// name made of the run's secret and the element's key, and the ledger keeps the
// private answer, encrypted under the same. A later attempt, in any worker, gets
// that answer and spends nothing. Keys come from a field tagged `sotto:"key"`;
// they must differ between elements and be the same in each attempt, such as a
// primary key or a place in a file. Where there is none, a random key is drawn
// before the elements are grouped, and lasts as far as the runner keeps what it
// has grouped: Dataflow does, and so does Flink with checkpoints; Spark may
// recompute it, and then pays again. Two elements with one key get one answer.
//
// A budget that does not cover an element ends the pipeline. Nothing is drawn
// for it.
//
// # What it does not protect
//
// Fields that are not named, keys, the number of elements, and the number of
// tokens of each text; what the runner writes down of its inputs: between
// stages it stores original elements, where its operators can read them.
package sottobeam

import (
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"

	"github.com/sotto-dp/sotto"
)

// Result is what Rewrite gives.
type Result struct {
	Private beam.PCollection // of the element type
	Failed  beam.PCollection // of Failure
	// Statement holds one string, the privacy statement as JSON. It adds up over
	// the whole of a bounded collection.
	Statement beam.PCollection
}

// Failure is an element that was left out. It holds nothing of a text.
type Failure struct {
	Key  string // the element's, where it has one of its own
	What string
}

// Tally is how much was rewritten.
type Tally struct{ Counts sotto.Counts }

// Rewrite rewrites a collection of strings, or of structures, and panics where
// TryRewrite fails, as transforms do.
func Rewrite(s beam.Scope, col beam.PCollection, cfg Config) Result {
	r, err := TryRewrite(s, col, cfg)
	if err != nil {
		panic(err)
	}
	return r
}

// TryRewrite is Rewrite with an error: a configuration that opens no rewriter,
// or an element type without the fields.
func TryRewrite(s beam.Scope, col beam.PCollection, cfg Config) (Result, error) {
	s = s.Scope("sottobeam.Rewrite")
	cfg, err := cfg.Checked()
	if err != nil {
		return Result{}, err
	}
	if typex.IsKV(col.Type()) || typex.IsCoGBK(col.Type()) {
		return Result{}, fmt.Errorf("sottobeam: elements are pairs, must be strings or structures")
	}
	t := col.Type().Type()
	if _, err := fieldsOf(t, cfg.Fields); err != nil {
		return Result{}, err
	}
	typed := beam.TypeDefinition{Var: beam.XType, T: t}
	var private, failed, tallies beam.PCollection
	if cfg.Ledger == "" {
		private, failed, tallies = beam.ParDo3(s, &rewriteFn{Config: cfg, Type: beam.EncodedType{T: t}}, col)
	} else {
		keyed := beam.ParDo(s, &keyFn{Fields: cfg.Fields, Type: beam.EncodedType{T: t}}, col)
		private, failed, tallies = beam.ParDo3(s, &groupFn{Config: cfg, Type: beam.EncodedType{T: t}}, beam.GroupByKey(s, keyed), typed)
	}
	return Result{private, failed, Statement(s, cfg, tallies)}, nil
}

// Statement gives the privacy statement of a bounded collection of tallies.
func Statement(s beam.Scope, cfg Config, tallies beam.PCollection) beam.PCollection {
	all := beam.Flatten(s, tallies, beam.Create(s, Tally{})) // so that there is one for no element too
	return beam.ParDo(s, &statementFn{cfg}, beam.Combine(s, addTallies, all))
}

func addTallies(a, b Tally) Tally {
	a.Counts.Add(b.Counts)
	return a
}

type statementFn struct{ Config Config }

func (f *statementFn) ProcessElement(t Tally) (string, error) {
	w, err := open(f.Config)
	if err != nil {
		return "", err
	}
	return w.statement(t.Counts)
}

func init() {
	for _, t := range []reflect.Type{
		reflect.TypeFor[Failure](), reflect.TypeFor[Tally](), reflect.TypeFor[element](), reflect.TypeFor[Config](),
		reflect.TypeFor[*rewriteFn](), reflect.TypeFor[*keyFn](), reflect.TypeFor[*groupFn](), reflect.TypeFor[*statementFn](),
	} {
		beam.RegisterType(t)
	}
	beam.RegisterFunction(addTallies)
}
