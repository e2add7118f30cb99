package models

import (
	"bufio"
	"context"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism/packing"
)

// objective converts the flags of compile.
func (c *CompileCmd) objective(ctx context.Context, table *embedding.Table) (packing.Objective, error) {
	o := packing.Objective{Distance: c.DistanceWeight, Least: c.Least}
	var err error
	switch c.Prior {
	case "":
	case "zipf":
		// The Zipf-Mandelbrot law; tables list frequent words first.
		o.Prior = make([]float64, table.Len())
		for i := range o.Prior {
			o.Prior[i] = 1 / (float64(i+1) + 2.7)
		}
	default:
		o.Prior, err = readPrior(ctx, c.Prior, table)
	}
	return o, err
}

// readPrior reads lines of a word and a count. It skips words that the table lacks; words
// without a line have count 0.
func readPrior(ctx context.Context, path string, table *embedding.Table) ([]float64, error) {
	f, err := cli.OpenInput(ctx, path)
	if err != nil {
		return nil, fmt.Errorf("prior: %w", err)
	}
	defer f.Close()
	prior := make([]float64, table.Len())
	lines := bufio.NewScanner(f)
	for line := 1; lines.Scan(); line++ {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 {
			continue
		}
		if len(fields) != 2 {
			return nil, fmt.Errorf("prior: %s: line %d: want a word and a count", path, line)
		}
		count, err := strconv.ParseFloat(fields[1], 64)
		if err != nil || !(count >= 0) || math.IsInf(count, 1) {
			return nil, fmt.Errorf("prior: %s: line %d: the count must be a number of 0 or more", path, line)
		}
		if w, ok := table.Lookup(fields[0]); ok {
			prior[w] += count
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("prior: %s: %w", path, err)
	}
	return prior, nil
}
