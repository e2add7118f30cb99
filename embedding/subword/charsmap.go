package subword

import (
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/clipperhouse/uax29/v2/graphemes"
)

// charsMap is SentencePiece's map of characters: a double array of prefixes, and the
// replacements, each ended by a zero byte.
type charsMap struct {
	units []uint32
	texts string
}

// mostMapped is the size from which a grapheme is mapped character by character.
const mostMapped = 6

func newCharsMap(what string, data []byte) (normaliser, error) {
	var s struct {
		Type string `json:"type"`
		Map  string `json:"precompiled_charsmap"`
	}
	if err := strict(what, data, &s); err != nil {
		return nil, err
	}
	raw, err := base64.StdEncoding.DecodeString(s.Map)
	if err != nil {
		return nil, fmt.Errorf("%s: the map is not base64", what)
	}
	if len(raw) == 0 {
		return func(text string) string { return text }, nil
	}
	if len(raw) < 4 {
		return nil, fmt.Errorf("%s: the map is cut off", what)
	}
	size := int64(binary.LittleEndian.Uint32(raw))
	if size%4 != 0 || size < 4 || size > int64(len(raw)-4) || !utf8.Valid(raw[4+size:]) {
		return nil, fmt.Errorf("%s: the map is damaged", what)
	}
	m := &charsMap{texts: string(raw[4+size:])}
	for at := int64(4); at < 4+size; at += 4 {
		m.units = append(m.units, binary.LittleEndian.Uint32(raw[at:]))
	}
	return m.normalise, nil
}

func (m *charsMap) normalise(text string) string {
	var b strings.Builder
	clusters := graphemes.FromString(text)
	for clusters.Next() {
		g := clusters.Value()
		if len(g) < mostMapped {
			if to, ok := m.find(g); ok {
				b.WriteString(to)
				continue
			}
		}
		for _, r := range g {
			if to, ok := m.find(string(r)); ok {
				b.WriteString(to)
			} else {
				b.WriteRune(r)
			}
		}
	}
	return b.String()
}

// find returns the replacement of the shortest prefix of a key.
func (m *charsMap) find(key string) (string, bool) {
	at := offset(m.units[0])
	for i := range len(key) {
		c := uint32(key[i])
		if c == 0 {
			break
		}
		if at ^= c; int64(at) >= int64(len(m.units)) {
			return "", false
		}
		unit := m.units[at]
		if unit&(1<<31|0xff) != c {
			return "", false
		}
		if at ^= offset(unit); unit>>8&1 == 1 && int64(at) < int64(len(m.units)) {
			value := m.units[at] & (1<<31 - 1)
			if int64(value) > int64(len(m.texts)) {
				return "", false
			}
			to, _, _ := strings.Cut(m.texts[value:], "\x00")
			return to, true
		}
	}
	return "", false
}

func offset(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
