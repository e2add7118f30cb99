package report

import (
	"html/template"

	"github.com/sotto-dp/sotto/internal/chart"
)

// plot is a sheet as the page shows it: frames that wrap to the width of the window, below
// a legend.
type plot struct {
	Title  string
	Small  bool
	Legend []key
	Frames []template.HTML
}

// key is a line of a legend.
type key struct {
	Name, Colour string
	Style        string // the class that draws it: line, dashed or limit
}

const frameWidth, frameHeight = 420, 300

// plotOf draws each chart of a sheet by itself.
func plotOf(s chart.Sheet) plot {
	p := plot{Title: s.Title, Small: !s.Legend}
	width, height := frameWidth, frameHeight
	if p.Small {
		width, height = smallWidth, smallHeight
	} else {
		for _, series := range named(s.Charts) {
			p.Legend = append(p.Legend, keyOf(series))
		}
	}
	for _, c := range s.Charts {
		alone := chart.Sheet{Charts: []chart.Chart{c}, Columns: 1, Width: width, Height: height}
		if c.Title == "" {
			alone.Charts[0].Title = s.Title
		}
		p.Frames = append(p.Frames, template.HTML(alone.SVG())) //nolint:gosec // shapes and escaped text
	}
	return p
}

func keyOf(s chart.Series) key {
	k := key{Name: s.Name, Colour: chart.Colours[s.Colour%len(chart.Colours)], Style: "line"}
	switch s.Style {
	case chart.Hollow:
		k.Style = "dashed"
	case chart.Limit:
		k.Style, k.Colour = "limit", ""
	}
	return k
}
