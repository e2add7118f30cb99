package kmeans

import (
	"context"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"

	"github.com/sotto-dp/sotto/internal/int8grid"
	"github.com/sotto-dp/sotto/internal/simd/inner"
)

// grid draws grid vectors around a few directions, so that divisions take some rounds. Of
// few dimensions many are equal, and many products too.
func grid(n, dim int, seed uint64) []int8 {
	r := rand.New(rand.NewPCG(seed, 1))
	directions := make([]float64, 20*dim)
	for i := range directions {
		directions[i] = r.NormFloat64()
	}
	var rows []int8
	v := make([]float64, dim)
	for i := range n {
		from := r.IntN(20)
		for k := range v {
			v[k] = directions[from*dim+k] + r.NormFloat64()
		}
		if i%50 == 7 {
			clear(v)
		}
		rows = int8grid.Append(rows, v)
	}
	return rows
}

func packedRows(rows []int8, dim int) []uint8 {
	data := inner.NewBlocks(len(rows)/dim, dim)
	for i := range len(rows) / dim {
		inner.Set(data, i, rows[i*dim:(i+1)*dim])
	}
	return data
}

func product(a, b []int8) (sum int32) {
	for i, x := range a {
		sum += int32(x) * int32(b[i])
	}
	return sum
}

// Every round is that of plain loops over all vectors and centres, and what bounds the
// products with other centres does.
func TestRoundsAreThoseOfPlainLoops(t *testing.T) {
	for _, c := range []struct{ n, dim, count, sample int }{{400, 2, 150, 400}, {500, 3, 200, 500}, {450, 40, 150, 450}, {450, 37, 20, 250}, {40, 5, 40, 40}, {30, 8, 1, 30}} {
		rows := grid(c.n, c.dim, uint64(c.count))
		row := func(i int) []int8 { return rows[i*c.dim : (i+1)*c.dim] }
		which := rand.New(rand.NewPCG(3, uint64(c.n))).Perm(c.n)[:c.sample]
		d := New(packedRows(rows, c.dim), c.n, c.dim).Start(which, c.count)
		var centres [][]int8
		for _, i := range which[:c.count] {
			centres = append(centres, row(i))
		}
		for round := range 8 {
			if err := d.Assign(t.Context()); err != nil {
				t.Fatal(err)
			}
			of := d.Of()
			sums, sizes := make([]float64, c.count*c.dim), make([]int, c.count)
			for j, i := range which {
				best := 0
				for k := range centres {
					if product(row(i), centres[k]) > product(row(i), centres[best]) {
						best = k
					}
				}
				if of[j] != uint32(best) {
					t.Fatalf("%v, round %d: vector %d is of centre %d, want %d", c, round, i, of[j], best)
				}
				for k, x := range row(i) {
					sums[best*c.dim+k] += float64(x)
				}
				sizes[best]++
			}
			for at, i := range d.which {
				for k := range centres {
					if uint32(k) != d.of[at] && product(row(i), centres[k]) > d.others[at] {
						t.Fatalf("%v, round %d: a product of vector %d is greater than its bound", c, round, i)
					}
				}
			}
			d.Move()
			var all []int8
			for k := range centres {
				if sum := sums[k*c.dim:][:c.dim]; slices.Max(sum) > 0 || slices.Min(sum) < 0 {
					centres[k] = int8grid.Append(nil, sum)
				}
				all = append(all, centres[k]...)
			}
			if !slices.Equal(d.Centres(), all) {
				t.Fatalf("%v: round %d moves the centres elsewhere", c, round)
			}
			whole := d.All()
			if err := whole.Assign(t.Context()); err != nil {
				t.Fatal(err)
			}
			whole.Each(func(i int, of uint32) {
				for k := range centres {
					if p, own := product(row(i), centres[k]), product(row(i), centres[of]); p > own || p == own && uint32(k) < of {
						t.Fatalf("%v, round %d: of all, vector %d is of centre %d, want %d", c, round, i, of, k)
					}
				}
			})
		}
	}
}

// A run goes on from what an earlier one found, on any number of processors.
func TestResumedRunsGoOn(t *testing.T) {
	const n, dim, count = 500, 24, 60
	data := packedRows(grid(n, dim, 5), dim)
	which := rand.New(rand.NewPCG(3, 4)).Perm(n)
	run := func(d *Division, rounds int) *Division {
		for range rounds {
			if err := d.Assign(t.Context()); err != nil {
				t.Fatal(err)
			}
			d.Move()
		}
		return d
	}
	whole := run(New(data, n, dim).Start(which, count), 6)
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(5))
	first := New(data, n, dim).Start(which, count)
	run(first, 2)
	second := New(data, n, dim).Start(which, count)
	second.Resume(first.Of())
	run(second, 4)
	if !slices.Equal(second.Centres(), whole.Centres()) || !slices.Equal(second.Of(), whole.Of()) {
		t.Error("two runs give other centres than one")
	}
	of := make([]uint32, n)
	second.Each(func(vector int, centre uint32) { of[vector] = centre })
	for j, i := range which {
		if of[i] != second.Of()[j] {
			t.Fatalf("vector %d is of centre %d and %d", i, of[i], second.Of()[j])
		}
	}
}

func TestAssignCanBeCancelled(t *testing.T) {
	d := New(packedRows(grid(600, 8, 1), 8), 600, 8).Start(rand.New(rand.NewPCG(1, 1)).Perm(600), 70)
	ctx, cancel := context.WithCancel(t.Context())
	if err := d.Assign(ctx); err != nil {
		t.Fatal(err)
	}
	d.Move()
	cancel()
	if err := d.Assign(ctx); err != context.Canceled {
		t.Errorf("ended with %v", err)
	}
}
