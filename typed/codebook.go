package typed

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"strings"
	"sync"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Codebook is a public list of values of a type, by place from 0. It is a codebook of
// package mechanism, whose vectors are places. It is safe for concurrent use.
type Codebook struct {
	name    string
	n       int
	ordered bool
	// place returns the place of a value, false if the value has none. Number returns what
	// an ordered codebook reads in it, also beyond its ends.
	place  func(value string) (int, bool)
	number func(value string) (int64, bool)
	write  func(dst []byte, place int) []byte

	digest string // empty until it is known
	once   sync.Once
}

// placeBytes is the number of components of a vector: a place of 32 bits.
const placeBytes = 4

// Name returns the name of the codebook.
func (c *Codebook) Name() string { return c.name }

// Len returns the number of values.
func (c *Codebook) Len() int { return c.n }

// Dim returns the number of components of a vector.
func (c *Codebook) Dim() int { return placeBytes }

// Unordered reports whether the values beside a value are no more like it than others.
func (c *Codebook) Unordered() bool { return !c.ordered }

// Digest returns the SHA-256, in hexadecimal, of the values in order, each on a line.
func (c *Codebook) Digest() string {
	c.once.Do(func() {
		if c.digest != "" {
			return
		}
		h := sha256.New()
		line := make([]byte, 0, 64)
		for i := range c.n {
			line = append(c.write(line[:0], i), '\n')
			_, _ = h.Write(line)
		}
		c.digest = hex.EncodeToString(h.Sum(nil))
	})
	return c.digest
}

// Append appends the value at a place.
func (c *Codebook) Append(dst []byte, place int) []byte { return c.write(dst, place) }

// Text returns the value at a place.
func (c *Codebook) Text(place int) string { return string(c.write(nil, place)) }

// Encode appends the vector of a value: that of its place, or of the middle of the codebook
// for a value without one.
func (c *Codebook) Encode(dst []int8, value []byte) []int8 {
	place, ok := c.place(string(value))
	if !ok || place < 0 || place >= c.n {
		place = c.n / 2
	}
	return c.Vector(dst, place)
}

// Vector appends the vector of the value at a place.
func (c *Codebook) Vector(dst []int8, place int) []int8 {
	var b [placeBytes]byte
	binary.BigEndian.PutUint32(b[:], uint32(place))
	for _, v := range b {
		dst = append(dst, int8(v))
	}
	return dst
}

var errSize = errors.New("typed: vectors are of 4 components, and sets of 1 to all values")

// Nearest appends the k places around that of each vector, ascending. At an end of the
// codebook they are the k places there. A vector of no place is that of the middle.
func (c *Codebook) Nearest(dst []uint32, vectors []int8, k int) ([]uint32, error) {
	if len(vectors)%placeBytes != 0 || k < 1 || k > c.n {
		return dst, errSize
	}
	for ; len(vectors) > 0; vectors = vectors[placeBytes:] {
		var b [placeBytes]byte
		for i := range b {
			b[i] = byte(vectors[i])
		}
		place := int64(binary.BigEndian.Uint32(b[:]))
		if place >= int64(c.n) {
			place = int64(c.n / 2)
		}
		first := min(max(0, place-int64(k/2)), int64(c.n-k))
		for y := range int64(k) {
			dst = append(dst, uint32(first+y))
		}
	}
	return dst, nil
}

// Fold returns the form in which two spellings of a value are equal: in lower case, with
// single spaces, accents with their letters, and without punctuation at the ends, but with the
// minus of a number.
func Fold(value string) string {
	if plain(value) {
		return value
	}
	beside := func(r rune) bool { return unicode.IsSpace(r) || unicode.IsPunct(r) }
	rest := strings.TrimLeftFunc(value, beside)
	minus := ""
	if before := value[:len(value)-len(rest)]; strings.HasSuffix(before, "-") && rest != "" && rest[0] >= '0' && rest[0] <= '9' {
		minus = "-"
	}
	return minus + norm.NFC.String(strings.ToLower(strings.Join(strings.Fields(strings.TrimRightFunc(rest, beside)), " ")))
}

// plain reports whether a value is its own folded form, being lower-case letters of ASCII.
func plain(value string) bool {
	for i := range len(value) {
		if value[i] < 'a' || value[i] > 'z' {
			return false
		}
	}
	return true
}
