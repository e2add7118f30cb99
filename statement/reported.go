package statement

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/sotto-dp/sotto/audit"
	"github.com/sotto-dp/sotto/embedding"
	"github.com/sotto-dp/sotto/internal/strictjson"
	"github.com/sotto-dp/sotto/mechanism"
	"github.com/sotto-dp/sotto/privacy"
	"github.com/sotto-dp/sotto/privacy/identity"
)

// Reported is the part of a report of rewrite that opening its release again needs. Reports of
// earlier versions have it too, unlike all fields of a [Statement].
type Reported struct {
	Mechanism   string                     `json:"mechanism"`
	Parameters  map[string]json.RawMessage `json:"parameters"`
	Given       []string                   `json:"given"` // nil in reports of versions that did not state it
	Embeddings  Embeddings                 `json:"embeddings"`
	Claim       privacy.Claim              `json:"claim"`
	Tokens      *int                       `json:"tokens"` // nil where it does not show
	Placeholder string                     `json:"placeholder"`
	Randomness  string                     `json:"randomness"`
	Drawn       *identity.Drawn            `json:"drawn"`          // nil in reports of versions that did not state it
	Clamped     int                        `json:"clamped_tokens"` // words beyond a cap, drawn from the whole vocabulary
	Certificate *audit.Certificate         `json:"certificate"`    // nil if the mechanism has none
}

// maxReport is far above the size of any report.
const maxReport = 1 << 20

// ReadReported reads a report of any version. The error does not quote the data.
func ReadReported(data []byte) (*Reported, error) {
	r := &Reported{}
	if len(data) > maxReport || strictjson.Unique(data) != nil || json.Unmarshal(data, r) != nil || r.Mechanism == "" || r.Embeddings.SHA256 == "" {
		return nil, errors.New("not a report of rewrite")
	}
	return r, nil
}

// ReportedError reports a difference between a report and what is opened.
type ReportedError struct{ What string }

func (e *ReportedError) Error() string { return e.What }

// OfTable returns a *ReportedError if the report is for another table.
func (r *Reported) OfTable(table *embedding.Table) error {
	if got := table.Digest(); got != r.Embeddings.SHA256 {
		return &ReportedError{fmt.Sprintf("the report is for another table (sha256 %.12s of %d words, not %.12s of %d)",
			r.Embeddings.SHA256, r.Embeddings.Words, got, table.Len())}
	}
	return nil
}

// Contradicts returns a *ReportedError if the report claims less than its own certificate, or
// another loss than that of its mechanism as it is opened again.
func (r *Reported) Contradicts(opened privacy.Claim) error {
	if r.Certificate != nil && r.Claim.Notion != privacy.None {
		if err := r.Certificate.Covers(r.Claim); err != nil {
			return &ReportedError{"the report contradicts itself: " + err.Error()}
		}
	}
	near := func(a, b float64) bool { return a == b || math.Abs(a-b) <= 1e-9*math.Abs(b) }
	if c := r.Claim; c.Notion != opened.Notion || !near(c.Epsilon, opened.Epsilon) || !near(c.Delta, opened.Delta) {
		return &ReportedError{fmt.Sprintf("the report's claim does not hold: that of its mechanism is %s", opened)}
	}
	return nil
}

// Candidates returns the parameter sets that may have been given to the mechanism of a
// report, in the order in which to try them. The first is the set that the report lists as
// given; older reports have no such list. A version may choose other values than the one
// that wrote the report, so values that the mechanism chooses are then given as well, in
// all combinations, the ones with fewer given values first.
func (r *Reported) Candidates(entry mechanism.Entry) []mechanism.Values {
	sure, chosen := mechanism.Values{}, []string{}
	stated := func(name string) string { return string(bytes.Trim(r.Parameters[name], `"`)) }
	for _, p := range entry.Parameters {
		_, fixed := p.Fixed()
		chooses := !fixed && (p.Kind == mechanism.Number || p.Kind == mechanism.Integer)
		switch {
		case stated(p.Name) == "":
		case slices.Contains(r.Given, p.Name) || r.Given == nil && !chooses:
			sure[p.Name] = stated(p.Name)
		case chooses:
			chosen = append(chosen, p.Name)
		}
	}
	var all []mechanism.Values
	for subset := range 1 << len(chosen) {
		given := maps.Clone(sure)
		for i, name := range chosen {
			if subset>>i&1 == 1 {
				given[name] = stated(name)
			}
		}
		all = append(all, given)
	}
	slices.SortStableFunc(all, func(a, b mechanism.Values) int { return len(a) - len(b) })
	return all
}

// Differs returns a *ReportedError with the first parameter in which a mechanism of these settings differs
// from the reported one.
func (r *Reported) Differs(settings []mechanism.Setting) error {
	stated := r.Parameters
	own := map[string]string{}
	for name, v := range audit.ParametersOf(settings) {
		if data, err := json.Marshal(v); err == nil {
			own[name] = string(data)
		}
	}
	names := slices.Collect(maps.Keys(own))
	for name := range stated {
		if _, ok := own[name]; !ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		var compact bytes.Buffer
		_ = json.Compact(&compact, stated[name])
		if was := compact.String(); was != own[name] {
			return &ReportedError{fmt.Sprintf("the report is for another channel: its %s is %s, this program opens %s", name, orNone(was), orNone(own[name]))}
		}
	}
	return nil
}

func orNone(s string) string {
	if s == "" {
		return "none"
	}
	return s
}
