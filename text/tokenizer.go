package text

import (
	"encoding/binary"
	"math/bits"
	"math/rand/v2"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/words"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/embedding/segment"
	"golang.org/x/text/unicode/norm"
)

// Vocabulary is the part of a table that the rules need.
type Vocabulary interface {
	Len() int
	Lookup(word string) (embedding.ID, bool)
	Word(id embedding.ID) string
	Unknown() embedding.ID
	// Segmentation returns the rules that cut texts into words; nil means those of this
	// package, which are for English.
	Segmentation() *segment.Rules
}

// Tokenizer applies the rules for one vocabulary. It is for one goroutine.
type Tokenizer struct {
	vocabulary Vocabulary
	missing    embedding.ID // the unknown entry
	pieces     []piece      // of each entry, for Detokenize
	memo       memo
	long       map[string][]embedding.ID // the memo of tokens that are too long for memo
	boundaries *words.Iterator[[]byte]
	special    map[string]embedding.ID // "unk", "num": entries written in angle brackets
	possessive embedding.ID            // the entry 's
	possesses  bool
	is         embedding.ID
	takesIs    map[embedding.ID]bool // words after which 's is short for is
	scratch    []embedding.ID
	unknown    string     // how the unknown entry is written; empty: as in the vocabulary
	segmented  *segmented // for a vocabulary with rules of segmentation; nil for English

	cutsAddresses bool

	searched    bool // for entries that Tokenize cuts
	cutsEntries bool
	reread      []embedding.ID
}

// NewTokenizer makes the tokenizer of a vocabulary.
func NewTokenizer(v Vocabulary) *Tokenizer {
	if rules := v.Segmentation(); rules != nil {
		return &Tokenizer{vocabulary: v, segmented: newSegmented(v, rules)}
	}
	t := &Tokenizer{vocabulary: v, missing: v.Unknown(), memo: newMemo(), long: map[string][]embedding.ID{}, boundaries: words.FromBytes(nil),
		special: map[string]embedding.ID{}, takesIs: map[embedding.ID]bool{}}
	for _, name := range []string{"unk", "num"} {
		if id, ok := v.Lookup("<" + name + ">"); ok {
			t.special[name] = id
		}
	}
	t.possessive, t.possesses = v.Lookup("'s")
	if is, ok := v.Lookup("is"); ok {
		t.is = is
		for _, w := range isShortenedAfter {
			if id, ok := v.Lookup(w); ok {
				t.takesIs[id] = true
			}
		}
	}
	return t
}

// CutAddresses makes Tokenize cut addresses as it cuts other text. It is for uses that
// reveal neither the number of tokens nor the replacement of each.
func (t *Tokenizer) CutAddresses() {
	t.cutsAddresses = true
	if t.segmented != nil {
		t.segmented.cutter.CutAddresses()
	}
}

// WriteUnknown sets the text that Detokenize writes for the unknown entry; empty means its
// spelling in the vocabulary.
func (t *Tokenizer) WriteUnknown(form string) { t.unknown, t.pieces = form, nil }

// Tokenize appends the entries of text to dst and counts the tokens that became
// the unknown entry because the vocabulary lacks them. An address is one token: see
// [segment.Addresses].
func (t *Tokenizer) Tokenize(dst []embedding.ID, text []byte) (ids []embedding.ID, unknown int) {
	if t.segmented != nil {
		return t.segmented.tokenize(dst, text)
	}
	start := len(dst)
	if t.cutsAddresses {
		return t.between(dst, start, text, 0, 0)
	}
	addresses := segment.NewAddresses(text)
	for at := 0; ; {
		from, to, found := addresses.Next()
		dst, unknown = t.between(dst, start, text[:from], at, unknown)
		if !found {
			return dst, unknown
		}
		dst, unknown = t.add(dst, t.address(text[from:to]), unknown)
		at = to
	}
}

// between appends the entries of what follows at, which has no addresses, to those of the
// text so far, dst[start:].
func (t *Tokenizer) between(dst []embedding.ID, start int, text []byte, at, unknown int) ([]embedding.ID, int) {
	for at < len(text) {
		if next := skipSpaces(text, at); next > at {
			at = next
			continue
		}
		end := t.end(text, at)
		if c := text[at]; end == at+1 && (c == '<' || c == '\'') {
			if id, next, ok := t.across(dst[start:], text, end); ok {
				dst, at = append(dst, id), next
				continue
			}
		}
		token := text[at:end]
		var k key
		if len(token) <= shortToken {
			k = keyOf(text, at, end)
			if s := t.memo.find(k); s.key == k {
				at = end
				if entry := embedding.ID(s.entry); !s.several {
					unknown += oneIf(entry == t.missing)
					dst = append(dst, entry)
				} else {
					dst, unknown = t.add(dst, t.memo.lists[entry], unknown)
				}
				continue
			}
		}
		at = end
		dst, unknown = t.add(dst, t.first(token, k), unknown)
	}
	return dst, unknown
}

// add appends the entries of a token.
func (t *Tokenizer) add(dst, entries []embedding.ID, unknown int) ([]embedding.ID, int) {
	for _, id := range entries {
		unknown += oneIf(id == t.missing)
	}
	return append(dst, entries...), unknown
}

func oneIf(b bool) int {
	if b {
		return 1
	}
	return 0
}

// end returns where the token that begins at at ends: Unicode's next word boundary.
func (t *Tokenizer) end(text []byte, at int) int {
	if end := plainEnd(text, at); end > 0 {
		return end
	}
	t.boundaries.SetText(text[at:])
	t.boundaries.Next()
	return at + t.boundaries.End()
}

// first returns the entries of a token that memo does not hold, none for white space, and
// caches them: under k if the token is short.
func (t *Tokenizer) first(token []byte, k key) []embedding.ID {
	if entries, ok := t.long[string(token)]; ok {
		return entries
	}
	if isSpace(token) {
		return nil
	}
	t.scratch = t.entries(t.scratch[:0], token)
	switch {
	case len(token) <= shortToken:
		t.memo.put(k, t.scratch)
	case len(token) <= longToken && len(t.long) < memoTokens:
		t.long[string(token)] = append([]embedding.ID(nil), t.scratch...)
	}
	return t.scratch
}

// entries appends what one token becomes: at least one entry.
func (t *Tokenizer) entries(dst []embedding.ID, token []byte) []embedding.ID {
	if len(token) > LongestWord || !utf8.Valid(token) {
		return append(dst, t.missing)
	}
	spelled, word := spellings(token)
	if id, ok := t.look(word, spelled); ok {
		return append(dst, id)
	}
	if expansion, ok := expand(word); ok {
		return t.each(dst, expansion)
	}
	if number, ok := spellNumber(word); ok {
		for _, name := range []string{number, "<num>"} {
			if id, ok := t.vocabulary.Lookup(name); ok {
				return append(dst, id)
			}
		}
		return append(dst, t.missing)
	}
	if parts := cut(word); len(parts) > 1 && len(parts) <= mostParts {
		return t.each(dst, parts)
	}
	return append(dst, t.missing)
}

// spellings returns a token in Unicode's composed form with plain signs, and that in lower
// case.
func spellings(token []byte) (spelled, word string) {
	spelled = string(token)
	if !ascii(token) {
		spelled = plain.Replace(norm.NFC.String(spelled))
	}
	return spelled, strings.ToLower(spelled)
}

// address returns the entry of an address, which is never cut: that of the whole, or the
// unknown one.
func (t *Tokenizer) address(token []byte) []embedding.ID {
	t.scratch = append(t.scratch[:0], t.missing)
	if len(token) <= LongestWord {
		spelled, word := spellings(token)
		if id, ok := t.look(word, spelled); ok {
			t.scratch[0] = id
		}
	}
	return t.scratch
}

// look finds a word in lower case, then as spelled; "a", dashes and the
// ellipsis have fallbacks.
func (t *Tokenizer) look(word, spelled string) (embedding.ID, bool) {
	if id, ok := t.vocabulary.Lookup(word); ok {
		return id, true
	}
	if spelled != word {
		if id, ok := t.vocabulary.Lookup(spelled); ok {
			return id, true
		}
	}
	switch word {
	case "a":
		return t.vocabulary.Lookup("an")
	case "--":
		return t.vocabulary.Lookup("-")
	case "...":
		return t.vocabulary.Lookup(".")
	}
	return 0, false
}

// memoTokens bounds the tokens of each length class that a Tokenizer caches; longToken
// bounds their bytes.
const (
	memoTokens = 1 << 17
	shortToken = 15
	longToken  = 32
)

// key holds a token of at most shortToken bytes: the bytes, zeros, and its length last.
type key [2]uint64

// keyOf returns the key of text[at:end], which is not empty.
func keyOf(text []byte, at, end int) key {
	var padded [16]byte
	bytes, n := padded[:], uint(end-at)
	if at+16 <= len(text) {
		bytes = text[at : at+16]
	} else {
		copy(bytes, text[at:end])
	}
	k := key{binary.LittleEndian.Uint64(bytes), binary.LittleEndian.Uint64(bytes[8:])}
	if n <= 8 {
		k[0] &= ^uint64(0) >> (64 - 8*n)
		k[1] = 0
	} else {
		k[1] &= ^uint64(0) >> (128 - 8*n)
	}
	k[1] |= uint64(n) << 56
	return k
}

// memo caches the entries of tokens of at most shortToken bytes: a hash table with
// linear probing, which is read once per token of a text.
type memo struct {
	seed  key        // random, so that no text can choose tokens that collide
	slots []memoSlot // a power of two, at most half of them in use
	used  int
	lists [][]embedding.ID // of the tokens that have not exactly one entry
}

type memoSlot struct {
	key     key    // zero if the slot is free
	entry   uint32 // an entry, or a place in lists if several is true
	several bool
}

func newMemo() memo {
	return memo{seed: key{rand.Uint64(), rand.Uint64()}, slots: make([]memoSlot, 1<<10)}
}

// find returns the slot of a key, or the free one where it belongs.
func (m *memo) find(k key) *memoSlot {
	high, low := bits.Mul64(k[0]^m.seed[0], k[1]^m.seed[1])
	mask := uint64(len(m.slots) - 1)
	for at := high ^ low; ; at++ {
		if s := &m.slots[at&mask]; s.key == k || s.key == (key{}) {
			return s
		}
	}
}

// put adds a key that the memo lacks, unless the memo is full.
func (m *memo) put(k key, entries []embedding.ID) {
	if m.used == memoTokens {
		return
	}
	if m.used++; 2*m.used > len(m.slots) {
		old := m.slots
		m.slots = make([]memoSlot, 2*len(old))
		for _, s := range old {
			if s.key != (key{}) {
				*m.find(s.key) = s
			}
		}
	}
	s := memoSlot{key: k, several: len(entries) != 1}
	if s.several {
		s.entry = uint32(len(m.lists))
		m.lists = append(m.lists, append([]embedding.ID(nil), entries...))
	} else {
		s.entry = uint32(entries[0])
	}
	*m.find(k) = s
}
