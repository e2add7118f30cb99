// Package altered writes JSON documents in which one field is another, for tests that every
// field of a document is verified.
package altered

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Document is a document in which one value is another.
type Document struct {
	Path string // of the value, such as "claim.epsilon" or "labels.3.count"
	To   string // the value that it has now, in JSON; empty if it was removed
	Data []byte
}

// Each returns the documents that differ from a JSON document in one value: every number,
// string, truth value and null is replaced by others, and every field and element is
// removed. The order of fields stays.
func Each(data []byte) []Document {
	w := walker{data: data, d: json.NewDecoder(bytes.NewReader(data))}
	w.d.UseNumber()
	w.value(nil)
	return w.documents
}

type walker struct {
	data      []byte
	d         *json.Decoder
	documents []Document
}

// next reads a token and returns where it starts.
func (w *walker) next() (json.Token, int) {
	at := int(w.d.InputOffset())
	for strings.IndexByte(" \t\r\n,:", w.data[at]) >= 0 {
		at++
	}
	token, err := w.d.Token()
	if err != nil {
		panic(fmt.Sprintf("altered: not a JSON document: %v", err))
	}
	return token, at
}

// value walks over one value, and returns where it starts.
func (w *walker) value(path []string) int {
	token, at := w.next()
	switch token {
	case json.Delim('{'):
		for n := 0; w.d.More(); n++ {
			name, from := w.next()
			w.member(append(slices.Clip(path), name.(string)), from, n)
		}
		w.next()
	case json.Delim('['):
		for n := 0; w.d.More(); n++ {
			w.member(append(slices.Clip(path), strconv.Itoa(n)), -1, n)
		}
		w.next()
	default:
		for _, to := range others(token) {
			w.replace(path, at, int(w.d.InputOffset()), to)
		}
	}
	return at
}

// member walks over one field or element, the nth, and removes it. From is where the name
// of a field starts.
func (w *walker) member(path []string, from, n int) {
	if at := w.value(path); from < 0 {
		from = at
	}
	end := int(w.d.InputOffset())
	switch {
	case n > 0: // with the comma before it
		from = bytes.LastIndexByte(w.data[:from], ',')
	case w.d.More():
		end += bytes.IndexByte(w.data[end:], ',') + 1
	}
	w.replace(path, from, end, "")
}

func (w *walker) replace(path []string, from, end int, to string) {
	w.documents = append(w.documents, Document{strings.Join(path, "."), to, slices.Concat(w.data[:from], []byte(to), w.data[end:])})
}

// others returns JSON values that differ from the one of a token.
func others(token json.Token) (values []string) {
	switch v := token.(type) {
	case nil:
		return []string{`0`, `-1`, `1`, `true`, `"x"`, `[]`, `{}`, `{"low":0,"high":0}`, `{"low":1,"high":1}`}
	case bool:
		return []string{strconv.FormatBool(!v), `null`}
	case string:
		values = []string{quoted(v + "x"), `null`}
		if v != "" {
			values = append(values, quoted(""))
		}
		if len(v) == 64 { // another digest
			values = append(values, quoted(v[1:]+v[:1]))
		}
		return values
	case json.Number:
		return append(numbers(v), `null`)
	}
	return nil
}

func numbers(v json.Number) (values []string) {
	x, err := strconv.ParseFloat(v.String(), 64)
	if err != nil {
		return nil
	}
	for _, y := range []float64{x + 1, x - 1, 2 * x, x / 2, -x, 0, -1, x * (1 + 1e-6), x * (1 - 1e-6), x + 1e-3, x - 1e-3, x + 1_000_000, x - 1_000_000} {
		if s := strconv.FormatFloat(y, 'g', -1, 64); y != x && !slices.Contains(values, s) {
			values = append(values, s)
		}
	}
	return values
}

func quoted(s string) string {
	data, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// Check verifies every document of Each. It fails where one is not refused whose path is not
// free, and where there are too few for a test. Most, if not 0, bounds the documents of one
// path, where verification takes long. An element "*" of a free path is any name or
// number; what is below a free path is not free.
func Check(t testing.TB, data []byte, most int, free []string, verify func(data []byte) error) {
	t.Helper()
	if err := verify(data); err != nil {
		t.Fatalf("the document itself is refused: %v", err)
	}
	documents := Each(data)
	if len(documents) < 100 {
		t.Errorf("%d documents", len(documents))
	}
	seen := map[string]int{}
	for _, d := range documents {
		if seen[d.Path]++; most > 0 && seen[d.Path] > most {
			continue
		}
		isFree := slices.ContainsFunc(free, func(f string) bool {
			return slices.EqualFunc(strings.Split(f, "."), strings.Split(d.Path, "."), func(f, p string) bool { return f == "*" || f == p })
		})
		if !isFree && verify(d.Data) == nil {
			t.Errorf("another %s passes: %q", d.Path, d.To)
		}
	}
}
