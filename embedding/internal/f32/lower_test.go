package f32

import (
	"math"
	"math/rand/v2"
	"testing"
)

const guard = float32(12345.678)

// guarded is n elements with guard words on both sides, and a check of them.
func guarded(n int) (s []float32, intact func() bool) {
	const g = 32
	whole := make([]float32, n+2*g)
	for i := range whole {
		whole[i] = guard
	}
	return whole[g : g+n : g+n], func() bool {
		for i := range g {
			if whole[i] != guard || whole[g+n+i] != guard {
				return false
			}
		}
		return true
	}
}

// Small integers make every sum exact, so that tiles agree with the
// specification to the bit whatever their order of rounding.
func TestTilesAreTheSpecificationOnIntegers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for _, k := range All() {
		for _, tile := range k.tiles {
			for dim := 1; dim <= 40; dim++ {
				count := 1 + r.IntN(9)
				words := count * k.width
				out, outIntact := guarded(tile.rows * k.lanes)
				q, _ := guarded(dim * tile.rows)
				e, _ := guarded(tile.rows)
				panels, _ := guarded(words * dim)
				low, _ := guarded(words)
				norm, _ := guarded(words)
				for _, s := range [][]float32{out, q, e, panels, low, norm} {
					for i := range s {
						s[i] = float32(r.IntN(201) - 100)
					}
				}
				want := append([]float32(nil), out...)
				for w := range words {
					for row := range tile.rows {
						sum := e[row] * norm[w]
						for j := range dim {
							sum += q[j*tile.rows+row] * panels[w/k.width*k.width*dim+j*k.width+w%k.width]
						}
						at := row*k.lanes + w%k.width%k.lanes
						want[at] = min(want[at], low[w]-sum)
					}
				}
				tile.lower(out, q, e, panels, low, norm, dim, count)
				for i := range want {
					if out[i] != want[i] {
						t.Fatalf("%s, %d rows, %d dimensions: minimum %d is %g, want %g", k.Name, tile.rows, dim, i, out[i], want[i])
					}
				}
				if !outIntact() {
					t.Fatalf("%s, %d rows, %d dimensions: wrote outside its minima", k.Name, tile.rows, dim)
				}
			}
		}
	}
}

func TestBoundsLieBelowEveryWordOfTheirGroup(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 1))
	for _, k := range All() {
		for _, dim := range []int{1, 3, 64, 300, 4096} {
			const n, queries = 150, 15
			rows, qs, norms := make([]float32, n*dim), make([]float32, queries*dim), make([]float64, queries)
			for i := range rows { // all of one sign: the worst case of rounding
				rows[i] = float32(math.Round(1e5 * (1 + r.Float64())))
			}
			for i := range qs {
				qs[i] = float32(1e5 * (1 + r.Float64()))
			}
			for i := range norms {
				s := 0.0
				for _, v := range qs[i*dim : (i+1)*dim] {
					s += float64(v) * float64(v)
				}
				norms[i] = math.Sqrt(s) * (1 + 1e-12)
			}
			var b Bounds
			p := Pack(k, rows, dim)
			p.Lower(&b, qs, norms)
			seen := 0
			for i := range queries {
				row := b.Row(i)
				lanes := k.lanes
				for g := row.Next(0, math.MaxFloat32); g >= 0; g = row.Next(g+1, math.MaxFloat32) {
					bound := float64(row.values[g/lanes*row.stride+g%lanes])
					for _, w := range p.Words(nil, g) {
						seen++
						score := 0.0
						for j, v := range rows[w*dim : (w+1)*dim] {
							score += float64(v) * (float64(v)/2 - float64(qs[i*dim+j]))
						}
						if bound > score+1e-9*math.Abs(score) {
							t.Fatalf("%s, %d dimensions: bound %.17g above score %.17g", k.Name, dim, bound, score)
						}
					}
				}
			}
			if seen != n*queries {
				t.Errorf("%s, %d dimensions: groups hold %d words, want %d", k.Name, dim, seen, n*queries)
			}
		}
	}
}
