package restore

import "iter"

// A long text is read in windows, so that memory does not grow with its length: a lattice
// has tens of kilobytes per word. A window is read with words before and after it, whose
// guesses are not used. What is farther away than these hardly matters to an n-gram model.
// Texts of up to mostWhole words are read as a whole.
const (
	window    = 4096
	margin    = 64
	mostWhole = window + 2*margin
)

// Window is a part of a text: the words First to Last are read, and the results for the
// words From to To are used. From and To are within First and Last; the ends are exclusive.
type Window struct{ First, From, To, Last int }

// Used returns the positions of the used words among those that are read.
func (w Window) Used() (from, to int) { return w.From - w.First, w.To - w.First }

// Windows returns the windows in which a text of a number of words is read: at most 4,224
// words each, of which 4,096 are used. A text of up to 4,224 words is one window.
func Windows(words int) iter.Seq[Window] {
	if words <= mostWhole {
		return windows(words, max(1, words))
	}
	return windows(words, window)
}

func windows(words, size int) iter.Seq[Window] {
	return func(yield func(Window) bool) {
		for from := 0; from < max(1, words); from += size {
			to := min(from+size, words)
			if !yield(Window{max(0, from-margin), from, to, min(words, to+margin)}) {
				return
			}
		}
	}
}
