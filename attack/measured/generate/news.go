package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/attack/measured"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/text/tokenize"
)

const (
	training = 15608 // texts of the training part
	trained  = 13600 // texts of the smaller model: the first of them
	attacked = 400   // texts of the sample: the first of the test part
	further  = 6400  // texts of the test part after these, public too
	among    = 200   // candidates of a linkage, which is not part of the figures
	seed     = 1
)

// news is a sample of public texts, and readers with others.
type news struct {
	table     *embedding.Table
	tokenizer *tokenize.Tokenizer
	test      []string // of the sample
	sample    []attack.Text
	attackers []reader
}

// members returns the channels for words that open over the embedded table without a
// computation over all pairs of words.
func (n *news) members(ctx context.Context) (all []mechanism.Entry, err error) {
	for _, e := range catalog.All() {
		if e.New == nil || e.Stops == nil || !e.Ships(0, 0) || e.Cost == mechanism.Solver {
			continue
		}
		m, err := e.New(ctx, n.table, mechanism.Spec{Epsilon: e.Stops[len(e.Stops)/2]})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", e.Name, err)
		}
		if _, ok := m.(mechanism.Channel); ok {
			all = append(all, e)
		}
	}
	return all, nil
}

// epsilons returns the epsilons at which a member is attacked: those of its stops that are
// whole, and of a member with dense columns, which take a minute each, a few.
func epsilons(e mechanism.Entry) []float64 {
	if e.Cost == mechanism.Certificate {
		return []float64{1, 1.5, 2, 3}
	}
	return slices.DeleteFunc(slices.Clone(e.Stops), func(epsilon float64) bool { return epsilon != math.Trunc(epsilon) })
}

func readNews(ctx context.Context, data string) (*news, error) {
	table, err := builtin.English()
	if err != nil {
		return nil, err
	}
	n := &news{table: table, tokenizer: tokenize.NewTokenizer(table)}
	test, err := readPart(filepath.Join(data, "test.tsv.gz"), attacked+further)
	if err != nil {
		return nil, err
	}
	n.test = test[:attacked]
	for _, t := range n.test {
		n.sample = append(n.sample, attack.Read(n.tokenizer, []byte(t)))
	}
	public, err := readPart(filepath.Join(data, "train.tsv.gz"), training)
	if err != nil {
		return nil, err
	}
	n.attackers, err = n.readers(ctx, public, test[attacked:])
	return n, err
}

// readPart returns the first texts of a part: the second column.
func readPart(name string, texts int) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(z)
	lines.Scan() // the names of the columns
	var all []string
	for len(all) < texts && lines.Scan() {
		_, t, _ := strings.Cut(lines.Text(), "\t")
		all = append(all, t)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(all) < texts {
		return nil, fmt.Errorf("%s has %d texts, want %d", filepath.Base(name), len(all), texts)
	}
	return all, nil
}

// figures returns the figures without rows.
func (n *news) figures() measured.Figures {
	f := measured.Figures{
		Sample: fmt.Sprintf("AG News, test part, the first %d texts", attacked), Texts: len(n.sample),
		Table: n.table.Digest(), Words: n.table.Len(), Confidence: attack.Confidence, Seed: seed, Beam: attack.DefaultBeam,
	}
	for _, r := range n.attackers {
		f.Readers = append(f.Readers, r.Card)
	}
	for _, t := range n.sample {
		f.Tokens += len(t.Words)
	}
	f.Unknown = attack.Unknown(n.sample, n.table.Unknown())
	return f
}

// attack attacks one setting. blind is what is recovered without a release.
func (n *news) attack(ctx context.Context, entry mechanism.Entry, epsilon float64) (row measured.Row, blind measured.Share, err error) {
	m, err := entry.New(ctx, n.table, mechanism.Spec{Epsilon: epsilon})
	if err != nil {
		return row, blind, err
	}
	channel, ok := m.(mechanism.Channel)
	if !ok {
		return row, blind, fmt.Errorf("its outputs have no exact chances")
	}
	for _, r := range n.attackers {
		if !r.tries(entry, row.InContext.Share) {
			continue
		}
		w, err := attack.OfWords(ctx, channel, n.sample, attack.Options{Model: r.model, Adapted: r.adapted, Among: among, Seed: seed})
		if err != nil {
			return row, blind, err
		}
		if r.Reader == measured.Ngram {
			blind = rounded(w.Blind)
		}
		if most := rounded(w.InContext); most.Share > row.InContext.Share {
			row = measured.Row{Mechanism: entry.Name, Epsilon: epsilon, Size: sizeOf(entry, m), Reader: r.Reader, Approximate: !w.Exact,
				Alone: rounded(w.Alone), InContext: most, Rare: rounded(w.Rare)}
		}
	}
	return row, blind, nil
}

// sizeOf returns the size of the sets that a mechanism chose, 0 without sets.
func sizeOf(entry mechanism.Entry, m mechanism.Mechanism) int {
	parameter, ok := entry.Parameter(mechanism.RoleSize)
	for _, s := range m.Settings() {
		if k, whole := s.Value.(int); ok && whole && s.Name == parameter.Name {
			return k
		}
	}
	return 0
}

// rounded keeps four digits, the interval rounded outwards.
func rounded(s *attack.Share) measured.Share {
	const digits = 1e4
	return measured.Share{
		Share: math.Round(s.Share*digits) / digits,
		Low:   math.Floor(s.Low*digits) / digits,
		High:  math.Ceil(s.High*digits) / digits,
	}
}
