package experiment

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/result"
)

// Tables of fewer dimensions are the leading ones of the same training, at the same
// norm; a second bench reads them from their file.
func TestTrainedVectorsAreNested(t *testing.T) {
	b := bench(t)
	b.Models = t.TempDir()
	few, err := b.Table("trained-reviews-10")
	if err != nil {
		t.Fatal(err)
	}
	many, err := b.Table("trained-reviews-40")
	if err != nil {
		t.Fatal(err)
	}
	if few.Len() != many.Len() || few.Dim() != 10 || many.Dim() != 40 {
		t.Fatalf("tables of %d x %d and %d x %d", few.Len(), few.Dim(), many.Len(), many.Dim())
	}
	square, ratio := 0.0, 0.0
	for x := range few.Len() {
		v, w := few.Vector(nil, embedding.ID(x)), many.Vector(nil, embedding.ID(x))
		for k, a := range v {
			square += float64(a) * float64(a)
			if math.Abs(float64(a)) > 0.5 {
				r := float64(w[k]) / float64(a)
				if ratio == 0 {
					ratio = r
				}
				if math.Abs(r/ratio-1) > 1e-3 {
					t.Fatalf("word %d, component %d: the ratio is %g, elsewhere %g", x, k, r, ratio)
				}
			}
		}
	}
	if norm := math.Sqrt(square / float64(few.Len())); math.Abs(norm-trainedNorm) > 1e-3 {
		t.Errorf("the root mean squared norm is %g, want %g", norm, trainedNorm)
	}
	again := bench(t)
	again.Models = b.Models
	read, err := again.Table("trained-reviews-10")
	if err != nil || read.Digest() != few.Digest() {
		t.Errorf("read again it is another table: %v", err)
	}
}

func TestTrainedVectorsThatCannotBeAreRefused(t *testing.T) {
	for _, name := range []string{"trained-reviews", "trained-reviews-0", "trained-reviews-301", "trained-reviews-ten"} {
		if _, err := bench(t).Table(name); err == nil || !strings.Contains(err.Error(), "SET-DIMENSIONS") {
			t.Errorf("%s: %v", name, err)
		}
		p := result.Params{{Name: "table", Value: name}}
		if _, err := bench(t).Data(p); err == nil {
			t.Errorf("%s has data", name)
		}
	}
	if _, err := Opinions(context.Background(), bench(t), result.Params{{Name: "table", Value: "trained-reviews-10"}, {Name: "lexicon", Value: "hu-liu"}, {Name: "mechanism", Value: "none"}}, 1); err != nil {
		t.Error(err)
	}
}
