package wire

import (
	"github.com/sotto-dp/sotto"
	attacked "github.com/sotto-dp/sotto/attack/measured"
	"github.com/sotto-dp/sotto/ledger"
	"github.com/sotto-dp/sotto/release"
	"github.com/sotto-dp/sotto/text"
	"github.com/sotto-dp/sotto/tune"
)

// PlaygroundResponse lists what the page may offer.
type PlaygroundResponse struct {
	Version   string             `json:"version"`
	Keys      bool               `json:"keys" doc:"Whether the server needs API keys."`
	Uncharged bool               `json:"uncharged" doc:"Whether this key may draw without an account."`
	Ledger    bool               `json:"ledger" doc:"Whether the server has accounts."`
	Accounts  []string           `json:"accounts" schema:"{\"type\":\"array\",\"items\":{\"type\":\"string\"},\"nullable\":true}" doc:"Accounts of this key; null is any."`
	Texts     int                `json:"texts" doc:"Largest number of texts of one request."`
	Text      int                `json:"text" doc:"Largest size of one text, in bytes."`
	Body      int64              `json:"body" doc:"Largest size of a request, in bytes."`
	Tables    []PlaygroundTable  `json:"tables"`
	Corpora   []PlaygroundCorpus `json:"corpora" doc:"Corpora of public texts that replace whole texts."`
	Records   PlaygroundScale    `json:"records" doc:"Epsilons of a record of a corpus."`
	Marks     *PlaygroundMarks   `json:"marks" doc:"How marks may be replaced within their types; null where this key may not draw them."`
}

// PlaygroundMarks is what marks may be.
type PlaygroundMarks struct {
	Types []string  `json:"types" doc:"Types that have a codebook."`
	Stops []float64 `json:"stops" doc:"Epsilons of marks of types in order to choose from."`
	Start float64   `json:"start" doc:"Initial epsilon."`
}

// PlaygroundScale is what a slider offers.
type PlaygroundScale struct {
	Stops []float64 `json:"stops" doc:"Epsilons to choose from."`
	Start float64   `json:"start" doc:"Initial epsilon."`
}

// PlaygroundCorpus is a corpus that requests may name.
type PlaygroundCorpus struct {
	Name  string    `json:"name"`
	Texts int       `json:"texts"`
	Stops []float64 `json:"stops" doc:"Epsilons of a whole text to choose from."`
	Start float64   `json:"start" doc:"Initial epsilon."`
}

// PlaygroundTable is a table that requests may name.
type PlaygroundTable struct {
	Name       string             `json:"name"`
	Language   string             `json:"language" doc:"Language that the rules of the table are for, such as en; empty for any."`
	Words      int                `json:"words"`
	Pieces     bool               `json:"pieces,omitempty" doc:"Whether the words of the table are pieces of words."`
	Dimensions int                `json:"dimensions"`
	Members    []PlaygroundMember `json:"members"`
}

// PlaygroundMember is a mechanism over one table.
type PlaygroundMember struct {
	Name string `json:"name"`
	// Recommended says that it is what opens where no mechanism is named.
	Recommended bool      `json:"recommended" doc:"Whether it opens where a request names a notion and no mechanism."`
	Closed      string    `json:"closed,omitempty" doc:"Why this server does not open it: a problem type, or vectors-only."`
	Accept      string    `json:"accept,omitempty" doc:"What a request must accept to open it."`
	Notion      string    `json:"notion,omitempty" doc:"To be sent in place of the mechanism's name: it opens the mechanism over the words of the table that it ships for."`
	Stops       []float64 `json:"stops" doc:"Epsilons to choose from, in the unit of the claim."`
	Start       float64   `json:"start" doc:"Initial epsilon."`
}

// ReadRequest asks for the tokens and the cost of texts.
type ReadRequest struct {
	Texts []*string `json:"texts" doc:"What to read, one document an item."`
	Opening
	Typed        bool         `json:"typed,omitempty" doc:"Where the server allows spans: read marks, which are replaced within their types. A type without a codebook is an error of the item."`
	Spans        []text.Spans `json:"spans,omitempty" doc:"With typed: marks of each text, as in a request to rewrite."`
	MarkPatterns bool         `json:"mark_patterns,omitempty" doc:"With typed: mark what has a shape too, such as dates and addresses. It finds no names."`
}

// ReadResponse reports what would be drawn and what it would cost.
type ReadResponse struct {
	Results   []ReadResult    `json:"results"`
	Promise   string          `json:"promise" doc:"The claim in one sentence for people."`
	Statement sotto.Statement `json:"statement"`
	Linkage   *ReadLinkage    `json:"linkage,omitempty" doc:"For whole texts: what no attacker exceeds."`
	Cost      *ledger.Amount  `json:"cost" doc:"What an account would be charged; null where no account could pay."`
}

// ReadLinkage bounds how often an attacker tells which of some texts a copy came from.
type ReadLinkage struct {
	Among int     `json:"among" doc:"Number of texts, each as likely."`
	Limit float64 `json:"limit" doc:"Largest probability to tell which one it was, whatever the attacker knows."`
	Blind float64 `json:"blind" doc:"The same without the copy."`
}

// ReadResult describes one text as it is tokenised. It is as private as the text.
type ReadResult struct {
	Words []release.ReadWord `json:"words,omitempty"`
	Marks []ReadMark         `json:"marks,omitempty" doc:"With typed: all marks, in the order of the text."`
	Error string             `json:"error,omitempty"`
}

// ReadMark is a marked place, in characters from 0. It may be sent as a span.
type ReadMark struct {
	Start int    `json:"start"`
	End   int    `json:"end"`
	Type  string `json:"entity_type" doc:"The type that has the codebook."`
}

// FiguresRequest asks for the figures of a setting: what it does to words and to an
// attacker's success.
type FiguresRequest struct{ Opening }

// FiguresReader is what a reader with a language model recovers at a setting.
type FiguresReader struct {
	Sentence string            `json:"sentence" doc:"The figures in sentences, or that there are none."`
	Measured *attacked.Finding `json:"measured" doc:"Shares of the words of public news that the table knows, at the measured epsilons next to the requested one; null where nothing was measured."`
}

// FiguresResponse compares a setting with others of its mechanism.
type FiguresResponse struct {
	Reader FiguresReader `json:"reader"`
	Row    tune.Row      `json:"row"`
	Curve  []tune.Row    `json:"curve" doc:"The same mechanism at other epsilons, where figures ship."`
	// MostExposed is null for mechanisms that add noise to vectors.
	MostExposed *tune.Exposure `json:"most_exposed" doc:"Words of the table that the best guess from one output recovers most often, with every word as likely; null for mechanisms that add noise to vectors."`
	Limits      []tune.Limit   `json:"limits" doc:"Upper bounds on the unchanged rate of any mechanism with the same kind of guarantee; none for metric guarantees."`
}
