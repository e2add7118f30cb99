package jsonfield

import (
	"bytes"
	"encoding/json"
	"math/rand/v2"
	"strings"
	"testing"
)

// Long strings are read and written in parts, with the result of package json for the
// whole. The pieces put escapes, surrogate pairs, halves of them and invalid bytes at the
// ends of parts.
func TestLongStringsOfJSONAreThoseOfPackageJSON(t *testing.T) {
	escaped := []string{"a", " ", `\n`, `\\`, `\"`, `\/`, `\u00e9`, `\ud83d\ude00`, `\ud83d`, `\ude00`, "é", "日", "😀", "\xff", "\xe6\x97", "\x80", `\u2028`, "\u2028", "0", "u"}
	for seed := range uint64(8) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var b strings.Builder
		for b.Len() < 3*stringAtOnce {
			b.WriteString(escaped[rng.IntN(len(escaped))])
		}
		if seed == 0 { // one piece alone, and not a whole number of them in a part
			b.Reset()
			b.WriteString("\\na" + strings.Repeat(`\ud83d\ude00`, stringAtOnce/4) + "b")
		}
		var want string
		if err := json.Unmarshal([]byte(`"`+b.String()+`"`), &want); err != nil {
			t.Fatal(err)
		}
		got := unescape([]byte(b.String()))
		if string(got) != want {
			t.Fatalf("seed %d: the string is read as another one", seed)
		}
		for _, text := range [][]byte{got, []byte(b.String()), bytes.Repeat([]byte{0x80}, 2*stringAtOnce)} {
			var whole bytes.Buffer
			e := json.NewEncoder(&whole)
			e.SetEscapeHTML(false)
			if err := e.Encode(string(text)); err != nil {
				t.Fatal(err)
			}
			if written := append(Append(nil, text), '\n'); !bytes.Equal(written, whole.Bytes()) {
				t.Fatalf("seed %d: the string is written as another one", seed)
			}
		}
	}
}

// A string without escapes is part of the input. Appending to it must not write there.
func TestTextsOfJSONDoNotGrowIntoTheInput(t *testing.T) {
	data := []byte(`"text" and more`)
	_ = append(unescape(data[1:5]), '!')
	if string(data) != `"text" and more` {
		t.Errorf("the input is now %s", data)
	}
}
