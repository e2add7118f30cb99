package subword

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
)

// TestTokensAreThoseOfTheLibrary compares with the library tokenizers: see
// testdata/golden/golden.mjs.
func TestTokensAreThoseOfTheLibrary(t *testing.T) {
	data, err := os.ReadFile("testdata/golden.json")
	if err != nil {
		t.Fatal(err)
	}
	var golden struct {
		Texts []string
		Cases []struct {
			Name      string
			Tokenizer json.RawMessage
			IDs       [][]uint32
		}
	}
	if err := json.Unmarshal(data, &golden); err != nil {
		t.Fatal(err)
	}
	for _, c := range golden.Cases {
		tok, err := Read(c.Tokenizer)
		if err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		again, err := Parse(tok.Tokens(), tok.Marshal())
		if err != nil {
			t.Errorf("%s: read again: %v", c.Name, err)
			continue
		}
		unknown, known := tok.Unknown()
		for i, text := range golden.Texts {
			want := slices.DeleteFunc(slices.Clone(c.IDs[i]), func(id uint32) bool { return known && tok.Tokens()[id] == unknown })
			var got, second []uint32
			left := tok.Each([]byte(text), func(id uint32) { got = append(got, id) })
			again.Each([]byte(text), func(id uint32) { second = append(second, id) })
			if !slices.Equal(got, want) || left != len(c.IDs[i])-len(want) || !slices.Equal(second, want) {
				t.Errorf("%s: text %d %q: %q, want %q", c.Name, i, text, spell(tok, got), spell(tok, want))
			}
		}
	}
}

func spell(t *Tokenizer, ids []uint32) (tokens []string) {
	for _, id := range ids {
		tokens = append(tokens, t.tokens[id])
	}
	return tokens
}
