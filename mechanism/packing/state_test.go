package packing

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
)

// A resumed search is ahead of a new one, ends no farther from the limit, and its channel is certified like any other.
func TestSearchGoesOnFromItsState(t *testing.T) {
	table := oracle.RandomTable(t, 400, 12)
	const epsilon = 1.2
	var first float64 // value of the first judgement, ten sweeps after the beginning
	sweepsOf := func(e Effort) (last int, data []byte) {
		first = 0
		e.Solving = func(sweep int, value, _ float64) {
			if last = sweep; first == 0 {
				first = value
			}
		}
		data, err := compilePacking(context.Background(), table, epsilon, e)
		if err != nil {
			t.Fatal(err)
		}
		return last, data
	}
	var half, whole []byte
	begun, _ := sweepsOf(Effort{Gap: 0.05, Save: func(s []byte) error { half = s; return nil }})
	_, fresh := sweepsOf(Effort{Gap: 0.002, Save: func(s []byte) error { whole = s; return nil }})
	anew := first
	end, resumed := sweepsOf(Effort{Gap: 0.002, Resume: half})
	if end < begun {
		t.Errorf("sweeps go back from %d to %d", begun, end)
	}
	if sweepsOf(Effort{Gap: 0.002, Resume: whole}); first <= anew {
		t.Errorf("ten sweeps from a finished search reach %g, from nothing %g", first, anew)
	}
	for what, data := range map[string][]byte{"fresh": fresh, "resumed": resumed} {
		c, err := Read(data)
		if err != nil {
			t.Fatal(err)
		}
		if c.Loss().MetricHigh > epsilon*(1+1e-9) || c.Bound-c.Value > 0.0021*math.Min(c.Value, 1-c.Value) {
			t.Errorf("%s: certified %g, value %g of %g", what, c.Loss().MetricHigh, c.Value, c.Bound)
		}
	}
}

func TestForeignOrDamagedStateIsRefused(t *testing.T) {
	table := oracle.RandomTable(t, 40, 5)
	var state []byte
	effort := Effort{Gap: 0.1, Save: func(s []byte) error { state = s; return nil }}
	if _, err := compilePacking(context.Background(), table, 2, effort); err != nil {
		t.Fatal(err)
	}
	damaged := append([]byte(nil), state...)
	damaged[len(damaged)/2] ^= 1
	other := oracle.RandomTable(t, 41, 5)
	for says, try := range map[string]func() error{
		"is damaged": func() error {
			_, err := compilePacking(context.Background(), table, 2, Effort{Resume: damaged})
			return err
		},
		"not a state of a search": func() error {
			_, err := compilePacking(context.Background(), table, 2, Effort{Resume: []byte("text")})
			return err
		},
		"for another table": func() error {
			_, err := compilePacking(context.Background(), other, 2, Effort{Resume: state})
			return err
		},
		"for epsilon 2, not 3": func() error {
			_, err := compilePacking(context.Background(), table, 3, Effort{Resume: state})
			return err
		},
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("got %v, want an error that says %q", err, says)
		}
	}
	full := errors.New("disk full")
	if _, err := compilePacking(context.Background(), table, 2, Effort{Save: func([]byte) error { return full }}); !errors.Is(err, full) {
		t.Errorf("a state that cannot be kept gives %v", err)
	}
}

// Value and bound are sums of float32: where both are nearly 1 they meet to that
// precision long before they meet to a share of what moves, and the search ends.
func TestSearchEndsAtFloat32Precision(t *testing.T) {
	stage.Unraced(t)
	table := oracle.RandomTable(t, 300, 12)
	last := 0
	e := Effort{Solving: func(sweep int, value, bound float64) {
		if last = sweep; value > 0 && 1-value > 1e-4 {
			t.Errorf("the value is %g, the test wants one at which float32 counts", value)
		}
	}}
	data, err := compilePacking(context.Background(), table, 14, e)
	if err != nil {
		t.Fatal(err)
	}
	if last >= mostSweeps {
		t.Errorf("%d sweeps", last)
	}
	if c, err := Read(data); err != nil || c.Value < 0.99 {
		t.Errorf("the channel keeps %g, %v", c.Value, err)
	}
}
