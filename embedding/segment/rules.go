package segment

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// Kind names the rules by which text is cut.
type Kind string

// The kinds of rules.
const (
	English Kind = "english" // those of package text: no rules of this package
	Words   Kind = "words"
	Pieces  Kind = "pieces"
)

// Kinds lists the kinds.
func Kinds() []Kind { return []Kind{English, Words, Pieces} }

// Description is the form in which a file stores rules.
type Description struct {
	Kind Kind `json:"kind"`
	// Language decides how letters are put in lower case: tr and az have an i without a
	// dot. Empty means any other language.
	Language string `json:"language,omitempty"`
	// Forms are the words that are not written in lower case.
	Forms map[string]string `json:"forms,omitempty"`
	// Pieces are those of kind Pieces, sorted by their text.
	Pieces []Piece `json:"pieces,omitempty"`
}

// Piece is a run of characters of a script that does not separate words.
type Piece struct {
	Text string `json:"text"`
	Cost int32  `json:"cost"` // -ln of its share of the pieces, in units of 1/CostUnit
}

// Bounds of a piece.
const (
	CostUnit   = 1 << 10
	MaxCost    = 1 << 20
	MaxLetters = 16
)

// Rules cut texts. They are immutable. A nil *Rules means the rules for English.
type Rules struct {
	description Description
	turkic      bool
	costs       map[string]int32
	longest     int // letters of the longest piece
}

var language = regexp.MustCompile(`^[a-z]{2,3}$`)

// CanLanguage reports whether a language may be that of rules: two or three letters, as
// in ISO 639.
func CanLanguage(name string) bool { return language.MatchString(name) }

// New returns the rules of a description, which it keeps.
func New(d Description) (*Rules, error) {
	if d.Kind != Words && d.Kind != Pieces {
		return nil, fmt.Errorf("segment: kind must be %s or %s, got %q", Words, Pieces, d.Kind)
	}
	if d.Language != "" && !CanLanguage(d.Language) {
		return nil, fmt.Errorf("segment: language must be two or three lower-case letters, got %q", d.Language)
	}
	if d.Kind == Words && len(d.Pieces) > 0 {
		return nil, errors.New("segment: only rules of kind pieces have pieces")
	}
	r := &Rules{description: d, turkic: d.Language == "tr" || d.Language == "az", costs: make(map[string]int32, len(d.Pieces))}
	for word, form := range d.Forms {
		if form == word || r.Fold(form) != word {
			return nil, fmt.Errorf("segment: %q is not a form of the word %q", form, word)
		}
	}
	for i, p := range d.Pieces {
		n, _ := letters(p.Text)
		if !CanPiece(p.Text) || p.Cost < 0 || p.Cost > MaxCost || i > 0 && p.Text <= d.Pieces[i-1].Text {
			return nil, fmt.Errorf("segment: piece %d is not valid", i+1)
		}
		r.costs[p.Text], r.longest = p.Cost, max(r.longest, n)
	}
	lattice := r.Lattice()
	for i, p := range d.Pieces {
		if lattice.Reset(); !lattice.Takes([]byte(p.Text)) {
			return nil, fmt.Errorf("segment: piece %d costs more than its parts: no text would be cut into it", i+1)
		}
	}
	return r, nil
}

// CanPiece reports whether a text may be that of a piece: at most MaxLetters letters of
// scripts that do not separate words, with their marks, in NFC.
func CanPiece(text string) bool {
	n, ok := letters(text)
	return ok && n <= MaxLetters
}

// letters counts the letters of a piece, each with its marks.
func letters(text string) (n int, ok bool) {
	if text == "" || !utf8.ValidString(text) || !norm.NFC.IsNormalString(text) {
		return 0, false
	}
	for i, r := range text {
		switch {
		case Unspaced(r):
			n++
		case i == 0 || !unicode.IsMark(r):
			return 0, false
		}
	}
	return n, true
}

// Parse returns the rules of a text of [Rules.Marshal].
func Parse(data []byte) (*Rules, error) {
	var d Description
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	if err := in.Decode(&d); err != nil {
		return nil, errors.New("segment: the description of the rules is not valid: a newer program may have written it")
	}
	r, err := New(d)
	if err == nil && !bytes.Equal(r.Marshal(), data) {
		err = errors.New("segment: the description of the rules is not in canonical form")
	}
	return r, err
}

// Marshal returns the rules as JSON. Equal rules give equal bytes; nil gives none.
func (r *Rules) Marshal() []byte {
	if r == nil {
		return nil
	}
	data, err := json.Marshal(r.description)
	if err != nil {
		panic(err) // strings and numbers
	}
	return data
}

// Equal reports whether two rules are the same.
func (r *Rules) Equal(other *Rules) bool { return bytes.Equal(r.Marshal(), other.Marshal()) }

// Kind returns the kind of the rules.
func (r *Rules) Kind() Kind {
	if r == nil {
		return English
	}
	return r.description.Kind
}

// Language returns the language of the rules; empty for any.
func (r *Rules) Language() string {
	if r == nil {
		return "en"
	}
	return r.description.Language
}

// Pieces returns the number of pieces.
func (r *Rules) Pieces() int {
	if r == nil {
		return 0
	}
	return len(r.description.Pieces)
}

// Letters returns the pieces of one letter, with its marks.
func (r *Rules) Letters() (letters []string) {
	if r == nil {
		return nil
	}
	for _, p := range r.description.Pieces {
		starts := 0
		for _, c := range p.Text {
			if !unicode.IsMark(c) {
				starts++
			}
		}
		if starts == 1 {
			letters = append(letters, p.Text)
		}
	}
	return letters
}

// WithForms returns the rules with forms of words, and no others.
func (r *Rules) WithForms(forms map[string]string) (*Rules, error) {
	d := r.description
	d.Forms = forms
	return New(d)
}

// Restrict returns the rules without the pieces and forms of words for which has returns
// false.
func (r *Rules) Restrict(has func(word string) bool) *Rules {
	if r == nil {
		return nil
	}
	d := Description{Kind: r.description.Kind, Language: r.description.Language}
	for word, form := range r.description.Forms {
		if has(word) {
			if d.Forms == nil {
				d.Forms = map[string]string{}
			}
			d.Forms[word] = form
		}
	}
	d.Pieces = slices.DeleteFunc(slices.Clone(r.description.Pieces), func(p Piece) bool { return !has(p.Text) })
	cut, err := New(d)
	if err != nil {
		panic(err) // what is left is valid
	}
	return cut
}

// Fold returns the word of a table for a spelling in NFC: its lower case.
func (r *Rules) Fold(spelled string) string {
	changed := false
	for i := range len(spelled) {
		if c := spelled[i]; c >= utf8.RuneSelf || c >= 'A' && c <= 'Z' {
			changed = true
			break
		}
	}
	if !changed {
		return spelled
	}
	return norm.NFC.String(strings.Map(r.lower, spelled))
}

func (r *Rules) lower(c rune) rune {
	switch {
	case c == 'ς': // the sigma at the end of a word
		return 'σ'
	case c == 'İ':
		return 'i'
	case c == 'I' && r.turkic:
		return 'ı'
	}
	return unicode.ToLower(c)
}

// Form returns how a word is written inside a sentence.
func (r *Rules) Form(word string) string {
	if form, ok := r.description.Forms[word]; ok {
		return form
	}
	return word
}

// Capital returns how a word is written at the start of a sentence.
func (r *Rules) Capital(word string) string {
	form := r.Form(word)
	first, n := utf8.DecodeRuneInString(form)
	if n == 0 || unicode.IsUpper(first) {
		return form
	}
	upper := unicode.ToUpper(first)
	if r.turkic && first == 'i' {
		upper = 'İ'
	}
	if capital := string(upper) + form[n:]; norm.NFC.IsNormalString(capital) && r.Fold(capital) == word {
		return capital
	}
	return form
}
