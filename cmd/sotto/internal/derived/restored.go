package derived

import (
	"fmt"
	"io"

	"github.com/sotto-dp/sotto/cmd/sotto/internal/cli"
	"github.com/sotto-dp/sotto/privacy/provenance"
)

// restoredText is the statement of a restored text.
type restoredText struct {
	Mechanism  string   `json:"mechanism"`
	Epsilon    float64  `json:"epsilon"` // of a word
	Model      string   `json:"model_sha256"`
	Mode       string   `json:"mode"`
	Documents  int      `json:"documents"`
	Tokens     int      `json:"tokens"`
	Textless   int      `json:"records_without_text"` // such as those of rewrite --missing keep
	Confidence *float64 `json:"confidence"`
	Uncertain  *int     `json:"uncertain_tokens"` // below the confidence
	Privacy    string   `json:"privacy"`
	// Provenance is what the text was computed from.
	Provenance provenance.Inputs `json:"provenance"`
}

const restoredMayBeFalse = "; restored words may be false. Stated chances hold for texts like those of the model, and for no others"

func (s *restoredText) print(w io.Writer) error {
	uncertain := ""
	if s.Uncertain != nil {
		uncertain = fmt.Sprintf(", %d of them with a chance below %g", *s.Uncertain, *s.Confidence)
	}
	textless := ""
	if s.Textless > 0 {
		textless = fmt.Sprintf(" (%s without a text)", cli.Plural(s.Textless, "record"))
	}
	_, err := fmt.Fprintf(w, "restored %s of %s%s%s, from %s at epsilon %g\n%s\n", cli.Plural(s.Tokens, "word"), cli.Plural(s.Documents, "text"), textless, uncertain, s.Mechanism, s.Epsilon, s.Privacy)
	return err
}
