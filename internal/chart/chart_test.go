package chart

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"image/png"
	"io"
	"math"
	"strings"
	"testing"
)

func sheet() Sheet {
	xy := [][2]float64{{0.5, 0.1}, {1, 0.4}, {4, 0.9}}
	return Sheet{Title: "a <b> & c", Columns: 2, Width: 320, Height: 240, Legend: true, Charts: []Chart{
		{Title: "lines", X: "x", Y: "y", Series: []Series{{Name: "limit", Style: Limit, XY: xy}, {Name: "one", Style: Marked, XY: xy}, {Name: "two", Style: Hollow, Colour: 1, XY: xy}, {Name: "others", Style: Context, XY: xy}}},
		{Title: "logarithmic", X: "x", Y: "y", LogX: true, Series: []Series{{Name: "one", Style: Line, XY: [][2]float64{{0.01, 1}, {100, 3}, {math.NaN(), 1}}}}},
		{Title: "bars", Series: []Series{{Style: Columns, XY: xy}, {Style: Dots, XY: xy}}},
		{Title: "nothing"},
	}}
}

func TestSheetIsWellFormedSVG(t *testing.T) {
	text := sheet().SVG()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, bad := range []string{"NaN", "Inf", "<script", "<b>"} {
		if strings.Contains(text, bad) {
			t.Errorf("the drawing holds %q", bad)
		}
	}
	// Each series is named once, whatever the number of charts it is in.
	if n := strings.Count(text, ">one</text>"); n != 1 {
		t.Errorf("the legend names a series %d times", n)
	}
}

// Rings are drawn at the points that are given, also where others are not drawn, and for
// lines of either style.
func TestRingsAreThePointsThatAreGiven(t *testing.T) {
	xy := [][2]float64{{1, 0.1}, {0, 0.2}, {3, 0.4}} // 0 is not on a logarithmic axis
	for _, style := range []Style{Marked, Hollow} {
		for _, c := range []struct {
			rings []bool
			want  int
		}{{nil, map[Style]int{Marked: 0, Hollow: 2}[style]}, {[]bool{false, true, true}, 1}, {[]bool{false, true, false}, 0}} {
			text := Sheet{Width: 320, Height: 240, Charts: []Chart{{LogX: true, Series: []Series{{Style: style, XY: xy, Rings: c.rings}}}}}.SVG()
			points, rings := strings.Count(text, "<circle"), strings.Count(text, `fill="#ffffff" stroke="`+Colours[0]+`"`)
			if points != 2 || rings != c.want {
				t.Errorf("style %d, rings %v: %d points, %d rings, want %d", style, c.rings, points, rings, c.want)
			}
		}
	}
}

func TestSheetIsAPNGOfTwiceItsSizeWithItsColours(t *testing.T) {
	data, err := sheet().PNG()
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	width, height, _ := sheet().size()
	if b := img.Bounds(); b.Dx() != 2*width || b.Dy() != 2*height {
		t.Errorf("%v, want %d x %d", b, 2*width, 2*height)
	}
	seen := map[[3]uint32]int{}
	for y := range img.Bounds().Dy() {
		for x := range img.Bounds().Dx() {
			r, g, b, _ := img.At(x, y).RGBA()
			seen[[3]uint32{r >> 8, g >> 8, b >> 8}]++
		}
	}
	for name, colour := range map[string][3]uint32{"series one": {0, 0x72, 0xb2}, "series two": {0xd5, 0x5e, 0}, "limits": {0x99, 0x99, 0x99}, "text": {0x22, 0x22, 0x22}} {
		if seen[colour] < 20 {
			t.Errorf("%s: %d pixels of its colour", name, seen[colour])
		}
	}
}

func TestIntervalsShowEveryRowOnOneAxis(t *testing.T) {
	v := Intervals{Title: "counts", X: "count", Width: 600, Legend: []string{"one & only", "two"}, Rows: []Interval{{"alpha", 10, 5, 15, 0}, {"<beta>", 2, -3, 7, 1}, {"gamma", 0, 0, 0, 0}}}
	text := v.SVG()
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []string{">alpha<", ">&lt;beta&gt;<", ">one &amp; only<", ">0<", ">15<"} {
		if !strings.Contains(text, want) {
			t.Errorf("the drawing lacks %s", want)
		}
	}
	// From -3 to 15, the value 10 of the first row lies at 13/18 of the axis.
	left, right := 20+letter*6, 600.0-24
	if want := fmt.Sprintf(`<circle cx="%.1f"`, left+13.0/18*(right-left)); !strings.Contains(text, want) {
		t.Errorf("no disc at %s", want)
	}
	if _, err := v.PNG(); err != nil {
		t.Error(err)
	}
	if text := (Intervals{Width: 300}).SVG(); strings.Contains(text, "NaN") {
		t.Error("nothing to show is drawn as NaN")
	}
}

func TestTicksAreRoundAndFew(t *testing.T) {
	for _, high := range []float64{1, 0.37, 9.99, 24, 1e-5, 12345} {
		list := ticks(high)
		if len(list) < 3 || len(list) > 8 || list[0] != 0 || list[len(list)-1] > high*(1+1e-9) {
			t.Errorf("up to %g: %v", high, list)
		}
	}
}
