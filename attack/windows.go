package attack

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/restore"
)

// A long release is decoded in windows, so that memory does not grow with its length: a
// lattice has some ten kilobytes per word. A window is read with words before and after
// it, whose guesses are not used. What is farther away than these hardly matters to an
// n-gram model. Releases of up to mostWhole words are read as a whole.
const (
	window    = 4096
	margin    = 64
	mostWhole = window + 2*margin
)

// likeliest returns the likeliest word at each position of a release.
func likeliest(d *restore.Decoder, release []embedding.ID) ([]embedding.ID, error) {
	if len(release) <= mostWhole {
		return decoded(d, release)
	}
	return inWindows(d, release, window)
}

// inWindows reads a release in windows of some words.
func inWindows(d *restore.Decoder, release []embedding.ID, size int) ([]embedding.ID, error) {
	found := make([]embedding.ID, 0, len(release))
	for from := 0; from < len(release); from += size {
		to := min(from+size, len(release))
		first, last := max(0, from-margin), min(len(release), to+margin)
		words, err := decoded(d, release[first:last])
		if err != nil {
			return nil, err
		}
		found = append(found, words[from-first:to-first]...)
	}
	return found, nil
}

func decoded(d *restore.Decoder, release []embedding.ID) ([]embedding.ID, error) {
	l, err := d.Read(release, nil)
	if err != nil {
		return nil, err
	}
	return restore.Risk(l.Marginals()), nil
}
