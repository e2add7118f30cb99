package vectors

import (
	"bytes"
	"context"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// sampleBytes is the length of the beginning of a corpus that decides the rules and has the
// pieces.
const sampleBytes = 16 << 20

// rulesOf returns the rules by which a corpus is cut: those of the options, or those that
// fit the beginning of the corpus. Nil means those for English.
func rulesOf(ctx context.Context, c Corpus, o Options) (*segment.Rules, error) {
	kind := o.Segmentation
	if kind == segment.English || kind == "" && o.Language == "en" {
		return nil, nil
	}
	d := segment.Description{Kind: kind, Language: o.Language}
	if kind != segment.Words {
		sample, err := beginning(ctx, c)
		if err != nil {
			return nil, err
		}
		if kind == "" {
			d.Kind = kindOf(sample)
		}
		switch {
		case d.Kind == segment.English && o.Language == "":
			return nil, nil
		case d.Kind == segment.English:
			d.Kind = segment.Words
		case d.Kind == segment.Pieces:
			d.Pieces = learnPieces(sample, o.Words, int64(o.Least))
		}
	}
	return segment.New(d)
}

// beginning returns the first texts of a corpus.
func beginning(ctx context.Context, c Corpus) (sample [][]byte, err error) {
	size := 0
	for t, err := range c {
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, err
		}
		sample = append(sample, bytes.Clone(t))
		if size += len(t); size >= sampleBytes {
			break
		}
	}
	return sample, nil
}

// kindOf returns the rules that fit texts: pieces where at least a third of the letters are
// of scripts that do not separate words, else those for English where at least one word in
// fifty is the word the.
func kindOf(texts [][]byte) segment.Kind {
	letters, unspaced, words, articles := 0, 0, 0, 0
	for _, t := range texts {
		for _, r := range string(t) {
			if segment.Unspaced(r) {
				unspaced++
			}
		}
		for _, w := range bytes.Fields(t) {
			words++
			letters += len([]rune(string(w)))
			if strings.EqualFold(string(w), "the") {
				articles++
			}
		}
	}
	switch {
	case unspaced > 0 && 3*unspaced >= letters:
		return segment.Pieces
	case articles > 0 && 50*articles >= words:
		return segment.English
	}
	return segment.Words
}

// spelling counts how often a word is spelled in one way.
type spelling struct{ inside, first int64 } // inside and at the start of a sentence

// spelled counts the spellings of texts. It is for one goroutine.
type spelled struct {
	cutter *segment.Cutter
	count  map[string]*spelling
}

func (s *spelled) add(t []byte) {
	s.cutter.Cut(t, func(w []byte, first bool) {
		if len(w) == 0 || len(w) > tokenize.LongestWord {
			return
		}
		n, ok := s.count[string(w)]
		if !ok {
			n = &spelling{}
			s.count[string(w)] = n
		}
		if first {
			n.first++
		} else {
			n.inside++
		}
	})
}

// fold returns the most frequent words by the rules, and the rules with the pieces and the
// forms of these words. The form of a word is its most frequent spelling inside sentences.
func fold(rules *segment.Rules, count map[string]*spelling, o Options) ([]string, *segment.Rules, error) {
	total := map[string]int64{}
	best := map[string]string{}
	for _, w := range sorted(count) {
		word, n := rules.Fold(w), count[w]
		total[word] += n.inside + n.first
		if b, ok := best[word]; n.inside > 0 && (!ok || n.inside > count[b].inside) {
			best[word] = w
		}
	}
	// A letter of the corpus is always a piece, however rare: without it every word that has
	// the letter would be unknown.
	letters := map[string]bool{}
	for _, l := range rules.Letters() {
		letters[l] = true
		total[l] = max(total[l], 1) // where longer pieces have all of it
	}
	has := func(word string) bool { return letters[word] || total[word] >= int64(o.Least) }
	whole := rules.Whole(has)
	for word := range total {
		if has(word) && !whole(word) {
			delete(total, word)
		}
	}
	list := chooseWith(letters, total, o.Words, int64(o.Least))
	chosen := newVocabulary(list)
	rules = rules.Restrict(func(word string) bool { _, ok := chosen.Lookup(word); return ok })
	forms := map[string]string{}
	for _, word := range list {
		if form, ok := best[word]; ok && form != word {
			forms[word] = form
		}
	}
	rules, err := rules.WithForms(forms)
	return list, rules, err
}

func sorted[V any](m map[string]V) []string {
	list := make([]string, 0, len(m))
	for w := range m {
		list = append(list, w)
	}
	slices.Sort(list)
	return list
}
