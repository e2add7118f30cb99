package squares

import (
	"math"
	"math/bits"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/internal/simd/simdtest"
)

// integers returns n integers, at most limit in size: random ones, or all at the
// limit.
func integers[F float32 | float64](rng *rand.Rand, n, limit int, extreme bool) []F {
	v := make([]F, n)
	for i := range v {
		v[i] = F(rng.IntN(2*limit+1) - limit)
		if extreme {
			v[i] = F(limit * (1 - 2*rng.IntN(2)))
		}
	}
	return v
}

// Every tile gives the numbers of the loop, row by row and panel by panel, and
// writes nothing else.
func TestKernelsEqualTheirSpecification(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(1, 2))
		k := machine(1<<20, 1)
		for _, tile := range k.tiles {
			for dim := 1; dim <= 600; dim += 1 + rng.IntN(1+dim/4) {
				count, extreme := 1+rng.IntN(5), rng.IntN(3) == 0
				words := count * k.width
				x, own := integers[float64](rng, dim*tile.rows, 1<<18, extreme), integers[float64](rng, tile.rows, 1<<50, false)
				panels, norms := integers[float32](rng, dim*words, 1<<18, extreme), integers[float64](rng, words, 1<<50, false)
				width := words + rng.IntN(3)
				got, intact := simdtest.Guarded((tile.rows-1)*width+words, -77.0)
				tile.squares(got, x, own, panels, norms, dim, count, width)
				if !intact() {
					t.Fatalf("%d rows, dim %d: wrote beside the results", tile.rows, dim)
				}
				// The loop's panels have 8 words.
				narrow := make([]float32, len(panels))
				for w := range words {
					for j := range dim {
						narrow[w/8*8*dim+j*8+w%8] = panels[w/k.width*k.width*dim+j*k.width+w%k.width]
					}
				}
				want := make([]float64, words)
				for r := range tile.rows {
					row := make([]float64, dim)
					for j := range row {
						row[j] = x[j*tile.rows+r]
					}
					squaresGo(want, row, own[r:], narrow, norms, dim, words/8, words)
					if !slices.Equal(got[r*width:][:words], want) {
						t.Fatalf("row %d of %d, dim %d differs from the loop", r, tile.rows, dim)
					}
				}
			}
		}
	})
}

// Tiles of halves give the numbers of their loop for all numbers of 16 bits whose sums do
// not wrap, row by row and panel by panel, and write nothing else.
func TestTilesOfHalvesEqualTheirLoop(t *testing.T) {
	k := machine(1, 1)
	if !k.halved {
		t.Skip("this machine has no kernel of halves")
	}
	rng := rand.New(rand.NewPCG(3, 4))
	halves := func(n int) []int16 {
		v := make([]int16, n)
		for i := range v {
			v[i] = int16(rng.IntN(2049) - 1024)
		}
		return v
	}
	for _, tile := range k.tiles {
		for pairs := 1; pairs <= 300; pairs += 1 + rng.IntN(1+pairs/4) {
			count := 1 + rng.IntN(5)
			words := count * k.width
			x, own := halves(6*pairs*tile.rows), integers[float64](rng, tile.rows, 1<<50, false)
			panels, norms := halves(4*pairs*words), integers[float64](rng, words, 1<<50, false)
			width := words + rng.IntN(3)
			got, intact := simdtest.Guarded((tile.rows-1)*width+words, -77.0)
			tile.halved(got, x, own, panels, norms, pairs, count, width)
			if !intact() {
				t.Fatalf("%d rows, %d pairs: wrote beside the results", tile.rows, pairs)
			}
			want := make([]float64, words)
			for r := range tile.rows {
				var row []int16
				for k := range pairs {
					row = append(row, x[6*(k*tile.rows+r):][:6]...)
				}
				squaresOfHalves(want, row, own[r:], panels, norms, pairs, count, words)
				if !slices.Equal(got[r*width:][:words], want) {
					t.Fatalf("row %d of %d, %d pairs differs from the loop", r, tile.rows, pairs)
				}
			}
		}
	}
}

// Components at the edges of their halves, as large as a table's may be, have inner products
// that do not wrap; a few more bits would.
func TestHalvesFit(t *testing.T) {
	for dim := 1; dim <= 4096; dim++ {
		bits := min(23, (53-bits.Len(uint(dim-1)))/2-1) // of a table
		if fits := fitHalves(dim, float32(int(1)<<bits)); fits != (dim <= 2044) {
			t.Fatalf("dim %d, %d bits: fits %v", dim, bits, fits)
		}
	}
	for _, v := range []float32{0, 1, -1, 1023, 1024, -1024, -1025, 1 << 23, -1 << 23, 1<<21 - 1} {
		if h, l := split(v); float32(h)*2048+float32(l) != v || l < -1024 || l > 1023 {
			t.Errorf("%g has the halves %d and %d", v, h, l)
		}
	}
}

// Packed tables give the sums of squared differences for every range of columns
// and number of rows, and write nothing else.
func TestSquaresAreExact(t *testing.T) {
	simdtest.Each(t, func(t *testing.T) {
		rng := rand.New(rand.NewPCG(5, 6))
		var s Rows // used again and again
		for dim := 1; dim <= 4096; dim += 1 + rng.IntN(1+dim) {
			words := 1 + rng.IntN(90)
			// dim (2 limit)^2 is at most 2^53.
			limit := 1 << min(23, (53-bits.Len(uint(dim-1)))/2-1)
			rows := integers[float32](rng, words*dim, limit, dim%3 == 0)
			if dim%3 == 1 {
				for i := range rows { // the least lower halves
					rows[i] = max(float32(-limit), float32(math.Floor(float64(rows[i])/2048)*2048-1024))
				}
			}
			table := Pack(rows, dim)
			xs := make([]int, 1+rng.IntN(40))
			for i := range xs {
				xs[i] = rng.IntN(words)
			}
			from := rng.IntN(words)
			to := from + 1 + rng.IntN(words-from)
			got, intact := simdtest.Guarded(len(xs)*(to-from), -77.0)
			table.Take(&s, rows, xs)
			table.Squares(got, &s, from, to)
			for i, x := range xs {
				for y := from; y < to; y++ {
					want := int64(0)
					for j := range dim {
						e := int64(rows[x*dim+j]) - int64(rows[y*dim+j])
						want += e * e
					}
					if g := got[i*(to-from)+y-from]; g != float64(want) {
						t.Fatalf("dim %d: words %d and %d are %g apart, want %d", dim, x, y, g, want)
					}
				}
			}
			if !intact() {
				t.Fatalf("dim %d, %d rows, columns %d to %d of %d: wrote beside the results", dim, len(xs), from, to, words)
			}
		}
	})
}
