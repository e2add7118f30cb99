// Package samefields compares a JSON document with the one that it must be, field by field.
// Verification recomputes a whole document and compares it here, so a field that is added
// later is compared too unless it is named as one that cannot be recomputed.
package samefields

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
)

// DifferError says where two documents differ. It quotes no value.
type DifferError struct {
	Path  string // of the field, such as "claim.epsilon" or "labels.3.count"
	Lacks bool   // the document does not have the field, which it must have
}

func (e *DifferError) Error() string {
	if e.Lacks {
		return "it lacks " + e.Path
	}
	return fmt.Sprintf("its %s is not the one recomputed", e.Path)
}

// Compare returns a *DifferError for the first field of a document that is not what it must
// be. Both are written as JSON. Numbers that are not whole may differ in their last places:
// logarithms differ there between processors. Free are the paths of the fields that are not
// compared, with all that is below them; an element "*" of a path is any name or number.
func Compare(document, must any, free ...string) error {
	return compare(document, must, Places, free)
}

// Exactly is Compare for documents of which no number follows from a logarithm.
func Exactly(document, must any, free ...string) error { return compare(document, must, 0, free) }

func compare(document, must any, places float64, free []string) error {
	stated, err := read(document)
	if err != nil {
		return err
	}
	found, err := read(must)
	if err != nil {
		return err
	}
	c := comparison{places: places}
	for _, path := range free {
		c.free = append(c.free, strings.Split(path, "."))
	}
	if differs := c.compare(nil, stated, found); differs != nil {
		return differs
	}
	return nil
}

func read(document any) (value any, err error) {
	data, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	return value, d.Decode(&value)
}

type comparison struct {
	free   [][]string
	places float64
}

func (c *comparison) isFree(path []string) bool {
	return slices.ContainsFunc(c.free, func(free []string) bool {
		return slices.EqualFunc(free, path, func(f, p string) bool { return f == "*" || f == p })
	})
}

func (c *comparison) compare(path []string, stated, found any) *DifferError {
	if c.isFree(path) {
		return nil
	}
	differ := &DifferError{Path: strings.Join(path, ".")}
	switch found := found.(type) {
	case map[string]any:
		stated, ok := stated.(map[string]any)
		if !ok {
			return differ
		}
		return c.compareMaps(path, stated, found)
	case []any:
		stated, ok := stated.([]any)
		if !ok || len(stated) != len(found) {
			return differ
		}
		for i := range found {
			if differs := c.compare(append(path[:len(path):len(path)], strconv.Itoa(i)), stated[i], found[i]); differs != nil {
				return differs
			}
		}
		return nil
	case json.Number:
		if stated, ok := stated.(json.Number); ok && c.sameNumber(stated, found) {
			return nil
		}
		return differ
	}
	switch stated.(type) { // not comparable
	case map[string]any, []any:
		return differ
	}
	if stated != found {
		return differ
	}
	return nil
}

// compareMaps compares the fields of both objects, the claim first: it is what a reader
// looks at.
func (c *comparison) compareMaps(path []string, stated, found map[string]any) *DifferError {
	all := maps.Clone(found)
	maps.Copy(all, stated)
	names := slices.Sorted(maps.Keys(all))
	slices.SortStableFunc(names, func(a, b string) int { return first(a) - first(b) })
	for _, name := range names {
		at := append(path[:len(path):len(path)], name)
		if c.isFree(at) {
			continue
		}
		a, has := stated[name]
		b, must := found[name]
		if has != must {
			return &DifferError{Path: strings.Join(at, "."), Lacks: must}
		}
		if differs := c.compare(at, a, b); differs != nil {
			return differs
		}
	}
	return nil
}

func first(name string) int {
	if name == "claim" {
		return 0
	}
	return 1
}

func (c *comparison) sameNumber(a, b json.Number) bool {
	x, err1 := strconv.ParseFloat(a.String(), 64)
	y, err2 := strconv.ParseFloat(b.String(), 64)
	if err1 != nil || err2 != nil {
		return false
	}
	if x == math.Trunc(x) && y == math.Trunc(y) {
		return x == y && (math.Abs(x) < 1<<53 || a == b)
	}
	return math.Abs(x-y) <= float64(c.places*math.Abs(y))
}

// Places is the part of a number that is not whole by which it may differ.
const Places = 1e-11
