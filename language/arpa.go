package language

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/sotto-dp/sotto/embedding"
)

// longestLine bounds a line of an ARPA file, in bytes.
const longestLine = 1 << 20

// mostGrams bounds the n-grams of an ARPA file, so that the numbers of n-grams and of the
// contexts that are added fit 32 bits.
const mostGrams = 1 << 29

// outside numbers the words of an ARPA file that the table lacks.
const outside = math.MaxUint32

// arpa is an ARPA file that is being read.
type arpa struct {
	vocabulary *Vocabulary
	lines      *bufio.Scanner
	line       int
	counts     []int             // n-grams of each length that the file states
	numbers    map[string]uint32 // of the file's words
	lists      []*grams          // of length 2 and more, those with words outside left out
	log        [][]float64       // of all lengths; of length 1 by number, NaN if missing
	backoff    [][]float64
	lost       []grams // contexts of n-grams that were left out, by length from 1
	unknown    float64 // probability of <unk>
	rest       float64 // of all words outside
	fields     [][]byte
}

// ReadARPA reads an ARPA file of any tool, of order 2 to [MaxOrder], as a model over the
// words of a table. public: the caller declares that the file is of public text. Words are
// compared as they are spelled.
//
//   - <unk> and <UNK> are the table's unknown entry.
//   - A word that the table lacks is unknown: its unigram probability is added to that of
//     the unknown entry, and longer n-grams with it are left out.
//   - The table's words that the file lacks share the probability of <unk> equally with
//     the unknown entry. What has no probability has 1e-99.
//   - The weights of contexts that this changes are computed again, so that the
//     probabilities after them sum to 1.
//
// A context that the file lacks is added, as other readers do: with its backed-off
// probability and the weight 1.
func ReadARPA(ctx context.Context, r io.Reader, table *embedding.Table, public bool) (*Model, error) {
	vocabulary, err := VocabularyOf(table)
	if err != nil {
		return nil, err
	}
	return readARPA(ctx, r, vocabulary, Card{Public: public, Table: Table{table.Name(), table.Digest()}})
}

func newARPA(r io.Reader, vocabulary *Vocabulary) *arpa {
	a := &arpa{vocabulary: vocabulary, lines: bufio.NewScanner(r), numbers: map[string]uint32{}}
	a.lines.Buffer(nil, longestLine)
	return a
}

func readARPA(ctx context.Context, r io.Reader, vocabulary *Vocabulary, card Card) (*Model, error) {
	a := newARPA(r, vocabulary)
	err := a.read(ctx)
	if err != nil {
		return nil, err
	}
	m := &Model{vocabulary: vocabulary, card: card}
	if m.trie, err = a.trie(); err != nil {
		return nil, err
	}
	if err := m.finish(ctx); err != nil {
		return nil, err
	}
	return m, nil
}

func (a *arpa) fault(format string, args ...any) error {
	return damaged("line %d: %s", a.line, fmt.Sprintf(format, args...))
}

// next returns the next line that is not empty, without white space around it.
func (a *arpa) next() ([]byte, error) {
	for a.lines.Scan() {
		a.line++
		if line := bytes.Trim(a.lines.Bytes(), separators); len(line) > 0 {
			return line, nil
		}
	}
	a.line++
	switch err := a.lines.Err(); err {
	case nil:
		return nil, io.ErrUnexpectedEOF
	case bufio.ErrTooLong:
		return nil, a.fault("longer than %d bytes", longestLine)
	default:
		return nil, err
	}
}

func (a *arpa) read(ctx context.Context) error {
	section, err := a.header()
	if err != nil {
		return err
	}
	for k := range a.counts {
		if section != fmt.Sprintf("\\%d-grams:", k+1) {
			return a.fault("the %d-grams must begin here", k+1)
		}
		if section, err = a.section(ctx, k); err != nil {
			return err
		}
	}
	if section != "\\end\\" {
		return a.fault("the file must end here")
	}
	return nil
}

// header reads the numbers of n-grams, and returns the line that follows them.
func (a *arpa) header() (string, error) {
	for {
		line, err := a.next()
		if err == io.ErrUnexpectedEOF {
			return "", damaged(`neither a model nor an ARPA file: no line \data\`)
		}
		if err != nil {
			return "", err
		}
		if string(line) == "\\data\\" {
			break
		}
	}
	all := 0
	for {
		line, err := a.next()
		if err != nil {
			return "", a.cut(err)
		}
		text, ok := strings.CutPrefix(string(line), "ngram ")
		if !ok {
			if k := len(a.counts); k < MinOrder || k > MaxOrder {
				return "", a.fault("the model has order %d, must be %d to %d", k, MinOrder, MaxOrder)
			}
			return string(line), nil
		}
		length, number, _ := strings.Cut(text, "=")
		k, err := strconv.Atoi(strings.TrimSpace(length))
		n, err2 := strconv.Atoi(strings.TrimSpace(number))
		if err != nil || err2 != nil || k != len(a.counts)+1 || k > MaxOrder || n < 0 || n > mostGrams-all {
			return "", a.fault("the number of %d-grams is missing or invalid, or the order is above %d", len(a.counts)+1, MaxOrder)
		}
		all += n
		a.counts = append(a.counts, n)
	}
}

func (a *arpa) cut(err error) error {
	if err == io.ErrUnexpectedEOF {
		return a.fault("the file is truncated")
	}
	return err
}

// section reads the n-grams of length k+1, and returns the line that follows them.
func (a *arpa) section(ctx context.Context, k int) (string, error) {
	if k == 0 {
		a.log, a.backoff = [][]float64{missing(a.vocabulary.Len() + 2)}, [][]float64{make([]float64, a.vocabulary.Len()+2)}
	} else {
		a.lists = append(a.lists, &grams{length: k + 1})
		a.log, a.backoff = append(a.log, nil), append(a.backoff, nil)
	}
	a.lost = append(a.lost, grams{length: k + 1})
	for n := 0; ; n++ {
		line, err := a.next()
		if err == nil && n%(1<<16) == 0 {
			err = ctx.Err()
		}
		if err != nil {
			return "", a.cut(err)
		}
		if line[0] == '\\' && (n >= a.counts[k] || !bytes.ContainsAny(line, separators)) {
			if n != a.counts[k] {
				return "", a.fault("%d %d-grams, the file states %d", n, k+1, a.counts[k])
			}
			return string(line), nil
		}
		if n == a.counts[k] {
			return "", a.fault("more than the %d %d-grams that the file states", n, k+1)
		}
		if err := a.gram(line, k); err != nil {
			return "", err
		}
	}
}
