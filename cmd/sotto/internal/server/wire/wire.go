// Package wire has what clients send to the service and get from it: the JSON of requests, answers and problems,
// their headers, and how a body is read strictly.
package wire

import (
	"encoding/json"
	"net/http"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
)

// Opening names a mechanism and what it works on.
type Opening struct {
	request.Opening
	request.Vocabulary
	request.InLanguage
	request.Protected

	// The server refuses a seed; the fields exist so that the error can say so.
	Seed         json.RawMessage `json:"seed,omitempty" doc:"-"`
	InsecureSeed json.RawMessage `json:"insecure_seed,omitempty" doc:"-"`
}

// Request returns the opening as front ends share it.
func (o *Opening) Request() request.Request {
	return request.Request{Opening: o.Opening, Vocabulary: o.Vocabulary, InLanguage: o.InLanguage, Protected: o.Protected}
}

// Whole reports whether a request is for whole texts. Invalid values are refused later.
func (o *Opening) Whole() bool {
	asked := o.Request()
	return asked.Whole()
}

// Name is a name that may be missing but not empty. A client that sends an empty account or
// scope has probably lost the name by mistake.
type Name string

// UnmarshalJSON accepts a string that is not empty, or null for no name.
func (n *Name) UnmarshalJSON(data []byte) error {
	if string(data) == `""` {
		return NewProblem(http.StatusBadRequest, "malformed", "account and scope must not be empty: leave out the field instead")
	}
	return json.Unmarshal(data, (*string)(n))
}

// RewriteRequest asks for private copies of texts.
type RewriteRequest struct {
	Texts []*string `json:"texts" doc:"Texts to rewrite, one document per item."`
	Opening
	request.Cap
	request.Distinct
	Account Name         `json:"account,omitempty" doc:"Account of the ledger to charge before the draw."`
	Scope   Name         `json:"scope,omitempty" doc:"Secret name of a scope, 22 characters or more that cannot be guessed, such as a random UUID: a word has the same replacement in all texts of the scope, drawn and charged once. Implies consistent; needs an account."`
	Spans   []text.Spans `json:"spans,omitempty" doc:"Where the server allows it: the marked places of each text, as Presidio's analyzer or spaCy writes them, in characters from 0. Only what they mark is rewritten and the rest is copied: the claim is conditional on the spans, and there is none for a text."`
	Typed   bool         `json:"typed,omitempty" doc:"With spans: replace each mark by a value of its type (entity_type or label of a span), a name by a name. Epsilon is then per mark, for types in order such as dates, and may be 0; of other types nothing remains."`
	Strict  bool         `json:"strict_types,omitempty" doc:"With typed: a type without a codebook is an error of the item. Otherwise the words of such marks are drawn one by one."`
	Pieces  bool         `json:"pieces,omitempty" doc:"Add each private text in pieces, one per token; with typed, copied parts and what was drawn for marks in turn."`
	Report  bool         `json:"report,omitempty" doc:"Add the privacy statement to the answer."`
}

// SpansFault returns why the spans of an item do not fit its text, or nothing.
func (req *RewriteRequest) SpansFault(item int) string {
	if req.Spans == nil {
		return ""
	}
	if err := req.Spans[item].Check([]byte(*req.Texts[item])); err != nil {
		return err.Error()
	}
	return ""
}

// RewriteResponse holds one result per text, in order.
type RewriteResponse struct {
	Results   []Result                  `json:"results"`
	Mechanism string                    `json:"mechanism"`
	Standing  privacy.Standing          `json:"standing"`
	Claim     privacy.Claim             `json:"claim"`
	Untyped   *statement.UntypedFigures `json:"untyped,omitempty" doc:"With typed: the guarantee for the words of marks whose type has no codebook, which are drawn one by one; claim is then infinite. Its certificate is in the statement."`
	Tokens    *int                      `json:"tokens" doc:"Null where the claim is for whole texts or marks: their lengths are protected."`
	Draws     int                       `json:"draws" doc:"Number of draws; each spends the claim once. Drawn are tokens, or the distinct words of each text if consistent, or the words that were new to the scope, or whole texts."`
	Unknown   statement.Withheld        `json:"unknown_tokens" doc:"Always null: which tokens the table lacks is as private as the texts."`
	Document  *Capped                   `json:"document,omitempty" doc:"With a cap: the loss that results."`
	Receipt   *Receipt                  `json:"receipt" doc:"Null where no account was charged."`
	Statement *sotto.Statement          `json:"statement,omitempty"`
}

// Capped describes the result of a cap on whole texts.
type Capped struct {
	Epsilon       float64 `json:"epsilon" doc:"Loss of the longest text allowed, in nats."`
	Delta         float64 `json:"delta"`
	Tokens        int     `json:"tokens" doc:"The longest text allowed."`
	Composition   string  `json:"composition" doc:"How the tokens' losses were composed."`
	ClampedTexts  int     `json:"clamped_texts"`
	ClampedTokens int     `json:"clamped_tokens"`
}

// Result is one private text, or the reason why there is none. In that case nothing of
// the item was drawn or charged.
type Result struct {
	Text   *string  `json:"text,omitempty"`
	Pieces []string `json:"pieces,omitempty" doc:"The text again, cut after each token's replacement; with typed, the 1st, 3rd and so on are copied, and the others replace the marks in their order."`
	Error  string   `json:"error,omitempty"`
}

// Receipt identifies a charge in the ledger.
type Receipt struct {
	Account   string        `json:"account"`
	Charge    int64         `json:"charge" doc:"Number of the ledger's entry; in a scope, the last entry for a word of the request, 0 if there is none."`
	Hash      string        `json:"hash" doc:"Hash of that entry, an anchor for sotto ledger verify."`
	Time      time.Time     `json:"time"`
	Cost      ledger.Amount `json:"cost"`
	Remaining ledger.Amount `json:"remaining" doc:"What the account could pay after this charge."`
}

func ReceiptOf(r ledger.Receipt) *Receipt {
	return &Receipt{Account: r.Entry.Account, Charge: r.Entry.Seq, Hash: r.Entry.Hash.String(),
		Time: r.Entry.Time, Cost: r.Entry.Amount, Remaining: r.Remaining}
}

// ExplainRequest asks for exact output distributions. They are public: nothing is drawn
// or charged.
type ExplainRequest struct {
	// Words hides the field of Opening: an explanation uses the whole table.
	Words []string `json:"words,omitempty" doc:"Words to explain."`
	Texts []string `json:"texts,omitempty" doc:"With unit text: whole texts to explain."`
	Opening
	Top *int `json:"top,omitempty" doc:"Outputs per word, 0 for all; default 10."`
}

// ExplainResponse holds the distributions of the tokens of the words, or of the whole
// texts, in order.
type ExplainResponse struct {
	Words    *[]sotto.Explained       `json:"words,omitempty"`
	Texts    *[]sotto.ExplainedText   `json:"texts,omitempty"`
	Codebook *statement.CorpusFigures `json:"codebook,omitempty" doc:"With unit text: the corpus."`
	Claim    privacy.Claim            `json:"claim"`
}

// MechanismsResponse is the catalogue.
type MechanismsResponse struct {
	Mechanisms []sotto.Member `json:"mechanisms"`
}

// Health reports whether the server can do its work.
type Health struct {
	Status string `json:"status" enum:"ok,stopping,ledger-unavailable"`
}
