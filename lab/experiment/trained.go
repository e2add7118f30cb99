package experiment

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/lab/dataset"
	"github.com/sotto-dp/sotto/vectors"
)

const (
	trainedPrefix = "trained-"
	trainedWords  = 10000 // commonest of the corpus
	trainedLeast  = 1     // occurrences of a word
	trainedWindow = 5
	trainedMost   = 300 // dimensions
	trainedNorm   = 6.0 // root mean square, about that of GloVe's vectors: a unit of distance is worth as much
)

// lessons is what trained vectors depend on: a set and the number of dimensions.
type lessons struct {
	set        *dataset.Set
	dimensions int
	digest     string
}

// lessonsOf reads "SET-DIMENSIONS".
func (b *Bench) lessonsOf(name string) (l lessons, err error) {
	dash := max(0, strings.LastIndex(name, "-"))
	if l.dimensions, err = strconv.Atoi(strings.TrimPrefix(name[dash:], "-")); err != nil || l.dimensions < 1 || l.dimensions > trainedMost {
		return l, fmt.Errorf("experiment: trained vectors must be called SET-DIMENSIONS, with at most %[2]d dimensions, got %[1]q", name, trainedMost)
	}
	if l.set, err = b.Set(name[:dash]); err != nil {
		return l, err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %d %d %d %g %s", l.set.SHA256, name, trainedWords, trainedLeast, trainedWindow, trainedMost, trainedNorm, sotto.Version))
	l.digest = hex.EncodeToString(sum[:16])
	return l, nil
}

// trained is vectors that were trained on the training texts of a set, named
// "SET-DIMENSIONS": those of a model of 300 dimensions, of which fewer are its best
// ones, so that tables of all sizes come from one training. They are made once and
// kept as a file named by all they depend on.
func (b *Bench) trained(name string) (*embedding.Table, error) {
	l, err := b.lessonsOf(name)
	if err != nil {
		return nil, err
	}
	return kept(b, l.digest+".sotto", embedding.Open, embedding.WriteFile, func() (*embedding.Table, error) {
		f, err := b.factors.get(l.set.Name, func() (factors, error) { return factorsOf(l.set.Train) })
		if err != nil {
			return nil, err
		}
		return f.table(name, l.dimensions)
	})
}

// factors are words and their vectors in the most dimensions, row after row.
type factors struct {
	words   []string
	vectors []float32
}

func factorsOf(texts dataset.Split) (factors, error) {
	scratch, err := os.MkdirTemp("", "lab-vectors-")
	if err != nil {
		return factors{}, err
	}
	defer os.RemoveAll(scratch)
	corpus := func(yield func([]byte, error) bool) {
		for _, text := range texts.Texts {
			if !yield([]byte(text), nil) {
				return
			}
		}
	}
	made, err := vectors.Train(context.Background(), corpus, vectors.Options{
		Name: "trained", Dimensions: trainedMost, Words: trainedWords, Least: trainedLeast, Window: trainedWindow,
		Temporary: filepath.Join(scratch, "counts"),
	})
	if err != nil {
		return factors{}, err
	}
	f := factors{}
	for x := range made.Table.Len() {
		f.words = append(f.words, made.Table.Word(embedding.ID(x)))
		f.vectors = made.Table.Vector(f.vectors, embedding.ID(x))
	}
	return f, nil
}

// table returns the first dimensions of all vectors, at the norm of all trained tables.
func (f factors) table(name string, dimensions int) (*embedding.Table, error) {
	src := embedding.Source{Name: name, Words: f.words, Dim: dimensions}
	square := 0.0
	for row := range slices.Chunk(f.vectors, trainedMost) {
		for _, v := range row[:dimensions] {
			src.Vectors = append(src.Vectors, v)
			square += float64(v) * float64(v)
		}
	}
	scale := trainedNorm / math.Sqrt(square/float64(len(f.words)))
	for i := range src.Vectors {
		src.Vectors[i] = float32(scale * float64(src.Vectors[i]))
	}
	return embedding.New(src)
}
