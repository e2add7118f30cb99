package sotto

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto/internal/lettertest"
	"github.com/sotto-dp/sotto/internal/stage"
	"github.com/sotto-dp/sotto/privacy"
)

var update = flag.Bool("update", false, "write the golden texts of statements anew")

// The statement of every plan, as printed.
func TestStatementPrintsAsPeopleReadIt(t *testing.T) {
	stage.Unraced(t)
	seed := uint64(1)
	model := lettertest.Model(t)
	table := lettertest.Table(t, 20)
	counts := Counts{Documents: 3, Tokens: 14, LongestTokens: 9, Draws: 11, LongestDraws: 7}
	for name, cfg := range map[string]Configuration{
		"tokens":          Config{Epsilon: 8},
		"tokens-metric":   Config{Mechanism: "tem", Table: table, Epsilon: 2},
		"tokens-additive": Config{Mechanism: "gaussian-analytic", Table: table, Epsilon: 2},
		"refuted-seeded":  Config{Mechanism: "trlaplace-published", Table: table, Epsilon: 0.5, Accept: privacy.Refuted, InsecureSeed: &seed},
		"capped":          Words{Table: table, Cap: Cap{Epsilon: 20, Delta: 1e-6, Tokens: 5, Over: Clamp}},
		"distinct":        Config{Table: table, Epsilon: 4, Unit: privacy.Word},
		"scope":           Words{Table: table, Epsilon: 4, Scoped: true},
		"texts":           Texts{Epsilon: 4, Model: model, Pieces: 2},
		"retrieved":       Config{Epsilon: 4, Unit: privacy.Text},
		"marks":           Words{Epsilon: 8, Marked: true},
		"marks-and-rest":  Words{Epsilon: 8, Marked: true, MarkedEpsilon: 2},
	} {
		r, err := Open(t.Context(), cfg)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		c := counts
		switch name {
		case "capped":
			c.ClampedDocuments, c.ClampedTokens = 1, 4
		case "marks":
			c.Spans = 2
		case "marks-and-rest":
			c.Spans, c.RestTokens, c.LongestLoss = 2, 10, 66
		case "texts", "retrieved":
			c = Counts{Documents: 3, Draws: 3}
		}
		s := r.Statement(c)
		golden(t, name, strings.Replace(s.String(), s.Embeddings.SHA256[:16], "DIGEST", 1)) // a model's digest depends on the machine that trained it
	}
	for name, of := range map[string]Of{"vectors-of-documents": Documents, "vectors-of-words": Tokens} {
		e, err := OpenEmbedder(t.Context(), Vectors{Of: of, Table: table, Epsilon: 2, Notion: privacy.Pure})
		if err != nil {
			t.Fatal(err)
		}
		golden(t, name, e.Statement(counts).String())
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", "statements", name+".txt")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s (go test -update writes it anew):\n%s\nwant\n%s", name, got, want)
	}
	for line := range strings.Lines(got) {
		if len(line) > 81 {
			t.Errorf("%s: a line of %d columns: %s", name, len(line)-1, line)
		}
	}
}
