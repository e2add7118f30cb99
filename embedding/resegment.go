package embedding

import (
	"errors"
	"math"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/sotto-dp/sotto/embedding/segment"
	"github.com/sotto-dp/sotto/internal/elementary"
)

// Resegment returns the words of a table that has the rules for English, such as one that
// was read from a vector file, with rules of another kind. A language is two or three
// letters, or empty for any.
//
// Words that differ only in case become one word in lower case. It has the vector and the
// spelling of the first of them, because most tables list the most frequent word first. A
// word is left out if the rules would cut it, because no text contains it as one word.
// Words in scripts that do not separate words are the pieces of kind Pieces. The cost of a
// piece follows from its share of the words. A piece that is not cheaper than its parts is
// left out.
func Resegment(t *Table, kind segment.Kind, language string) (*Table, error) {
	if err := t.OfWords(); err != nil {
		return nil, err
	}
	if t.rules != nil || t.never != nil {
		return nil, errors.New("embedding: the rules of a table can be replaced only if it is uncut and has the rules for English")
	}
	fold, err := segment.New(segment.Description{Kind: segment.Words, Language: language})
	if err != nil {
		return nil, err
	}
	s := &resegmented{of: map[string]ID{}, forms: map[string]string{}, counts: map[string]int64{}}
	for i, w := range t.words.All() {
		s.add(fold, ID(i), w, t.counts)
	}
	d := segment.Description{Kind: kind, Language: language}
	if kind == segment.Pieces {
		d.Pieces = s.pieces(t)
	}
	rules, err := segment.New(d)
	if err != nil {
		return nil, err
	}
	s.drop(rules)
	rules = rules.Restrict(s.has)
	for word := range s.forms {
		if !s.has(word) {
			delete(s.forms, word)
		}
	}
	if rules, err = rules.WithForms(s.forms); err != nil {
		return nil, err
	}
	src := Source{Name: t.name, Dim: t.dim, Words: s.words, Segmentation: rules}
	for _, w := range s.words {
		src.Vectors = t.Vector(src.Vectors, s.of[w])
		if t.counts != nil {
			src.Counts = append(src.Counts, s.counts[w])
		}
		if s.of[w] == t.unknown {
			src.Unknown = w
		}
	}
	return take(src)
}

// resegmented are the words of a table in lower case.
type resegmented struct {
	words  []string // in the order of the table
	of     map[string]ID
	forms  map[string]string // of the words that are written otherwise
	counts map[string]int64
}

func (s *resegmented) has(word string) bool { _, ok := s.of[word]; return ok }

func (s *resegmented) add(fold *segment.Rules, id ID, spelled string, counts []int64) {
	spelled = norm.NFC.String(spelled)
	word := fold.Fold(spelled)
	if !s.has(word) {
		s.words, s.of[word] = append(s.words, word), id
		if spelled != word {
			s.forms[word] = spelled
		}
	}
	if counts != nil {
		s.counts[word] += counts[id]
	}
}

// pieces returns the pieces among the words, and leaves out those that are not cheaper than
// their parts.
func (s *resegmented) pieces(t *Table) (pieces []segment.Piece) {
	shares, costs, longest := t.Shares(), map[string]int32{}, 1
	for _, w := range s.words {
		if segment.CanPiece(w) {
			costs[w] = int32(min(segment.MaxCost, math.Round(-elementary.Log(shares[s.of[w]])*segment.CostUnit)))
			longest = max(longest, len([]rune(w)))
		}
	}
	lattice := segment.NewLattice(costs, longest)
	for w, cost := range costs {
		if lattice.Reset(); lattice.Takes([]byte(w)) {
			pieces = append(pieces, segment.Piece{Text: w, Cost: cost})
		}
	}
	slices.SortFunc(pieces, func(a, b segment.Piece) int { return strings.Compare(a.Text, b.Text) })
	return pieces
}

// drop leaves out the words that the rules do not cut as themselves.
func (s *resegmented) drop(rules *segment.Rules) {
	for before := -1; before != len(s.words); {
		before = len(s.words)
		whole := rules.Whole(s.has)
		s.words = slices.DeleteFunc(s.words, func(w string) bool {
			if whole(w) {
				return false
			}
			delete(s.of, w)
			return true
		})
	}
}
