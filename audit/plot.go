package audit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/chart"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/mechanism"
)

// plot is points or bars over one axis, drawn as SVG.
type plot struct {
	title, about string
	x, y         string
	bars         bool
	logX         bool
	curves       []curve
}

// curve is one named series of points.
type curve struct {
	name string
	xy   [][2]float64
}

// wordsPlotted is how many of a table's words the plots of a channel compare:
// all pairs, over all outputs.
const wordsPlotted = 200

// plots draws the evidence of a finding: for a channel its exact losses; for a channel over
// a codebook a row, and bounds on what any reader of releases can learn; for truncated
// noise delta against dimension; for ADePT the share of pairs beyond the published bound.
func plots(ctx context.Context, f *Finding, table *embedding.Table) ([]plot, error) {
	switch {
	case f.levels != nil:
		return textPlots(*f.levels, f.Target().Epsilon)
	case f.channel != nil:
		return channelPlots(ctx, f.channel, table)
	case f.analysis == mechanism.TruncatedNoise:
		return []plot{truncatedPlot(f.Target().Epsilon)}, nil
	case f.analysis == mechanism.LatentNoise:
		return []plot{adeptPlot()}, nil
	}
	return nil, nil
}

func channelPlots(ctx context.Context, m mechanism.Channel, table *embedding.Table) ([]plot, error) {
	n := min(wordsPlotted, table.Len())
	e := enumerator{m: m, table: table}
	rows := make([][]float64, n)
	for x := range rows {
		var err error
		if rows[x], err = e.logRow(nil, embedding.ID(x)); err != nil {
			return nil, err
		}
	}
	var points [][2]float64
	for x := range n {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for z := range x {
			loss := 0.0
			for y, v := range rows[x] {
				if d := math.Abs(v - rows[z][y]); d > loss {
					loss = d
				}
			}
			if !math.IsInf(loss, 1) {
				points = append(points, [2]float64{table.Distance(embedding.ID(x), embedding.ID(z)), loss})
			}
		}
	}
	over := fmt.Sprintf("all pairs of the first %d words", n)
	if levelled, ok := m.(shortcut.Levelled); ok {
		if loss, pairs := onlyLoss(points); pairs > 0 {
			return alike(levelled.Levels(), m.Claim().Epsilon, fmt.Sprintf("Of %s, %d of %d lose %.6g nats, whatever their distance: the bound. The others have the same likely outputs and lose nothing.", over, pairs, len(points), loss))
		}
	}
	worst := slices.Clone(points)
	slices.SortFunc(worst, func(a, b [2]float64) int { // by loss per unit of distance, largest first
		return compare(b[1]*a[0], a[1]*b[0])
	})
	worst = worst[:min(2000, len(worst))]
	losses := make([]float64, len(points))
	for i, p := range points {
		losses[i] = p[1]
	}
	return []plot{
		{title: "Loss against distance, the 2,000 worst of " + over, x: "distance", y: "exact loss (nats)", curves: []curve{{"", worst}}},
		{title: "Exact loss, " + over, x: "loss (nats)", y: "pairs", bars: true, curves: []curve{{"", histogram(losses, 40)}}},
	}, nil
}

// onlyLoss returns the loss of all points that have one, and how many have it; none if two
// losses differ by more than rounding.
func onlyLoss(points [][2]float64) (loss float64, pairs int) {
	for _, p := range points {
		loss = max(loss, p[1])
	}
	for _, p := range points {
		switch {
		case loss-p[1] <= 1e-9*loss:
			pairs++
		case p[1] > 1e-9*loss:
			return 0, 0
		}
	}
	return loss, pairs
}

// alike are the plots of a channel with one loss: points and bars of its losses would be one
// line and one bar. They show its row, and what a reader can tell.
func alike(levels mechanism.Levels, epsilon float64, about string) ([]plot, error) {
	all, err := textPlots(levels, epsilon)
	for i := range all {
		all[i].x = strings.ReplaceAll(all[i].x, "the whole input", "a word")
	}
	if err == nil {
		all[0].about = about
	}
	return all, err
}

func compare(a, b float64) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func histogram(values []float64, bins int) [][2]float64 {
	largest := 0.0
	for _, v := range values {
		largest = max(largest, v)
	}
	width := largest / float64(bins)
	if width == 0 {
		width = 1
	}
	out := make([][2]float64, bins)
	for i := range out {
		out[i][0] = (float64(i) + 0.5) * width
	}
	for _, v := range values {
		out[min(bins-1, int(v/width))][1]++
	}
	return out
}

func truncatedPlot(epsilon float64) plot {
	p := plot{title: "True delta of the published truncated noise, delta^(1/d) = 1/4", x: "dimensions", y: "true delta"}
	for _, e := range []float64{0.05, 1, epsilon} {
		c := curve{name: fmt.Sprintf("epsilon %g", e)}
		for d := 1; d <= 300; d++ {
			if t, err := publishedTruncated(d, 1, e, 0.25); err == nil {
				delta, _ := t.worstDelta()
				c.xy = append(c.xy, [2]float64{float64(d), delta})
			}
		}
		if len(c.xy) > 0 && !slices.ContainsFunc(p.curves, func(o curve) bool { return o.name == c.name }) {
			p.curves = append(p.curves, c)
		}
	}
	return p
}

func adeptPlot() plot {
	p := plot{title: "Pairs of latent vectors beyond the published sensitivity, 10,000 vectors a point", x: "dimensions", y: "share of pairs"}
	for _, name := range []string{"uniform", "normal"} {
		c := curve{name: name}
		for n := 1; n <= 64; n += 1 + n/4 {
			component := adeptLatents(rand.New(rand.NewPCG(1, uint64(n))))[name]
			c.xy = append(c.xy, [2]float64{float64(n), adeptShare(n, 10000, 1, component)})
		}
		p.curves = append(p.curves, c)
	}
	return p
}

// SVG draws the plot: a named curve as a line, one without a name as dots.
func (p plot) SVG() string {
	c := chart.Chart{Title: p.title, X: p.x, Y: p.y, LogX: p.logX}
	sheet := chart.Sheet{Columns: 1, Width: 640, Height: 320}
	for i, curve := range p.curves {
		style := chart.Line
		switch {
		case p.bars:
			style = chart.Columns
		case curve.name == "":
			style = chart.Dots
		}
		sheet.Legend = sheet.Legend || curve.name != ""
		c.Series = append(c.Series, chart.Series{Name: curve.name, Style: style, Colour: i, XY: curve.xy})
	}
	sheet.Charts = []chart.Chart{c}
	return sheet.SVG()
}

// textPlots are a row of a channel over a codebook, and bounds on what any reader can learn
// at its epsilon.
func textPlots(levels mechanism.Levels, epsilon float64) ([]plot, error) {
	m, k := float64(levels.Outputs), float64(levels.Size)
	row := plot{title: fmt.Sprintf("A release, whatever the input: %d of %d outputs are likelier", levels.Size, levels.Outputs),
		x: "outputs, the likeliest first", y: "times as likely as by chance", logX: true}
	row.curves = []curve{{"every row", [][2]float64{{1, levels.Inside * m}, {k, levels.Inside * m}, {min(k+1, m), levels.Outside * m}, {m, levels.Outside * m}}}}

	const steps = 120
	most := max(8, 2*epsilon)
	limit := plot{title: "The most that any reader can tell who knows the candidates", x: "epsilon of the whole input", y: "chance to name the input"}
	for _, n := range []int{2, 10, 200, 10000} {
		c := curve{name: fmt.Sprintf("%d candidates", n), xy: [][2]float64{{0, 1 / float64(n)}}}
		for i := 1; i <= steps; i++ {
			e := float64(i) * most / steps
			chance, err := LinkageLimit(e, n)
			if err != nil {
				return nil, err
			}
			c.xy = append(c.xy, [2]float64{e, chance})
		}
		limit.curves = append(limit.curves, c)
	}
	limit.curves = append(limit.curves, curve{fmt.Sprintf("epsilon %.4g", epsilon), [][2]float64{{epsilon, 0}, {epsilon, 1}}})
	return []plot{row, limit}, nil
}
