// Package experiment holds what trials do: each experiment is a small function
// of a bench, parameters and a seed. Package plan lists the parameters that are tried.
package experiment

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"github.com/sotto-dp/sotto/autoencoder"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/lab/metric"
	"github.com/sotto-dp/sotto/lab/model"
	"github.com/sotto-dp/sotto/lab/private"
	"github.com/sotto-dp/sotto/lab/result"
	"github.com/sotto-dp/sotto/mechanism"
)

// Func is one experiment. The same parameters, seed and data give the same
// figures, times apart.
type Func func(ctx context.Context, b *Bench, p result.Params, seed uint64) (result.Outcome, error)

// Bench is what trials share. It is safe for concurrent use.
type Bench struct {
	Source dataset.Source
	Opener *private.Opener
	// Models is a folder for the auto-encoders and vectors that experiments train, each once; ""
	// trains them in every run. Fresh trains the existing ones again.
	Models string
	Fresh  bool

	tables  memo[*embedding.Table]
	sets    memo[*dataset.Set]
	corpora memo[dataset.Corpus]
	units   memo[*metric.Unit]
	guesses memo[float64]

	perturbers memo[mechanism.Perturber]

	autoencoders memo[*autoencoder.Model]
	bags         memo[*model.Bag]
	factors      memo[factors]

	codebooks memo[*codebook]
	languages memo[publicModel]
}

// memo keeps what was made by name; each name is made once.
type memo[T any] struct {
	mu   sync.Mutex
	made map[string]func() (T, error)
}

func (m *memo[T]) get(name string, produce func() (T, error)) (T, error) {
	m.mu.Lock()
	if m.made == nil {
		m.made = map[string]func() (T, error){}
	}
	once, ok := m.made[name]
	if !ok {
		once = sync.OnceValues(produce)
		m.made[name] = once
	}
	m.mu.Unlock()
	return once()
}

// kept reads a file of b.Models, or produces its content and writes it.
func kept[T any](b *Bench, name string, read func(file string) (T, error), write func(file string, v T) error, produce func() (T, error)) (T, error) {
	file := filepath.Join(b.Models, name)
	if b.Models != "" && !b.Fresh {
		if v, err := read(file); !errors.Is(err, fs.ErrNotExist) {
			return v, err
		}
	}
	v, err := produce()
	if err != nil || b.Models == "" {
		return v, err
	}
	if err := os.MkdirAll(b.Models, 0o755); err != nil {
		return v, err
	}
	return v, write(file, v)
}

// Table opens "NAME" or "NAME:N", the first N words of it; "trained-SET-D" is
// vectors of D dimensions that are trained on a set's training texts.
func (b *Bench) Table(name string) (*embedding.Table, error) {
	return b.tables.get(name, func() (*embedding.Table, error) {
		whole, words, cut := strings.Cut(name, ":")
		if !cut {
			if of, ok := strings.CutPrefix(whole, trainedPrefix); ok {
				return b.trained(of)
			}
			return b.Source.Vectors(whole)
		}
		n, err := strconv.Atoi(words)
		if err != nil {
			return nil, fmt.Errorf("experiment: table %q has no number of words", name)
		}
		t, err := b.Table(whole)
		if err != nil || n >= t.Len() {
			return t, err
		}
		return t.First(n)
	})
}

// Set opens a classification set.
func (b *Bench) Set(name string) (*dataset.Set, error) {
	return b.sets.get(name, func() (*dataset.Set, error) { return b.Source.Set(name) })
}

// Data returns the digests of what a trial reads: the parameters set, prior, codebook,
// table, start, words and lexicon name it.
func (b *Bench) Data(p result.Params) (map[string]string, error) {
	digests := map[string]string{}
	for _, name := range []string{"set", "prior"} {
		if v := p.Get(name); v != "" {
			s, err := b.Set(v)
			if err != nil {
				return nil, err
			}
			digests[v] = s.SHA256
		}
	}
	switch name := p.Get("codebook"); name {
	case "", ownTexts:
	case englishTexts:
		digests[name] = corpus.EnglishDigest
	default:
		s, err := b.Set(name)
		if err != nil {
			return nil, err
		}
		digests[name] = s.SHA256
	}
	for _, name := range []string{"table", "start", "words"} {
		v := p.Get(name)
		if of, ok := strings.CutPrefix(v, trainedPrefix); ok { // not trained for a list of trials
			l, err := b.lessonsOf(of)
			if err != nil {
				return nil, err
			}
			digests[v] = l.digest
		} else if v != "" && v != random {
			t, err := b.Table(v)
			if err != nil {
				return nil, err
			}
			digests[v] = t.Digest()
		}
	}
	if p.Get("lexicon") != "" {
		l, err := b.Source.Lexicon()
		if err != nil {
			return nil, err
		}
		digests["lexicon"] = l.SHA256
	}
	return digests, nil
}

// part returns a named part of a set: train, dev, test, or test-1 and test-2, its halves.
func part(s *dataset.Set, name string) (dataset.Split, error) {
	switch name {
	case "train":
		return s.Train, nil
	case "dev":
		return s.Dev, nil
	case "test":
		return s.Test, nil
	case "test-1":
		a, _ := s.Test.Halves()
		return a, nil
	case "test-2":
		_, b := s.Test.Halves()
		return b, nil
	}
	return dataset.Split{}, fmt.Errorf("experiment: %q is no part of a set", name)
}

// Corpus is at most n texts of a part of a set as words of a table; 0 is all.
func (b *Bench) Corpus(set, of string, n int, table *embedding.Table) (dataset.Corpus, error) {
	return b.corpora.get(fmt.Sprintf("%s %s %d %s", set, of, n, table.Digest()), func() (dataset.Corpus, error) {
		s, err := b.Set(set)
		if err != nil {
			return dataset.Corpus{}, err
		}
		split, err := part(s, of)
		return dataset.Encode(table, split.Some(n)), err
	})
}

// setup is what most experiments begin with. Mechanism is nil where the
// parameter is "none": the text as it is.
type setup struct {
	table  *embedding.Table
	opened *private.Opened
}

func (b *Bench) setup(p result.Params) (setup, error) {
	table, err := b.Table(p.Get("table"))
	if err != nil {
		return setup{}, err
	}
	name := p.Get("mechanism")
	if name == "none" {
		return setup{table: table}, nil
	}
	epsilon, _ := p.Number("epsilon")
	m, err := b.Opener.Open(table, private.Setting{Name: name, Epsilon: epsilon})
	return setup{table, m}, err
}

// rewrite returns a private copy of a corpus, or the corpus itself.
func (s setup) rewrite(c dataset.Corpus, seed, stream uint64) (dataset.Corpus, error) {
	if s.opened == nil {
		return c, nil
	}
	return s.opened.Rewrite(c, seed, stream)
}

func (s setup) outcome(values map[string]float64) result.Outcome {
	out := result.Outcome{Values: values}
	if s.opened != nil {
		out.Evidence = s.opened.Evidence
	}
	return out
}

// leftOut makes a finding of a setting that a mechanism refuses.
func leftOut(err error) (result.Outcome, error) {
	if why, ok := private.Refused(err); ok {
		return result.Outcome{LeftOut: why}, nil
	}
	return result.Outcome{}, err
}

func number(p result.Params, name string) int {
	v, _ := p.Number(name)
	return int(v)
}
