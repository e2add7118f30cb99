package ledgertest

import (
	"crypto/sha256"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/sotto-dp/sotto/ledger"
)

// Benchmark measures charges: b.N of them by one caller or by 64 at once, each
// with its next charge when the last is on stable storage. "keyed" does the work of one
// request of the service: a charge under a key, and storing its answer.
func Benchmark(b *testing.B, place func(b *testing.B) Place) {
	for _, callers := range []int{1, 64} {
		for _, answered := range []bool{false, true} {
			name := fmt.Sprintf("callers=%d", callers)
			if answered {
				name += "/keyed"
			}
			b.Run(name, func(b *testing.B) { load(b, place(b), callers, answered) })
		}
	}
	b.Run("verify", func(b *testing.B) { verifying(b, place(b)) })
}

// verifying measures Verify on charges under keys with their answers.
func verifying(b *testing.B, p Place) {
	l := p.open(b, nil)
	grant(b, l, "account-0", units(1<<62), 0)
	const charges = 5000
	var wg sync.WaitGroup
	for w := range 50 {
		wg.Go(func() {
			for i := range charges / 50 {
				c := keyed("account-0", fmt.Sprintf("key-%d-%d", w, i), "request")
				_, err := l.Charge(b.Context(), c)
				if err == nil {
					_, err = l.Answer(b.Context(), c.Account, c.Key, make([]byte, 120))
				}
				if err != nil {
					b.Error(err)
				}
			}
		})
	}
	wg.Wait()
	b.ResetTimer()
	entries := int64(0)
	for range b.N {
		entries += verifies(b, l).Head.Seq
	}
	b.ReportMetric(float64(entries)/b.Elapsed().Seconds(), "entries/s")
}

func load(b *testing.B, p Place, callers int, answered bool) {
	l := p.open(b, nil)
	for a := range 16 {
		grant(b, l, fmt.Sprint("account-", a), units(1<<62), 0)
	}
	answer := make([]byte, 120) // twenty words
	var next atomic.Int64
	var wg sync.WaitGroup
	b.ResetTimer()
	for range callers {
		wg.Go(func() {
			for i := next.Add(1); i <= int64(b.N); i = next.Add(1) {
				c := ledger.Charge{Account: fmt.Sprint("account-", i%16), Cost: units(20e9)}
				if answered {
					c.Key = fmt.Sprintf("5f1c0b6e-7d0e-4c53-9a43-%012d", i)
					c.Request = sha256.Sum256([]byte(c.Key))
				}
				_, err := l.Charge(b.Context(), c)
				if err == nil && answered {
					_, err = l.Answer(b.Context(), c.Account, c.Key, answer)
				}
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	wg.Wait()
	b.StopTimer()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "charges/s")
	verifies(b, l)
}
