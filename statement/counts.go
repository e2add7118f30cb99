package statement

import (
	"encoding/json"
	"errors"
	"strconv"

	"github.com/sotto-dp/sotto/privacy/identity"
)

// Counts holds the counts that a statement may publish. A claim for words does not protect
// the number of texts or their numbers of tokens. If each distinct word is drawn once, it
// does not protect which positions hold the same word either. Every figure here follows
// from these facts alone. [Content] holds the counts that depend on the words. As JSON they
// are the counts of a part of a run, from which its statement is made.
type Counts struct {
	Documents     int `json:"documents"`
	Tokens        int `json:"tokens,omitempty"`
	LongestTokens int `json:"document_tokens_max,omitempty"` // tokens of the longest document
	// Draws is the number of draws made or to be made: tokens within their cap, or
	// distinct words per document.
	Draws        int `json:"draws"`
	LongestDraws int `json:"document_draws_max"` // the largest number of draws of one document
	// LongestRecord is the largest number of draws for one record that has several texts, as a
	// list in JSON or several columns are; 0 where none has, or where the output does not show
	// which texts are of one record.
	LongestRecord int `json:"record_draws_max,omitempty"`
	// Documents longer than their cap allows, and their tokens beyond it. Both follow
	// from lengths.
	ClampedDocuments int `json:"clamped_documents,omitempty"`
	ClampedTokens    int `json:"clamped_tokens,omitempty"`
	Spans            int `json:"spans,omitempty"` // marked places, where texts come with spans
	// Types has a bit for each type of marks that occurs, by its number in the unit.
	Types uint64 `json:"types_bits,omitempty"`
	// RestTokens is the number of drawn tokens outside spans, or in marks whose types have no
	// codebook. LongestLoss is the largest
	// loss of a text with Config.MarkedEpsilon, in nats. Both follow from numbers of
	// tokens.
	RestTokens  int  `json:"rest_tokens,omitempty"`
	LongestLoss Loss `json:"document_loss_max,omitempty"`
	// Drawn identifies the texts that were drawn; zero if not all that is counted was drawn, or if
	// parts of the texts were copied. It follows from the released texts.
	Drawn identity.Drawn `json:"drawn,omitzero"`
}

// Loss is a loss in nats, which may be infinite. JSON has it as text.
type Loss float64

// MarshalText writes the loss.
func (l Loss) MarshalText() ([]byte, error) {
	return strconv.AppendFloat(nil, float64(l), 'g', -1, 64), nil
}

// UnmarshalText reads what MarshalText wrote.
func (l *Loss) UnmarshalText(text []byte) error {
	loss, err := strconv.ParseFloat(string(text), 64)
	*l = Loss(loss)
	return err
}

// Count adds a text: its tokens, those beyond its cap, the draws for it, and the draws that
// it would have alone.
func (c *Counts) Count(tokens, beyond, draws, alone int) {
	c.Documents++
	c.Tokens += tokens
	c.LongestTokens = max(c.LongestTokens, tokens)
	c.Draws += draws
	c.LongestDraws = max(c.LongestDraws, alone)
	if beyond > 0 {
		c.ClampedDocuments++
		c.ClampedTokens += beyond
	}
}

// Add adds the counts of another part of the same run.
func (c *Counts) Add(o Counts) {
	switch {
	case o == Counts{}:
		return
	case *c == Counts{}:
		*c = o
		return
	}
	c.Drawn = c.Drawn.Plus(o.Drawn)
	c.Documents += o.Documents
	c.Tokens += o.Tokens
	c.LongestTokens = max(c.LongestTokens, o.LongestTokens)
	c.Draws += o.Draws
	c.LongestDraws = max(c.LongestDraws, o.LongestDraws)
	c.LongestRecord = max(c.LongestRecord, o.LongestRecord)
	c.ClampedDocuments += o.ClampedDocuments
	c.ClampedTokens += o.ClampedTokens
	c.Spans += o.Spans
	c.Types |= o.Types
	c.RestTokens += o.RestTokens
	c.LongestLoss = max(c.LongestLoss, o.LongestLoss)
}

// Content holds counts that depend on the words of the texts. It is as private as the
// texts. No statement includes it, and it has no JSON and no printed form.
type Content struct {
	UnknownTokens int // tokens that the table lacks
	// ReadTokens is the number of tokens of whole texts, of which UnknownTokens are unknown to
	// the encoder or the model. Their claim hides how long a text is.
	ReadTokens int
	// UnreadTexts is the number of whole texts for which a stream drew an output although
	// they are not UTF-8 or their record is not valid in its format.
	UnreadTexts int
}

// Add adds the counts of another part of the same run.
func (c *Content) Add(o Content) {
	c.UnknownTokens += o.UnknownTokens
	c.ReadTokens += o.ReadTokens
	c.UnreadTexts += o.UnreadTexts
}

// Unknown returns the share of the tokens of whole texts that are unknown; nil if none were read.
// It is as private as the texts.
func (c Content) Unknown() *float64 {
	if c.ReadTokens == 0 {
		return nil
	}
	share := float64(c.UnknownTokens) / float64(c.ReadTokens)
	return &share
}

// ErrContent is returned where counts of content would be written.
var ErrContent = errors.New("sotto: counts of content are as private as the texts and are not written")

// MarshalJSON returns an error.
func (Content) MarshalJSON() ([]byte, error) { return nil, ErrContent }

// MarshalText returns an error.
func (Content) MarshalText() ([]byte, error) { return nil, ErrContent }

// GobEncode returns an error.
func (Content) GobEncode() ([]byte, error) { return nil, ErrContent }

// String hides the counts.
func (Content) String() string { return "(withheld)" }

// GoString hides the counts.
func (Content) GoString() string { return "(withheld)" }

// Withheld is a figure that documents had in earlier versions and no longer state: null
// in JSON.
type Withheld struct{}

// MarshalJSON writes null.
func (Withheld) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// UnmarshalJSON accepts and ignores any value.
func (*Withheld) UnmarshalJSON(data []byte) error {
	var value json.RawMessage
	return json.Unmarshal(data, &value)
}
