package sotto

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/sotto-dp/sotto/text/tokenize"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/accountant"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
)

func openMarked(t *testing.T, cfg Words) *Rewriter {
	t.Helper()
	cfg.Marked = true
	r, err := Open(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// lists are spans for a stream.
type lists [][]text.Span

func (l lists) Rows() int                                { return len(l) }
func (l lists) Row(i int, _ []byte) ([]text.Span, error) { return l[i], nil }

// spansOf finds the parts of a text in brackets, which it removes.
func spansOf(marks string) (plain string, spans []text.Span) {
	var out []rune
	start := 0
	for _, r := range marks {
		switch r {
		case '[':
			start = len(out)
		case ']':
			spans = append(spans, text.Span{Start: start, End: len(out)})
		default:
			out = append(out, r)
		}
	}
	return string(out), spans
}

// With an epsilon that keeps every word, exactly the marked characters are read and written
// again, in lower case inside a sentence; all other bytes are those of the text.
func TestOnlyMarkedTokensAreRewritten(t *testing.T) {
	seed := uint64(5) // no draw of it changes a word, as each does with a chance of 3.5e-11
	r := openMarked(t, Words{Mechanism: "response", Epsilon: 34, InsecureSeed: &seed})
	for marks, want := range map[string]string{
		"Zoë  met [Doctor] SMITH-Jones's\tdog.":               "Zoë  met doctor SMITH-Jones's\tdog.",
		"[Doctor] Who? [Boston] is 🙂 [Boston]s own [BOSTON].": "Doctor Who? Boston is 🙂 boston s own boston.",
		"unmarked Qqqx":        "unmarked Qqqx",
		"[the doctor][agreed]": "The doctor agreed",
		"a [qqqx] b":           "a <unk> b",
		"<[boston]>, <b>[boston]</b>, <[qqqx]>, [qqqx][qqqx]": "<boston>, <b>boston</b>, <<unk>>, <unk> <unk>",
		"": "",
	} {
		plain, spans := spansOf(marks)
		p, err := r.ReadSpans([][]byte{[]byte(plain)}, []text.Spans{spans}, Position{})
		if err != nil {
			t.Fatalf("%s: %v", marks, err)
		}
		out, err := p.Draw(t.Context())
		if err != nil || string(out[0]) != want {
			t.Errorf("%s: %q, want %q (%v)", marks, out[0], want, err)
		}
	}
}

// White space at the ends of a span is not copied. What replaces it follows from the text
// around the span, so texts that differ in white space inside spans have the same copies.
func TestWhiteSpaceInsideSpansIsNotRead(t *testing.T) {
	seed := uint64(5) // no draw of it changes a word, as each does with a chance of 3.5e-11
	r := openMarked(t, Words{Mechanism: "response", Epsilon: 34, InsecureSeed: &seed})
	for want, texts := range map[string][]string{
		"call boston now":     {"call[ Boston ]now", "call[\t\tBoston]now", "call[Boston]now", "call[Boston  \n]now"},
		"call  boston now":    {"call  [Boston]now", "call  [ Boston ]now"},
		"call, boston, now":   {"call, [Boston], now", "call, [ Boston ], now"},
		"(boston)":            {"([Boston])", "([ Boston ])"},
		"my doctor agreed":    {"my [doctor ][agreed]", "my [doctor][ agreed]", "my [doctor][agreed]"},
		"call now":            {"call[ ]now", "call[\t \t]now"},
		"call me (  ) now":    {"call me ( [ ] ) now", "call me ( [   ] ) now"},
		"room 12 boston 12":   {"room 12[ Boston ]12", "room 12[Boston]12"},
		"call <unk> now":      {"call[ qqqx ]now", "call[qqqx]now"},
		"我叫boston的":           {"我叫[Boston]的", "我叫[ Boston ]的"},
		"he saw boston's dog": {"he saw [Boston]'s dog", "he saw [ Boston ]'s dog"},
	} {
		for _, marks := range texts {
			plain, spans := spansOf(marks)
			p, err := r.ReadSpans([][]byte{[]byte(plain)}, []text.Spans{spans}, Position{})
			if err != nil {
				t.Fatalf("%q: %v", marks, err)
			}
			out, err := p.Draw(t.Context())
			if err != nil || string(out[0]) != want {
				t.Errorf("%q: %q, want %q (%v)", marks, out[0], want, err)
			}
		}
	}
}

// The tokens inside the spans are drawn like any others, one draw each.
func TestMarkedTokensAreDrawnByTheChannel(t *testing.T) {
	seed := uint64(11)
	plain, spans := spansOf("AAA [my doctor in boston] BBB [agreed] CCC [the food] DDD")
	r := openMarked(t, Words{Epsilon: 5, InsecureSeed: &seed})
	p, err := r.ReadSpans([][]byte{[]byte(plain), nil, []byte(plain)}, []text.Spans{spans, nil, spans}, Position{Batch: 4})
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Counts(); c.Draws != 14 || c.Spans != 6 || c.LongestDraws != 7 || c.Documents != 3 || p.Length(2) != 7 {
		t.Errorf("%+v", c)
	}
	out, err := p.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	words := idsOf(r.Table(), "my doctor in boston agreed the food")
	for i := range 2 {
		drawn, err := r.Mechanism().Replace(nil, words, seededAt(seed, Position{Batch: 4}, 2*i))
		if err != nil {
			t.Fatal(err)
		}
		tokenizer := tokenize.NewTokenizer(r.Table())
		inside := func(from, to int) string { return string(tokenizer.DetokenizeInside(nil, drawn[from:to])) }
		if want := "AAA " + inside(0, 4) + " BBB " + inside(4, 5) + " CCC " + inside(5, 7) + " DDD"; string(out[2*i]) != want {
			t.Errorf("text %d is %q, want %q", 2*i, out[2*i], want)
		}
	}
	if out[0] == nil || bytes.Equal(out[0], out[2]) || len(out[1]) != 0 {
		t.Errorf("%q", out)
	}
}

// The promise is conditional on the spans everywhere: in the claim, in the statement, for
// accounts, and for audits.
func TestMarkedClaimIsConditional(t *testing.T) {
	r := openMarked(t, Words{Epsilon: 3})
	plain, spans := spansOf("[Anna] lives in [Boston] with [Bob]")
	p, err := r.ReadSpans([][]byte{[]byte(plain)}, []text.Spans{spans}, Position{})
	if err != nil {
		t.Fatal(err)
	}
	claim, s := r.Claim(), r.Statement(p.Counts())
	if claim.Unit != privacy.MarkedToken || claim.Assumes&privacy.PublicSpans == 0 || claim.Epsilon != 3 || s.Claim != claim {
		t.Errorf("%+v", claim)
	}
	if !strings.Contains(claim.Neighbours(), "same places, types and numbers of tokens") {
		t.Error(claim.Neighbours())
	}
	if s.DocumentEpsilonMax != nil || s.DocumentDeltaMax != 1 || *s.Spans != 3 || *s.Tokens != 3 || s.Bag != nil {
		t.Errorf("%+v", s)
	}
	all := fmt.Sprint(s.NotProtected)
	for _, want := range []string{"the total of a text is infinite", "conditional on what it marked"} {
		if !strings.Contains(all, want) {
			t.Errorf("%s lacks %q", all, want)
		}
	}
	if printed := s.String(); !strings.Contains(strings.Join(strings.Fields(printed), " "), "nothing outside them") || !strings.Contains(strings.Join(strings.Fields(printed), " "), "no guarantee: all but the marked places is copied") {
		t.Error(printed)
	}
	if c := s.Cost(); c.EpsilonLongest != nil || c.EpsilonTotal != nil || *c.EpsilonEach != 3 {
		t.Errorf("%+v", c)
	}
	if _, err := ledger.Cost(claim, 1); err == nil {
		t.Error("an account pays for marked words")
	}
	for _, sum := range []accountant.Party{{}, {Unit: privacy.Text}, {Unit: privacy.MarkedToken}} {
		if _, ok := sum.With(accountant.PartyOf(claim)); ok {
			t.Errorf("%v takes losses of marked words", sum)
		}
	}
	if _, err := s.Opening(); err == nil || !strings.Contains(err.Error(), "conditional on spans") {
		t.Errorf("a report of marked words can be verified: %v", err)
	}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	again, err := statement.Read(data)
	if err != nil || *again.Spans != 3 || again.Claim != claim {
		t.Errorf("%+v %v", again, err)
	}
}

// Neighbours have one statement: nothing that is published follows from the marked words.
func TestStatementOfMarkedTextsDoesNotReadThem(t *testing.T) {
	for _, cfg := range []Words{{Epsilon: 3}, {Epsilon: 3, MarkedEpsilon: 1}} {
		r := openMarked(t, cfg)
		neighbours := []string{"[Anna] lives in [Boston]", "[Qqqx] lives in [Vienna]"}
		if cfg.MarkedEpsilon != 0 { // the rest is private too
			neighbours = append(neighbours, "[Anna]  DIED \t in [Boston]")
		}
		var published []string
		for _, marks := range neighbours {
			plain, spans := spansOf(marks)
			p, err := r.ReadSpans([][]byte{[]byte(plain)}, []text.Spans{spans}, Position{})
			if err != nil {
				t.Fatal(err)
			}
			data, err := json.Marshal(r.Statement(p.Counts()))
			if err != nil {
				t.Fatal(err)
			}
			published = append(published, string(data))
		}
		for _, other := range published[1:] {
			if other != published[0] {
				t.Errorf("%s\n%s", published[0], other)
			}
		}
	}
}

// A marked word that no output can be does not come out: 200 secure draws, none of which
// reads the input again.
func TestMarkedWordsDoNotStay(t *testing.T) {
	r := openMarked(t, Words{Epsilon: 1})
	plain, spans := spansOf("call [Qqqxsecret] now")
	for range 200 {
		p, err := r.ReadSpans([][]byte{[]byte(plain)}, []text.Spans{spans}, Position{})
		if err != nil {
			t.Fatal(err)
		}
		out, err := p.Draw(t.Context())
		if err != nil || bytes.Contains(bytes.ToLower(out[0]), []byte("secret")) && !bytes.Contains(out[0], []byte("call secret")) || !bytes.HasPrefix(out[0], []byte("call ")) || !bytes.HasSuffix(out[0], []byte(" now")) {
			t.Fatalf("%q %v", out, err)
		}
	}
}

func TestStreamsOfMarkedTexts(t *testing.T) {
	seed := uint64(5) // no draw of it changes a word, as each does with a chance of 3.5e-11
	r := openMarked(t, Words{Mechanism: "response", Epsilon: 34, InsecureSeed: &seed})
	for _, c := range []struct {
		format   *text.Format
		fields   []string
		in, want string
		spans    lists
		fault    string
	}{
		{text.Lines, nil, "My DOCTOR agreed\n\nBOSTON\n", "My doctor agreed\n\nBoston\n", lists{{{Start: 3, End: 9}}, nil, {{Start: 0, End: 6}}}, ""},
		{text.JSONL, []string{"a.t"}, `{"id":1,"a":{"t":"é DOCTOR"}}` + "\n" + `{"id":2,"a":{"t":null}}` + "\n", `{"id":1,"a":{"t":"é doctor"}}` + "\n" + `{"id":2,"a":{"t":null}}` + "\n", lists{{{Start: 2, End: 8}}, nil}, ""},
		{text.CSV, []string{"t"}, "id,t\n1,\"a DOCTOR, b\"\n", "id,t\n1,\"a doctor, b\"\n", lists{{{Start: 2, End: 8}}}, ""},
		{text.CSV, []string{"t"}, "\ufeffid,t\n1,my DOCTOR\n", "\ufeffid,t\n1,my doctor\n", lists{{{Start: 3, End: 9}}}, ""},
		{text.Lines, nil, "my DOCTOR\n\ufeffmy DOCTOR\n", "my doctor\n\ufeffmy doctor\n", lists{{{Start: 3, End: 9}}, {{Start: 4, End: 10}}}, ""},
		// Does the first place count the mark?
		{text.Lines, nil, "\ufeffmy secret\n", "", lists{{{Start: 3, End: 9}}}, "line 1: the input begins with a byte order mark"},
		{text.Lines, nil, "\ufeffmy secret\n", "", lists{nil}, "line 1: the input begins with a byte order mark"},
		{text.JSONL, []string{"t"}, "\ufeff{\"t\":\"my secret\"}\n", "", lists{{{Start: 3, End: 9}}}, "line 1: the input begins with a byte order mark"},
		{text.JSONL, []string{"t"}, `{"t":null}` + "\n", "", lists{{{Start: 0, End: 1}}}, "spans of record 1: span 1 is"},
		{text.Lines, nil, "a\nb\n", "", lists{nil}, "1 lists for more records; give one list per record"},
		{text.Lines, nil, "a\n", "", lists{nil, nil}, "2 lists for 1 records"},
		{text.Lines, nil, "a\nsecret\n", "", lists{nil, {{Start: 0, End: 7}}}, "spans of record 2: span 1 is"},
		{text.Lines, nil, "secret words\n", "", lists{{{Start: 0, End: 5}, {Start: 4, End: 6}}}, "spans of record 1: spans 1 and 2 overlap"},
	} {
		var out bytes.Buffer
		s, err := r.Copy(t.Context(), &out, strings.NewReader(c.in), Stream{Format: c.format, Fields: c.fields, Spans: c.spans})
		if c.fault != "" {
			if err == nil || !strings.Contains(err.Error(), c.fault) || strings.Contains(err.Error(), "secret") {
				t.Errorf("%q: %v, want %q", c.in, err, c.fault)
			}
			continue
		}
		marks := 0
		for _, list := range c.spans {
			marks += len(list)
		}
		if err != nil || out.String() != c.want || s.Spans == nil || *s.Spans != marks {
			t.Errorf("%q: %q, want %q (%v, %v)", c.in, out.String(), c.want, s.Spans, err)
		}
	}
}

// Python reads the invalid bytes before the secret as two characters and Invalid.Read as one,
// so the span would begin after the first letter of the secret.
func TestSpansOfInvalidTextsAreRefused(t *testing.T) {
	r := openMarked(t, Words{Epsilon: 3})
	spans := lists{{{Start: 3, End: 9}}}
	in := "\xe6\x97\xe6\x97 secret\n"
	stream := Stream{Spans: spans, Invalid: text.ReplaceInvalid}
	var out bytes.Buffer
	var refused *text.FieldError
	if _, err := r.Copy(t.Context(), &out, strings.NewReader(in), stream); !errors.As(err, &refused) || out.Len() > 0 {
		t.Errorf("copy: %v, %d bytes of output", err, out.Len())
	}
	if _, err := r.Count(t.Context(), strings.NewReader(in), stream); !errors.As(err, &refused) {
		t.Errorf("count: %v", err)
	}
	var invalid *text.InputError
	for _, i := range []text.Invalid{"", text.FailInvalid} {
		stream.Invalid = i
		if _, err := r.Copy(t.Context(), &out, strings.NewReader(in), stream); !errors.As(err, &invalid) || out.Len() > 0 {
			t.Errorf("%q: %v, %d bytes of output", i, err, out.Len())
		}
	}
}

// Spans come with a configuration for them, and with no other.
func TestSpansNeedTheirConfiguration(t *testing.T) {
	r := openMarked(t, Words{Epsilon: 3})
	if _, err := r.Rewrite(t.Context(), "my doctor"); !errors.Is(err, release.ErrNeedsSpans) {
		t.Errorf("a text without spans: %v", err)
	}
	if _, err := r.Copy(t.Context(), &bytes.Buffer{}, strings.NewReader("a\n"), Stream{}); !errors.Is(err, release.ErrNeedsSpans) {
		t.Errorf("a stream without spans: %v", err)
	}
	if _, err := r.ReadSpans([][]byte{nil, nil}, []text.Spans{nil}, Position{}); err == nil {
		t.Error("one list for two texts")
	}
	if _, err := r.ReadSpans([][]byte{nil}, []text.Spans{nil}, Position{Of: new(release.Parts)}); err == nil {
		t.Error("spans of a part of a text")
	}
	plain, err := Open(t.Context(), Config{Epsilon: 3})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := plain.ReadSpans([][]byte{nil}, []text.Spans{nil}, Position{}); err == nil {
		t.Error("spans were ignored")
	}
	if _, err := plain.Copy(t.Context(), &bytes.Buffer{}, strings.NewReader("a\n"), Stream{Spans: lists{nil}}); err == nil {
		t.Error("spans of a stream were ignored")
	}
	if e := r.Mechanism().Claim().Epsilon; math.Abs(e-3) > 0 || slices.Contains(r.Statement(Counts{}).Given, "spans") {
		t.Errorf("epsilon %g", e)
	}
}
