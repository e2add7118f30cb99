package typed

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// Value is a marked value with the type of its mark.
type Value struct{ Type, Value string }

// leastBack is the number of characters of the shortest surrogate that is put back: shorter
// ones, such as ages, occur by chance.
const leastBack = 4

// Back puts values back in place of their surrogates. It holds originals, as a [Map] does, and
// what it returns is for whoever wrote them alone. It is safe for concurrent use.
type Back struct {
	values map[string]string // by their surrogates
	// lengths are those of the surrogates that begin with some bytes, the longest first: a place
	// of a text is compared with no more surrogates than there are lengths.
	lengths map[string][]int
}

func backOf(values map[string]string) *Back {
	b := &Back{values, map[string][]int{}}
	for surrogate := range values {
		begin := surrogate[:leastBack]
		b.lengths[begin] = append(b.lengths[begin], len(surrogate))
	}
	for begin, all := range b.lengths {
		slices.Sort(all)
		all = slices.Compact(all)
		slices.Reverse(all)
		b.lengths[begin] = all
	}
	return b
}

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
	kept := m.back(of)
	b := backOf(kept)
	for _, part := range clear {
		for surrogate := range b.occurring(string(part)) {
			delete(kept, surrogate)
		}
	}
	return backOf(kept)
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
	return backOf(m.back(of))
}

// In returns what puts back the values whose surrogates a copy has: one within a longer word or
// number is of another copy.
func (b *Back) In(text []byte) *Back {
	found := map[string]string{}
	b.each(string(text), inCopy, func(_ int, surrogate string) { found[surrogate] = b.values[surrogate] })
	return backOf(found)
}

// occurring returns the surrogates that a text has anywhere, with their values: too many of
// them is the safe side where they are left as they are.
func (b *Back) occurring(text string) map[string]string {
	found := map[string]string{}
	for at := range len(text) {
		b.longest(text[at:], func(surrogate string) bool {
			found[surrogate] = b.values[surrogate]
			return false
		})
	}
	return found
}

// longest returns the longest surrogate that begins a text and is taken, empty for none.
func (b *Back) longest(text string, take func(surrogate string) bool) string {
	if len(text) < leastBack {
		return ""
	}
	for _, n := range b.lengths[text[:leastBack]] {
		if n > len(text) {
			continue
		}
		if _, ok := b.values[text[:n]]; ok && take(text[:n]) {
			return text[:n]
		}
	}
	return ""
}

// back returns the values of some entries that are put back, by their surrogates.
func (m *Map) back(of []int) map[string]string {
	found := map[string]int{}    // of a surrogate: its entry
	unclear := map[string]bool{} // surrogates of two values
	for _, at := range of {
		surrogate := m.entries[at].Surrogate
		if before, ok := found[surrogate]; ok && before != at {
			unclear[surrogate] = true
		}
		found[surrogate] = at
	}
	values := map[string]string{}
	for surrogate, at := range found {
		if !unclear[surrogate] && utf8.RuneCountInString(surrogate) >= leastBack {
			values[surrogate] = m.entries[at].Value
		}
	}
	return values
}

// Text returns a text with the values in place of their surrogates. A surrogate within a longer
// word, number or address is another one, and so is one in another case.
func (b *Back) Text(text string) string {
	var out strings.Builder
	copied := 0
	b.each(text, inAnswer, func(at int, surrogate string) {
		out.WriteString(text[copied:at])
		out.WriteString(b.values[surrogate])
		copied = at + len(surrogate)
	})
	out.WriteString(text[copied:])
	return out.String()
}

// each calls found for each place of a text that has a surrogate, which lengthens makes a part
// of nothing longer.
func (b *Back) each(text string, lengthens side, found func(at int, surrogate string)) {
	if len(b.values) == 0 {
		return
	}
	ended := -1
	for at := 0; at < len(text); {
		surrogate := b.longest(text[at:], func(surrogate string) bool { return b.entire(text, at, ended, surrogate, lengthens) })
		if surrogate != "" {
			found(at, surrogate)
			at += len(surrogate)
			ended = at
			continue
		}
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
}

// MarshalJSON returns an error.
func (*Back) MarshalJSON() ([]byte, error) { return nil, errSecret }

// String hides the values.
func (*Back) String() string { return "(withheld)" }

// GoString hides the values.
func (*Back) GoString() string { return "(withheld)" }
