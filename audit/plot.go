package audit

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
)

// Plot is points or bars over one axis, drawn as SVG without any script.
type Plot struct {
	Title, X, Y string
	Bars        bool
	Curves      []Curve
}

// Curve is one named series; XY holds pairs.
type Curve struct {
	Name string
	XY   [][2]float64
}

// wordsPlotted is how many of a table's words the plots of a channel compare:
// all pairs, over all outputs.
const wordsPlotted = 200

// Plots draws what a finding rests on: for a channel its exact losses; for
// truncated noise delta against dimension; for ADePT the share of pairs beyond
// the published bound.
func Plots(ctx context.Context, f *Finding, table *embedding.Table) ([]Plot, error) {
	switch {
	case f.channel != nil:
		return channelPlots(ctx, f.channel, table)
	case f.Mechanism == "trlaplace-published" || f.Mechanism == "trlaplace":
		return []Plot{truncatedPlot(f.Target().Epsilon)}, nil
	case f.Mechanism == "adept-published" || f.Mechanism == "adept":
		return []Plot{adeptPlot()}, nil
	}
	return nil, nil
}

func channelPlots(ctx context.Context, m mechanism.Channel, table *embedding.Table) ([]Plot, error) {
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
	worst := slices.Clone(points)
	slices.SortFunc(worst, func(a, b [2]float64) int { // by loss per unit of distance, largest first
		return compare(b[1]*a[0], a[1]*b[0])
	})
	worst = worst[:min(2000, len(worst))]
	losses := make([]float64, len(points))
	for i, p := range points {
		losses[i] = p[1]
	}
	return []Plot{
		{Title: "Loss against distance, the 2,000 worst of " + over, X: "distance", Y: "exact loss (nats)", Curves: []Curve{{"", worst}}},
		{Title: "Exact loss, " + over, X: "loss (nats)", Y: "pairs", Bars: true, Curves: []Curve{{"", histogram(losses, 40)}}},
	}, nil
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

func truncatedPlot(epsilon float64) Plot {
	p := Plot{Title: "True delta of the published truncated noise, delta^(1/d) = 1/4", X: "dimensions", Y: "true delta"}
	for _, e := range []float64{0.05, 1, epsilon} {
		c := Curve{Name: fmt.Sprintf("epsilon %g", e)}
		for d := 1; d <= 300; d++ {
			if t, err := PublishedTruncated(d, 1, e, 0.25); err == nil {
				delta, _ := t.WorstDelta()
				c.XY = append(c.XY, [2]float64{float64(d), delta})
			}
		}
		if len(c.XY) > 0 && !slices.ContainsFunc(p.Curves, func(o Curve) bool { return o.Name == c.Name }) {
			p.Curves = append(p.Curves, c)
		}
	}
	return p
}

func adeptPlot() Plot {
	p := Plot{Title: "Pairs of latent vectors beyond the published sensitivity, 10,000 vectors a point", X: "dimensions", Y: "share of pairs"}
	for _, name := range []string{"uniform", "normal"} {
		c := Curve{Name: name}
		for n := 1; n <= 64; n += 1 + n/4 {
			component := AdeptLatents(rand.New(rand.NewPCG(1, uint64(n))))[name]
			c.XY = append(c.XY, [2]float64{float64(n), AdeptShare(n, 10000, 1, component)})
		}
		p.Curves = append(p.Curves, c)
	}
	return p
}

var plotColours = []string{"#1b6ca8", "#c0392b", "#2e8b57"}

// SVG draws the plot.
func (p Plot) SVG() string {
	const width, height, left, bottom, top = 640, 320, 60, 45, 30
	right, high := 0.0, 0.0
	for _, c := range p.Curves {
		for _, xy := range c.XY {
			right, high = max(right, xy[0]), max(high, xy[1])
		}
	}
	if right == 0 {
		right = 1
	}
	if high == 0 {
		high = 1
	}
	atX := func(x float64) float64 { return left + x/right*(width-left-15) }
	atY := func(y float64) float64 { return height - bottom - y/high*(height-bottom-top) }
	var b strings.Builder
	fmt.Fprintf(&b, `<svg viewBox="0 0 %d %d" role="img" xmlns="http://www.w3.org/2000/svg"><title>%s</title>`, width, height, escape(p.Title))
	for i := range 5 {
		x, y := right*float64(i)/4, high*float64(i)/4
		fmt.Fprintf(&b, `<line x1="%d" x2="%d" y1="%.1f" y2="%.1f" stroke="#ddd"/>`, left, width-15, atY(y), atY(y))
		fmt.Fprintf(&b, `<text x="%d" y="%.1f" text-anchor="end">%.3g</text>`, left-6, atY(y)+4, y)
		fmt.Fprintf(&b, `<text x="%.1f" y="%d" text-anchor="middle">%.3g</text>`, atX(x), height-bottom+16, x)
	}
	for i, c := range p.Curves {
		colour := plotColours[i%len(plotColours)]
		switch {
		case p.Bars:
			w := float64(width-left-15) / float64(len(c.XY)+1)
			for _, xy := range c.XY {
				fmt.Fprintf(&b, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`, atX(xy[0])-w/2, atY(xy[1]), w, float64(height-bottom)-atY(xy[1]), colour)
			}
		case c.Name == "":
			for _, xy := range c.XY {
				fmt.Fprintf(&b, `<circle cx="%.1f" cy="%.1f" r="1.6" fill="%s" fill-opacity="0.5"/>`, atX(xy[0]), atY(xy[1]), colour)
			}
		default:
			fmt.Fprintf(&b, `<polyline fill="none" stroke="%s" stroke-width="2" points="`, colour)
			for _, xy := range c.XY {
				fmt.Fprintf(&b, "%.1f,%.1f ", atX(xy[0]), atY(xy[1]))
			}
			fmt.Fprintf(&b, `"/><text x="%d" y="%d" fill="%s">%s</text>`, left+10, top+14*i, colour, escape(c.Name))
		}
	}
	fmt.Fprintf(&b, `<text x="%d" y="%d" text-anchor="middle">%s</text>`, (left+width)/2, height-8, escape(p.X))
	fmt.Fprintf(&b, `<text x="14" y="%d" text-anchor="middle" transform="rotate(-90 14 %d)">%s</text></svg>`, height/2, height/2, escape(p.Y))
	return b.String()
}
