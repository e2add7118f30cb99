//go:build unix

package restore_test

import (
	"math/rand/v2"
	"syscall"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/language"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/noise"
	"github.com/sotto-dp/sotto/restore"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// BenchmarkNews restores words of news at epsilon 6 by a beam of 50. It reports words per
// second of processor time, which the load of a machine changes less than the time that
// passes.
func BenchmarkNews(b *testing.B) {
	m, columns, released := releasedNews(b, 200)
	d, err := restore.NewDecoder(m, columns, restore.Options{Beam: 50})
	if err != nil {
		b.Fatal(err)
	}
	perSecond(b, released, func(y []embedding.ID) error {
		l, err := d.Read(y, nil)
		if err == nil {
			l.MAP()
		}
		return err
	})
}

// BenchmarkNewsChances restores as BenchmarkNews does, with the chance of each word.
func BenchmarkNewsChances(b *testing.B) {
	m, columns, released := releasedNews(b, 20)
	r, err := restore.NewRestorer(m, columns, restore.Consensus, true)
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 1))
	perSecond(b, released, func(y []embedding.ID) error {
		_, _, err := r.Restore(y, rng)
		return err
	})
}

func perSecond(b *testing.B, released [][]embedding.ID, restore func(y []embedding.ID) error) {
	b.Helper()
	tokens := 0
	from := processorTime(b)
	for b.Loop() {
		for _, y := range released {
			if err := restore(y); err != nil {
				b.Fatal(err)
			}
			tokens += len(y)
		}
	}
	b.ReportMetric(float64(tokens)/(processorTime(b)-from).Seconds(), "words/cpu-s")
}

// releasedNews returns a model of news, and releases of some other texts with their
// columns.
func releasedNews(b *testing.B, texts int) (*language.Model, *restore.Channel, [][]embedding.ID) {
	b.Helper()
	const words = 10000
	table := small(b, words)
	tokenizer := tokenize.NewTokenizer(table)
	var prior, released [][]embedding.ID
	for _, x := range news(b, "train")[:13600] {
		ids, _ := tokenizer.Tokenize(nil, []byte(x))
		prior = append(prior, ids)
	}
	m := trained(b, table, prior, 3)
	channel := opened(b, table, "neighbours", 6, mechanism.Values{"neighbours": "74"})
	for i, x := range news(b, "test")[:texts] {
		ids, _ := tokenizer.Tokenize(nil, []byte(x))
		y, err := channel.Replace(nil, ids, noise.Seeded(uint64(i), 7))
		if err != nil {
			b.Fatal(err)
		}
		released = append(released, y)
	}
	return m, columns(b, channel, words, released...), released
}

func processorTime(b *testing.B) time.Duration {
	b.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
