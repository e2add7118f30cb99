package packing

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/shortcut"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/internal/oracle"
	"github.com/sotto-dp/sotto/noise"
)

// Random pairs of rows of every channel that ships keep its promise at every output. What its file says is
// certified again, at every change for one of them.
func TestShippedChannelsHoldWhatTheirFilesSay(t *testing.T) {
	stage.Unraced(t)
	table := oracle.EnglishFirst(t, Words)
	ready := shippedEpsilons(table, "packing")
	if len(ready) != 5 {
		t.Fatalf("channels ship at %v, want five", ready)
	}
	rng, all := rand.New(rand.NewPCG(8, 9)), stage.Runs(stage.Figures)
	for _, epsilon := range ready {
		m, err := packingEntry.New(t.Context(), table, mechanism.Spec{Epsilon: epsilon})
		if err != nil {
			t.Fatal(err)
		}
		channel := m.(*packedChannel)
		if channel.Loss().MetricHigh > epsilon {
			t.Errorf("at %g the file says %g", epsilon, channel.Loss().MetricHigh)
		}
		for range 60 {
			x, z := embedding.ID(rng.IntN(table.Len())), embedding.ID(rng.IntN(table.Len()))
			d := table.Distance(x, z)
			if d == 0 {
				continue
			}
			p, q := channel.Weights(nil, x), channel.Weights(nil, z)
			sum := uint64(0)
			for y := range p {
				sum += p[y]
				if (p[y] == 0) != (q[y] == 0) {
					t.Fatalf("at %g output %d is possible for one of words %d and %d only", epsilon, y, x, z)
				}
				if p[y] > 0 && math.Abs(math.Log(float64(p[y])/float64(q[y]))) > epsilon*d*(1+1e-12) {
					t.Fatalf("at %g words %d and %d differ by more than %g per unit at output %d", epsilon, x, z, epsilon, y)
				}
			}
			if sum != channel.total() {
				t.Fatalf("at %g row %d sums to %d", epsilon, x, sum)
			}
		}
		if epsilon != 2 && !all {
			continue
		}
		loss, err := channel.Certify(context.Background(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if loss != channel.Loss() {
			t.Errorf("at %g a new certificate finds %+v, the file says %+v", epsilon, loss, channel.Loss())
		}
	}
}

func TestBetweenGridPointsTheLowerChannelIsUsedAndNamed(t *testing.T) {
	table := oracle.EnglishFirst(t, Words)
	m, err := packingEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 1.4})
	if err != nil {
		t.Fatal(err)
	}
	if got := m.Claim().Epsilon; got != 1.25 {
		t.Errorf("asked for 1.4 the claim is %g, want 1.25", got)
	}
	if _, err := packingEntry.New(t.Context(), table, mechanism.Spec{Epsilon: 0.9}); err == nil {
		t.Error("0.9 opens, below every channel that ships")
	}
}

func BenchmarkOpenShippedPacking(b *testing.B) {
	table := oracle.EnglishFirst(b, Words)
	for range b.N {
		if _, err := packingEntry.New(b.Context(), table, mechanism.Spec{Epsilon: 1}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPackingBesideTEM(b *testing.B) {
	table := oracle.EnglishFirst(b, Words)
	rng := rand.New(rand.NewPCG(1, 1))
	words := make([]embedding.ID, 20000)
	for i := range words { // frequent words come often, as in text
		words[i] = embedding.ID(math.Pow(float64(table.Len()), rng.Float64()) - 1)
	}
	for _, entry := range []mechanism.Entry{temEntry, packingEntry} {
		b.Run(entry.Name, func(b *testing.B) {
			m, err := entry.New(b.Context(), table, mechanism.Spec{Epsilon: 1.25, Published: true})
			if err != nil {
				b.Fatal(err)
			}
			m.(shortcut.Preparer).Prepare(b.Context(), words)
			source := noise.Secure()
			var dst []embedding.ID
			for b.Loop() {
				if dst, err = m.Replace(dst[:0], words, source); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N)*float64(len(words))/b.Elapsed().Seconds(), "words/s")
		})
	}
}
