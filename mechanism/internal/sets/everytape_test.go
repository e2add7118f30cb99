package sets

import (
	"context"
	"math/rand/v2"
	"testing"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/tapes"
)

// everySet is one set for all words.
type everySet struct{ set Set }

func (r everySet) Set(embedding.ID) (Set, error)           { return r.set, nil }
func (r everySet) prepare(context.Context, []embedding.ID) {}

// All tapes of sources of 4 to 8 bits through all ways to draw from a row: exactly as many
// give each output as the weights that are certified say. The proof is in
// proofs/row_law.v.
func TestDrawsAreExactOverAllTapes(t *testing.T) {
	mark := func(m int, ys ...int) []uint64 {
		in := make([]uint64, (m+63)/64)
		for _, y := range ys {
			in[y/64] |= 1 << (y % 64)
		}
		return in
	}
	for _, c := range []struct {
		name        string
		bits        uint
		words, m, k int
		high, low   uint64
		set         Set
	}{
		{"one of 5", 5, 3, 5, 1, 9, 2, Set{only: 3}},
		{"one of 3, a sum that divides 2^4", 4, 4, 3, 1, 6, 1, Set{only: 0}},
		{"a list", 5, 3, 16, 1, 7, 1, Set{some: itemsOf(mark(16, 11), 1, 16)}},
		{"a list of two", 6, 2, 32, 2, 9, 1, Set{some: itemsOf(mark(32, 4, 31), 2, 32)}},
		{"marks", 4, 4, 5, 2, 4, 1, Set{some: itemsOf(mark(5, 1, 4), 2, 5)}},
		{"most marked", 5, 3, 7, 6, 4, 1, Set{some: itemsOf(mark(7, 0, 1, 2, 4, 5, 6), 6, 7)}},
		{"all marked", 4, 4, 3, 3, 4, 2, Set{some: itemsOf(mark(3, 0, 1, 2), 3, 3)}},
		{"equal weights", 4, 3, 5, 2, 3, 3, Set{some: itemsOf(mark(5, 0, 2), 2, 5)}},
		{"one of 9 by 7 bits", 7, 2, 9, 1, 50, 7, Set{only: 8}},
		{"marks by 7 bits", 7, 2, 5, 2, 31, 9, Set{some: itemsOf(mark(5, 0, 4), 2, 5)}},
		{"a list by 8 bits", 8, 2, 48, 2, 60, 2, Set{some: itemsOf(mark(48, 7, 47), 2, 48)}},
		{"most marked by 8 bits", 8, 2, 11, 9, 20, 3, Set{some: itemsOf(mark(11, 0, 1, 2, 4, 5, 6, 7, 9, 10), 9, 11)}},
	} {
		t.Run(c.name, func(t *testing.T) {
			shift, m, k := 64-c.bits, uint64(c.m), uint64(c.k)
			lift := k * (c.high - c.low)
			total := lift + m*c.low
			rows := Rows{items: m << shift, size: k << shift, high: c.high, low: c.low, lift: lift, total: total << shift}
			sets := everySet{c.set}
			channel := Channel[embedding.ID]{rows, sets}
			words := &Words{Channel: channel, sets: sets, lists: c.set.some != nil && c.set.some.bits == nil}
			texts := &Texts{Rows: rows}
			for door, draw := range map[string]func(rng rand.Source) (uint32, error){
				"Channel.Draw": func(rng rand.Source) (uint32, error) { return channel.Draw(0, rng) },
				"Words.Replace": func(rng rand.Source) (uint32, error) {
					ys, err := words.Replace(nil, []embedding.ID{0}, rng)
					return uint32(ys[0]), err
				},
				"Texts.drawRank": func(rng rand.Source) (uint32, error) {
					y, rank := texts.drawRank(rng)
					if rank >= 0 {
						y = c.set.All()[rank]
					}
					return y, nil
				},
			} {
				ranked := door == "Texts.drawRank" || c.set.some != nil && c.set.some.bits == nil
				if c.set.some == nil && door == "Texts.drawRank" {
					continue // reads a word to choose among one text
				}
				got := make([]uint64, m)
				tapes.Every(c.bits, c.words, func(src *tapes.Source) {
					y, err := draw(src)
					if err != nil {
						t.Fatal(err)
					}
					if !src.Short() {
						got[y]++
					}
				})
				want := c.set.tapes(c.bits, c.words, lift, total, m, ranked)
				for y := range got {
					if got[y] != want[y] {
						t.Fatalf("%s: %d tapes give each output %v times, want %v", door, uint64(1)<<(c.bits*uint(c.words)), got, want)
					}
				}
			}
		})
	}
}

// tapes returns how many tapes give each output, counted from the numbers of words that
// lead from one loop to another. A ranked set is drawn from by rank, others by trial.
func (s Set) tapes(bits uint, words int, lift, total, m uint64, ranked bool) []uint64 {
	all, members := uint64(1)<<bits, s.All()
	k := uint64(len(members))
	// Of the tapes of n words: those that give one output of all, one of the set,
	// and, from the beginning, one output outside the set and one inside.
	anywhere, member := make([]uint64, words+1), make([]uint64, words+1)
	outside, inside := make([]uint64, words+1), make([]uint64, words+1)
	if s.some == nil {
		member[0] = 1 // no word is read for one output
	}
	rest := uint64(1) // tapes of one word less
	for n := 1; n <= words; n++ {
		anywhere[n] = all/m*rest + all%m*anywhere[n-1]
		switch {
		case s.some == nil:
			member[n] = rest * all
		case ranked:
			member[n] = all/k*rest + all%k*member[n-1]
		default:
			member[n] = all/m*rest + (all-k*(all/m))*member[n-1]
		}
		outside[n] = all/total*(total-lift)*anywhere[n-1] + all%total*outside[n-1]
		inside[n] = all/total*((total-lift)*anywhere[n-1]+lift*member[n-1]) + all%total*inside[n-1]
		rest *= all
	}
	out := make([]uint64, m)
	for y := range out {
		out[y] = outside[words]
	}
	for _, y := range members {
		out[y] = inside[words]
	}
	return out
}
