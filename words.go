package sotto

import (
	"context"
	"fmt"
	"io"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/setting"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/progress"
)

// Words configures [Open] to replace the words of texts. Epsilon suffices, or a Cap: every
// other field has a default.
type Words struct {
	// Unit is what one draw protects: privacy.Token (the default) or privacy.Word. With
	// privacy.Word each distinct word of a text is drawn once, and its replacement is used
	// wherever the word is. That reveals which positions hold the same word.
	Unit privacy.Unit
	// Epsilon is the privacy parameter per unit, in nats, or in nats per unit of distance
	// for metric mechanisms. 0 lets the cap of a text choose it.
	Epsilon float64
	// Notion is the kind of guarantee if no mechanism is named: privacy.Pure (the
	// default), which opens neighbours, or privacy.Metric, which opens packing over as
	// many words of the embedded table as channels ship for.
	Notion privacy.Notion
	// Mechanism, Parameters, Published, Accept: see [Config].
	Mechanism  string
	Parameters mechanism.Values
	Published  bool
	Accept     privacy.Standing

	// Table is the vocabulary with its vectors; nil means the embedded English table.
	Table *embedding.Table
	// Unknown is written where the table's entry <unk> is drawn; empty means <unk>. It must
	// be one word that the table lacks, so that it is read as unknown again.
	Unknown string
	// Cap, if not zero, bounds the loss of a whole text.
	Cap Cap

	// Marked rewrites only the tokens inside spans that come with each text, as a detector of
	// names writes them, and copies the rest of the text as it is: see [Stream.Spans] and
	// [Rewriter.ReadSpans]. The claim is conditional on the spans, and the loss of a whole
	// text is infinite.
	Marked bool
	// MarkedEpsilon, if not 0, is the epsilon inside the spans of Marked. What is outside
	// them is then drawn too, at Epsilon, instead of being copied. Both claims are
	// conditional on the spans.
	MarkedEpsilon float64
	// Scoped extends Unit privacy.Word to all texts of a named scope, which the caller
	// stores: see [Pending.Distinct].
	Scoped bool

	// Certificate, InsecureSeed, Open, Cache, Progress: see [Config].
	Certificate  *audit.Certificate
	InsecureSeed *uint64
	Open         func(name string) (io.ReadCloser, error)
	Cache        mechanism.Cache
	Progress     progress.Func
}

// Cap bounds the loss of a whole text, in nats: any two texts of the same length stay within
// (Epsilon, Delta) of each other, whatever their words. The cap is spread evenly over Tokens
// tokens. An uneven spread is not offered: the cost of a token would reveal which token it was.
type Cap struct {
	Epsilon float64
	Delta   float64 // 0 means a pure guarantee
	// Tokens is the length of the longest text allowed, 1 to 1,048,576. It must
	// not be computed from the private texts.
	Tokens int
	Over   Over // treatment of longer texts; empty means Refuse
}

// wordConflicts are the combinations of Words that are refused.
var wordConflicts = []conflict{
	{setting.Scoped, false, setting.UnitToken, "a scope has one replacement per distinct word"},
	{setting.UnitWord, false, setting.DocumentEpsilon, "the cap is for draws per token"},
	{setting.MarkedEpsilon, true, setting.Marked, "it is for the tokens inside spans"},
	{setting.MarkedEpsilon, false, setting.Certificate, "a certificate is for one mechanism, and two are opened"},
	{setting.Marked, false, setting.UnitWord, "the same word may also be outside the spans"},
	{setting.Marked, false, setting.DocumentEpsilon, "what is not marked is copied, so the loss of a whole text has no bound"},
}

// wordParts are those that are refused for parts of one text.
var wordParts = []conflict{
	{setting.UseParts, false, setting.UnitWord, "a word that occurs in two parts would be drawn twice"},
	{setting.UseParts, false, setting.Marked, "the spans are for one whole text"},
}

// given returns the settings in use.
func (w *Words) given() map[string]bool {
	return map[string]bool{
		setting.UnitToken: w.Unit == privacy.Token, setting.UnitWord: w.Unit == privacy.Word || w.Unit == "" && w.Scoped, setting.Scoped: w.Scoped,
		setting.Marked: w.Marked, setting.MarkedEpsilon: w.MarkedEpsilon != 0, setting.Certificate: w.Certificate != nil,
		setting.DocumentEpsilon: w.Cap != Cap{}, setting.UseParts: true,
	}
}

func (w Words) open(ctx context.Context) (*Rewriter, error) {
	if w.Unit != "" && w.Unit != privacy.Token && w.Unit != privacy.Word {
		return nil, privacy.Bad("sotto", "unit", fmt.Sprintf("%q", w.Unit), fmt.Sprintf("%q, %q or %q", privacy.Token, privacy.Word, privacy.Text))
	}
	given := w.given()
	if err := refuse(wordConflicts, given); err != nil {
		return nil, err
	}
	entry, err := accepted(w.Mechanism, mechanism.UseWords, w.Notion, "pure or metric", w.Accept)
	if err != nil {
		return nil, err
	}
	switch {
	case entry.New == nil && entry.NewLatent != nil:
		return nil, privacy.Missing(entry.Name, "a model", "it rewrites whole texts through one")
	case entry.New == nil && entry.NewRetriever != nil:
		return nil, privacy.Bad(entry.Name, "unit", "word", "text: this mechanism replaces whole texts by public ones")
	case entry.New == nil:
		return nil, privacy.Wrong(entry.Name, "", "it releases vectors and does not replace words", "choose a mechanism that does")
	}
	return w.over(ctx, entry, refuse(wordParts, given))
}

// spec returns what opens the mechanism.
func (w *Words) spec() mechanism.Spec {
	return mechanism.Spec{Epsilon: w.Epsilon, Parameters: w.Parameters, Published: w.Published, Open: w.Open, Cache: w.Cache, Progress: w.Progress}
}
