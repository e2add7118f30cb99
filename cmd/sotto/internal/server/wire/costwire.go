package wire

import (
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/request"
)

// CostRequest asks what a rewrite of the same texts would spend. Its fields are those of a
// RewriteRequest that the cost of texts depends on, except for marks and scopes.
type CostRequest struct {
	Texts []*string `json:"texts" doc:"Texts to count, one document per item."`
	Opening
	request.Cap
	request.Distinct
	Account Name `json:"account,omitempty" doc:"Account of the ledger whose remaining budget is compared. The key must permit it."`
	Fast    bool `json:"fast,omitempty" doc:"Leave out recovered. The first request at a setting reads the row of every word of the table for it, which takes seconds."`
}

// CostResponse is a price. It depends on the texts and is as private as they are.
type CostResponse struct {
	Claim          privacy.Claim  `json:"claim"`
	Texts          int            `json:"texts" doc:"Texts that would be rewritten."`
	Refused        int            `json:"refused" doc:"Items that a rewrite would answer with an error, and not charge."`
	Units          int            `json:"units" doc:"Number of draws; each spends the claim once."`
	EpsilonEach    *float64       `json:"epsilon_each" doc:"Epsilon per draw; null where no finite loss holds."`
	EpsilonLongest *float64       `json:"epsilon_longest" doc:"Bound on the loss of the text with the most draws, in nats; null where none is finite."`
	EpsilonTotal   *float64       `json:"epsilon_total" doc:"Epsilon of all draws together, which an account pays."`
	DeltaTotal     float64        `json:"delta_total"`
	Unknown        *float64       `json:"unknown" doc:"Share of words that the table lacks; null for whole texts and without words."`
	Unchanged      *float64       `json:"unchanged" doc:"Expected share of the known words that stay as they are; null for whole texts and without known words."`
	Recovered      *float64       `json:"recovered" doc:"Expected share of the known words that the best guess from each output alone names; null where unchanged is null or sampled, with fast, and for a table of more than 25,000 words unless the server allows slow openings."`
	Sampled        bool           `json:"sampled" doc:"The mechanism has no exact channel: unchanged is of a sample of the table's words."`
	AccountLeft    *ledger.Amount `json:"account_left" doc:"What the account could pay now; null without an account."`
	Suffices       *bool          `json:"account_suffices" doc:"Whether that is enough; null without an account."`
}
