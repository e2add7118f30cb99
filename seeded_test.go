package sotto

import (
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/release"
)

// A seed gives the same texts in every version of the program, whatever changes between
// the seed and the text: published examples are seeded.
func TestSeededOutputsStayTheSame(t *testing.T) {
	seed := uint64(42)
	texts := [][]byte{[]byte("My doctor in Boston agreed, my doctor did."), nil, []byte("zzqx the house\tof 12 rivers")}
	eight, one := mechanism.Values{"neighbours": "8"}, mechanism.Values{"neighbours": "1"}
	for _, c := range []struct {
		name string
		cfg  Configuration
		at   Position
		want string
	}{
		{"token", Config{Epsilon: 9}, Position{},
			"Her nurse maintained chicago refused only promising colleague might preferential||Meantime stipulated door for fourteen waterways"},
		{"token, sets of eight", Config{Epsilon: 9, Parameters: eight}, Position{},
			"I surgeon maintained boston proposal as promising desmond even preferential||<unk> Stipulated capitol rafael thirteen waterways"},
		{"token, a later batch", Config{Epsilon: 9, Parameters: eight}, Position{Batch: 3},
			"Your nurse in boston proposal well I doctors would although||Aforementioned removing consulate for fifteen river"},
		{"token, metric", Config{Mechanism: "tem", Epsilon: 3}, Position{Batch: 1},
			"My doctor in boston agreed, my doctor did.||<unk> The house of twelve rivers"},
		{"token, additive", Config{Mechanism: "laplace", Epsilon: 40, Accept: privacy.Refuted}, Position{Batch: 1},
			"Xbox ab medals insured profanity convicted! Mortgage said allegations||District breathing between kenneth memphis nickel"},
		{"distinct words", Config{Unit: privacy.Word, Epsilon: 9, Parameters: eight}, Position{Batch: 1},
			"You physician in toronto halfway, you physician mcpherson however||Xfdws one home all twelve stream"},
		{"capped", Words{Parameters: one, Cap: Cap{Epsilon: 60, Delta: 1e-6, Tokens: 6, Over: Clamp}}, Position{Batch: 1},
			"Roughly cartoons counted boston headmaster, discontent dogged saarc barak||<unk> The house crisp twelve rivers"},
		{"capped, parts of one text", Words{Cap: Cap{Epsilon: 60, Tokens: 9, Over: Clamp}}, Position{Batch: 1, Of: new(release.Parts)},
			"Because explained time oakland halfway he guess physician even discontent||Abidjan waitress sweeney stud consideration golfers"},
	} {
		r, err := Open(t.Context(), with(c.cfg, nil, &seed))
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		out, _, err := RewriteAll(t.Context(), r, texts, c.at)
		if err != nil {
			t.Fatalf("%s: %v", c.name, err)
		}
		var all []string
		for _, text := range out {
			all = append(all, string(text))
		}
		if got := strings.Join(all, "|"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// The draws of a scope stay the same too.
func TestSeededDrawsOfAScopeStayTheSame(t *testing.T) {
	seed := uint64(42)
	r, err := Open(t.Context(), Words{Scoped: true, Epsilon: 9, Parameters: mechanism.Values{"neighbours": "8"}, InsecureSeed: &seed})
	if err != nil {
		t.Fatal(err)
	}
	p, err := r.Read([][]byte{[]byte("doctor house doctor"), []byte("house river zzqx")})
	if err != nil {
		t.Fatal(err)
	}
	drawn, err := p.DrawDistinct(t.Context(), []int{3, 0, 1, 2})
	if err != nil {
		t.Fatal(err)
	}
	var words []string
	for _, id := range drawn {
		words = append(words, r.Table().Word(id))
	}
	if got, want := strings.Join(words, " "), "<unk> surgeon maintained lake"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
