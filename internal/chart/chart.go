// Package chart draws small charts from one description, as SVG (plain shapes and
// text, no script) and as PNG. The reports of audit and tune, and those of lab, are
// drawn with it.
package chart

import (
	"fmt"
	"math"
	"strconv"
)

// Style is how a series is drawn.
type Style int

// The styles.
const (
	Dots    Style = iota // a dot for each point
	Line                 // a line through the points
	Marked               // a line with a disc at each point
	Hollow               // a dashed line with a ring at each point
	Limit                // a thick grey line: a limit
	Columns              // a bar for each point
	Context              // a thin grey line: what the other series are compared with
)

// Series is one named set of points (x, y).
type Series struct {
	Name   string
	Style  Style
	Colour int // index into Colours, modulo its length
	XY     [][2]float64
	// Rings says which points of a line are drawn as rings, the others as discs; nil means
	// those of a Hollow line.
	Rings []bool
}

// Chart is a set of series over common axes. The axes begin at 0, except that a logarithmic
// x axis begins at the smallest x above 0.
type Chart struct {
	Title, X, Y string
	LogX        bool
	Series      []Series
}

// Sheet is a grid of charts under one legend.
type Sheet struct {
	Title         string
	Charts        []Chart
	Columns       int // at least 1
	Width, Height int // of one chart
	Legend        bool
}

// Colours can be distinguished in print and by colour-blind readers (Okabe and Ito's).
var Colours = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7a5195", "#444444"}

const (
	ink, faint, limitColour, contextColour = "#222222", "#dddddd", "#999999", "#c4c4c4"

	textSize = 11.0
	tickRoom = 26.0 // least distance of two ticks on a logarithmic axis
)

// canvas is the drawing surface of a sheet. Lengths are in pixels, and y points down.
type canvas interface {
	line(points [][2]float64, colour string, width, dash float64)
	disc(x, y, r float64, fill, stroke string)
	rect(x, y, w, h float64, fill string)
	// text is placed by its baseline; anchor is start, middle or end.
	text(x, y float64, anchor, colour, s string, size float64, upward bool)
}

// size of the whole sheet, and the height of its head.
func (s Sheet) size() (width, height, head int) {
	columns := max(1, s.Columns)
	rows := (len(s.Charts) + columns - 1) / columns
	if s.Title != "" {
		head += 28
	}
	if s.Legend {
		head += 22
	}
	return s.Width * columns, head + s.Height*rows, head
}

func (s Sheet) name() string {
	if s.Title == "" && len(s.Charts) > 0 {
		return s.Charts[0].Title
	}
	return s.Title
}

func (s Sheet) extent() (width, height int) {
	width, height, _ = s.size()
	return width, height
}

func (s Sheet) draw(c canvas) {
	width, height, head := s.size()
	c.rect(0, 0, float64(width), float64(height), "#ffffff")
	if s.Title != "" {
		c.text(float64(width)/2, 20, "middle", ink, s.Title, textSize+3, false)
	}
	if s.Legend {
		s.legend(c, float64(width), float64(head)-8)
	}
	columns := max(1, s.Columns)
	for i, chart := range s.Charts {
		chart.draw(c, float64(i%columns*s.Width), float64(head+i/columns*s.Height), float64(s.Width), float64(s.Height))
	}
}

// legend names each series once, in one line.
func (s Sheet) legend(c canvas, width, y float64) {
	var once []Series
	seen := map[string]bool{}
	total := 0.0
	wide := func(name string) float64 { return 34 + 6.2*float64(len(name)) + 14 }
	for _, chart := range s.Charts {
		for _, series := range chart.Series {
			if series.Name != "" && !seen[series.Name] {
				seen[series.Name] = true
				once = append(once, series)
				total += wide(series.Name)
			}
		}
	}
	x := max(8, (width-total)/2)
	for _, series := range once {
		series.XY, series.Rings = [][2]float64{{x, y - 4}, {x + 14, y - 4}, {x + 28, y - 4}}, nil
		series.draw(c, 0)
		c.text(x+34, y, "start", ink, series.Name, textSize, false)
		x += wide(series.Name)
	}
}

// frame is the position and range of a chart's axes.
type frame struct {
	left, top, right, bottom float64
	lowX, highX, highY       float64
	logX                     bool
}

func (f frame) at(xy [2]float64) [2]float64 {
	x := (xy[0] - f.lowX) / (f.highX - f.lowX)
	if f.logX {
		x = math.Log(xy[0]/f.lowX) / math.Log(f.highX/f.lowX)
	}
	return [2]float64{f.left + x*(f.right-f.left), f.bottom - xy[1]/f.highY*(f.bottom-f.top)}
}

func (c Chart) frame(x, y, width, height float64) frame {
	f := frame{left: x + 62, top: y + 30, right: x + width - 16, bottom: y + height - 42, logX: c.LogX, lowX: math.Inf(1)}
	for _, s := range c.Series {
		for _, p := range s.XY {
			f.highX, f.highY = max(f.highX, p[0]), max(f.highY, p[1])
			if p[0] > 0 {
				f.lowX = min(f.lowX, p[0])
			}
		}
	}
	if f.highX <= 0 {
		f.highX = 1
	}
	if f.highY <= 0 {
		f.highY = 1
	}
	if !c.LogX || !(f.lowX < f.highX) {
		f.lowX, f.logX = 0, false
	}
	return f
}

func (c Chart) draw(on canvas, x, y, width, height float64) {
	f := c.frame(x, y, width, height)
	on.text((f.left+f.right)/2, y+18, "middle", ink, c.Title, textSize+1, false)
	for _, v := range ticks(f.highY) {
		at := f.at([2]float64{f.highX, v})[1]
		on.line([][2]float64{{f.left, at}, {f.right, at}}, faint, 1, 0)
		on.text(f.left-6, at+4, "end", ink, number(v), textSize, false)
	}
	for _, v := range f.ticksX() {
		at := f.at([2]float64{v, 0})[0]
		on.line([][2]float64{{at, f.bottom}, {at, f.bottom + 4}}, ink, 1, 0)
		on.text(at, f.bottom+16, "middle", ink, number(v), textSize, false)
	}
	on.line([][2]float64{{f.left, f.bottom}, {f.right, f.bottom}}, ink, 1, 0)
	on.text((f.left+f.right)/2, y+height-10, "middle", ink, c.X, textSize, false)
	on.text(x+14, (f.top+f.bottom)/2, "middle", ink, c.Y, textSize, true)
	for _, s := range c.Series {
		moved := s
		moved.XY, moved.Rings = nil, nil
		for i, p := range s.XY {
			q := f.at(p)
			if math.IsNaN(q[0]+q[1]) || math.IsInf(q[0]+q[1], 0) {
				continue
			}
			moved.XY = append(moved.XY, q)
			if s.Rings != nil {
				moved.Rings = append(moved.Rings, s.Rings[i])
			}
		}
		moved.draw(on, f.bottom)
	}
}

// draw draws a series whose points are in canvas coordinates; bars begin at floor.
func (s Series) draw(on canvas, floor float64) {
	colour := Colours[s.Colour%len(Colours)]
	switch s.Style {
	case Line, Marked:
		on.line(s.XY, colour, 2, 0)
	case Hollow:
		on.line(s.XY, colour, 1.2, 4)
	case Limit:
		on.line(s.XY, limitColour, 4, 0)
	case Context:
		on.line(s.XY, contextColour, 1, 0)
	}
	for i, p := range s.XY {
		switch s.Style {
		case Dots:
			on.disc(p[0], p[1], 1.6, colour, "")
		case Marked, Hollow:
			ring := s.Style == Hollow
			if s.Rings != nil {
				ring = s.Rings[i]
			}
			if ring {
				on.disc(p[0], p[1], 3, "#ffffff", colour)
			} else {
				on.disc(p[0], p[1], 3, colour, "")
			}
		case Columns:
			w := 4.0
			if i > 0 {
				w = p[0] - s.XY[i-1][0]
			} else if len(s.XY) > 1 {
				w = s.XY[1][0] - p[0]
			}
			on.rect(p[0]-w*0.47, p[1], w*0.94, floor-p[1], colour)
		}
	}
}

// ticks returns about five round numbers from 0 to high.
func ticks(high float64) []float64 {
	step := math.Pow(10, math.Floor(math.Log10(high)))
	for _, part := range []float64{0.1, 0.2, 0.25, 0.5, 1, 2} {
		if high/(step*part) <= 6 {
			step *= part
			break
		}
	}
	var list []float64
	for i := 0; float64(i)*step <= high*(1+1e-9); i++ {
		list = append(list, float64(i)*step)
	}
	return list
}

func (f frame) ticksX() []float64 {
	if !f.logX {
		return ticks(f.highX)
	}
	list := f.marks(1, 2, 5)
	if f.highX/f.lowX > 300 || float64(len(list))*tickRoom > f.right-f.left {
		list = f.marks(1)
	}
	if len(list) < 2 {
		return []float64{f.lowX, f.highX}
	}
	return list
}

// marks returns the products of these numbers and powers of ten that are on the x axis.
func (f frame) marks(numbers ...float64) (list []float64) {
	for e := math.Floor(math.Log10(f.lowX)); e <= math.Log10(f.highX); e++ {
		for _, m := range numbers {
			if v := m * math.Pow(10, e); v >= f.lowX*(1-1e-9) && v <= f.highX*(1+1e-9) {
				list = append(list, v)
			}
		}
	}
	return list
}

func number(v float64) string {
	if a := math.Abs(v); a != 0 && (a < 1e-4 || a >= 1e6) {
		return fmt.Sprintf("%.0e", v)
	}
	return strconv.FormatFloat(v, 'g', 4, 64)
}
