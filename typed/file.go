package typed

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Bounds on the values of a codebook that a caller brings.
const (
	MostValues     = 1_000_000
	MostValueBytes = 256
)

// Read reads a public codebook of a type: a value on each line, without empty lines and
// lines that begin with #. For a type whose own codebook is in order, such as DATE, each
// value must be one of the type, and the codebook is in that order. Errors name a line and
// repeat nothing of it.
func Read(in io.Reader, name, kind string) (*Codebook, error) {
	data, err := io.ReadAll(io.LimitReader(in, MostValues*(MostValueBytes+1)+1))
	if err != nil {
		return nil, err
	}
	var items []string
	seen := map[string]bool{}
	number := 0
	for line := range bytes.Lines(data) {
		number++
		item := strings.TrimSpace(string(line))
		switch {
		case item == "" || strings.HasPrefix(item, "#"):
			continue
		case !utf8.ValidString(item) || strings.ContainsFunc(item, unicode.IsControl):
			return nil, fmt.Errorf("line %d is not a line of printable UTF-8", number)
		case len(item) > MostValueBytes:
			return nil, fmt.Errorf("line %d has more than %d bytes", number, MostValueBytes)
		case seen[item]:
			return nil, fmt.Errorf("line %d is there twice", number)
		case len(items) == MostValues:
			return nil, fmt.Errorf("line %d is beyond the largest number of values, %d", number, MostValues)
		}
		seen[item] = true
		items = append(items, item)
	}
	if len(items) < 2 {
		return nil, errors.New("a codebook has at least two values")
	}
	if own, ok := Default(kind); ok && own.ordered {
		return ordered(name, items, own)
	}
	return of(name, newList(items)), nil
}

// ordered returns the codebook of values that another codebook puts in order.
func ordered(name string, items []string, by *Codebook) (*Codebook, error) {
	at := map[string]int{}
	for _, item := range items {
		place, ok := by.place(item)
		if !ok {
			return nil, errors.New("a value is not one of the type, which has an order: " + by.name)
		}
		at[item] = place
	}
	slices.SortStableFunc(items, func(a, b string) int { return cmp.Compare(at[a], at[b]) })
	places := make([]int, len(items))
	for i, item := range items {
		places[i] = at[item]
	}
	return scale(name, len(items), func(value string) (int, bool) { return by.place(value) },
		func(place int) int { return nearestOf(places, place) },
		func(dst []byte, i int) []byte { return append(dst, items[i]...) }), nil
}
