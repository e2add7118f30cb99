// Package provenance records what a result was computed from, and derives from that record
// what the result reveals. A result is as private as the most private of its inputs:
// what is computed from a release and public data alone is post-processing, and what read
// one clear text is as private as that text.
//
// Every sentence about what a result reveals comes from here, so that it follows from what
// was read. The zero value of [Inputs] says that nothing is known, which is the most
// private case.
package provenance

import (
	"encoding/json"
	"slices"

	"github.com/sotto-dp/sotto/privacy"
)

// Kind is how an input was read.
type Kind string

// The kinds, from the least private to the most private.
const (
	// Public: someone declared the input public.
	Public Kind = "public"
	// Released: the input is the output of a mechanism, and has a claim.
	Released Kind = "released"
	// Clear: the input was read as it is. Nothing declares it public and no claim covers it.
	Clear Kind = "clear"
	// Unknown: nothing records what was read.
	Unknown Kind = "unknown"
)

var order = []Kind{Public, Released, Clear, Unknown}

// rank is the place of a kind. A kind of another version is unknown.
func (k Kind) rank() int {
	if i := slices.Index(order, k); i >= 0 {
		return i
	}
	return len(order) - 1
}

// Input is something that a computation read.
type Input struct {
	Kind Kind `json:"kind"`
	// What names the contents: texts, labels, vectors.
	What []string `json:"what"`
	// Name names the file, as the user named it; empty if there is none.
	Name string `json:"name,omitempty"`
	// Claim is the claim of the report, unchanged, of what is released.
	Claim json.RawMessage `json:"claim,omitempty"`
	// Epsilon is that of a randomised response which the caller states and no report does.
	Epsilon float64 `json:"stated_epsilon,omitempty"`
	// NotCovered names what of a released file the claim does not cover.
	NotCovered []string `json:"not_covered,omitempty"`
	// Seeded says that the draws of a release follow from a seed, or that its report does
	// not say that they do not. Whoever knows the seed can undo them, whatever the claim.
	Seeded bool `json:"seeded,omitempty"`
	// Assumed says that a public input is one only if whoever gave it made it without the
	// private data: nothing else declares it.
	Assumed bool `json:"assumed,omitempty"`
}

// Reported is what a report of a release says of itself that Inputs need.
type Reported struct {
	Claim      json.RawMessage `json:"claim"`
	Randomness string          `json:"randomness"`
}

// Of returns the input that a report is about. It is released only if the report says that
// its draws are those of a secret source.
func (r Reported) Of(name string, what ...string) Input {
	in := Input{Kind: Released, Name: name, What: what, Claim: r.Claim}
	if r.Randomness != "secure" && r.Randomness != "caller" {
		in.Kind, in.Seeded = Clear, true
	}
	return in
}

// Declared returns the kind of an input that someone declared public or did not.
func Declared(public bool) Kind {
	if public {
		return Public
	}
	return Clear
}

// claim returns the claim of an input, if it is one.
func (in Input) claim() (c privacy.Claim, ok bool) {
	return c, json.Unmarshal(in.Claim, &c) == nil && c.Unit != ""
}

// kind is that of the input. A release without a claim is Unknown, and one whose claim
// guarantees nothing, or whose draws can be undone, is Clear.
func (in Input) kind() Kind {
	c, ok := in.claim()
	switch {
	case in.Kind != Released:
		return order[in.Kind.rank()]
	case in.Seeded, ok && c.Notion == privacy.None:
		return Clear
	case !ok && !(in.Epsilon > 0):
		return Unknown
	}
	return Released
}

// Inputs are all that a result was computed from.
type Inputs []Input

// Kind returns the kind of the most private input.
func (in Inputs) Kind() Kind {
	most := Public
	if len(in) == 0 {
		return Unknown
	}
	for _, i := range in {
		if k := i.kind(); k.rank() > most.rank() {
			most = k
		}
	}
	return most
}

// Add returns what a result was computed from that read more. Nothing becomes known of
// inputs that are not recorded.
func (in Inputs) Add(more ...Input) Inputs {
	if len(in) == 0 {
		in = Inputs{{Kind: Unknown}}
	}
	return append(slices.Clip(in), more...)
}
