package vectors

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/files/atomicfile"
	"github.com/sotto-dp/sotto/text/tokenize"
)

// countsOf returns the counts of a corpus: those in the file o.Counts, if it is there,
// or new ones.
func countsOf(ctx context.Context, c Corpus, o Options) (*counts, error) {
	if o.Counts == "" {
		return count(ctx, c, o)
	}
	kept, err := openCounts(ctx, o.Counts)
	if errors.Is(err, fs.ErrNotExist) {
		return count(ctx, c, o)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", o.Counts, err)
	}
	if err = kept.of(ctx, c, o); err != nil {
		kept.close()
		return nil, err
	}
	return kept, nil
}

// of returns an error unless the counts are of the corpus and the options.
func (k *counts) of(ctx context.Context, c Corpus, o Options) error {
	if k.words != o.Words || k.least != int64(o.Least) || k.window != o.Window {
		return fmt.Errorf("%s: the counts are of at most %d words, at least %d occurrences and windows of %d, not of %d, %d and %d: name another file",
			o.Counts, k.words, k.least, k.window, o.Words, o.Least, o.Window)
	}
	if o.Segmentation != "" && o.Segmentation != k.rules.Kind() || o.Language != "" && o.Language != k.rules.Language() {
		return fmt.Errorf("%s: the counts are of texts cut by the rules %s: name another file", o.Counts, k.rules.Kind())
	}
	o.Progress.Stage("check the corpus").At(0, 1)
	id, err := send(ctx, c, nil)
	if err == nil && id != k.corpus {
		err = fmt.Errorf("%s: the counts are of another corpus: name another file", o.Counts)
	}
	return err
}

// count counts the words and pairs of a corpus.
func count(ctx context.Context, c Corpus, o Options) (*counts, error) {
	report := o.Progress.Stage("count words")
	report.At(0, 1)
	rules, err := rulesOf(ctx, c, o)
	if err != nil {
		return nil, err
	}
	var list []string
	var id identity
	if rules == nil {
		list, id, err = countWords(ctx, c, o)
	} else {
		list, rules, id, err = countSpellings(ctx, c, rules, o)
	}
	if err != nil {
		return nil, err
	}
	if len(list) < 2 {
		return nil, fmt.Errorf("vectors: the corpus has %d words that occur at least %d times, want 2 at least", len(list), o.Least)
	}
	report.At(1, 1)
	temporary := runs{path: o.Temporary}
	defer temporary.close()
	all, again, err := countPairs(ctx, c, newVocabularyBy(list, rules), &temporary, o)
	if err != nil {
		return nil, err
	}
	if again != id {
		return nil, errors.New("vectors: the corpus changed between its two readings")
	}
	o.Progress.Stage("merge pairs").At(0, 1)
	return write(ctx, header{window: o.Window, words: o.Words, least: int64(o.Least), corpus: id, rules: rules}, list, all, &temporary, o)
}

// write writes a file of counts and opens it.
func write(ctx context.Context, h header, list []string, all *pairs, temporary *runs, o Options) (*counts, error) {
	path := o.Counts
	if path == "" {
		path = o.Temporary + ".counts"
	}
	f, err := atomicfile.Create(path)
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*counts, error) {
		_ = f.Cleanup()
		return nil, err
	}
	w := newWriter(f)
	err = w.head(h, all.tokens, list, all.counts)
	if err == nil {
		err = w.rows(ctx, len(list), temporary.all)
	}
	if err == nil {
		err = w.finish(f)
	}
	if err != nil {
		return fail(err)
	}
	if o.Counts != "" {
		if err := f.CloseAtomicallyReplace(); err != nil {
			return fail(err)
		}
		return openCounts(ctx, path)
	}
	c, err := openCounts(ctx, f.Name())
	if err != nil {
		return fail(err)
	}
	c.closing = func() error { return errors.Join(c.file.Close(), f.Cleanup()) }
	return c, nil
}

// countWords returns the vocabulary of a corpus.
func countWords(ctx context.Context, c Corpus, o Options) ([]string, identity, error) {
	parts := make([]*growing, runtime.GOMAXPROCS(0))
	works := make([]func([][]byte) error, len(parts))
	for i := range parts {
		part := newGrowing()
		parts[i] = part
		tokenizer := tokenize.NewTokenizer(part)
		var ids []embedding.ID
		works[i] = func(texts [][]byte) error {
			for _, t := range texts {
				ids, _ = tokenizer.Tokenize(ids[:0], t)
				part.add(ids)
			}
			return nil
		}
	}
	id, err := read(ctx, c, works)
	if err != nil {
		return nil, id, err
	}
	count := map[string]int64{}
	for i, part := range parts {
		for k, word := range part.words {
			count[word] += part.count[k]
		}
		parts[i] = nil
	}
	return choose(count, o.Words, int64(o.Least)), id, nil
}

// countSpellings returns the vocabulary of a corpus that is cut by rules, and the rules for
// the vocabulary.
func countSpellings(ctx context.Context, c Corpus, rules *segment.Rules, o Options) ([]string, *segment.Rules, identity, error) {
	parts := make([]*spelled, runtime.GOMAXPROCS(0))
	works := make([]func([][]byte) error, len(parts))
	for i := range parts {
		part := &spelled{rules.Cutter(nil), map[string]*spelling{}}
		parts[i] = part
		works[i] = func(texts [][]byte) error {
			for _, t := range texts {
				part.add(t)
			}
			return nil
		}
	}
	id, err := read(ctx, c, works)
	if err != nil {
		return nil, nil, id, err
	}
	count := parts[0].count
	for _, part := range parts[1:] {
		for w, n := range part.count {
			if sum, ok := count[w]; ok {
				sum.inside, sum.first = sum.inside+n.inside, sum.first+n.first
			} else {
				count[w] = n
			}
		}
	}
	list, rules, err := fold(rules, count, o)
	return list, rules, id, err
}

// countPairs writes the pairs of a corpus to temporary, and returns the counts of its
// words.
func countPairs(ctx context.Context, c Corpus, v *vocabulary, temporary *runs, o Options) (*pairs, identity, error) {
	parts := make([]*pairs, min(runtime.GOMAXPROCS(0), mostCounters))
	works := make([]func([][]byte) error, len(parts))
	list := v.words
	done := o.Progress.Stage("count pairs")
	done.At(0, 1)
	for i := range parts {
		part, tokenizer := newPairs(len(list), o.Window, min(len(list), dense)), tokenize.NewTokenizer(v)
		parts[i] = part
		var ids []embedding.ID
		works[i] = func(texts [][]byte) error {
			for _, t := range texts {
				ids, _ = tokenizer.Tokenize(ids[:0], t)
				if part.add(ids); part.full() {
					if err := temporary.add(ctx, part.takeKeys); err != nil {
						return err
					}
				}
			}
			return nil
		}
	}
	id, err := read(ctx, c, works)
	if err != nil {
		return nil, id, err
	}
	sum := parts[0]
	for i, p := range parts {
		if err := errors.Join(ctx.Err(), temporary.add(ctx, p.takeKeys)); err != nil {
			return nil, id, err
		}
		if i > 0 {
			sum.merge(p)
		}
	}
	return sum, id, temporary.add(ctx, sum.takeDense)
}

// mostCounters bounds the goroutines that count pairs: each has 100 MB of counts.
const mostCounters = 8

// merge adds what another counted in its arrays.
func (p *pairs) merge(other *pairs) {
	p.tokens += other.tokens
	for i, n := range other.counts {
		p.counts[i] += n
	}
	for i, n := range other.dense {
		p.dense[i] += n
	}
	*other = pairs{}
}
