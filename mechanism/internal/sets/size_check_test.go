package sets

import (
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
)

// A rule that gives a set of another size than the weights are certified for ends the run,
// for lists, for bitmaps, and for classes. At this epsilon a draw is from the set with a
// chance above 1 - 1e-9.
func TestSetsOfTheWrongSizeAreNotDrawnFrom(t *testing.T) {
	table := oracle.RandomTable(t, 300, 4)
	for name, k := range map[string]string{"list": "4", "bitmap": "40"} {
		for _, more := range []int{-1, 1} {
			m, err := neighboursEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 30, Parameters: map[string]string{"neighbours": k}})
			if err != nil {
				t.Fatal(err)
			}
			c := m.(*Words)
			words := []embedding.ID{7, 8, 9}
			if out, err := c.Replace(nil, words, nil); err != nil || len(out) != 3 {
				t.Fatalf("%s: sound sets give %v (%v)", name, out, err)
			}
			c.sets.(*nearestSets).rule.K += more
			words = append(words, 10)
			for range 2 {
				c.Prepare(t.Context(), words)
				if out, err := c.Replace([]embedding.ID{1}, words, nil); err == nil || !strings.Contains(err.Error(), "nothing is drawn from it") || len(out) != 1 {
					t.Errorf("%s of %+d: %d words and %v", name, more, len(out), err)
				}
				if _, err := c.Draw(10, noise.Seeded(1, 1)); err == nil {
					t.Errorf("%s of %+d: one draw is made", name, more)
				}
			}
			total := uint64(0)
			for _, w := range c.Weights(nil, 10) {
				total += w
			}
			if total == c.Total() {
				t.Errorf("%s of %+d: the row that is shown has the certified sum", name, more)
			}
		}
	}
	classes, err := NewClasses(t.Context(), table, 20)
	if err != nil {
		t.Fatal(err)
	}
	c, err := NewClassWords("classes", classes, 30)
	if err != nil {
		t.Fatal(err)
	}
	classes.of[7] = 20
	if out, err := c.Replace(nil, []embedding.ID{6, 7}, nil); err == nil || len(out) != 0 {
		t.Errorf("a class that is none: %d words and %v", len(out), err)
	}
}

func TestItemsBeyondTheLastAreRefused(t *testing.T) {
	for name, s := range map[string]*items{
		"list": {list: []uint32{1, 2, 70}}, "short list": {short: []uint16{1, 2, 70}}, "bitmap": {bits: []uint64{6, 1 << 6}},
		"long bitmap": {bits: []uint64{7, 0, 0}}, "short bitmap": {bits: []uint64{7}}, "few": {short: []uint16{1, 2}}, "none": {},
	} {
		if s.check(3, 70) == nil {
			t.Errorf("%s passes", name)
		}
	}
	for name, s := range map[string]*items{"list": {list: []uint32{1, 2, 69}}, "short list": {short: []uint16{1, 2, 69}}, "bitmap": {bits: []uint64{6, 1 << 5}}} {
		if err := s.check(3, 70); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if err := (&items{bits: []uint64{1 << 63}}).check(1, 64); err != nil {
		t.Error(err)
	}
}
