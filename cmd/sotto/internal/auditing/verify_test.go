package auditing

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/internal/stage"
)

// A report is verified with its claim: a certificate of a larger loss, of another
// mechanism or of nothing is refused before anything is opened.
func TestCertificateOfReportCoversItsClaim(t *testing.T) {
	stage.Unraced(t)
	e, err := sotto.OpenEmbedder(t.Context(), sotto.Vectors{Epsilon: 1, Parameters: map[string]string{"codebook": "64"}})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		spoil func(s *sotto.EmbedStatement)
		want  string
	}{
		"as it is":          {func(*sotto.EmbedStatement) {}, ""},
		"a smaller claim":   {func(s *sotto.EmbedStatement) { s.Claim.Epsilon = 0.5 }, "above the 0.5 that is claimed"},
		"another mechanism": {func(s *sotto.EmbedStatement) { s.Mechanism = "laplace" }, "the report is of mechanism laplace, its certificate of privunit"},
		"no certificate":    {func(s *sotto.EmbedStatement) { s.Certificate = nil }, "the report has no certificate"},
	} {
		s := e.Statement(sotto.Counts{})
		c.spoil(&s)
		data, err := json.Marshal(s)
		if err != nil {
			t.Fatal(err)
		}
		cert, err := toVerify(data, "report.json")
		if c.want == "" && (err != nil || cert == nil || cert.Request == nil) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
