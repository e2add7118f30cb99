package synthesis

import (
	"math"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/sotto-dp/sotto/corpus"
)

// BenchmarkVote votes for texts of 30 words with the embedded corpus, in all clusterings.
func BenchmarkVote(b *testing.B) {
	c, err := corpus.English()
	if err != nil {
		b.Fatal(err)
	}
	p := planOf(b, Options{Corpus: c, Epsilon: 1, Columns: []Column{labels(b, "label", "sport", "money")}})
	var text []byte
	for i := range 6 {
		text = append(text, "the patient team trade a market "...)
		text = append(text, sentence(i%4, i)[:5]...)
		text = append(text, ' ')
	}
	records := make([]Record, recordsAtOnce)
	for i := range records {
		records[i] = Record{Text: append(text, byte('a'+i%26)), Labels: [][]byte{[]byte("sport")}}
	}
	counts := p.NewCounts()
	for b.Loop() {
		counts.Add(p.Vote(records))
	}
	b.ReportMetric(float64(b.N)*recordsAtOnce/b.Elapsed().Seconds(), "records/s")
}

// BenchmarkRelease adds noise to the cells of four labels.
func BenchmarkRelease(b *testing.B) {
	p := planOf(b, Options{Epsilon: 1, Expect: 1_000_000, Columns: []Column{labels(b, "label", "1", "2", "3", "4")}})
	counts := p.NewCounts()
	for b.Loop() {
		if _, err := p.Release(counts.clone(), nil); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkUserOfManyRecords counts the votes of one user with Gaussian noise, for
// thousands of cells.
func BenchmarkUserOfManyRecords(b *testing.B) {
	p := planOf(b, Options{Epsilon: 1, Delta: 1e-6, PerUser: 40_000, Columns: []Column{binsOf(b, "number", "1..300")}})
	for _, records := range []int{10_000, 20_000, 40_000} {
		b.Run(strconv.Itoa(records), func(b *testing.B) {
			v := &Votes{}
			for i := range records {
				v.rows = append(v.rows, vote{label: int32(i % 300)})
				for _, c := range p.clusterings {
					v.clusters = append(v.clusters, uint32(i/300%c.Len()))
				}
			}
			for b.Loop() {
				p.NewCounts().Add(v)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(records), "ns/record")
		})
	}
}

// BenchmarkTimeOfRelease reports the correlation of the time of a release with the
// magnitude of its noise: the counts are 0, so the released cells are the noise. Whatever is
// computed after the noise is a function of what is released.
func BenchmarkTimeOfRelease(b *testing.B) {
	p := planOf(b, Options{Epsilon: 1, Expect: 1_000_000, Columns: []Column{labels(b, "label", "1", "2", "3", "4")}})
	counts := p.NewCounts()
	var times, sizes []float64
	for b.Loop() {
		c := counts.clone()
		begin := time.Now()
		r, err := p.Release(c, nil)
		if err != nil {
			b.Fatal(err)
		}
		size := 0.0
		for _, n := range r.cells {
			size += math.Abs(float64(n))
		}
		times, sizes = append(times, float64(time.Since(begin))), append(sizes, size)
	}
	b.ReportMetric(correlation(times, sizes), "correlation")
	b.ReportMetric(4/math.Sqrt(float64(len(times))), "4/sqrt(n)")
}

// correlation is that of the pairs whose time is at most ten times the median.
func correlation(times, sizes []float64) float64 {
	sorted := slices.Sorted(slices.Values(times))
	most := 10 * sorted[len(sorted)/2]
	var n, x, y, xx, yy, xy float64
	for i, t := range times {
		if s := sizes[i]; t <= most {
			n, x, y, xx, yy, xy = n+1, x+t, y+s, xx+t*t, yy+s*s, xy+t*s
		}
	}
	return (xy - x*y/n) / math.Sqrt((xx-x*x/n)*(yy-y*y/n))
}
