package sotto_test

import (
	"bytes"
	"encoding/gob"
	"encoding/json"
	"fmt"
	"github.com/sotto-dp/sotto/privacy"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/statement"
)

// Which tokens the table lacks changes no byte of a statement: unknown words go through
// the mechanism so that nothing else reveals them.
func TestNoStatementTellsHowManyTokensTheTableLacks(t *testing.T) {
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 2})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Of: sotto.Tokens}); err == nil {
		t.Fatal("an embedder opened without an epsilon")
	}
	e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Of: sotto.Tokens, Epsilon: 2})
	if err != nil {
		t.Fatal(err)
	}
	statements := map[string][]string{}
	for _, text := range []string{"doctor house river", "qqxqq zzxzz wwxww"} {
		p, err := r.Read([][]byte{[]byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := p.Content().UnknownTokens, map[bool]int{true: 3}[text[0] == 'q']; got != want {
			t.Errorf("%q has %d unknown tokens, want %d", text, got, want)
		}
		_, counts, err := e.EmbedAll(t.Context(), [][]byte{[]byte(text)}, sotto.Position{})
		if err != nil {
			t.Fatal(err)
		}
		for what, s := range map[string]any{"rewriting": r.Statement(p.Counts()), "embedding": e.Statement(counts)} {
			data, err := json.Marshal(s)
			if err != nil {
				t.Fatal(err)
			}
			if !bytes.Contains(data, []byte(`"unknown_tokens":null`)) {
				t.Errorf("%s: the statement lacks unknown_tokens, or it is not null: %s", what, data)
			}
			statements[what] = append(statements[what], string(data))
		}
	}
	for what, all := range statements {
		if all[0] != all[1] {
			t.Errorf("%s: texts of three tokens have two statements:\n%s\n%s", what, all[0], all[1])
		}
	}
}

// Counts of content have no printed or encoded form.
func TestCountsOfContentAreNotWritten(t *testing.T) {
	secret := sotto.Content{UnknownTokens: 4711}
	for _, v := range []any{secret, &secret, struct{ C sotto.Content }{secret}, map[string]sotto.Content{"a": secret}} {
		if data, err := json.Marshal(v); err == nil {
			t.Errorf("JSON of %T: %s", v, data)
		}
		if err := gob.NewEncoder(new(bytes.Buffer)).Encode(v); err == nil {
			t.Errorf("%T is encoded", v)
		}
		for _, verb := range []string{"%v", "%+v", "%#v", "%s"} {
			if text := fmt.Sprintf(verb, v); strings.Contains(text, "4711") || strings.Contains(text, "1267") {
				t.Errorf("%s of %T: %s", verb, v, text)
			}
		}
	}
}

// No type within a statement counts content.
func TestNoStatementHoldsCountsOfContent(t *testing.T) {
	seen := map[reflect.Type]bool{}
	var walk func(at string, t reflect.Type)
	walk = func(at string, of reflect.Type) {
		if of == reflect.TypeFor[sotto.Content]() {
			t.Errorf("%s counts content", at)
		}
		if seen[of] {
			return
		}
		seen[of] = true
		switch of.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
			walk(at, of.Elem())
		case reflect.Struct:
			for i := range of.NumField() {
				f := of.Field(i)
				if name := strings.ToLower(f.Name + f.Tag.Get("json")); strings.Contains(name, "unknown") && f.Type != reflect.TypeFor[statement.Withheld]() {
					t.Errorf("%s.%s is %v, must be withheld", at, f.Name, f.Type)
				}
				walk(at+"."+f.Name, f.Type)
			}
		}
	}
	for _, of := range []reflect.Type{reflect.TypeFor[sotto.Statement](), reflect.TypeFor[sotto.EmbedStatement](), reflect.TypeFor[sotto.Counts](), reflect.TypeFor[sotto.Release]()} {
		walk(of.Name(), of)
	}
	if len(seen) < 20 {
		t.Errorf("%d types were looked at", len(seen))
	}
	if m, ok := reflect.TypeFor[*sotto.Rewriter]().MethodByName("Statement"); !ok || m.Type.In(1) != reflect.TypeFor[sotto.Counts]() {
		t.Error("statements are made of something else than public counts")
	}
}

// If words are drawn once each, draws count distinct words. That figure follows from
// which positions hold the same word, which the statement lists as not protected, and
// from nothing else.
func TestDrawsFollowFromTheEqualPositionsAlone(t *testing.T) {
	r, err := sotto.Open(t.Context(), sotto.Config{Unit: privacy.Word, Epsilon: 2})
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, text := range []string{"doctor house doctor", "river qqxqq river"} {
		p, err := r.Read([][]byte{[]byte(text)})
		if err != nil {
			t.Fatal(err)
		}
		s := r.Statement(p.Counts())
		if s.Draws != 2 || !slices.ContainsFunc(s.NotProtected, func(line string) bool {
			return strings.Contains(line, "hold the same word") && strings.Contains(line, "how many distinct words")
		}) {
			t.Errorf("%d draws, not protected: %q", s.Draws, s.NotProtected)
		}
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, string(data))
	}
	if all[0] != all[1] {
		t.Errorf("one pattern, two statements:\n%s\n%s", all[0], all[1])
	}
}
