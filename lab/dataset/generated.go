package dataset

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
)

// Generated makes small reproducible sets from the embedded English table, for tests and
// for trying an experiment, not for findings. Every name is accepted. A final digit of the
// name is the number of classes; the default is two.
type Generated struct {
	Train, Test int // texts
	Words       int // of a text, on average
}

const generatedWords = 400 // first words of the table that texts are made of

// Vectors returns the embedded table, whatever the name.
func (g Generated) Vectors(string) (*embedding.Table, error) { return builtin.English() }

// Set draws texts: each class prefers the words near a word of its own.
func (g Generated) Set(name string) (*Set, error) {
	table, err := builtin.English()
	if err != nil {
		return nil, err
	}
	seed := sha256.Sum256([]byte(name))
	rng := rand.New(rand.NewChaCha8(seed))
	classes := 2
	if last := name[len(name)-1]; last >= '2' && last <= '9' {
		classes = int(last - '0')
	}
	s := &Set{Name: name}
	tastes := make([][]float64, classes) // running sums of the words' weights
	for c := range tastes {
		s.Labels = append(s.Labels, fmt.Sprint(c))
		centre := embedding.ID(100 + rng.IntN(generatedWords-100))
		sum := 0.0
		for y := range generatedWords {
			sum += math.Exp(-table.Distance(centre, embedding.ID(y))) / float64(1+y/20)
			tastes[c] = append(tastes[c], sum)
		}
	}
	sum := sha256.New()
	for _, part := range []struct {
		n    int
		into *Split
	}{{g.Train, &s.Train}, {g.Test, &s.Dev}, {g.Test, &s.Test}} {
		for range part.n {
			c := rng.IntN(classes)
			var words []string
			for range 1 + rng.IntN(2*g.Words) {
				u := rng.Float64() * tastes[c][generatedWords-1]
				y := 0
				for tastes[c][y] < u {
					y++
				}
				words = append(words, table.Word(embedding.ID(y)))
			}
			text := strings.Join(words, " ")
			fmt.Fprintf(sum, "%d\t%s\n", c, text)
			part.into.add(text, c)
		}
	}
	s.SHA256 = hex.EncodeToString(sum.Sum(nil))
	return s, nil
}

// Lexicon returns the words nearest to "good" and to "bad".
func (g Generated) Lexicon() (*Lexicon, error) {
	table, err := builtin.English()
	if err != nil {
		return nil, err
	}
	l := &Lexicon{SHA256: table.Digest()}
	good, _ := table.Lookup("good")
	bad, _ := table.Lookup("bad")
	for y := range 2000 {
		id := embedding.ID(y)
		near, far := table.Distance(good, id), table.Distance(bad, id)
		if min(near, far) > 5.2 {
			continue
		}
		if near < far {
			l.Positive = append(l.Positive, table.Word(id))
		} else if far < near {
			l.Negative = append(l.Negative, table.Word(id))
		}
	}
	return l, nil
}
