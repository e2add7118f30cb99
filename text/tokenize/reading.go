package tokenize

import (
	"bytes"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
)

// Reading is a text that is tokenized in parts, for texts whose entries would take too much
// memory at once. The entries are those of [Tokenizer.Tokenize]. It is for the goroutine of
// its Tokenizer.
type Reading struct {
	tokenizer *Tokenizer
	text      []byte
	at        int // text[:at] is read
	unknown   int
	ahead     []embedding.ID // read and not yet returned
	part      int            // bytes of a part, by rules of segmentation

	// By the rules of this package: the next address, and at most one entry, the one
	// before at, on which the reading of 's depends.
	addresses segment.Addresses
	from, to  int
	found     bool
	before    []embedding.ID
}

// readAtOnce is about how many bytes are cut at a time by rules of segmentation, which
// need many times the memory of what they cut.
const readAtOnce = 64 << 10

// Read begins to tokenize a text in parts.
func (t *Tokenizer) Read(text []byte) *Reading {
	r := &Reading{tokenizer: t, text: text, part: readAtOnce, from: len(text)}
	if t.segmented == nil && !t.cutsAddresses {
		r.addresses = segment.NewAddresses(text)
		r.from, r.to, r.found = r.addresses.Next()
	}
	return r
}

// Next appends the next n entries to dst, fewer at the end of the text: how the entries
// are divided depends on their number alone.
func (r *Reading) Next(dst []embedding.ID, n int) []embedding.ID {
	for len(r.ahead) < n && r.at < len(r.text) {
		if r.tokenizer.segmented != nil {
			r.cut()
		} else {
			r.read(n - len(r.ahead))
		}
	}
	n = min(n, len(r.ahead))
	dst = append(dst, r.ahead[:n]...)
	r.ahead = append(r.ahead[:0], r.ahead[n:]...)
	return dst
}

// Unknown returns the number of tokens so far that became the unknown entry because the
// vocabulary lacks them. At the end of the text it is that of Tokenize.
func (r *Reading) Unknown() int { return r.unknown }

// read reads n entries or a few more, up to the next address, or an address.
func (r *Reading) read(n int) {
	t := r.tokenizer
	start := len(r.ahead)
	if r.at == r.from && r.found {
		r.ahead, r.unknown = t.add(r.ahead, t.address(r.text[r.from:r.to]), r.unknown)
		r.at = r.to
		r.from, r.to, r.found = r.addresses.Next()
	} else {
		r.ahead = append(r.ahead, r.before...)
		r.ahead, r.at, r.unknown = t.between(r.ahead, start, r.text[:r.from], r.at, r.unknown, len(r.ahead)+n)
		r.ahead = append(r.ahead[:start], r.ahead[start+len(r.before):]...)
	}
	if len(r.ahead) > start {
		r.before = append(r.before[:0], r.ahead[len(r.ahead)-1])
	}
}

// cut reads a part by rules of segmentation.
func (r *Reading) cut() {
	end := cutAt(r.text, r.at+min(r.part, len(r.text)-r.at))
	var unknown int
	r.ahead, unknown = r.tokenizer.segmented.tokenize(r.ahead, r.text[r.at:end])
	r.at, r.unknown = end, r.unknown+unknown
}

// cutAt returns the first place from at on where a text can be cut: what is before it and
// what is after it are read as in the whole. That is so before a space, a line feed and an
// ideographic full stop: none composes with what is before it, and no word, address or run
// goes on there.
func cutAt(text []byte, at int) int {
	for ; at < len(text); at++ {
		switch text[at] {
		case ' ', '\n':
			return at
		case fullStop[0]:
			if bytes.HasPrefix(text[at:], fullStop) {
				return at
			}
		}
	}
	return len(text)
}

var fullStop = []byte("。")
