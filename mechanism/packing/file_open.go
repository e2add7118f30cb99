package packing

import (
	"context"
	"fmt"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/channel"
	"github.com/sotto-dp/sotto/progress"
)

// fits refuses a table other than the one the channel was made for, and rows that
// differ for words with one vector: their distance is 0 and their loss is not.
func (c *File) fits(who string, table *embedding.Table) error {
	if name := c.Name(); name != who {
		return fmt.Errorf("%s: the channel file is for mechanism %q", who, name)
	}
	if digest := hexDigest(c.Table); digest != table.Digest() || int(c.Words) != table.Len() {
		return fmt.Errorf("%s: the channel file is for another table (%d words, digest %.12s...)", who, c.Words, digest)
	}
	if c.Additions > 0 && who != "packing" {
		return fmt.Errorf("%s: the channel file has additions to its rows, which only packing has", who)
	}
	return c.equalRows(newDistances(table))
}

// equalRows refuses words of one class of equal vectors whose rows differ.
func (c *File) equalRows(d *distances) error {
	for x, class := range d.class {
		first := d.words[class]
		if embedding.ID(x) == first {
			continue
		}
		i, to := c.additionsOf(embedding.ID(x))
		j, end := c.additionsOf(first)
		same := to-i == end-j
		for ; same && i < to; i, j = i+1, j+1 {
			y, amount := c.addition(i)
			z, other := c.addition(j)
			same = y == z && amount == other
		}
		if !same {
			return fmt.Errorf("%s: words %d and %d of the channel file have the same vector but different rows", c.Name(), first+1, x+1)
		}
	}
	return nil
}

// certify recomputes the losses of a file and refuses one that loses more per
// unit of distance than it claims. Only if that takes too much memory is the
// file trusted, and its losses are then called stated.
func (c *File) certify(ctx context.Context, table *embedding.Table, report progress.Func) error {
	report = report.Stage("certifying the channel file")
	var m mechanism.Certifier
	switch {
	case c.Name() == "balanced":
		m = openBalanced(table, c, nil)
	case table.Len() <= channel.MostRecertified:
		m = newPacked(table, c, nil)
	default:
		return nil
	}
	loss, err := m.Certify(ctx, report)
	if err != nil {
		return err
	}
	if !(loss.MetricHigh <= c.Epsilon) {
		return fmt.Errorf("%s: the channel file states epsilon %g, but its rows lose up to %.6g", c.Name(), c.Epsilon, loss.MetricHigh)
	}
	c.know(loss)
	c.source = mechanism.Computed
	return nil
}
