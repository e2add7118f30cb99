package browser

import (
	"bytes"
	"flag"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"golang.org/x/image/draw"
)

var update = flag.Bool("update", false, "keep the pictures of the page as they are now")

// A picture of the page agrees with the kept one if few of its pixels differ. Both are made
// small first, and grey, so that the smoothing of letters makes no difference.
const (
	pictureWidth = 320
	// gross is the difference of two greys, of 255, that a person sees at once.
	gross = 48
	// mostDiffer is the share of pixels that may differ. A text that breaks into two lines
	// more moves a twentieth of them, a card that is missing or moved a tenth.
	mostDiffer = 0.08
	// mostHeight is the share by which the height of a page may differ: fonts break lines
	// in other places.
	mostHeight = 0.05
)

// The pictures show no draw: with RequireAccount and no account nothing is drawn, and the
// same page is the same picture.
func TestPicturesOfThePage(t *testing.T) {
	for _, c := range []struct {
		name, scheme string
		width        int64
		unit         string
	}{
		{"word-wide-light", "light", 1280, ""}, {"word-narrow-dark", "dark", 360, ""},
		{"text-wide-dark", "dark", 1280, "text"}, {"text-narrow-light", "light", 360, "text"},
		{"corpus-narrow-light", "light", 360, "corpus"},
	} {
		t.Run(c.name, func(t *testing.T) {
			v := openAt(t, server.Config{Ledger: budgets(t, map[string]string{"alice": "500"}), RequireAccount: true}, "/#word", c.width, 900,
				prefer("prefers-color-scheme", c.scheme, "prefers-reduced-motion", "reduce"))
			v.until("the words, their figures and the bars", `document.querySelectorAll('.word.undrawn').length > 10 && !document.getElementById('main').hasAttribute('aria-busy')
				&& document.getElementById('unchanged').textContent.includes('%') && !document.getElementById('bars').hidden && document.querySelector('#plot canvas')
				&& document.querySelectorAll('#exposed-words li').length === 5`)
			switch c.unit {
			case "text":
				v.whole()
			case "corpus":
				v.do(chromedp.Click(chromedp.CSS("#unit-corpus")))
				v.until("the command", `document.getElementById('corpus-card').checkVisibility()`)
			}
			v.do(chromedp.Evaluate[chromedp.Void](`document.activeElement.blur(); scrollTo(0, 0)`))
			full, err := png.Decode(bytes.NewReader(v.picture()))
			if err != nil {
				t.Fatal(err)
			}
			v.compare(c.name, small(full))
		})
	}
}

// small makes a picture grey, and half as wide or pictureWidth wide.
func small(full image.Image) *image.Gray {
	b := full.Bounds()
	width := min(pictureWidth, b.Dx()/2)
	to := image.NewGray(image.Rect(0, 0, width, b.Dy()*width/b.Dx()))
	draw.BiLinear.Scale(to, to.Bounds(), full, b, draw.Src, nil)
	return to
}

// compare compares a picture with the kept one.
func (v *visit) compare(name string, now *image.Gray) {
	v.t.Helper()
	path := filepath.Join("testdata", name+".png")
	if *update {
		var b bytes.Buffer
		if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&b, now); err != nil {
			v.t.Fatal(err)
		}
		if b.Len() > 150<<10 {
			v.t.Fatalf("the picture has %d bytes", b.Len())
		}
		if err := os.WriteFile(path, b.Bytes(), 0o644); err != nil {
			v.t.Fatal(err)
		}
		return
	}
	data, err := os.ReadFile(path)
	if err != nil {
		v.t.Fatal(err)
	}
	kept, err := png.Decode(bytes.NewReader(data))
	if err != nil {
		v.t.Fatal(err)
	}
	if differ, ok := agree(kept, now); !ok {
		v.shoot(name)
		v.t.Errorf("the page is not its kept picture: heights %d and %d, %.3f of the pixels differ; go test -run Pictures -update keeps the new one", kept.Bounds().Dy(), now.Bounds().Dy(), differ)
	}
}

// agree compares the part that two pictures have in common, and their heights.
func agree(a, b image.Image) (differ float64, ok bool) {
	high, low := max(a.Bounds().Dy(), b.Bounds().Dy()), min(a.Bounds().Dy(), b.Bounds().Dy())
	if a.Bounds().Dx() != b.Bounds().Dx() || float64(high-low) > mostHeight*float64(high) {
		return 1, false
	}
	n := 0
	for y := range low {
		for x := range a.Bounds().Dx() {
			p, q := color.GrayModel.Convert(a.At(x, y)).(color.Gray).Y, color.GrayModel.Convert(b.At(x, y)).(color.Gray).Y
			if max(p, q)-min(p, q) > gross {
				n++
			}
		}
	}
	differ = float64(n) / float64(low*a.Bounds().Dx())
	return differ, differ <= mostDiffer
}

// The comparison refuses what a person would.
func TestPicturesThatDifferAreRefused(t *testing.T) {
	page := func(ink uint8, cards ...int) *image.Gray {
		m := image.NewGray(image.Rect(0, 0, pictureWidth, 800))
		for i := range m.Pix {
			m.Pix[i] = 245
		}
		for _, top := range cards {
			for y := top; y < top+100; y++ {
				for x := 20; x < 300; x++ {
					m.SetGray(x, y, color.Gray{ink})
				}
			}
		}
		return m
	}
	kept := page(100, 50, 300, 600)
	for _, c := range []struct {
		name string
		now  image.Image
		want bool
	}{
		{"the same", page(100, 50, 300, 600), true},
		{"a shade", page(120, 50, 300, 600), true},
		{"a pixel lower", page(100, 51, 301, 601), true},
		{"a card less", page(100, 50, 300), false},
		{"a card moved", page(100, 50, 400, 600), false},
		{"other colours", page(200, 50, 300, 600), false},
		{"shorter", page(100, 50, 300, 600).SubImage(image.Rect(0, 0, pictureWidth, 700)), false},
	} {
		if differ, ok := agree(kept, c.now); ok != c.want {
			t.Errorf("%s: %.3f differ, agree is %v", c.name, differ, ok)
		}
	}
}
