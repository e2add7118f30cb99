package corpus

import (
	"encoding/binary"
	"fmt"
	"path/filepath"
	"sync"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/builtin"
	"github.com/sotto-dp/sotto/internal/nearest"
	"github.com/sotto-dp/sotto/internal/simd/inner"
	"github.com/sotto-dp/sotto/text/terms"
)

// Card describes a corpus. It quotes no text.
type Card struct {
	Name           string      `json:"name"`
	DeclaredPublic bool        `json:"declared_public"`
	Texts          int         `json:"texts"`
	Dimensions     int         `json:"dimensions"`
	Encoder        EncoderCard `json:"encoder"`
	// Clusters is the number of clusters in the file, 0 for none.
	Clusters int    `json:"clusters"`
	Source   Source `json:"source"`
	// Clusterings are the sizes of the other clusterings in the file, ascending.
	Clusterings []int `json:"clusterings,omitempty"`
	// Written names the model that wrote the texts, nil for texts of people.
	Written *Written `json:"written,omitempty"`
}

// Written describes how a language model wrote the texts of a corpus.
type Written struct {
	Model string `json:"model"` // as its endpoint names it
	About string `json:"about"`
	Seed  uint64 `json:"seed"`
	Calls int    `json:"calls"`
	// Refused and Similar are texts that were left out.
	Refused int `json:"refused"`
	Similar int `json:"similar"`
}

// clusterings returns the sizes of all clusterings, in the order of the file.
func (c *Card) clusterings() []int {
	if c.Clusters == 0 {
		return nil
	}
	return append([]int{c.Clusters}, c.Clusterings...)
}

// EncoderCard describes the encoder of a corpus.
type EncoderCard struct {
	Kind Kind `json:"kind"`
	// Version increases when the same settings give other vectors.
	Version int `json:"version"`
	// Table is the table of word vectors, nil for none.
	Table *TableCard `json:"table,omitempty"`
	// Terms is the size of the vocabulary of LSA, Semantic its dimensions.
	Terms    int `json:"terms,omitempty"`
	Semantic int `json:"semantic,omitempty"`
	// About has words for labels, which cut the clusters too; nil for none.
	About *AboutCard `json:"about,omitempty"`
}

// TableCard names a table of word vectors.
type TableCard struct {
	Name       string `json:"name"`
	Words      int    `json:"words"`
	Dimensions int    `json:"dimensions"`
	SHA256     string `json:"sha256"`
}

// Source counts the records that a corpus was built from.
type Source struct {
	Records    int `json:"records"`    // given
	Candidates int `json:"candidates"` // texts in them; more than Records if records are cut into sentences
	Empty      int `json:"empty"`      // left out because they hold no text
	Long       int `json:"long"`       // left out because they are longer than the bound
	Duplicates int `json:"duplicates"` // left out because they equal an earlier text
	Similar    int `json:"similar"`    // left out because they nearly equal an earlier text
}

// The versions of EncoderCard.
const (
	encoderVersion = 1
)

// Corpus is a codebook of public texts. It is immutable and safe for concurrent use.
type Corpus struct {
	card       Card
	content    [sectionCount][]byte
	digests    [sectionCount][32]byte
	digest     string
	table      *nearest.Table
	index      index
	lastRounds func() (map[int][]uint32, error) // see lastRound; nil where none are stored

	encoder struct {
		sync.Mutex
		made *Encoder
	}
}

// Card returns the description of the corpus.
func (c *Corpus) Card() Card { return c.card }

// Name returns the name of the corpus.
func (c *Corpus) Name() string { return c.card.Name }

// Len returns the number of texts.
func (c *Corpus) Len() int { return c.card.Texts }

// Dim returns the number of components of a vector.
func (c *Corpus) Dim() int { return c.card.Dimensions }

// Declared reports whether the builder of the corpus declared it public.
func (c *Corpus) Declared() bool { return c.card.DeclaredPublic }

// Digest returns the hexadecimal SHA-256 of everything that a claim depends on: the
// texts, their vectors and the encoder. It does not cover the name and the declaration.
func (c *Corpus) Digest() string { return c.digest }

// Text returns text i.
func (c *Corpus) Text(i int) string { return string(c.text(i)) }

// AppendText appends text i to dst.
func (c *Corpus) AppendText(dst []byte, i int) []byte { return append(dst, c.text(i)...) }

// text returns text i without a copy.
func (c *Corpus) text(i int) []byte {
	at := c.content[sectionOffsets][8*i:]
	return c.content[sectionTexts][binary.LittleEndian.Uint64(at):binary.LittleEndian.Uint64(at[8:])]
}

// Vector appends the grid vector of text i, Dim components, to dst.
func (c *Corpus) Vector(dst []int8, i int) []int8 {
	if i < 0 || i >= c.Len() {
		panic(fmt.Sprintf("corpus: text %d of %d", i, c.Len()))
	}
	at := len(dst)
	dst = append(dst, make([]int8, c.Dim())...)
	inner.Get(dst[at:], c.content[sectionVectors], i)
	return dst
}

// Encoder returns the encoder of the corpus. It needs the table of word vectors that the
// card names: the given table or, if that is nil, an embedded table or one of the user's
// library. A missing table gives a *TableError. The encoder is nil if the caller of the
// Builder provided the vectors.
func (c *Corpus) Encoder(table *embedding.Table) (*Encoder, error) {
	if c.card.Encoder.Kind == Brought {
		return nil, nil
	}
	c.encoder.Lock()
	defer c.encoder.Unlock()
	if c.encoder.made == nil {
		e, err := c.open(table)
		if err != nil {
			return nil, err
		}
		c.encoder.made = e
	} else if table != nil && c.card.Encoder.Table != nil {
		if err := c.checkTable(table); err != nil {
			return nil, err
		}
	}
	return c.encoder.made, nil
}

// Language returns the language of the texts, as in ISO 639: that of a corpus that the program has,
// or that of the table of the encoder. It is empty where nothing says it.
func (c *Corpus) Language() string {
	for _, b := range Builtins() {
		if b.SHA256 == c.digest {
			return b.Language
		}
	}
	if e := c.card.Encoder; e.Table != nil {
		if t, err := c.findTable(); err == nil && t.Digest() == e.Table.SHA256 {
			return t.Language()
		}
	}
	return ""
}

// findTable returns the table that the encoder names: an embedded one, or one of the
// user's library. It opens no other file, because the corpus may come from a stranger.
func (c *Corpus) findTable() (*embedding.Table, error) {
	e := c.card.Encoder
	for _, own := range builtin.Tables() {
		if own.Dimensions != e.Table.Dimensions {
			continue
		}
		if t, err := own.Open(); err != nil || t.Digest() == e.Table.SHA256 {
			return t, err
		}
	}
	if dir, err := embedding.Library(); err == nil && CanName(e.Table.Name) {
		if t, err := embedding.Open(filepath.Join(dir, e.Table.Name+embedding.Extension)); err == nil {
			return t, nil
		}
	}
	return nil, &TableError{Corpus: c.Name(), Name: e.Table.Name, SHA256: e.Table.SHA256}
}

// open returns the encoder stored in the file's sections.
func (c *Corpus) open(table *embedding.Table) (*Encoder, error) {
	card := c.card.Encoder
	var parts []part
	if card.Table != nil {
		if table == nil {
			var err error
			if table, err = c.findTable(); err != nil {
				return nil, err
			}
		}
		if err := c.checkTable(table); err != nil {
			return nil, err
		}
		weights := make([]uint16, card.Table.Words)
		for i := range weights {
			weights[i] = binary.LittleEndian.Uint16(c.content[sectionWeights][2*i:])
		}
		parts = append(parts, newWordMean(table, weights))
	}
	if card.Kind == LSA || card.Kind == Joined {
		rows := make([]int16, card.Terms*card.Semantic)
		for i := range rows {
			rows[i] = int16(binary.LittleEndian.Uint16(c.content[sectionRows][2*i:]))
		}
		read := terms.Of(nil)
		if card.Version == segmentedVersion {
			read = terms.Of(table)
		}
		parts = append(parts, newSemantic(splitTerms(c.content[sectionTerms]), rows, card.Semantic, read))
	}
	if words, err := card.aboutWords(); err != nil {
		return nil, err
	} else if words != nil {
		parts = append(parts, newAboutPart(words, table))
	}
	return newEncoder(parts, floats(c.content[sectionMean])), nil
}

// Nearest appends, for each of the vectors (rows of Dim components, as returned by Encode
// and Quantize), the indices of the k nearest texts to dst: exactly k per vector, in
// ascending order. k is 1 to Len.
func (c *Corpus) Nearest(dst []uint32, vectors []int8, k int) ([]uint32, error) {
	if err := c.checkSearch(vectors, k); err != nil {
		return dst, err
	}
	return c.table.Nearest(dst, vectors, k), nil
}

// Match is a search result.
type Match struct {
	Index int
	// Similarity is the inner product on the grid divided by the square of Radius: the
	// cosine, apart from rounding.
	Similarity float64
}

// Search returns the n texts nearest to a vector, nearest first, and equally near ones in
// the order of their indices. n is 1 to Len.
func (c *Corpus) Search(vector []int8, n int) ([]Match, error) {
	if len(vector) != c.Dim() {
		return nil, fmt.Errorf("corpus: the vector must have %d components, got %d", c.Dim(), len(vector))
	}
	if err := c.checkSearch(vector, n); err != nil {
		return nil, err
	}
	matches := make([]Match, 0, n)
	square := float64(Radius(c.Dim())) * float64(Radius(c.Dim()))
	for _, m := range c.table.Ranked(vector, n) {
		matches = append(matches, Match{int(m.Index), float64(m.Score) / square})
	}
	return matches, nil
}

func (c *Corpus) checkSearch(vectors []int8, k int) error {
	if k < 1 || k > c.Len() {
		return fmt.Errorf("corpus: k must be 1 to %d, got %d", c.Len(), k)
	}
	if len(vectors)%c.Dim() != 0 {
		return fmt.Errorf("corpus: the vectors must have a multiple of %d components, got %d", c.Dim(), len(vectors))
	}
	return nil
}
