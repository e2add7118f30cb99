package chart

// Interval is a value with its range of uncertainty.
type Interval struct {
	Label            string
	Value, Low, High float64
	Colour           int // index into Colours, modulo its length
}

// Intervals is a chart of named values, one per row: a disc on a bar from low to high. The
// common axis includes 0. Legend, if any, names the colours.
type Intervals struct {
	Title, X string
	Rows     []Interval
	Legend   []string // by colour
	Width    int
}

// SVG draws the intervals.
func (v Intervals) SVG() string { return svg(v) }

// PNG draws the intervals at twice their size in pixels.
func (v Intervals) PNG() ([]byte, error) { return rendered(v) }

const (
	rowHeight  = 20
	headHeight = 40
	legendRow  = 22
	footHeight = 46
	letter     = 6.4 // width of one, about
)

func (v Intervals) name() string { return v.Title }

func (v Intervals) extent() (width, height int) {
	height = headHeight + len(v.Rows)*rowHeight + footHeight
	if len(v.Legend) > 0 {
		height += legendRow
	}
	return v.Width, height
}

// axis returns the range of all intervals, 0 included.
func (v Intervals) axis() (low, high float64) {
	for _, r := range v.Rows {
		low, high = min(low, r.Low), max(high, r.High)
	}
	if high == low {
		high = low + 1
	}
	return low, high
}

func (v Intervals) draw(on canvas) {
	width, height := v.extent()
	on.rect(0, 0, float64(width), float64(height), "#ffffff")
	on.text(float64(width)/2, 22, "middle", ink, v.Title, textSize+2, false)
	top := float64(headHeight)
	if len(v.Legend) > 0 {
		v.legend(on, top)
		top += legendRow
	}
	left := 30.0
	for _, r := range v.Rows {
		left = max(left, 20+letter*float64(len([]rune(r.Label))))
	}
	left = min(left, float64(width)/2)
	right, bottom := float64(width)-24, top+float64(len(v.Rows)*rowHeight)
	low, high := v.axis()
	at := func(x float64) float64 { return left + (x-low)/(high-low)*(right-left) }
	for _, t := range around(low, high) {
		on.line([][2]float64{{at(t), top}, {at(t), bottom + 4}}, faint, 1, 0)
		on.text(at(t), bottom+18, "middle", ink, number(t), textSize, false)
	}
	on.line([][2]float64{{at(0), top}, {at(0), bottom}}, ink, 1, 0)
	on.text((left+right)/2, bottom+36, "middle", ink, v.X, textSize, false)
	for i, r := range v.Rows {
		y := top + (float64(i)+0.5)*rowHeight
		colour := Colours[r.Colour%len(Colours)]
		on.text(left-8, y+4, "end", ink, r.Label, textSize, false)
		on.line([][2]float64{{at(r.Low), y}, {at(r.High), y}}, colour, 2, 0)
		on.disc(at(r.Value), y, 3.5, colour, "")
	}
}

func (v Intervals) legend(on canvas, top float64) {
	x := 20.0
	for i, name := range v.Legend {
		on.disc(x, top+6, 4, Colours[i%len(Colours)], "")
		on.text(x+10, top+10, "start", ink, name, textSize, false)
		x += 34 + letter*float64(len([]rune(name)))
	}
}

// around returns round numbers from low, at most 0, to high, at least 0.
func around(low, high float64) []float64 {
	all := ticks(high - low)
	step := all[1]
	var list []float64
	for t := -step; t >= low; t -= step {
		list = append(list, t)
	}
	for t := 0.0; t <= high*(1+1e-9); t += step {
		list = append(list, t)
	}
	return list
}
