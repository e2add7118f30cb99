package risk

import (
	"github.com/sotto-dp/sotto/attack"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/provenance"
	"github.com/sotto-dp/sotto/statement"
)

// attackRow is what readers recover from releases of one setting. Figures that a
// mechanism has not are null.
type attackRow struct {
	Mechanism string       `json:"mechanism"`
	Epsilon   float64      `json:"epsilon"`
	Unit      privacy.Unit `json:"unit"`
	// Notion is metric where epsilon is per unit of distance.
	Notion privacy.Notion `json:"notion"`
	// Shares of words: from each output alone, with the context, and with the context of
	// rare and of capitalised words.
	Recovered            *float64 `json:"recovered"`
	RecoveredInContext   *float64 `json:"recovered_in_context"`
	RecoveredRare        *float64 `json:"recovered_rare"`
	RecoveredCapitalised *float64 `json:"recovered_capitalised"`
	// Linked is the share of texts that are named among Among; Low and High are its
	// interval. For a whole corpus it is the share of right guesses whether a record took
	// part, which are among two.
	Linked *float64 `json:"linked"`
	Among  int      `json:"among"`
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
	// Method is exact where Linked is computed over all draws: then Low and High are Linked.
	Method attack.Method `json:"linked_method,omitempty"`
	// Linkages has Linked among each number of --among, in their order; for a whole corpus
	// the one among two.
	Linkages []attack.Linkage `json:"linkages"`
	// LinkedPair is Linked for two adjacent words.
	LinkedPair *float64 `json:"linked_pair"`
	// Attribute is the share of labels that a classifier of releases of public texts finds
	// in the releases, AttributeRestored that of clear public texts in the restored ones,
	// AttributeOriginal in the texts themselves. AttributeBlind is the share of the most
	// frequent label.
	Attribute         *float64 `json:"attribute"`
	AttributeRestored *float64 `json:"attribute_restored"`
	AttributeOriginal *float64 `json:"attribute_original"`
	AttributeBlind    *float64 `json:"attribute_blind"`
	// Exposed are the rare words of the sample that a reader recovers most surely, null
	// unless everything is public.
	Exposed []exposedWord `json:"exposed"`
	// Intervals has each figure with its interval, by name.
	Intervals map[string]*attack.Share `json:"intervals"`
	// Approximate: the channel was not kept whole, so that a reader may do better.
	Approximate bool `json:"approximate,omitempty"`
}

// attacked is the output of attack --json.
type attackedTexts struct {
	Rows    []attackRow `json:"rows"`
	LeftOut []leftOut   `json:"left_out"`
	Texts   int         `json:"texts"`
	// Known is the number of texts whose words are those of a text of the corpus too.
	Known      int                  `json:"known_texts"`
	Model      *attackModel         `json:"model"`
	Label      *attackedLabel       `json:"label"`
	Confidence float64              `json:"confidence"`
	Seed       uint64               `json:"seed"`
	Embeddings statement.Embeddings `json:"embeddings"`
	// Codebook is the corpus of mechanisms that release whole texts; null if there is none.
	Codebook *attackCodebook `json:"codebook"`
	// OperatorOnly: the texts or those of the model are not declared public, and the
	// figures reveal something about them.
	OperatorOnly bool   `json:"operator_only"`
	Privacy      string `json:"privacy"`
	// Provenance is what the figures were computed from.
	Provenance provenance.Inputs `json:"provenance"`
}

// attackModel is the language model of the reader.
type attackModel struct {
	Order  int    `json:"order"`
	Tokens int    `json:"tokens"` // 0 if not known
	SHA256 string `json:"sha256"`
}

// exposedWord is a word with the share of its occurrences that are recovered in context.
type exposedWord struct {
	Word string `json:"word"`
	attack.Share
}

// mostExposed bounds the words that are listed for a setting.
const mostExposed = 20

// expose lists the most exposed words. The sample must be public: they are its words.
func (row *attackRow) expose(words []attack.Exposure, table *embedding.Table) {
	row.Exposed = []exposedWord{}
	for _, x := range words[:min(mostExposed, len(words))] {
		row.Exposed = append(row.Exposed, exposedWord{table.Word(x.Word), *x.Share})
	}
}

// attackedLabel is the label that a classifier finds.
type attackedLabel struct {
	Field   string   `json:"field"`
	Classes []string `json:"classes"` // of the public texts
	Texts   int      `json:"texts"`   // public ones, with which it is trained
}

// attackCodebook is the corpus of the public output texts.
type attackCodebook struct {
	Name   string `json:"name"`
	Texts  int    `json:"texts"`
	SHA256 string `json:"sha256"`
	// declared: it is declared public.
	declared bool
}

func (row *attackRow) claim(c privacy.Claim) { row.Unit, row.Notion = c.Unit, c.Notion }

// set stores a figure, and its interval by name.
func (row *attackRow) set(name string, s *attack.Share, value **float64) {
	if s == nil {
		return
	}
	row.Intervals[name] = s
	if value != nil {
		*value = &s.Share
	}
}

// link stores a linkage among Among, and those among other numbers.
func (row *attackRow) link(s *attack.Share, also []attack.Linkage) {
	row.set("linked", s, &row.Linked)
	if s != nil {
		row.Low, row.High, row.Method = &s.Low, &s.High, s.Method
		row.Linkages = append([]attack.Linkage{{Among: row.Among, Share: *s}}, also...)
	}
}

// also returns the linkages among other numbers than Among.
func (row *attackRow) also() []attack.Linkage { return row.Linkages[min(1, len(row.Linkages)):] }

// linked returns the share that is linked among a number of candidates, nil if none is.
func (row *attackRow) linked(among int) *float64 {
	for i := range row.Linkages {
		if row.Linkages[i].Among == among {
			return &row.Linkages[i].Share.Share
		}
	}
	return nil
}

// leftOut is a setting that a mechanism refuses.
type leftOut struct {
	Mechanism string  `json:"mechanism"`
	Epsilon   float64 `json:"epsilon,omitempty"`
	Why       string  `json:"why"`
}
