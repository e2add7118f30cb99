package sotto

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"github.com/sotto-dp/sotto/text/tokenize"
	"math"
	"math/big"
	"strings"
	"testing"
	"unicode"

	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
)

func readMarked(t *testing.T, r *Rewriter, marks ...string) *Pending {
	t.Helper()
	texts, all := make([][]byte, len(marks)), make([]text.Spans, len(marks))
	for i, m := range marks {
		plain, spans := spansOf(m)
		texts[i], all[i] = []byte(plain), spans
	}
	p, err := r.ReadSpans(texts, all, Position{Batch: 4})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Each token is drawn by the mechanism of its place, at the epsilon of this mechanism.
func TestTokensOutsideMarksHaveTheirOwnDraws(t *testing.T) {
	seed := uint64(11)
	r := openMarked(t, Words{Epsilon: 7, MarkedEpsilon: 3, InsecureSeed: &seed})
	p := readMarked(t, r, "my [doctor in boston] agreed and [paid] the bill", "", "no marks", "[all of it]")
	out, err := p.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	drawn := func(epsilon float64, seed uint64, row int, words string) []embedding.ID {
		one, err := Open(t.Context(), Config{Epsilon: epsilon})
		if err != nil {
			t.Fatal(err)
		}
		ids, err := one.Mechanism().Replace(nil, idsOf(one.Table(), words), seededAt(seed, Position{Batch: 4}, row))
		if err != nil {
			t.Fatal(err)
		}
		return ids
	}
	other := seed ^ 0x9e3779b97f4a7c15
	m, rest := drawn(3, seed, 0, "doctor in boston paid"), drawn(7, other, 0, "my agreed and the bill")
	want := []embedding.ID{rest[0], m[0], m[1], m[2], rest[1], rest[2], m[3], rest[3], rest[4]}
	for i, ids := range [][]embedding.ID{want, nil, drawn(7, other, 2, "no marks"), drawn(3, seed, 3, "all of it")} {
		if written := tokenize.NewTokenizer(r.Table()).Detokenize(nil, ids); !bytes.Equal(out[i], written) {
			t.Errorf("text %d is %q, want %q", i, out[i], written)
		}
	}
	if c := p.Counts(); c.Draws != 14 || c.RestTokens != 7 || c.Spans != 3 || c.LongestLoss != 4*3+5*7 {
		t.Errorf("%+v", c)
	}
}

// The two epsilons are not exchanged. At 34 a draw changes a word with a chance of 3.5e-11,
// so that one of these 16 changes with one of 5.6e-10. At 1e-6 a word stays with a chance of
// 1 in 20,000, so that all eight do with one below 1e-34.
func TestMarksHaveTheEpsilonOfMarks(t *testing.T) {
	for _, c := range []struct {
		inside, outside float64
		want            string // of the tokens that stay
	}{{34, 1e-6, "doctor in boston paid the bill and agreed"}, {1e-6, 34, "my lawyer met our friend near that house"}} {
		r := openMarked(t, Words{Mechanism: "response", Epsilon: c.outside, MarkedEpsilon: c.inside})
		out, err := readMarked(t, r, "my [doctor] lawyer [in] met [boston] our [paid] friend [the] near [bill] that [and] house [agreed]").Draw(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		words := strings.FieldsFunc(strings.ReplaceAll(strings.ToLower(string(out[0])), "'", " '"), func(r rune) bool {
			return r != '\'' && r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) // a drawn "'s" or ")" is written beside "bill" without a space
		})
		want := strings.Fields(c.want)
		stayed, other := 0, 0
		for _, w := range want {
			for _, have := range words {
				if have == w {
					stayed++
					break
				}
			}
		}
		for _, w := range strings.Fields("doctor in boston paid the bill and agreed my lawyer met our friend near that house") {
			if !strings.Contains(" "+c.want+" ", " "+w+" ") && strings.Contains(" "+strings.Join(words, " ")+" ", " "+w+" ") {
				other++
			}
		}
		if stayed != len(want) || other == 8 {
			t.Errorf("inside %g, outside %g: %q", c.inside, c.outside, out[0])
		}
	}
}

// Both promises are conditional, losses of a text are added exactly and rounded up, and no
// total for a text is stated without the condition.
func TestStatementOfMarksAndRest(t *testing.T) {
	r := openMarked(t, Words{Epsilon: 0.3, MarkedEpsilon: 0.1})
	counts := readMarked(t, r, "[a b c] d e f g").Counts()
	counts.Add(readMarked(t, r, "[a b c d e f g]", "h").Counts())
	s := r.Statement(counts)
	if s.Claim.Unit != privacy.MarkedToken || s.Claim.Epsilon != 0.1 || s.Claim.Assumes&privacy.PublicSpans == 0 {
		t.Errorf("%+v", s.Claim)
	}
	if c := s.Rest.Claim; c.Unit != privacy.Token || c.Epsilon != 0.3 || c.Assumes&privacy.PublicSpans == 0 || s.Rest.Tokens != 5 {
		t.Errorf("%+v", s.Rest)
	}
	loss := *s.Rest.TextEpsilonMax
	if loss != lossOf(t, r, 3, 4) {
		t.Errorf("the longest text loses %v", loss)
	}
	// Some of these sums are rounded down by the nearest number.
	for m := range int64(9) {
		for n := range int64(9) {
			got := lossOf(t, r, int(m), int(n))
			inside, outside := new(big.Rat).SetFloat64(0.1), new(big.Rat).SetFloat64(0.3)
			exact := new(big.Rat).Add(inside.Mul(inside, big.NewRat(m, 1)), outside.Mul(outside, big.NewRat(n, 1)))
			if new(big.Rat).SetFloat64(got).Cmp(exact) < 0 || m+n > 0 && new(big.Rat).SetFloat64(math.Nextafter(got, 0)).Cmp(exact) >= 0 {
				t.Errorf("%d and %d tokens lose %v, exactly %v", m, n, got, exact.FloatString(30))
			}
		}
	}
	if s.DocumentEpsilonMax != nil || s.DocumentDeltaMax != 1 || s.Bag != nil || *s.Tokens != 15 {
		t.Errorf("%+v", s)
	}
	for _, want := range []string{"given the marked places", "which places are marked depends on the whole text", "both claims are conditional"} {
		if printed := strings.Join(strings.Fields(s.String()), " "); !strings.Contains(printed, want) {
			t.Errorf("%s lacks %q", printed, want)
		}
	}
	if c := s.Cost(); c.EpsilonEach != nil || c.EpsilonLongest != nil || c.EpsilonTotal != nil || c.Units != 15 {
		t.Errorf("%+v", c)
	}
	data, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	again, err := statement.Read(data)
	if err != nil || again.Rest == nil || *again.Rest.TextEpsilonMax != loss || again.Rest.Claim != s.Rest.Claim {
		t.Errorf("%+v %v", again, err)
	}
	if _, err := s.Opening(); err == nil {
		t.Error("a report of marked words can be verified")
	}
	metric := openMarked(t, Words{Mechanism: "tem", Epsilon: 3, MarkedEpsilon: 2})
	if s := metric.Statement(readMarked(t, metric, "the [doctor] agreed").Counts()); s.Rest.TextEpsilonMax != nil {
		t.Errorf("a metric promise has a total: %v", *s.Rest.TextEpsilonMax)
	}
}

func TestMarkedEpsilonIsChecked(t *testing.T) {
	var conflict *ConflictError
	if _, err := Open(t.Context(), Words{Epsilon: 3, MarkedEpsilon: 1}); !errors.As(err, &conflict) || !conflict.Needs {
		t.Errorf("without spans: %v", err)
	}
	var parameter *privacy.ParameterError
	for _, epsilon := range []float64{-1, math.NaN(), math.Inf(1)} {
		if _, err := Open(t.Context(), Words{Epsilon: 3, Marked: true, MarkedEpsilon: epsilon}); !errors.As(err, &parameter) {
			t.Errorf("epsilon %g: %v", epsilon, err)
		}
	}
	r := openMarked(t, Words{Epsilon: 3, MarkedEpsilon: 1})
	if _, err := r.Rewrite(t.Context(), "my doctor"); !errors.Is(err, release.ErrNeedsSpans) {
		t.Errorf("a text without spans: %v", err)
	}
}

// Spans that come with the records are those of the records for every batch, whichever
// worker has it.
func TestSpansOfRecordsAreReadByManyWorkers(t *testing.T) {
	const records = 20000
	var in bytes.Buffer
	for i := range records {
		fmt.Fprintf(&in, `{"id":%d,"t":"%s Qqqx in boston","ents":[{"start":%d,"end":%d}]}`+"\n", i, strings.Repeat("x", i%9), i%9+1, i%9+5)
	}
	for _, epsilon := range []float64{0, 2} {
		r := openMarked(t, Words{Epsilon: 5, MarkedEpsilon: epsilon})
		stream := func() (*text.SpanLines, Stream) {
			lines := text.NewSpanLines(bytes.NewReader(in.Bytes()), "ents")
			return lines, Stream{Format: text.JSONL, Fields: []string{"t"}, Spans: lines, Workers: 4}
		}
		var out bytes.Buffer
		lines, s := stream()
		stated, err := r.Copy(t.Context(), &out, lines, s)
		if err != nil || *stated.Spans != records {
			t.Fatalf("%v %+v", err, stated.Spans)
		}
		if bytes.Contains(out.Bytes(), []byte(`"ents"`)) || bytes.Contains(out.Bytes(), []byte("Qqqx")) || bytes.Count(out.Bytes(), []byte("\n")) != records {
			t.Errorf("epsilon %g: %.300s", epsilon, out.Bytes())
		}
		lines, s = stream()
		if counts, err := r.Count(t.Context(), lines, s); err != nil || counts.Draws != stated.Draws || counts.Spans != records {
			t.Errorf("%+v, drawn %d (%v)", counts, stated.Draws, err)
		}
	}
}

// lossOf returns the loss of a text with these numbers of tokens inside and outside its spans.
func lossOf(t *testing.T, r *Rewriter, inside, outside int) float64 {
	t.Helper()
	marks := strings.Repeat("a ", outside)
	if inside > 0 {
		marks += "[" + strings.TrimSpace(strings.Repeat("a ", inside)) + "]"
	}
	return float64(readMarked(t, r, marks).Counts().LongestLoss)
}
