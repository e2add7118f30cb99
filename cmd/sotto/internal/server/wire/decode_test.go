package wire

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/sotto-dp/sotto/privacy"
)

// Decoding ends for every body. What it accepts is strict JSON that encodes to the same
// again; the error for what it refuses quotes none of it.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		`{"texts":["my doctor",null],"epsilon":8,"account":"alice"}`, `{"texts":["a"],"epsilon":1e-3,"parameters":{"neighbours":5,"x":"y"},"seed":1}`,
		`{"words":["a"]}`, `[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]`, "{\"texts\":[\"\xff\"]}", `{"texts":["\ud800"]} `, `{"zzsecretzz":1}`, `{"texts":[zzsecretzz]}`,
		`{"epsilon":"zzsecretzz"}`, `{"neighbours":"zzsecretzz"}`, `"zzsecretzz`, `{"parameters":{"zzsecretzz":[]}}`,
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		var req RewriteRequest
		if err := Decode(body, 1000, &req); err != nil {
			p := ProblemOf(err)
			if p.Status < 400 || p.Status >= 500 {
				t.Fatalf("%d for %q", p.Status, body)
			}
			if strings.Contains(p.Detail, "zzsecretzz") {
				t.Fatalf("%s repeats the body", p.Detail)
			}
			return
		}
		if !utf8.Valid(body) || !json.Valid(body) {
			t.Fatalf("took %q", body)
		}
		whole, err := json.Marshal(req)
		if err != nil {
			t.Fatal(err)
		}
		var again RewriteRequest
		if err := Decode(whole, 1000, &again); err != nil {
			t.Fatalf("%v for %s, from %q", err, whole, body)
		}
		if twice, _ := json.Marshal(again); !bytes.Equal(whole, twice) {
			t.Fatalf("%s became %s", whole, twice)
		}
	})
}

// Of two fields of one name, or of nearly one, another reader of the request may take the
// other: what was agreed to would not be what is drawn.
func TestDecodeRefusesAmbiguousFields(t *testing.T) {
	for _, c := range []struct {
		body, want string
		into       any
	}{
		{`{"texts":["a"],"epsilon":1,"epsilon":8}`, "a field twice", &RewriteRequest{}},
		{`{"texts":["a"],"epsilon":1,"Epsilon":8}`, "a field twice", &RewriteRequest{}},
		{`{"texts":["a"],"Epsilon":8}`, "wrong case", &RewriteRequest{}},
		{`{"text` + "\u017f" + `":["a"],"epsilon":8}`, "wrong case", &RewriteRequest{}},
		{`{"texts":["a"],"epsilon":8,"parameters":{"beta":1,"beta":2}}`, "a field twice", &RewriteRequest{}},
		{`{"texts":["a"],"epsilon":8,"Account":"alice"}`, "wrong case", &CostRequest{}},
		{`{"words":["a"],"epsilon":8,"TOP":0}`, "wrong case", &ExplainRequest{}},
		{`{"epsilon":8,"Mechanism":"tem"}`, "wrong case", &FiguresRequest{}},
		{`{"texts":["a"],"Unit":"text","epsilon":8}`, "wrong case", &ReadRequest{}},
		{`{"records":[{"text":"a","Text":"b"}],"epsilon":1,"expect":1}`, "a field twice", &SynthesizeRequest{}},
		{`{"records":[{"text":"a"},{"Text":"b"}],"epsilon":1,"expect":1}`, "wrong case", &SynthesizeRequest{}},
		{`{"records":[],"epsilon":1,"expect":1,"by":[{"name":"a","Bins":"1..2"}]}`, "wrong case", &SynthesizeRequest{}},
	} {
		err := Decode([]byte(c.body), 1000, c.into)
		if err == nil || ProblemOf(err).Status != 400 || ProblemOf(err).Type != "malformed" || !strings.Contains(ProblemOf(err).Detail, c.want) {
			t.Errorf("%s: %+v, want %q", c.body, err, c.want)
		}
	}
}

func TestProblemsHoldNoStringOfTheRequest(t *testing.T) {
	for _, e := range []error{
		privacy.UnknownParameter("tem", "secret", []string{"beta"}), privacy.Bad("tem", "secret", 1.0, "one of beta"),
		privacy.Bad("tem", "beta", "secret", "in (0, 1)"), privacy.Bad("ledger", "account", "secret", "a name"),
	} {
		p := ProblemOf(e)
		if text, _ := json.Marshal(p); bytes.Contains(text, []byte("secret")) {
			t.Errorf("%s", text)
		}
	}
	if p := ProblemOf(privacy.Bad("tem", "beta", 2.0, "in (0, 1)")); p.Detail != "beta must be in (0, 1), got 2" || p.Parameter != "beta" {
		t.Errorf("%+v", p)
	}
}
