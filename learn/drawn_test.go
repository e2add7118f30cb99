package learn

import (
	"context"
	"slices"
	"testing"
)

// The origins of a release are those of the corpus that drew it, its features those of the
// corpus that teaches.
func TestReleasesAreOfTheCorpusThatDrewThem(t *testing.T) {
	drew, teaches := newRing(200, 4, 3, 1), newRing(200, 6, 3, 2)
	r := drew.release(newRing(60, 4, 3, 3), Channel{Epsilon: 6, Texts: 200, Neighbours: 10}, 4)
	r.Classes = []string{"a", "b", "c"}
	origins := func(r Releases, from *ring) *Origins {
		d, err := r.Data(context.Background(), NewFeatures(from, nil, nil), nil)
		if err != nil {
			t.Fatal(err)
		}
		if d.Dim != from.dim {
			t.Errorf("features have %d dimensions, want %d", d.Dim, from.dim)
		}
		return d.Origins
	}
	same := func(a, b *Origins) bool {
		return slices.Equal(a.Informative, b.Informative) && slices.EqualFunc(a.Of, b.Of, slices.Equal[[]int32])
	}
	own := origins(r, drew)
	r.Codebook = teaches
	wrong := origins(r, teaches)
	r.Drawn = drew
	if got := origins(r, teaches); !same(got, own) || same(got, wrong) {
		t.Error("the origins are not those of the corpus that drew the release")
	}
}
