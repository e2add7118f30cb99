package chart

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"math"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// pngScale is the number of image pixels per pixel of the sheet.
const pngScale = 2

// PNG draws the sheet at twice its size in pixels.
func (s Sheet) PNG() ([]byte, error) { return rendered(s) }

func rendered(d drawing) ([]byte, error) {
	parsed, err := opentype.Parse(goregular.TTF)
	if err != nil {
		return nil, err
	}
	width, height := d.extent()
	c := &pngCanvas{
		image: image.NewRGBA(image.Rect(0, 0, width*pngScale, height*pngScale)),
		font:  parsed, faces: map[float64]font.Face{},
		raster: vector.NewRasterizer(width*pngScale, height*pngScale),
	}
	d.draw(c)
	if c.err != nil {
		return nil, c.err
	}
	var out bytes.Buffer
	err = png.Encode(&out, c.image)
	return out.Bytes(), err
}

type pngCanvas struct {
	image  *image.RGBA
	raster *vector.Rasterizer
	font   *opentype.Font
	faces  map[float64]font.Face // by size
	err    error
}

// rgb reads "#rrggbb".
func rgb(name string) *image.Uniform {
	v, _ := strconv.ParseUint(name[1:], 16, 32) // colours are constants of this package
	return image.NewUniform(color.RGBA{uint8(v >> 16), uint8(v >> 8), uint8(v), 255})
}

func (c *pngCanvas) fill(colour string, polygon ...[2]float64) {
	b := c.image.Bounds()
	low, high := [2]float64{math.Inf(1), math.Inf(1)}, [2]float64{math.Inf(-1), math.Inf(-1)}
	for _, p := range polygon {
		for k := range 2 {
			low[k], high[k] = min(low[k], p[k]*pngScale), max(high[k], p[k]*pngScale)
		}
	}
	box := image.Rect(int(low[0])-1, int(low[1])-1, int(high[0])+2, int(high[1])+2).Intersect(b)
	if box.Empty() {
		return
	}
	c.raster.Reset(box.Dx(), box.Dy())
	for i, p := range polygon {
		x, y := float32(p[0]*pngScale)-float32(box.Min.X), float32(p[1]*pngScale)-float32(box.Min.Y)
		if i == 0 {
			c.raster.MoveTo(x, y)
		} else {
			c.raster.LineTo(x, y)
		}
	}
	c.raster.ClosePath()
	c.raster.Draw(c.image, box, rgb(colour), image.Point{})
}

func (c *pngCanvas) line(points [][2]float64, colour string, width, dash float64) {
	phase := 0.0 // how far along dashes and gaps
	for i := 1; i < len(points); i++ {
		from, to := points[i-1], points[i]
		dx, dy := to[0]-from[0], to[1]-from[1]
		length := math.Hypot(dx, dy)
		if length == 0 {
			continue
		}
		dx, dy = dx/length, dy/length
		piece := func(a, b float64) {
			nx, ny := -dy*width/2, dx*width/2
			x1, y1, x2, y2 := from[0]+a*dx, from[1]+a*dy, from[0]+b*dx, from[1]+b*dy
			c.fill(colour, [2]float64{x1 + nx, y1 + ny}, [2]float64{x2 + nx, y2 + ny}, [2]float64{x2 - nx, y2 - ny}, [2]float64{x1 - nx, y1 - ny})
		}
		if dash == 0 {
			piece(0, length)
			if i > 1 && width > 1 {
				c.disc(from[0], from[1], width/2, colour, "")
			}
			continue
		}
		for at := 0.0; at < length; {
			within := math.Mod(phase, 2*dash)
			on := within < dash
			step := dash - math.Mod(phase, dash)
			step = min(step, length-at)
			if on {
				piece(at, at+step)
			}
			at, phase = at+step+1e-9, phase+step+1e-9
		}
	}
}

func (c *pngCanvas) disc(x, y, r float64, fill, stroke string) {
	round := func(r float64, colour string) {
		const corners = 24
		var polygon [][2]float64
		for i := range corners {
			sin, cos := math.Sincos(2 * math.Pi * float64(i) / corners)
			polygon = append(polygon, [2]float64{x + r*cos, y + r*sin})
		}
		c.fill(colour, polygon...)
	}
	if stroke != "" {
		round(r+0.7, stroke)
		r -= 0.7
	}
	round(r, fill)
}

func (c *pngCanvas) rect(x, y, w, h float64, fill string) {
	c.fill(fill, [2]float64{x, y}, [2]float64{x + w, y}, [2]float64{x + w, y + h}, [2]float64{x, y + h})
}

func (c *pngCanvas) text(x, y float64, anchor, colour, s string, size float64, upward bool) {
	face, ok := c.faces[size]
	if !ok {
		var err error
		if face, err = opentype.NewFace(c.font, &opentype.FaceOptions{Size: size * pngScale, DPI: 72}); err != nil {
			c.err = err
			return
		}
		c.faces[size] = face
	}
	width := font.MeasureString(face, s).Ceil()
	back := 0
	switch anchor {
	case "middle":
		back = width / 2
	case "end":
		back = width
	}
	px, py := int(x*pngScale), int(y*pngScale)
	if !upward {
		d := font.Drawer{Dst: c.image, Src: rgb(colour), Face: face, Dot: fixed.P(px-back, py)}
		d.DrawString(s)
		return
	}
	m := face.Metrics()
	up, down := m.Ascent.Ceil(), m.Descent.Ceil()
	flat := image.NewRGBA(image.Rect(0, 0, width, up+down))
	d := font.Drawer{Dst: flat, Src: rgb(colour), Face: face, Dot: fixed.P(0, up)}
	d.DrawString(s)
	turned := image.NewRGBA(image.Rect(0, 0, up+down, width))
	for v := range up + down {
		for u := range width {
			turned.Set(v, width-1-u, flat.At(u, v))
		}
	}
	// The baseline, at column up, is at x; the text runs upwards from y.
	at := image.Pt(px-up, py+back-width)
	draw.Draw(c.image, turned.Bounds().Add(at), turned, image.Point{}, draw.Over)
}
