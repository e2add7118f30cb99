package embedding

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/sotto-dp/sotto/embedding/internal/spellings"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// WordList is a public list of words that a mechanism must not output.
type WordList struct {
	words   []string // in lower case, ascending
	spelled []string // as written in the list, in NFC
	digest  string
}

// Bounds of a list.
const (
	mostListed    = 1 << 20
	mostWordBytes = 1 << 10
)

// ReadWordList reads a list: one word per line in UTF-8, in any case. Empty lines, lines
// that begin with # and a byte order mark before the first line are ignored. A word with a
// control or format character is refused: the character is invisible, and the word would
// match no entry of a table.
func ReadWordList(r io.Reader) (*WordList, error) {
	l := &WordList{}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, mostWordBytes)
	for line := 1; lines.Scan(); line++ {
		word := lines.Text()
		if line == 1 {
			word = strings.TrimPrefix(word, byteOrderMark)
		}
		word = strings.TrimSpace(word)
		switch {
		case word == "" || word[0] == '#':
			continue
		case !utf8.ValidString(word):
			return nil, fmt.Errorf("line %d is not UTF-8", line)
		case strings.ContainsFunc(word, isBlank):
			return nil, fmt.Errorf("line %d has several words, want one", line)
		case strings.ContainsFunc(word, isHidden):
			return nil, fmt.Errorf("line %d has a control or format character", line)
		}
		l.spelled = append(l.spelled, norm.NFC.String(word))
		if l.words = append(l.words, fold(word)); len(l.words) > mostListed {
			return nil, fmt.Errorf("the list has more than %d words", mostListed)
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return nil, fmt.Errorf("a line has more than %d bytes", mostWordBytes)
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	if len(l.words) == 0 {
		return nil, errors.New("the list has no word")
	}
	slices.Sort(l.words)
	l.words = slices.Compact(l.words)
	sum := sha256.Sum256([]byte("sotto words 1\x00" + strings.Join(l.words, "\x00")))
	l.digest = hex.EncodeToString(sum[:])
	return l, nil
}

// byteOrderMark begins files that some editors write in UTF-8.
const byteOrderMark = "\ufeff"

func isBlank(r rune) bool { return r == ' ' || r == '\t' || r == 0 }

// isHidden reports whether a character has no shape, as a byte order mark has none.
func isHidden(r rune) bool { return unicode.In(r, unicode.Cc, unicode.Cf) }

// fold returns the spelling by which a word is listed.
func fold(word string) string { return strings.ToLower(norm.NFC.String(word)) }

// Digest returns the SHA-256 of the words, in hexadecimal. It does not depend on their
// order, case or repetition, nor on comments.
func (l *WordList) Digest() string { return l.digest }

// has reports whether an entry of a table is on the list, in any case.
func (l *WordList) has(word string) bool {
	_, found := slices.BinarySearch(l.words, fold(word))
	if !found { // the rules of a table may have other lower case
		_, found = slices.BinarySearch(l.words, word)
	}
	return found
}

// Never describes the words that were left out of a table.
type Never struct {
	Words   int    `json:"words"`    // on the list
	LeftOut int    `json:"left_out"` // entries of the table that are on the list
	Of      int    `json:"of"`       // entries of the table before that
	SHA256  string `json:"sha256"`   // of the list
}

// Without returns the table without the words of a list. A mechanism over it can never
// output one of them, because its outputs, sets, rows and certificates contain only the
// remaining entries. A listed word in a text is read as the nearest remaining entry, ties
// by lower number: [Table.Lookup] of its spelling returns that entry. The digest covers the
// removed words and the entries as which they are read.
func (t *Table) Without(list *WordList) (*Table, error) {
	if err := t.OfWords(); err != nil {
		return nil, err
	}
	if t.never != nil {
		return nil, errors.New("embedding: words were left out of this table already")
	}
	if err := t.Hold(); err != nil {
		return nil, err
	}
	listed := len(list.words)
	list, err := list.under(t.rules)
	if err != nil {
		return nil, err
	}
	cut := &Table{name: t.name, dim: t.dim, step: t.step, rules: t.rules, spoken: t.spoken, listed: list, never: &Never{Words: listed, Of: t.Len(), SHA256: list.digest}}
	var left, out []ID
	var words []string
	for i, w := range t.words.All() {
		switch id := ID(i); {
		case !list.has(w):
			left = append(left, id)
			words = append(words, w)
			if t.counts != nil {
				cut.counts = append(cut.counts, t.counts[i])
			}
			cut.vectors.held.append(t.components().part(i*t.dim, (i+1)*t.dim))
		case id == t.unknown:
			return nil, fmt.Errorf("embedding: the list has the entry for unknown words, which cannot be left out")
		default:
			out = append(out, id)
		}
	}
	if len(left) < 2 {
		return nil, fmt.Errorf("embedding: the list leaves %d of %d words, want at least 2", len(left), t.Len())
	}
	cut.never.LeftOut = len(out)
	if err := cut.spell(words); err != nil {
		return nil, err
	}
	if err := cut.finish(t.Word(t.unknown)); err != nil {
		return nil, err
	}
	return cut, cut.readAsNearest(t, left, out)
}

// under returns the list for a table with some rules of segmentation. It has the folded
// forms of the words too. A word that the rules cut is refused: a mechanism could write it
// in several words of the table. So is one of several letters of a script that does not
// separate words, since other words of the table can follow each other as these letters do.
func (l *WordList) under(rules *segment.Rules) (*WordList, error) {
	if rules == nil {
		return l, nil
	}
	own := &WordList{words: slices.Clone(l.words), spelled: l.spelled, digest: l.digest}
	cutter := rules.Cutter(nil)
	for _, word := range l.spelled {
		words, letters := 0, 0
		cutter.Cut([]byte(word), func([]byte, bool) { words++ })
		for _, r := range word {
			if segment.Unspaced(r) {
				letters++
			}
		}
		if words != 1 || letters > 1 {
			return nil, fmt.Errorf("embedding: the list has %q, which the table writes in several words: it cannot be kept out", word)
		}
		own.words = append(own.words, rules.Fold(word))
	}
	slices.Sort(own.words)
	own.words = slices.Compact(own.words)
	return own, nil
}

// readAsNearest finds what each word left out of a table is read as.
func (t *Table) readAsNearest(whole *Table, left, out []ID) (err error) {
	row, words := make([]float64, whole.Len()), make([]string, 0, len(out))
	for _, x := range out {
		whole.SquaredDistances(row, []ID{x}, 0, whole.Len())
		as := 0
		for i, id := range left {
			if row[id] < row[left[as]] {
				as = i
			}
		}
		words, t.readAs = append(words, whole.Word(x)), append(t.readAs, ID(as))
	}
	if t.leftOut, err = spellings.New(words); err != nil {
		return fmt.Errorf("embedding: %w", err)
	}
	return t.leftOut.Index()
}

// Never describes what [Table.Without] left out, nil for other tables.
func (t *Table) Never() *Never { return t.never }

// Listed reports whether a spelling is that of a word removed by [Table.Without]. Lookup
// returns the entry as which it is read.
func (t *Table) Listed(word string) bool {
	_, ok := t.leftOut.Find(word)
	return ok
}

// Forbids reports whether a word is on the list of [Table.Without], in any case, whether or
// not the table ever had it. It reports false for tables without a list.
func (t *Table) Forbids(word string) bool { return t.listed != nil && t.listed.has(word) }

// errCut refuses to cut or write a table without some words, because the entries as which
// they are read would be lost.
var errCut = errors.New("embedding: a table without some words cannot be cut or written: do that before words are left out")
