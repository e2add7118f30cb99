// Package sottobeam rewrites Apache Beam collections of texts under differential privacy.
//
// [Rewrite] takes strings, or structures with private fields. It returns their private
// copies, the elements that could not be rewritten, and the privacy statement. Each
// worker process opens the table and the ledger once.
//
// # Retries
//
// A runner may process an element more than once. Without a ledger each attempt draws
// again, and the runner commits the result of one attempt. A sink that also shows results
// of discarded attempts makes a second release, whose loss adds to the first.
//
// With a ledger each element is charged once and answered once. The charge has a name
// derived from the run's secret and the element's key, and the ledger stores the private
// answer, encrypted under the same name. A later attempt, in any worker, gets that answer
// and spends nothing. Keys come from a field tagged `sotto:"key"`. They must differ
// between elements and be the same in each attempt, such as a primary key or a position
// in a file. Without such a field, a random key is drawn before the elements are grouped.
// It is stable if the runner stores the grouped elements. Dataflow does, and so does Flink
// with checkpoints. Spark may recompute them, which charges the elements again. Of elements
// of one collection that share a key, all but one are failures. Between windows, panes of a
// trigger, and runs with the same Run, they are not compared: there a key names one element,
// and a second one of the same size gets the answer of the first.
//
// An element over budget ends the pipeline. Nothing is drawn for it.
//
// # What it does not protect
//
// Fields that are not named, keys, the number of elements, and the number of tokens of
// each text are not protected. Nor are inputs that the runner stores: between stages it
// stores original elements, which its operators can read.
package sottobeam

import (
	"fmt"
	"reflect"

	"github.com/apache/beam/sdks/v2/go/pkg/beam"
	"github.com/apache/beam/sdks/v2/go/pkg/beam/core/typex"

	"github.com/sotto-dp/sotto"
)

// Result is the output of Rewrite.
type Result struct {
	Private beam.PCollection // of the element type
	Failed  beam.PCollection // of Failure
	// Statement holds one string, the privacy statement of the whole bounded collection
	// as JSON.
	Statement beam.PCollection
}

// Failure is an element that was left out. It quotes nothing of a text.
type Failure struct {
	Key  string // the element's own key, if it has one
	What string
}

// Tally counts what was rewritten.
type Tally struct{ Counts sotto.Counts }

// Rewrite rewrites a collection of strings or of structures. Like other transforms it
// panics on a configuration error; TryRewrite returns it.
func Rewrite(s beam.Scope, col beam.PCollection, cfg Config) Result {
	r, err := TryRewrite(s, col, cfg)
	if err != nil {
		panic(err)
	}
	return r
}

// TryRewrite is Rewrite with an error, for a configuration that opens no rewriter or an
// element type without the fields.
func TryRewrite(s beam.Scope, col beam.PCollection, cfg Config) (Result, error) {
	s = s.Scope("sottobeam.Rewrite")
	cfg, err := cfg.Checked()
	if err != nil {
		return Result{}, err
	}
	if typex.IsKV(col.Type()) || typex.IsCoGBK(col.Type()) {
		return Result{}, fmt.Errorf("sottobeam: elements must be strings or structures, got pairs")
	}
	t := col.Type().Type()
	if _, err := cfg.markedFields(t); err != nil {
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

// Statement returns the privacy statement of a bounded collection of tallies.
func Statement(s beam.Scope, cfg Config, tallies beam.PCollection) beam.PCollection {
	all := beam.Flatten(s, tallies, beam.Create(s, Tally{})) // so that an empty collection has a statement too
	return beam.ParDo(s, &statementFn{cfg}, beam.Combine(s, addTallies, all))
}

func addTallies(a, b Tally) Tally {
	a.Counts.Add(b.Counts)
	return a
}

type statementFn struct{ Config Config }

func (f *statementFn) ProcessElement(t Tally) (string, error) {
	w, err := Open(f.Config)
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
