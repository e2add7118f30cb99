package sotto_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
)

// Whole texts of about 40 words over the embedded corpus, from input to output bytes.
func BenchmarkWholeTexts(b *testing.B) {
	english, err := corpus.English()
	if err != nil {
		b.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(1, 2))
	texts := make([][]byte, 1024)
	for i := range texts {
		var parts []string
		for range 6 {
			parts = append(parts, english.Text(rng.IntN(english.Len())))
		}
		texts[i] = []byte(strings.Join(parts, ". "))
	}
	for _, untimed := range []bool{false, true} {
		b.Run(fmt.Sprintf("untimed=%t", untimed), func(b *testing.B) {
			r := openRetrieved(b, sotto.Texts{Epsilon: 4, Untimed: untimed})
			for b.Loop() {
				read, err := r.Read(texts)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := read.Draw(b.Context()); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*len(texts))/b.Elapsed().Seconds(), "texts/s")
		})
	}
}

// Draws alone, over 50,000 public texts with vectors of 100 dimensions and sets of 500.
func BenchmarkRetrieval(b *testing.B) {
	const m, dim, k = 50_000, 100, 500
	rng := rand.New(rand.NewPCG(3, 4))
	builder, err := corpus.NewBuilder(corpus.Options{Name: "random", Public: true, Dimensions: dim, Clusters: -1, Vectors: func(v []float64, _ int) error {
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		return nil
	}})
	if err != nil {
		b.Fatal(err)
	}
	for i := range m {
		if err := builder.Add(fmt.Appendf(nil, "%x", i)); err != nil {
			b.Fatal(err)
		}
	}
	book, err := builder.Build(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	var vectors []int8
	for i := range 1024 {
		vectors = book.Vector(vectors, 7*i)
	}
	entry, _ := catalog.Find("retrieval")
	for _, untimed := range []bool{false, true} {
		b.Run(fmt.Sprintf("untimed=%t", untimed), func(b *testing.B) {
			r, err := entry.NewRetriever(b.Context(), book, mechanism.Spec{Epsilon: 4.5, Untimed: untimed, Parameters: map[string]string{"neighbours": fmt.Sprint(k)}})
			if err != nil {
				b.Fatal(err)
			}
			var drawn []uint32
			for b.Loop() {
				if drawn, err = r.Draw(b.Context(), drawn[:0], vectors, nil); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*1024)/b.Elapsed().Seconds(), "texts/s")
		})
	}
}
