package attack

import (
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/privacy"
)

// Row is what readers recover from releases of one setting. Figures that a
// mechanism has not are null.
type Row struct {
	Mechanism string       `json:"mechanism"`
	Epsilon   float64      `json:"epsilon"`
	Unit      privacy.Unit `json:"unit"`
	// Notion is metric where epsilon is per unit of distance.
	Notion privacy.Notion `json:"notion"`
	// Shares of known words: from each output alone, with the context, and with the context of
	// rare and of capitalised words.
	Recovered            *float64 `json:"recovered"`
	RecoveredInContext   *float64 `json:"recovered_in_context"`
	RecoveredRare        *float64 `json:"recovered_rare"`
	RecoveredCapitalised *float64 `json:"recovered_capitalised"`
	// Linked is the share of texts that are named among Among; Low and High are its
	// interval. For a whole corpus it is the probability to guess right whether a record
	// took part, which is among two.
	Linked *float64 `json:"linked"`
	Among  int      `json:"among"`
	Low    *float64 `json:"low"`
	High   *float64 `json:"high"`
	// Method is exact where Linked is computed over all draws: then Low and High are Linked.
	Method Method `json:"linked_method,omitempty"`
	// Linkages has Linked among each number of candidates that was asked for, in order; for a whole corpus
	// the one among two.
	Linkages []Linkage `json:"linkages"`
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
	Exposed []ExposedWord `json:"exposed"`
	// Intervals has each figure with its interval, by name.
	Intervals map[string]*Share `json:"intervals"`
	// Approximate: the channel was not kept whole, so that a reader may do better.
	Approximate bool `json:"approximate,omitempty"`
}

// ExposedWord is a word with the share of its occurrences that are recovered in context.
type ExposedWord struct {
	Word string `json:"word"`
	Share
}

// mostExposed bounds the words that are listed for a setting.
const mostExposed = 20

// Expose lists the most exposed words. The sample must be public: they are its words.
func (row *Row) Expose(words []Exposure, table *embedding.Table) {
	row.Exposed = []ExposedWord{}
	for _, x := range words[:min(mostExposed, len(words))] {
		row.Exposed = append(row.Exposed, ExposedWord{table.Word(x.Word), *x.Share})
	}
}

// SetClaim stores what epsilon is of.
func (row *Row) SetClaim(c privacy.Claim) { row.Unit, row.Notion = c.Unit, c.Notion }

// Set stores a figure, and its interval by name.
func (row *Row) Set(name string, s *Share, value **float64) {
	if s == nil {
		return
	}
	if row.Intervals == nil {
		row.Intervals = map[string]*Share{}
	}
	row.Intervals[name] = s
	if value != nil {
		*value = &s.Share
	}
}

// SetLinked stores a linkage among Among, and those among other numbers.
func (row *Row) SetLinked(s *Share, also []Linkage) {
	row.Set("linked", s, &row.Linked)
	if s != nil {
		row.Low, row.High, row.Method = &s.Low, &s.High, s.Method
		row.Linkages = append([]Linkage{{Among: row.Among, Share: *s}}, also...)
	}
}

// Also returns the linkages among other numbers than Among.
func (row *Row) Also() []Linkage { return row.Linkages[min(1, len(row.Linkages)):] }

// LinkedAmong returns the share that is linked among a number of candidates, nil if none is.
func (row *Row) LinkedAmong(among int) *float64 {
	for i := range row.Linkages {
		if row.Linkages[i].Among == among {
			return &row.Linkages[i].Share.Share
		}
	}
	return nil
}
