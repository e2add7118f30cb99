// Package about reads public knowledge of labels: words that speak for each of them. Such
// words are written down before any private text is read. A lexicon of opinions is one list,
// topics of news are another.
//
// The form is a line per label, or several: the label, a tab, and its words, separated by
// spaces. A line with a comma has phrases between its commas. A phrase that begins with ^
// counts at the beginning of a text only. Empty lines, and lines that begin with #, are
// comments.
package about

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text/terms"
)

// Words are words that speak for labels. They are immutable and safe for concurrent use.
type Words struct {
	source  []byte
	labels  []string
	phrases map[string]int // terms joined by spaces -> place of its label
	longest int            // terms of a phrase
}

const (
	begins   = "^"
	anywhere = " "
	// MaxBytes bounds what Read accepts.
	MaxBytes = 1 << 20
	// maxLabels bounds the labels.
	maxLabels = 100
	// maxPhrase bounds the terms of a phrase.
	maxPhrase = 8
)

// Read reads words in the form of the package. Terms are cut as [terms.Each] does.
func Read(source []byte) (*Words, error) {
	if len(source) > MaxBytes {
		return nil, fmt.Errorf("about: %d bytes, want at most %d", len(source), MaxBytes)
	}
	if !utf8.Valid(source) {
		return nil, fmt.Errorf("about: the words are not UTF-8")
	}
	w := &Words{source: bytes.Clone(source), phrases: map[string]int{}}
	n := 0
	for line := range strings.Lines(strings.TrimPrefix(string(source), "\ufeff")) {
		n++
		line = strings.TrimRight(line, "\r\n")
		if strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#") {
			continue
		}
		label, rest, ok := strings.Cut(line, "\t")
		if !ok || label == "" {
			return nil, fmt.Errorf("about: line %d is not a label, a tab and words", n)
		}
		if err := w.add(label, rest); err != nil {
			return nil, fmt.Errorf("about: line %d: %w", n, err)
		}
	}
	if len(w.labels) < 2 || len(w.labels) > maxLabels {
		return nil, fmt.Errorf("about: words for %d labels, want 2 to %d", len(w.labels), maxLabels)
	}
	return w, nil
}

func (w *Words) add(label, rest string) error {
	at := slices.Index(w.labels, label)
	if at < 0 {
		at = len(w.labels)
		w.labels = append(w.labels, label)
	}
	phrases := strings.Fields(rest)
	if strings.Contains(rest, ",") {
		phrases = strings.Split(rest, ",")
	}
	for _, p := range phrases {
		p = strings.TrimSpace(p)
		key, n := anywhere, 0
		if strings.HasPrefix(p, begins) {
			key = begins
		}
		terms.Each(nil, []byte(p), func(term []byte) {
			key += string(term) + " "
			n++
		})
		switch other, twice := w.phrases[key]; {
		case n == 0 && p == "":
			continue
		case n == 0 || n > maxPhrase:
			return fmt.Errorf("the phrase %q has %d words, want 1 to %d", p, n, maxPhrase)
		case twice && other != at:
			return fmt.Errorf("the phrase %q speaks for %s already", p, w.labels[other])
		}
		w.phrases[key] = at
		w.longest = max(w.longest, n)
	}
	return nil
}

// Labels returns the labels, in the order in which they first occur.
func (w *Words) Labels() []string { return slices.Clone(w.labels) }

// Source returns what was read.
func (w *Words) Source() []byte { return bytes.Clone(w.source) }

// Digest returns the hexadecimal SHA-256 of what was read.
func (w *Words) Digest() string {
	sum := sha256.Sum256(w.source)
	return hex.EncodeToString(sum[:])
}

// Covers returns an error if a label is none of the known ones.
func (w *Words) Covers(known []string) error {
	for _, label := range w.labels {
		if !slices.Contains(known, label) {
			return fmt.Errorf("about: %q is none of the labels %s", label, strings.Join(known, ", "))
		}
	}
	return nil
}

// Counter counts the phrases of each label in texts. It is for one goroutine.
type Counter struct {
	words  *Words
	read   terms.Reader
	text   []byte // terms, each followed by a space
	starts []int
	counts []int
}

// Counter returns a counter. Terms are cut by the rules of segmentation of a table, if it is
// not nil and has some.
func (w *Words) Counter(table *embedding.Table) *Counter {
	return &Counter{words: w, read: terms.Of(table)(), counts: make([]int, len(w.labels))}
}

// Counts returns the number of phrases of each label in a text. Of phrases at one place the
// longest counts, and its words count once. The next call reuses the result.
func (c *Counter) Counts(text []byte) []int {
	c.text, c.starts = append(c.text[:0], ' '), c.starts[:0]
	c.read(text, func(term []byte) {
		c.starts = append(c.starts, len(c.text))
		c.text = append(append(c.text, term...), ' ')
	})
	clear(c.counts)
	for i := 0; i < len(c.starts); {
		length := 1
		for n := min(c.words.longest, len(c.starts)-i); n > 0; n-- {
			end := len(c.text)
			if i+n < len(c.starts) {
				end = c.starts[i+n]
			}
			key := c.text[c.starts[i]-1 : end] // from the space before it
			at, ok := c.words.phrases[string(key)]
			if i == 0 {
				if first, at0 := c.words.phrases[begins+string(key[1:])]; at0 {
					at, ok = first, true
				}
			}
			if ok {
				c.counts[at]++
				length = n
				break
			}
		}
		i += length
	}
	return c.counts
}

// Best returns the label with the most phrases in a text, and false if two have as many, or
// there are none.
func (c *Counter) Best(text []byte) (label int, ok bool) {
	counts := c.Counts(text)
	best, second := 0, -1
	for y, n := range counts {
		switch {
		case y == 0:
		case n > counts[best]:
			best, second = y, counts[best]
		case n > second:
			second = n
		}
	}
	return best, counts[best] > 0 && counts[best] > second
}

//go:embed lists
var lists embed.FS

// Lists returns the names of the lists that ship with this package.
func Lists() []string {
	entries, _ := lists.ReadDir("lists")
	var names []string
	for _, e := range entries {
		names = append(names, strings.TrimSuffix(e.Name(), ".txt"))
	}
	return names
}

// List returns a list of this package by its name, and false for any other name.
func List(name string) ([]byte, bool) {
	if !slices.Contains(Lists(), name) {
		return nil, false
	}
	data, err := lists.ReadFile("lists/" + name + ".txt")
	return data, err == nil
}
