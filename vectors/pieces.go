package vectors

import (
	"cmp"
	"math"
	"slices"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/internal/elementary"
)

const (
	// pieceLetters is the number of letters of the longest piece that is learned.
	pieceLetters = 8
	// seedsPerPiece is the number of candidates for each piece.
	seedsPerPiece = 8
	// pieceRounds is the number of times that the texts are cut.
	pieceRounds = 5
)

// learnPieces returns the pieces of a unigram model (Kudo 2018) of the runs of letters of
// scripts that do not separate words: at most most of several letters that occur least
// times, and every letter. Candidates are the frequent parts of runs. Rounds of cutting the
// runs into the cheapest pieces and counting these leave those that are used.
func learnPieces(texts [][]byte, most int, least int64) []segment.Piece {
	runs := runsOf(texts)
	names := sorted(runs)
	count := seeds(names, runs, most*seedsPerPiece, max(2, least))
	for range pieceRounds {
		lattice := segment.NewLattice(costsOf(count), pieceLetters)
		used := map[string]int64{}
		for _, run := range names {
			lattice.Reset()
			lattice.Append([]byte(run))
			lattice.Pieces(func(p []byte) { used[string(p)] += runs[run] })
		}
		for p := range count {
			if n := used[p]; n >= least || lettersOf(p) == 1 {
				count[p] = max(1, n)
			} else {
				delete(count, p)
			}
		}
		keep(count, most)
	}
	costs := costsOf(count)
	lattice := segment.NewLattice(costs, pieceLetters)
	var pieces []segment.Piece
	for _, p := range sorted(costs) {
		if lattice.Reset(); lattice.Takes([]byte(p)) {
			pieces = append(pieces, segment.Piece{Text: p, Cost: costs[p]})
		}
	}
	return pieces
}

// runsOf counts the runs of texts.
func runsOf(texts [][]byte) map[string]int64 {
	runs := map[string]int64{}
	for _, t := range texts {
		t = norm.NFC.Bytes(t)
		from, end := -1, 0
		for i, r := range string(t) {
			switch {
			case segment.Unspaced(r):
				if from < 0 {
					from = i
				}
				end = i + len(string(r))
			case from >= 0 && unicode.IsMark(r):
				end = i + len(string(r))
			case from >= 0:
				runs[string(t[from:end])]++
				from = -1
			}
		}
		if from >= 0 {
			runs[string(t[from:end])]++
		}
	}
	return runs
}

// seeds counts every letter of runs, and the parts of several letters that occur least
// times: of these the most, by the letters of the text that they cover.
func seeds(names []string, runs map[string]int64, most int, least int64) map[string]int64 {
	all, shorter := map[string]int64{}, map[string]int64{}
	for n := 1; n <= pieceLetters; n++ {
		parts := map[string]int64{}
		for _, run := range names {
			starts := startsOf(run)
			for i := 0; i+n < len(starts); i++ {
				if n > 1 && (shorter[run[starts[i]:starts[i+n-1]]] == 0 || shorter[run[starts[i+1]:starts[i+n]]] == 0) {
					continue
				}
				parts[run[starts[i]:starts[i+n]]] += runs[run]
			}
		}
		for p, times := range parts {
			if n > 1 && times < least {
				delete(parts, p)
				continue
			}
			all[p] = times
		}
		shorter = parts
	}
	keep(all, most)
	return all
}

// keep leaves the single letters and at most most other pieces, those that cover the
// most letters of the texts.
func keep(count map[string]int64, most int) {
	var several []string
	for _, p := range sorted(count) {
		if lettersOf(p) > 1 {
			several = append(several, p)
		}
	}
	slices.SortStableFunc(several, func(a, b string) int {
		return cmp.Compare(count[b]*int64(lettersOf(b)), count[a]*int64(lettersOf(a)))
	})
	for _, p := range several[min(most, len(several)):] {
		delete(count, p)
	}
}

// startsOf returns where each letter of a run begins, with its marks, and the end.
func startsOf(run string) (starts []int) {
	for i, r := range run {
		if !unicode.IsMark(r) {
			starts = append(starts, i)
		}
	}
	return append(starts, len(run))
}

func lettersOf(piece string) int { return len(startsOf(piece)) - 1 }

// costsOf returns the costs of pieces that occur so often.
func costsOf(count map[string]int64) map[string]int32 {
	total := 0.0
	for _, n := range count {
		total += float64(n) // exact: integers below 2^53
	}
	costs := make(map[string]int32, len(count))
	for p, n := range count {
		costs[p] = int32(min(segment.MaxCost, math.Round(-elementary.Log(float64(n)/total)*segment.CostUnit)))
	}
	return costs
}
