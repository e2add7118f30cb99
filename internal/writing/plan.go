package writing

import "time"

// Plan is what is written.
type Plan struct {
	About      string
	Texts      int         // wanted
	Attributes []Attribute // nil asks the model to propose some
	Seed       uint64
	Batch      int // texts asked for at once
	Workers    int // requests at once
	MaxTokens  int // of all requests together; 0 means no bound
}

// Writer has a model write texts.
type Writer struct {
	Plan
	Client *Client
	// Distinct reports whether a text is unlike all before, and remembers it.
	Distinct func(text string) bool
	// Report, if not nil, is called after each round of requests.
	Report func(Progress)
}

// Tally counts what was written and left out.
type Tally struct {
	Calls   int `json:"calls"`
	Tokens  int `json:"tokens"`
	Refused int `json:"refused"` // answers and texts that decline
	Similar int `json:"similar"` // texts that nearly equal an earlier one
	Unread  int `json:"unread"`  // answers without a list of texts, and texts that are too long
}

// Progress is the state of a run, and an estimate of the rest: 0 where there is none.
type Progress struct {
	Tally
	Texts, Wanted int
	Left          time.Duration
	LeftTokens    int
}

// Attribute is a property in which texts differ, with its values.
type Attribute struct {
	Name   string   `json:"name"`
	Values []string `json:"values"`
}
