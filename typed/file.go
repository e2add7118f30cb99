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

// ordered returns the codebook of values that another codebook puts in order, by what it reads
// in them: also of values beyond its own ends.
func ordered(name string, items []string, by *Codebook) (*Codebook, error) {
	at := map[string]int64{}
	for _, item := range items {
		number, ok := by.number(item)
		if !ok {
			return nil, errors.New("a value is not one of the type, which has an order: " + by.name)
		}
		at[item] = number
	}
	slices.SortStableFunc(items, func(a, b string) int { return cmp.Compare(at[a], at[b]) })
	numbers := make([]int64, len(items))
	for i, item := range items {
		numbers[i] = at[item]
	}
	return scale(name, len(items), by.number, func(number int64) int { return nearestOf(numbers, number) },
		func(dst []byte, i int) []byte { return append(dst, items[i]...) }), nil
}
