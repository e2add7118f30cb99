package synthesis

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// Other is the name, in statements, of the cell for records that fit no other cell.
const Other = "other"

// MaxLabels bounds the combinations of the values of all columns.
const MaxLabels = 1 << 16

// Column is a column of labels with its public values. The values come from
// knowledge of the kind of data, never from the records.
type Column struct {
	name   string
	values []string
	index  map[string]int
	bins   *bins
}

// bins are numbers from low up, in steps of width: whole ones alone, or all.
type bins struct {
	low, width float64
	count      int
	whole      bool
}

// Labels returns a column of named values. A record whose label equals none of them, byte
// for byte, is in the cell Other.
func Labels(name string, values ...string) (Column, error) {
	c := Column{name: name, values: values, index: make(map[string]int, len(values))}
	if len(values) < 1 || len(values) > MaxLabels {
		return c, fmt.Errorf("synthesis: column %q has %d labels, want 1 to %d", name, len(values), MaxLabels)
	}
	for i, v := range values {
		if _, twice := c.index[v]; twice {
			return c, fmt.Errorf("synthesis: column %q has the label %q twice", name, v)
		}
		c.index[v] = i
	}
	return c, nil
}

// Bins returns a column of numbers. "1..5" is the whole numbers 1 to 5, in any
// spelling: 3, 3.0; "0..100/10" is ten ranges of width 10, each with its lower bound. Other
// numbers, and values that are not numbers, are in the cell Other.
func Bins(name, ranges string) (Column, error) {
	c := Column{name: name}
	must := errors.New("must be LOW..HIGH or LOW..HIGH/WIDTH, such as 1..5 or 0..100/10")
	whole, step, stepped := strings.Cut(ranges, "/")
	from, to, ok := strings.Cut(whole, "..")
	low, err1 := strconv.ParseFloat(from, 64)
	high, err2 := strconv.ParseFloat(to, 64)
	width, err3 := 1.0, error(nil)
	if stepped {
		width, err3 = strconv.ParseFloat(step, 64)
	}
	count := (high - low) / width
	if !stepped {
		count++
		ok = ok && low == math.Floor(low)
	}
	if !ok || err1 != nil || err2 != nil || err3 != nil || !(width > 0) || !(math.Abs(low) <= 1e15 && math.Abs(high) <= 1e15) || count != math.Floor(count) {
		return c, fmt.Errorf("synthesis: bins of %q are %q, %w", name, ranges, must)
	}
	if !(count >= 1 && count <= MaxLabels) {
		return c, fmt.Errorf("synthesis: bins of %q must be 1 to %d, got %g", name, MaxLabels, count)
	}
	c.bins = &bins{low: low, width: width, count: int(count), whole: !stepped}
	for i := range c.bins.count {
		at := low + float64(float64(i)*width)
		value := strconv.FormatFloat(at, 'g', -1, 64)
		if stepped {
			value += ".." + strconv.FormatFloat(at+width, 'g', -1, 64)
		} else {
			value = strconv.FormatFloat(at, 'f', -1, 64)
		}
		c.values = append(c.values, value)
	}
	return c, nil
}

// Name returns the name of the column.
func (c *Column) Name() string { return c.name }

// Values returns the public values.
func (c *Column) Values() []string { return c.values }

// find returns the number of the value, and false for one that is not of the set.
func (c *Column) find(value []byte) (int, bool) {
	if value == nil {
		return 0, false
	}
	if c.bins == nil {
		i, ok := c.index[string(value)]
		return i, ok
	}
	if len(value) > 64 {
		return 0, false
	}
	x, err := strconv.ParseFloat(strings.TrimSpace(string(value)), 64)
	place := math.Floor((x - c.bins.low) / c.bins.width)
	if err != nil || c.bins.whole && x != math.Floor(x) || !(place >= 0 && place < float64(c.bins.count)) {
		return 0, false
	}
	return int(place), true
}
