package corpus

import (
	"fmt"
	"slices"
	"testing"
)

// What Distinct keeps, a Builder keeps, and the other way round.
func TestDistinctKeepsWhatABuilderKeeps(t *testing.T) {
	var texts []string
	for i := range 400 {
		texts = append(texts, fmt.Sprintf("my order number %d from shop %d did not arrive at the %s door and I called %d times", i/3, i%7, []string{"front", "back"}[i%2], i/5))
	}
	texts = append(texts, "Short one.", "short one", "two words", "...")
	d := NewDistinct(DefaultSimilar)
	var kept []string
	for _, text := range texts {
		if d.Add([]byte(text)) {
			kept = append(kept, text)
		}
	}
	c := build(t, texts, Options{Encoder: SIF, Table: tableOf(t), Clusters: -1})
	var built []string
	for i := range c.Len() {
		if text := c.Text(i); text != "..." { // without words, and so without runs
			built = append(built, text)
		}
	}
	if !slices.Equal(kept, built) || len(kept) == len(texts) || len(kept) < 50 {
		t.Errorf("%d texts, %d built of %d", len(kept), len(built), len(texts))
	}
}
