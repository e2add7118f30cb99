package server

import (
	"errors"
	"fmt"
	"net/http"
	"slices"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/gate"
	"github.com/sotto-dp/sotto/cmd/sotto/internal/server/wire"
	"github.com/sotto-dp/sotto/corpus"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/synthesis"
)

// codebook is a corpus that requests may name.
type codebook struct {
	*corpus.Corpus
	total           int64 // bytes of all texts, as JSON
	longest, quoted int64 // bytes of the longest text, and of the longest one as JSON
}

// corpusPlan is a plan with the bounds of the texts that a model writes for it.
type corpusPlan struct {
	*synthesis.Plan
	writing synthesis.Writing
}

// codebooks checks the corpora that a server is started with and opens their encoders, so
// that no request waits for one or fails because one is missing. An empty list is the
// embedded corpus.
func codebooks(corpora []*corpus.Corpus, tables []*embedding.Table, encode corpus.TextEncoder) ([]*codebook, error) {
	if len(corpora) == 0 {
		english, err := corpus.English()
		if err != nil {
			return nil, err
		}
		corpora = []*corpus.Corpus{english}
	}
	named := map[string]bool{}
	var all []*codebook
	for _, c := range corpora {
		switch {
		case named[c.Name()]:
			return nil, privacy.Wrong("serve", "corpus", "two corpora are named "+c.Name(), "name each once")
		case !c.Declared():
			return nil, privacy.Wrong("serve", "corpus "+c.Name(), "it is not declared public, and its texts are output as they are", "build it declared public")
		}
		named[c.Name()] = true
		if err := findEncoder(c, tables, encode); err != nil {
			return nil, err
		}
		all = append(all, measured(c))
	}
	return all, nil
}

// findEncoder opens the encoder of a corpus with the table that the corpus names: one of
// the server's, the embedded one, or one of the user's library. A corpus with vectors of an
// encoder of the operator's needs that one.
func findEncoder(c *corpus.Corpus, tables []*embedding.Table, encode corpus.TextEncoder) error {
	if brought(c) {
		switch {
		case encode == nil:
			return privacy.Wrong("serve", "corpus "+c.Name(), "it has no encoder, and requests hold texts, not vectors", "choose a corpus built with an encoder, or name the program that made its vectors")
		case encode.Dim() != c.Dim():
			return privacy.Wrong("serve", "corpus "+c.Name(), fmt.Sprintf("it has %d dimensions, and the vectors of the encoder have %d", c.Dim(), encode.Dim()), "use the encoder that it was built with")
		}
		return nil
	}
	_, err := c.Encoder(nil)
	var missing *corpus.TableError
	for _, t := range tables {
		if !errors.As(err, &missing) {
			break
		}
		_, err = c.Encoder(t)
	}
	return err
}

// measured measures the lengths from which requests reserve memory.
func measured(c *corpus.Corpus) *codebook {
	m := &codebook{Corpus: c}
	var text []byte
	for i := range c.Len() {
		text = c.AppendText(text[:0], i)
		quoted := int64(2)
		for _, b := range text {
			switch {
			case b < ' ' || b == '<' || b == '>' || b == '&':
				quoted += 6 // \u003c
			case b == '"' || b == '\\':
				quoted += 2
			case b >= 0x80: // U+2028 and invalid UTF-8
				quoted += 6
			default:
				quoted++
			}
		}
		m.total += quoted
		m.longest, m.quoted = max(m.longest, int64(len(text))), max(m.quoted, quoted)
	}
	return m
}

// codebookOf returns the corpus whose texts replace those of a request. It is nil if they
// are rewritten in another way, or if the server has no such corpus.
func (s *Server) codebookOf(o *wire.Opening) *codebook {
	if entry, _ := catalog.Find(o.Mechanism); !o.Whole() || o.Mechanism != "" && entry.NewRetriever == nil {
		return nil
	}
	if o.Corpus == "" {
		return s.codebooks[0]
	}
	for _, c := range s.codebooks {
		if c.Name() == o.Corpus {
			return c
		}
	}
	return nil
}

// checkListed refuses requests whose answer has words of a corpus or a model, if the server
// has a list of words that must never be output: these words are not from its tables, so
// the list does not remove them.
func (s *Server) checkListed() error {
	if slices.ContainsFunc(s.cfg.Tables, func(t *embedding.Table) bool { return t.Never() != nil }) {
		return wire.NewProblem(http.StatusBadRequest, "listed-words", "this server has a list of words that never come out, which the texts of a corpus or a model may have: use unit word")
	}
	return nil
}

// rowsAtOnce is the number of texts searched for in one batch.
const rowsAtOnce = 64

// searchMemory is the bytes that a search needs per text of the corpus: scores and
// candidate positions for the few texts compared at a time.
const searchMemory = 64

// memory returns the bytes needed to draw n replacements from sets of k and to write
// them, each as long as the longest text of the corpus.
func (c *codebook) memory(n, k int, pieces bool) int64 {
	each := int64(c.vectorMemory()) + 2*c.longest + 4*c.quoted
	if pieces {
		each += 2*c.longest + 4*c.quoted
	}
	return int64(n)*each + 8*rowsAtOnce*int64(k) + searchMemory*int64(c.Len())
}

// vectorMemory returns the bytes of the vector of a text: on the grid, and where a program
// makes it as it came.
func (c *codebook) vectorMemory() int {
	if brought(c.Corpus) {
		return 9 * c.Dim()
	}
	return c.Dim()
}

// explanation returns the bytes of a text's exact row and n outputs of it.
func (c *codebook) explanation(n int) int64 {
	return int64(c.Len())*(searchMemory+rowMemory) + int64(n)*outputMemory + min(c.total, int64(n)*c.longest)
}

// sizeOf returns the size of the sets of a rewriter of whole texts.
func sizeOf(r *sotto.Rewriter) int {
	if k := r.Statement(sotto.Counts{}).Neighbours; k != nil {
		return *k
	}
	return 0
}

// compare refuses more texts than one request may compare with the corpus.
func (s *Server) compare(c *codebook, texts int) error {
	each := int64(c.Len()) * int64(c.Dim())
	if most := s.limits.Products / each; int64(texts) > most {
		return wire.NewProblem(http.StatusRequestEntityTooLarge, "too-many-texts", fmt.Sprintf("a request may have %d texts for this corpus: send them in several requests", most)).Of(int(most), texts)
	}
	return nil
}

// admitWhole refuses more texts than one request may compare with a corpus. It reserves
// memory by the length of the corpus's longest text, not by that of the request's texts.
func (s *Server) admitWhole(e *gate.Exchange, c *codebook, rewriter *sotto.Rewriter, texts int, pieces bool) error {
	if err := s.compare(c, texts); err != nil {
		return err
	}
	return e.Reserve(c.memory(texts, sizeOf(rewriter), pieces))
}
