// Package dataset reads classification sets, an opinion lexicon and word
// vectors from a folder, or makes small ones, and turns their texts into words
// of a table.
package dataset

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

// Source provides data sets. Implementations are safe for concurrent use.
type Source interface {
	// Set returns a classification set by name.
	Set(name string) (*Set, error)
	// Vectors returns a whole table by name. "builtin" is the embedded English one.
	Vectors(name string) (*embedding.Table, error)
	// Lexicon returns a list of opinion words.
	Lexicon() (*Lexicon, error)
}

// Set is texts with labels, in parts. Dev may be empty.
type Set struct {
	Name             string
	Labels           []string // the label of number i, in order of appearance in Train
	Train, Dev, Test Split
	SHA256           string // of the files, or of the texts that were made
}

// Split is texts and the number of each one's label.
type Split struct {
	Texts  []string
	Labels []int
}

// Len returns the number of texts.
func (s Split) Len() int { return len(s.Texts) }

// Lexicon is opinion words: first all positive ones, then all negative ones.
type Lexicon struct {
	Positive, Negative []string
	SHA256             string
}

// Folder is a source on disk: NAME/train.tsv.gz and the like, gzip of a head
// line "label<TAB>text" and then one text a line; hu-liu-lexicon/positive-words.txt
// and negative-words.txt; and vector files under embeddings/.
type Folder string

// vectorFiles are the files of tables by the names that experiments use.
var vectorFiles = map[string]string{
	"glove":    "glove.6B.100d.50k.txt.gz",
	"fasttext": "fasttext.reviews.300d.20k.txt.gz",
}

// Vectors opens embeddings/FILE.
func (f Folder) Vectors(name string) (*embedding.Table, error) {
	if name == "builtin" {
		return builtin.English()
	}
	if t, err := builtin.Find(name); name != "" && (t != nil || err != nil) {
		return t, err
	}
	file, ok := vectorFiles[name]
	if !ok {
		return nil, fmt.Errorf("dataset: no vectors are called %q", name)
	}
	return embedding.Open(filepath.Join(string(f), "embeddings", file))
}

// Set reads a set. Labels that only a later part has are numbered after those
// of the training part. NAME-sentences is the set NAME cut into sentences.
func (f Folder) Set(name string) (*Set, error) {
	if whole, ok := strings.CutSuffix(name, bySentence); ok {
		s, err := f.Set(whole)
		if err != nil {
			return nil, err
		}
		return s.sentences(), nil
	}
	s := &Set{Name: name}
	sum := sha256.New()
	for _, part := range []struct {
		file string
		into *Split
		need bool
	}{{"train", &s.Train, true}, {"dev", &s.Dev, false}, {"test", &s.Test, true}} {
		data, err := os.ReadFile(filepath.Join(string(f), name, part.file+".tsv.gz"))
		if errors.Is(err, fs.ErrNotExist) && !part.need {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("dataset: %w", err)
		}
		sum.Write(data)
		if err := s.read(data, part.into); err != nil {
			return nil, fmt.Errorf("dataset: %s/%s: %w", name, part.file, err)
		}
	}
	s.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return s, nil
}

func (s *Set) read(data []byte, into *Split) error {
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return err
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<24)
	if !lines.Scan() || lines.Text() != "label\ttext" {
		return errors.New("the head line is not label and text")
	}
	for n := 2; lines.Scan(); n++ {
		label, text, ok := strings.Cut(lines.Text(), "\t")
		if !ok {
			return fmt.Errorf("line %d lacks its tab", n)
		}
		into.add(text, s.label(label))
	}
	return lines.Err()
}

func (s *Set) label(name string) int {
	at := slices.Index(s.Labels, name)
	if at < 0 {
		at = len(s.Labels)
		s.Labels = append(s.Labels, name)
	}
	return at
}

func (s *Split) add(text string, label int) {
	s.Texts, s.Labels = append(s.Texts, text), append(s.Labels, label)
}

// Lexicon reads both word lists; lines that begin with ';' are comments.
func (f Folder) Lexicon() (*Lexicon, error) {
	l := &Lexicon{}
	sum := sha256.New()
	for _, part := range []struct {
		file string
		into *[]string
	}{{"positive-words.txt", &l.Positive}, {"negative-words.txt", &l.Negative}} {
		data, err := os.ReadFile(filepath.Join(string(f), "hu-liu-lexicon", part.file))
		if err != nil {
			return nil, fmt.Errorf("dataset: %w", err)
		}
		sum.Write(data)
		for line := range strings.Lines(string(data)) {
			if word := strings.TrimSpace(line); word != "" && word[0] != ';' {
				*part.into = append(*part.into, word)
			}
		}
	}
	l.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return l, nil
}

// Some returns n texts in the order of a fixed public shuffle, or all texts if n is 0 or
// not less than their number.
func (s Split) Some(n int) Split {
	if n <= 0 || n >= s.Len() {
		return s
	}
	return s.pick(shuffled(s.Len())[:n])
}

// Halves returns two halves by the same shuffle.
func (s Split) Halves() (a, b Split) {
	order := shuffled(s.Len())
	return s.pick(order[:s.Len()/2]), s.pick(order[s.Len()/2:])
}

// HoldOut separates one text in k, so that settings are chosen without the test part.
func (s Split) HoldOut(k int) (rest, held Split) {
	order := shuffled(s.Len())
	return s.pick(order[s.Len()/k:]), s.pick(order[:s.Len()/k])
}

func shuffled(n int) []int { return rand.New(rand.NewPCG(1, 1)).Perm(n) }

func (s Split) pick(order []int) Split {
	var out Split
	for _, i := range order {
		out.add(s.Texts[i], s.Labels[i])
	}
	return out
}
