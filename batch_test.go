package sotto_test

import (
	"bytes"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/privacy"
)

func openNeighbours(t *testing.T, seed *uint64) *sotto.Rewriter {
	t.Helper()
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 8, InsecureSeed: seed})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func read(t *testing.T, r *sotto.Rewriter, texts [][]byte) *sotto.Pending {
	t.Helper()
	p, err := r.Read(texts)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestWhatIsCountedBeforeTheDrawIsWhatIsDrawn(t *testing.T) {
	seed := uint64(4)
	r := openNeighbours(t, &seed)
	texts := [][]byte{[]byte("My doctor in Boston agreed."), nil, []byte("zzqx zzqy")}
	p, err := r.ReadAt(texts, sotto.Position{Text: 5})
	if err != nil {
		t.Fatal(err)
	}
	if c := p.Counts(); c.Documents != 3 || c.Tokens != 8 || p.Content().UnknownTokens != 2 || c.LongestTokens != 6 {
		t.Errorf("counts %+v", c)
	}
	if p.Draws() != 8 {
		t.Errorf("%d draws", p.Draws())
	}
	private, err := p.Draw(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	same, counts, err := sotto.RewriteAll(t.Context(), r, texts, sotto.Position{Text: 5})
	if err != nil {
		t.Fatal(err)
	}
	if counts != p.Counts() {
		t.Errorf("counts %+v in one call, %+v in two", counts, p.Counts())
	}
	for i := range same {
		if !bytes.Equal(private[i], same[i]) {
			t.Errorf("text %d: %q in two calls, %q in one", i, private[i], same[i])
		}
	}
}

func TestTextsAreDrawnOnce(t *testing.T) {
	p := read(t, openNeighbours(t, nil), [][]byte{[]byte("my doctor")})
	if _, err := p.Draw(t.Context()); err != nil {
		t.Fatal(err)
	}
	if out, err := p.Draw(t.Context()); err == nil || out != nil {
		t.Errorf("a second draw gave %q, %v", out, err)
	}
}

func TestConsistentReplacementDrawsOnceForEachDistinctWord(t *testing.T) {
	seed := uint64(11)
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 2, Unit: privacy.Word, InsecureSeed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	texts := [][]byte{[]byte("doctor house doctor doctor river house"), []byte("doctor"), nil}
	p := read(t, r, texts)
	if c := p.Counts(); c.Tokens != 7 || c.Draws != 4 || c.LongestDraws != 3 || c.LongestTokens != 6 {
		t.Errorf("counts %+v", c)
	}
	// With this seed no draw is a punctuation mark that joins another word.
	different := 0
	for i := range 5 {
		private, _, err := sotto.RewriteAll(t.Context(), r, texts, sotto.Position{Text: uint64(3 * i)})
		if err != nil {
			t.Fatal(err)
		}
		w := bytes.Fields(bytes.ToLower(private[0]))
		if len(w) != 6 || !bytes.Equal(w[0], w[2]) || !bytes.Equal(w[0], w[3]) || !bytes.Equal(w[1], w[5]) {
			t.Errorf("%q", private[0])
		}
		if !bytes.Equal(w[0], w[1]) && !bytes.Equal(w[0], bytes.ToLower(private[1])) { // each text has its own draws
			different++
		}
	}
	if different == 0 {
		t.Error("different words, or different texts, always get the same replacement")
	}
	s := r.Statement(p.Counts())
	if r.Claim().Unit != privacy.Word || s.Claim.Unit != privacy.Word || math.Abs(*s.DocumentEpsilonMax-6) > 1e-9 || s.Draws != 4 {
		t.Errorf("%+v", s)
	}
	if !slices.ContainsFunc(s.NotProtected, func(line string) bool { return strings.Contains(line, "hold the same word") }) {
		t.Errorf("%q", s.NotProtected)
	}
}

// Under one seed every text has its own stream, by its number in the run: the same text
// twice gives two texts, in one batch or in two.
func TestSeededTextsDifferByTheirNumber(t *testing.T) {
	seed := uint64(3)
	r, err := sotto.Open(t.Context(), sotto.Config{Epsilon: 2, InsecureSeed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	text := []byte("the doctor agreed that the food was terrible and the river cold")
	together, _, err := sotto.RewriteAll(t.Context(), r, [][]byte{text, text}, sotto.Position{Text: 7})
	if err != nil {
		t.Fatal(err)
	}
	alone, _, err := sotto.RewriteAll(t.Context(), r, [][]byte{text}, sotto.Position{Text: 8})
	if err != nil {
		t.Fatal(err)
	}
	if string(together[0]) == string(together[1]) {
		t.Errorf("two texts of a run share their noise: %q", together[0])
	}
	if string(together[1]) != string(alone[0]) {
		t.Errorf("text 8 of a run is %q in one batch and %q in another", together[1], alone[0])
	}
}
