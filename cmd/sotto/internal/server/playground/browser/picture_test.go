package browser

import (
	"bytes"
	"image/png"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server"
	"github.com/sotto-dp/sotto/corpus"
)

// The picture of the README, as the page opens on a terminal: scripts/picture keeps its
// upper part. Nobody wrote this text.
func TestPictureOfTheReadme(t *testing.T) {
	english, err := corpus.Find(corpus.EnglishName)
	if err != nil {
		t.Fatal(err)
	}
	support, err := corpus.Find("support")
	if err != nil {
		t.Fatal(err)
	}
	v := openAt(t, server.Config{Corpora: []*corpus.Corpus{english, support}}, "/", 1200, 700)
	v.set()
	if v.write("My order 12345 has not arrived and nobody answers the phone."); value[string](v, `document.getElementById('corpus').value`) != "support" {
		t.Error("the page does not begin with the corpus of a field")
	}
	v.set()
	v.shoot("readme")
}

// shoot saves a picture of the whole page.
func (v *visit) shoot(name string) {
	v.t.Helper()
	dir := os.Getenv("SOTTO_SCREENSHOTS")
	if dir == "" {
		dir = v.t.ArtifactDir()
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		v.t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, name+".png"), v.picture(), 0o644); err != nil {
		v.t.Fatal(err)
	}
}

// picture takes a PNG picture of the whole page. The browser takes pictures of the last
// frame that it composed, which on a busy machine may be of the page before its last
// change: so it waits for a frame, and for a picture as high as the page.
func (v *visit) picture() []byte {
	v.t.Helper()
	for range 100 {
		high, err := chromedp.Run(v.ctx, chromedp.Evaluate[int](`new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(document.documentElement.scrollHeight))))`, await))
		if err != nil {
			v.t.Fatal(err)
		}
		shot, err := chromedp.Run(v.ctx, chromedp.FullScreenshot(100))
		if err != nil {
			v.t.Fatal(err)
		}
		size, err := png.DecodeConfig(bytes.NewReader(shot))
		if err != nil {
			v.t.Fatal(err)
		}
		if size.Height == high {
			return shot
		}
		time.Sleep(40 * time.Millisecond)
	}
	v.t.Fatal("no picture is as high as the page")
	return nil
}
