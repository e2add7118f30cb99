package embedding

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/embedding/internal/f32"
)

// BenchmarkNearest reports the rate of the whole exact search, counted as two
// operations a component, beside the peak of the same goroutines measured just
// before.
func BenchmarkNearest(b *testing.B) {
	const batch = 64
	for _, dim := range []int{100, 300} {
		r := rand.New(rand.NewPCG(1, 1))
		vectors := make([]float32, 20000*dim)
		for i := range vectors {
			vectors[i] = float32(r.NormFloat64())
		}
		table, err := New(Source{Words: numbered(20000), Dim: dim, Vectors: vectors, Unknown: "w0"})
		if err != nil {
			b.Fatal(err)
		}
		var queries []float32
		for range batch {
			at := len(queries)
			queries = table.Vector(queries, ID(r.IntN(table.Len())))
			for k := range queries[at:] {
				queries[at+k] += float32(r.NormFloat64())
			}
		}
		for _, k := range f32.All() {
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("dim=%d/%s/threads=%d", dim, k.Name, threads), func(b *testing.B) {
					x := newIndex(table, k)
					peak := onEach(threads, func() float64 {
						start := time.Now()
						flops := k.Peak(1 << 30)
						return float64(flops) / time.Since(start).Seconds()
					})
					b.ResetTimer()
					start := time.Now()
					onEach(threads, func() float64 {
						var s Scratch
						ids := make([]ID, batch)
						for range b.N {
							x.Nearest(ids, queries, &s)
						}
						return 0
					})
					queries := float64(threads * b.N * batch)
					rate := queries * 2 * float64(table.Len()*dim) / time.Since(start).Seconds()
					b.ReportMetric(rate/1e9, "GFLOP/s")
					b.ReportMetric(queries/time.Since(start).Seconds(), "queries/s")
					if peak > 0 {
						b.ReportMetric(peak/1e9, "peak-GFLOP/s")
						b.ReportMetric(100*rate/peak, "%peak")
					}
				})
			}
		}
	}
}

// onEach runs do on some goroutines at a time and adds up what they return.
func onEach(threads int, do func() float64) (sum float64) {
	var wait sync.WaitGroup
	var lock sync.Mutex
	for range threads {
		wait.Go(func() {
			v := do()
			lock.Lock()
			defer lock.Unlock()
			sum += v
		})
	}
	wait.Wait()
	return sum
}
