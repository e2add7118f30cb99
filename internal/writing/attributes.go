package writing

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"
)

// ReadAttributes reads lines "name: value; value". Empty lines and those that begin with #
// are skipped.
func ReadAttributes(from io.Reader) ([]Attribute, error) {
	read, err := io.ReadAll(io.LimitReader(from, mostAttributes+1))
	if err != nil {
		return nil, err
	}
	data := string(read)
	var all []Attribute
	if len(data) > mostAttributes {
		return nil, fmt.Errorf("it has more than %d bytes: attributes are short", mostAttributes)
	}
	n := 0
	for line := range strings.Lines(data) {
		n++
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, list, ok := strings.Cut(line, ":")
		a := Attribute{Name: clean(name), Values: valuesOf(strings.Split(list, ";"))}
		if !ok || !a.fits() {
			return nil, fmt.Errorf("line %d: want \"name: value; value\", with at most %d characters of a name or value", n, mostPhrase)
		}
		if slices.ContainsFunc(all, func(o Attribute) bool { return o.Name == a.Name }) {
			return nil, fmt.Errorf("line %d: its name has had a line: the file is sent to the endpoint, is it one of attributes?", n)
		}
		all = append(all, a)
	}
	if len(all) == 0 {
		return nil, errors.New("there are no attributes")
	}
	return all, nil
}

// Bounds of attributes. They are part of every request, and a file that is not one of
// attributes is not to be sent.
const (
	mostAttributes = 64 << 10
	mostPhrase     = 120 // characters
)

// fits reports whether an attribute has a name and values, and no long one.
func (a Attribute) fits() bool {
	short := func(s string) bool { return s != "" && utf8.RuneCountInString(s) <= mostPhrase }
	return short(a.Name) && len(a.Values) > 0 && !slices.ContainsFunc(a.Values, func(v string) bool { return !short(v) })
}

func valuesOf(list []string) (values []string) {
	for _, v := range list {
		if v = clean(v); v != "" && !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	return values
}

// proposals is how often the model is asked to propose attributes.
const proposals = 3

// propose asks the model for attributes.
func (w *Writer) propose(ctx context.Context) ([]Attribute, int, error) {
	prompt := fmt.Sprintf("I collect invented texts of this kind: %s.\n"+
		"They must differ as such texts do. Propose values of four attributes: who (who writes), what (what about), tone, length.\n"+
		"Answer with a JSON object and nothing else: {\"who\": [12 short phrases], \"what\": [40 short phrases], \"tone\": [8 short phrases], \"length\": [\"one short sentence\", ... 4 more]}.\n"+
		"Write the values in the language of the texts.", w.About)
	tokens := 0
	for try := range uint64(proposals) {
		a, err := w.Client.ask(ctx, prompt, w.Seed+try, 2000)
		if err != nil {
			return nil, tokens, err
		}
		tokens += a.tokens
		if all := attributesOf(a.text); len(all) > 0 && !echoesKey(w.Client.Key, a.text) {
			return all, tokens, nil
		}
	}
	return nil, tokens, fmt.Errorf("the model proposed no attributes in %d answers: give them in a file", proposals)
}

// attributesOf reads the object of a proposal, in the order of its names.
func attributesOf(said string) (all []Attribute) {
	from, to := strings.IndexByte(said, '{'), strings.LastIndexByte(said, '}')
	if from < 0 || to < from {
		return nil
	}
	var object map[string][]string
	if json.Unmarshal([]byte(said[from:to+1]), &object) != nil {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if a := (Attribute{clean(name), valuesOf(object[name])}); a.fits() {
			all = append(all, a)
		}
	}
	return all
}

// prompt returns what call number n asks: the values of the attributes follow from the seed.
func (w *Writer) prompt(attributes []Attribute, n int) string {
	random := rand.New(rand.NewPCG(w.Seed, uint64(n)))
	var b strings.Builder
	fmt.Fprintf(&b, "Write %d different texts of this kind: %s.\n", w.Batch, w.About)
	for _, a := range attributes {
		fmt.Fprintf(&b, "%s: %s\n", a.Name, a.Values[random.IntN(len(a.Values))])
	}
	b.WriteString("Each text is by somebody else and makes sense by itself, and they begin differently. Invent all names, places and numbers: no real person, firm or address.\n")
	fmt.Fprintf(&b, "Answer with a JSON array of %d strings and nothing else.", w.Batch)
	return b.String()
}
