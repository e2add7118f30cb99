package typed

import (
	"bytes"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Value is a marked value with the type of its mark.
type Value struct{ Type, Value string }

// leastBack is the number of characters of the shortest surrogate that is put back: shorter
// ones, such as ages, occur by chance.
const leastBack = 4

// Back puts values back in place of their surrogates. It holds originals, as a [Map] does, and
// what it returns is for whoever wrote them alone. It is safe for concurrent use.
type Back struct{ pairs []backPair } // the longest surrogates first

type backPair struct{ surrogate, value string }

// Back returns what puts back some values of the map, those of one conversation: the
// surrogates of others are no business of whoever reads its answer. clear are the parts of
// their texts that were not replaced.
//
// A surrogate is not put back where it may mean something else: if two of the values
// have it, if it occurs in what was not replaced, or if it is shorter than four characters.
func (m *Map) Back(values []Value, clear [][]byte) *Back {
	m.mu.Lock()
	defer m.mu.Unlock()
	var of []int
	for _, v := range values {
		if at, ok := m.places[keyOf(Known(v.Type), v.Value)]; ok && at != undrawn {
			of = append(of, at)
		}
	}
	b := m.back(of)
	b.pairs = slices.DeleteFunc(b.pairs, func(p backPair) bool {
		return slices.ContainsFunc(clear, func(part []byte) bool { return bytes.Contains(part, []byte(p.surrogate)) })
	})
	return b
}

// All returns what puts back all values of the map, but where a surrogate may mean something
// else: if two values have it, or if it is shorter than four characters.
func (m *Map) All() *Back {
	m.mu.Lock()
	defer m.mu.Unlock()
	of := make([]int, len(m.entries))
	for i := range of {
		of[i] = i
	}
	return m.back(of)
}

// In returns what puts back the values whose surrogates a text has.
func (b *Back) In(text []byte) *Back {
	return &Back{slices.DeleteFunc(slices.Clone(b.pairs), func(p backPair) bool { return !bytes.Contains(text, []byte(p.surrogate)) })}
}

// back returns what puts back the values of some entries.
func (m *Map) back(of []int) *Back {
	found := map[string]int{}    // of a surrogate: its entry
	unclear := map[string]bool{} // surrogates of two values
	for _, at := range of {
		surrogate := m.entries[at].Surrogate
		if before, ok := found[surrogate]; ok && before != at {
			unclear[surrogate] = true
		}
		found[surrogate] = at
	}
	b := &Back{}
	for surrogate, at := range found {
		if !unclear[surrogate] && utf8.RuneCountInString(surrogate) >= leastBack {
			b.pairs = append(b.pairs, backPair{surrogate, m.entries[at].Value})
		}
	}
	slices.SortFunc(b.pairs, func(x, y backPair) int {
		if n := len(y.surrogate) - len(x.surrogate); n != 0 {
			return n
		}
		return strings.Compare(x.surrogate, y.surrogate)
	})
	return b
}

// Text returns a text with the values in place of their surrogates. A surrogate within a longer
// word or number is another one, and so is one in another case.
func (b *Back) Text(text string) string {
	if len(b.pairs) == 0 {
		return text
	}
	var out strings.Builder
	copied := 0
	for at := 0; at < len(text); {
		if p := b.at(text, at); p != nil {
			out.WriteString(text[copied:at])
			out.WriteString(p.value)
			at += len(p.surrogate)
			copied = at
			continue
		}
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	out.WriteString(text[copied:])
	return out.String()
}

// at returns the longest surrogate at a place of a text, nil for none.
func (b *Back) at(text string, at int) *backPair {
	inWord := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for i := range b.pairs {
		p := &b.pairs[i]
		if !strings.HasPrefix(text[at:], p.surrogate) {
			continue
		}
		before, _ := utf8.DecodeLastRuneInString(text[:at])
		after, _ := utf8.DecodeRuneInString(text[at+len(p.surrogate):])
		first, _ := utf8.DecodeRuneInString(p.surrogate)
		last, _ := utf8.DecodeLastRuneInString(p.surrogate)
		if inWord(first) && inWord(before) || inWord(last) && inWord(after) {
			continue
		}
		return p
	}
	return nil
}

// MarshalJSON returns an error.
func (*Back) MarshalJSON() ([]byte, error) { return nil, errSecret }

// String hides the values.
func (*Back) String() string { return "(withheld)" }

// GoString hides the values.
func (*Back) GoString() string { return "(withheld)" }
