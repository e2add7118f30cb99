package cli

import (
	"fmt"
	"strings"
)

// Nearest returns the candidate with the fewest edits from name, if it is close enough to
// be meant: one edit in three bytes.
func Nearest(name string, candidates []string) (string, bool) {
	if len(name) < 3 {
		return "", false
	}
	best, at := 1+len(name)/3, ""
	for _, c := range candidates {
		if e := Edits(strings.ToLower(name), c); e < best || e == best && at == "" && strings.HasPrefix(c, name) {
			best, at = e, c
		}
	}
	return at, at != ""
}

// Edits returns the number of bytes to insert, remove, replace, or swap with the next one
// (the optimal string alignment distance).
func Edits(a, b string) int {
	var before, row []int // of the first i-1 and i bytes of a
	next := make([]int, len(b)+1)
	for j := range next {
		next[j] = j
	}
	for i := range len(a) {
		before, row, next = row, next, make([]int, len(b)+1)
		next[0] = i + 1
		for j := range len(b) {
			replaced := row[j]
			if a[i] != b[j] {
				replaced++
			}
			next[j+1] = min(replaced, row[j+1]+1, next[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
	}
	return next[len(b)]
}

// DidYouMean returns a hint, empty if no candidate is close.
func DidYouMean(name string, candidates []string) string {
	if c, ok := Nearest(name, candidates); ok {
		return fmt.Sprintf("did you mean %q?", c)
	}
	return ""
}
