package corpus

import (
	"errors"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/text/about"
)

// AboutCard describes the words for labels that an encoder reads.
type AboutCard struct {
	SHA256 string `json:"sha256"`
	Words  string `json:"words"` // in the form of package about
}

// aboutShare is the length of the part of a vector that says which label a text's words speak
// for, beside a part of length 1. Clusters are then cut along the labels.
const aboutShare = 1.5

// With two labels a text is in one of aboutBins bins by how many more words speak for the
// second than for the first. With more labels it is in the bin of the label with the most
// words, or in none.
const aboutBins = 5

// aboutPart is the part of an encoder that reads words for labels. It is never the first.
type aboutPart struct {
	words *about.Words
	dims  int
	pool  sync.Pool // of *about.Counter
}

func newAboutPart(w *about.Words, table *embedding.Table) *aboutPart {
	p := &aboutPart{words: w, dims: aboutDim(w)}
	p.pool.New = func() any { return w.Counter(table) }
	return p
}

func aboutDim(w *about.Words) int {
	if w == nil {
		return 0
	}
	if n := len(w.Labels()); n != 2 {
		return n
	}
	return aboutBins
}

func (p *aboutPart) dim() int { return p.dims }

// read appends the bin of a text, if it is in one.
func (p *aboutPart) read(dst []uint32, text []byte) (bin []uint32, none Known) {
	c := p.pool.Get().(*about.Counter)
	defer p.pool.Put(c)
	if counts := c.Counts(text); len(counts) == 2 {
		const middle = aboutBins / 2
		return append(dst, uint32(middle+max(-middle, min(middle, counts[1]-counts[0])))), none
	}
	if y, ok := c.Best(text); ok {
		dst = append(dst, uint32(y))
	}
	return dst, none
}

func (p *aboutPart) sum(v []float64, bin []uint32) {
	clear(v)
	for _, y := range bin {
		v[y] = 1
	}
}

// aboutWords returns the words that an encoder's card names, nil for none.
func (e *EncoderCard) aboutWords() (*about.Words, error) {
	if e.About == nil {
		return nil, nil
	}
	w, err := about.Read([]byte(e.About.Words))
	if err != nil || w.Digest() != e.About.SHA256 {
		return nil, damaged("the encoder's words for labels are invalid")
	}
	return w, nil
}

// AboutDim returns the number of components of a vector, the last ones, that come from words
// for labels.
func (c *Corpus) AboutDim() int { return aboutDim(c.Words()) }

// Words returns the words for labels that the corpus is cut along, nil for none.
func (c *Corpus) Words() *about.Words {
	w, _ := c.card.Encoder.aboutWords() // was read before
	return w
}

// useWords adds the words to the description of the encoder.
func (c *Corpus) useWords(w *about.Words) {
	c.card.Encoder.About = &AboutCard{SHA256: w.Digest(), Words: string(w.Source())}
}

var errWordsTwice = errors.New("corpus: it is cut along other words for labels already")
