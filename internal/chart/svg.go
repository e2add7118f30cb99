package chart

import (
	"fmt"
	"html"
	"strings"
)

// drawing is what can be drawn on a canvas of its size.
type drawing interface {
	name() string
	extent() (width, height int)
	draw(on canvas)
}

// SVG draws the sheet.
func (s Sheet) SVG() string { return svg(s) }

func svg(d drawing) string {
	width, height := d.extent()
	title := d.name()
	c := &svgCanvas{}
	fmt.Fprintf(c, `<svg viewBox="0 0 %d %d" role="img" xmlns="http://www.w3.org/2000/svg" font-family="sans-serif"><title>%s</title>`, width, height, html.EscapeString(title))
	d.draw(c)
	c.WriteString("</svg>\n")
	return c.String()
}

type svgCanvas struct{ strings.Builder }

func (c *svgCanvas) line(points [][2]float64, colour string, width, dash float64) {
	fmt.Fprintf(c, `<polyline fill="none" stroke="%s" stroke-width="%g"`, colour, width)
	if dash > 0 {
		fmt.Fprintf(c, ` stroke-dasharray="%g"`, dash)
	}
	c.WriteString(` points="`)
	for i, p := range points {
		if i > 0 {
			c.WriteByte(' ')
		}
		fmt.Fprintf(c, "%.1f,%.1f", p[0], p[1])
	}
	c.WriteString(`"/>`)
}

func (c *svgCanvas) disc(x, y, r float64, fill, stroke string) {
	fmt.Fprintf(c, `<circle cx="%.1f" cy="%.1f" r="%g" fill="%s"`, x, y, r, fill)
	if stroke != "" {
		fmt.Fprintf(c, ` stroke="%s" stroke-width="1.4"`, stroke)
	}
	c.WriteString("/>")
}

func (c *svgCanvas) rect(x, y, w, h float64, fill string) {
	fmt.Fprintf(c, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`, x, y, w, h, fill)
}

func (c *svgCanvas) text(x, y float64, anchor, colour, s string, size float64, upward bool) {
	if s == "" {
		return
	}
	fmt.Fprintf(c, `<text x="%.1f" y="%.1f" text-anchor="%s" fill="%s" font-size="%g"`, x, y, anchor, colour, size)
	if upward {
		fmt.Fprintf(c, ` transform="rotate(-90 %.1f %.1f)"`, x, y)
	}
	fmt.Fprintf(c, `>%s</text>`, html.EscapeString(s))
}
