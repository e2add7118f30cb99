package segment

import (
	"fmt"
	"iter"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"golang.org/x/text/unicode/norm"
)

// Cutter cuts texts by rules. It is for one goroutine.
type Cutter struct {
	rules   *Rules
	has     func(word string) bool
	lattice *Lattice
	clean   []byte // the text without what separates or vanishes
	parts   []part
	normal  []byte
	gap     bool // something separates the last part from what follows
	begins  bool // what follows begins a sentence

	cutsAddresses bool
}

type class uint8

const (
	sign    class = iota
	letter        // letters and digits of scripts that separate words
	run           // letters of scripts that do not
	address       // as a whole
	broken        // bytes that are not text
)

// part is clean[start:end] before the words are found.
type part struct {
	start, end int
	letters    int // characters between apostrophes
	class      class
	joined     bool // to the part before
	begins     bool // a sentence
	apostrophe bool // behind it and inside a word
}

// Cutter returns a cutter. has reports whether a word is in the table. It decides whether
// an apostrophe at the edge of a word is part of the word.
func (r *Rules) Cutter(has func(word string) bool) *Cutter {
	return &Cutter{rules: r, has: has, lattice: r.Lattice()}
}

// CutAddresses makes the cutter cut addresses as it cuts other text.
func (c *Cutter) CutAddresses() { c.cutsAddresses = true }

// Cut calls yield with the spelling of each word of a text in NFC, and whether it begins
// a sentence. Bytes that are not text have the empty spelling. A spelling is valid during
// the call.
func (c *Cutter) Cut(text []byte, yield func(spelled []byte, begins bool)) {
	if !norm.NFC.IsNormal(text) {
		c.normal = norm.NFC.Append(c.normal[:0], text...)
		text = c.normal
	}
	c.clean, c.parts, c.gap, c.begins = c.clean[:0], c.parts[:0], true, true
	addresses := NewAddresses(text)
	for at, more := 0, !c.cutsAddresses; ; {
		start, end := len(text), 0
		if more {
			start, end, more = addresses.Next()
		}
		tokens := words.FromBytes(text[at:start])
		for tokens.Next() {
			c.scan(tokens.Value())
		}
		if !more {
			break
		}
		p := c.open(address)
		c.clean = append(c.clean, text[start:end]...)
		p.end = len(c.clean)
		at = end
	}
	for i := 0; i < len(c.parts); {
		i = c.word(i, yield)
	}
}

// open begins a part.
func (c *Cutter) open(k class) *part {
	c.parts = append(c.parts, part{start: len(c.clean), end: len(c.clean), class: k, joined: !c.gap, begins: c.begins})
	c.gap, c.begins = false, false
	return &c.parts[len(c.parts)-1]
}

// scan appends the parts of a token of UAX 29.
func (c *Cutter) scan(token []byte) {
	first := len(c.parts)
	var current *part
	add := func(p *part, r rune) {
		c.clean = utf8.AppendRune(c.clean, r)
		p.end = len(c.clean)
	}
	symbol := !hasLetter(token)
	before := rune(0)
	for len(token) > 0 {
		r, n := utf8.DecodeRune(token)
		token = token[n:]
		after, _ := utf8.DecodeRune(token)
		switch {
		case r == utf8.RuneError && n == 1:
			c.open(broken)
			current = nil
		case separates(r):
			c.gap, current = true, nil
			c.begins = c.begins || r == '\n'
		case vanishes(r):
			continue
		case unicode.IsMark(r) && current == nil:
			c.open(broken)
		case unicode.IsMark(r), current != nil && symbol:
			add(current, r)
			continue
		case isLetter(r):
			if k := classOf(r); current == nil || current.class != k {
				current = c.open(k)
			}
			add(current, r)
			current.letters++
		case current != nil && current.class == letter && inside(before, r, after):
			add(current, r)
		case r == joiner || r == nonJoiner:
			continue
		case current != nil && current.class == letter && plain(r) == Apostrophe && isLetter(after) && !Unspaced(after):
			current.apostrophe = true
			c.clean = append(c.clean, Apostrophe)
			current = c.open(letter)
		default:
			current = c.open(sign)
			add(current, plain(r))
			c.begins = ends(r)
			if !symbol {
				current = nil
			}
		}
		before = r
	}
	c.share(c.parts[first:])
}

func classOf(r rune) class {
	if Unspaced(r) {
		return run
	}
	return letter
}

// share gives each apostrophe between two parts to the shorter, or to the left one.
func (c *Cutter) share(parts []part) {
	for i := range parts {
		if !parts[i].apostrophe {
			continue
		}
		if parts[i].letters <= parts[i+1].letters {
			parts[i].end++
		} else {
			parts[i+1].start--
		}
	}
}

func hasLetter(token []byte) bool {
	for len(token) > 0 {
		r, n := utf8.DecodeRune(token)
		if isLetter(r) {
			return true
		}
		token = token[n:]
	}
	return false
}

// word yields the word at part i, or the pieces of the run there, and returns the part
// after it.
func (c *Cutter) word(i int, yield func(spelled []byte, begins bool)) int {
	p := c.parts[i]
	switch {
	case p.class == broken:
		yield(nil, p.begins)
	case p.class == run && c.rules.description.Kind == Pieces:
		c.lattice.Reset()
		for ; i < len(c.parts) && c.parts[i].class == run && (c.lattice.Letters() == 0 || c.parts[i].joined); i++ {
			c.lattice.Append(c.clean[c.parts[i].start:c.parts[i].end])
		}
		begins := p.begins
		c.lattice.Pieces(func(piece []byte) {
			yield(piece, begins)
			begins = false
		})
		return i
	case p.class == letter && c.is(i+1, Apostrophe) && c.parts[i+1].joined && c.known(p.start, c.parts[i+1].end):
		yield(c.clean[p.start:c.parts[i+1].end], p.begins)
		return i + 2
	case c.is(i, Apostrophe) && i+1 < len(c.parts) && c.parts[i+1].joined && c.parts[i+1].class == letter && c.known(p.start, c.parts[i+1].end):
		yield(c.clean[p.start:c.parts[i+1].end], p.begins)
		return i + 2
	case c.bracketed(i):
		yield(c.clean[p.start:c.parts[i+2].end], p.begins)
		return i + 3
	default:
		yield(c.clean[p.start:p.end], p.begins)
	}
	return i + 1
}

// is reports whether part i is a certain sign.
func (c *Cutter) is(i int, r rune) bool {
	return i < len(c.parts) && c.parts[i].class == sign && c.parts[i].end == c.parts[i].start+1 && rune(c.clean[c.parts[i].start]) == r
}

// known reports whether the table has the word clean[start:end].
func (c *Cutter) known(start, end int) bool {
	return c.has != nil && c.has(c.rules.Fold(string(c.clean[start:end])))
}

// bracketed reports whether an entry such as <unk> is at part i.
func (c *Cutter) bracketed(i int) bool {
	return c.is(i, '<') && c.is(i+2, '>') && c.parts[i+1].joined && c.parts[i+2].joined && c.parts[i+1].class == letter &&
		c.known(c.parts[i].start, c.parts[i+2].end)
}

// Whole returns a function that reports whether a word is cut as itself by the rules. It is
// for one goroutine. has reports whether a word is in the table.
func (r *Rules) Whole(has func(word string) bool) func(word string) bool {
	cutter := r.Cutter(has)
	return func(word string) bool {
		n, same := 0, false
		cutter.Cut([]byte(word), func(spelled []byte, _ bool) { n, same = n+1, r.Fold(string(spelled)) == word })
		return n == 1 && same
	}
}

// Fits returns an error unless each word is cut as itself by the rules.
func (r *Rules) Fits(words iter.Seq2[int, string], has func(word string) bool) error {
	if r == nil {
		return nil
	}
	whole := r.Whole(has)
	for i, w := range words {
		if !whole(w) {
			return fmt.Errorf("segment: word %d is not one word of the rules", i+1)
		}
	}
	return nil
}
