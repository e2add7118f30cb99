package sotto

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/lettertest"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
)

// For every mechanism, the opened one satisfies the cap by the accountant's own figures
// for its claim, and an epsilon one percent larger would not.
func TestCapChoosesTheLargestEpsilonThatHolds(t *testing.T) {
	stage.Unraced(t)
	table := lettertest.Table(t, 20)
	for _, c := range []struct {
		name    string
		delta   float64
		largest bool // by bisection
	}{
		{"neighbours", 0, true}, {"neighbours", 1e-6, true}, {"response", 1e-6, true}, {"laplace", 1e-6, true},
		{"gaussian-analytic", 1e-6, true}, {"trlaplace", 1e-6, true}, {"madlib", 1e-6, true}, {"tem", 0, false}, {"exponential", 1e-6, false},
		{"brr", 0, false}, {"brr", 1e-6, false},
	} {
		for _, tokens := range []int{1, 12, 300} {
			name := fmt.Sprintf("%s, delta %g, %d tokens", c.name, c.delta, tokens)
			cfg := Words{Table: table, Mechanism: c.name, Cap: Cap{Epsilon: 6, Delta: c.delta, Tokens: tokens}}
			if c.name == "neighbours" { // the default depends on epsilon
				cfg.Parameters = map[string]string{"neighbours": "4"}
			}
			r, err := Open(t.Context(), cfg)
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			f := r.Statement(Counts{}).Cap
			if f == nil || f.Cap != 6 || f.Allowed != tokens || f.Total > 6 || f.Over != Refuse {
				t.Errorf("%s: %+v", name, f)
				continue
			}
			claim := r.Mechanism().Claim()
			if claim.Notion == privacy.Pure && c.delta == 0 && float64(tokens)*claim.Epsilon > 6 {
				t.Errorf("%s: epsilon %g a token", name, claim.Epsilon)
			}
			cfg.Epsilon = claim.Epsilon * 1.01
			if claim.Delta > 0 {
				cfg.Parameters = map[string]string{"delta": fmt.Sprint(claim.Delta)}
			}
			var over *BudgetError
			if _, err := Open(t.Context(), cfg); c.largest && !errors.As(err, &over) {
				t.Errorf("%s: epsilon %g was chosen, a hundredth more holds too (%v)", name, claim.Epsilon, err)
			}
			cfg.Epsilon = claim.Epsilon
			if _, err := Open(t.Context(), cfg); err != nil {
				t.Errorf("%s: what was chosen does not hold when asked for: %v", name, err)
			}
		}
	}
}

// With a seed, texts with the same allowed tokens give the same text, because the tokens
// beyond are not read. Without a cap they do not.
func TestClampedTokensDoNotDependOnTheText(t *testing.T) {
	seed := uint64(7)
	cfg := Words{Table: lettertest.Table(t, 20), Mechanism: "response", Epsilon: 9, InsecureSeed: &seed}
	one, two := [][]byte{[]byte("a b c d e f g h i j")}, [][]byte{[]byte("a b c k l m n o p q")}
	rewrite := func(texts [][]byte) (string, Counts) {
		r, err := Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		out, counts, err := RewriteAll(t.Context(), r, texts, Position{})
		if err != nil {
			t.Fatal(err)
		}
		return string(out[0]), counts
	}
	a, _ := rewrite(one)
	b, _ := rewrite(two)
	if a == b {
		t.Fatal("the texts are not told apart without a cap: the test could not fail")
	}
	cfg.Cap = Cap{Epsilon: 30, Tokens: 3, Over: Clamp}
	a, counts := rewrite(one)
	b, _ = rewrite(two)
	if a != b {
		t.Errorf("%q and %q differ in what follows", a, b)
	}
	if len(strings.Fields(a)) != 10 || counts.ClampedDocuments != 1 || counts.ClampedTokens != 7 || counts.Tokens != 10 {
		t.Errorf("%q: %+v", a, counts)
	}
}

// The words drawn beyond the cap are uniform. Of 20 words, 40,000 draws give each 2,000
// with standard deviation 43.6; all are within 6 deviations except with probability 20 x
// 2e-9.
func TestClampedTokensAreUniform(t *testing.T) {
	seed := uint64(11)
	r, err := Open(t.Context(), Words{
		Table:        lettertest.Table(t, 20),
		Mechanism:    "response",
		InsecureSeed: &seed,
		Cap:          Cap{Epsilon: 30, Tokens: 1, Over: Clamp},
	})
	if err != nil {
		t.Fatal(err)
	}
	out, _, err := RewriteAll(t.Context(), r, [][]byte{[]byte(strings.Repeat("a ", 40_001))}, Position{})
	if err != nil {
		t.Fatal(err)
	}
	words := map[string]int{}
	for _, w := range strings.Fields(strings.ToLower(string(out[0]))) {
		words[w]++
	}
	if len(words) != r.Table().Len() {
		t.Errorf("%d of %d words were drawn", len(words), r.Table().Len())
	}
	for w, n := range words {
		if math.Abs(float64(n)-2000) > 6*43.6 {
			t.Errorf("%q was drawn %d times", w, n)
		}
	}
}

func TestLongTextIsRefusedWithoutAWordOfIt(t *testing.T) {
	r, err := Open(t.Context(), Words{Table: lettertest.Table(t, 20), Cap: Cap{Epsilon: 5, Tokens: 4}})
	if err != nil {
		t.Fatal(err)
	}
	var over *BudgetError
	_, _, err = RewriteAll(t.Context(), r, [][]byte{[]byte("a b c d"), []byte("q q q q q")}, Position{})
	if !errors.As(err, &over) || !strings.Contains(err.Error(), "5 tokens is longer than the 4") || strings.Contains(err.Error(), "q") {
		t.Errorf("%v", err)
	}
	// Parts of one document count together.
	at := Position{Of: new(release.Parts)}
	if _, _, err = RewriteAll(t.Context(), r, [][]byte{[]byte("a b c"), []byte("d")}, at); err != nil {
		t.Error(err)
	}
	if _, _, err = RewriteAll(t.Context(), r, [][]byte{[]byte("a")}, at); !errors.As(err, &over) {
		t.Errorf("a fifth token in another part: %v", err)
	}
}

func TestCapsThatCannotBeAreRefused(t *testing.T) {
	table := lettertest.Table(t, 20)
	for _, c := range []struct {
		name string
		cfg  Words
		want string
	}{
		{"solved", Words{Mechanism: "packing", Cap: Cap{Epsilon: 10, Tokens: 40}}, "needs epsilon: a channel is solved for one"},
		{"needs a delta", Words{Mechanism: "trlaplace", Cap: Cap{Epsilon: 10, Tokens: 40}}, "document delta must be in (0, 1), got 0"},
		{"negative", Words{Cap: Cap{Epsilon: -1, Tokens: 40}}, "document: epsilon must be positive and finite, got -1"},
		{"not a number", Words{Cap: Cap{Epsilon: math.NaN(), Tokens: 40}}, "positive and finite, got NaN"},
		{"delta", Words{Cap: Cap{Epsilon: 1, Delta: 1, Tokens: 40}}, "document: delta must be in [0, 1), got 1"},
		{"tokens", Words{Cap: Cap{Epsilon: 1}}, "document: tokens must be 1 to 1048576, got 0"},
		{"over", Words{Cap: Cap{Epsilon: 1, Tokens: 1, Over: "drop"}}, `document: over must be refuse or clamp, got "drop"`},
	} {
		c.cfg.Table = table
		_, err := Open(t.Context(), c.cfg)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// The fields hold what would be possible, and each front end words it.
func TestCapsThatCannotHoldSayWhatWould(t *testing.T) {
	table := lettertest.Table(t, 20)
	for _, c := range []struct {
		name string
		cfg  Words
		want BudgetError
		text string
	}{
		{"too much for a token", Words{Mechanism: "response", Epsilon: 8, Cap: Cap{Epsilon: 10, Tokens: 400}},
			BudgetError{Fault: release.EpsilonTooLarge, Mechanism: "response", Tokens: 400, Allowed: 1, Each: release.Loss{Epsilon: 8}, Cap: release.Loss{Epsilon: 10}},
			"response: 400 tokens of (epsilon = 8, delta = 0) each lose more than (epsilon = 10, delta = 0) together"},
		{"too much for one", Words{Mechanism: "response", Epsilon: 11, Cap: Cap{Epsilon: 10, Tokens: 400}},
			BudgetError{Fault: release.EpsilonTooLarge, Mechanism: "response", Tokens: 400, Each: release.Loss{Epsilon: 11}, Cap: release.Loss{Epsilon: 10}},
			"response: 400 tokens of (epsilon = 11, delta = 0) each lose more than (epsilon = 10, delta = 0) together"},
		{"no bound", Words{Mechanism: "mahalanobis", Cap: Cap{Epsilon: 10, Tokens: 400}},
			BudgetError{Fault: release.NoBound, Mechanism: "mahalanobis"},
			"mahalanobis: the loss per token has no known bound over all words, so a cap on whole texts cannot be kept"},
		{"too many", Words{Mechanism: "response", Cap: Cap{Epsilon: 0.1, Tokens: 1 << 20}},
			BudgetError{Fault: release.EpsilonTooSmall, Mechanism: "response", Tokens: 1 << 20, Each: release.Loss{Epsilon: 9.54e-8}, Cap: release.Loss{Epsilon: 0.1}, Possible: 1.01},
			"response: 1048576 tokens leave 9.54e-08 per token, below the least epsilon, 9.54e-07"},
	} {
		c.cfg.Table = table
		_, err := Open(t.Context(), c.cfg)
		var got *BudgetError
		if !errors.As(err, &got) || err.Error() != c.text {
			t.Errorf("%s: %v, want %q", c.name, err, c.text)
			continue
		}
		rounded := *got
		rounded.Each.Epsilon, rounded.Possible = threeDigits(got.Each.Epsilon), threeDigits(got.Possible)
		if rounded != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, rounded, c.want)
		}
	}
}

func threeDigits(x float64) float64 {
	y, _ := strconv.ParseFloat(fmt.Sprintf("%.2e", x), 64)
	return y
}

func TestStatementBeginsWithTheCap(t *testing.T) {
	r, err := Open(t.Context(), Words{
		Table:     lettertest.Table(t, 20),
		Mechanism: "neighbours",
		Cap:       Cap{Epsilon: 5, Delta: 1e-6, Tokens: 100, Over: Clamp},
	})
	if err != nil {
		t.Fatal(err)
	}
	_, counts, err := RewriteAll(t.Context(), r, [][]byte{[]byte(strings.Repeat("a ", 130))}, Position{})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Statement(counts)
	data, err := json.Marshal(s)
	if err != nil || !strings.HasPrefix(string(data), `{"document_epsilon_cap":5,`) || !strings.Contains(string(data), `"clamped_tokens":30`) {
		t.Errorf("%s (%v)", data, err)
	}
	// Beyond the cap nothing is spent, so the pure figure counts 100 tokens.
	if pure := s.Claim.Epsilon * 100; s.DocumentEpsilonMax == nil || math.Abs(*s.DocumentEpsilonMax/pure-1) > 1e-4 {
		t.Errorf("the pure figure is %s, must be %g", data, pure)
	}
	plain, err := Open(t.Context(), Config{Table: lettertest.Table(t, 20), Epsilon: 1})
	if err != nil {
		t.Fatal(err)
	}
	if data, err := json.Marshal(plain.Statement(Counts{})); err != nil || strings.Contains(string(data), "cap") {
		t.Errorf("without a cap: %s (%v)", data, err)
	}
}

// A metric claim in another distance than the Euclidean is bounded between any two words by
// the mechanism's own largest distance.
func TestStatementBoundsAnotherDistanceByItsLargest(t *testing.T) {
	r, err := Open(t.Context(), Config{Table: lettertest.Table(t, 20), Mechanism: "brr", Epsilon: 0.5})
	if err != nil {
		t.Fatal(err)
	}
	s := r.Statement(Counts{Documents: 1, Tokens: 7, LongestTokens: 7, Draws: 7})
	most := float64(s.Parameters["largest-distance"].(int))
	if s.DocumentEpsilonMax == nil || math.Abs(*s.DocumentEpsilonMax-7*0.5*most) > 1e-9*most || most < 100 {
		t.Errorf("a text of 7 tokens loses %v at most, at a largest distance of %g", s.DocumentEpsilonMax, most)
	}
}
