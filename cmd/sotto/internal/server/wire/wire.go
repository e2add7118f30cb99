// Package wire has what clients send to the service and get from it: the JSON of requests, answers and problems,
// their headers, and how a body is read strictly.
package wire

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"time"

	"github.com/sotto-dp/sotto"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/mechanism/catalog"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/statement"
	"github.com/sotto-dp/sotto/text"
)

// Opening names a mechanism and its parameters, as the flags of the command do.
//
//go:generate go run ../../../../../internal/gen/parameters ../../../../..
type Opening struct {
	Mechanism string   `json:"mechanism,omitempty" doc:"Name in the catalogue; default: neighbours, or packing for the metric notion, or retrieval for whole texts."`
	Unit      string   `json:"unit,omitempty" enum:"word,text" doc:"What epsilon protects: word, each token at its position (the default), or text, a whole text with all its words."`
	Corpus    string   `json:"corpus,omitempty" doc:"With unit text: name of one of the server's corpora, whose texts are the outputs; default: the first."`
	Notion    string   `json:"notion,omitempty" enum:"pure,metric" doc:"Kind of guarantee if no mechanism is named."`
	Epsilon   *float64 `json:"epsilon,omitempty" doc:"Privacy parameter per token, or per text with unit text. It has no default. A cap for whole texts may choose it."`
	parameterFields
	Parameters map[string]Value `json:"parameters,omitempty" doc:"The mechanism's parameters by name, as an alternative to the fields below."`
	Calibrate  string           `json:"calibrate,omitempty" enum:"certified,published" doc:"What epsilon means for exponential-type members; default: certified."`
	Embeddings string           `json:"embeddings,omitempty" doc:"Name of one of the server's tables; default: the first."`
	Words      *int             `json:"words,omitempty" doc:"Use only the first words of the table."`
	Accept     string           `json:"accept,omitempty" enum:"refuted,stated" doc:"Open mechanisms whose standing is below proved, for this request only, if the server allows it."`

	// The server refuses a seed; the fields exist so that the error can say so.
	Seed         json.RawMessage `json:"seed,omitempty" doc:"-"`
	InsecureSeed json.RawMessage `json:"insecure_seed,omitempty" doc:"-"`
}

// Value is a JSON number or string, as text.
type Value string

// UnmarshalJSON accepts a number or a string.
func (v *Value) UnmarshalJSON(data []byte) error {
	var n json.Number
	if len(data) > 0 && data[0] != '"' {
		err := json.Unmarshal(data, &n)
		*v = Value(n)
		return err
	}
	return json.Unmarshal(data, (*string)(v))
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

// Given returns the parameters by name.
func (o *Opening) Given() mechanism.Values {
	all := mechanism.Values{}
	for name, value := range o.Parameters {
		all[name] = string(value)
	}
	fields := reflect.ValueOf(o.parameterFields)
	for i := range fields.NumField() {
		if value := fields.Field(i).String(); value != "" {
			all[jsonName(fields.Type().Field(i))] = value
		}
	}
	return all
}

// Whole reports whether a request is for whole texts. Invalid values are refused later.
func (o *Opening) Whole() bool {
	entry, _ := catalog.Find(o.Mechanism)
	return o.Unit == string(privacy.Text) || o.Unit == "" && (o.Corpus != "" || entry.New == nil && (entry.NewRetriever != nil || entry.NewLatent != nil))
}

// RewriteRequest asks for private copies of texts.
type RewriteRequest struct {
	Texts []*string `json:"texts" doc:"Texts to rewrite, one document per item."`
	Opening
	Cap
	Account    Name         `json:"account,omitempty" doc:"Account of the ledger to charge before the draw."`
	Consistent bool         `json:"consistent,omitempty" doc:"Draw once per distinct word of a text. The claim is then per distinct word, and which positions hold the same word is revealed."`
	Scope      Name         `json:"scope,omitempty" doc:"Secret name of a scope, 22 characters or more that cannot be guessed, such as a random UUID: a word has the same replacement in all texts of the scope, drawn and charged once. Implies consistent; needs an account."`
	Spans      []text.Spans `json:"spans,omitempty" doc:"Where the server allows it: the marked places of each text, as Presidio's analyzer or spaCy writes them, in characters from 0. Only what they mark is rewritten and the rest is copied: the claim is conditional on the spans, and there is none for a text."`
	Pieces     bool         `json:"pieces,omitempty" doc:"Add each private text in pieces, one per token."`
	Report     bool         `json:"report,omitempty" doc:"Add the privacy statement to the answer."`
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

// Cap bounds the loss of a whole text, as --document-epsilon does.
type Cap struct {
	DocumentEpsilon *float64 `json:"document_epsilon,omitempty" doc:"Cap on the loss of a whole text, in nats. If epsilon is left out, the largest one that satisfies the cap is chosen."`
	DocumentDelta   float64  `json:"document_delta,omitempty" doc:"Delta of that cap; 0 (the default) makes the cap pure."`
	DocumentTokens  int      `json:"document_tokens,omitempty" doc:"The longest text allowed, in tokens. Choose it without looking at the texts."`
	Over            string   `json:"over,omitempty" enum:"refuse,clamp" doc:"Treatment of longer texts: refuse (default) gives an error for the item, which is not charged; clamp draws the tokens beyond the cap at random."`
}

// Check refuses an invalid cap.
func (c *Cap) Check() error {
	if c.DocumentEpsilon == nil {
		if c.DocumentDelta != 0 || c.DocumentTokens != 0 || c.Over != "" {
			return privacy.Bad("serve", "document_epsilon", nil, "given with document_delta, document_tokens or over")
		}
		return nil
	}
	if !(*c.DocumentEpsilon > 0) { // JSON has no infinity
		return privacy.Bad("serve", "document_epsilon", *c.DocumentEpsilon, "positive")
	}
	if !(c.DocumentDelta >= 0 && c.DocumentDelta < 1) {
		return privacy.Bad("serve", "document_delta", c.DocumentDelta, "in [0, 1)")
	}
	if c.DocumentTokens < 1 || c.DocumentTokens > sotto.MostDocumentTokens {
		return privacy.Bad("serve", "document_tokens", c.DocumentTokens, fmt.Sprintf("1 to %d, with a cap: the longest text allowed", sotto.MostDocumentTokens))
	}
	if over := sotto.Over(c.Over); over != "" && over != sotto.Refuse && over != sotto.Clamp {
		return privacy.Bad("serve", "over", nil, "refuse or clamp")
	}
	return nil
}

// RewriteResponse holds one result per text, in order.
type RewriteResponse struct {
	Results   []Result           `json:"results"`
	Mechanism string             `json:"mechanism"`
	Standing  privacy.Standing   `json:"standing"`
	Claim     privacy.Claim      `json:"claim"`
	Tokens    *int               `json:"tokens" doc:"Null where the claim is for whole texts: their lengths are protected."`
	Draws     int                `json:"draws" doc:"Number of draws; each spends the claim once. Drawn are tokens, or the distinct words of each text if consistent, or the words that were new to the scope, or whole texts."`
	Unknown   statement.Withheld `json:"unknown_tokens" doc:"Always null: which tokens the table lacks is as private as the texts."`
	Document  *Capped            `json:"document,omitempty" doc:"With a cap: the loss that results."`
	Receipt   *Receipt           `json:"receipt" doc:"Null where no account was charged."`
	Statement *sotto.Statement   `json:"statement,omitempty"`
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
	Pieces []string `json:"pieces,omitempty" doc:"The text again, cut after each token's replacement."`
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

// fieldNames are the names that a request may have; problems repeat no others.
var fieldNames = namesOf(nil, reflect.TypeFor[RewriteRequest](), reflect.TypeFor[CostRequest](), reflect.TypeFor[ExplainRequest](), reflect.TypeFor[SynthesizeRequest]())

// namesOf appends the JSON names of the fields of structs.
func namesOf(names []string, structs ...reflect.Type) []string {
	for _, t := range structs {
		for i := range t.NumField() {
			if f := t.Field(i); f.Anonymous {
				names = namesOf(names, f.Type)
			} else {
				names = append(names, jsonName(f))
			}
		}
	}
	return names
}

// jsonName returns the JSON name of a field.
func jsonName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
	return name
}
