package identity

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
)

// slow is the digest as the reference documentation defines it.
func slow(texts ...string) Drawn {
	var total Tally
	n := 0
	for _, text := range texts {
		words := strings.FieldsFunc(text, unicode.IsSpace)
		if len(words) == 0 {
			continue
		}
		row := make([]byte, 8)
		row = binary.BigEndian.AppendUint64(row, math.Float64bits(1))
		row = append(row, strings.Join(words, " ")+" "...)
		digest := sha256.Sum256(row)
		for i := range total.sum {
			total.sum[i] += binary.BigEndian.Uint64(digest[8*i:])
		}
		n++
	}
	return Drawn{int64(n), total.sum.String()}
}

func of(texts ...string) Drawn {
	var t Tally
	for _, text := range texts {
		t.AddText([]byte(text))
	}
	return t.Drawn()
}

func TestTextsCountByTheirWords(t *testing.T) {
	pieces := []string{"a", "word", "words of letters", "eight let", " and", "ters ", "é", "€", "中", "\u00a0", "\u0085", "\u1680", "\u2003", "\u2028", "\u3000", "\ufeff", "\x00", "\x1c", "\xff", " ", "  ", "\t", "\n", "\r\n", "\v", "\f"}
	draw := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range draw.IntN(9) {
			b.WriteString(pieces[draw.IntN(len(pieces))])
		}
		if text := b.String(); of(text) != slow(text) {
			t.Fatalf("%q is %v, want %v", text, of(text), slow(text))
		}
	}
}

func TestPartsAddUp(t *testing.T) {
	texts := []string{"the first text", "another", "", "the first text", " \n", "a b c"}
	all := of(texts...)
	if all.Rows != 4 || all != slow(texts...) {
		t.Fatalf("the texts are %v, want %v", all, slow(texts...))
	}
	for cut := range texts {
		if got := of(texts[cut:]...).Plus(of(texts[:cut]...)); got != all {
			t.Errorf("cut at %d the texts are %v, want %v", cut, got, all)
		}
	}
	if got := all.Plus(of()); got != all {
		t.Errorf("with no texts the texts are %v, want %v", got, all)
	}
	for name, other := range map[string]Drawn{
		"a text less":         of(texts[1:]...),
		"a text twice":        of(append(texts, "another")...),
		"another text":        of("the first text", "another", "the first text", "a b d"),
		"texts in one":        of("the first text another", "the first text", "a b c"),
		"two halves of words": of("the first text", "an other", "the first text", "a b c"),
	} {
		if other == all {
			t.Errorf("%s: the texts count as the same", name)
		}
	}
	good := all.SHA256
	for _, bad := range []Drawn{{}, {-1, good}, {1, good[2:]}, {1, strings.ToUpper(good)}, {1, "x" + good[1:]}} {
		if bad.Check() == nil || all.Plus(bad) != (Drawn{}) || bad.Plus(all) != (Drawn{}) {
			t.Errorf("%+v are rows", bad)
		}
	}
}

func BenchmarkAddText(b *testing.B) {
	for _, words := range []int{40, 250, 100_000} {
		text := bytes.TrimSpace(bytes.Repeat([]byte("seven letters and some more "), words/5))
		b.Run(fmt.Sprint(words), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var t Tally
			for b.Loop() {
				t.AddText(text)
			}
		})
	}
}
