package grammar_test

import (
	"os"
	"path"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/corpora/internal/grammar"
)

// Every field of the repository can be drawn from, and says how many texts it gives.
func TestFieldsOfTheRepositoryHaveNoFault(t *testing.T) {
	folder := os.DirFS("../..")
	entries, err := os.ReadDir("../..")
	if err != nil {
		t.Fatal(err)
	}
	fields := 0
	for _, e := range entries {
		if _, err := os.Stat(path.Join("../..", e.Name(), "about.txt")); err != nil {
			continue
		}
		fields++
		g, err := grammar.Read(folder, e.Name())
		if err != nil {
			t.Errorf("%s: %v", e.Name(), err)
			continue
		}
		if n, err := strconv.Atoi(g.About("texts")); err != nil || n < 12000 {
			t.Errorf("%s: %s texts, want 12000 or more", e.Name(), g.About("texts"))
		}
		heads := map[string]bool{}
		for _, frame := range g.Frames() {
			words := strings.Fields(frame)
			heads[strings.Join(words[:min(2, len(words))], " ")] = true
		}
		if len(heads) < 300 {
			t.Errorf("%s: the frames begin in %d ways, want 300 or more", e.Name(), len(heads))
		}
		if _, frames, _, _ := g.Counts(); frames < 500 {
			t.Errorf("%s: %d frames, want 500 or more", e.Name(), frames)
		}
		draws := g.Draws(1)
		for range 2000 {
			text := draws.Next()
			faults := grammar.Faults(text)
			if g.About("language") == "en" {
				faults = append(faults, grammar.ArticleFaults(text)...)
			}
			for _, f := range faults {
				t.Errorf("%s: %s", e.Name(), f)
			}
		}
	}
	if fields == 0 {
		t.Error("there are no fields")
	}
}
