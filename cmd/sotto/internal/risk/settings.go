package risk

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/opening"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/tune"
)

// parseEpsilons reads numbers and ranges LOW:HIGH:STEP, which include both ends. Errors
// name the command.
func parseEpsilons(command string, texts []string) ([]float64, error) {
	var epsilons []float64
	for _, text := range texts {
		parts := strings.Split(text, ":")
		var v []float64
		for _, p := range parts {
			f, err := strconv.ParseFloat(p, 64)
			if err != nil {
				return nil, cli.WrongUsage("", "--epsilon must be a number or LOW:HIGH:STEP, got %q", text)
			}
			v = append(v, f)
		}
		switch {
		case len(v) == 1:
		case len(v) == 3 && v[2] > 0 && v[1] >= v[0] && (v[1]-v[0])/v[2] <= 1000:
			low, high, step := v[0], v[1], v[2]
			v = v[:0]
			for i := 0; low+float64(i)*step <= high+step*1e-9; i++ {
				v = append(v, low+float64(i)*step)
			}
		default:
			return nil, cli.WrongUsage("", "--epsilon must be a number or LOW:HIGH:STEP with at most 1001 values, got %q", text)
		}
		for _, e := range v {
			if err := privacy.CheckEpsilon(command, e); err != nil {
				return nil, err
			}
		}
		epsilons = append(epsilons, v...)
	}
	slices.Sort(epsilons)
	return slices.Compact(epsilons), nil
}

// calibrateWords refuses a meaning of epsilon for whole texts.
const calibrateWords = "--calibrate is for mechanisms of words: of whole texts there is one epsilon"

// tableOfWords opens a table, and refuses one of an encoder: no text is rewritten over its tokens.
func tableOfWords(ctx context.Context, of *opening.TableFlags) (*embedding.Table, error) {
	table, err := of.Table(ctx)
	if err == nil && table.OfWords() != nil {
		err = cli.WrongUsage("choose a table of words with --embeddings", "the entries of %s are the tokens of an encoder of texts, for corpora and vectors of documents", table.Name())
	}
	return table, err
}

// admitted finds a mechanism and checks that its standing is accepted.
func (o *openedFlags) admitted(name string) (mechanism.Entry, error) {
	e, ok := catalog.Find(name)
	if !ok {
		return e, opening.UnknownMechanism(name)
	}
	var terms privacy.Terms
	if o.Accept != "" {
		_ = terms.Least.UnmarshalText([]byte(o.Accept)) // one of the values of the flag
	}
	return e, terms.Admit(name, e.Standing)
}

// spec returns what mechanisms are opened with, except for epsilon.
func (o *openedFlags) spec(report progress.Func) mechanism.Spec {
	spec := opening.NewSpec(o.Param, report)
	maps.Copy(spec.Parameters, request.Given(o.Shared))
	spec.Published = o.Calibrate == "published"
	return spec
}

// ofOne refuses flags of parameters that are given for several mechanisms.
func (o *openedFlags) ofOne(mechanisms int, give string) error {
	given := slices.Sorted(maps.Keys(request.Given(o.Shared)))
	if len(o.Param) > 0 {
		given = append(given, "param")
	}
	if len(given) == 0 || mechanisms == 1 {
		return nil
	}
	return cli.WrongUsage("give one: "+give, "--%s needs exactly one mechanism", given[0])
}

// named names the mechanism of a use: what is given, else the default of the notion.
func (o *openedFlags) named(given string, use mechanism.Use) (string, error) {
	if given != "" {
		return given, nil
	}
	entry, ok := catalog.Default(use, privacy.Notion(o.Notion))
	if !ok {
		return "", cli.WrongUsage("name a mechanism with --mechanism", "no default mechanism has the notion %q here", o.Notion)
	}
	return entry.Name, nil
}

// sweep measures every mechanism at every epsilon. An epsilon that a mechanism refuses is
// left out, unless it is the only one.
func sweep[Row any](entries []mechanism.Entry, epsilons []float64, measure func(e mechanism.Entry, epsilon float64) (Row, error)) ([]Row, []leftOut, error) {
	rows, left := []Row{}, []leftOut{}
	for _, e := range entries {
		for _, epsilon := range epsilons {
			row, err := measure(e, epsilon)
			var refused *privacy.ParameterError
			if errors.As(err, &refused) && refused.Name == "epsilon" && len(entries)*len(epsilons) > 1 {
				left = append(left, leftOut{e.Name, epsilon, err.Error()})
				continue
			}
			if err != nil {
				return nil, nil, err
			}
			rows = append(rows, row)
		}
	}
	return rows, left, nil
}

// openedOnce returns an entry that opens one mechanism for words: what a row computes of its
// channel is kept for all of its figures. It is for one table and one spec.
func openedOnce(e mechanism.Entry) mechanism.Entry {
	open := e.New
	if open == nil {
		return e
	}
	var opened mechanism.Mechanism
	e.New = func(ctx context.Context, table *embedding.Table, spec mechanism.Spec) (mechanism.Mechanism, error) {
		if opened != nil {
			return opened, nil
		}
		var err error
		opened, err = open(ctx, table, spec)
		return opened, err
	}
	return e
}

// flags returns the command line that opens the result.
func (c *TuneCmd) flags(found tune.Result, spec mechanism.Spec) string {
	flags := fmt.Sprintf("--mechanism %s --epsilon %v", found.Mechanism, found.Epsilon)
	flags += paramFlags(found.Parameters) + paramFlags(spec.Parameters)
	if c.Words != nil {
		flags += fmt.Sprintf(" --words %d", *c.Words)
	}
	if c.Never != "" {
		flags += " --never " + strconv.Quote(c.Never)
	}
	if c.Embeddings != "" {
		flags += " --embeddings " + strconv.Quote(c.Embeddings)
	}
	if c.Calibrate != "" {
		flags += " --calibrate " + c.Calibrate
	}
	if c.Accept != "" {
		flags += " --accept " + c.Accept
	}
	return flags
}

// paramFlags returns the flags that give values to parameters.
func paramFlags(given mechanism.Values) string {
	flags := ""
	for _, name := range slices.Sorted(maps.Keys(given)) {
		flags += fmt.Sprintf(" --param %s=%s", name, given[name])
	}
	return flags
}
