// Command picture makes docs/howto/playground.png: the upper part of the service's page in
// a headless Chromium, with the 256 most common colours. It needs Chromium, and runs in the
// root of the repository.
//
//	go run ./scripts/picture
package main

import (
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
)

const (
	tests   = "cmd/sotto/internal/server/playground/browser"
	picture = "docs/howto/playground.png"
	height  = 1260 // pixels: down to the private copy
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "picture:", err)
		os.Exit(1)
	}
}

func run() error {
	dir, err := os.MkdirTemp("", "picture")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir) //nolint:errcheck // a folder of this process
	test := exec.Command("go", "test", "-count=1", "-run", "TestPictureOfTheReadme", ".")
	test.Dir, test.Env = tests, append(os.Environ(), "SOTTO_SCREENSHOTS="+dir)
	if out, err := test.CombinedOutput(); err != nil {
		return fmt.Errorf("%w\n%s", err, out)
	}
	f, err := os.Open(filepath.Join(dir, "readme.png"))
	if err != nil {
		return fmt.Errorf("%w: the test skips where there is no Chromium", err)
	}
	defer f.Close() //nolint:errcheck // read only
	page, err := png.Decode(f)
	if err != nil {
		return err
	}
	out, err := os.Create(picture)
	if err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestCompression}
	if err := encoder.Encode(out, reduced(page, height)); err != nil {
		return err
	}
	return out.Close()
}

// reduced returns the upper part of a picture in its 256 most common colours. Rarer
// colours, from the edges of letters, become the nearest of these.
func reduced(page image.Image, height int) *image.Paletted {
	area := page.Bounds()
	area.Max.Y = min(area.Max.Y, area.Min.Y+height)
	count := map[color.RGBA]int{}
	for y := area.Min.Y; y < area.Max.Y; y++ {
		for x := area.Min.X; x < area.Max.X; x++ {
			count[color.RGBAModel.Convert(page.At(x, y)).(color.RGBA)]++
		}
	}
	common := slices.SortedFunc(maps.Keys(count), func(a, b color.RGBA) int {
		return cmp.Or(count[b]-count[a], cmp.Compare(a.R, b.R), cmp.Compare(a.G, b.G), cmp.Compare(a.B, b.B))
	})
	palette := make(color.Palette, min(256, len(common)))
	for i := range palette {
		palette[i] = common[i]
	}
	small := image.NewPaletted(area, palette)
	draw.Draw(small, area, page, area.Min, draw.Src)
	return small
}
